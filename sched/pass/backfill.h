/* SPDX-License-Identifier: MIT */
/*
 * backfill.h - the walk: who starts now, and who is promised a start?
 *
 * Eligible jobs within their soft limits are visited most urgent first. One starts when there is
 * room for its whole wallclock limit beside all running jobs and the reservations made
 * before it; of those that cannot, the first RESERVATIONDEPTH of each level are given the
 * earliest begin there is. From the first on that gets neither, jobs start by backfill:
 * first fit in the same order, or as BACKFILLPOLICY and BACKFILLDEPTH say. Then those over
 * a soft limit have their turn (HARDPASS). No start ever delays a reservation, whatever jobs
 * do later but run to their limits. In strict order (backfill off) nobody passes a waiting job. Before them
 * all come suspended jobs that take the processors again that they released (placement.h).
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
 * What a job must ask for to have any chance of starting: at most `procs`, and, if more than
 * safe_procs, for at most wall_s. Necessary, not sufficient.
 */
struct sieve {
	uint32_t procs, safe_procs, wall_s;
};

enum walk_mark {
	MARK_STARTS = 1,    /* in this pass           */
	MARK_PROMISED = 2,  /* it has a reservation   */
	MARK_BACKFILLED = 4 /* starts past others that wait */
};

/* What a walk works on and leaves behind. Memory is kept from pass to pass. */
struct walk {
	const struct snapshot *s;
	int64_t now_s;
	struct queue queue; /* its lists are unused when the order is by submit time alone */
	bool by_submit;     /* the eligible are read off WAITING, in its order             */

	struct placement *placement; /* with the starts and reservations so far        */
	struct reservations reservations;
	uint32_t level_count[RESERVATION_LEVELS]; /* of them, those that count against a depth */
	struct sieve sieve;                       /* for jobs after the last promise    */
	uint64_t strict_head;                     /* see struct gate_context            */
	uint32_t waiting_ahead;                   /* eligible jobs visited that do not start */
	bool cut;                                 /* BACKFILLDEPTH left out a job that fits  */
	int64_t next_date_s;                      /* the next start date among the visited  */

	struct decision *decision;
	size_t decision_count, decision_room;
	struct alloc_list runs;
	uint8_t *mark; /* by slot: enum walk_mark bits; all 0 between passes */
	size_t mark_room;
	struct queued *candidate; /* those that backfill chooses from */
	size_t candidate_room;
	uint32_t started, backfilled;
};

/* Walks s at now_s. with_queue asks for walk->queue in any case. */
void walk_run(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue);

struct decision *walk_decide(struct walk *w, enum decision_kind kind, uint32_t slot);

/*
 * The waiting jobs that may ever start under their limits, those of the second turn among the
 * others, by rank: the next after *idle and *second of the queue's lists, NULL at the end.
 */
const struct queued *walk_next_ranked(const struct queue *q, uint32_t *idle, uint32_t *second);

/*
 * Have the starts brought others over their limits, so that the next walk finds another queue:
 * a job with a promise over its soft limit, or any over its hard limit?
 */
bool walk_shut_others(const struct walk *w);

/* With what the walk starts: is the waiting job still within its hard limits? */
bool walk_keeps_hard_limits(const struct walk *w, uint32_t slot);

/* Makes the marks zero again; called before the next walk. */
void walk_wipe(struct walk *w);
void walk_free(struct walk *w);

#endif
