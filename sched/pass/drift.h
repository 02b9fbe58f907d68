/* SPDX-License-Identifier: MIT */
/*
 * drift.h - the next moment at which time alone may change the decisions of a pass
 *
 * Ranks change with time: XFACTOR grows faster for short jobs, and shares change while other jobs run. A job
 * that overtakes another may take over its reservation, its place below an idle limit or its turn in strict
 * order, without any event. As in Maui this is checked once every RMPOLLINTERVAL.
 */
#ifndef PASS_DRIFT_H
#define PASS_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#include "backfill.h"
#include "gate.h"

/* Memory kept from pass to pass; never an input. */
struct drift;

struct drift *drift_new(void);
void drift_free(struct drift *d);

/*
 * After a walk that built the queue: the first poll after w->now_s at which a pass may decide something
 * because ranks have changed; TIME_NEVER: none without another event. Earlier passes decide nothing unless
 * there is an event or another known moment. ctx: the gates with the results of the walk.
 */
int64_t drift_due_s(struct drift *d, const struct walk *w, const struct gate_context *ctx);

/* As drift_due_s, for callers that call drift_is_unchanged() at that poll: cheaper, but possibly too early.
 */
int64_t drift_first_poll_s(struct drift *d, const struct walk *w, const struct gate_context *ctx);

/*
 * At a poll after that walk, with s after its decisions and no other event: true if all jobs whose order
 * matters are still in that order, so that a pass would decide nothing. *next_s is then the next poll at
 * which this may change. False also if it is not known. at_s must be the moment that drift_due_s() or
 * drift_first_poll_s() returned, or the *next_s of the last call, and all calls since the walk must have
 * returned true.
 */
bool drift_is_unchanged(struct drift *d, const struct snapshot *s, int64_t at_s, int64_t *next_s);

/* The first multiple of the poll interval that is after now_s and not before at_s; TIME_NEVER if there is
 * none. */
int64_t drift_poll_s(int64_t now_s, int64_t at_s, int64_t poll_interval_s);

#endif
