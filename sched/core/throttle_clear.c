/* SPDX-License-Identifier: MIT */
/*
 * throttle_clear.c - when has a limit room again, if nothing else starts?
 *
 * Jobs are taken to run to their limits. What is counted in pieces (jobs, processors, memory)
 * falls at their ends; what is outstanding (PS, WC) falls all the time, along a line between
 * two ends whose slope is what the jobs that still run hold.
 */
#include <stdlib.h>

#include "sched/base/vec.h"
#include "throttle_inside.h"

static int compare_releases(const void *a, const void *b)
{
	const struct release *x = a, *y = b;

	if (x->left_s != y->left_s)
		return x->left_s < y->left_s ? -1 : 1;
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static bool is_of(const struct throttle *t, const struct counter *c, const struct job *job)
{
	enum cred_type type;

	if (c->cred != INDEX_NONE &&
	    throttle_cred(t, job, (enum cred_type)t->world.cred[c->cred].type) != c->cred)
		return false;
	if (c->second == INDEX_NONE)
		return true;
	type = (enum cred_type)t->world.cred[c->second].type;
	return throttle_cred(t, job, type) == c->second;
}

static void add_release(const struct throttle *t, struct counter *c, uint32_t slot)
{
	const struct job *job = &t->world.job[slot];
	int64_t left_s = job->state == JOB_RUNNING ? job_due_end_s(job) - t->world.now_s : job->wall_limit_s;

	if (!is_of(t, c, job))
		return;
	c->release = vec_room(c->release, &c->release_room, c->release_count + 1, sizeof *c->release);
	c->release[c->release_count++] = (struct release){left_s > 0 ? left_s : 1, slot};
}

static void list_releases(const struct throttle *t, struct counter *c)
{
	if (c->released)
		return;
	c->release_count = 0;
	for (uint32_t i = 0; i < t->world.running_count; i++)
		add_release(t, c, t->world.running[i]);
	for (uint32_t slot = 0; slot < t->world.job_count; slot++)
		if (t->mark[slot] == SLOT_STARTED)
			add_release(t, c, slot);
	qsort(c->release, c->release_count, sizeof *c->release, compare_releases);
	c->released = true;
}

/* What a job gives back: each second while it runs, or all of it at its end. */
static int64_t share_of(const struct throttle *t, enum limit_kind kind, uint32_t slot)
{
	const struct job *job = &t->world.job[slot];

	if (kind == LIMIT_WC)
		return 1;
	return throttle_amount(kind == LIMIT_PS ? LIMIT_PROC : kind, job, &t->world.machine, t->world.now_s);
}

int64_t throttle_clears(const struct throttle *t, struct counter *c, enum limit_kind kind, int64_t most)
{
	bool outstanding = kind == LIMIT_PS || kind == LIMIT_WC;
	int64_t used = c->active[kind], held = 0, at_s = 0;

	if (used <= most)
		return t->world.now_s;
	if (most < 0)
		return TIME_NEVER;
	list_releases(t, c);
	for (size_t i = 0; outstanding && i < c->release_count; i++)
		held = add_amounts(held, share_of(t, kind, c->release[i].slot));
	for (size_t i = 0; i < c->release_count; i++) {
		const struct release *r = &c->release[i];
		int64_t share = share_of(t, kind, r->slot);

		if (outstanding && held > 0 && used - most <= held * (r->left_s - at_s))
			return t->world.now_s + at_s + (used - most + held - 1) / held;
		used -= outstanding ? held * (r->left_s - at_s) : share;
		held -= outstanding ? share : 0;
		at_s = r->left_s;
		if (used <= most)
			return t->world.now_s + at_s;
	}
	return TIME_NEVER;
}
