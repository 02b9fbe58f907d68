/* SPDX-License-Identifier: MIT */
/*
 * job_query.h - queries of the job page: changes that would start the job, accuracy of past estimates
 *
 * The search of sched/forecast/unblock.h on an outlook. It takes from a millisecond to seconds, so it is made
 * in a lane of its own (worker.h), and told to stop when the cursor moves on.
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
#include "sched/forecast/unblock.h"
#include "worker.h"

struct remedies_query {
	struct work work; /* of LANE_REMEDIES */
	/* asked */
	struct plan_query *outlook; /* held */
	uint64_t job;
	int64_t by_s;                 /* when it is to start; TIME_NONE = at once */
	struct run_assumption *usual; /* held; how long jobs usually ran; NULL = not known */
	/* while it is made: so many changes were tried */
	_Atomic size_t tried;
	/* found */
	struct unblock found;
	bool whole; /* it was not broken off: found is there */
};

/* To be built: holds the outlook, which is built and has the job among those that wait, and usual. */
struct remedies_query *remedies_query_new(struct plan_query *o, uint64_t job, int64_t by_s,
					  struct run_assumption *usual);

/* Drops what it holds. NULL is allowed. */
void remedies_query_free(struct remedies_query *w);

/* By when it was looked for: as asked, but not before the moment of the outlook. */
int64_t remedies_query_due_s(const struct remedies_query *w);

/* --- accuracy of the estimates that the console showed ------------------------------------------------ */

/*
 * What the instant plan, which the screens show, said of the jobs of the last week when they were submitted,
 * against when they started (sched/forecast/estimate.h). It is read from the journal in a lane of its own
 * (worker.h), and told to stop when the console is left.
 */

struct store;
struct str;

#define ACCURACY_STARTS_MIN 10 /* starts, below which nothing is said of them */

struct accuracy_query {
	struct work work; /* of LANE_ACCURACY */
	/* asked */
	struct store *store;  /* borrowed */
	int64_t now_s;        /* of the state of then ... */
	uint64_t seq;         /* ... and its last entry   */
	int64_t last_start_s; /* of the jobs that ran then */
	/* found */
	struct estimate_errors errors; /* of what was said at submission */
	bool whole;                    /* it was not broken off: errors are there */
};

/* The latest start of the jobs that run; TIME_NONE: none does. */
int64_t accuracy_query_last_start_s(const struct snapshot *s);

/* To be built, of what the journal has up to a state. */
struct accuracy_query *accuracy_query_new(struct store *store, const struct snapshot *s);
void accuracy_query_free(struct accuracy_query *h); /* NULL is allowed */

/* "estimates so far: half within 4m, 4 of 5 within 1:02h (152 starts)"; false: there were too few. */
bool accuracy_query_print(const struct accuracy_query *h, struct str *out);

#endif
