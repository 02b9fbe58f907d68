/* SPDX-License-Identifier: MIT */
/*
 * orphans.h - processes of a job whose shepherd was killed
 *
 * Its first process dies with it; what that one has started goes on, and would keep what the next job is
 * given. Each process of a job carries the mark of its shepherd in its environment, and is in its cgroup when
 * there is one: by these the manager finds them when it finds that a job is lost.
 */
#ifndef RM_ORPHANS_H
#define RM_ORPHANS_H

#include <stdint.h>

#include "spool.h"

#define ORPHANS_MARK "KAHU_SHEPHERD" /* the variable */
#define ORPHANS_TEXT 48              /* "123.456789" */

/* The mark of a shepherd: no two of one boot have the same. */
void orphans_mark(int64_t pid, int64_t pid_start, char out[static ORPHANS_TEXT]);

/* The folder of a job's cgroup: by the mark no two schedulers of this host have the same. */
#define ORPHANS_FOLDER (ORPHANS_TEXT + 48)
void orphans_folder(uint64_t job, uint32_t attempt, int64_t pid, int64_t pid_start,
		    char out[static ORPHANS_FOLDER]);

/* Reads `count` numbers of such a name, from behind its first word: separated by dots, none negative. It
 * accepts more than one spelling of a number, so a caller that must be sure formats the name again and
 * compares. */
bool orphans_read_numbers(const char *text, size_t count, int64_t *out);

/*
 * Kills what the shepherd of this start, which is dead, has left behind. cgroup: the folder below which jobs
 * have theirs; "" = none. Waits for them to die, at most 1 s; returns how many have not,
 * or 1 if that is not known by then; a separate process continues the work.
 */
uint32_t orphans_kill(const struct spool *spool, const char *cgroup);

#endif
