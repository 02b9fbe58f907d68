/* SPDX-License-Identifier: MIT */
/*
 * nodealloc_balance.c - which nodes are as equally fast as can be? (MAXBALANCE)
 *
 * A parallel job is as fast as its slowest node, so a faster one beside it is wasted. Candidates
 * stand by speed; of all stretches from one speed to another that suffice the one with the
 * smallest difference is taken, of equals the slowest. One speed alone is a difference of 0.
 *
 * Source: Maui Administrator's Guide 5.2, NODEALLOCATIONPOLICY MAXBALANCE.
 */
#include <stdlib.h>

#include "nodealloc_inside.h"

static int by_speed(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;

	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* The end of those as fast as the one at i. */
static size_t group_end(struct alloc_part all, size_t i)
{
	size_t end = i + 1;

	while (end < all.count && all.item[end].value <= all.item[i].value)
		end++;
	return end;
}

/* Moves *end, from group to group, to where [begin, end) suffices; false if nothing does. */
static bool reach(const struct alloc_ask *ask, struct alloc_part all, size_t begin, size_t *end)
{
	while (*end <= begin || !nodealloc_deal(ask, (struct alloc_part){all.item + begin, *end - begin})) {
		if (*end == all.count)
			return false;
		*end = group_end(all, *end);
	}
	return true;
}

struct alloc_part nodealloc_balance(const struct alloc_ask *ask, struct alloc_part all)
{
	struct alloc_part best = {all.item, 0};
	double best_span = 0;
	size_t end = 0;

	for (size_t i = 0; i < all.count; i++)
		all.item[i].value = alloc_speed(ask, &all.item[i]);
	if (all.count > 1)
		qsort(all.item, all.count, sizeof *all.item, by_speed);
	for (size_t begin = 0; begin < all.count && reach(ask, all, begin, &end);
	     begin = group_end(all, begin)) {
		double span = all.item[end - 1].value - all.item[begin].value;

		if (best.count > 0 && span >= best_span)
			continue;
		best = (struct alloc_part){all.item + begin, end - begin};
		best_span = span;
	}
	return best;
}
