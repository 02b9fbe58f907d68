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

#include "room_inside.h"
#include "sched/base/vec.h"

static int64_t *amounts_of(const struct room *r, struct course *c, uint32_t i)
{
	return &c->amount[(size_t)i * r->kinds];
}

/* The moment in force at at_s, which is not before the first. */
static uint32_t place_of(const struct course *c, int64_t at_s)
{
	uint32_t low = 0, high = c->count;

	if (c->moment[high - 1].at_s <= at_s)
		return high - 1;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (c->moment[middle].at_s <= at_s)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Makes sure that a moment begins at at_s, which is not before the first; its index. */
static uint32_t cut(const struct room *r, struct course *c, int64_t at_s)
{
	uint32_t before = place_of(c, at_s), at = before + 1, behind = c->count - at;

	if (c->moment[before].at_s == at_s)
		return before;
	c->moment = vec_room(c->moment, &c->moment_room, (size_t)c->count + 1, sizeof *c->moment);
	c->amount =
		vec_room(c->amount, &c->amount_room, ((size_t)c->count + 1) * r->kinds, sizeof *c->amount);
	memmove(&c->moment[at + 1], &c->moment[at], behind * sizeof *c->moment);
	memmove(amounts_of(r, c, at + 1), amounts_of(r, c, at), behind * r->kinds * sizeof *c->amount);
	c->moment[at] = (struct moment){.at_s = at_s, .promised = c->moment[before].promised};
	memcpy(amounts_of(r, c, at), amounts_of(r, c, before), r->kinds * sizeof *c->amount);
	c->count++;
	return at;
}

static void add_amounts(const struct room *r, int64_t *amount, const struct claim *claim, int sign)
{
	const struct job *job = room_job(r, claim->slot);

	amount[0] += sign * (int64_t)claim->procs;
	for (int kind = ALLOC_PROCS + 1; kind < ALLOC_KIND_COUNT && r->kinds > 1; kind++)
		if (r->kind_at[kind] >= 0)
			amount[r->kind_at[kind]] += sign * (int64_t)claim->tasks * alloc_asked(job, kind);
}

static void add(const struct room *r, struct course *c, const struct claim *claim, int sign)
{
	uint32_t begin = cut(r, c, claim->begin_s > r->now_s ? claim->begin_s : r->now_s);
	uint32_t end = claim->end_s == TIME_NEVER ? c->count : cut(r, c, claim->end_s);

	if (c->moment[begin].at_s > c->last_begin_s)
		c->last_begin_s = c->moment[begin].at_s;
	c->moment[begin].begins = (uint32_t)((int64_t)c->moment[begin].begins + sign);
	for (uint32_t i = begin; i < end; i++) {
		add_amounts(r, amounts_of(r, c, i), claim, sign);
		if (claim->kind == CLAIM_LATER)
			c->moment[i].promised = (uint32_t)((int64_t)c->moment[i].promised + sign);
	}
}

/* What is left for whom changes where a guard begins and ends, too. */
static void cut_at_guards(const struct room *r, uint32_t node, struct course *c)
{
	const struct guard *g;

	for (uint32_t i = 0; (g = guard_on(r, node, i)) != NULL; i++) {
		if (g->begin_s > r->now_s) {
			uint32_t at = cut(r, c, g->begin_s);

			c->moment[at].begins++;
		}
		if (g->end_s != TIME_NEVER)
			cut(r, c, g->end_s);
	}
}

/* Those that end last stand first in the list, so most begin and end at the front. */
static void add_up(struct room *r, uint32_t node)
{
	struct course *c = &r->course[node];

	room_need_machine(r);
	c->moment = vec_room(c->moment, &c->moment_room, 1, sizeof *c->moment);
	c->amount = vec_room(c->amount, &c->amount_room, r->kinds, sizeof *c->amount);
	c->moment[0] = (struct moment){.at_s = r->now_s};
	memset(c->amount, 0, r->kinds * sizeof *c->amount);
	c->count = 1;
	c->last_begin_s = TIME_NONE;
	for (uint32_t i = r->spot[node].first; i != INDEX_NONE; i = r->claim[i].next)
		add(r, c, &r->claim[i], 1);
	cut_at_guards(r, node, c);
}

void moment_change(struct room *r, uint32_t node, const struct claim *claim, int sign)
{
	if (r->course[node].count > 0)
		add(r, &r->course[node], claim, sign);
}

struct course *moment_course(struct room *r, uint32_t node)
{
	if (r->course[node].count == 0)
		add_up(r, node);
	return &r->course[node];
}

uint32_t moment_at(const struct course *c, int64_t at_s)
{
	return place_of(c, at_s);
}

int64_t moment_next_begin(const struct course *c, int64_t at_s)
{
	if (c->last_begin_s < at_s)
		return TIME_NEVER;
	for (uint32_t i = place_of(c, at_s); i < c->count; i++)
		if (c->moment[i].begins > 0 && c->moment[i].at_s >= at_s)
			return c->moment[i].at_s;
	return TIME_NEVER;
}

void moment_begin(struct room *r, uint32_t nodes)
{
	size_t before = r->course_room;

	r->course = vec_room(r->course, &r->course_room, nodes, sizeof *r->course);
	if (r->course_room > before)
		memset(&r->course[before], 0, (r->course_room - before) * sizeof *r->course);
	for (uint32_t n = 0; n < nodes; n++)
		r->course[n].count = 0;
}

void moment_free(struct room *r)
{
	for (size_t i = 0; i < r->course_room; i++) {
		free(r->course[i].moment);
		free(r->course[i].amount);
	}
	free(r->course);
}
