/* SPDX-License-Identifier: MIT */
/*
 * never.h - which idle jobs never start, as proven by a projection, and what blocks each of them
 *
 * A projection continues until nothing happens any more; a job that has not started by then waits
 * indefinitely. This is a proof only if it does not depend on how other jobs end: a projection assumes that
 * all jobs end successfully, so a job that waits for a failure, and jobs behind it, might start after all.
 * For a held job, a job that depends on a held job, and a job whose own request exceeds a limit, it is a
 * proof in any case.
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
 * Returns the reason that still blocks the job in a slot of s when nothing happens any more. GATE_NONE: the
 * job starts, or it is not proven that it never does. `then` is the state in which the projection p of s
 * ended, and `end` the plan of that state; `now` is the plan of s. If the reason is a limit or share, its
 * until_s is TIME_NEVER.
 */
struct reason never_reason(const struct snapshot *s, const struct plan *now, const struct projection *p,
			   const struct snapshot *then, const struct plan *end, uint32_t slot);

/*
 * For each idle job that is not held, the reason why it never starts, by slot. A zeroed struct is a valid
 * empty one; never_clear frees it.
 */
struct never {
	struct reason *reason;
	uint32_t slots; /* length of `reason`; 0: no job is proven never to start */
	size_t room;
};

/*
 * Replaces the contents of *n. To be called from project_setup.at_end, while `then` exists. now_s: the time
 * at which p began.
 */
void never_find(struct never *n, const struct snapshot *s, int64_t now_s, const struct projection *p,
		const struct snapshot *then);
/* Returns the reason of the job in a slot; GATE_NONE if it is not proven that the job never starts. */
struct reason never_of(const struct never *n, uint32_t slot);
void never_clear(struct never *n);

#endif
