/* SPDX-License-Identifier: MIT */
/*
 * room_moment.c - where is room for a job, now and later? What is held of a node at each moment.
 *
 * A node's claims added up: its moments in order, each in force until the next, the last for ever.
 * They are made when a node is first asked about later moments, and kept up to date from
 * then on; most nodes are never asked.
 */
#include <stdlib.h>
#include <string.h>

#include "placement_state.h"
#include "sched/base/vec.h"

static int64_t *amounts_of(const struct placement *p, struct timeline *c, uint32_t i)
{
	return &c->amount[(size_t)i * p->kinds];
}

/* The moment in force at at_s, which is not before the first. */
static uint32_t place_of(const struct timeline *c, int64_t at_s)
{
	uint32_t low = 0, high = c->count;

	if (c->step[high - 1].at_s <= at_s)
		return high - 1;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (c->step[middle].at_s <= at_s)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Makes sure that a moment begins at at_s, which is not before the first; its index. */
static uint32_t cut(const struct placement *p, struct timeline *c, int64_t at_s)
{
	uint32_t before = place_of(c, at_s), at = before + 1, behind = c->count - at;

	if (c->step[before].at_s == at_s)
		return before;
	c->step = vec_room(c->step, &c->step_cap, (size_t)c->count + 1, sizeof *c->step);
	c->amount = vec_room(c->amount, &c->amount_cap, ((size_t)c->count + 1) * p->kinds, sizeof *c->amount);
	memmove(&c->step[at + 1], &c->step[at], behind * sizeof *c->step);
	memmove(amounts_of(p, c, at + 1), amounts_of(p, c, at), behind * p->kinds * sizeof *c->amount);
	c->step[at] = (struct step){.at_s = at_s, .reservations = c->step[before].reservations};
	memcpy(amounts_of(p, c, at), amounts_of(p, c, before), p->kinds * sizeof *c->amount);
	c->count++;
	return at;
}

static void add_amounts(const struct placement *p, int64_t *amount, const struct claim *claim, int sign)
{
	const struct job *job = placement_job(p, claim->slot);

	amount[0] += sign * (int64_t)claim->procs;
	for (int kind = ALLOC_PROCS + 1; kind < ALLOC_KIND_COUNT && p->kinds > 1; kind++)
		if (p->kind_at[kind] >= 0)
			amount[p->kind_at[kind]] += sign * (int64_t)claim->tasks * alloc_requested(job, kind);
}

static void add(const struct placement *p, struct timeline *c, const struct claim *claim, int sign)
{
	uint32_t begin = cut(p, c, claim->begin_s > p->now_s ? claim->begin_s : p->now_s);
	uint32_t end = claim->end_s == TIME_NEVER ? c->count : cut(p, c, claim->end_s);

	if (c->step[begin].at_s > c->last_begin_s)
		c->last_begin_s = c->step[begin].at_s;
	c->step[begin].begins = (uint32_t)((int64_t)c->step[begin].begins + sign);
	for (uint32_t i = begin; i < end; i++) {
		add_amounts(p, amounts_of(p, c, i), claim, sign);
		if (claim->kind == CLAIM_LATER)
			c->step[i].reservations = (uint32_t)((int64_t)c->step[i].reservations + sign);
	}
}

/* What is left for whom changes where a guard begins and ends, too. */
static void cut_at_advances(const struct placement *p, uint32_t node, struct timeline *c)
{
	const struct advance_reservation *g;

	for (uint32_t i = 0; (g = advance_on(p, node, i)) != NULL; i++) {
		if (g->begin_s > p->now_s) {
			uint32_t at = cut(p, c, g->begin_s);

			c->step[at].begins++;
		}
		if (g->end_s != TIME_NEVER)
			cut(p, c, g->end_s);
	}
}

/* Those that end last stand first in the list, so most begin and end at the front. */
static void add_up(struct placement *p, uint32_t node)
{
	struct timeline *c = &p->timeline[node];

	placement_need_machine(p);
	c->step = vec_room(c->step, &c->step_cap, 1, sizeof *c->step);
	c->amount = vec_room(c->amount, &c->amount_cap, p->kinds, sizeof *c->amount);
	c->step[0] = (struct step){.at_s = p->now_s};
	memset(c->amount, 0, p->kinds * sizeof *c->amount);
	c->count = 1;
	c->last_begin_s = TIME_NONE;
	for (uint32_t i = p->node_claims[node].first; i != INDEX_NONE; i = p->claim[i].next)
		add(p, c, &p->claim[i], 1);
	cut_at_advances(p, node, c);
}

void timeline_change(struct placement *p, uint32_t node, const struct claim *claim, int sign)
{
	if (p->timeline[node].count > 0)
		add(p, &p->timeline[node], claim, sign);
}

struct timeline *timeline_of(struct placement *p, uint32_t node)
{
	if (p->timeline[node].count == 0)
		add_up(p, node);
	return &p->timeline[node];
}

uint32_t timeline_at(const struct timeline *c, int64_t at_s)
{
	return place_of(c, at_s);
}

int64_t timeline_next_begin(const struct timeline *c, int64_t at_s)
{
	if (c->last_begin_s < at_s)
		return TIME_NEVER;
	for (uint32_t i = place_of(c, at_s); i < c->count; i++)
		if (c->step[i].begins > 0 && c->step[i].at_s >= at_s)
			return c->step[i].at_s;
	return TIME_NEVER;
}

void timelines_reset(struct placement *p, uint32_t nodes)
{
	size_t before = p->timeline_cap;

	p->timeline = vec_room(p->timeline, &p->timeline_cap, nodes, sizeof *p->timeline);
	if (p->timeline_cap > before)
		memset(&p->timeline[before], 0, (p->timeline_cap - before) * sizeof *p->timeline);
	for (uint32_t n = 0; n < nodes; n++)
		p->timeline[n].count = 0;
}

void timelines_free(struct placement *p)
{
	for (size_t i = 0; i < p->timeline_cap; i++) {
		free(p->timeline[i].step);
		free(p->timeline[i].amount);
	}
	free(p->timeline);
}
