/* SPDX-License-Identifier: MIT */
/*
 * nodealloc_order.c - in which order do the policies that only sort take nodes?
 *
 * Each gives a candidate a key, and says whether the larger or the smaller comes first and which
 * of equals. CPULOAD alone is no order of keys: nodes within 0.1 of the best are equals, and
 * who is the best is asked again after they have gone.
 */
#include <stdlib.h>

#include "nodealloc_inside.h"
#include "sched/base/rng.h"

#define LOAD_TOLERANCE 0.1 /* of CPULOAD, in processors */

static int compare_up(double a, double b)
{
	return a < b ? -1 : a > b;
}

static int by_index(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;

	return x->node < y->node ? -1 : x->node > y->node;
}

static int by_index_down(const void *a, const void *b)
{
	return by_index(b, a);
}

static int by_gap(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;

	if (x->until_s != y->until_s)
		return x->until_s < y->until_s ? -1 : 1;
	return by_index_down(a, b);
}

static int by_value(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;
	int c = compare_up(y->value, x->value);

	return c != 0 ? c : by_index(a, b);
}

/* Often they stand in order already. */
static void sort(struct alloc_part all, int (*compare)(const void *, const void *))
{
	size_t i = 1;

	while (i < all.count && compare(&all.item[i - 1], &all.item[i]) < 0)
		i++;
	if (i < all.count)
		qsort(all.item, all.count, sizeof *all.item, compare);
}

/* They come by index: turned round those without a claim behind them are in order. */
static void sort_by_gap(struct alloc_part all)
{
	for (size_t i = 0; i < all.count / 2; i++) {
		struct alloc_candidate one = all.item[i];

		all.item[i] = all.item[all.count - 1 - i];
		all.item[all.count - 1 - i] = one;
	}
	sort(all, by_gap);
}

/* By speed; where none differ, by a number that the job and the node give. */
static void sort_fastest(const struct alloc_ask *ask, struct alloc_part all)
{
	for (size_t i = 0; i < all.count; i++) {
		struct alloc_candidate *c = &all.item[i];
		struct rng rng;

		c->value = alloc_speed(ask, c);
		if (ask->speeds != SPEEDS_EQUAL)
			continue;
		rng_seed_at(&rng, ask->job->id, c->node);
		c->value = rng_unit(&rng);
	}
	sort(all, by_value);
}

/* Takes those within the tolerance of the best, then of the best of the others. */
static void sort_cpuload(struct alloc_part all)
{
	size_t done = 0;

	sort(all, by_value);
	while (done < all.count) {
		double best = all.item[done].value;
		size_t end = done + 1;

		while (end < all.count && all.item[end].value > best - LOAD_TOLERANCE)
			end++;
		sort((struct alloc_part){all.item + done, end - done}, by_index_down);
		done = end;
	}
}

void nodealloc_sort(const struct alloc_ask *ask, struct alloc_part all)
{
	if (ask->policy == ALLOCATE_FASTEST)
		sort_fastest(ask, all);
	else if (ask->policy == ALLOCATE_CPULOAD)
		sort_cpuload(all);
	else if (ask->policy == ALLOCATE_PRIORITY)
		sort(all, by_value);
	else if (ask->policy == ALLOCATE_FIRSTAVAILABLE)
		sort(all, by_index);
	else
		sort_by_gap(all);
}
