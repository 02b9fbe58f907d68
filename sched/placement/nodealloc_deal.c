/* SPDX-License-Identifier: MIT */
/*
 * nodealloc_deal.c - how do a job's tasks fall on nodes that stand in an order?
 *
 * From the front, in units that stay together: as many on each as fit, or, where a number of
 * nodes is asked for, the same share on each. Whoever must know whether a part of the candidates
 * suffices deals as well, and looks at the answer; so this stands below the policies.
 */
#include "nodealloc_inside.h"

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
