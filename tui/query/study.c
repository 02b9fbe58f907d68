/* SPDX-License-Identifier: MIT */
/*
 * study.c - which edit of the draft does what, and what is odd about it?
 */
#include "study.h"

#include <stdlib.h>

#include "sched/base/vec.h"

/* --- life --------------------------------------------------------------------------------- */

struct study *study_new(const struct foresight *f, bool singly)
{
	struct study *s = mem_zero(1, sizeof *s);

	s->work.ops = &study_work;
	s->outlook = f->outlook;
	s->outlook->holders++;
	s->habits = f->habits ? habits_hold(f->habits) : NULL;
	s->live = ahead_hold(f->live);
	s->singly = singly;
	return s;
}

void study_free(struct study *s)
{
	if (!s)
		return;
	outlook_drop(s->outlook);
	habits_drop(s->habits);
	ahead_drop(s->live);
	ablate_clear(&s->ablate);
	lint_free(&s->odd);
	free(s);
}

static void run(struct work *self)
{
	(void)study_build((struct study *)self);
}

static void drop(struct work *self)
{
	study_free((struct study *)self);
}

const struct work_ops study_work = {.run = run, .drop = drop};

/* --- building ------------------------------------------------------------------------------- */

static bool go_on(void *self, uint32_t started)
{
	struct study *s = self;

	(void)started;
	return !work_is_unwanted(&s->work);
}

static void find_odd(struct study *s)
{
	const struct outlook *o = s->outlook;
	struct lint_list before = {0}, after = {0};

	lint_state(&before, o->live.s, &o->live.plan);
	lint_state(&after, o->draft.s, &o->draft.plan);
	lint_new(&s->odd, &before, &after);
	lint_free(&before);
	lint_free(&after);
}

/* What was accepted as a whole is not refused here; if it were, the edits would stay without a word. */
static void try_each(struct study *s)
{
	const struct outlook *o = s->outlook;
	const struct cmd_changes *changes = &o->proposal->changes;
	struct future_setup setup = {.now_s = o->now_s, .full = true, .go_on = go_on, .self = s};
	struct whatif_side live = ahead_side(s->live, &o->live);
	struct err err;

	if (s->habits) {
		setup.assume = s->habits->kind;
		setup.accuracy = &s->habits->accuracy;
	}
	if (!ablate_find(&s->ablate, o->live.s, &live, changes->event, changes->count, &setup, &err))
		ablate_clear(&s->ablate);
}

bool study_build(struct study *s)
{
	find_odd(s);
	if (s->singly)
		try_each(s);
	s->whole = !work_is_unwanted(&s->work);
	return s->whole;
}
