/* SPDX-License-Identifier: MIT */
/*
 * room_machine.c - where is room for a job, now and later? What the machine has, and how nodes are taken.
 */
#include <string.h>

#include "placement_state.h"
#include "sched/base/vec.h"

static bool has_answer(const struct snapshot *s, const struct job *job)
{
	return job->order != 0 && strcmp(snapshot_string(s, job->order), JOB_NO_ANSWER) != 0;
}

enum allocation_policy placement_policy(const struct snapshot *s, const struct job *job, bool now)
{
	unsigned policy = job->allocation > 0 ? job->allocation - 1u : s->policy.allocation;

	if ((policy == ALLOCATE_CPULOAD && !now) || (policy == ALLOCATE_LOCAL && !has_answer(s, job)))
		return ALLOCATE_MINRESOURCE;
	return (enum allocation_policy)policy;
}

/* Generic resources are added up only where there are kinds of them. */
static void add_gres(struct placement *p)
{
	uint32_t kinds = 0; /* bits that are named, which need not follow on each other, up to the last */

	for (uint32_t i = 0; i < snapshot_count(p->s, TABLE_TRAITS); i++)
		if (snapshot_traits(p->s)[i].kind == TRAIT_GRES && snapshot_traits(p->s)[i].bit >= kinds)
			kinds = snapshot_traits(p->s)[i].bit + 1u;
	for (uint32_t n = 0; n < snapshot_count(p->s, TABLE_NODES) && kinds > 0; n++)
		for (uint32_t k = 0; k < kinds; k++)
			p->machine.of[ALLOC_GRES + k] += snapshot_nodes(p->s)[n].gres[k];
}

void placement_need_machine(struct placement *p)
{
	if (p->knows_machine)
		return;
	p->knows_machine = true;
	p->speeds = nodealloc_speeds(snapshot_nodes(p->s), snapshot_count(p->s, TABLE_NODES));
	p->machine = (struct alloc_amounts){{[ALLOC_PROCS] = p->s->procs_total,
					     [ALLOC_MEM] = p->s->mem_mb_total,
					     [ALLOC_SWAP] = p->s->swap_mb_total,
					     [ALLOC_DISK] = p->s->disk_mb_total}};
	add_gres(p);
	p->kinds = 0;
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		p->kind_at[kind] = -1;
		if (kind == ALLOC_PROCS || p->machine.of[kind] > 0)
			p->kind_at[kind] = (int8_t)p->kinds++;
	}
}

const uint32_t *placement_line(struct placement *p, enum allocation_policy policy)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES);

	if (policy != ALLOCATE_CONTIGUOUS)
		return NULL;
	if (!p->has_line) {
		p->line = vec_room(p->line, &p->line_cap, nodes, sizeof *p->line);
		nodealloc_line(snapshot_nodes(p->s), nodes, p->line);
		p->has_line = true;
	}
	return p->line;
}
