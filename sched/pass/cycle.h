/* SPDX-License-Identifier: MIT */
/*
 * cycle.h - one pass of the scheduler, as a pure function
 *
 *     cycle_run(snapshot, now)  ->  decisions + deltas + next_due
 *
 * The decisions are: the jobs that start now and their nodes; the reservations; and what the pass itself
 * changes (bypass counts, queue time that stops or resumes). next_due is the earliest moment at which a
 * decision can change without an event. The running scheduler, replays, the demo, previews and tests call the
 * same function with another clock or an edited snapshot. The same input gives the same output, bit for bit.
 * A second pass on the state after the decisions decides nothing.
 *
 * The walk (backfill.h) makes starts and reservations. RESERVATIONPOLICY HIGHEST keeps reservations from pass
 * to pass and moves them only to earlier times, after jobs have ended or operators have acted. With an
 * unlimited RESERVATIONDEPTH it is conservative backfill; CURRENTHIGHEST with depth 1 is EASY backfill.
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
	const struct decision *decision; /* in this order: resumes, starts, reservations, other changes */
	uint32_t decision_count;
	uint32_t started, backfilled;
	const struct alloc_run *runs; /* of starts and of reservations that name nodes; .next is not used */
	int64_t next_due_s;           /* TIME_NEVER: only an event can matter */
	int64_t known_due_s; /* likewise, without the polls at which shares or the order are checked */
	int64_t share_due_s; /* the next poll, if a job waits for shares to change */
	int64_t order_due_s; /* the first poll at which a changed order of jobs may change the decisions; not
				computed beyond the pass that cycle_expect announced */
	const struct reason *reason; /* by job slot, with_reasons: why the job does not start now */
};

/*
 * Runs one pass at now_s, which must not be before s->now_s. with_reasons: also fill in result.reason of
 * every waiting job (GATE_NONE for those that start); decisions do not depend on it.
 */
void cycle_run(struct cycle *c, const struct snapshot *s, int64_t now_s, bool with_reasons,
	       struct cycle_result *out);

/*
 * Announces, for the next run only, that the caller will run a pass at at_s in any case, so that later
 * moments need not be computed. asks: the caller calls cycle_is_unchanged() at order_due_s, which may then be
 * earlier.
 */
void cycle_expect(struct cycle *c, int64_t at_s, bool asks);

/*
 * At order_due_s of a run, with s after its decisions, no other event and nothing else due: true if a pass
 * would decide nothing. *next_s is then the poll of the next check.
 */
bool cycle_is_unchanged(struct cycle *c, const struct snapshot *s, int64_t at_s, int64_t *next_s);

/*
 * After a run with reasons, while its snapshot lives: tests one gate for one waiting job, in the state after
 * the pass. True if the job passes.
 */
bool cycle_gate(struct cycle *c, uint32_t slot, enum gate gate, struct reason *out);

/* Likewise GATE_RESERVED as it will be at a later moment if nothing else starts. */
bool cycle_gate_reserved(struct cycle *c, uint32_t slot, int64_t at_s, struct reason *out);

/* After a run: the machine with its starts and reservations. Valid until the next run. */
struct placement *cycle_placement(struct cycle *c);

/* After a run: the reservations it made or kept. Valid until the next run. */
const struct reservations *cycle_reservations(const struct cycle *c);

/* After a run: the queue of the pass. Valid until the next run. NULL: no queue was built, as all ranks are
 * equal and there are no limits; never after a run with reasons. */
const struct queue *cycle_queue(const struct cycle *c);

#endif
