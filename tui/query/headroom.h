/* SPDX-License-Identifier: MIT */
/*
 * headroom.h - starts of the jobs blocked by a limit, under larger values of the limit
 *
 * Projects copies of the queue with larger values of the limit: the smallest ones that admit one of the
 * blocked jobs, half of them and all of them, and one between the current value and the smallest. The current
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
	const char *value;       /* in option syntax, such as "98696,1080000"; lives as long as the result */
	bool refused;            /* the value was refused; the fields below are not set */
	uint32_t at_once;        /* number of blocked jobs that start now, */
	uint32_t started;        /* and that start at all */
	int64_t first_s, last_s; /* first and last start of these jobs */
};

struct headroom {
	struct query query;
	/* request */
	struct limit_row row;
	/* result */
	uint32_t held;                                /* number of blocked jobs */
	struct headroom_point point[HEADROOM_POINTS]; /* in ascending order; the first is the current value */
	size_t points;
	struct arena arena;
};

/* Does the query apply to this limit? Not if it blocks no job or limits the request of a single job. */
bool headroom_is_asked(const struct limit_row *row);
/* Are both rows the same limit with the same value? */
bool headroom_same(const struct limit_row *a, const struct limit_row *b);

/* Creates a query to run. References the plan query, which must be built. */
struct headroom *headroom_new(struct plan_query *o, const struct limit_row *row);
/* Drops the references. NULL is allowed. */
void headroom_free(struct headroom *h);
/* Computes the result; false if stopped. */
bool headroom_build(struct headroom *h);

#endif
