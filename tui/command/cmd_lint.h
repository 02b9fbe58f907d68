/* SPDX-License-Identifier: MIT */
/*
 * cmd_lint.h - programs and users of this host that a configuration names
 */
#ifndef COMMAND_CMD_LINT_H
#define COMMAND_CMD_LINT_H

#include "sched/lint/config_lint.h"

/* A host_ask. What cannot be checked is assumed to be good. self: the struct err of file_read_config; NULL =
 * none. */
enum host_state lint_ask_host(void *self, enum host_thing thing, const char *name, struct err *why);

#endif
