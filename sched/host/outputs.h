/* SPDX-License-Identifier: MIT */
/*
 * outputs.h - output files of jobs
 *
 * A launch names them by patterns (launch.h), which are resolved here as the shepherd does: for a job that
 * waits (where the files will be) or runs, and for the history of an ended job.
 */
#ifndef HOST_OUTPUTS_H
#define HOST_OUTPUTS_H

#include "ledger.h"
#include "sched/base/arena.h"

struct launch;

/* Absolute paths, in the arena; NULL: no file, or the output goes to a waiting client. Joined files are
 * equal. Also the mail options. */
struct outputs {
	const char *output, *errors;
	const char *mail, *mail_to; /* as in struct launch; not checked */
};

/*
 * A cache of what was read from launches. A launch may have 4 MB and be shared by all tasks of an array; with
 * a cache it is read once. A launch in the ledger never changes; one that was not found is searched again.
 */
struct outputs_cache; /* opaque */
struct outputs_cache *outputs_cache_new(void);
void outputs_cache_trim(struct outputs_cache *cache); /* empties a cache that has become large */
void outputs_cache_free(struct outputs_cache *cache);

/*
 * The output files of a job in s. Empty for a simulated job, or if the ledger has no launch. cache NULL: the
 * launch is read.
 */
struct outputs outputs_find(struct ledger ledger, struct outputs_cache *cache, const struct snapshot *s,
			    const struct job *job, struct arena *arena);

/* An upper bound of the bytes of both paths, for a launch whose job, label and user are set. */
size_t outputs_bytes(const struct launch *launch);

#endif
