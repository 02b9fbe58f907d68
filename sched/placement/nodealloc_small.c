/* SPDX-License-Identifier: MIT */
/*
 * nodealloc_small.c - which nodes are small, and of those alike, which fit best? (MINRESOURCE)
 *
 * First each candidate learns its place among all as if best fit did not matter: its rank by index.
 * Then those configured alike share out the places they have by what is free. So nodes that
 * nobody uses are taken as the original takes them, and best fit never lets a larger node go
 * before a smaller one.
 */
#include <stdlib.h>

#include "nodealloc_inside.h"
#include "sched/base/vec.h"

#define SMALLEST_CLASS_MB 64

/* What the sorts look at, beside the candidate. */
struct small {
	struct alloc_candidate one;
	const struct node *node;
	unsigned memory_class;
	double extra;   /* share of the machine's swap, disk and generic resources, of what is asked for */
	uint32_t place; /* index of the node at whose place it stands */
};

static unsigned memory_class(int64_t mem_mb)
{
	unsigned class = 0;

	for (int64_t most = SMALLEST_CLASS_MB; most < mem_mb && class < 48; most *= 2)
		class ++;
	return class;
}

static double extra_of(const struct alloc_ask *ask, const struct node *node)
{
	double sum = 0;

	for (int kind = ALLOC_SWAP; kind < ALLOC_KIND_COUNT; kind++)
		if (alloc_asked(ask->job, kind) > 0 && ask->machine.of[kind] > 0)
			sum += (double)alloc_configured(node, kind) / (double)ask->machine.of[kind];
	return sum;
}

static int compare_i64(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_real(double a, double b)
{
	return a < b ? -1 : a > b;
}

/* Are two nodes configured alike? As an order. */
static int compare_configured(const struct node *a, const struct node *b)
{
	int c = 0;

	for (int kind = 0; kind < ALLOC_KIND_COUNT && c == 0; kind++)
		c = compare_i64(alloc_configured(a, kind), alloc_configured(b, kind));
	return c;
}

static int by_group_and_index(const void *a, const void *b)
{
	const struct small *x = a, *y = b;
	int c = compare_configured(x->node, y->node);

	return c != 0 ? c : compare_i64(y->one.node, x->one.node);
}

static int by_fit(const void *a, const void *b)
{
	const struct small *x = a, *y = b;
	int c = compare_real(x->one.value, y->one.value);

	return c != 0 ? c : compare_i64(y->one.node, x->one.node);
}

static int by_place(const void *a, const void *b)
{
	const struct small *x = a, *y = b;
	int c = compare_i64(x->one.order, y->one.order);

	c = c != 0 ? c : compare_i64(x->memory_class, y->memory_class);
	c = c != 0 ? c : compare_real(x->extra, y->extra);
	return c != 0 ? c : compare_i64(y->place, x->place);
}

/* The places of a group, in the order in which they are taken, go to its members by fit. */
static void share_places(struct small *group, size_t count, uint32_t *place)
{
	for (size_t i = 0; i < count; i++)
		place[i] = group[i].one.node;
	qsort(group, count, sizeof *group, by_fit);
	for (size_t i = 0; i < count; i++)
		group[i].place = place[i];
}

static void share_all_places(struct small *list, size_t count)
{
	uint32_t *place = mem_alloc(count * sizeof *place);
	size_t begin = 0;

	qsort(list, count, sizeof *list, by_group_and_index);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && compare_configured(list[i].node, list[begin].node) == 0)
			continue;
		share_places(list + begin, i - begin, place);
		begin = i;
	}
	free(place);
}

void nodealloc_sort_small(const struct alloc_ask *ask, struct alloc_part all)
{
	struct small *list;

	if (all.count < 2)
		return;
	list = mem_alloc(all.count * sizeof *list);
	for (size_t i = 0; i < all.count; i++) {
		const struct node *node = &ask->node[all.item[i].node];

		list[i] = (struct small){.one = all.item[i],
					 .node = node,
					 .memory_class = memory_class(node->mem_mb),
					 .extra = extra_of(ask, node)};
	}
	share_all_places(list, all.count);
	qsort(list, all.count, sizeof *list, by_place);
	for (size_t i = 0; i < all.count; i++)
		all.item[i] = list[i].one;
	free(list);
}
