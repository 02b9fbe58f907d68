/* SPDX-License-Identifier: MIT */
/*
 * origin.h - where was an option set?
 */
#ifndef REPORT_ORIGIN_H
#define REPORT_ORIGIN_H

#include <stdbool.h>

#include "sched/model/snapshot.h"

struct str; /* sched/base/str.h */

/*
 * Appends "set by entry 431", "kahu.conf:12" or "default" for an option as commands name it:
 * "xfactorweight", "user[john].fstarget", "class[fast].maxproc[user:bob]". *entry is that of the live
 * change, 0 = none. False: nobody set it.
 */
bool origin_find(const struct snapshot *s, const char *option, struct str *out, uint64_t *entry);

#endif
