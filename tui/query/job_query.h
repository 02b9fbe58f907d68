/* SPDX-License-Identifier: MIT */
/*
 * job_query.h - queries of the job page: changes that would start the job, accuracy of past estimates
 *
 * The first query runs the search of sched/forecast/remedies.h on a plan query. This takes a millisecond to
 * seconds, so it runs in its own lane (worker.h), and is stopped when the cursor moves to another job.
 */
#ifndef QUERY_JOB_QUERY_H
#define QUERY_JOB_QUERY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan_query.h"
#include "projection_query.h"
#include "sched/forecast/estimate.h"
#include "sched/forecast/remedies.h"
#include "worker.h"

struct remedies_query {
	struct query query;
	/* request */
	uint64_t job;
	int64_t by_s;                 /* requested latest start; TIME_NONE = now */
	struct run_assumption *usual; /* assumption of usual run times, referenced; NULL = unknown */
	/* progress: number of changes tried */
	_Atomic size_t tried;
	/* result */
	struct remedies found;
};

/*
 * Creates a query. References `usual` and the plan query, which must be built and in which the job must be
 * idle.
 */
struct remedies_query *remedies_query_new(struct plan_query *o, uint64_t job, int64_t by_s,
					  struct run_assumption *usual);

/* Frees the query and drops its references. NULL is allowed. */
void remedies_query_free(struct remedies_query *w);

/* Returns the latest start used by the search: the requested one, but not before the time of the plan. */
int64_t remedies_query_due_s(const struct remedies_query *w);

/* --- accuracy of the estimates shown by the console --------------------------------------------------- */

/*
 * A query that compares the starts that the instant plan estimated at submission with the actual starts, for
 * the jobs of the last week (sched/forecast/estimate.h). It reads the journal in its own lane (worker.h), and
 * is stopped when the console quits.
 */

struct store;
struct str;

#define ACCURACY_STARTS_MIN 10 /* minimum number of starts for which the accuracy is shown */

struct accuracy_query {
	struct query query;
	/* request */
	struct store *store;  /* borrowed */
	int64_t now_s;        /* time of the state */
	uint64_t seq;         /* number of the last journal entry that the state includes */
	int64_t last_start_s; /* latest start of the running jobs in the state */
	/* result */
	struct estimate_errors errors; /* errors of the estimates made at submission */
};

/* Returns the latest start of the running jobs in s; TIME_NONE if no job is running. */
int64_t accuracy_query_last_start_s(const struct snapshot *s);

/* Creates a query that reads the journal up to the state s. */
struct accuracy_query *accuracy_query_new(struct store *store, const struct snapshot *s);
void accuracy_query_free(struct accuracy_query *h); /* NULL is allowed */

/*
 * Appends a text such as "past estimates (152 starts): half were within 4m, 4 of 5 within 1:02h".
 * Returns false, and appends nothing, if there were too few starts.
 */
bool accuracy_query_print(const struct accuracy_query *h, struct str *out);

#endif
