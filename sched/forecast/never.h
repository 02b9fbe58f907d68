/* SPDX-License-Identifier: MIT */
/*
 * never.h - which waiting jobs never start, as a projection proves it, and what keeps each of them
 *
 * A projection continues until nothing happens any more; a job that has not started by then waits
 * indefinitely. That is a proof as far as nothing in it depends on how other jobs end: a projection takes it
 * that all end well, so a job that waits for a failure may yet start, and others after it. It is a proof all
 * the same for a job that is held, that waits for such a job, or that asks for more than a limit allows at
 * all.
 */
#ifndef FORECAST_NEVER_H
#define FORECAST_NEVER_H

#include <stddef.h>
#include <stdint.h>

#include "plan.h"
#include "project.h"
#include "sched/model/reason.h"
#include "sched/model/snapshot.h"

/*
 * What still keeps the waiting job in a slot of s when nothing happens any more; of GATE_NONE: it starts, or
 * it is not proven that it never does. `then` is the state in which the projection p of s ended, with its
 * plan `end`; `now` is the plan of s. A limit or share that does not let the job start has no time at which
 * it clears.
 */
struct reason never_reason(const struct snapshot *s, const struct plan *now, const struct projection *p,
			   const struct snapshot *then, const struct plan *end, uint32_t slot);

/* The same for all waiting jobs that are not held, by slot. Zero is a valid empty one; never_clear frees. */
struct never {
	struct reason *reason;
	uint32_t slots; /* 0: none is proven never to start */
	size_t room;
};

/* Replaces what *n holds; called as project_setup.at_end, while `then` is there. p began at now_s. */
void never_find(struct never *n, const struct snapshot *s, int64_t now_s, const struct projection *p,
		const struct snapshot *then);
/* Of one that is not in it: of GATE_NONE. */
struct reason never_of(const struct never *n, uint32_t slot);
void never_clear(struct never *n);

#endif
