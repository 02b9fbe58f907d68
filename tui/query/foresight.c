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

/* About half a minute of processor time for queues that no budget of a verb reaches through: it is spent
 * beside the keys, and can be told to stop. */
#define FORESIGHT_WORK (10 * FUTURE_JOB_WORK)

struct habits *habits_new(enum assume_kind kind)
{
	struct habits *h = mem_zero(1, sizeof *h);

	h->holders = 1;
	h->kind = kind;
	return h;
}

struct habits *habits_hold(struct habits *h)
{
	h->holders++;
	return h;
}

void habits_drop(struct habits *h)
{
	if (!h || --h->holders > 0)
		return;
	accuracy_clear(&h->accuracy);
	free(h);
}

static struct ahead *ahead_new(void)
{
	struct ahead *a = mem_zero(1, sizeof *a);

	a->holders = 1;
	return a;
}

struct ahead *ahead_hold(struct ahead *a)
{
	a->holders++;
	return a;
}

void ahead_drop(struct ahead *a)
{
	if (!a || --a->holders > 0)
		return;
	project_clear(&a->run);
	never_clear(&a->never);
	free(a->start_s);
	free(a->placeholder);
	free(a);
}

const int64_t *ahead_starts(const struct ahead *a)
{
	return a->start_s ? a->start_s : a->run.start_s;
}

struct whatif_side ahead_side(const struct ahead *a, const struct forecast *f)
{
	return (struct whatif_side){.s = f->s, .plan = &f->plan, .start_s = ahead_starts(a)};
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

const struct work_ops foresight_work = {.run = run, .drop = drop};

bool foresight_same_queue(const struct foresight *f, const struct outlook *o, const struct habits *habits)
{
	return f->outlook->picture == o->picture && f->outlook->now_s == o->now_s && f->habits == habits;
}

bool foresight_same_draft(const struct foresight *f, const struct outlook *o)
{
	return f->outlook->proposal == o->proposal;
}

bool foresight_compares(const struct foresight *f)
{
	return f->draft && future_tier_of(&f->live->run) == FUTURE_FULL &&
	       future_tier_of(&f->draft->run) == FUTURE_FULL;
}

struct foresight *foresight_new(struct outlook *o, struct habits *habits, const struct foresight *before)
{
	struct foresight *f = mem_zero(1, sizeof *f);

	f->work.ops = &foresight_work;
	f->outlook = o;
	o->holders++;
	f->habits = habits ? habits_hold(habits) : NULL;
	f->live = before && foresight_same_queue(before, o, habits) ? ahead_hold(before->live) : ahead_new();
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
	habits_drop(f->habits);
	free(f->assumed.share);
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

/* With the placeholders of the jobs that a projection did not reach within its budget. */
static void merge_starts(struct ahead *a, const struct forecast *f)
{
	const struct job *jobs = snapshot_jobs(f->s);

	a->start_s = vec_room(a->start_s, &a->start_room, f->plan.slots, sizeof *a->start_s);
	a->placeholder =
		vec_room(a->placeholder, &a->placeholder_room, f->plan.slots, sizeof *a->placeholder);
	for (uint32_t slot = 0; slot < f->plan.slots; slot++) {
		struct future_start start = {.start_s = a->run.start_s[slot]};

		if (jobs[slot].state == JOB_IDLE)
			start = future_start_of(f->s, &f->plan, &a->run, slot);
		a->start_s[slot] = start.start_s;
		a->placeholder[slot] = start.placeholder;
	}
}

static bool run_ahead(struct foresight *f, struct ahead *a, const struct forecast *queue)
{
	struct running r = {.f = f, .before = atomic_load_explicit(&f->started, memory_order_relaxed)};
	struct future_setup setup = {.now_s = f->outlook->now_s,
				     .most_work = FORESIGHT_WORK,
				     .reasons = true,
				     .go_on = go_on,
				     .self = &r};

	if (a->done)
		return true;
	if (f->habits) {
		setup.assume = f->habits->kind;
		setup.accuracy = &f->habits->accuracy;
	}
	a->done = future_project(&a->run, &a->never, &f->assumed, queue->s, &setup);
	if (a->done && future_tier_of(&a->run) == FUTURE_PARTIAL)
		merge_starts(a, queue);
	return a->done;
}

static uint32_t to_start(const struct ahead *a, const struct snapshot *s)
{
	return a == NULL || a->done ? 0 : snapshot_count(s, TABLE_WAITING);
}

static void compare(struct foresight *f)
{
	const struct outlook *o = f->outlook;
	struct whatif_side live = ahead_side(f->live, &o->live);
	struct whatif_side draft = f->draft ? ahead_side(f->draft, &o->draft) : live;

	whatif_compare(&f->compared, &live, &draft);
}

bool foresight_build(struct foresight *f)
{
	const struct outlook *o = f->outlook;

	atomic_store(&f->waiting, to_start(f->live, o->live.s) + to_start(f->draft, o->draft.s));
	f->whole = run_ahead(f, f->live, &o->live) && (!f->draft || run_ahead(f, f->draft, &o->draft));
	if (f->whole)
		compare(f);
	return f->whole;
}

void foresight_settle(struct foresight *f)
{
	forecast_take(&f->outlook->live, &f->live->run, &f->live->never);
	if (f->draft)
		forecast_take(&f->outlook->draft, &f->draft->run, &f->draft->never);
}
