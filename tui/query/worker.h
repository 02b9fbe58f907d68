/* SPDX-License-Identifier: MIT */
/*
 * worker.h - threads that compute beside the keys
 *
 * Lanes: a thread each, with one place for work in front of it. What is asked newest wins: it takes the place
 * of what waits there, so a slider that moves ten times while a plan is made costs two plans. What is being
 * made goes on, unless the newer one hurries: then it is told that nobody wants it any more, and ends soon.
 *
 * The console asks and collects; all counting of holders stays with it.
 */
#ifndef QUERY_WORKER_H
#define QUERY_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sched/base/err.h"

struct work;

struct work_ops {
	/* In the lane's thread; touches nothing that others change. */
	void (*run)(struct work *self);
	/* Gives it back when the worker stops; in the thread of worker_stop. */
	void (*drop)(struct work *self);
};

/* The first member of what is to be made. */
struct work {
	const struct work_ops *ops;
	struct work *next; /* for whoever keeps several */
	atomic_bool unwanted;
	int64_t took_us; /* to make it */
};

/* For run: is it made for nobody? */
static inline bool work_is_unwanted(struct work *work)
{
	return atomic_load_explicit(&work->unwanted, memory_order_relaxed);
}

enum lane {
	LANE_NEAR,     /* outlooks: what the next picture waits for      */
	LANE_FAR,      /* all that may take a second and more            */
	LANE_REMEDIES, /* changes that would start a job: the like       */
	LANE_LIMITS,   /* other values of a limit: the like              */
	LANE_ASKED,    /* what somebody asked, and waits for             */
	LANE_ENTRIES,  /* what entries of the journal did                */
	LANE_RERUN,    /* the journal run again: as long as it is        */
	LANE_ACCURACY, /* how past estimates came true                   */
	LANE_COUNT
};

struct worker; /* opaque */

/* NULL with a sentence when the threads cannot be had. */
struct worker *worker_start(struct err *err);
/* Tells all that is being made, and waits for it. NULL is allowed. */
void worker_stop(struct worker *w);

/* Readable when something was made. */
int worker_fd(const struct worker *w);

/* Hands over what is to be made. Returns what it replaces, which was not begun, or NULL. */
struct work *worker_ask(struct worker *w, enum lane lane, struct work *work, bool hurry);
/* Tells what waits or is being made in a lane that nobody wants it; it is still to be taken. */
void worker_cancel(struct worker *w, enum lane lane);

/* What was made in a lane since the last call, newest first, linked by .next; NULL when nothing. */
struct work *worker_take(struct worker *w, enum lane lane);

/* Is something waiting, being made or not collected yet? */
bool worker_busy(struct worker *w);

/*
 * After how long the same is worth making again when nothing but time has moved: a second, or ten times
 * what it took. NULL: nothing was made yet.
 */
int64_t work_interval_ms(const struct work *work);

#endif
