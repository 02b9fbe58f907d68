/* SPDX-License-Identifier: MIT */
/*
 * queue.h - who waits, and among whom?
 *
 * Active jobs run, by earliest due end. Idle jobs are eligible: only resources or the
 * jobs before them keep them waiting; by rank. Blocked jobs fail a gate that has nothing
 * to do with what is free; by submit time and id.
 *
 * Idle limits make a job eligible only while there is room below them: jobs are taken in
 * the order of IDLEPROMOTION, each counts, and what is beyond is blocked (T-26, H-05); so are tasks of an
 * array beyond those that may run at a time (array_throttle.h). Who is
 * eligible but over a soft limit gets a turn of its own, after all others or while nobody
 * else is eligible (HARDPASS: T-28, H-09); he stands in `second`.
 */
#ifndef PASS_QUEUE_H
#define PASS_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "gate.h"
#include "queue_order.h"
#include "sched/model/array_throttle.h"
#include "sched/model/credset.h"
#include "sched/model/reason.h"
#include "sched/model/snapshot.h"
#include "sched/policy/fairshare.h"

struct prio_result; /* priority.h */
struct prio_terms;  /* priority.h */
struct prio_world;  /* priority.h */
struct queue_set;   /* queue.c    */

struct queue {
	struct queued *idle; /* by rank, submit time, id: a total order       */
	uint32_t idle_count;
	struct queued *second; /* over a soft limit, within the hard ones, in the same order. They
				  stand among the idle under HARDPASS IDLEONLY, else among the blocked */
	uint32_t second_count;
	uint32_t *blocked;             /* slots by submit time and id                   */
	uint32_t *blocked_at;          /* likewise, their indexes in WAITING            */
	struct reason *blocked_reason; /* likewise, where the caller wants reasons (see brief) */
	uint32_t blocked_count;
	const uint32_t *active; /* slots by due end: the snapshot's RUNNING table */
	uint32_t active_count;

	/* The accounts of the moment: limits with running and eligible jobs, arrays, shares. */
	struct throttle *throttle;
	struct array_throttle array_throttle;
	struct fairshare shares;
	struct placement *machine; /* without starts and claims: remembers what could ever fit */

	struct queued
		*candidate; /* all that no gate before those of limits stops, in the order of the idle */
	uint32_t candidate_count;
	uint8_t *failed; /* enum gate by index in WAITING: the first that stops the job */
	bool *paused;    /* likewise: its queue time has stopped */
	uint32_t *turn;  /* likewise, of candidates: which turn each had in the order of promotion */
	bool counted;    /* in turns: there is a limit that looks at others */
	bool capped;     /* some candidate has a fairshare cap */
	/* Set by the caller. */
	bool brief;         /* no reasons are wanted */
	int64_t expected_s; /* a pass is held then in any case, so moments beyond it need not be found; 0 =
			       none */
	uint32_t stopped[GATE_COUNT]; /* the number of blocked jobs that each gate stops */
	/* The first moment after this at which a gate that stops a job is known to let it pass; TIME_NEVER:
	 * there is none. Of active limits that is limits_clear_s where no reasons are wanted; fairshare caps
	 * are left out. */
	int64_t opens_s;
	int64_t limits_clear_s;

	/* Private. */
	struct cred_sets sets;
	struct queue_set *of_set; /* by index of a set; those after of_set_count are not known */
	struct prio_terms *terms; /* by partition */
	uint32_t of_set_count;
	size_t of_set_room, terms_room;
	struct queue_order sorting;
	size_t idle_room, second_room, blocked_room, reason_room, candidate_room, failed_room, turn_room,
		blocked_at_room, paused_room;
};

/* The gate that stops a blocked job, by its index among them. */
static inline enum gate queue_stopped_by(const struct queue *q, uint32_t blocked)
{
	return (enum gate)q->failed[q->blocked_at[blocked]];
}

/* The accounts alone, and the gates' view of them; what queue_build begins with. */
void queue_begin(struct queue *q, const struct snapshot *s, int64_t now_s);
struct gate_context queue_context(const struct queue *q, const struct snapshot *s, int64_t now_s);

/* A job's rank, as the queue orders it. shares: built for the moment, off when there is no fairshare. */
int64_t queue_rank(const struct snapshot *s, const struct job *job, const struct prio_world *world,
		   const struct fairshare *shares);

/* The same for one job after the other. terms: those of the job ranked before it, kept while partitions have
 * the same weights; of the first, .weights = NULL. */
int64_t queue_rank_next(const struct snapshot *s, const struct job *job, const struct prio_world *world,
			const struct fairshare *shares, struct prio_terms *terms);

/* A job's priority with its reasons. */
void queue_priority(const struct snapshot *s, const struct job *job, int64_t now_s,
		    const struct fairshare *shares, struct prio_result *out);

/*
 * The idle limits of a waiting job, ctx having its rank. One that an earlier gate stops has had no turn: it
 * is tested as if it had one now, and jobs that would be promoted after it do not count.
 */
bool queue_test_idle(struct queue *q, const struct gate_context *ctx, uint32_t slot, struct reason *out);

/*
 * The waiting jobs whose amounts are what an idle limit counts as used in the reason of a blocked job: those
 * eligible before it, also where a soft limit or a fairshare cap blocks them. Writes up to `most` slots;
 * returns how many there are.
 */
uint32_t queue_counted(const struct queue *q, const struct snapshot *s, uint32_t blocked,
		       const struct reason *reason, uint32_t *slot, uint32_t most);

/*
 * Whether another waiting job may come to count against the idle limit in the reason of a blocked job by a
 * time, before the blocked job has its turn: it is promoted before it and does not count yet. Needs the
 * reasons of blocked jobs.
 */
bool queue_is_preceded(const struct queue *q, const struct snapshot *s, int64_t now_s, uint32_t slot,
		       const struct reason *reason, int64_t by_s);

/* Builds all parts at a moment. Zero is a valid empty queue; queue_clear frees. */
void queue_build(struct queue *q, const struct snapshot *s, int64_t now_s);
void queue_clear(struct queue *q);

#endif
