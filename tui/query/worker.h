/* SPDX-License-Identifier: MIT */
/*
 * worker.h - background queries, and the threads that run them
 *
 * Each lane is a thread that can have one waiting query. A new query replaces a waiting one, so a slider that
 * moves ten times while a plan is computed causes only two plans. A running query continues, unless the new
 * query is urgent: then the running one is cancelled and ends soon.
 *
 * The console posts queries and collects them with their results (console_query.c). Only the console's thread
 * changes reference counts.
 */
#ifndef QUERY_WORKER_H
#define QUERY_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sched/base/err.h"

enum lane {
	LANE_NEAR,     /* plan queries, whose results the next frame needs */
	LANE_FAR,      /* projections, which may take more than a second */
	LANE_REMEDIES, /* changes that would start a job */
	LANE_LIMITS,   /* projections with larger values of a limit */
	LANE_ASKED,    /* sweeps and goals requested by the user */
	LANE_ENTRIES,  /* effects of journal entries */
	LANE_RERUN,    /* replays of the journal */
	LANE_ACCURACY, /* accuracy of past estimates */
	LANE_COUNT
};

enum query_kind {
	QUERY_PLAN,
	QUERY_ESTIMATE, /* projections in which jobs run to their wallclock limits */
	QUERY_ASSUMED,  /* projections with other run times */
	QUERY_ABLATION,
	QUERY_REMEDIES,
	QUERY_HEADROOM,
	QUERY_DRAFT, /* sweeps and goals on the draft */
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
	/* Called in the lane's thread. Must not access data that other threads change. Sets `whole`. */
	void (*run)(struct query *self);
	/* Called in the console's thread to free the query, also when the worker stops. */
	void (*drop)(struct query *self);
};

/* Must be the first member of a query. */
struct query {
	const struct query_ops *ops;
	struct query *next;            /* next query in the list of worker_take() */
	struct plan_query *plan_query; /* subject of the query, referenced; NULL = none */
	atomic_bool unwanted;
	bool whole;      /* run() was not stopped; the result may be an error */
	int64_t took_us; /* duration of run() */
};

/* Has the query been cancelled? run() calls this often. */
static inline bool query_is_unwanted(struct query *query)
{
	return atomic_load_explicit(&query->unwanted, memory_order_relaxed);
}

/* Cancels a query that is waiting or running; it must still be collected. */
static inline void query_cancel(struct query *query)
{
	atomic_store_explicit(&query->unwanted, true, memory_order_relaxed);
}

/*
 * Returns the minimum interval after which a query is repeated if only time has passed: a second, or ten
 * times the duration of the query if that is longer. NULL: the query has not run yet.
 */
int64_t query_interval_ms(const struct query *query);

struct worker; /* opaque */

/* Starts the threads. Returns NULL with err set on failure. */
struct worker *worker_start(struct err *err);
/* Cancels the running queries, waits for the threads and drops all queries. NULL is allowed. */
void worker_stop(struct worker *w);

/* Returns a descriptor that is readable when a query has finished. */
int worker_fd(const struct worker *w);

/*
 * Posts a query; hurry: cancels the running query of the lane. Returns the waiting query that was replaced,
 * or NULL.
 */
struct query *worker_ask(struct worker *w, struct query *query, bool hurry);

/*
 * Returns the queries that have finished in a lane since the last call, newest first, linked by .next; NULL:
 * none.
 */
struct query *worker_take(struct worker *w, enum lane lane);

/* Is any query waiting, running or not yet collected? */
bool worker_busy(struct worker *w);

#endif
