/* SPDX-License-Identifier: MIT */
/*
 * outputs.h - output files of jobs
 *
 * Launch data names output files by patterns (launch.h). They are resolved here in the same way as by the
 * shepherd: for idle jobs (the files do not exist yet), for running jobs, and for the history of ended jobs.
 */
#ifndef HOST_OUTPUTS_H
#define HOST_OUTPUTS_H

#include "ledger.h"
#include "sched/base/arena.h"

struct launch;

/*
 * Absolute paths, in the arena, and the mail options. A path is NULL if there is no file or the output goes
 * to a waiting client. If a job joins its output and errors, both paths are equal.
 */
struct outputs {
	const char *output, *errors;
	const char *mail, *mail_to; /* as in struct launch; not checked */
};

/*
 * A cache of output patterns and mail options. Launch data may have 4 MB and be shared by all tasks of an
 * array; with a cache, it is read once. Launch data in the ledger never changes; data that was not found is
 * looked up again.
 */
struct outputs_cache; /* opaque */
struct outputs_cache *outputs_cache_new(void);
void outputs_cache_trim(struct outputs_cache *cache); /* empties a cache that has become large */
void outputs_cache_free(struct outputs_cache *cache);

/*
 * Returns the output files of a job in s. Nothing is set for a simulated job, or if the ledger has no launch
 * data for the job. If `cache` is NULL, the launch data is read each time.
 */
struct outputs outputs_find(struct ledger ledger, struct outputs_cache *cache, const struct snapshot *s,
			    const struct job *job, struct arena *arena);

/*
 * Returns an upper bound for the length of both paths together, in bytes. The launch's job, label and user
 * must be set.
 */
size_t outputs_bytes(const struct launch *launch);

#endif
