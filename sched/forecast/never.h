/* SPDX-License-Identifier: MIT */
/*
 * never.h - which waiting jobs never start, as a projection proves it, and what keeps each of them
 *
 * A projection continues until nothing happens any more; a job that has not started by then waits
 * indefinitely. This is a proof only if it does not depend on how other jobs end: a projection assumes that
 * all jobs end successfully, so that a job that waits for a failure, and jobs after it, might start after
 * all. For a held job, a job that depends on one, and a job whose own request exceeds a limit it is a proof
 * in any case.
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
 * The reason that still blocks the job in a slot of s when nothing happens any more. GATE_NONE: the job
 * starts, or it is not proven that it never does. `then` is the state in which the projection p of s ended,
 * and `end` its plan; `now` is the plan of s. If the reason is a limit or share, its until_s is TIME_NEVER.
 */
struct reason never_reason(const struct snapshot *s, const struct plan *now, const struct projection *p,
			   const struct snapshot *then, const struct plan *end, uint32_t slot);

/* As above for all waiting jobs that are not held, by slot. All zero is a valid empty value; never_clear
 * frees. */
struct never {
	struct reason *reason;
	uint32_t slots; /* 0: no job is proven never to start */
	size_t room;
};

/* Replaces the contents of *n. To be called from project_setup.at_end, while `then` exists. p began at now_s.
 */
void never_find(struct never *n, const struct snapshot *s, int64_t now_s, const struct projection *p,
		const struct snapshot *then);
/* GATE_NONE for other jobs. */
struct reason never_of(const struct never *n, uint32_t slot);
void never_clear(struct never *n);

#endif
