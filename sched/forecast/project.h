/* SPDX-License-Identifier: MIT */
/*
 * project.h - the full projection: the scheduler run ahead on a copy of the state
 *
 * Runs pass after pass on a virtual clock: running jobs end, idle jobs start, queue times and expansion
 * factors grow, fairshare windows roll, temporary changes are undone, advance reservations begin. No job is
 * submitted, and no operator acts. The projection calls cycle_run and event_apply as the running scheduler
 * does, so the projected starts are exact as long as no other event happens.
 *
 * The run time of a job is an assumption: its wallclock limit, or a fraction of it (the fraction that jobs of
 * the same user usually run, or the median over all users).
 *
 * The functions are pure and may run in another thread as long as the snapshot exists. A projection costs one
 * pass for each time at which something happens: about n log n for n idle jobs.
 */
#ifndef FORECAST_PROJECT_H
#define FORECAST_PROJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model/snapshot.h"
#include "sched/pass/queue.h"
#include "sched/state/state.h"

struct course; /* defined in course.h */

/*
 * Jobs with their current ranks. The first `ordered` jobs are sorted by rank; the other jobs follow in any
 * order.
 */
struct project_ranks {
	const struct queued *ranked;
	uint32_t count, ordered;
};

struct project_setup {
	/*
	 * Now; must not be before s->now_s. The first pass is the next pass of the scheduler: it runs at this
	 * time only if something has just happened or is due.
	 */
	int64_t from_s;
	int64_t until_s;         /* time of the last pass; TIME_NEVER = until nothing happens any more */
	const double *run_share; /* by credential: fraction of the wallclock limit that jobs of a user run, 0
				    to 1; NULL = all jobs run to their limits */
	/*
	 * Polled before each pass with the number of jobs started so far; false stops the projection. NULL =
	 * never stop.
	 */
	bool (*should_continue)(void *self, uint32_t started);
	/*
	 * Called after each pass and at each skipped poll, with the queue and the ranked jobs. queue is NULL
	 * if the pass did not compute ranks. NULL = not called.
	 */
	void (*ranked)(void *self, const struct snapshot *s, const struct queue *queue,
		       const struct project_ranks *ranks);
	/*
	 * Receives the passes of this projection, for other projections to follow. NULL = passes are not
	 * kept.
	 */
	struct course *keep;
	/*
	 * Passes of a projection of the same state without the change of a job. They are not run again where
	 * they decide the same, and `ranked` is not called for them. NULL = all passes are run.
	 */
	const struct course *follow;
	bool unchanged; /* the state is that of *follow, without a change: its passes are reused and none is
			   run again */
	/*
	 * Called once with the state after the last pass, unless the projection was stopped. NULL = not
	 * called.
	 */
	void (*at_end)(void *self, const struct snapshot *s);
	void *self;
};

/*
 * The result of a projection; arrays are by slot of the snapshot. A zeroed struct is a valid empty one;
 * project_clear frees it.
 */
struct projection {
	int64_t *start_s; /* start of the job; TIME_NEVER: not within the projected time. For running jobs the
			     actual start, for jobs that are being requeued the next start */
	int64_t *end_s;   /* end of the job; TIME_NEVER: not within the projected time */
	uint32_t slots;
	uint32_t waiting, started; /* number of idle jobs in the snapshot, and number of those that start */
	uint64_t passes;           /* number of passes */
	/*
	 * Cost: each pass counts 1, plus its idle jobs unless its decisions were taken from a course; each
	 * skipped poll counts 1.
	 */
	uint64_t work;
	uint64_t quiet; /* number of skipped passes, which would decide nothing (pass_skip.h) */
	int64_t last_s; /* time of the last pass */
	bool whole; /* the projection ran until nothing happened any more: jobs without a start never start */
	bool stopped; /* should_continue returned false: jobs without a start may start after last_s */
	size_t start_room, end_room;
};

/*
 * Projects s. Replaces the contents of *out. Returns false if stopped; *out then contains the results so far.
 */
bool project_run(struct projection *out, const struct snapshot *s, const struct project_setup *setup);
/* Projects a state, which is modified and freed. Otherwise like project_run. */
bool project_state(struct projection *out, struct state *st, const struct project_setup *setup);
void project_clear(struct projection *p);

#endif
