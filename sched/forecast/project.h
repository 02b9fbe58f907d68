/* SPDX-License-Identifier: MIT */
/*
 * project.h - what would happen if nothing else did? (the full projection)
 *
 * Runs the scheduler ahead on a copy of the state and a virtual clock, pass by pass: running jobs end,
 * waiting ones start, queue time and expansion factors grow, fairshare windows roll, limits fall,
 * reservations begin. No job is submitted and nobody acts. It is cycle_run and event_apply, as in the running
 * scheduler; so without any other event the starts are those that will be.
 *
 * How long a job runs is an assumption: to its wallclock limit, or a share of it (how much of their limits
 * its user's jobs have used, or everybody's median).
 *
 * Pure, and safe to run in a thread of its own on a snapshot that stays. Costs a pass for every moment at
 * which something happens: about n log n for n waiting jobs.
 */
#ifndef FORECAST_PROJECT_H
#define FORECAST_PROJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model/snapshot.h"
#include "sched/pass/queue.h"
#include "sched/state/state.h"

/* With their ranks of the moment: the first `ordered` each behind the one before, the others behind these. */
struct project_ranks {
	const struct queued *ranked;
	uint32_t count, ordered;
};

struct project_setup {
	int64_t from_s;          /* the first pass; not before s->now_s              */
	int64_t until_s;         /* the last; TIME_NEVER = until nothing happens any more */
	const double *run_share; /* by credential: of their limits a user's jobs run so much, 0 to 1;
				    NULL = all run to their limits              */
	/* Asked before each pass, with how many jobs have started so far; false ends it. NULL = go on. */
	bool (*should_continue)(void *self, uint32_t started);
	/* Told after each pass and at each poll passed over: the queue, and those who have a place in it.
	 * queue = NULL: the pass did not look at ranks. NULL = nobody wants to know. */
	void (*ranked)(void *self, const struct snapshot *s, const struct queue *queue,
		       const struct project_ranks *ranks);
	/* Told once, unless it was ended: the state as the last pass left it. NULL = nobody wants to know. */
	void (*at_end)(void *self, const struct snapshot *s);
	void *self;
};

/* By slot of the snapshot. Zero is a valid empty one; project_clear frees. */
struct projection {
	int64_t *start_s; /* TIME_NEVER: not within the time looked at; running jobs: when they started,
			     those being requeued: when they start again */
	int64_t *end_s;   /* likewise */
	uint32_t slots;
	uint32_t waiting, started; /* jobs that wait in the snapshot; those of them that start */
	uint64_t passes;           /* moments looked at */
	uint64_t work;  /* what it cost: a job that waits, at a moment; a poll without a pass counts as one */
	uint64_t quiet; /* those of them at which no pass was held, as it would decide nothing (quiet.h) */
	int64_t last_s; /* the moment of the last pass */
	bool whole;     /* it went on until nothing happened any more: who has no start never starts */
	bool stopped;   /* should_continue ended it: who has no start by last_s may have one later */
	size_t start_room, end_room;
};

/* Replaces what *out holds. False: it was told to stop; what it had found by then is in *out. */
bool project_run(struct projection *out, const struct snapshot *s, const struct project_setup *setup);
/* The same from a state that nobody needs any more: it is run ahead itself, and freed. */
bool project_state(struct projection *out, struct state *st, const struct project_setup *setup);
void project_clear(struct projection *p);

#endif
