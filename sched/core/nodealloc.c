/* SPDX-License-Identifier: MIT */
/*
 * nodealloc.c - of the nodes that fit, which are taken?
 */
#include "nodealloc.h"

#include "sched/base/vec.h"

/* Adds one node to the runs: to the last run when it goes on with the same number. */
static void add_node(struct alloc_list *out, size_t first, uint32_t node, uint32_t procs)
{
	struct alloc_run *last = out->count > first ? &out->item[out->count - 1] : NULL;

	if (last != NULL && last->node + last->nodes == node && last->procs == procs) {
		last->nodes++;
		return;
	}
	out->item = vec_room(out->item, &out->room, out->count + 1, sizeof *out->item);
	out->item[out->count++] =
		(struct alloc_run){.node = node, .nodes = 1, .procs = procs, .next = INDEX_NONE};
}

static void give_back(struct alloc_list *out, size_t first, uint32_t *taken)
{
	for (size_t i = first; i < out->count; i++)
		for (uint32_t n = 0; n < out->item[i].nodes; n++)
			taken[out->item[i].node + n] -= out->item[i].procs;
	out->count = first;
}

static uint32_t tasks_on(const struct node *node, uint32_t taken, uint32_t task_procs)
{
	return (node_procs_free(node) - taken) / task_procs;
}

uint32_t nodealloc_fit(const struct node *node, uint32_t node_count, const uint32_t *taken,
		       uint32_t task_procs, uint32_t most)
{
	uint32_t tasks = 0;

	for (uint32_t i = 0; i < node_count && tasks < most; i++)
		tasks += tasks_on(&node[i], taken == NULL ? 0 : taken[i], task_procs);
	return tasks < most ? tasks : most;
}

bool nodealloc_first(const struct node *node, uint32_t node_count, uint32_t *taken, uint32_t tasks,
		     uint32_t task_procs, struct alloc_list *out)
{
	size_t first = out->count;

	for (uint32_t i = 0; i < node_count && tasks > 0; i++) {
		uint32_t fits = tasks_on(&node[i], taken[i], task_procs);

		if (fits == 0)
			continue;
		if (fits > tasks)
			fits = tasks;
		add_node(out, first, i, fits * task_procs);
		taken[i] += fits * task_procs;
		tasks -= fits;
	}
	if (tasks == 0)
		return true;
	give_back(out, first, taken);
	return false;
}
