/* SPDX-License-Identifier: MIT */
/*
 * cycle.h - one pass of the scheduler, as a pure function
 *
 *     cycle_run(snapshot, now)  ->  decisions + reasons + next_due
 *
 * The decisions are: the jobs that start now, and their nodes; the reservations; and what the pass itself
 * changes (bypass counts, queue time that stops or resumes). next_due is the earliest time at which a
 * decision can change without an event. The running scheduler, replays, the demo, previews and tests call the
 * same function with another clock or an edited snapshot. The same input gives the same output, bit for bit.
 * A second pass on the state after the decisions decides nothing.
 *
 * The walk (backfill.h) makes starts and reservations. RESERVATIONPOLICY HIGHEST keeps reservations from pass
 * to pass and moves them only to earlier times, after jobs have ended or operators have acted. With an
 * unlimited RESERVATIONDEPTH this is conservative backfill; CURRENTHIGHEST with depth 1 is EASY backfill.
 */
#ifndef PASS_CYCLE_H
#define PASS_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

#include "queue.h"
#include "sched/model/decision.h"
#include "sched/model/reason.h"
#include "sched/model/snapshot.h"

struct placement; /* defined in sched/placement/placement.h */
struct cycle;     /* memory that is reused from pass to pass; it does not affect results */

struct cycle *cycle_new(void);
void cycle_free(struct cycle *c);

/* The result of a pass. All memory belongs to the cycle and is valid until its next run. */
struct cycle_result {
	const struct decision *decision; /* in this order: resumes, starts, reservations, other changes */
	uint32_t decision_count;
	uint32_t started, backfilled;
	const struct alloc_run *runs; /* of starts, and of reservations that name nodes; .next is not used */
	int64_t next_due_s;  /* time of the next pass; TIME_NEVER: only an event can change a decision */
	int64_t known_due_s; /* like next_due_s, without the polls at which shares or the order are checked */
	int64_t share_due_s; /* the next poll, if a job waits for shares to change; else TIME_NEVER */
	/*
	 * The first poll at which a changed order of jobs may change the decisions. Not computed beyond the
	 * pass that cycle_expect announced.
	 */
	int64_t order_due_s;
	/* By job slot: why an idle job does not start now. NULL unless the run was with_reasons. */
	const struct reason *reason;
};

/*
 * Runs one pass at now_s, which must not be before s->now_s. with_reasons: also sets out->reason for every
 * idle job (GATE_NONE for jobs that start); decisions do not depend on with_reasons.
 */
void cycle_run(struct cycle *c, const struct snapshot *s, int64_t now_s, bool with_reasons,
	       struct cycle_result *out);

/*
 * Announces, for the next run only, that the caller will run a pass at at_s in any case, so that later times
 * need not be computed. asks: the caller will call cycle_is_unchanged() at order_due_s, which may then be
 * earlier.
 */
void cycle_expect(struct cycle *c, int64_t at_s, bool asks);

/*
 * Announces, for the next run only, that since the last run the state has changed only by its decisions and
 * by ends of running jobs, and that no slot was used for another job. What is known of the other jobs is then
 * kept. Decisions do not depend on this; cycle_queue() may lack candidates (queue.keeps).
 */
void cycle_follow(struct cycle *c);

/*
 * To be called at order_due_s of a run, with the state after its decisions in s, if no other event has
 * occurred and nothing else is due. True if a pass would decide nothing; *next_s is then the next poll at
 * which to check.
 */
bool cycle_is_unchanged(struct cycle *c, const struct snapshot *s, int64_t at_s, int64_t *next_s);

/*
 * After a run with reasons, while its snapshot exists: tests one gate for one idle job, in the state after
 * the pass. True if the job passes.
 */
bool cycle_gate(struct cycle *c, uint32_t slot, enum gate gate, struct reason *out);

/*
 * Like cycle_gate, for an active limit and a job that the run starts or would start without a pause: in the
 * state before this start, with the starts that the run made before it.
 */
bool cycle_gate_at_start(struct cycle *c, uint32_t slot, enum gate gate, struct reason *out);

/* Like cycle_gate for GATE_RESERVED, at a later time and assuming that nothing else starts. */
bool cycle_gate_reserved(struct cycle *c, uint32_t slot, int64_t at_s, struct reason *out);

/*
 * After a run: the processors in use, with the starts and reservations of the run. Valid until the next run.
 */
struct placement *cycle_placement(struct cycle *c);

/* After a run: the reservations that it made or kept. Valid until the next run. */
const struct reservations *cycle_reservations(const struct cycle *c);

/*
 * After a run: the queue of the pass. Valid until the next run. NULL if no queue was built, because all ranks
 * are equal and there are no limits; never NULL after a run with reasons.
 */
const struct queue *cycle_queue(const struct cycle *c);

#endif
