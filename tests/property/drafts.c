/* SPDX-License-Identifier: MIT */
/*
 * drafts.c - a discarded draft leaves no trace, and an applied one has the previewed effect
 *
 * A random cluster in the middle of its life and a random draft: settings, holds, priorities, jobs. The draft
 * is previewed as the console does, by the instant plan and the full projection. After it is discarded, the
 * hash of the state and the order are unchanged. After it is applied, the next pass has the previewed order
 * and starts; and if nothing else happens, every job starts at its previewed second.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tests/chance.h"
#include "tests/many.h"
#include "tests/played.h"
#include "tui/query/projection_query.h"

#define EDITS_MOST 5

static struct scene *in_the_middle(struct rng *rng, unsigned kinds)
{
	struct scene *sc = chance_scene(rng, kinds);

	for (unsigned i = 0; i < 20; i++) {
		chance_step(rng, sc, kinds, 6);
		scene_pass(sc);
	}
	for (unsigned i = 0; i < 10; i++)
		chance_submit(rng, sc, kinds);
	return sc;
}

/* --- a draft ------------------------------------------------------------------------------ */

static struct event any_setting(struct rng *rng, unsigned kinds, struct arena *arena)
{
	char value[32];
	const char *name = chance_setting(rng, kinds, value);

	return (struct event){
		.kind = EVENT_SETTING,
		.setting = {.name = arena_string(arena, name), .value = arena_string(arena, value)}};
}

static struct event any_hold(struct rng *rng, uint64_t job)
{
	static const uint8_t bits[] = {JOB_HOLD_USER, JOB_HOLD_SYSTEM, JOB_HOLD_BATCH};

	return (struct event){.kind = EVENT_HOLD,
			      .job = job,
			      .hold = {.bits = bits[chance_below(rng, 3)], .on = chance_below(rng, 3) > 0}};
}

static struct event any_priority(struct rng *rng, uint64_t job)
{
	return (struct event){
		.kind = EVENT_PRIORITY,
		.job = job,
		.priority = {.adjust = chance_below(rng, 2) ? JOB_ADJUST_RELATIVE : JOB_ADJUST_ABSOLUTE,
			     .points = (int64_t)chance_below(rng, 5000) - 2000}};
}

static struct event any_job(struct rng *rng, const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t waiting = snapshot_count(s, TABLE_WAITING);
	const struct job *like = &snapshot_jobs(s)[snapshot_waiting(s)[chance_below(rng, waiting)].slot];
	struct event ev = {.kind = EVENT_SUBMIT};

	ev.submit.job = (struct job){.tasks = 1 + chance_below(rng, 3),
				     .task_procs = 1,
				     .wall_limit_s = 50 + chance_below(rng, 200),
				     .submit_s = sc->now_s,
				     .not_before_s = TIME_NONE};
	ev.submit.cred[CRED_USER] = snapshot_job_cred(s, like, CRED_USER);
	return ev;
}

static struct event any_event(struct rng *rng, unsigned kinds, const struct scene *sc, struct arena *arena)
{
	uint64_t job = chance_waiting(rng, sc);

	switch (chance_below(rng, 6)) {
	case 0:
		return any_hold(rng, job);
	case 1:
		return any_priority(rng, job);
	case 2:
		return (struct event){.kind = EVENT_CANCEL, .job = job};
	case 3:
		return any_job(rng, sc);
	default:
		return any_setting(rng, kinds, arena);
	}
}

static struct proposal *any_draft(struct rng *rng, unsigned kinds, const struct scene *sc)
{
	struct proposal *p = mem_zero(1, sizeof *p);
	struct cmd_changes *c = &p->changes;

	p->holders = 1;
	c->count = 1 + chance_below(rng, EDITS_MOST);
	c->event = vec_room(c->event, &c->room, c->count, sizeof *c->event);
	for (size_t i = 0; i < c->count; i++) {
		c->event[i] = any_event(rng, kinds, sc, &c->arena);
		c->event[i].time_s = sc->now_s;
		c->event[i].who = "eva";
	}
	return p;
}

/* --- the preview ----------------------------------------------------------------------------- */

struct preview {
	struct picture picture; /* with an extra holder, so that it is never freed */
	struct plan_query *o;
	struct projection_query *f;
};

/* Takes ownership of the proposal. */
static void preview_begin(struct preview *l, const struct scene *sc, struct proposal *p)
{
	*l = (struct preview){.picture = {.holders = 2, .s = scene_view(sc)}, .o = mem_zero(1, sizeof *l->o)};
	l->o->holders = 1;
	l->o->picture = &l->picture;
	l->o->proposal = p;
	l->o->now_s = sc->now_s;
	l->o->compares = true;
	plan_query_build(l->o);
	l->f = projection_query_new(l->o, NULL, NULL);
	assert_true(projection_query_build(l->f));
}

static void preview_end(struct preview *l)
{
	projection_query_free(l->f);
	plan_query_drop(l->o);
}

/* --- discarded --------------------------------------------------------------------------------- */

/* IDs of the idle jobs in queue order; the caller frees the array. */
static uint64_t *order_of(const struct snapshot *s, const struct queue *q)
{
	uint64_t *id = mem_zero(q->idle_count + (size_t)1, sizeof *id);

	for (uint32_t i = 0; i < q->idle_count; i++)
		id[i] = snapshot_jobs(s)[q->idle[i].slot].id;
	return id;
}

static bool same_order(const struct snapshot *a, const struct queue *in_a, const struct snapshot *b,
		       const struct queue *in_b)
{
	uint64_t *order_a = order_of(a, in_a), *order_b = order_of(b, in_b);
	bool same = in_a->idle_count == in_b->idle_count &&
		    memcmp(order_a, order_b, in_a->idle_count * sizeof *order_a) == 0;

	free(order_a);
	free(order_b);
	return same;
}

static void a_discarded_draft_leaves_no_trace(void **state)
{
	struct rng rng = seeded("drafts dropped");
	unsigned accepted = 0;

	(void)state;
	for (unsigned i = 0; i < many(20); i++) {
		unsigned kinds = CHANCE_TASKS | (chance_below(&rng, 2) ? CHANCE_LIMITS : 0);
		struct scene *sc = in_the_middle(&rng, kinds);
		struct preview before;
		uint64_t hash = state_hash(scene_view(sc));

		preview_begin(&before, sc, NULL);
		for (unsigned d = 0; d < 5; d++) {
			struct preview l;

			preview_begin(&l, sc, any_draft(&rng, kinds, sc));
			assert_true(same_order(l.o->live.s, &l.o->live.plan.queue, before.o->live.s,
					       &before.o->live.plan.queue));
			accepted += !l.o->refused;
			preview_end(&l);
		}
		assert_true(state_hash(scene_view(sc)) == hash);
		preview_end(&before);
		scene_free(sc);
	}
	assert_true(accepted > 0);
}

/* --- applied ------------------------------------------------------------------------------------ */

static void apply(struct scene *sc, const struct cmd_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) {
		struct event ev = changes->event[i];

		scene_apply(sc, &ev);
	}
}

/* The idle jobs of the pass are in the order of the preview, which also lists jobs over a soft limit that
 * start. */
static bool keeps_order(const struct snapshot *s, const struct queue *pass, const struct forecast *draft)
{
	const struct queue *q = &draft->plan.queue;
	uint32_t at = 0;

	for (uint32_t i = 0; i < pass->idle_count; i++, at++) {
		uint64_t job = snapshot_jobs(s)[pass->idle[i].slot].id;

		while (at < q->idle_count && snapshot_jobs(draft->s)[q->idle[at].slot].id != job)
			at++;
		if (at == q->idle_count)
			return false;
	}
	return true;
}

/* The queue has the order of the preview, and the next pass starts the jobs that the preview starts now. */
static void check_next_pass(struct scene *sc, const struct preview *l)
{
	const struct forecast *draft = &l->o->draft;
	struct cycle *cycle = cycle_new();
	struct plan now = {0};
	struct cycle_result result;

	cycle_run(cycle, scene_view(sc), sc->now_s, true, &result);
	assert_true(keeps_order(scene_view(sc), cycle_queue(cycle), draft));
	plan_build(&now, scene_view(sc), sc->now_s);
	assert_true(same_order(scene_view(sc), &now.queue, draft->s, &draft->plan.queue));
	plan_clear(&now);
	assert_int_equal(result.started, draft->plan.starts_now);
	for (uint32_t i = 0; i < result.decision_count; i++) {
		const struct decision *d = &result.decision[i];

		if (d->kind != DECIDE_START)
			continue;
		assert_true(draft->plan.start_s[d->slot] == sc->now_s);
		assert_true(l->f->draft->run.start_s[d->slot] == sc->now_s);
	}
	cycle_free(cycle);
}

static void an_applied_draft_has_the_previewed_effect(void **state)
{
	struct rng rng = seeded("drafts applied");
	unsigned applied = 0, moved = 0;

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		unsigned kinds = CHANCE_TASKS | CHANCE_DATES | (chance_below(&rng, 2) ? CHANCE_LIMITS : 0);
		struct scene *sc = in_the_middle(&rng, kinds), *after;
		struct preview l;

		preview_begin(&l, sc, any_draft(&rng, kinds, sc));
		if (!l.o->refused) {
			after = scene_copy(sc);
			apply(after, &l.o->proposal->changes);
			assert_true(state_hash(scene_view(after)) == state_hash(l.o->draft.s));
			check_next_pass(after, &l);
			played_to_the_end(after, l.o->draft.s, &l.f->draft->run);
			assert_true(l.f->draft->run.whole);
			applied++;
			moved += l.f->compared.earlier + l.f->compared.later;
			scene_free(after);
		}
		preview_end(&l);
		scene_free(sc);
	}
	assert_true(applied > 0);
	assert_true(moved > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_discarded_draft_leaves_no_trace),
		cmocka_unit_test(an_applied_draft_has_the_previewed_effect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
