/* SPDX-License-Identifier: MIT */
/*
 * throttle_inside.h - what the files of the throttle share and nobody else sees
 *
 * throttle.c keeps the account, throttle_bind.c says which limits bind a job,
 * throttle_within.c compares, throttle_clear.c says when a limit has room again.
 */
#ifndef POLICY_THROTTLE_INSIDE_H
#define POLICY_THROTTLE_INSIDE_H

#include <stddef.h>

#include "sched/base/amount.h"
#include "throttle.h"

/* The system as an owner, beside the types of credentials. */
#define OWNER_SYSTEM CRED_TYPE_COUNT
#define OWNER_COUNT  (CRED_TYPE_COUNT + 1)

#define NO_SECOND     CRED_TYPE_COUNT
#define SECONDS_COUNT (CRED_TYPE_COUNT + 1)

/* Whose usage is counted: each credential of a type, or each pair of two types. */
struct group {
	uint8_t owner;       /* enum cred_type, OWNER_SYSTEM */
	uint8_t second_type; /* enum cred_type, NO_SECOND    */
};

#define GROUPS_MAX (OWNER_COUNT * SECONDS_COUNT)

/* Where some limit stands, of whoever: at most one row of each place binds a job. */
struct place {
	struct group group;
	uint8_t kind;     /* enum limit_kind                     */
	uint8_t scope;    /* enum limit_scope                    */
	uint8_t group_at; /* index of its group in the throttle  */
	uint8_t row_at;   /* number among the places of its group */
};

/* In the order in which they are asked. */
struct places {
	struct place *item;
	size_t count, room;
};

/* The end of a running job, and what those that end later leave in use from then on. */
struct release {
	int64_t left_s; /* until that end; 1 for an overdue simulated job, which may end at any moment */
	uint32_t slot;
	int64_t in_use[LIMIT_KIND_COUNT];
};

/* What is in use of one credential, pair, or the system. */
struct counter {
	struct group group;
	uint32_t cred, second;
	int64_t active[LIMIT_KIND_COUNT], idle[LIMIT_KIND_COUNT];
	size_t row;              /* of throttle.row: what holds for it in the places of its group */
	uint32_t member;         /* first of the jobs that are active; INDEX_NONE */
	struct release *release; /* by left_s; made when first asked for           */
	size_t release_count, release_room;
	int64_t stuck[LIMIT_KIND_COUNT]; /* used by suspended jobs that nobody knows when to resume */
	bool released;                   /* release holds all other members */
	uint64_t pass;                   /* throttle.pass of the last one in which a job counted in it */
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

/* The limits that bind the jobs of a set of credentials, by what is asked. */
enum bounds {
	BOUNDS_SOFT, /* of active limits */
	BOUNDS_HARD, /* likewise         */
	BOUNDS_IDLE,
	BOUNDS_COUNT
};

/* One of them, in the order of places. */
struct set_bound {
	int64_t limit;
	int64_t least; /* the least that a job noted asks for; INT64_MAX = none is noted */
	uint32_t counter;
	uint8_t kind, scope; /* of the place */
};

/* The least that all active limits of a level leave of the kinds that follow from processors and time. */
struct set_room {
	int64_t jobs, procs, ps, wall_s;
	bool other_kinds; /* it says nothing of the others */
};

/* What follows from a set of credentials while the limits stay. */
struct set_bounds {
	uint64_t limits;                   /* throttle.limits when it was found */
	uint32_t first[BOUNDS_COUNT + 1];  /* of throttle.bound, by enum bounds; the last: where they end */
	uint64_t starts;                   /* throttle.starts when `room` was found */
	struct set_room room[BOUNDS_IDLE]; /* of active limits, by enum bounds */
};

/* What limits were found from: while it is the same, so are places, counters, rows and bounds. */
struct limits_seen {
	struct limit *limit;
	struct cred_limits {
		uint32_t type, first, count;
	} * cred;
	struct cred_set *set;         /* those that were looked at, and the others before them */
	const struct cred_sets *sets; /* whose indexes these are */
	uint32_t no_cred[CRED_TYPE_COUNT];
	uint32_t limit_count, cred_count, set_count;
	size_t limit_room, cred_room, set_room;
};

/* What a waiting job asks for, found once in a pass. */
struct asked {
	uint64_t pass; /* throttle.pass when it was found */
	uint32_t set;  /* of its credentials */
	uint32_t procs, wall_s;
	bool plain;         /* these are its numbers, and it lets others on its nodes */
	uint32_t turned_by; /* see throttle_turned_by */
};

struct throttle {
	struct throttle_world world;
	uint64_t pass;   /* number of this one */
	uint64_t limits; /* likewise, of those with other limits than the pass before */
	uint64_t starts; /* passes and starts so far */
	struct limits_seen seen;
	struct asked *asked; /* by slot */
	size_t asked_room;
	struct cred_sets own_sets, *sets;
	struct set_bounds *of_set; /* by index of the set */
	struct set_bound *bound;
	size_t *noted; /* bounds with a job that is noted */
	size_t of_set_room, bound_count, bound_room, noted_count, noted_room;
	int64_t noted_clear_s; /* of jobs noted without a bound */
	struct places active, idle;
	struct group group[GROUPS_MAX];
	uint8_t row_count[GROUPS_MAX];         /* by group: how many places it has */
	unsigned group_idle_kinds[GROUPS_MAX]; /* likewise: kinds that limits on its waiting jobs look at */
	size_t group_count;
	unsigned kinds;                      /* bits of enum limit_kind that some limit looks at        */
	unsigned idle_kinds;                 /* likewise, of waiting jobs                               */
	unsigned overridden;                 /* the same for what some QOS sets in the place of others   */
	uint32_t system_first, system_count; /* rows of the system as owner                           */

	struct counter *counter;
	size_t count, room;
	const struct limit **row; /* of seen.limit, by counter and place of its group; NULL = none holds */
	size_t row_used, row_room;
	uint32_t *in; /* by set and group: the counter that its jobs count in; INDEX_NONE */
	size_t in_room;
	uint32_t *hash; /* of the counters; a power of two; INDEX_NONE = empty */
	size_t hash_room;
	struct member *member;
	size_t member_count, member_room;
	uint8_t *mark; /* by slot: enum slot_mark bits */
	size_t mark_room;
	uint32_t amounts_slot;            /* of which amount is; INDEX_NONE */
	int64_t amount[LIMIT_KIND_COUNT]; /* what a waiting job counts of each kind that some limit looks at
					   */
	bool has_keepers; /* some active job requests that other users are kept off its nodes */
	uint32_t *keeper; /* by node: slot of the first of those jobs; INDEX_NONE */
	size_t keeper_room;
};

/* Does the kind fall all the time, not only when a job ends? */
static inline bool kind_is_outstanding(enum limit_kind kind)
{
	return kind == LIMIT_PS || kind == LIMIT_WC;
}

static inline bool scope_is_override(enum limit_scope scope)
{
	return scope == LIMIT_OVERRIDE_ACTIVE || scope == LIMIT_OVERRIDE_IDLE;
}

/* Whose jobs count in a scope? LIMIT_QUEUED: both. */
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
 * Does what a waiting job counts of these kinds follow from its own numbers? So it does unless it keeps
 * others off its nodes, or nodes or processor equivalents count.
 */
static inline bool counts_simply(const struct job *job, unsigned kinds)
{
	return job->state == JOB_IDLE && job->access < ACCESS_SINGLEUSER && job->procs_held == 0 &&
	       (kinds & (1U << LIMIT_NODE | 1U << LIMIT_PE)) == 0;
}

/* Kinds that follow from processors and time alone. */
#define PLAIN_KINDS (1U << LIMIT_JOB | 1U << LIMIT_PROC | 1U << LIMIT_PS | 1U << LIMIT_WC)

/* As throttle_count, of one of those kinds and of a waiting job that keeps nobody off its nodes. */
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

/* As throttle_count, of a job that counts simply. */
static inline int64_t simple_count(enum limit_kind kind, const struct job *job)
{
	if (kind == LIMIT_MEM)
		return amount_times(job->mem_mb, job->tasks);
	return (PLAIN_KINDS >> kind & 1) != 0 ? count_of(kind, job_procs(job), job->wall_limit_s) : 0;
}

/* What a job counts of a kind. */
int64_t throttle_count(const struct throttle *t, enum limit_kind kind, const struct job *job);

/* The same of all kinds that some limit looks at. Valid until another job is asked about. */
const int64_t *throttle_amounts(struct throttle *t, const struct job *job);

/*
 * The counters that a job counts in, one for each group; INDEX_NONE where it has no such credential.
 * Looked for once for each set of credentials, and made where there is none.
 */
const uint32_t *throttle_counters(struct throttle *t, const struct job *job);

/* The limits that bind the jobs of a set, of which this is one, beside their counters. */
struct set_bounds *throttle_look_at_set(struct throttle *t, uint32_t set, const struct job *job);

static inline struct set_bounds *throttle_bounds_of(struct throttle *t, uint32_t set, const struct job *job)
{
	if (set < t->of_set_room && t->of_set[set].limits == t->limits)
		return &t->of_set[set];
	return throttle_look_at_set(t, set, job);
}

/* What a job asks for; NULL: it does not wait. */
struct asked *throttle_asked(struct throttle *t, const struct job *job);

/* As throttle_amounts; of a job that is plain they are written to `own`. */
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

/* throttle_bind.c stands below the rest: whose usage of a group a job counts in; false = nobody's. */
bool throttle_members(const struct throttle *t, const struct job *job, struct group group, uint32_t *cred,
		      uint32_t *second);

/* Finds groups, places and kinds from the limits. */
void throttle_find_places(struct throttle *t);

/* The row that holds in a place for this credential or pair: its own, else DEFAULT's; NULL = none. */
const struct limit *throttle_row(const struct throttle *t, struct place place, uint32_t cred,
				 uint32_t second);

/* A limit that binds a job. */
struct bound {
	const struct limit *row; /* its amounts: an override's, when a QOS sets one */
	struct counter *counter; /* whose usage                                   */
};

/* False: no limit in this place binds the job, whose counters are in[]. */
bool throttle_bound(const struct throttle *t, const struct job *job, const uint32_t *in, struct place place,
		    struct bound *out);

/* The first moment at which what active jobs use of a kind is at most `most`; now if it is; TIME_NEVER. */
int64_t throttle_clears(const struct throttle *t, struct counter *c, enum limit_kind kind, int64_t most);

#endif
