/* SPDX-License-Identifier: MIT */
/*
 * cmd_init.h - which configuration does a host get that has none?
 */
#ifndef COMMAND_CMD_INIT_H
#define COMMAND_CMD_INIT_H

#include <stdint.h>

#include "sched/rm/facts.h"
#include "sched/rm/facts_users.h"

/* Appends it, with comments that say what was found and what can be said otherwise. why: what keeps the level
 * from being full; "" = nothing. */
void init_print_config(const struct facts *facts, const char *why, const struct host_users *users,
		       int64_t now_s, struct str *out);

#endif
