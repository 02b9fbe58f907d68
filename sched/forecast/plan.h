/* SPDX-License-Identifier: MIT */
/*
 * plan.h - when would each waiting job start, as things stand? (the instant plan)
 *
 * Priorities are frozen at now; every eligible job is placed, most urgent first, at the
 * earliest gap of the availability profile that holds it for its whole wallclock limit;
 * running jobs are taken to run to their limits. With BACKFILLPOLICY NONE no job is placed
 * before one ahead of it. It is an estimate, not a promise: jobs end early, others arrive.
 * Blocked jobs have no estimate, except one whose gate clears at a known time.
 *
 * Cheap enough to repeat at each step of a slider: about a microsecond a job.
 */
#ifndef FORECAST_PLAN_H
#define FORECAST_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/model/reason.h"
#include "sched/model/snapshot.h"
#include "sched/pass/cycle.h"
#include "sched/pass/queue.h"

struct room; /* room.h */

struct plan {
	struct queue queue;    /* as of now_s; its arrays belong to the plan                */
	int64_t *start_s;      /* by job slot: estimated start; TIME_NEVER = none known     */
	struct reason *reason; /* by job slot: why it does not start now                    */
	uint32_t slots;        /* length of both                                            */
	uint32_t starts_now;   /* jobs the next pass would start                            */
	int64_t now_s;
	size_t start_room, reason_room;
	struct cycle *cycle;      /* of this snapshot and moment: cycle_gate may be asked      */
	struct room *room;        /* running jobs and all that was placed                      */
	uint32_t placed_on_nodes; /* jobs for which nodes were looked for, not only processors */
	bool guarded_profile;     /* what advance reservations keep is kept from all that follow */
};

/* Zero is a valid empty plan; plan_clear frees. */
void plan_build(struct plan *plan, const struct snapshot *s, int64_t now_s);
void plan_clear(struct plan *plan);

/* What a reason of this plan leaves out, as a pass need not know it: when a fairshare cap clears by itself.
 */
void plan_date_reason(const struct plan *plan, const struct snapshot *s, uint32_t slot,
		      struct reason *reason);

/* Do limits stay as they are? None was changed for a while alone. */
bool plan_limits_stay(const struct snapshot *s);

/* Does nothing but a change of the policy or of the job let it past this failed check? */
bool plan_is_permanent(const struct snapshot *s, const struct reason *reason);

/* The first check that a waiting job fails and that is permanent, or the first that is not, in the order of
 * the gates. False: there is none. */
bool plan_find_failing(const struct plan *plan, const struct snapshot *s, uint32_t slot, bool permanent,
		       struct reason *out);

/* How two plans over the same jobs differ: what a draft would do. */
struct plan_change {
	uint32_t reordered; /* jobs idle in both whose position among those changed     */
	uint32_t moved;     /* jobs whose estimated start changed                       */
	uint32_t earlier, later;
	uint64_t most_delayed; /* id; 0 = none                                             */
	int64_t most_delay_s;
};
void plan_compare(const struct plan *before, const struct snapshot *s_before, const struct plan *after,
		  const struct snapshot *s_after, struct plan_change *out);

#endif
