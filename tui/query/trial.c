/* SPDX-License-Identifier: MIT */
/*
 * trial.c - what did somebody ask about the draft: a setting through several values, or a job to start in
 * time?
 */
#include "trial.h"

#include <stdlib.h>

#include "sched/base/vec.h"

/* --- life --------------------------------------------------------------------------------- */

static void run(struct work *self)
{
	(void)trial_build((struct trial *)self);
}

static void drop(struct work *self)
{
	trial_free((struct trial *)self);
}

static const struct work_ops trial_work = {.run = run, .drop = drop};

static struct trial *trial_new(enum trial_kind kind, struct outlook *o, struct habits *habits, uint64_t job)
{
	struct trial *t = mem_zero(1, sizeof *t);

	t->work.ops = &trial_work;
	t->kind = kind;
	t->outlook = o;
	o->holders++;
	t->habits = habits ? habits_hold(habits) : NULL;
	t->job = job;
	return t;
}

struct trial *trial_sweep(struct outlook *o, struct habits *habits, uint64_t watch, const char *words,
			  struct err *err)
{
	struct trial *t = trial_new(TRIAL_SWEEP, o, habits, watch);

	if (sweep_words_read(&t->asked, o->live.s, words, &t->arena, err))
		return t;
	trial_free(t);
	return NULL;
}

struct trial *trial_goal(struct outlook *o, struct habits *habits, uint64_t job, int64_t by_s)
{
	struct trial *t = trial_new(TRIAL_GOAL, o, habits, job);

	t->by_s = by_s;
	return t;
}

void trial_free(struct trial *t)
{
	if (!t)
		return;
	outlook_drop(t->outlook);
	habits_drop(t->habits);
	sweep_clear(&t->sweep);
	goal_clear(&t->goal);
	arena_free(&t->arena);
	free(t);
}

/* --- building ------------------------------------------------------------------------------- */

static bool go_on(void *self)
{
	return !work_is_unwanted(&((struct trial *)self)->work);
}

static bool go_on_ahead(void *self, uint32_t started)
{
	(void)started;
	return go_on(self);
}

static void looked(void *self, size_t done, size_t of)
{
	struct trial *t = self;

	atomic_store_explicit(&t->of, of, memory_order_relaxed);
	atomic_store_explicit(&t->done, done, memory_order_relaxed);
}

static void looked_at_future(void *self, size_t futures)
{
	looked(self, futures, ((struct trial *)self)->asked.values + 1);
}

/* Where no value at all was taken, the first says why. */
static bool any_was_taken(struct trial *t)
{
	for (size_t i = 0; i < t->sweep.points; i++)
		if (!t->sweep.point[i].refused)
			return true;
	t->err = t->sweep.point[0].err;
	return false;
}

static bool build_sweep(struct trial *t)
{
	const struct outlook *o = t->outlook;
	const struct cmd_changes *changes = o->proposal ? &o->proposal->changes : NULL;
	struct sweep_setup setup = {.ev = changes ? changes->event : NULL,
				    .count = changes ? changes->count : 0,
				    .name = t->asked.name,
				    .value = t->asked.value,
				    .values = t->asked.values,
				    .watch = t->job,
				    .looked = looked_at_future};

	setup.ahead = (struct future_setup){.now_s = o->now_s, .full = true, .go_on = go_on_ahead, .self = t};
	if (t->habits) {
		setup.ahead.assume = t->habits->kind;
		setup.ahead.accuracy = &t->habits->accuracy;
	}
	return sweep_find(&t->sweep, o->live.s, &setup) && any_was_taken(t);
}

const struct forecast *trial_base(const struct trial *t)
{
	return t->outlook->draft.s ? &t->outlook->draft : &t->outlook->live;
}

static bool build_goal(struct trial *t)
{
	const struct forecast *base = trial_base(t);
	struct goal_setup setup = {.s = base->s,
				   .plan = &base->plan,
				   .job = t->job,
				   .now_s = t->outlook->now_s,
				   .by_s = t->by_s,
				   .looked = looked,
				   .go_on = go_on,
				   .self = t};

	if (t->habits) {
		setup.assume = t->habits->kind;
		setup.accuracy = &t->habits->accuracy;
	}
	return goal_find(&t->goal, &setup, &t->err);
}

bool trial_build(struct trial *t)
{
	t->whole = t->kind == TRIAL_SWEEP ? build_sweep(t) : build_goal(t);
	if (work_is_unwanted(&t->work))
		t->whole = false;
	return t->whole;
}
