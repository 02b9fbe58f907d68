/* SPDX-License-Identifier: MIT */
/*
 * firstconf.h - which configuration does a host get that has none?
 */
#ifndef COMMAND_FIRSTCONF_H
#define COMMAND_FIRSTCONF_H

#include <stdint.h>

#include "sched/rm/facts.h"
#include "sched/rm/facts_users.h"

/* Appends it, with comments that say what was found and what can be said otherwise. why: what keeps the level
 * from being full; "" = nothing. */
void firstconf_print(const struct facts *facts, const char *why, const struct host_users *users,
		     int64_t now_s, struct str *out);

/* "lab: 16 processors, 64000 MB of memory, 2 graphics processors". */
void firstconf_host(const struct facts *facts, struct str *out);

#endif
