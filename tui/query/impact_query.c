/* SPDX-License-Identifier: MIT */
/* impact_query.c - immediate and later effects of journal entries */
#include "impact_query.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tui/report/history_source.h"

/* --- immediate effects of journal entries, and of undoing one ----------------------------------------- */

static bool should_continue(void *self)
{
	return !query_is_unwanted(&((struct impact_query *)self)->query);
}

static void run(struct query *self)
{
	struct impact_query *g = (struct impact_query *)self;

	if (impacts_read(&(struct history_source){.store = g->store}, g->seq, g->count, g->impact,
			 should_continue, g, &g->err) &&
	    g->query.plan_query)
		impact_print_undo(&g->impact[0], g->query.plan_query->live.s, &g->undo);
	g->query.whole = !query_is_unwanted(self);
}

static void drop(struct query *self)
{
	impact_query_free((struct impact_query *)self);
}

static const struct query_ops impact_query_ops = {
	.kind = QUERY_IMPACT, .lane = LANE_ENTRIES, .run = run, .drop = drop};

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct impact_query *impact_query_new(struct store *store, struct plan_query *o, const uint64_t *seq,
				      size_t count)
{
	struct impact_query *g = mem_zero(1, sizeof *g);

	g->query.ops = &impact_query_ops;
	g->store = store;
	g->query.plan_query = o;
	if (o)
		o->holders++;
	g->count = count < IMPACT_QUERY_MAX ? count : IMPACT_QUERY_MAX;
	memcpy(g->seq, seq, g->count * sizeof *seq);
	qsort(g->seq, g->count, sizeof *g->seq, by_number);
	return g;
}

void impact_query_free(struct impact_query *g)
{
	if (!g)
		return;
	plan_query_drop(g->query.plan_query);
	for (size_t i = 0; i < g->count; i++)
		impact_clear(&g->impact[i]);
	str_free(&g->undo);
	free(g);
}

/* --- later consequences of a journal entry ------------------------------------------------------------ */

static bool consequences_should_continue(void *self, uint64_t done, uint64_t all)
{
	struct consequences_query *h = self;

	atomic_store_explicit(&h->done, done, memory_order_relaxed);
	atomic_store_explicit(&h->all, all, memory_order_relaxed);
	return !query_is_unwanted(&h->query);
}

static void consequences_run(struct query *self)
{
	struct consequences_query *h = (struct consequences_query *)self;

	h->query.whole = consequences_find(&h->consequences, &h->err) || h->err.text[0] != '\0';
}

static void consequences_drop(struct query *self)
{
	consequences_query_free((struct consequences_query *)self);
}

static const struct query_ops consequences_query_ops = {
	.kind = QUERY_CONSEQUENCES, .lane = LANE_RERUN, .run = consequences_run, .drop = consequences_drop};

struct consequences_query *consequences_query_new(struct store *store, uint64_t seq)
{
	struct consequences_query *h = mem_zero(1, sizeof *h);

	h->query.ops = &consequences_query_ops;
	h->consequences = (struct consequences){.source = {.store = store},
						.seq = seq,
						.should_continue = consequences_should_continue,
						.self = h};
	return h;
}

void consequences_query_free(struct consequences_query *h)
{
	if (!h)
		return;
	consequences_clear(&h->consequences);
	free(h);
}

int consequences_query_percent(const struct consequences_query *h)
{
	uint64_t done = atomic_load_explicit(&h->done, memory_order_relaxed);
	uint64_t all = atomic_load_explicit(&h->all, memory_order_relaxed);

	return all == 0 ? 0 : (int)(100 * done / all);
}
