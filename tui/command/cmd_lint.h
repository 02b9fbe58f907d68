/* SPDX-License-Identifier: MIT */
/*
 * cmd_lint.h - is what a configuration names on this host?
 */
#ifndef COMMAND_CMD_LINT_H
#define COMMAND_CMD_LINT_H

#include "sched/config/config.h"

/* A host_ask. What may not be looked at is taken to be good. self: a struct err, what file_read_config found
 * to say of the file; NULL = nothing. */
enum host_state lint_ask_host(void *self, enum host_thing thing, const char *name, struct err *why);

#endif
