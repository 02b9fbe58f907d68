/* SPDX-License-Identifier: MIT */
/*
 * throttle_account.h - the account of usage against limits; private to throttle.c and throttle_check.c
 *
 * throttle.c finds the limits that apply to a job and keeps the account; throttle_check.c compares jobs with
 * the account.
 */
#ifndef POLICY_THROTTLE_ACCOUNT_H
#define POLICY_THROTTLE_ACCOUNT_H

#include <stddef.h>

#include "sched/base/amount.h"
#include "throttle.h"

/* Owners of limits: the types of credentials, and the system. */
#define OWNER_SYSTEM CRED_TYPE_COUNT
#define OWNER_COUNT  (CRED_TYPE_COUNT + 1)

/* The second type of a limit; NO_SECOND for a limit without a second credential. */
#define NO_SECOND     CRED_TYPE_COUNT
#define SECONDS_COUNT (CRED_TYPE_COUNT + 1)

/*
 * A set of counters of usage: one counter for each credential of a type, or for each pair of credentials of
 * two types.
 */
struct group {
	uint8_t owner;       /* enum cred_type or OWNER_SYSTEM */
	uint8_t second_type; /* enum cred_type or NO_SECOND */
};

#define GROUPS_MAX (OWNER_COUNT * SECONDS_COUNT)

/* The limits of one group, kind and scope, which exclude each other: at most one of them applies to a job. */
struct place {
	struct group group;
	uint8_t kind;     /* enum limit_kind                     */
	uint8_t scope;    /* enum limit_scope                    */
	uint8_t group_at; /* index of the group in throttle.group */
	uint8_t row_at;   /* index of this place among the places of its group */
};

/* Places in the order in which their limits are tested. */
struct places {
	struct place *item;
	size_t count, room;
};

/* The end of a running job, and what the jobs that end later use at that time. */
struct release {
	int64_t left_s; /* seconds until the end; 1 for an overdue simulated job, which may end any time */
	uint32_t slot;
	int64_t in_use[LIMIT_KIND_COUNT];
};

/* The usage of one credential, of one pair of credentials, or of the system. */
struct counter {
	struct group group;
	uint32_t cred, second;
	int64_t active[LIMIT_KIND_COUNT], idle[LIMIT_KIND_COUNT];
	size_t row; /* index in throttle.row of its first row; its rows are in the order of place.row_at */
	uint32_t member; /* index in throttle.member of the first of its active jobs; INDEX_NONE = none */
	struct release *release; /* the ends of its active jobs, by left_s; computed on first use */
	size_t release_count, release_room;
	int64_t stuck[LIMIT_KIND_COUNT]; /* usage of suspended jobs without a known time of resume */
	bool released;                   /* `release` and `stuck` are computed */
	uint64_t pass;    /* the last throttle.pass in which the usage of this counter included a job */
	uint8_t group_at; /* index of its group in throttle.group */
};

/* An active job of a counter. */
struct member {
	uint32_t slot;
	uint32_t next; /* next member of the same counter, INDEX_NONE at the end */
};

enum slot_mark {
	SLOT_IDLE = 1,  /* the job counts as eligible */
	SLOT_ACTIVE = 2 /* the job counts as running */
};

/* The tests for which the limits of a set of credentials are listed. */
enum bounds {
	BOUNDS_SOFT, /* soft active limits */
	BOUNDS_HARD, /* hard active limits */
	BOUNDS_IDLE, /* idle and queued limits */
	BOUNDS_COUNT
};

/*
 * A limit that applies to the jobs of a set of credentials. The limits of a set are in the order of places.
 */
struct set_bound {
	int64_t limit;
	int64_t left;  /* active limits: how much further jobs may use; valid while set_bounds.starts is
			  current */
	int64_t least; /* smallest request of the jobs noted by throttle_active_noted; INT64_MAX = none */
	uint32_t counter;
	uint8_t kind, scope; /* kind and scope of its place */
};

/*
 * How much a job may still use under the active limits of a level: for each of PLAIN_KINDS, the smallest
 * amount that a limit leaves.
 */
struct set_room {
	int64_t jobs, procs, ps, wall_s;
	bool other_kinds; /* there are also limits of other kinds */
};

/* What is known about a set of credentials while the limits do not change. */
struct set_bounds {
	uint64_t limits;                   /* value of throttle.limits when this was computed */
	uint32_t first[BOUNDS_COUNT + 1];  /* by enum bounds: index in throttle.bound of the first limit of
					      this test; the last element is the end */
	uint64_t starts;                   /* value of throttle.starts when `room`, and `left` of the active
					      limits, were computed */
	struct set_room room[BOUNDS_IDLE]; /* by enum bounds: what the active limits leave */
};

/*
 * A copy of the input from which limits were found. While the input is unchanged, places, counters, rows and
 * bounds are reused.
 */
struct limits_seen {
	struct limit *limit;
	struct cred_limits {
		uint32_t type, first, count;
	} * cred;
	struct cred_set *set;         /* the first set_count sets, up to the last set that was used */
	const struct cred_sets *sets; /* the table in which sets have their indexes */
	uint32_t no_cred[CRED_TYPE_COUNT];
	uint32_t limit_count, cred_count, set_count;
	size_t limit_room, cred_room, set_room;
};

/*
 * The request of an idle job. It is small, because a pass reads the requests in the order of rank, not of
 * memory.
 */
struct asked {
	uint32_t
		told; /* value of throttle.told when the request was determined; valid while both are equal */
	uint32_t set; /* index of the set of the job's credentials */
	/* The whole request of a job that shares its nodes; for other jobs procs is NOT_PLAIN. */
	uint32_t procs, wall_s;
};
#define NOT_PLAIN UINT32_MAX

struct throttle {
	struct throttle_world world;
	uint64_t pass;   /* number of the current pass */
	uint32_t told;   /* incremented in each pass in which earlier requests are not valid
			    (throttle_world.keeps_requests) */
	uint64_t limits; /* number of times that the limits have changed */
	uint64_t starts; /* number of passes and starts so far */
	struct limits_seen seen;
	struct asked *asked; /* requests by job slot */
	uint32_t *turned_by; /* results of throttle_turned_by by job slot */
	size_t asked_room, turned_room;
	struct cred_sets own_sets, *sets;
	struct set_bounds *of_set; /* by index of a set */
	struct set_bound *bound;
	size_t *noted; /* indexes in `bound` of the limits that noted jobs break */
	size_t of_set_room, bound_count, bound_room, noted_count, noted_room;
	int64_t noted_clear_s; /* first clear time of noted jobs for which no limit in `bound` is known */
	struct places active, idle;
	struct group group[GROUPS_MAX];
	uint8_t row_count[GROUPS_MAX];         /* by group: number of its places */
	unsigned group_idle_kinds[GROUPS_MAX]; /* by group: bits of enum limit_kind with a limit that counts
						  idle jobs */
	size_t group_count;
	unsigned kinds;                      /* bits of enum limit_kind with a limit */
	unsigned idle_kinds;                 /* bits of enum limit_kind with a limit that counts idle jobs */
	unsigned overridden;                 /* bits of enum limit_kind with an override by a QOS */
	uint32_t system_first, system_count; /* index and number of the limits that the system owns */

	struct counter *counter;
	size_t count, room;
	/* Pointers into seen.limit, by counter and place of its group; NULL = no limit. */
	const struct limit **row;
	size_t row_used, row_room;
	uint32_t *in; /* by set and group: index of the counter of the set's jobs; INDEX_NONE: not counted */
	size_t in_room;
	uint32_t *hash; /* table of indexes into counter; size is a power of two; INDEX_NONE = empty */
	size_t hash_room;
	struct member *member;
	size_t member_count, member_room;
	uint8_t *mark; /* enum slot_mark bits by job slot */
	size_t mark_room;
	uint32_t amounts_slot;            /* slot of the job to which `amount` belongs; INDEX_NONE = none */
	int64_t amount[LIMIT_KIND_COUNT]; /* amounts of that job, for the kinds with a limit */
	bool has_keepers;                 /* an active job requests nodes without other users */
	/*
	 * By node: slot of the first active job that requests nodes without other users; INDEX_NONE = none.
	 */
	uint32_t *keeper;
	size_t keeper_room;
};

/* Returns true if usage of the kind falls continuously instead of only when a job ends. */
static inline bool kind_is_outstanding(enum limit_kind kind)
{
	return kind == LIMIT_PS || kind == LIMIT_WC;
}

static inline bool scope_is_override(enum limit_scope scope)
{
	return scope == LIMIT_OVERRIDE_ACTIVE || scope == LIMIT_OVERRIDE_IDLE;
}

/*
 * Do active jobs (scope_has_active) or idle jobs (scope_has_idle) count in a scope? In LIMIT_QUEUED both do.
 */
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
 * Returns true if the amounts of an idle job follow from its request alone. Otherwise the job does not share
 * its nodes, or there are limits on nodes or processor equivalents.
 */
static inline bool counts_simply(const struct job *job, unsigned kinds)
{
	return job->state == JOB_IDLE && job->access < ACCESS_SINGLEUSER && job->procs_held == 0 &&
	       (kinds & (1U << LIMIT_NODE | 1U << LIMIT_PE)) == 0;
}

/* Kinds whose amounts follow from processors and time alone. */
#define PLAIN_KINDS (1U << LIMIT_JOB | 1U << LIMIT_PROC | 1U << LIMIT_PS | 1U << LIMIT_WC)

/* Like throttle_count, for one of PLAIN_KINDS and an idle job that shares its nodes. */
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

/* Like throttle_count, for a job for which counts_simply() is true. */
static inline int64_t simple_count(enum limit_kind kind, const struct job *job)
{
	if (kind == LIMIT_MEM)
		return amount_times(job->mem_mb, job->tasks);
	return (PLAIN_KINDS >> kind & 1) != 0 ? count_of(kind, job_procs(job), job->wall_limit_s) : 0;
}

/* Returns the amount that a job uses now of limits of the given kind. */
int64_t throttle_count(const struct throttle *t, enum limit_kind kind, const struct job *job);

/*
 * Returns the amounts of a job for all kinds with a limit, by enum limit_kind. Valid until the next call for
 * another job.
 */
const int64_t *throttle_amounts(struct throttle *t, const struct job *job);

/*
 * Returns the indexes of the counters of a job, one for each group; INDEX_NONE if the job has no such
 * credential. Counters are found, and created if necessary, once for each set of credentials.
 */
const uint32_t *throttle_counters(struct throttle *t, const struct job *job);

/* Finds the limits and counters of a set of credentials; job is any job with these credentials. */
struct set_bounds *throttle_find_set(struct throttle *t, uint32_t set, const struct job *job);

static inline struct set_bounds *throttle_bounds_of(struct throttle *t, uint32_t set, const struct job *job)
{
	if (set < t->of_set_room && t->of_set[set].limits == t->limits)
		return &t->of_set[set];
	return throttle_find_set(t, set, job);
}

/* Slow path of throttle_asked, for a job whose request is not known yet. */
struct asked *throttle_ask(struct throttle *t, const struct job *job);

/* Returns the request of an idle job; NULL for other jobs. */
static inline struct asked *throttle_asked(struct throttle *t, const struct job *job)
{
	struct asked *asked = &t->asked[job - t->world.job];

	return asked->told == t->told ? asked : throttle_ask(t, job);
}

/* Like throttle_amounts; for a plain job the amounts are written to `own`, which is returned. */
static inline const int64_t *asked_amounts(struct throttle *t, const struct job *job,
					   const struct asked *asked, int64_t own[static LIMIT_KIND_COUNT])
{
	if (asked->procs == NOT_PLAIN || (t->kinds & ~PLAIN_KINDS) != 0)
		return throttle_amounts(t, job);
	own[LIMIT_JOB] = 1;
	own[LIMIT_PROC] = asked->procs;
	own[LIMIT_WC] = asked->wall_s;
	own[LIMIT_PS] = (t->kinds >> LIMIT_PS & 1) == 0 ? 0 : count_of(LIMIT_PS, asked->procs, asked->wall_s);
	return own;
}

/*
 * Adds the amounts of an idle job of a set to its counters, or (leaves) subtracts them, only for kinds with a
 * limit that counts idle jobs.
 */
static inline void account_idle(struct throttle *t, uint32_t set, const int64_t *amount, bool leaves)
{
	const uint32_t *in = &t->in[set * t->group_count];

	for (size_t g = 0; g < t->group_count; g++) {
		int64_t *idle;

		if (t->group_idle_kinds[g] == 0 || in[g] == INDEX_NONE)
			continue;
		idle = t->counter[in[g]].idle;
		for (unsigned left = t->group_idle_kinds[g], k = 0; left != 0; left >>= 1, k++)
			if ((left & 1) != 0)
				idle[k] = leaves ? amount_take(idle[k], amount[k])
						 : amount_add(idle[k], amount[k]);
	}
}

/* A limit that applies to a job. */
struct bound {
	const struct limit *row; /* the limit that applies: that of the QOS if it overrides */
	struct counter *counter; /* counter of the usage that the limit limits */
};

/*
 * Finds the limit in a place that applies to a job; in: the result of throttle_counters. Returns false if no
 * limit applies.
 */
bool throttle_bound(const struct throttle *t, const struct job *job, const uint32_t *in, struct place place,
		    struct bound *out);

#endif
