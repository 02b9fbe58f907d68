/* SPDX-License-Identifier: MIT */
/*
 * cycle.h - one pass of the scheduler: a pure function
 *
 *     cycle_run(snapshot, now)  ->  decisions + deltas + next_due
 *
 * Who starts now, where; who is promised a start; what the pass itself changes (bypass
 * counts, queue time that stops or starts to count); and the earliest moment at which a
 * decision can change although nothing happens. Live running, replay, demo, previews and
 * tests are this one function with another clock or an edited snapshot. Same input, same
 * output, bit for bit; running it again on the state it led to decides nothing more.
 *
 * First suspended jobs that released their processors take them again, once these are free.
 *
 * The walk: jobs that pass the gates of the queue, most urgent first. Each starts if its
 * processors are free for its whole wallclock limit without delaying a reservation made
 * before; else, while RESERVATIONDEPTH allows, it is promised the earliest start in the
 * availability profile; else it waits. With BACKFILLPOLICY NONE the first job that cannot
 * start ends the walk. RESERVATIONPOLICY HIGHEST keeps promises from pass to pass and
 * moves them only to earlier times, after jobs have ended or operators have acted (so with an unlimited depth
 * it is conservative backfill, with depth 1 under CURRENTHIGHEST it is EASY).
 */
#ifndef PASS_CYCLE_H
#define PASS_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

#include "queue.h"
#include "sched/model/decision.h"
#include "sched/model/reason.h"
#include "sched/model/snapshot.h"

struct placement; /* placement.h */
struct cycle;     /* memory kept from pass to pass; never an input */

struct cycle *cycle_new(void);
void cycle_free(struct cycle *c);

/* All memory belongs to the cycle and is valid until its next run. */
struct cycle_result {
	const struct decision *decision; /* in the order taken: resumes, starts as walked, plans, deltas */
	uint32_t decision_count;
	uint32_t started, backfilled;
	const struct alloc_run *runs; /* of the starts and of plans that name nodes; .next is not used */
	int64_t next_due_s;           /* TIME_NEVER: only an event can matter */
	int64_t known_due_s; /* likewise, without the polls at which shares or the order are looked at again
			      */
	int64_t share_due_s; /* the next poll, where a job waits for shares to change */
	int64_t order_due_s; /* the first poll at which the order of jobs may have changed what a pass
				decides; not found where it is not before a pass that is expected */
	const struct reason *reason; /* by job slot, when asked for: why it does not start now */
};

/*
 * Runs one pass at now_s, which must not be before s->now_s. with_reasons asks for
 * result.reason of every waiting job (GATE_NONE for those it starts); decisions do not
 * depend on it.
 */
void cycle_run(struct cycle *c, const struct snapshot *s, int64_t now_s, bool with_reasons,
	       struct cycle_result *out);

/*
 * Before a run, and for it alone: the caller will hold a pass at this moment in any case, so that no order
 * need be looked at beyond it. asks: cycle_is_still() is asked at order_due_s, which may be sooner then.
 */
void cycle_expect(struct cycle *c, int64_t at_s, bool asks);

/*
 * At order_due_s of a run, s being what its decisions have made of the snapshot, while nothing else has
 * happened or come due: would a pass decide nothing? *next_s: the poll at which to ask again.
 */
bool cycle_is_still(struct cycle *c, const struct snapshot *s, int64_t at_s, int64_t *next_s);

/*
 * After a run with reasons, while its snapshot lives: one gate's row for one waiting job, in the
 * state the pass left behind. True if the job passes.
 */
bool cycle_gate(struct cycle *c, uint32_t slot, enum gate gate, struct reason *out);

/* After a run: the machine with its starts and reservations. Valid until the next run. */
struct placement *cycle_placement(struct cycle *c);

/* After a run: the reservations it made or kept. Valid until the next run. */
const struct reservations *cycle_reservations(const struct cycle *c);

/* After a run: the queue as the pass saw it. Valid until the next run. NULL: it was not looked at, as all
 * ranks are equal and nothing is limited; never after a run with reasons. */
const struct queue *cycle_queue(const struct cycle *c);

#endif
