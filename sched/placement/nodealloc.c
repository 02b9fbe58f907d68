/* SPDX-License-Identifier: MIT */
/*
 * nodealloc.c - of the nodes that fit, which are taken?
 *
 * A policy arranges the candidates; then the tasks are dealt out from the front
 * (nodealloc_deal.c).
 */
#include "nodealloc_inside.h"

#include "sched/base/vec.h"

/* --- what counts ----------------------------------------------------------------------- */

enum alloc_speeds nodealloc_speeds(const struct node *node, uint32_t count)
{
	enum alloc_speeds speeds = SPEEDS_EQUAL;

	for (uint32_t i = 1; i < count; i++) {
		if (node[i].speed < node[0].speed || node[i].speed > node[0].speed)
			return SPEEDS_RELATIVE;
		if (node[i].procspeed < node[0].procspeed || node[i].procspeed > node[0].procspeed)
			speeds = SPEEDS_PROCS;
	}
	return speeds;
}

double nodealloc_share(const struct job *job, const struct node *node, const struct alloc_amounts *free)
{
	double sum = 0;

	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		int64_t configured = alloc_configured(node, kind);

		if (alloc_asked(job, kind) > 0 && configured > 0)
			sum += (double)free->of[kind] / (double)configured;
	}
	return sum;
}

/* --- choosing ---------------------------------------------------------------------------- */

static struct alloc_part arrange(const struct alloc_ask *ask, struct alloc_part all)
{
	switch (ask->policy) {
	case ALLOCATE_CONTIGUOUS:
		return nodealloc_block(ask, all);
	case ALLOCATE_MAXBALANCE:
		return nodealloc_balance(ask, all);
	case ALLOCATE_MINRESOURCE:
	case ALLOCATE_LOCAL:
		nodealloc_sort_small(ask, all);
		return all;
	case ALLOCATE_LASTAVAILABLE:
	case ALLOCATE_FIRSTAVAILABLE:
	case ALLOCATE_PRIORITY:
	case ALLOCATE_CPULOAD:
	case ALLOCATE_FASTEST:
	case ALLOCATION_POLICY_COUNT:
		break;
	}
	nodealloc_sort(ask, all);
	return all;
}

/* Moves those that the job prefers to the front; how many. */
static size_t prefer(const struct alloc_ask *ask, struct alloc_part all)
{
	size_t front = 0;

	if ((ask->job->prefer == 0 && !ask->invited) || ask->policy == ALLOCATE_PRIORITY)
		return 0;
	for (size_t i = 0; i < all.count; i++) {
		struct alloc_candidate one = all.item[i];

		if (!one.prefers)
			continue;
		for (size_t k = i; k > front; k--)
			all.item[k] = all.item[k - 1];
		all.item[front++] = one;
	}
	return front;
}

static bool picks_a_part(enum allocation_policy policy)
{
	return policy == ALLOCATE_CONTIGUOUS || policy == ALLOCATE_MAXBALANCE;
}

/*
 * Preferred nodes are arranged by themselves and stand before the others; of those that must be
 * a block or of one speed they are first tried alone.
 */
static struct alloc_part arrange_preferring(const struct alloc_ask *ask, struct alloc_part all)
{
	size_t front = prefer(ask, all);
	struct alloc_part preferred = {all.item, front}, others = {all.item + front, all.count - front};

	if (front == 0 || front == all.count)
		return arrange(ask, all);
	if (!picks_a_part(ask->policy)) {
		arrange(ask, preferred);
		arrange(ask, others);
		return all;
	}
	preferred = arrange(ask, preferred);
	return nodealloc_deal(ask, preferred) ? preferred : arrange(ask, all);
}

void nodealloc_add(struct alloc_list *out, size_t first, uint32_t node, uint32_t procs, uint32_t tasks)
{
	struct alloc_run *last = out->count > first ? &out->item[out->count - 1] : NULL;

	if (last != NULL && last->procs == procs && last->tasks == tasks &&
	    (last->node + last->nodes == node || last->node == node + 1)) {
		last->node = last->node < node ? last->node : node;
		last->nodes++;
		return;
	}
	out->item = vec_room(out->item, &out->room, out->count + 1, sizeof *out->item);
	out->item[out->count++] = (struct alloc_run){
		.node = node, .nodes = 1, .procs = procs, .tasks = tasks, .next = INDEX_NONE};
}

bool nodealloc_choose(const struct alloc_ask *ask, struct alloc_candidate *candidate, size_t count,
		      struct alloc_list *out)
{
	struct alloc_part part = arrange_preferring(ask, (struct alloc_part){candidate, count});
	size_t first = out->count;

	if (!nodealloc_deal(ask, part))
		return false;
	for (size_t i = 0; i < part.count; i++) {
		const struct alloc_candidate *c = &part.item[i];
		uint32_t procs = c->whole ? ask->node[c->node].procs : c->give * ask->job->task_procs;

		if (c->give > 0)
			nodealloc_add(out, first, c->node, procs, c->give);
	}
	return true;
}

/* --- how many at most ---------------------------------------------------------------------- */

uint32_t nodealloc_most(const struct alloc_ask *ask, struct alloc_candidate *candidate, size_t count)
{
	struct alloc_part all = {candidate, count};

	return ask->policy == ALLOCATE_CONTIGUOUS ? nodealloc_block_most(ask, all)
						  : nodealloc_most_of(ask, all);
}
