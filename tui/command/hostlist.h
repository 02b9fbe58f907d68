/* SPDX-License-Identifier: MIT */
/*
 * hostlist.h - lists of hosts with ranges and wildcards
 *
 *     n01     n01,n02     n[01-04,07]     n*     rack?-[1-12]
 *
 * Brackets contain numbers and ranges. Numbers with leading zeros have a fixed width; others have no leading
 * zero. * is any text, ? any character. A list that names no node is refused.
 */
#ifndef COMMAND_HOSTLIST_H
#define COMMAND_HOSTLIST_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"

/* Returns true if a pattern without commas matches the name of a node. */
bool hostlist_match(const char *pattern, const char *name);

/*
 * Sets marked[i] for each node i of a list. Returns false with err set if a pattern matches no node; marked
 * is then incomplete.
 */
bool hostlist_mark(const struct snapshot *s, const char *word, bool *marked, struct err *err);

#endif
