/* SPDX-License-Identifier: MIT */
/*
 * cmd_lint.h - programs and users of this host that a configuration names
 */
#ifndef COMMAND_CMD_LINT_H
#define COMMAND_CMD_LINT_H

#include "sched/lint/config_lint.h"

/*
 * A function of type host_ask. Assumes that whatever cannot be checked is good. self: a struct err in which
 * file_read_config has reported why programs are not run; NULL = they are run.
 */
enum host_state lint_ask_host(void *self, enum host_thing thing, const char *name, struct err *why);

#endif
