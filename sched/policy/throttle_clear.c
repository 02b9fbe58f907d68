/* SPDX-License-Identifier: MIT */
/*
 * throttle_clear.c - when has a limit room again, if nothing else starts?
 *
 * Jobs are taken to run to their limits. What is counted in pieces (jobs, processors, memory)
 * falls at their ends; what is outstanding (PS, WC) falls all the time, along a line between
 * two ends. So what is in use after each end says it all; it is added up from the last end
 * to the first, once for a counter, and the moment is found by bisection.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "throttle_inside.h"

static int compare_releases(const void *a, const void *b)
{
	const struct release *x = a, *y = b;

	return (x->left_s > y->left_s) - (x->left_s < y->left_s);
}

/* How many nodes a job can be held on may cost a look at all nodes: no such look without a limit on them. */
static int64_t count_for_clear(const struct throttle *t, enum limit_kind kind, const struct job *job)
{
	return kind == LIMIT_NODE && (t->kinds >> LIMIT_NODE & 1) == 0 ? 0 : throttle_count(t, kind, job);
}

/* What a suspended job uses stays in use while nobody knows when the job is resumed. */
static void add_stuck(const struct throttle *t, struct counter *c, const struct job *job)
{
	for (int k = 0; k < LIMIT_KIND_COUNT; k++)
		c->stuck[k] = amount_add(c->stuck[k], count_for_clear(t, (enum limit_kind)k, job));
}

static void add_release(const struct throttle *t, struct counter *c, uint32_t slot)
{
	const struct job *job = &t->world.job[slot];
	int64_t left_s = throttle_count(t, LIMIT_WC, job);

	if (job_is_suspended(job)) {
		if (job->resume_s == 0) {
			add_stuck(t, c, job);
			return;
		}
		left_s = amount_take(job_due_end_s(job), t->world.now_s);
	}
	c->release = vec_room(c->release, &c->release_room, c->release_count + 1, sizeof *c->release);
	c->release[c->release_count++] = (struct release){.left_s = left_s > 0 ? left_s : 1, .slot = slot};
}

/* The kinds that some limit looks at, and those of which what is outstanding is made. */
static unsigned kinds_added_up(const struct throttle *t)
{
	return t->kinds | 1U << LIMIT_PROC | 1U << LIMIT_JOB;
}

/* From the last end to the first: what those that end later use at that moment. */
static void add_up(const struct throttle *t, struct counter *c)
{
	int64_t pieces[LIMIT_KIND_COUNT] = {0}, outstanding[LIMIT_KIND_COUNT] = {0};

	for (size_t i = c->release_count; i-- > 0;) {
		struct release *r = &c->release[i];
		int64_t until_next_s = i + 1 < c->release_count ? r[1].left_s - r->left_s : 0;

		outstanding[LIMIT_PS] =
			amount_add(outstanding[LIMIT_PS], amount_times(pieces[LIMIT_PROC], until_next_s));
		outstanding[LIMIT_WC] =
			amount_add(outstanding[LIMIT_WC], amount_times(pieces[LIMIT_JOB], until_next_s));
		for (int k = 0; k < LIMIT_KIND_COUNT; k++) {
			enum limit_kind kind = (enum limit_kind)k;

			if ((kinds_added_up(t) >> k & 1) == 0)
				continue;
			r->in_use[k] = kind_is_outstanding(kind) ? outstanding[k] : pieces[k];
			pieces[k] = amount_add(pieces[k], count_for_clear(t, kind, &t->world.job[r->slot]));
		}
	}
}

/* Running jobs are counted by their ends, and stand in a counter from the last to the first. */
static void sort_releases(struct counter *c)
{
	struct release *r = c->release;
	bool sorted = true;

	for (size_t i = 0; 2 * i + 1 < c->release_count; i++) {
		struct release first = r[i];

		r[i] = r[c->release_count - 1 - i];
		r[c->release_count - 1 - i] = first;
	}
	for (size_t i = 1; i < c->release_count && sorted; i++)
		sorted = r[i - 1].left_s <= r[i].left_s;
	if (!sorted)
		qsort(r, c->release_count, sizeof *r, compare_releases);
}

static void list_releases(const struct throttle *t, struct counter *c)
{
	if (c->released)
		return;
	c->release_count = 0;
	memset(c->stuck, 0, sizeof c->stuck);
	for (uint32_t m = c->member; m != INDEX_NONE; m = t->member[m].next)
		add_release(t, c, t->member[m].slot);
	sort_releases(c);
	add_up(t, c);
	c->released = true;
}

/* The first end after which at most so much is in use: after the last it is nothing. */
static size_t find_end(const struct counter *c, enum limit_kind kind, int64_t most)
{
	size_t low = 0, high = c->release_count - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->release[middle].in_use[kind] <= most)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

int64_t throttle_clears(const struct throttle *t, struct counter *c, enum limit_kind kind, int64_t most)
{
	const struct release *end;
	int64_t before = c->active[kind], from_s = 0, each_s;

	if (before <= most)
		return t->world.now_s;
	if (most < 0)
		return TIME_NEVER;
	list_releases(t, c);
	most -= c->stuck[kind];
	before = amount_take(before, c->stuck[kind]);
	if (most < 0 || c->release_count == 0)
		return TIME_NEVER;
	if (before <= most) /* sums that were cut */
		return t->world.now_s;
	end = &c->release[find_end(c, kind, most)];
	if (!kind_is_outstanding(kind))
		return t->world.now_s + end->left_s;
	if (end > c->release) {
		before = end[-1].in_use[kind];
		from_s = end[-1].left_s;
	}
	/* Between two ends as much goes away each second; less than one only of sums that were cut. */
	each_s = (before - end->in_use[kind]) / (end->left_s - from_s);
	return t->world.now_s + (each_s > 0 ? from_s + (before - most - 1) / each_s + 1 : end->left_s);
}
