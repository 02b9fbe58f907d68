/* SPDX-License-Identifier: MIT */
/*
 * headroom.h - starts of the jobs blocked by a limit, under larger values of the limit
 *
 * Projects copies of the queue with different values of the limit: the smallest values that admit one, half
 * and all of the blocked jobs, and a value between the current value and the first of these. The current
 * value is included for comparison.
 */
#ifndef QUERY_HEADROOM_H
#define QUERY_HEADROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/arena.h"
#include "tui/query/plan_query.h"
#include "tui/query/worker.h"
#include "tui/report/limit_report.h"

#define HEADROOM_POINTS 5

struct headroom_point {
	const char *value; /* value in the syntax of the option, such as "98696,1080000"; lives as long as the
			      result */
	bool refused;      /* the scheduler would refuse the value; the members below are not set */
	uint32_t at_once;  /* number of blocked jobs that start now */
	uint32_t started;  /* number of the blocked jobs that start at some time */
	int64_t first_s, last_s; /* first and last start of these jobs; TIME_NEVER if none starts */
};

struct headroom {
	struct query query;
	/* request */
	struct limit_row row;
	/* result */
	uint32_t held; /* number of blocked jobs */
	struct headroom_point
		point[HEADROOM_POINTS]; /* values in ascending order; the first is the current value */
	size_t points;
	struct arena arena;
};

/*
 * Does this query make sense for the limit? Returns false if the limit blocks no job, or applies to the
 * request of each single job.
 */
bool headroom_is_asked(const struct limit_row *row);
/* Are both rows about the same limit, with the same value? */
bool headroom_same(const struct limit_row *a, const struct limit_row *b);

/* Creates a query and references the plan query, which must be built. */
struct headroom *headroom_new(struct plan_query *o, const struct limit_row *row);
/* Frees the query and drops its reference. NULL is allowed. */
void headroom_free(struct headroom *h);
/* Computes the result. Returns false if the query was stopped. */
bool headroom_build(struct headroom *h);

#endif
