/* SPDX-License-Identifier: MIT */
/*
 * room_machine.c - where is room for a job, now and later? What the machine has, and how nodes are taken.
 */
#include <string.h>

#include "room_inside.h"
#include "sched/base/vec.h"

static bool has_answer(const struct snapshot *s, const struct job *job)
{
	return job->order != 0 && strcmp(snapshot_string(s, job->order), JOB_NO_ANSWER) != 0;
}

enum allocation_policy room_policy(const struct snapshot *s, const struct job *job, bool now)
{
	unsigned policy = job->allocation > 0 ? job->allocation - 1u : s->policy.allocation;

	if ((policy == ALLOCATE_CPULOAD && !now) || (policy == ALLOCATE_LOCAL && !has_answer(s, job)))
		return ALLOCATE_MINRESOURCE;
	return (enum allocation_policy)policy;
}

/* Generic resources are added up only where there are kinds of them. */
static void add_gres(struct room *r)
{
	uint32_t kinds = 0; /* bits that are named, which need not follow on each other, up to the last */

	for (uint32_t i = 0; i < snapshot_count(r->s, TABLE_TRAITS); i++)
		if (snapshot_traits(r->s)[i].kind == TRAIT_GRES && snapshot_traits(r->s)[i].bit >= kinds)
			kinds = snapshot_traits(r->s)[i].bit + 1u;
	for (uint32_t n = 0; n < snapshot_count(r->s, TABLE_NODES) && kinds > 0; n++)
		for (uint32_t k = 0; k < kinds; k++)
			r->machine.of[ALLOC_GRES + k] += snapshot_nodes(r->s)[n].gres[k];
}

void room_need_machine(struct room *r)
{
	if (r->knows_machine)
		return;
	r->knows_machine = true;
	r->speeds = nodealloc_speeds(snapshot_nodes(r->s), snapshot_count(r->s, TABLE_NODES));
	r->machine = (struct alloc_amounts){{[ALLOC_PROCS] = r->s->procs_total,
					     [ALLOC_MEM] = r->s->mem_mb_total,
					     [ALLOC_SWAP] = r->s->swap_mb_total,
					     [ALLOC_DISK] = r->s->disk_mb_total}};
	add_gres(r);
	r->kinds = 0;
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		r->kind_at[kind] = -1;
		if (kind == ALLOC_PROCS || r->machine.of[kind] > 0)
			r->kind_at[kind] = (int8_t)r->kinds++;
	}
}

const uint32_t *room_line(struct room *r, enum allocation_policy policy)
{
	uint32_t nodes = snapshot_count(r->s, TABLE_NODES);

	if (policy != ALLOCATE_CONTIGUOUS)
		return NULL;
	if (!r->has_line) {
		r->line = vec_room(r->line, &r->line_room, nodes, sizeof *r->line);
		nodealloc_line(snapshot_nodes(r->s), nodes, r->line);
		r->has_line = true;
	}
	return r->line;
}
