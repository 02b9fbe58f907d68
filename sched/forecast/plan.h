/* SPDX-License-Identifier: MIT */
/*
 * plan.h - the instant plan: estimated start of each idle job, from a single pass
 *
 * Priorities are those of now_s. Eligible jobs are placed in the order of priority, each in the earliest gap
 * of the availability profile into which it fits for its whole wallclock limit; running jobs are assumed to
 * run to their limits. With BACKFILLPOLICY NONE no job is placed before a job of higher priority. The result
 * is an estimate, because jobs end early and new jobs arrive. Blocked jobs have no estimated start unless
 * their gate clears at a known time.
 *
 * A plan takes about one microsecond per job, so it can be repeated at each step of a slider.
 */
#ifndef FORECAST_PLAN_H
#define FORECAST_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/model/reason.h"
#include "sched/model/snapshot.h"
#include "sched/pass/cycle.h"
#include "sched/pass/queue.h"

struct placement; /* defined in sched/placement/placement.h */

struct plan {
	struct queue queue;    /* queue at now_s; its arrays are owned by the plan */
	int64_t *start_s;      /* by job slot: estimated start; TIME_NEVER = unknown        */
	struct reason *reason; /* by job slot: why the job does not start now */
	uint32_t slots;        /* length of start_s and reason */
	uint32_t starts_now;   /* number of jobs that the next pass would start */
	int64_t now_s;
	size_t start_room, reason_room;
	struct cycle *cycle;         /* the pass at now_s: cycle_gate may be called */
	struct placement *placement; /* running jobs, and all jobs placed so far */
	uint32_t placed_on_nodes;    /* number of jobs that were placed on nodes, not only on processors */
	bool guarded_profile; /* the processors of advance reservations have been removed from the profile */
};

/* Builds the plan of s at now_s. A zeroed struct is a valid empty plan; plan_clear frees it. */
void plan_build(struct plan *plan, const struct snapshot *s, int64_t now_s);
void plan_clear(struct plan *plan);

/*
 * Adds to a reason of this plan the time at which a fairshare cap clears by itself, which a pass does not
 * compute. Removes the clear time of an idle limit if other jobs may come to count against the limit first.
 */
void plan_date_reason(const struct plan *plan, const struct snapshot *s, uint32_t slot,
		      struct reason *reason);

/* Returns true if limits stay as they are: no temporary change of a setting is in force. */
bool plan_limits_stay(const struct snapshot *s);

/* Returns true if only a change of the policy or of the job can clear this failed check. */
bool plan_is_permanent(const struct snapshot *s, const struct reason *reason);

/*
 * Finds the first failing check of an idle job, in the order of the gates, that is permanent (with
 * `permanent` false: that is not permanent). Returns false if there is none.
 */
bool plan_find_failing(const struct plan *plan, const struct snapshot *s, uint32_t slot, bool permanent,
		       struct reason *out);

/* The differences between two plans of the same jobs: live, and with a draft. */
struct plan_change {
	uint32_t reordered; /* number of jobs that are idle in both plans, but in different positions among
			       these jobs */
	uint32_t moved;     /* number of jobs with another estimated start */
	uint32_t earlier, later;
	uint64_t most_delayed; /* ID of the job with the longest delay; 0 = none */
	int64_t most_delay_s;
};
void plan_compare(const struct plan *before, const struct snapshot *s_before, const struct plan *after,
		  const struct snapshot *s_after, struct plan_change *out);

#endif
