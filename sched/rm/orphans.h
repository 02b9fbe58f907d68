/* SPDX-License-Identifier: MIT */
/*
 * orphans.h - processes of a job whose shepherd was killed
 *
 * The first process of the job dies with its shepherd. Processes that it has started continue, and would use
 * resources that are allocated to the next job. Each process of a job has the mark of its shepherd in its
 * environment and, if cgroups are available, is in the job's cgroup: the resource manager finds it by these
 * when the job is lost.
 */
#ifndef RM_ORPHANS_H
#define RM_ORPHANS_H

#include <stdint.h>

#include "spool.h"

#define ORPHANS_MARK "KAHU_SHEPHERD" /* environment variable */
#define ORPHANS_TEXT 48              /* "123.456789" */

/* The mark of a shepherd, unique within a boot. */
void orphans_mark(int64_t pid, int64_t pid_start, char out[static ORPHANS_TEXT]);

/* The name of a job's cgroup folder: because of the mark no two schedulers of this host use the same. */
#define ORPHANS_FOLDER (ORPHANS_TEXT + 48)
void orphans_folder(uint64_t job, uint32_t attempt, int64_t pid, int64_t pid_start,
		    char out[static ORPHANS_FOLDER]);

/* Parses `count` numbers of such a name after its first word: separated by dots, none negative. It accepts
 * more than one spelling of a number, so a caller that must be sure formats the name again and compares. */
bool orphans_read_numbers(const char *text, size_t count, int64_t *out);

/*
 * Kills the processes left by the shepherd of this start, which is dead. cgroup: the folder that contains the
 * cgroups of jobs; "" = none. Waits at most 1 s for their exit; returns the number of processes that have not
 * exited, or 1 if that is not known by then. A separate process continues the work.
 */
uint32_t orphans_kill(const struct spool *spool, const char *cgroup);

#endif
