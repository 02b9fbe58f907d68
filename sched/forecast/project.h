/* SPDX-License-Identifier: MIT */
/*
 * project.h - the full projection: the scheduler run ahead on a copy of the state
 *
 * Runs pass after pass on a virtual clock: running jobs end, waiting jobs start, queue times and expansion
 * factors grow, fairshare windows roll over, temporary changes expire, advance reservations begin. No job is
 * submitted, and no operator acts. It calls cycle_run and event_apply as the running scheduler does, so that
 * the projected starts are exact as long as no other event happens.
 *
 * The run time of a job is an assumption: its wallclock limit, or a share of it (the share that jobs of the
 * same user have used, or the median over all users).
 *
 * Pure; may run in another thread as long as the snapshot exists. Costs one pass for each time at which
 * something happens: about n log n for n waiting jobs.
 */
#ifndef FORECAST_PROJECT_H
#define FORECAST_PROJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model/snapshot.h"
#include "sched/pass/queue.h"
#include "sched/state/state.h"

struct course; /* course.h */

/* Jobs with their current ranks. The first `ordered` are sorted by rank; the others follow them in any order.
 */
struct project_ranks {
	const struct queued *ranked;
	uint32_t count, ordered;
};

struct project_setup {
	/* Now; not before s->now_s. The first pass is at the scheduler's next pass: now only if something has
	 * just happened or is due. */
	int64_t from_s;
	int64_t until_s;         /* time of the last pass; TIME_NEVER = until nothing happens any more */
	const double *run_share; /* by credential: share of their limits that the jobs of a user run,
				    0 to 1; NULL = all jobs run to their limits */
	/* Polled before each pass with the number of jobs started so far; false stops. NULL = never stop. */
	bool (*should_continue)(void *self, uint32_t started);
	/* Called after each pass and at each skipped poll, with the queue and the ranked jobs. queue = NULL:
	 * the pass did not compute ranks. NULL = not called. */
	void (*ranked)(void *self, const struct snapshot *s, const struct queue *queue,
		       const struct project_ranks *ranks);
	/* Keeps the passes of this projection for others. NULL = not kept. */
	struct course *keep;
	/* A projection of the same state without the change of the job that this projection is about. Its
	 * passes are not run again where they decide the same, and `ranked` is not called for these. NULL:
	 * all passes are run. */
	const struct course *follow;
	bool unchanged; /* the state is that of *follow: its passes are reused, and none is run again */
	/* Called once with the state after the last pass, unless stopped. NULL = not called. */
	void (*at_end)(void *self, const struct snapshot *s);
	void *self;
};

/* By slot of the snapshot. Zero is a valid empty one; project_clear frees. */
struct projection {
	int64_t *start_s; /* TIME_NEVER: not within the projected time; of running jobs the actual start,
			     of jobs that are being requeued the next start */
	int64_t *end_s;   /* likewise */
	uint32_t slots;
	uint32_t waiting, started; /* waiting jobs in the snapshot, and how many of them start */
	uint64_t passes;           /* number of passes */
	uint64_t work; /* cost: each pass counts 1 plus its waiting jobs, each skipped poll and each pass that
			  is not held 1 */
	uint64_t quiet; /* of passes: skipped, because they would decide nothing (pass_skip.h) */
	int64_t last_s; /* time of the last pass */
	bool whole;     /* it ran until nothing happened any more: jobs without a start never start */
	bool stopped;   /* stopped by should_continue: jobs without a start may start after last_s */
	size_t start_room, end_room;
};

/* Replaces the contents of *out. False: stopped; *out has the results so far. */
bool project_run(struct projection *out, const struct snapshot *s, const struct project_setup *setup);
/* As above from a state, which is modified and freed. */
bool project_state(struct projection *out, struct state *st, const struct project_setup *setup);
void project_clear(struct projection *p);

#endif
