/* SPDX-License-Identifier: MIT */
/*
 * plan_query.c - plans of the queue and of a draft, as the screens show them
 *
 * A plan query is built in three steps: the plan of the live queue; the events of the draft applied to a copy
 * of the state; the plan of this copy and its differences from the live plan.
 */
#include "plan_query.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/host/host.h"
#include "sched/rm/wallclock.h"
#include "sched/state/draft.h"
#include "sched/state/state.h"

/* --- plans of the queue and of a draft ---------------------------------------------------------------- */

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

/*
 * Gets a past state from the source. Called in the worker's thread; until it has returned, other threads do
 * not access the members of *p.
 */
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

static void build_draft(struct plan_query *o)
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

static void compare(struct plan_query *o)
{
	struct whatif_side live = side_of(&o->live), draft = side_of(o->draft.s ? &o->draft : &o->live);

	whatif_compare(&o->compared, &live, &draft);
}

void plan_query_build(struct plan_query *o)
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

void plan_query_reset(struct plan_query *o)
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

void plan_query_free(struct plan_query *o)
{
	if (!o)
		return;
	plan_query_reset(o);
	forecast_free(&o->live);
	forecast_free(&o->draft);
	whatif_clear(&o->compared);
	str_free(&o->effect);
	free(o);
}

struct plan_query *plan_query_hold(struct plan_query *o)
{
	o->holders++;
	return o;
}

void plan_query_drop(struct plan_query *o)
{
	if (o && --o->holders == 0)
		plan_query_free(o);
}

static void run(struct query *self)
{
	plan_query_build((struct plan_query *)self);
	self->whole = true;
}

static void drop(struct query *self)
{
	plan_query_drop((struct plan_query *)self);
}

const struct query_ops plan_query_ops = {.kind = QUERY_PLAN, .lane = LANE_NEAR, .run = run, .drop = drop};

/* --- lint findings of the state and of the draft ------------------------------------------------------ */

static struct lint_cache_key parts_of(const struct plan_query *o)
{
	struct lint_cache_key of = {.draft = o->draft.s != NULL ? o->proposal->number : 0};

	if (plan_query_is_past(o)) {
		of.past = o->picture->moment.seq;
		of.past_s = o->now_s;
	} else {
		of.version = o->picture->version;
	}
	return of;
}

static bool are_same(const struct lint_cache_key *a, const struct lint_cache_key *b)
{
	return a->version == b->version && a->past == b->past && a->past_s == b->past_s &&
	       a->draft == b->draft;
}

void lint_cache_take(struct lint_cache *f, const struct plan_query *o)
{
	struct lint_cache_key of = parts_of(o);

	if (f->known && are_same(&f->of, &of))
		return;
	f->known = true;
	f->of = of;
	lint_state(&f->live, o->live.s, &o->live.plan);
	f->draft.count = f->brought.count = 0;
	if (of.draft == 0)
		return;
	lint_state(&f->draft, o->draft.s, &o->draft.plan);
	lint_new(&f->brought, &f->live, &f->draft);
}

void lint_cache_free(struct lint_cache *f)
{
	lint_free(&f->live);
	lint_free(&f->draft);
	lint_free(&f->brought);
	f->known = false;
}

const struct lint_list *lint_cache_shown(const struct lint_cache *f)
{
	return f->of.draft != 0 ? &f->draft : &f->live;
}

bool lint_cache_is_new(const struct lint_cache *f, const struct config_finding *finding)
{
	for (size_t i = 0; i < f->brought.count; i++)
		if (strcmp(f->brought.item[i].id, finding->id) == 0 &&
		    strcmp(f->brought.item[i].option, finding->option) == 0)
			return true;
	return false;
}

size_t lint_cache_count(const struct lint_cache *f, enum config_subject subject,
			enum config_severity severity)
{
	const struct lint_list *shown = lint_cache_shown(f);
	size_t count = 0;

	for (size_t i = 0; i < shown->count; i++)
		count += shown->item[i].severity == severity &&
			 config_finding_subject(&shown->item[i]) == subject;
	return count;
}
