/* SPDX-License-Identifier: MIT */
/*
 * unblock.c - which single change would start a job in time, and what would it cost others?
 *
 * First the future without any; then what could be tried is tried, by unblock_try.c; where nothing does what
 * was asked, what comes nearest.
 */
#include "unblock.h"

#include <stdlib.h>

#include "unblock_inside.h"

static int by_cost(const void *a, const void *b)
{
	const struct unblock_change *one = a, *two = b;
	int cost = search_compare(one, two);

	if (cost != 0)
		return cost;
	return one->ev.kind != two->ev.kind ? (one->ev.kind < two->ev.kind ? -1 : 1)
					    : (one->ev.job > two->ev.job) - (one->ev.job < two->ev.job);
}

const char *unblock_search_name(enum unblock_search search)
{
	static const char *const names[] = {"none", "complete", "budget"};

	return names[search];
}

const char *unblock_part_name(enum unblock_part part)
{
	static const char *const names[] = {"job", "limits", "site", "others"};

	return names[part];
}

static void try_all(struct search *s, int64_t by_s)
{
	s->by_s = by_s;
	s->part = UNBLOCK_OF_JOB;
	search_job(s);
	s->part = UNBLOCK_OF_LIMITS;
	search_limits(s);
	s->part = UNBLOCK_OF_SITE;
	search_site(s);
	s->part = UNBLOCK_OF_OTHERS;
	search_others(s);
}

/* Lets what comes next spend a part, in percent, of what is left of the budget. */
static void allow(struct search *s, unsigned percent)
{
	uint64_t most = s->setup->most_work, left = most > s->work ? most - s->work : 0;

	if (most > 0)
		s->allowance = s->work + left / 100 * percent + 1;
}

/* How soon any single change would start it: sooner than without, or TIME_NEVER. */
static int64_t probe(struct search *s)
{
	s->probing = true;
	s->soonest_s = s->base.start_s[s->slot];
	allow(s, 60);
	try_all(s, s->base.last_s);
	s->probing = false;
	return s->soonest_s < s->base.start_s[s->slot] ? s->soonest_s : TIME_NEVER;
}

/* When nothing does what was asked: what comes nearest. A number that was found within what the probe allows
 * may do better than the probe. */
static void find_soonest(struct search *s)
{
	struct unblock *out = s->out;

	out->by_s = probe(s);
	if (s->stopped || out->by_s == TIME_NEVER)
		return;
	allow(s, 100);
	try_all(s, out->by_s);
	for (size_t i = 0; i < out->count; i++)
		if (out->change[i].starts_s < out->by_s)
			out->by_s = out->change[i].starts_s;
}

bool unblock_proven(const struct unblock *u)
{
	return u->never.gate != GATE_NONE;
}

bool unblock_find(struct unblock *out, const struct snapshot *s, uint32_t slot,
		  const struct unblock_setup *setup)
{
	struct search search = {
		.out = out, .s = s, .setup = setup, .slot = slot, .job = &snapshot_jobs(s)[slot]};

	out->count = 0;
	out->left = 0;
	arena_reset(&out->arena);
	explain_why(s, slot, setup->now_s, &search.plan, &search.why);
	search_itself(&search);
	out->by_s = setup->by_s;
	allow(&search, 50);
	if (!search.stopped && out->start_s > setup->by_s)
		try_all(&search, setup->by_s);
	if (!search.stopped && out->start_s > setup->by_s && out->count == 0)
		find_soonest(&search);
	if (search.stopped)
		out->count = 0;
	out->search = out->left != 0 ? UNBLOCK_BUDGET : UNBLOCK_COMPLETE;
	if (out->count > 0)
		qsort(out->change, out->count, sizeof *out->change, by_cost);
	plan_clear(&search.plan);
	project_clear(&search.base);
	project_clear(&search.trial);
	free(search.probed_s);
	return !search.stopped;
}

void unblock_clear(struct unblock *u)
{
	free(u->change);
	arena_free(&u->arena);
	*u = (struct unblock){.change = NULL};
}
