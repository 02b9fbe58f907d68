/* SPDX-License-Identifier: MIT */
/*
 * impact_query.h - immediate and later effects of journal entries
 *
 * Reading past states from the store takes a millisecond to a third of a second for each entry. The query
 * therefore runs in its own lane (worker.h).
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

#define IMPACT_QUERY_MAX 128 /* maximum number of entries of a query */

struct impact_query {
	struct query query;
	/* request */
	struct store *store;
	uint64_t seq[IMPACT_QUERY_MAX]; /* numbers of the entries, in ascending order */
	size_t count;
	/* result */
	struct impact impact[IMPACT_QUERY_MAX];
	struct str undo;
	struct err err; /* error that occurred when the store was read; empty if none */
};

/*
 * Creates a query for entries, which may be in any order. References the plan query o, which must be built.
 * If o is NULL, the query does not compute `undo`.
 */
struct impact_query *impact_query_new(struct store *store, struct plan_query *o, const uint64_t *seq,
				      size_t count);

/* Frees the query and drops its reference. NULL is allowed. */
void impact_query_free(struct impact_query *g);

/* --- later consequences of a journal entry ------------------------------------------------------------ */

/*
 * A query that runs the two replays of tui/report/impact.h. The longer the replayed part of the journal, the
 * longer they take, so they run in their own lane (worker.h), report their progress and can be stopped.
 */

struct consequences_query {
	struct query query;
	struct consequences consequences;
	_Atomic uint64_t done, all; /* progress: entries replayed so far, and in total */
	/* result */
	struct err err; /* why the query failed; empty on success */
};

/* Creates a query for the entry with number seq. The store is borrowed. */
struct consequences_query *consequences_query_new(struct store *store, uint64_t seq);
void consequences_query_free(struct consequences_query *h); /* NULL is allowed */

/* Returns the progress in percent. */
int consequences_query_percent(const struct consequences_query *h);

#endif
