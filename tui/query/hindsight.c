/* SPDX-License-Identifier: MIT */
/*
 * hindsight.c - what has happened because of an entry of the journal?
 */
#include "hindsight.h"

#include <stdlib.h>

#include "sched/base/vec.h"

static bool go_on(void *self, uint64_t done, uint64_t all)
{
	struct hindsight *h = self;

	atomic_store_explicit(&h->done, done, memory_order_relaxed);
	atomic_store_explicit(&h->all, all, memory_order_relaxed);
	return !work_is_unwanted(&h->work);
}

static void run(struct work *self)
{
	struct hindsight *h = (struct hindsight *)self;

	h->whole = consequences_find(&h->consequences, &h->err) || h->err.text[0] != '\0';
}

static void drop(struct work *self)
{
	hindsight_free((struct hindsight *)self);
}

static const struct work_ops hindsight_work = {.run = run, .drop = drop};

struct hindsight *hindsight_new(struct store *store, uint64_t seq)
{
	struct hindsight *h = mem_zero(1, sizeof *h);

	h->work.ops = &hindsight_work;
	h->consequences =
		(struct consequences){.source = {.store = store}, .seq = seq, .go_on = go_on, .self = h};
	return h;
}

void hindsight_free(struct hindsight *h)
{
	if (!h)
		return;
	consequences_clear(&h->consequences);
	free(h);
}

int hindsight_percent(const struct hindsight *h)
{
	uint64_t done = atomic_load_explicit(&h->done, memory_order_relaxed);
	uint64_t all = atomic_load_explicit(&h->all, memory_order_relaxed);

	return all == 0 ? 0 : (int)(100 * done / all);
}
