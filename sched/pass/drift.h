/* SPDX-License-Identifier: MIT */
/*
 * drift.h - the next time at which passing time alone may change the decisions of a pass
 *
 * Ranks change with time: XFACTOR grows faster for short jobs, and shares change while other jobs run. A job
 * that overtakes another may take over its reservation, its place below an idle limit or its turn in strict
 * order, without any event. As in Maui, this is checked once every RMPOLLINTERVAL.
 */
#ifndef PASS_DRIFT_H
#define PASS_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "backfill.h"
#include "gate.h"

/* Memory that is reused from pass to pass; it does not affect results. */
struct drift;

struct drift *drift_new(void);
void drift_free(struct drift *d);

/*
 * After a walk that built the queue: returns the first poll after w->now_s at which a pass may decide
 * something because ranks have changed; TIME_NEVER if this needs another event. Passes before this poll
 * decide nothing unless there is an event or they are due for another reason. ctx: the input of the gates,
 * with the results of the walk.
 */
int64_t drift_due_s(struct drift *d, const struct walk *w, const struct gate_context *ctx);

/*
 * Like drift_due_s, for callers that call drift_is_unchanged() at the returned poll: cheaper, but the result
 * may be too early.
 */
int64_t drift_first_poll_s(struct drift *d, const struct walk *w, const struct gate_context *ctx);

/*
 * To be called at a poll after this walk, with the state after its decisions in s, if no other event has
 * occurred. True if all jobs whose order matters are still in the same order, so that a pass would decide
 * nothing; *next_s is then the next poll at which this may change. False if the order has changed or this is
 * not known. at_s must be the result of drift_due_s() or drift_first_poll_s(), or the *next_s of the previous
 * call, and all previous calls since the walk must have returned true.
 */
bool drift_is_unchanged(struct drift *d, const struct snapshot *s, int64_t at_s, int64_t *next_s);

/*
 * The first multiple of the poll interval that is after now_s and not before at_s; TIME_NEVER if there is
 * none.
 */
int64_t drift_poll_s(int64_t now_s, int64_t at_s, int64_t poll_interval_s);

#endif
