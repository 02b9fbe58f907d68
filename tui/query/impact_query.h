/* SPDX-License-Identifier: MIT */
/*
 * impact_query.h - effects of journal entries, at once and later
 *
 * The states of then are read out of the store, which takes from a millisecond to a third of a second and
 * more where many are asked for; so it is done in a lane of its own (worker.h).
 */
#ifndef QUERY_IMPACT_QUERY_H
#define QUERY_IMPACT_QUERY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan_query.h"
#include "tui/report/impact.h"
#include "worker.h"

#define IMPACT_QUERY_MAX 128 /* entries */

struct impact_query {
	struct work work; /* of LANE_ENTRIES */
	/* asked */
	struct store *store;
	struct plan_query
		*outlook; /* held: the undoing of the first of them on its queue; NULL = not asked */
	uint64_t seq[IMPACT_QUERY_MAX]; /* ascending */
	size_t count;
	/* found */
	struct impact impact[IMPACT_QUERY_MAX];
	struct str undo;
	bool whole;     /* it was not broken off                                 */
	struct err err; /* why they could not be read; "" = they were         */
};

/* To be built, of entries in any order. Holds the outlook, which is built; NULL is allowed. */
struct impact_query *impact_query_new(struct store *store, struct plan_query *o, const uint64_t *seq,
				      size_t count);

/* Drops what it holds. NULL is allowed. */
void impact_query_free(struct impact_query *g);

/* --- later consequences of a journal entry ------------------------------------------------------------ */

/*
 * The two runs of tui/report/impact.h in a lane of their own (worker.h), as they take as long as the
 * record is: they say how far they are, and can be told to stop.
 */

struct consequences_query {
	struct work work; /* of LANE_RERUN */
	struct consequences consequences;
	_Atomic uint64_t done, all; /* entries, while it is made */
	/* found */
	bool whole;     /* it was not broken off: either because is found, or err */
	struct err err; /* "" = it is found */
};

/* To be built. The store stays the caller's. */
struct consequences_query *consequences_query_new(struct store *store, uint64_t seq);
void consequences_query_free(struct consequences_query *h); /* NULL is allowed */

/* How much of it is done, 0 to 100. */
int consequences_query_percent(const struct consequences_query *h);

#endif
