/* SPDX-License-Identifier: MIT */
/*
 * foresight.c - how will it go on: with the queue as it is, and with the draft?
 *
 * The outlook has the snapshots, the plans with their order and the moment; what is added is when each job
 * starts and ends. Progress is counted in jobs that have started, over both queues.
 */
#include "foresight.h"

#include <stdlib.h>

#include "sched/base/vec.h"

static struct ahead *ahead_new(void)
{
	struct ahead *a = mem_zero(1, sizeof *a);

	a->holders = 1;
	return a;
}

static void ahead_drop(struct ahead *a)
{
	if (!a || --a->holders > 0)
		return;
	project_clear(&a->run);
	free(a);
}

/* --- life --------------------------------------------------------------------------------- */

static void run(struct work *self)
{
	(void)foresight_build((struct foresight *)self);
}

static void drop(struct work *self)
{
	foresight_free((struct foresight *)self);
}

static const struct work_ops foresight_work = {.run = run, .drop = drop};

bool foresight_same_queue(const struct foresight *f, const struct outlook *o)
{
	return f->outlook->picture == o->picture && f->outlook->now_s == o->now_s;
}

bool foresight_same_draft(const struct foresight *f, const struct outlook *o)
{
	return f->outlook->proposal == o->proposal;
}

struct foresight *foresight_new(struct outlook *o, const struct foresight *before)
{
	struct foresight *f = mem_zero(1, sizeof *f);

	f->work.ops = &foresight_work;
	f->outlook = o;
	o->holders++;
	f->live = before && foresight_same_queue(before, o) ? before->live : ahead_new();
	if (before && f->live == before->live)
		f->live->holders++;
	f->draft = o->draft.s ? ahead_new() : NULL;
	return f;
}

void foresight_free(struct foresight *f)
{
	if (!f)
		return;
	outlook_drop(f->outlook);
	ahead_drop(f->live);
	ahead_drop(f->draft);
	whatif_clear(&f->compared);
	free(f);
}

/* --- building ------------------------------------------------------------------------------- */

struct running {
	struct foresight *f;
	uint32_t before; /* jobs that started in what was run ahead before */
};

static bool go_on(void *self, uint32_t started)
{
	struct running *r = self;

	atomic_store_explicit(&r->f->started, r->before + started, memory_order_relaxed);
	return !work_is_unwanted(&r->f->work);
}

static bool run_ahead(struct foresight *f, struct ahead *a, const struct snapshot *s)
{
	struct running r = {.f = f, .before = atomic_load_explicit(&f->started, memory_order_relaxed)};
	struct project_setup setup = {
		.from_s = f->outlook->now_s, .until_s = TIME_NEVER, .go_on = go_on, .self = &r};

	if (!a->done)
		a->done = project_run(&a->run, s, &setup);
	return a->done;
}

static uint32_t to_start(const struct ahead *a, const struct snapshot *s)
{
	return a == NULL || a->done ? 0 : snapshot_count(s, TABLE_WAITING);
}

static void compare(struct foresight *f)
{
	const struct outlook *o = f->outlook;
	struct whatif_side live = {.s = o->live.s, .plan = &o->live.plan, .start_s = f->live->run.start_s};
	struct whatif_side draft = live;

	if (f->draft)
		draft = (struct whatif_side){
			.s = o->draft.s, .plan = &o->draft.plan, .start_s = f->draft->run.start_s};
	whatif_compare(&f->compared, &live, &draft);
}

bool foresight_build(struct foresight *f)
{
	const struct outlook *o = f->outlook;

	atomic_store(&f->waiting, to_start(f->live, o->live.s) + to_start(f->draft, o->draft.s));
	f->whole = run_ahead(f, f->live, o->live.s) && (!f->draft || run_ahead(f, f->draft, o->draft.s));
	if (f->whole)
		compare(f);
	return f->whole;
}
