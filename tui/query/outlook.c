/* SPDX-License-Identifier: MIT */
/*
 * outlook.c - what does the screen look at?
 *
 * Three steps: the plan of the queue as it is; the draft's events on a copy of the state;
 * the plan of that copy, and how the two differ.
 */
#include "outlook.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/host/host.h"
#include "sched/rm/wallclock.h"
#include "sched/state/draft.h"
#include "sched/state/state.h"

struct picture *picture_take(const struct source *source)
{
	struct picture *p = mem_alloc(sizeof *p);

	*p = (struct picture){.holders = 1, .source = *source, .shared = source->ops->hold(source->self)};
	p->s = p->shared->s;
	p->version = p->shared->version;
	return p;
}

struct picture *picture_of_past(const struct source *source, struct store *store, struct store_moment moment)
{
	struct picture *p = mem_alloc(sizeof *p);

	*p = (struct picture){
		.holders = 1, .source = *source, .is_past = true, .store = store, .moment = moment};
	return p;
}

/* In the worker's thread, while nobody else has more than the address. */
static bool fetch_past(struct picture *p, struct err *err)
{
	struct store_moment m = p->moment;

	if (!p->source.ops->fetch_past(p->source.self, &m, &p->fetched, err))
		return false;
	p->s = p->fetched.s;
	return true;
}

static bool load_past(struct picture *p, struct err *err)
{
	struct store_moment m = p->moment;

	if (!p->store)
		return fetch_past(p, err);
	if (m.seq == 0 && !store_moment_of_time(p->store, m.time_s, &m, wallclock, err))
		return false;
	p->past = store_state_after(p->store, m.seq, err);
	if (p->past)
		p->s = state_view(p->past);
	return p->past != NULL;
}

struct picture *picture_hold(struct picture *p)
{
	p->holders++;
	return p;
}

void picture_drop(struct picture *p)
{
	if (!p || --p->holders > 0)
		return;
	if (p->shared)
		p->source.ops->release(p->source.self, p->shared);
	state_free(p->past);
	if (p->fetched.s)
		p->source.ops->drop_past(&p->fetched);
	free(p);
}

struct proposal *proposal_hold(struct proposal *p)
{
	p->holders++;
	return p;
}

void proposal_drop(struct proposal *p)
{
	if (!p || --p->holders > 0)
		return;
	cmd_changes_clear(&p->changes);
	free(p);
}

static void build_draft(struct outlook *o)
{
	const struct cmd_changes *changes = &o->proposal->changes;

	o->changed = draft_make(o->live.s, changes->event, changes->count, NULL, &o->err);
	o->refused = !o->changed;
	if (o->refused)
		return;
	forecast_build(&o->draft, state_view(o->changed), o->now_s);
	plan_compare(&o->live.plan, o->live.s, &o->draft.plan, o->draft.s, &o->change);
	cmd_print_effect(o->live.s, &o->change, &o->effect);
}

static struct whatif_side side_of(const struct forecast *f)
{
	return (struct whatif_side){.s = f->s, .plan = &f->plan, .start_s = f->plan.start_s};
}

static void compare(struct outlook *o)
{
	struct whatif_side live = side_of(&o->live), draft = side_of(o->draft.s ? &o->draft : &o->live);

	whatif_compare(&o->compared, &live, &draft);
}

void outlook_build(struct outlook *o)
{
	const struct snapshot *s;

	if (o->picture->is_past && !o->picture->s)
		o->lost = !load_past(o->picture, &o->err);
	if (o->lost)
		return;
	s = o->picture->s;
	if (o->now_s < s->now_s)
		o->now_s = s->now_s;
	forecast_build(&o->live, s, o->now_s);
	if (o->proposal)
		build_draft(o);
	if (o->compares)
		compare(o);
}

void outlook_reset(struct outlook *o)
{
	picture_drop(o->picture);
	proposal_drop(o->proposal);
	state_free(o->changed);
	o->picture = NULL;
	o->proposal = NULL;
	o->changed = NULL;
	o->live.s = o->draft.s = NULL;
	o->change = (struct plan_change){0};
	o->refused = o->lost = false;
	o->err.text[0] = '\0';
	o->compares = false;
	str_clear(&o->effect);
}

void outlook_free(struct outlook *o)
{
	if (!o)
		return;
	outlook_reset(o);
	forecast_free(&o->live);
	forecast_free(&o->draft);
	whatif_clear(&o->compared);
	str_free(&o->effect);
	free(o);
}

void outlook_drop(struct outlook *o)
{
	if (o && --o->holders == 0)
		outlook_free(o);
}

static void run(struct work *self)
{
	outlook_build((struct outlook *)self);
}

static void drop(struct work *self)
{
	outlook_drop((struct outlook *)self);
}

const struct work_ops outlook_work = {.run = run, .drop = drop};
