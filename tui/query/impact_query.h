/* SPDX-License-Identifier: MIT */
/*
 * impact_query.h - immediate and later effects of journal entries
 *
 * The past states are read from the store, which takes a millisecond to a third of a second per entry and
 * more for many entries. The query therefore runs in its own lane (worker.h).
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

#define IMPACT_QUERY_MAX 128 /* entries per query */

struct impact_query {
	struct query query;
	/* request */
	struct store *store;
	uint64_t seq[IMPACT_QUERY_MAX]; /* in ascending order */
	size_t count;
	/* result */
	struct impact impact[IMPACT_QUERY_MAX];
	struct str undo;
	struct err err; /* error reading the store; empty if none */
};

/* Creates a query for entries in any order. References the plan query, which must be built or NULL. */
struct impact_query *impact_query_new(struct store *store, struct plan_query *o, const uint64_t *seq,
				      size_t count);

/* Drops the references. NULL is allowed. */
void impact_query_free(struct impact_query *g);

/* --- later consequences of a journal entry ------------------------------------------------------------ */

/*
 * The two replays of tui/report/impact.h, in their own lane (worker.h) because they take as long as the
 * recorded time requires. They report their progress and can be stopped.
 */

struct consequences_query {
	struct query query;
	struct consequences consequences;
	_Atomic uint64_t done, all; /* progress, in entries */
	/* result */
	struct err err; /* empty on success */
};

/* Creates a query to run. The store is borrowed. */
struct consequences_query *consequences_query_new(struct store *store, uint64_t seq);
void consequences_query_free(struct consequences_query *h); /* NULL is allowed */

/* Progress in percent. */
int consequences_query_percent(const struct consequences_query *h);

#endif
