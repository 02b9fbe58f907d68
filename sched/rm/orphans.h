/* SPDX-License-Identifier: MIT */
/*
 * orphans.h - processes of a job whose shepherd was killed
 *
 * The first process of a job dies with the shepherd. Processes that the first process has started continue,
 * and would use resources that are allocated to the next job. Each process of a job has the mark of its
 * shepherd in its environment and, if cgroups are available, is in the job's cgroup; by these the resource
 * manager finds the processes of a lost job.
 */
#ifndef RM_ORPHANS_H
#define RM_ORPHANS_H

#include <stdint.h>

#include "spool.h"

#define ORPHANS_MARK "KAHU_SHEPHERD" /* environment variable that contains the mark */
#define ORPHANS_TEXT 48              /* size of a mark such as "123.456789" */

/* Writes the mark of a shepherd: its process ID and start time, which are unique within a boot. */
void orphans_mark(int64_t pid, int64_t pid_start, char out[static ORPHANS_TEXT]);

/*
 * Writes the name of a job's cgroup folder. Because it contains the mark, no two schedulers of this host use
 * the same name.
 */
#define ORPHANS_FOLDER (ORPHANS_TEXT + 48)
void orphans_folder(uint64_t job, uint32_t attempt, int64_t pid, int64_t pid_start,
		    char out[static ORPHANS_FOLDER]);

/*
 * Parses the part of such a name after its first word: `count` non-negative numbers separated by dots. More
 * than one spelling of a number is accepted, so a caller that needs certainty formats the name again and
 * compares.
 */
bool orphans_read_numbers(const char *text, size_t count, int64_t *out);

/*
 * Kills the remaining processes of a start whose shepherd is dead. cgroup: the folder that contains the
 * cgroups of jobs; "" = none. Waits at most 1 s for their exit. Returns the number of processes that have not
 * exited, or 1 if the number is not known by then; a separate process continues to kill them.
 */
uint32_t orphans_kill(const struct spool *spool, const char *cgroup);

#endif
