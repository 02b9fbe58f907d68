/* SPDX-License-Identifier: MIT */
/*
 * hindsight.h - what has happened because of an entry of the journal?
 *
 * The two runs of tui/report/impact.h in a lane of their own (worker.h), as they take as long as the
 * record is: they say how far they are, and can be told to stop.
 */
#ifndef QUERY_HINDSIGHT_H
#define QUERY_HINDSIGHT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "tui/query/worker.h"
#include "tui/report/impact.h"

struct hindsight {
	struct work work; /* of LANE_AGAIN */
	struct consequences consequences;
	_Atomic uint64_t done, all; /* entries, while it is made */
	/* found */
	bool whole;     /* it was not broken off: either because is found, or err */
	struct err err; /* "" = it is found */
};

/* To be built. The store stays the caller's. */
struct hindsight *hindsight_new(struct store *store, uint64_t seq);
void hindsight_free(struct hindsight *h); /* NULL is allowed */

/* How much of it is done, 0 to 100. */
int hindsight_percent(const struct hindsight *h);

#endif
