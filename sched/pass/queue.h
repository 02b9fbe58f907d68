/* SPDX-License-Identifier: MIT */
/*
 * queue.h - the idle, blocked and active jobs of a pass
 *
 * Active jobs are running; they are ordered by due end. Idle jobs are eligible: they wait only for resources
 * or for jobs ahead of them; they are ordered by rank. Blocked jobs fail a gate that does not depend on free
 * resources; they are ordered by submit time and id.
 *
 * Idle limits restrict the number of eligible jobs: jobs are promoted in the order of IDLEPROMOTION, each
 * counts, and the jobs beyond the limit are blocked (T-26, H-05), as are tasks of an array beyond its limit
 * (array_throttle.h). A job that is eligible but over a soft limit has a second turn, after all other jobs or
 * when no other job is eligible (HARDPASS: T-28, H-09); such jobs are listed in `second`.
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

struct prio_result; /* priority.h */
struct prio_terms;  /* priority.h */
struct prio_world;  /* priority.h */
struct queue_set;   /* queue.c    */

/* A candidate: a waiting job that passes all gates before those of limits. */
struct queued {
	int64_t rank;
	uint32_t slot;
	uint32_t order; /* its index in WAITING, which is in the order of submit time and id */
};

/* The order of the queue, a total one: the higher rank first, of equal ranks the lower index in WAITING. For
 * qsort. */
int queue_compare(const void *a, const void *b);

/* Memory for sorting, kept from pass to pass. Zero is valid; queue_sort_clear frees. */
struct sort_memory {
	struct queued *spare;
	size_t room;
};
void queue_sort(struct sort_memory *m, struct queued *item, uint32_t count);
void queue_sort_clear(struct sort_memory *m);

struct queue {
	struct queued *idle; /* by rank, submit time, id: a total order       */
	uint32_t idle_count;
	struct queued *second; /* jobs over a soft limit, within the hard ones, in the same order. Under
				  HARDPASS IDLEONLY they are also idle, else blocked */
	uint32_t second_count;
	uint32_t *blocked;             /* slots by submit time and id                   */
	uint32_t *blocked_at;          /* likewise, their indexes in WAITING            */
	struct reason *blocked_reason; /* likewise, unless brief */
	uint32_t blocked_count;
	const uint32_t *active; /* slots by due end: the snapshot's RUNNING table */
	uint32_t active_count;

	/* Accounts at this moment: usage of limits, by running and eligible jobs; of arrays; of fairshare. */
	struct throttle *throttle;
	struct array_throttle array_throttle;
	struct fairshare shares;
	struct placement *machine; /* without starts and reservations; caches what can ever fit */

	struct queued *candidate; /* in the order of the idle jobs */
	uint32_t candidate_count;
	uint8_t *failed; /* by index in WAITING: enum gate, the first that stops the job */
	bool *paused;    /* likewise: its queue time is stopped */
	uint32_t *turn;  /* likewise, of candidates: position in the order of promotion; only if counted */
	bool counted;    /* there is a limit that depends on other jobs */
	bool capped;     /* some candidate has a fairshare cap */
	/* Set by the caller. */
	bool brief;         /* no reasons are wanted */
	int64_t expected_s; /* the next pass runs then at the latest, so later moments need not be computed;
			       0 = none */
	uint32_t stopped[GATE_COUNT]; /* the number of blocked jobs that each gate stops */
	/* The first moment after now_s at which a gate that stops a job is known to pass it; TIME_NEVER:
	 * there is none. If brief, active limits are in limits_clear_s instead. Fairshare caps are not
	 * included. */
	int64_t opens_s;
	int64_t limits_clear_s;

	/* Private. */
	struct cred_sets sets;
	struct queue_set *of_set; /* by index of a set; of_set_count entries */
	struct prio_terms *terms; /* by partition */
	uint32_t of_set_count;
	size_t of_set_room, terms_room;
	struct sort_memory sorting;
	size_t idle_room, second_room, blocked_room, reason_room, candidate_room, failed_room, turn_room,
		blocked_at_room, paused_room;
};

/* The gate that stops a blocked job, given by its index in the blocked lists. */
static inline enum gate queue_stopped_by(const struct queue *q, uint32_t blocked)
{
	return (enum gate)q->failed[q->blocked_at[blocked]];
}

/* Builds the accounts, without the lists; and the context for gates with these accounts. */
void queue_begin(struct queue *q, const struct snapshot *s, int64_t now_s);
struct gate_context queue_context(const struct queue *q, const struct snapshot *s, int64_t now_s);

/* The rank of a job in the queue. shares must be built for the moment of `world`, or be off. */
int64_t queue_rank(const struct snapshot *s, const struct job *job, const struct prio_world *world,
		   const struct fairshare *shares);

/* As queue_rank, for many jobs in turn: terms caches the weights of the job ranked before. Begin with
 * .weights = NULL. */
int64_t queue_rank_next(const struct snapshot *s, const struct job *job, const struct prio_world *world,
			const struct fairshare *shares, struct prio_terms *terms);

/* The priority of a job with its breakdown. */
void queue_priority(const struct snapshot *s, const struct job *job, int64_t now_s,
		    const struct fairshare *shares, struct prio_result *out);

/*
 * Tests the idle limits of a waiting job; ctx->rank is its rank. A job that an earlier gate stops was not
 * promoted: it is tested as if it were, without counting the jobs that would be promoted after it.
 */
bool queue_test_idle(struct queue *q, const struct gate_context *ctx, uint32_t slot, struct reason *out);

/*
 * Lists the waiting jobs that an idle limit counts as usage in the reason of a blocked job: those promoted
 * before it, including those that a soft limit or a fairshare cap blocks. Writes up to `most` slots and
 * returns the number of jobs.
 */
uint32_t queue_counted(const struct queue *q, const struct snapshot *s, uint32_t blocked,
		       const struct reason *reason, uint32_t *slot, uint32_t most);

/*
 * True if by by_s another waiting job may come to count against the idle limit in the reason of a blocked
 * job: it is promoted before the blocked job and does not count yet. Needs the reasons of blocked jobs.
 */
bool queue_is_preceded(const struct queue *q, const struct snapshot *s, int64_t now_s, uint32_t slot,
		       const struct reason *reason, int64_t by_s);

/* Builds the accounts and lists at a moment. Zero is a valid empty queue; queue_clear frees. */
void queue_build(struct queue *q, const struct snapshot *s, int64_t now_s);
void queue_clear(struct queue *q);

#endif
