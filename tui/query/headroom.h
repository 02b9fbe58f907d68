/* SPDX-License-Identifier: MIT */
/*
 * headroom.h - starts of the jobs that a limit holds back, under larger values of the limit
 *
 * A few larger values, each set in a copy of the queue that is then run ahead: the least with room for one of
 * them, for half of them and for all, and one between what is set and the least. Beside them what is set.
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
	const char *value;       /* as it is written: "98696,1080000"; lives with the answer */
	bool refused;            /* it cannot be set: nothing below counts                    */
	uint32_t at_once;        /* of those held back: how many start now,                   */
	uint32_t started;        /* and how many at all                                       */
	int64_t first_s, last_s; /* when the first and the last of these do                   */
};

struct headroom {
	struct work work; /* of LANE_LIMITS */
	/* asked */
	struct plan_query *outlook; /* held; of its draft if it has one */
	struct limit_row row;
	/* found */
	uint32_t held;                                /* jobs that it holds back */
	struct headroom_point point[HEADROOM_POINTS]; /* ascending; the first is what is set */
	size_t points;
	bool whole; /* it was not broken off */
	struct arena arena;
};

/* Is there anything to ask of a limit? Not where it holds nobody back, or says what one job may ask for. */
bool headroom_is_asked(const struct limit_row *row);
/* Are both about the same limit, set to the same? */
bool headroom_same(const struct limit_row *a, const struct limit_row *b);

/* To be built. Holds the outlook, which is built. */
struct headroom *headroom_new(struct plan_query *o, const struct limit_row *row);
/* Drops what it holds. NULL is allowed. */
void headroom_free(struct headroom *h);
/* What the worker does. False: it was told to stop. */
bool headroom_build(struct headroom *h);

#endif
