/* SPDX-License-Identifier: MIT */
/*
 * outputs.h - output files of jobs
 *
 * What was submitted says it with patterns (launch.h); here they are resolved as its shepherd does, so a
 * file is found while the job waits (where it will be), while it runs, and in what is kept of it when it
 * has ended.
 */
#ifndef HOST_OUTPUTS_H
#define HOST_OUTPUTS_H

#include "ledger.h"
#include "sched/base/arena.h"

struct launch;

/* Absolute paths, in the arena; NULL: nowhere, or at who waits for it. Joined ones are the same. With them
 * who wants to read of it. */
struct outputs {
	const char *output, *errors;
	const char *mail, *mail_to; /* as in struct launch; not looked at */
};

/*
 * What was found in launches. A launch can have 4 MB and be that of every task of an array: with a cache it
 * is read once. One that is in the ledger never changes; what was not found is looked for again.
 */
struct outputs_cache; /* opaque */
struct outputs_cache *outputs_cache_new(void);
void outputs_cache_trim(struct outputs_cache *cache); /* empties one that has become large */
void outputs_cache_free(struct outputs_cache *cache);

/*
 * Of a job that is here. Nothing for one that nobody runs really, or when the ledger does not know. cache
 * NULL: the launch is read.
 */
struct outputs outputs_find(struct ledger ledger, struct outputs_cache *cache, const struct snapshot *s,
			    const struct job *job, struct arena *arena);

/* An upper bound of the bytes of both paths, for a launch whose job, label and user are set. */
size_t outputs_bytes(const struct launch *launch);

#endif
