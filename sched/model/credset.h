/* SPDX-License-Identifier: MIT */
/*
 * credset.h - jobs with the same credentials
 *
 * Limits and shares depend on the credentials of a job. Thousands of idle jobs have only a few dozen
 * different sets of credentials, so a pass computes what depends on them once per set instead of once per
 * job.
 */
#ifndef MODEL_CREDSET_H
#define MODEL_CREDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cred.h"
#include "job.h"

struct cred_set {
	uint32_t cred[CRED_TYPE_COUNT]; /* by enum cred_type: the credential; INDEX_NONE = none */
	uint32_t partition;
};

/*
 * All known sets; they are kept from pass to pass. A zeroed struct is a valid empty one; cred_sets_clear
 * frees it.
 */
struct cred_sets {
	struct cred_set *item;
	uint32_t count;
	uint32_t *of;   /* by job slot: index of the set of the job when it was last looked up */
	uint32_t *hash; /* hash table of indexes into item; its size is a power of two; INDEX_NONE = empty */
	size_t room, of_room, hash_room;
};

/* Prepares for jobs in `slots` slots. Indexes found earlier are no longer valid. */
void cred_sets_begin(struct cred_sets *sets, uint32_t slots);

/* Slow path of cred_sets_find, for a slot whose set is unknown or out of date. */
uint32_t cred_sets_look(struct cred_sets *sets, uint32_t slot, const struct job *job);

/*
 * Returns the index of the set of the job in a slot. The last known set is compared with the job, so a change
 * of the job's credentials need not be reported.
 */
static inline uint32_t cred_sets_find(struct cred_sets *sets, uint32_t slot, const struct job *job)
{
	uint32_t at = sets->of[slot];

	if (at < sets->count && sets->item[at].partition == job->partition &&
	    memcmp(sets->item[at].cred, job->cred, sizeof job->cred) == 0)
		return at;
	return cred_sets_look(sets, slot, job);
}

void cred_sets_clear(struct cred_sets *sets);

#endif
