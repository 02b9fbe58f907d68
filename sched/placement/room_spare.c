/* SPDX-License-Identifier: MIT */
/*
 * room_spare.c - where is room for a job, now and later? What guards leave over time.
 */
#include "room_inside.h"

int64_t room_next(struct room *r, int64_t at_s)
{
	int64_t next_s = profile_next(room_profile(r), at_s);

	for (uint32_t g = 0; g < r->guard_count; g++) {
		if (r->guard[g].begin_s > at_s && r->guard[g].begin_s < next_s)
			next_s = r->guard[g].begin_s;
		if (r->guard[g].end_s > at_s && r->guard[g].end_s < next_s)
			next_s = r->guard[g].end_s;
	}
	return next_s;
}

int64_t room_spare(struct room *r, uint32_t node, int64_t begin_s, int64_t end_s)
{
	int64_t least = INT64_MAX, whole = snapshot_nodes(r->s)[node].procs;
	const struct course *c;

	room_need_claims(r);
	c = moment_course(r, node);
	if (begin_s < r->now_s)
		begin_s = r->now_s;
	for (uint32_t i = moment_at(c, begin_s); i < c->count && c->moment[i].at_s < end_s; i++) {
		int64_t spare = whole - moment_held(r, c, i, ALLOC_PROCS) -
				guard_kept(r, node, GUEST_OF_NONE, c->moment[i].at_s);

		least = spare < least ? spare : least;
	}
	return least;
}

void room_count_promise(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s,
			const struct alloc_run *runs, uint32_t count)
{
	room_need_claims(r);
	claim_take(r, slot, begin_s, end_s, runs, count);
}

/* Takes from the profile what guards keep of a node from one of its moments to the next. */
static void take_kept(struct room *r, uint32_t node, const struct course *c, uint32_t i)
{
	int64_t begin_s = c->moment[i].at_s, end_s = i + 1 < c->count ? c->moment[i + 1].at_s : TIME_NEVER;
	int64_t left = snapshot_nodes(r->s)[node].procs - moment_held(r, c, i, ALLOC_PROCS);
	int64_t kept = guard_kept(r, node, GUEST_OF_NONE, begin_s), least;

	kept = kept < left ? kept : left;
	if (kept <= 0)
		return;
	least = profile_least(room_profile(r), begin_s, end_s);
	profile_take(room_profile(r), begin_s, end_s, kept < least ? kept : least);
}

void room_guard_profile(struct room *r)
{
	for (uint32_t n = 0; r->guard_count > 0 && n < snapshot_count(r->s, TABLE_NODES); n++) {
		const struct course *c;

		room_need_claims(r);
		if (!guard_stands_on(r, n))
			continue;
		c = moment_course(r, n);
		for (uint32_t i = 0; i < c->count; i++)
			take_kept(r, n, c, i);
	}
}
