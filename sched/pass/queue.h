/* SPDX-License-Identifier: MIT */
/*
 * queue.h - the idle, blocked and active jobs of a pass
 *
 * Active jobs are running; they are ordered by due end. Idle jobs are eligible: they wait only for resources
 * or for jobs ahead of them; they are ordered by rank. Blocked jobs fail a gate that does not depend on free
 * resources; they are ordered by submit time and ID.
 *
 * Idle limits restrict the number of eligible jobs: jobs are promoted in the order of IDLEPROMOTION, each
 * promoted job counts, and the jobs beyond the limit are blocked (T-26, H-05), as are tasks of an array
 * beyond its limit (array_throttle.h). A job that is eligible but over a soft limit has a second turn, after
 * all other jobs or when no other job is eligible (HARDPASS: T-28, H-09); such jobs are listed in `second`.
 */
#ifndef PASS_QUEUE_H
#define PASS_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "gate.h"
#include "sched/model/array_throttle.h"
#include "sched/model/credset.h"
#include "sched/model/reason.h"
#include "sched/model/snapshot.h"
#include "sched/policy/fairshare.h"

struct prio_result; /* defined in sched/policy/priority.h */
struct prio_terms;  /* defined in sched/policy/priority.h */
struct prio_world;  /* defined in sched/policy/priority.h */
struct queue_set;   /* defined in queue.c */
struct sleepers;    /* defined in queue.c */
struct standing;    /* defined in queue.c */

/* A candidate: an idle job that passes all gates before those of arrays and limits. */
struct queued {
	int64_t rank;
	uint32_t slot;
	uint32_t order; /* its index in WAITING, which is ordered by submit time and ID */
};

/*
 * The order of the queue, a total order: the higher rank first, and of equal ranks the lower index in
 * WAITING. For qsort.
 */
int queue_compare(const void *a, const void *b);

/*
 * Memory for sorting that is reused from pass to pass. A zeroed struct is valid; queue_sort_clear frees it.
 */
struct sort_memory {
	struct queued *spare;
	size_t room;
};
void queue_sort(struct sort_memory *m, struct queued *item, uint32_t count);
void queue_sort_clear(struct sort_memory *m);

struct queue {
	struct queued *idle; /* idle jobs by rank, then by submit time and ID */
	uint32_t idle_count;
	struct queued *second; /* jobs over a soft limit, within their hard limits, in the same order. Under
				  HARDPASS IDLEONLY they are also idle, otherwise blocked */
	uint32_t second_count;
	uint32_t *blocked;             /* slots of the blocked jobs by submit time and ID */
	uint32_t *blocked_at;          /* indexes of the blocked jobs in WAITING */
	struct reason *blocked_reason; /* why each of the blocked jobs is blocked; not set if brief */
	uint32_t blocked_count;
	const uint32_t *active; /* slots of the running jobs by due end: the snapshot's table RUNNING */
	uint32_t active_count;

	/*
	 * Accounts at the time of the pass: usage of limits by running and eligible jobs, of arrays, and of
	 * fairshare.
	 */
	struct throttle *throttle;
	struct array_throttle array_throttle;
	struct fairshare shares;
	struct placement *machine; /* without starts and reservations; caches which jobs can ever fit */

	struct queued *candidate; /* all candidates, in the order of the idle jobs */
	uint32_t candidate_count;
	uint8_t *failed; /* by index in WAITING: enum gate, the first gate that stops the job */
	bool *paused;    /* by index in WAITING: the job's queue time is stopped */
	/*
	 * By index in WAITING, for candidates, only if `counted` and not `brief`: position of the job in the
	 * order of promotion.
	 */
	uint32_t *turn;
	bool counted; /* there is a limit that depends on other jobs */
	bool capped;  /* a candidate has a fairshare cap */
	/* The caller sets `brief`, `keeps` and expected_s. */
	bool brief; /* no reasons are wanted */
	/*
	 * Since the last build, only running jobs have ended, and only jobs in queue_forget() have changed.
	 * What is known of all other jobs is kept, and the jobs whose gate cannot have changed are left out
	 * of `candidate`, apart from the first of them in each set of credentials.
	 */
	bool keeps;
	int64_t expected_s; /* time of the next pass at the latest, so that later times need not be computed;
			       0 = not known */
	uint32_t stopped[GATE_COUNT]; /* by gate: number of blocked jobs that the gate stops */
	/*
	 * The first time after now_s at which it is known that a gate that stops a job opens; TIME_NEVER if
	 * there is none. If brief, active limits are in limits_clear_s instead. Fairshare caps are not
	 * included.
	 */
	int64_t opens_s;
	int64_t limits_clear_s;

	/* The members below are private to queue.c. */
	struct cred_sets sets;
	struct queue_set *of_set; /* by index of a set of credentials; of_set_count items */
	struct prio_terms *terms; /* factors to measure, by partition */
	uint32_t of_set_count;
	struct standing *standing; /* what is known of the candidates, by job slot */
	struct sleepers *sleepers; /* by index of a set of credentials */
	struct queued *top;        /* the first sleeper of each set that has any, by rank */
	uint32_t top_count, sleepers_count;
	uint32_t generation; /* number of builds that kept nothing; never 0 after a build */
	size_t of_set_room, terms_room, standing_room, sleepers_room, top_room;
	struct sort_memory sorting;
	size_t idle_room, second_room, blocked_room, reason_room, candidate_room, failed_room, turn_room,
		blocked_at_room, paused_room;
};

/* The gate that stops a blocked job; `blocked` is its index in the blocked lists. */
static inline enum gate queue_stopped_by(const struct queue *q, uint32_t blocked)
{
	return (enum gate)q->failed[q->blocked_at[blocked]];
}

/*
 * queue_begin builds the accounts, but not the lists. queue_context returns the input of gates with these
 * accounts.
 */
void queue_begin(struct queue *q, const struct snapshot *s, int64_t now_s);
struct gate_context queue_context(const struct queue *q, const struct snapshot *s, int64_t now_s);

/* The rank of a job in the queue. shares must be built for the time of `world`, or be off. */
int64_t queue_rank(const struct snapshot *s, const struct job *job, const struct prio_world *world,
		   const struct fairshare *shares);

/*
 * Like queue_rank, for many jobs in turn: terms caches the terms of the weights used last. Initialise terms
 * with .weights = NULL.
 */
int64_t queue_rank_next(const struct snapshot *s, const struct job *job, const struct prio_world *world,
			const struct fairshare *shares, struct prio_terms *terms);

/* Computes the priority of a job with its breakdown. */
void queue_priority(const struct snapshot *s, const struct job *job, int64_t now_s,
		    const struct fairshare *shares, struct prio_result *out);

/*
 * Tests the idle limits of an idle job; ctx->rank must be its rank. A job that an earlier gate stops was not
 * promoted: it is tested as if it were promoted in its turn, without counting the jobs that would be promoted
 * after it.
 */
bool queue_test_idle(struct queue *q, const struct gate_context *ctx, uint32_t slot, struct reason *out);

/*
 * Lists the idle jobs that an idle limit counts as usage in the reason of the blocked job in slot `blocked`:
 * the jobs that were promoted before it, including those that a soft limit or a fairshare cap blocks. Writes
 * at most `most` slots and returns the number of jobs.
 */
uint32_t queue_counted(const struct queue *q, const struct snapshot *s, uint32_t blocked,
		       const struct reason *reason, uint32_t *slot, uint32_t most);

/*
 * True if, by by_s, another idle job may come to count against the idle limit in the reason of the blocked
 * job in `slot`: a job that is promoted before the blocked job and does not count yet. Needs the reasons of
 * blocked jobs.
 */
bool queue_is_preceded(const struct queue *q, const struct snapshot *s, int64_t now_s, uint32_t slot,
		       const struct reason *reason, int64_t by_s);

/*
 * Notes, before a build that keeps what is known, that the job in this slot has changed or (leaves) is no
 * longer idle.
 */
void queue_forget(struct queue *q, uint32_t slot, bool leaves);

/* Builds the accounts and lists at now_s. A zeroed struct is a valid empty queue; queue_clear frees it. */
void queue_build(struct queue *q, const struct snapshot *s, int64_t now_s);
void queue_clear(struct queue *q);

#endif
