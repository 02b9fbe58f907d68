/* SPDX-License-Identifier: MIT */
/*
 * nodealloc.c - of the nodes that fit, which are taken?
 *
 * A policy arranges the candidates; then the tasks are dealt out from the front. Whoever must
 * know whether a part of the candidates suffices deals as well, and looks at the answer.
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

/* --- dealing ---------------------------------------------------------------------------- */

/* As many on each as fit, until all have a place. */
static uint32_t deal_on_any(struct alloc_part part, uint32_t tasks, uint32_t unit)
{
	for (size_t i = 0; i < part.count; i++) {
		struct alloc_candidate *c = &part.item[i];
		uint32_t fits = c->tasks < tasks ? c->tasks : tasks;

		c->give = fits - fits % unit;
		tasks -= c->give;
	}
	return tasks;
}

/* How many shares there are of each size, when units are spread over a number of nodes. */
struct shares {
	uint32_t units;        /* of a small one; a large one has one more */
	uint32_t small, large; /* so many nodes                            */
};

static struct shares shares_of(const struct job *job)
{
	uint32_t units = job->tasks / alloc_unit(job), nodes = alloc_nodes(job);

	return (struct shares){units / nodes, nodes - units % nodes, units % nodes};
}

/* The same share on each: exactly as many nodes as asked for. */
static bool deal_on_nodes(struct alloc_part part, struct shares left, uint32_t unit)
{
	for (size_t i = 0; i < part.count; i++) {
		struct alloc_candidate *c = &part.item[i];
		uint32_t fits = c->tasks / unit;

		c->give = 0;
		if (left.large > 0 && fits > left.units) {
			c->give = (left.units + 1) * unit;
			left.large--;
		} else if (left.small > 0 && fits >= left.units) {
			c->give = left.units * unit;
			left.small--;
		}
	}
	return left.small + left.large == 0;
}

bool nodealloc_deal(const struct alloc_ask *ask, struct alloc_part part)
{
	uint32_t unit = alloc_unit(ask->job), tasks = ask->job->tasks;

	if (tasks % unit != 0)
		return false;
	if (alloc_nodes(ask->job) == 0)
		return deal_on_any(part, tasks, unit) == 0;
	return deal_on_nodes(part, shares_of(ask->job), unit);
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

/* Nodes with the most room first: the best that a number of nodes can do. */
static uint32_t most_on_nodes(struct alloc_part all, struct shares left, uint32_t unit)
{
	uint32_t large = 0, small = 0, less = 0, most;

	for (size_t i = 0; i < all.count; i++) {
		uint32_t fits = all.item[i].tasks / unit;

		large += fits > left.units;
		small += fits == left.units;
		if (fits < left.units && fits > less)
			less = fits;
	}
	small += large > left.large ? large - left.large : 0;
	large = large < left.large ? large : left.large;
	most = large * (left.units + 1) + (small < left.small ? small : left.small) * left.units;
	return (small < left.small ? most + less : most) * unit;
}

uint32_t nodealloc_most_of(const struct alloc_ask *ask, struct alloc_part part)
{
	uint32_t unit = alloc_unit(ask->job), tasks = ask->job->tasks;

	/* No part of a unit ever finds a place. */
	tasks -= tasks % unit;
	if (alloc_nodes(ask->job) == 0)
		return tasks - deal_on_any(part, tasks, unit);
	return most_on_nodes(part, shares_of(ask->job), unit);
}

uint32_t nodealloc_most(const struct alloc_ask *ask, struct alloc_candidate *candidate, size_t count)
{
	struct alloc_part all = {candidate, count};

	return ask->policy == ALLOCATE_CONTIGUOUS ? nodealloc_block_most(ask, all)
						  : nodealloc_most_of(ask, all);
}
