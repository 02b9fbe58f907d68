/* SPDX-License-Identifier: MIT */
/*
 * state_differ.c - are all nodes alike for a job that asks for nothing but processors?
 *
 * Where they are, a pass counts processors and looks at no node.
 */
#include "state_inside.h"

/* Classes and a partition that all nodes share make no difference between them. */
static bool node_differs(const struct node *node, const struct node *other)
{
	return node->partition != other->partition || node->classes != other->classes ||
	       node->access > ACCESS_SHARED || node->used.procs >= 0 || node->drained;
}

void state_note_nodes_differ(struct state *st)
{
	const struct snapshot *s = st->s;
	bool differ = s->policy.access > ACCESS_SHARED;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES) && !differ; i++)
		differ = node_differs(&snapshot_nodes(s)[i], snapshot_nodes(s));
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS) && !differ; i++)
		differ = snapshot_creds(s)[i].attr.access > ACCESS_SHARED;
	st->s->nodes_differ = differ;
}

void state_note_difference(struct state *st, uint32_t i, bool is_new, const struct node *before)
{
	const struct node *node = snapshot_nodes(st->s);

	if (node_differs(&node[i], &node[0]))
		st->s->nodes_differ = 1;
	else if (!is_new && (node_differs(&node[i], before) || node_differs(before, &node[i])))
		state_note_nodes_differ(st);
}
