/* SPDX-License-Identifier: MIT */
/*
 * throttle_account.h - the account of usage against limits; private to the throttle
 *
 * throttle.c finds the limits that apply to a job and keeps the account; throttle_check.c compares jobs with
 * it.
 */
#ifndef POLICY_THROTTLE_ACCOUNT_H
#define POLICY_THROTTLE_ACCOUNT_H

#include <stddef.h>

#include "sched/base/amount.h"
#include "throttle.h"

/* The system as an owner of limits, besides the types of credentials. */
#define OWNER_SYSTEM CRED_TYPE_COUNT
#define OWNER_COUNT  (CRED_TYPE_COUNT + 1)

#define NO_SECOND     CRED_TYPE_COUNT
#define SECONDS_COUNT (CRED_TYPE_COUNT + 1)

/* Usage is counted for each credential of a type, or for each pair of credentials of two types. */
struct group {
	uint8_t owner;       /* enum cred_type, OWNER_SYSTEM */
	uint8_t second_type; /* enum cred_type, NO_SECOND    */
};

#define GROUPS_MAX (OWNER_COUNT * SECONDS_COUNT)

/* The limits of one group, kind and scope. At most one row of each place applies to a job. */
struct place {
	struct group group;
	uint8_t kind;     /* enum limit_kind                     */
	uint8_t scope;    /* enum limit_scope                    */
	uint8_t group_at; /* index of its group in the throttle  */
	uint8_t row_at;   /* number among the places of its group */
};

/* In the order in which they are tested. */
struct places {
	struct place *item;
	size_t count, room;
};

/* The end of a running job, and the usage at that moment by jobs that end later. */
struct release {
	int64_t left_s; /* seconds until the end; 1 for an overdue simulated job, which may end at any moment
			 */
	uint32_t slot;
	int64_t in_use[LIMIT_KIND_COUNT];
};

/* The usage of one credential, pair, or the system. */
struct counter {
	struct group group;
	uint32_t cred, second;
	int64_t active[LIMIT_KIND_COUNT], idle[LIMIT_KIND_COUNT];
	size_t row;              /* in throttle.row: first of its rows, by place of its group */
	uint32_t member;         /* first of its active jobs; INDEX_NONE */
	struct release *release; /* by left_s; computed on first use               */
	size_t release_count, release_room;
	int64_t stuck[LIMIT_KIND_COUNT]; /* used by suspended jobs without a known resume */
	bool released;                   /* release is computed */
	uint64_t pass;                   /* the last throttle.pass in which a job counted here */
	uint8_t group_at;                /* index of its group in the throttle */
};

/* An active job of a counter. */
struct member {
	uint32_t slot;
	uint32_t next; /* of the same counter, INDEX_NONE at the end */
};

enum slot_mark {
	SLOT_IDLE = 1,  /* counts as eligible */
	SLOT_ACTIVE = 2 /* counts as running  */
};

/* The limits that apply to the jobs of a set of credentials, by test. */
enum bounds {
	BOUNDS_SOFT, /* active limits, soft */
	BOUNDS_HARD, /* active limits, hard */
	BOUNDS_IDLE, /* idle and queued limits */
	BOUNDS_COUNT
};

/* One of these limits, in the order of places. */
struct set_bound {
	int64_t limit;
	int64_t least; /* the smallest request of a noted job; INT64_MAX = none is noted */
	uint32_t counter;
	uint8_t kind, scope; /* of the place */
};

/* The least that the active limits of a level leave, for the kinds that follow from processors and time. */
struct set_room {
	int64_t jobs, procs, ps, wall_s;
	bool other_kinds; /* there are limits of other kinds */
};

/* What follows from a set of credentials while the limits do not change. */
struct set_bounds {
	uint64_t limits;                   /* throttle.limits when it was computed */
	uint32_t first[BOUNDS_COUNT + 1];  /* in throttle.bound, by enum bounds; the last: their end */
	uint64_t starts;                   /* throttle.starts when `room` was computed */
	struct set_room room[BOUNDS_IDLE]; /* of active limits, by enum bounds */
};

/* A copy of the input from which limits were found. While it is unchanged, places, counters, rows and bounds
 * are reused. */
struct limits_seen {
	struct limit *limit;
	struct cred_limits {
		uint32_t type, first, count;
	} * cred;
	struct cred_set *set;         /* the sets used so far, and all sets before them */
	const struct cred_sets *sets; /* the table that defines the indexes of sets */
	uint32_t no_cred[CRED_TYPE_COUNT];
	uint32_t limit_count, cred_count, set_count;
	size_t limit_room, cred_room, set_room;
};

/* The request of a waiting job, found once in a pass. */
struct asked {
	uint64_t pass; /* throttle.pass when it was found */
	uint32_t set;  /* of its credentials */
	uint32_t procs, wall_s;
	bool plain;         /* procs and wall_s are complete: the job shares its nodes */
	uint32_t turned_by; /* see throttle_turned_by */
};

struct throttle {
	struct throttle_world world;
	uint64_t pass;   /* number of this pass */
	uint64_t limits; /* number of changes of the limits */
	uint64_t starts; /* passes and starts so far */
	struct limits_seen seen;
	struct asked *asked; /* by slot */
	size_t asked_room;
	struct cred_sets own_sets, *sets;
	struct set_bounds *of_set; /* by index of the set */
	struct set_bound *bound;
	size_t *noted; /* indexes of bounds with a noted job */
	size_t of_set_room, bound_count, bound_room, noted_count, noted_room;
	int64_t noted_clear_s; /* of noted jobs without a bound */
	struct places active, idle;
	struct group group[GROUPS_MAX];
	uint8_t row_count[GROUPS_MAX];         /* by group: number of its places */
	unsigned group_idle_kinds[GROUPS_MAX]; /* by group: kinds with a limit that counts waiting jobs */
	size_t group_count;
	unsigned kinds;                      /* bits of enum limit_kind: kinds with a limit            */
	unsigned idle_kinds;                 /* likewise, with a limit that counts waiting jobs        */
	unsigned overridden;                 /* likewise, with an override by some QOS                 */
	uint32_t system_first, system_count; /* rows of the system as owner                           */

	struct counter *counter;
	size_t count, room;
	const struct limit **row; /* in seen.limit, by counter and place of its group; NULL = no limit */
	size_t row_used, row_room;
	uint32_t *in; /* by set and group: counter of the set's jobs; INDEX_NONE: not counted */
	size_t in_room;
	uint32_t *hash; /* of the counters; a power of two; INDEX_NONE = empty */
	size_t hash_room;
	struct member *member;
	size_t member_count, member_room;
	uint8_t *mark; /* by slot: enum slot_mark bits */
	size_t mark_room;
	uint32_t amounts_slot;            /* the job of `amount`; INDEX_NONE */
	int64_t amount[LIMIT_KIND_COUNT]; /* what a waiting job counts of each kind that some limit looks at
					   */
	bool has_keepers;                 /* some active job requests nodes without other users */
	uint32_t *keeper;                 /* by node: slot of the first of those jobs; INDEX_NONE */
	size_t keeper_room;
};

/* True if usage of the kind falls continuously, not only when a job ends. */
static inline bool kind_is_outstanding(enum limit_kind kind)
{
	return kind == LIMIT_PS || kind == LIMIT_WC;
}

static inline bool scope_is_override(enum limit_scope scope)
{
	return scope == LIMIT_OVERRIDE_ACTIVE || scope == LIMIT_OVERRIDE_IDLE;
}

/* Whether active, resp. idle jobs count in a scope. Both count in LIMIT_QUEUED. */
static inline bool scope_has_active(enum limit_scope scope)
{
	return scope != LIMIT_IDLE && scope != LIMIT_OVERRIDE_IDLE;
}

static inline bool scope_has_idle(enum limit_scope scope)
{
	return scope != LIMIT_ACTIVE && scope != LIMIT_OVERRIDE_ACTIVE;
}

static inline int64_t counter_use(const struct counter *c, enum limit_kind kind, enum limit_scope scope)
{
	return amount_add(scope_has_active(scope) ? c->active[kind] : 0,
			  scope_has_idle(scope) ? c->idle[kind] : 0);
}

/*
 * True if the amounts of a waiting job follow from its request alone. They do not if it does not share its
 * nodes, or if nodes or processor equivalents count.
 */
static inline bool counts_simply(const struct job *job, unsigned kinds)
{
	return job->state == JOB_IDLE && job->access < ACCESS_SINGLEUSER && job->procs_held == 0 &&
	       (kinds & (1U << LIMIT_NODE | 1U << LIMIT_PE)) == 0;
}

/* Kinds that follow from processors and time alone. */
#define PLAIN_KINDS (1U << LIMIT_JOB | 1U << LIMIT_PROC | 1U << LIMIT_PS | 1U << LIMIT_WC)

/* As throttle_count, for one of PLAIN_KINDS and a waiting job that shares its nodes. */
static inline int64_t count_of(enum limit_kind kind, int64_t procs, int64_t wall_s)
{
	switch (kind) {
	case LIMIT_PROC:
		return procs;
	case LIMIT_PS:
		return amount_times(procs, wall_s);
	case LIMIT_WC:
		return wall_s;
	case LIMIT_JOB:
	default:
		return 1;
	}
}

/* As throttle_count, for a job with counts_simply(). */
static inline int64_t simple_count(enum limit_kind kind, const struct job *job)
{
	if (kind == LIMIT_MEM)
		return amount_times(job->mem_mb, job->tasks);
	return (PLAIN_KINDS >> kind & 1) != 0 ? count_of(kind, job_procs(job), job->wall_limit_s) : 0;
}

/* The amount of a kind that a job counts. */
int64_t throttle_count(const struct throttle *t, enum limit_kind kind, const struct job *job);

/* The amounts of all kinds with a limit. Valid until the next call for another job. */
const int64_t *throttle_amounts(struct throttle *t, const struct job *job);

/*
 * The counters of a job, one for each group; INDEX_NONE if the job has no such credential. They are found,
 * and created if necessary, once for each set of credentials.
 */
const uint32_t *throttle_counters(struct throttle *t, const struct job *job);

/* Finds the limits and counters of a set of credentials, of which job is a member. */
struct set_bounds *throttle_find_set(struct throttle *t, uint32_t set, const struct job *job);

static inline struct set_bounds *throttle_bounds_of(struct throttle *t, uint32_t set, const struct job *job)
{
	if (set < t->of_set_room && t->of_set[set].limits == t->limits)
		return &t->of_set[set];
	return throttle_find_set(t, set, job);
}

/* The request of a waiting job; NULL for other jobs. */
struct asked *throttle_asked(struct throttle *t, const struct job *job);

/* As throttle_amounts; for a plain job the amounts are written to `own`. */
static inline const int64_t *asked_amounts(struct throttle *t, const struct job *job,
					   const struct asked *asked, int64_t own[static LIMIT_KIND_COUNT])
{
	if (!asked->plain || (t->kinds & ~PLAIN_KINDS) != 0)
		return throttle_amounts(t, job);
	own[LIMIT_JOB] = 1;
	own[LIMIT_PROC] = asked->procs;
	own[LIMIT_WC] = asked->wall_s;
	own[LIMIT_PS] = (t->kinds >> LIMIT_PS & 1) == 0 ? 0 : count_of(LIMIT_PS, asked->procs, asked->wall_s);
	return own;
}

/* A limit that applies to a job. */
struct bound {
	const struct limit *row; /* its amounts; that of the QOS if it overrides    */
	struct counter *counter; /* the usage that it limits                      */
};

/* Finds the limit in a place that applies to a job with counters in[]. False: there is none. */
bool throttle_bound(const struct throttle *t, const struct job *job, const uint32_t *in, struct place place,
		    struct bound *out);

#endif
