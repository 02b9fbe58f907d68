/* SPDX-License-Identifier: MIT */
/*
 * throttle_inside.h - what the files of the throttle share and nobody else sees
 *
 * throttle.c keeps the account, throttle_bind.c says which limits bind a job,
 * throttle_clear.c when a limit has room again.
 */
#ifndef CORE_THROTTLE_INSIDE_H
#define CORE_THROTTLE_INSIDE_H

#include <stddef.h>

#include "throttle.h"

/* The system as an owner, beside the types of credentials. */
#define OWNER_SYSTEM CRED_TYPE_COUNT
#define OWNER_COUNT  (CRED_TYPE_COUNT + 1)

/* What the running jobs of a counter leave, by the end of each: built when first asked for. */
struct release {
	int64_t left_s; /* until its end; one that is overdue may end at any moment: 1 */
	uint32_t slot;
};

/* What is in use of one credential, pair, or the system. */
struct counter {
	uint32_t cred, second;
	int64_t active[LIMIT_KIND_COUNT], idle[LIMIT_KIND_COUNT];
	struct release *release;
	size_t release_count, release_room;
	bool released; /* release holds the running jobs and the starts so far */
};

enum slot_mark {
	SLOT_IDLE = 1,
	SLOT_STARTED = 2
};

struct throttle {
	struct throttle_world world;
	bool any;
	bool plain[OWNER_COUNT];                 /* some limit has an owner of this type and no second */
	bool pair[OWNER_COUNT][CRED_TYPE_COUNT]; /* some limit is of such a pair                       */
	uint32_t system_first, system_count;     /* rows of the system as owner                        */

	struct counter *counter;
	size_t count, room;
	uint32_t *of_cred; /* counter of a credential alone; INDEX_NONE = not counted yet */
	size_t of_cred_room;
	uint32_t *hash; /* of pairs and the system; a power of two; INDEX_NONE = empty */
	uint32_t hash_room;

	uint8_t *mark; /* by slot: enum slot_mark */
	size_t mark_room;
};

/* The sum of two amounts, neither negative; what does not fit stays at the most that does. */
static inline int64_t add_amounts(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* A job's credential for limits: its own, else that of those who have none. INDEX_NONE: nothing is set for
 * it. */
static inline uint32_t throttle_cred(const struct throttle *t, const struct job *job, enum cred_type type)
{
	return job->cred[type] != INDEX_NONE ? job->cred[type] : t->world.no_cred[type];
}

/* The counter of a credential or pair; NULL if nobody was counted there. */
struct counter *throttle_find(const struct throttle *t, uint32_t cred, uint32_t second);

/* One limit that binds a job, with its value after overrides. */
struct bound {
	const struct limit *limit;
	enum limit_scope scope; /* as it is set */
	uint32_t cred, second;  /* whose usage  */
	int64_t soft, hard;
};

/* False ends the visit. */
typedef bool bound_visit(void *self, const struct bound *bound);

/* Visits every active (or idle and queued) limit that binds the job, in the order of throttle.h. */
void throttle_bind(const struct throttle *t, const struct job *job, bool idle, bound_visit *visit,
		   void *self);

/* The first moment at which what is in use of a kind is at most `most`; now if it is; TIME_NEVER. */
int64_t throttle_clears(const struct throttle *t, struct counter *c, enum limit_kind kind, int64_t most);

#endif
