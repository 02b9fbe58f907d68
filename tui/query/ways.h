/* SPDX-License-Identifier: MIT */
/*
 * ways.h - which changes would start the job that somebody looks at?
 *
 * The search of sched/forecast/unblock.h on an outlook. It takes from a millisecond to seconds, so it is made
 * in a lane of its own (worker.h), and told to stop when the cursor moves on.
 */
#ifndef QUERY_WAYS_H
#define QUERY_WAYS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "foresight.h"
#include "sched/forecast/unblock.h"
#include "tui/query/outlook.h"
#include "tui/query/worker.h"

struct ways {
	struct work work; /* of LANE_WAYS */
	/* asked */
	struct outlook *outlook; /* held */
	uint64_t job;
	int64_t by_s;         /* when it is to start; TIME_NONE = at once */
	struct habits *usual; /* held; how long jobs usually ran; NULL = not known */
	/* while it is made: so many changes were tried */
	_Atomic size_t tried;
	/* found */
	struct unblock found;
	bool whole; /* it was not broken off: found is there */
};

/* To be built: holds the outlook, which is built and has the job among those that wait, and usual. */
struct ways *ways_new(struct outlook *o, uint64_t job, int64_t by_s, struct habits *usual);
/* Drops what it holds. NULL is allowed. */
void ways_free(struct ways *w);

/* By when it was looked for: as asked, but not before the moment of the outlook. */
int64_t ways_due_s(const struct ways *w);

#endif
