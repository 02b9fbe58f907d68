/* SPDX-License-Identifier: MIT */
/*
 * nodealloc_block.c - which neighbours can hold a job? (CONTIGUOUS)
 *
 * Nodes stand in a line: by rack and index where these are set, else in configured order. A
 * stretch is a row of candidates without a gap; within one rack if that is enough, else from one rack
 * to the next. Of all blocks of neighbours that suffice the one with the fewest nodes is
 * taken, of equals the one in the shortest stretch, so that long ones stay whole, then the
 * first.
 *
 * Source: Maui Administrator's Guide 5.2 (CONTIGUOUS, non-flat networks); the guide gives no
 * algorithm.
 */
#include <stdlib.h>

#include "nodealloc_inside.h"
#include "sched/base/vec.h"

/* --- the line ------------------------------------------------------------------------------ */

struct place {
	uint32_t rack, index, node;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->rack != y->rack)
		return x->rack < y->rack ? -1 : 1;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Most sites set neither racks nor indexes. */
static bool is_in_line(const struct place *line, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (by_place(&line[i - 1], &line[i]) > 0)
			return false;
	return true;
}

void nodealloc_line(const struct node *node, uint32_t count, uint32_t *place)
{
	struct place *line = mem_alloc(count * sizeof *line);

	for (uint32_t i = 0; i < count; i++)
		line[i] = (struct place){node[i].rack, node[i].index, i};
	if (!is_in_line(line, count))
		qsort(line, count, sizeof *line, by_place);
	for (uint32_t i = 0; i < count; i++)
		place[line[i].node] = i;
	free(line);
}

static int by_order(const void *a, const void *b)
{
	const struct alloc_candidate *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

/* Puts those that can hold at least one unit in the line's order, which each knows from then on. */
static struct alloc_part line_up(const struct alloc_ask *ask, struct alloc_part all)
{
	bool in_order = true;
	size_t left = 0;

	for (size_t i = 0; i < all.count; i++) {
		if (all.item[i].tasks < alloc_unit(ask->job))
			continue;
		all.item[left] = all.item[i];
		all.item[left].order = ask->line[all.item[left].node];
		in_order = in_order && (left == 0 || all.item[left - 1].order < all.item[left].order);
		left++;
	}
	if (!in_order)
		qsort(all.item, left, sizeof *all.item, by_order);
	return (struct alloc_part){all.item, left};
}

/* The end of the stretch that begins at i. */
static size_t stretch_end(const struct alloc_ask *ask, struct alloc_part line, size_t i, bool in_rack)
{
	size_t end = i + 1;

	while (end < line.count && line.item[end].order == line.item[end - 1].order + 1 &&
	       (!in_rack || ask->node[line.item[end].node].rack == ask->node[line.item[i].node].rack))
		end++;
	return end;
}

/* --- blocks -------------------------------------------------------------------------------- */

/* How many nodes from the front of a stretch hold all tasks; 0 = there are too few. */
static size_t fewest_nodes(const struct alloc_ask *ask, struct alloc_part rest)
{
	uint32_t unit = alloc_unit(ask->job);
	int64_t left = ask->job->tasks;

	for (size_t i = 0; i < rest.count; i++) {
		left -= rest.item[i].tasks - rest.item[i].tasks % unit;
		if (left <= 0)
			return i + 1;
	}
	return 0;
}

/* The shortest block from the front of a stretch that suffices; empty if none does. */
static struct alloc_part shortest_block(const struct alloc_ask *ask, struct alloc_part rest)
{
	struct alloc_part block = {rest.item, alloc_nodes(ask->job)};

	if (block.count == 0)
		block.count = fewest_nodes(ask, rest);
	else if (block.count > rest.count || !nodealloc_deal(ask, block))
		block.count = 0;
	return block;
}

struct search {
	struct alloc_part best;
	size_t stretch; /* nodes of the stretch it stands in */
};

static void search_stretch(const struct alloc_ask *ask, struct alloc_part stretch, struct search *found)
{
	for (size_t i = 0; i < stretch.count; i++) {
		struct alloc_part block =
			shortest_block(ask, (struct alloc_part){stretch.item + i, stretch.count - i});

		if (block.count == 0)
			continue;
		if (found->best.count == 0 || block.count < found->best.count ||
		    (block.count == found->best.count && stretch.count < found->stretch))
			*found = (struct search){block, stretch.count};
	}
}

static struct alloc_part search_line(const struct alloc_ask *ask, struct alloc_part line, bool in_rack)
{
	struct search found = {{line.item, 0}, 0};

	for (size_t i = 0, end; i < line.count; i = end) {
		end = stretch_end(ask, line, i, in_rack);
		search_stretch(ask, (struct alloc_part){line.item + i, end - i}, &found);
	}
	return found.best;
}

struct alloc_part nodealloc_block(const struct alloc_ask *ask, struct alloc_part all)
{
	struct alloc_part line = line_up(ask, all), block = search_line(ask, line, true);

	return block.count > 0 ? block : search_line(ask, line, false);
}

/* The larger of `most` and what the best block in a stretch takes. A block is the whole stretch, or as many
 * adjacent nodes as are asked for. */
static uint32_t stretch_most(const struct alloc_ask *ask, struct alloc_part stretch, uint32_t most)
{
	size_t asked = alloc_nodes(ask->job);
	size_t nodes = asked == 0 || asked > stretch.count ? stretch.count : asked;

	for (size_t i = 0; i + nodes <= stretch.count; i++) {
		uint32_t tasks = nodealloc_most_of(ask, (struct alloc_part){stretch.item + i, nodes});

		most = tasks > most ? tasks : most;
	}
	return most;
}

uint32_t nodealloc_block_most(const struct alloc_ask *ask, struct alloc_part all)
{
	struct alloc_part line = line_up(ask, all);
	uint32_t most = 0;

	for (size_t i = 0, end; i < line.count; i = end) {
		end = stretch_end(ask, line, i, false);
		most = stretch_most(ask, (struct alloc_part){line.item + i, end - i}, most);
	}
	return most;
}
