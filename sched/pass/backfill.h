/* SPDX-License-Identifier: MIT */
/*
 * backfill.h - the walk of a pass: starts, reservations and backfill
 *
 * Suspended jobs that released their processors resume first, once their processors are free (placement.h).
 * Then the eligible jobs within their soft limits are visited in the order of rank. A job starts if, given
 * all running jobs and all reservations made so far, its processors are free for its whole wallclock limit.
 * Of the jobs that cannot start, the first RESERVATIONDEPTH of each level get a reservation at the earliest
 * time. After the first job that gets neither a start nor a reservation, jobs start by backfill, according to
 * BACKFILLPOLICY and BACKFILLDEPTH; with BACKFILLPOLICY NONE, no job starts after it. Jobs over a soft limit
 * follow (HARDPASS).
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
 * A necessary condition for a start: the job requests at most `procs` processors, and, if it requests more
 * than safe_procs, its wallclock limit is at most wall_s.
 */
struct sieve {
	uint32_t procs, safe_procs, wall_s;
};

enum walk_mark {
	MARK_STARTS = 1,    /* the job starts in this pass */
	MARK_RESERVED = 2,  /* the job has a reservation */
	MARK_BACKFILLED = 4 /* the job starts ahead of waiting jobs of a higher rank */
};

/* A walk and its results. The memory is reused from pass to pass. */
struct walk {
	const struct snapshot *s;
	int64_t now_s;
	struct queue queue; /* the idle and blocked jobs; its lists are not used if by_submit */
	bool by_submit;     /* all ranks are equal: jobs are visited in the order of WAITING */

	struct placement *placement; /* processors in use, including the starts and reservations so far */
	struct reservations reservations;
	uint32_t level_count[RESERVATION_LEVELS]; /* by level: number of reservations that count toward
						     RESERVATIONDEPTH */
	struct sieve sieve;     /* filter for jobs behind the last job that can get a reservation */
	uint64_t strict_head;   /* see gate_context.strict_head */
	uint32_t waiting_ahead; /* number of jobs that were visited so far and do not start */
	bool cut;               /* BACKFILLDEPTH excluded a job that fits */
	int64_t next_date_s;    /* the earliest start date of the jobs that were visited */

	struct decision *decision;
	size_t decision_count, decision_room;
	struct alloc_list runs;
	uint8_t *mark; /* by job slot: enum walk_mark bits; all 0 between passes */
	size_t mark_room;
	struct queued *candidate; /* memory for the jobs among which BACKFILLPOLICY chooses */
	size_t candidate_room;
	uint32_t started, backfilled;
};

/* Runs the walk of a pass on s at now_s. with_queue: build walk->queue even if all ranks are equal. */
void walk_run(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue);

static inline const struct job *walk_job(const struct walk *w, uint32_t slot)
{
	return &snapshot_jobs(w->s)[slot];
}

/*
 * Starts those of the candidates that BACKFILLPOLICY chooses. The candidates must be in the order of rank;
 * the function may reorder them.
 */
void backfill_start(struct walk *w, struct queued *candidate, uint32_t count, enum limit_level level);

/* True if the job could start now, within its limits of this level and without delaying a reservation. */
bool walk_fits(struct walk *w, uint32_t slot, enum limit_level level);

/* Starts the job if walk_fits is true for it. Returns whether it starts. */
bool walk_try_start(struct walk *w, uint32_t slot, enum limit_level level);

/* Appends a decision; kind, slot and job are set, the caller sets the other members. */
struct decision *walk_decide(struct walk *w, enum decision_kind kind, uint32_t slot);

/*
 * Merges q->idle and q->second by rank: returns the next job of the two lists and advances *idle and *second,
 * the indexes of the next jobs in them. NULL at the end.
 */
const struct queued *walk_next_ranked(const struct queue *q, uint32_t *idle, uint32_t *second);

/*
 * True if the starts of the walk took a job with a reservation over its soft limit, or any job over its hard
 * limit. The next walk then has a different queue.
 */
bool walk_exceeded_limits(const struct walk *w);

/* True if an idle job is within its hard limits, with all starts of the walk counted. */
bool walk_keeps_hard_limits(const struct walk *w, uint32_t slot);

/* Removes all decisions and marks of the last run. walk_run calls it first. */
void walk_wipe(struct walk *w);
void walk_free(struct walk *w);

#endif
