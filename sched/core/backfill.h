/* SPDX-License-Identifier: MIT */
/*
 * backfill.h - the walk: who starts now, and who is promised a start?
 *
 * Eligible jobs are visited most urgent first. One starts when its processors are free for its
 * whole wallclock limit beside all running jobs and the reservations made before it;
 * the first RESERVATIONDEPTH that cannot are given the earliest begin that the profile
 * has; the rest wait. So no start ever delays a reservation, whatever jobs do later but
 * run to their limits. First fit; strict order when backfill is off.
 */
#ifndef CORE_BACKFILL_H
#define CORE_BACKFILL_H

#include <stdbool.h>
#include <stdint.h>

#include "decision.h"
#include "nodealloc.h"
#include "profile.h"
#include "queue.h"
#include "reserve.h"

/*
 * What a job must ask for to have any chance of starting: at most `procs`, and, if more than
 * safe_procs, for at most wall_s. Necessary, not sufficient.
 */
struct sieve {
	uint32_t procs, safe_procs, wall_s;
};

/* What a walk works on and leaves behind. Memory is kept from pass to pass. */
struct walk {
	const struct snapshot *s;
	int64_t now_s;
	struct queue queue; /* unused when the order is by submit time alone   */
	bool by_submit;     /* the eligible are read off WAITING, in its order */

	int64_t procs_free; /* after the starts so far                         */
	struct profile *profile;
	bool has_profile; /* built when first needed                         */
	struct reservations reservations;
	size_t promises_due;    /* of them, those that begin now                    */
	struct sieve sieve;     /* for jobs after the last promise                 */
	uint64_t strict_head;   /* see struct gate_context                         */
	uint32_t waiting_ahead; /* eligible jobs visited that do not start         */
	int64_t next_date_s;    /* the next start date among the visited           */

	struct decision *decision;
	size_t decision_count, decision_room;
	struct alloc_list runs;
	uint32_t *taken; /* by node: what this pass took; all 0 between passes */
	size_t taken_room;
	size_t taken_count;
	uint8_t *done; /* by slot: 1 = starts in this pass; all 0 between passes */
	size_t done_room, done_count;
	uint32_t started, backfilled;
};

/* The profile of the running jobs alone: each ends at its limit, an overdue one at any moment. */
void running_profile(struct profile *p, const struct snapshot *s, int64_t now_s);

/* Walks s at now_s. with_queue asks for walk->queue in any case. */
void walk_run(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue);

/* Builds the profile if the walk has not needed it. */
void walk_need_profile(struct walk *w);

struct decision *walk_decide(struct walk *w, enum decision_kind kind, uint32_t slot);

/* Makes the marks zero again; called before the next walk. */
void walk_wipe(struct walk *w);
void walk_free(struct walk *w);

#endif
