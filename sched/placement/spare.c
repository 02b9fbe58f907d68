/* SPDX-License-Identifier: MIT */
/*
 * placement_spare.c - where is room for a job, now and later? What guards leave over time.
 */
#include "placement_state.h"

int64_t placement_next_change(struct placement *p, int64_t at_s)
{
	int64_t next_s = profile_next(placement_profile(p), at_s);

	for (uint32_t g = 0; g < p->advance_count; g++) {
		if (p->advance[g].begin_s > at_s && p->advance[g].begin_s < next_s)
			next_s = p->advance[g].begin_s;
		if (p->advance[g].end_s > at_s && p->advance[g].end_s < next_s)
			next_s = p->advance[g].end_s;
	}
	return next_s;
}

int64_t placement_spare(struct placement *p, uint32_t node, int64_t begin_s, int64_t end_s)
{
	int64_t least = INT64_MAX, whole = snapshot_nodes(p->s)[node].procs;
	const struct timeline *c;

	claims_build(p);
	c = timeline_of(p, node);
	if (begin_s < p->now_s)
		begin_s = p->now_s;
	for (uint32_t i = timeline_at(c, begin_s); i < c->count && c->step[i].at_s < end_s; i++) {
		int64_t spare = whole - timeline_held(p, c, i, ALLOC_PROCS) -
				advance_kept(p, node, GUEST_OF_NONE, c->step[i].at_s);

		least = spare < least ? spare : least;
	}
	return least;
}

void placement_count_reservation(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 const struct alloc_run *runs, uint32_t count)
{
	claims_build(p);
	claim_take(p, slot, begin_s, end_s, runs, count);
}

/* Takes from the profile what guards keep of a node from one of its moments to the next. */
static void take_kept(struct placement *p, uint32_t node, const struct timeline *c, uint32_t i)
{
	int64_t begin_s = c->step[i].at_s, end_s = i + 1 < c->count ? c->step[i + 1].at_s : TIME_NEVER;
	int64_t left = snapshot_nodes(p->s)[node].procs - timeline_held(p, c, i, ALLOC_PROCS);
	int64_t kept = advance_kept(p, node, GUEST_OF_NONE, begin_s), least;

	kept = kept < left ? kept : left;
	if (kept <= 0)
		return;
	least = profile_least(placement_profile(p), begin_s, end_s);
	profile_take(placement_profile(p), begin_s, end_s, kept < least ? kept : least);
}

void placement_take_advances(struct placement *p)
{
	for (uint32_t n = 0; p->advance_count > 0 && n < snapshot_count(p->s, TABLE_NODES); n++) {
		const struct timeline *c;

		claims_build(p);
		if (!advances_on_node(p, n))
			continue;
		c = timeline_of(p, n);
		for (uint32_t i = 0; i < c->count; i++)
			take_kept(p, n, c, i);
	}
}
