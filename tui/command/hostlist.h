/* SPDX-License-Identifier: MIT */
/*
 * hostlist.h - which nodes does a word name?
 *
 *     n01     n01,n02     n[01-04,07]     n*     rack?-[1-12]
 *
 * In brackets stand numbers and ranges of them: with a zero in front they have as many digits as
 * written, else none in front. * is any text, ? any one character. A word that names no node
 * is refused.
 */
#ifndef COMMAND_HOSTLIST_H
#define COMMAND_HOSTLIST_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "sched/model/snapshot.h"

/* Does one pattern, without commas, name this node? */
bool hostlist_match(const char *pattern, const char *name);

/* Marks the nodes that a word names, by index. False with a sentence, and nothing certain is marked. */
bool hostlist_mark(const struct snapshot *s, const char *word, bool *marked, struct err *err);

#endif
