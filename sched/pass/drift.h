/* SPDX-License-Identifier: MIT */
/*
 * drift.h - when time alone may change what a pass decides
 *
 * Ranks change with time: XFACTOR grows faster for short jobs, and shares move while other jobs run. A job
 * that overtakes another may get its reservation, its place below an idle limit or its turn in strict order,
 * although nothing has happened. As in the original this is checked once every RMPOLLINTERVAL.
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
 * because ranks have changed; TIME_NEVER if only an event can matter. Until then no pass decides anything
 * unless something else happens. ctx is the gates' view of what the walk left behind.
 */
int64_t drift_due_s(struct drift *d, const struct walk *w, const struct gate_context *ctx);

/* As drift_due_s, for callers that check drift_is_still() at that time: cheaper, but possibly too early. */
int64_t drift_first_poll_s(struct drift *d, const struct walk *w, const struct gate_context *ctx);

/*
 * At a poll after that walk, s being what its decisions have made of the snapshot and nothing else having
 * happened: are the jobs whose order matters still in the same order, so that a pass would decide nothing?
 * *next_s: the poll after it at which that may be over. False also where it is not known. Only after
 * drift_due_s() or drift_first_poll_s() said a moment, for a moment that was said by it or by this function,
 * and while this was true.
 */
bool drift_is_still(struct drift *d, const struct snapshot *s, int64_t at_s, int64_t *next_s);

/* The first multiple of the poll interval that is after now_s and not before at_s; TIME_NEVER if there is
 * none. */
int64_t drift_poll_s(int64_t now_s, int64_t at_s, int64_t poll_interval_s);

#endif
