/* SPDX-License-Identifier: MIT */
/*
 * future.h - the projected future of a queue, and the estimated start of each of its jobs
 *
 * A job has one estimated start: that of the projection (project.h), which runs pass after pass on a virtual
 * clock. A projection of a long queue takes seconds, so it has a budget. The budget is counted in work, not
 * in time, so that the same question has the same answer on every machine. A job that the projection did not
 * reach within the budget has its start in the instant plan (plan.h) as a placeholder. Every list, page, verb
 * and JSON field shows a placeholder with FUTURE_MARK in front of it, and all other estimated starts without
 * it. A job that is known never to start has no estimated start.
 *
 * Two futures are compared by whatif.h, several futures by comparison.h.
 */
#ifndef FORECAST_FUTURE_H
#define FORECAST_FUTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "never.h"
#include "plan.h"
#include "project.h"
#include "sched/model/assume.h"
#include "whatif.h"

/*
 * Budgets, in units of projection.work: one unit takes 0.2 to 0.5 us of processor time on a queue of
 * thousands of jobs. A list of all jobs should take about 0.3 s, a question about one job or one change about
 * 3 s.
 */
#define FUTURE_LIST_WORK UINT64_C(1000000)
#define FUTURE_JOB_WORK  UINT64_C(10000000)

/* Mark in front of a start that is a placeholder: "~19:44:39". */
#define FUTURE_MARK "~"

/* The source of the estimated starts of an answer. */
enum future_tier {
	FUTURE_INSTANT, /* all starts come from the instant plan */
	FUTURE_PARTIAL, /* starts come from the projection, or from the instant plan for jobs that it did not
			   reach */
	FUTURE_FULL,    /* all starts come from the projection */
};

/* "instant", "partial" or "full", as in JSON; static storage. */
const char *future_tier_name(enum future_tier tier);

struct future_setup {
	int64_t now_s;
	bool full;                       /* run the projection; if false, only the instant plan is built */
	enum assume_kind assume;         /* for the projection: how long jobs run */
	const struct accuracy *accuracy; /* known run times; NULL for ASSUME_WCLIMIT */
	uint64_t most_work;              /* budget of the projection; 0 = unlimited */
	bool reasons;                    /* find the jobs that never start, and why (future.never) */
	bool one;                        /* only the job in `slot` matters: stop when it has started */
	uint32_t slot;
	/*
	 * Polled before each pass of a projection with the number of jobs started so far; false stops it.
	 * NULL = never stop.
	 */
	bool (*should_continue)(void *self, uint32_t started);
	void *self;
};

/* The estimated start of one idle job. */
struct future_start {
	int64_t start_s, end_s; /* TIME_NEVER: the job never starts, or the time is unknown */
	enum future_tier tier;  /* FUTURE_FULL (even if the projection has no start) or FUTURE_INSTANT */
	/*
	 * start_s comes from the instant plan, but is not before the time that the projection reached. Shown
	 * with FUTURE_MARK.
	 */
	bool placeholder;
};

/* The future of one snapshot. A zeroed struct is a valid empty one; future_clear frees it. */
struct future {
	struct plan plan;
	struct projection projection; /* set if setup.full is set */
	struct assumed assumed;       /* set if setup.full is set */
	struct never never;           /* set if setup.full and setup.reasons are set */
	enum future_tier tier;
	struct whatif_side side; /* the result for comparisons. Borrows from the snapshot, which must exist,
				    and from this struct; contains the placeholders of a partial projection */
	int64_t *start_s;        /* starts of a partial projection with placeholders */
	size_t start_room;
};

/*
 * Replaces the contents of *f. Returns false if stopped by should_continue; the starts are then incomplete.
 * An exhausted budget is not a failure.
 */
bool future_build(struct future *f, const struct snapshot *s, const struct future_setup *setup);
void future_clear(struct future *f);

/* Returns the estimated start of the idle job in a slot. */
struct future_start future_start(const struct future *f, uint32_t slot);

/* --- what a change would do ---------------------------------------------------------------------------- */

/*
 * Two futures of the same tier, and their differences. If one of the projections exceeds the budget, both
 * futures come from the instant plan. A zeroed struct is a valid empty one; future_pair_clear frees it.
 */
struct future_pair {
	struct future before, after;
	struct whatif whatif;
	struct plan_change change; /* differences as counts; also how many jobs change their order */
	enum future_tier tier;     /* FUTURE_FULL or FUTURE_INSTANT */
};

/*
 * Builds both futures and compares them. setup->one must not be set. Returns false if stopped by
 * setup->should_continue.
 */
bool future_compare(struct future_pair *p, const struct snapshot *before, const struct snapshot *after,
		    const struct future_setup *setup);
void future_pair_clear(struct future_pair *p);

/* --- a plan and a projection that are kept separately ------------------------------------------------- */

/*
 * Projects s within the budget. Returns false if stopped by should_continue. The memory of *assumed is reused
 * between calls. Sets *never if setup->reasons is set.
 */
bool future_project(struct projection *out, struct never *never, struct assumed *assumed,
		    const struct snapshot *s, const struct future_setup *setup);
/*
 * Returns the source of estimated starts. p: projection of the same snapshot and time as the plan; NULL if
 * there is none yet.
 */
enum future_tier future_tier_of(const struct projection *p);
struct future_start future_start_of(const struct snapshot *s, const struct plan *plan,
				    const struct projection *p, uint32_t slot);

#endif
