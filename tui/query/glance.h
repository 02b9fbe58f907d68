/* SPDX-License-Identifier: MIT */
/*
 * glance.h - what did these entries of the journal do to the queue, and what would undoing one do now?
 *
 * The states of then are read out of the store, which takes from a millisecond to a third of a second and
 * more where many are asked for; so it is done in a lane of its own (worker.h).
 */
#ifndef QUERY_GLANCE_H
#define QUERY_GLANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/query/outlook.h"
#include "tui/query/worker.h"
#include "tui/report/impact.h"

#define GLANCE_MAX 128 /* entries */

struct glance {
	struct work work; /* of LANE_ENTRIES */
	/* asked */
	struct store *store;
	struct outlook *outlook;  /* held: the undoing of the first of them on its queue; NULL = not asked */
	uint64_t seq[GLANCE_MAX]; /* ascending */
	size_t count;
	/* found */
	struct impact impact[GLANCE_MAX];
	struct str undo;
	bool whole;     /* it was not broken off                                 */
	struct err err; /* why they could not be read; "" = they were         */
};

/* To be built, of entries in any order. Holds the outlook, which is built; NULL is allowed. */
struct glance *glance_new(struct store *store, struct outlook *o, const uint64_t *seq, size_t count);
/* Drops what it holds. NULL is allowed. */
void glance_free(struct glance *g);

#endif
