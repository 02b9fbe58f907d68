/* SPDX-License-Identifier: MIT */
/*
 * projection_query.c - full projections of the queue and of a draft, and of single edits
 *
 * A projection query finds the projected start of each job of a plan query. Its progress is the number of
 * jobs that have started so far, in the projections of the live queue and of the draft together.
 */
#include "projection_query.h"

#include <stdlib.h>

#include "sched/base/vec.h"

/* --- full projections of the queue and of the draft --------------------------------------------------- */

/*
 * Maximum work of a projection: about half a minute of CPU time. This is more than the budget of a verb, so
 * that longer queues are projected completely; the projection runs in the background and can be stopped.
 */
#define FORESIGHT_WORK (10 * FUTURE_JOB_WORK)

struct run_assumption *run_assumption_new(enum assume_kind kind)
{
	struct run_assumption *h = mem_zero(1, sizeof *h);

	h->holders = 1;
	h->kind = kind;
	return h;
}

struct run_assumption *run_assumption_hold(struct run_assumption *h)
{
	h->holders++;
	return h;
}

void run_assumption_drop(struct run_assumption *h)
{
	if (!h || --h->holders > 0)
		return;
	accuracy_clear(&h->accuracy);
	free(h);
}

static struct projected *ahead_new(void)
{
	struct projected *a = mem_zero(1, sizeof *a);

	a->holders = 1;
	return a;
}

static struct projected *projected_hold(struct projected *a)
{
	a->holders++;
	return a;
}

static void run(struct query *self);

static void projected_drop(struct projected *a)
{
	if (!a || --a->holders > 0)
		return;
	project_clear(&a->run);
	never_clear(&a->never);
	free(a->start_s);
	free(a->placeholder);
	free(a);
}

const int64_t *projected_starts(const struct projected *a)
{
	return a->start_s ? a->start_s : a->run.start_s;
}

/* Returns a projected queue as input for the functions of whatif.h. */
static struct whatif_side projected_side(const struct projected *a, const struct forecast *f)
{
	return (struct whatif_side){.s = f->s, .plan = &f->plan, .start_s = projected_starts(a)};
}

/* --- allocation --------------------------------------------------------------------------- */

static void run(struct query *self)
{
	(void)projection_query_build((struct projection_query *)self);
}

static void drop(struct query *self)
{
	projection_query_free((struct projection_query *)self);
}

static const struct query_ops estimate_ops = {
	.kind = QUERY_ESTIMATE, .lane = LANE_FAR, .run = run, .drop = drop};

static const struct query_ops assumed_ops = {
	.kind = QUERY_ASSUMED, .lane = LANE_FAR, .run = run, .drop = drop};

bool projection_query_same_queue(const struct projection_query *f, const struct plan_query *o,
				 const struct run_assumption *run_assumption)
{
	return f->query.plan_query->picture == o->picture && f->query.plan_query->now_s == o->now_s &&
	       f->run_assumption == run_assumption;
}

bool projection_query_same_draft(const struct projection_query *f, const struct plan_query *o)
{
	return f->query.plan_query->proposal == o->proposal;
}

bool projection_query_compares(const struct projection_query *f)
{
	return f->draft && future_tier_of(&f->live->run) == FUTURE_FULL &&
	       future_tier_of(&f->draft->run) == FUTURE_FULL;
}

struct projection_query *projection_query_new(struct plan_query *o, struct run_assumption *run_assumption,
					      const struct projection_query *before)
{
	struct projection_query *f = mem_zero(1, sizeof *f);

	f->query.ops = run_assumption != NULL ? &assumed_ops : &estimate_ops;
	f->query.plan_query = plan_query_hold(o);
	f->run_assumption = run_assumption ? run_assumption_hold(run_assumption) : NULL;
	f->live = before && projection_query_same_queue(before, o, run_assumption)
			  ? projected_hold(before->live)
			  : ahead_new();
	f->draft = o->draft.s ? ahead_new() : NULL;
	return f;
}

void projection_query_free(struct projection_query *f)
{
	if (!f)
		return;
	plan_query_drop(f->query.plan_query);
	projected_drop(f->live);
	projected_drop(f->draft);
	run_assumption_drop(f->run_assumption);
	free(f->assumed.share);
	whatif_clear(&f->compared);
	free(f);
}

/* --- evaluation ----------------------------------------------------------------------------- */

struct running {
	struct projection_query *f;
	uint32_t before; /* number of jobs started in the previous projections of this query */
};

static bool should_continue(void *self, uint32_t started)
{
	struct running *r = self;

	atomic_store_explicit(&r->f->started, r->before + started, memory_order_relaxed);
	return !query_is_unwanted(&r->f->query);
}

/*
 * Copies the projected starts, and adds placeholders for the jobs that the projection did not reach within
 * its budget.
 */
static void merge_starts(struct projected *a, const struct forecast *f)
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

static bool run_ahead(struct projection_query *f, struct projected *a, const struct forecast *queue)
{
	struct running r = {.f = f, .before = atomic_load_explicit(&f->started, memory_order_relaxed)};
	struct future_setup setup = {.now_s = f->query.plan_query->now_s,
				     .most_work = FORESIGHT_WORK,
				     .reasons = true,
				     .should_continue = should_continue,
				     .self = &r};

	if (a->done)
		return true;
	if (f->run_assumption) {
		setup.assume = f->run_assumption->kind;
		setup.accuracy = &f->run_assumption->accuracy;
	}
	a->done = future_project(&a->run, &a->never, &f->assumed, queue->s, &setup);
	if (a->done && future_tier_of(&a->run) == FUTURE_PARTIAL)
		merge_starts(a, queue);
	return a->done;
}

static uint32_t to_start(const struct projected *a, const struct snapshot *s)
{
	return a == NULL || a->done ? 0 : snapshot_count(s, TABLE_WAITING);
}

static void compare(struct projection_query *f)
{
	const struct plan_query *o = f->query.plan_query;
	struct whatif_side live = projected_side(f->live, &o->live);
	struct whatif_side draft = f->draft ? projected_side(f->draft, &o->draft) : live;

	whatif_compare(&f->compared, &live, &draft);
}

bool projection_query_build(struct projection_query *f)
{
	const struct plan_query *o = f->query.plan_query;

	atomic_store(&f->waiting, to_start(f->live, o->live.s) + to_start(f->draft, o->draft.s));
	f->query.whole = run_ahead(f, f->live, &o->live) && (!f->draft || run_ahead(f, f->draft, &o->draft));
	if (f->query.whole)
		compare(f);
	return f->query.whole;
}

void projection_query_settle(struct projection_query *f)
{
	forecast_take(&f->query.plan_query->live, &f->live->run, &f->live->never);
	if (f->draft)
		forecast_take(&f->query.plan_query->draft, &f->draft->run, &f->draft->never);
}

/* --- effect of each edit of a draft, and lint findings caused by the draft ---------------------------- */

/* --- allocation --------------------------------------------------------------------------- */

static void ablation_run(struct query *self)
{
	(void)ablation_query_build((struct ablation_query *)self);
}

static void ablation_drop(struct query *self)
{
	ablation_query_free((struct ablation_query *)self);
}

static const struct query_ops ablation_query_ops = {
	.kind = QUERY_ABLATION, .lane = LANE_FAR, .run = ablation_run, .drop = ablation_drop};

struct ablation_query *ablation_query_new(const struct projection_query *f, bool singly)
{
	struct ablation_query *s = mem_zero(1, sizeof *s);

	s->query.ops = &ablation_query_ops;
	s->query.plan_query = f->query.plan_query;
	s->query.plan_query->holders++;
	s->run_assumption = f->run_assumption ? run_assumption_hold(f->run_assumption) : NULL;
	s->live = projected_hold(f->live);
	s->singly = singly;
	return s;
}

void ablation_query_free(struct ablation_query *s)
{
	if (!s)
		return;
	plan_query_drop(s->query.plan_query);
	run_assumption_drop(s->run_assumption);
	projected_drop(s->live);
	ablate_clear(&s->ablate);
	lint_free(&s->odd);
	free(s);
}

/* --- evaluation ----------------------------------------------------------------------------- */

static bool ablation_should_continue(void *self, uint32_t started)
{
	struct ablation_query *s = self;

	(void)started;
	return !query_is_unwanted(&s->query);
}

static void find_odd(struct ablation_query *s)
{
	const struct plan_query *o = s->query.plan_query;
	struct lint_list before = {0}, after = {0};

	lint_state(&before, o->live.s, &o->live.plan);
	lint_state(&after, o->draft.s, &o->draft.plan);
	lint_new(&s->odd, &before, &after);
	lint_free(&before);
	lint_free(&after);
}

/*
 * Evaluates each edit. The draft was accepted as a whole, so its edits should not be refused here; if one is,
 * no effects are shown.
 */
static void try_each(struct ablation_query *s)
{
	const struct plan_query *o = s->query.plan_query;
	const struct cmd_changes *changes = &o->proposal->changes;
	struct future_setup setup = {
		.now_s = o->now_s, .full = true, .should_continue = ablation_should_continue, .self = s};
	struct whatif_side live = projected_side(s->live, &o->live);
	struct err err;

	if (s->run_assumption) {
		setup.assume = s->run_assumption->kind;
		setup.accuracy = &s->run_assumption->accuracy;
	}
	if (!ablate_find(&s->ablate, o->live.s, &live, changes->event, changes->count, &setup, &err))
		ablate_clear(&s->ablate);
}

bool ablation_query_build(struct ablation_query *s)
{
	find_odd(s);
	if (s->singly)
		try_each(s);
	s->query.whole = !query_is_unwanted(&s->query);
	return s->query.whole;
}
