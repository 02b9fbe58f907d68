/* SPDX-License-Identifier: MIT */
/*
 * worker.h - background threads of the console
 *
 * Each lane is a thread with room for one waiting request. A new request replaces a waiting one, so a slider
 * that moves ten times during a plan costs two plans. Work in progress continues, unless the new request is
 * urgent: then it is cancelled and ends soon.
 *
 * The console posts requests and collects results; reference counts are changed only by the console's thread.
 */
#ifndef QUERY_WORKER_H
#define QUERY_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sched/base/err.h"

struct work;

struct work_ops {
	/* Runs in the lane's thread; must not touch data that other threads change. */
	void (*run)(struct work *self);
	/* Frees the work when the worker stops; runs in the thread that calls worker_stop. */
	void (*drop)(struct work *self);
};

/* Must be the first member of a request. */
struct work {
	const struct work_ops *ops;
	struct work *next; /* for lists of the caller */
	atomic_bool unwanted;
	int64_t took_us; /* time of run */
};

/* For run: has the work been cancelled? */
static inline bool work_is_unwanted(struct work *work)
{
	return atomic_load_explicit(&work->unwanted, memory_order_relaxed);
}

enum lane {
	LANE_NEAR,     /* plan queries, which the next frame needs */
	LANE_FAR,      /* projections, which may take more than a second */
	LANE_REMEDIES, /* changes that would start a job */
	LANE_LIMITS,   /* larger values of a limit */
	LANE_ASKED,    /* sweeps and goals requested by the user */
	LANE_ENTRIES,  /* effects of journal entries */
	LANE_RERUN,    /* replays of the journal */
	LANE_ACCURACY, /* accuracy of past estimates */
	LANE_COUNT
};

struct worker; /* opaque */

/* NULL with err set if the threads cannot be started. */
struct worker *worker_start(struct err *err);
/* Cancels all work and waits for the threads. NULL is allowed. */
void worker_stop(struct worker *w);

/* Readable when work is made. */
int worker_fd(const struct worker *w);

/* Posts work. Returns the waiting work that it replaces, or NULL. */
struct work *worker_ask(struct worker *w, enum lane lane, struct work *work, bool hurry);
/* Cancels the waiting and running work of a lane; it must still be collected. */
void worker_cancel(struct worker *w, enum lane lane);

/*
 * Returns the work made in a lane since the last call, newest first, linked by .next; NULL if there is none.
 */
struct work *worker_take(struct worker *w, enum lane lane);

/* Is any work waiting, running or not yet collected? */
bool worker_busy(struct worker *w);

/*
 * Minimum interval before the same work is repeated if only time has passed: a second, or ten times its
 * duration. work NULL (nothing made yet) is allowed.
 */
int64_t work_interval_ms(const struct work *work);

#endif
