/* SPDX-License-Identifier: MIT */
/*
 * backfill.h - the walk of a pass: starts, reservations and backfill
 *
 * Suspended jobs that released their processors resume first, once these are free (placement.h). Then the
 * eligible jobs within their soft limits are visited in the order of rank. A job starts if its processors are
 * free for its whole wallclock limit beside all running jobs and all reservations made so far. Of the jobs
 * that cannot start, the first RESERVATIONDEPTH of each level get a reservation at the earliest time. After
 * the first job that gets neither, jobs start by backfill, as BACKFILLPOLICY and BACKFILLDEPTH say. With
 * backfill off no job starts after it. Jobs over a soft limit follow (HARDPASS).
 *
 * If every job ends by its wallclock limit, no start delays a reservation.
 */
#ifndef PASS_BACKFILL_H
#define PASS_BACKFILL_H

#include <stdbool.h>
#include <stdint.h>

#include "queue.h"
#include "sched/model/decision.h"
#include "sched/placement/placement.h"
#include "sched/placement/reservation.h"

/*
 * A necessary condition for a start: at most `procs` processors, and, if more than safe_procs, a wallclock
 * limit of at most wall_s.
 */
struct sieve {
	uint32_t procs, safe_procs, wall_s;
};

enum walk_mark {
	MARK_STARTS = 1,    /* in this pass           */
	MARK_RESERVED = 2,  /* has a reservation      */
	MARK_BACKFILLED = 4 /* starts ahead of waiting jobs of a higher rank */
};

/* A walk and its results. Memory is kept from pass to pass. */
struct walk {
	const struct snapshot *s;
	int64_t now_s;
	struct queue queue; /* its lists are unused if by_submit */
	bool by_submit;     /* all ranks are equal: jobs are visited in the order of WAITING */

	struct placement *placement; /* with the starts and reservations so far        */
	struct reservations reservations;
	uint32_t level_count[RESERVATION_LEVELS]; /* of them, those that count toward RESERVATIONDEPTH */
	struct sieve sieve;                       /* for jobs after the last reservation */
	uint64_t strict_head;                     /* see struct gate_context            */
	uint32_t waiting_ahead;                   /* eligible jobs visited that do not start */
	bool cut;                                 /* BACKFILLDEPTH excluded a job that fits */
	int64_t next_date_s;                      /* the earliest start date among the jobs visited */

	struct decision *decision;
	size_t decision_count, decision_room;
	struct alloc_list runs;
	uint8_t *mark; /* by slot: enum walk_mark bits; all 0 between passes */
	size_t mark_room;
	struct queued *candidate; /* the jobs among which BACKFILLPOLICY chooses */
	size_t candidate_room;
	uint32_t started, backfilled;
};

/* Walks s at now_s. with_queue: build walk->queue even if all ranks are equal. */
void walk_run(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue);

static inline const struct job *walk_job(const struct walk *w, uint32_t slot)
{
	return &snapshot_jobs(w->s)[slot];
}

/* Decides which of the candidates, which are in the order of rank, start under BACKFILLPOLICY. Reorders them.
 */
void backfill_start(struct walk *w, struct queued *candidate, uint32_t count, enum limit_level level);

/* True if the job could start now, within its limits of this level and beside all reservations. */
bool walk_fits(struct walk *w, uint32_t slot, enum limit_level level);

/* Starts the job if it fits. */
bool walk_try_start(struct walk *w, uint32_t slot, enum limit_level level);

/* Appends a decision, of which kind, slot and job are set. */
struct decision *walk_decide(struct walk *w, enum decision_kind kind, uint32_t slot);

/*
 * Merges the idle jobs and those over a soft limit by rank: returns the next job of both lists and advances
 * *idle and *second, its indexes in them. NULL at the end.
 */
const struct queued *walk_next_ranked(const struct queue *q, uint32_t *idle, uint32_t *second);

/*
 * True if the starts took a job with a reservation over its soft limit, or any job over its hard limit: the
 * next walk then has a different queue.
 */
bool walk_exceeded_limits(const struct walk *w);

/* True if a waiting job, with all starts of the walk, is within its hard limits. */
bool walk_keeps_hard_limits(const struct walk *w, uint32_t slot);

/* Removes all decisions and marks. walk_run does this first. */
void walk_wipe(struct walk *w);
void walk_free(struct walk *w);

#endif
