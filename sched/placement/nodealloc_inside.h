/* SPDX-License-Identifier: MIT */
/*
 * nodealloc_inside.h - what the policies of node allocation share and nobody else sees
 *
 * Each policy arranges candidates: it puts them in its order and says which part of the array may
 * be taken, from the front.
 */
#ifndef PLACEMENT_NODEALLOC_INSIDE_H
#define PLACEMENT_NODEALLOC_INSIDE_H

#include "nodealloc.h"

/* A part of the candidates; empty when the policy finds that they do not suffice. */
struct alloc_part {
	struct alloc_candidate *item;
	size_t count;
};

/* nodealloc_deal.c: deals the job's tasks out along the part; true if all have found a place. */
bool nodealloc_deal(const struct alloc_ask *ask, struct alloc_part part);

/* How many tasks the part could take, wherever they are. */
uint32_t nodealloc_most_of(const struct alloc_ask *ask, struct alloc_part part);

/* Tasks that stay together on a node. */
static inline uint32_t alloc_unit(const struct job *job)
{
	return job->tasks_per_node > 1 ? job->tasks_per_node : 1;
}

/* Nodes that the job gets exactly; 0 = any number. One without a task would be of no use. */
static inline uint32_t alloc_nodes(const struct job *job)
{
	uint32_t units = job->tasks / alloc_unit(job);

	return job->nodes < units ? job->nodes : units;
}

/* The speed that counts. */
static inline double alloc_speed(const struct alloc_ask *ask, const struct alloc_candidate *c)
{
	const struct node *node = &ask->node[c->node];

	return ask->speeds == SPEEDS_PROCS ? node->procspeed : node->speed;
}

/* nodealloc_order.c: the policies that sort. */
void nodealloc_sort(const struct alloc_ask *ask, struct alloc_part all);

/* nodealloc_small.c: MINRESOURCE. */
void nodealloc_sort_small(const struct alloc_ask *ask, struct alloc_part all);

/* nodealloc_balance.c: MAXBALANCE. */
struct alloc_part nodealloc_balance(const struct alloc_ask *ask, struct alloc_part all);

/* nodealloc_block.c: CONTIGUOUS; and how many tasks the largest block takes. */
struct alloc_part nodealloc_block(const struct alloc_ask *ask, struct alloc_part all);
uint32_t nodealloc_block_most(const struct alloc_ask *ask, struct alloc_part all);

#endif
