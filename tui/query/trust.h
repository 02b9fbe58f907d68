/* SPDX-License-Identifier: MIT */
/*
 * trust.h - how have the starts that the console foretold come true?
 *
 * What the instant plan, which the screens show, said of the jobs of the last week when they were submitted,
 * against when they started (sched/forecast/estimate.h). It is read from the journal in a lane of its own
 * (worker.h), and told to stop when the console is left.
 */
#ifndef QUERY_TRUST_H
#define QUERY_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/forecast/estimate.h"
#include "tui/query/worker.h"

struct store;
struct str;

#define TRUST_LEAST 10 /* starts, below which nothing is said of them */

struct trust {
	struct work work; /* of LANE_TRUST */
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
int64_t trust_last_start_s(const struct snapshot *s);

/* To be built, of what the journal has up to a state. */
struct trust *trust_new(struct store *store, const struct snapshot *s);
void trust_free(struct trust *h); /* NULL is allowed */

/* "estimates so far: half within 4m, 4 of 5 within 1:02h (152 starts)"; false: there were too few. */
bool trust_print(const struct trust *h, struct str *out);

#endif
