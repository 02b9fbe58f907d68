/* SPDX-License-Identifier: MIT */
/*
 * worker.h - background queries, and the threads that run them
 *
 * Each lane is a thread with room for one waiting query. A new query replaces a waiting one, so a slider that
 * moves ten times during a plan costs two plans. A running query continues, unless the new one is urgent:
 * then it is cancelled and ends soon.
 *
 * The console posts queries and collects them with their results (console_query.c); reference counts are
 * changed only by the console's thread.
 */
#ifndef QUERY_WORKER_H
#define QUERY_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sched/base/err.h"

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

enum query_kind {
	QUERY_PLAN,
	QUERY_ESTIMATE, /* the projection, if jobs run to their limits */
	QUERY_ASSUMED,  /* and with other run times */
	QUERY_ABLATION,
	QUERY_REMEDIES,
	QUERY_HEADROOM,
	QUERY_DRAFT,
	QUERY_IMPACT,
	QUERY_CONSEQUENCES,
	QUERY_ACCURACY,
	QUERY_KIND_COUNT
};

#define QUERY_BIT(kind) (1U << (kind))

struct query;
struct plan_query; /* plan_query.h */

struct query_ops {
	enum query_kind kind;
	enum lane lane;
	/* Runs in the lane's thread; must not touch data that other threads change. Sets whole. */
	void (*run)(struct query *self);
	/* Frees the query, also when the worker stops; runs in the console's thread. */
	void (*drop)(struct query *self);
};

/* Must be the first member of a query. */
struct query {
	const struct query_ops *ops;
	struct query *next;            /* for lists of the caller */
	struct plan_query *plan_query; /* what is asked about, referenced; NULL = nothing */
	atomic_bool unwanted;
	bool whole;      /* run was not stopped; the result may be an error */
	int64_t took_us; /* time of run */
};

/* For run: has the query been cancelled? */
static inline bool query_is_unwanted(struct query *query)
{
	return atomic_load_explicit(&query->unwanted, memory_order_relaxed);
}

/* Cancels a query that waits or runs; it must still be collected. */
static inline void query_cancel(struct query *query)
{
	atomic_store_explicit(&query->unwanted, true, memory_order_relaxed);
}

/*
 * Minimum interval before the same query is repeated if only time has passed: a second, or ten times its
 * duration. NULL: it was not made yet.
 */
int64_t query_interval_ms(const struct query *query);

struct worker; /* opaque */

/* NULL with err set if the threads cannot be started. */
struct worker *worker_start(struct err *err);
/* Cancels and drops all queries and waits for the threads. NULL is allowed. */
void worker_stop(struct worker *w);

/* Readable when a query is made. */
int worker_fd(const struct worker *w);

/* Posts a query. Returns the waiting query that it replaces in its lane, or NULL. */
struct query *worker_ask(struct worker *w, struct query *query, bool hurry);

/* Returns the queries made in a lane since the last call, newest first, linked by .next; NULL: none. */
struct query *worker_take(struct worker *w, enum lane lane);

/* Is any query waiting, running or not yet collected? */
bool worker_busy(struct worker *w);

#endif
