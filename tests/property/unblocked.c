/* SPDX-License-Identifier: MIT */
/*
 * unblocked.c - does every change that is said to start a job start it, and at that cost?
 *
 * X2. Random jobs that wait in random clusters. Each change that is found is made by an operator on a copy,
 * and passes are run: the job starts at the moment that was said. Then everything else is played to the end,
 * with the change and without it: the jobs that start later are those that were told. A job of which it is
 * said that it never starts is played to the end with jobs that end early and badly, and does not start. In
 * small clusters nothing on a grid of changes is cheaper than the first of the list.
 *
 * make soak asks for 2000 jobs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/core/project.h"
#include "sched/core/unblock.h"
#include "tests/chance.h"
#include "tests/many.h"

static const unsigned kinds[] = {
	CHANCE_TASKS | CHANCE_DATES,     CHANCE_LIMITS,
	CHANCE_TASKS | CHANCE_LIMITS,    CHANCE_RESERVED,
	CHANCE_RESERVED | CHANCE_LIMITS, CHANCE_ARRAYS | CHANCE_DATES,
	CHANCE_ARRAYS | CHANCE_LIMITS,
};

/* After so many steps, when so many jobs have come at last. */
static struct scene *in_the_middle(struct rng *rng, unsigned steps, unsigned jobs)
{
	unsigned kind = kinds[chance_below(rng, sizeof kinds / sizeof kinds[0])];
	struct scene *sc = chance_scene(rng, kind);

	for (unsigned i = 0; i < steps; i++) {
		chance_step(rng, sc, kind, 6);
		scene_pass(sc);
	}
	for (unsigned i = 0; i < jobs; i++)
		chance_submit(rng, sc, kind);
	while (scene_pass(sc) > 0)
		;
	return sc;
}

static int64_t start_of(const struct projection *p, const struct snapshot *s, uint64_t job)
{
	uint32_t slot = snapshot_find_job(s, job);

	return slot == INDEX_NONE ? TIME_NEVER : p->start_s[slot];
}

/* The change, made by an operator. */
static struct scene *changed(const struct scene *sc, const struct event *change)
{
	struct scene *copy = scene_copy(sc);
	struct event ev = *change;
	struct err err;

	assert_string_equal(scene_try(copy, &ev, &err), "");
	return copy;
}

static void check_now(const struct scene *sc, const struct unblock_change *c, uint64_t job)
{
	struct scene *copy = changed(sc, &c->ev);

	if (c->ev.kind == EVENT_CANCEL && snapshot_find_job(scene_view(copy), c->ev.job) != INDEX_NONE)
		scene_end(copy, c->ev.job);
	while (scene_job_of(copy, job)->state == JOB_IDLE && scene_pass(copy) > 0)
		;
	assert_true((scene_job_of(copy, job)->state == JOB_RUNNING) == (c->starts_s == sc->now_s));
	scene_free(copy);
}

static void check_cost(const struct scene *sc, const struct unblock_change *c, uint64_t job,
		       struct projection *before, struct projection *after)
{
	struct scene *copy = changed(sc, &c->ev);
	const struct snapshot *s = scene_view(sc);
	struct project_setup setup = {.from_s = sc->now_s, .until_s = TIME_NEVER};
	uint32_t delayed = 0;

	project_run(before, s, &setup);
	setup.until_s = before->last_s;
	project_run(after, scene_view(copy), &setup);
	assert_true(start_of(after, s, job) == c->starts_s);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		uint64_t other = snapshot_jobs(s)[snapshot_waiting(s)[i].slot].id;

		delayed += other != job && start_of(after, s, other) > start_of(before, s, other);
	}
	assert_int_equal(delayed, c->delayed);
	scene_free(copy);
}

static uint64_t pick(struct rng *rng, const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t waiting = snapshot_count(s, TABLE_WAITING);

	return waiting == 0 ? 0 : snapshot_jobs(s)[snapshot_waiting(s)[chance_below(rng, waiting)].slot].id;
}

static void each_change_does_what_it_says(void **state)
{
	struct rng rng = seeded("unblocked");
	struct unblock found = {.change = NULL};
	struct projection before = {.start_s = NULL}, after = {.start_s = NULL};
	unsigned asked = 0, helped = 0, at_once = 0, never = 0, nothing = 0, changes = 0;

	(void)state;
	for (unsigned i = 0; i < many(200); i++) {
		struct scene *sc = in_the_middle(&rng, 25, 6);
		uint64_t job = pick(&rng, sc);
		struct unblock_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s};

		if (job != 0) {
			uint64_t hash = state_hash(scene_view(sc));

			assert_true(unblock_find(&found, scene_view(sc),
						 snapshot_find_job(scene_view(sc), job), &setup));
			assert_true(state_hash(scene_view(sc)) == hash);
			for (size_t c = 0; c < found.count; c++) {
				check_now(sc, &found.change[c], job);
				check_cost(sc, &found.change[c], job, &before, &after);
			}
			asked++;
			helped += found.count > 0;
			at_once += found.count > 0 && found.by_s == sc->now_s;
			never += found.proven;
			nothing += found.count == 0 && !found.proven && found.start_s > sc->now_s;
			changes += (unsigned)found.count;
		}
		scene_free(sc);
	}
	print_message("# of %u jobs %u have a change that helps, %u of them at once; %u changes; %u never "
		      "start; %u have nothing\n",
		      asked, helped, at_once, changes, never, nothing);
	assert_true(helped > 0 && never > 0);
	assert_true(asked < 500 || nothing * 20 <= asked); /* X2: 95 %; of few jobs that says nothing */
	unblock_clear(&found);
	project_clear(&before);
	project_clear(&after);
}

/* --- never ------------------------------------------------------------------------------------------ */

static bool end_somebody(struct rng *rng, struct scene *sc, int64_t before_s)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t running = snapshot_count(s, TABLE_RUNNING);
	uint64_t job;

	if (running == 0)
		return false;
	job = snapshot_jobs(s)[snapshot_running(s)[chance_below(rng, running)]].id;
	scene_go(sc, sc->now_s + chance_below(rng, (uint32_t)(before_s - sc->now_s)));
	if (snapshot_find_job(scene_view(sc), job) != INDEX_NONE)
		scene_end_with(sc, job, (int32_t)chance_below(rng, 2));
	return true;
}

/* Nobody does anything and nothing is submitted; jobs end at any time before their limit, well or badly. */
static void play_with_surprises(struct rng *rng, struct scene *sc, uint64_t job)
{
	for (unsigned i = 0; i < 400; i++) {
		int64_t next_s;

		while (scene_pass(sc) > 0)
			;
		assert_int_equal(scene_job_of(sc, job)->state, JOB_IDLE);
		next_s = scene_next_end_s(sc);
		if (sc->result.next_due_s < next_s)
			next_s = sc->result.next_due_s;
		if (next_s == TIME_NEVER)
			return;
		if (next_s <= sc->now_s || chance_below(rng, 2) == 0 || !end_somebody(rng, sc, next_s))
			scene_go(sc, next_s > sc->now_s ? next_s : sc->now_s + 1);
	}
}

static void what_never_starts_does_not_whatever_others_do(void **state)
{
	struct rng rng = seeded("unblocked");
	struct unblock found = {.change = NULL};
	unsigned proven = 0;

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = in_the_middle(&rng, 25, 6);
		uint64_t job = pick(&rng, sc);
		struct unblock_setup setup = {.now_s = sc->now_s, .by_s = TIME_NEVER - 1};

		if (job != 0)
			unblock_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), job), &setup);
		for (unsigned again = 0; job != 0 && found.proven && again < 3; again++) {
			struct scene *copy = scene_copy(sc);

			play_with_surprises(&rng, copy, job);
			scene_free(copy);
			proven++;
		}
		scene_free(sc);
	}
	print_message("# %u times a job that never starts did not\n", proven);
	assert_true(proven > 0);
	unblock_clear(&found);
}

/* --- the cheapest ----------------------------------------------------------------------------------- */

#define SMALL 10 /* jobs that wait, jobs that run */

struct grid {
	const struct scene *sc;
	uint64_t job;
	struct projection before, after;
	struct unblock_change best;
	struct str words; /* of the best, whose texts may be gone */
	unsigned tried;
	bool any;
};

static bool is_cheaper(const struct unblock_change *a, const struct unblock_change *b)
{
	if ((a->ev.kind == EVENT_CANCEL) != (b->ev.kind == EVENT_CANCEL))
		return b->ev.kind == EVENT_CANCEL;
	if (a->forever != b->forever)
		return a->forever < b->forever;
	if (a->delayed != b->delayed)
		return a->delayed < b->delayed;
	return a->delay_sum_s < b->delay_sum_s;
}

/* Does the change start the job now, and at what cost? */
static void try_on_grid(struct grid *g, struct event ev)
{
	const struct snapshot *s = scene_view(g->sc);
	struct state *st = state_from_snapshot(s);
	struct project_setup setup = {.from_s = g->sc->now_s, .until_s = g->before.last_s};
	struct unblock_change c = {.ev = ev};

	ev.time_s = g->sc->now_s;
	ev.who = "grid";
	if (event_apply(st, &ev, NULL)) {
		g->tried++;
		project_run(&g->after, state_view(st), &setup);
		for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
			uint64_t other = snapshot_jobs(s)[snapshot_waiting(s)[i].slot].id;
			int64_t was_s = start_of(&g->before, s, other), is_s = start_of(&g->after, s, other);

			if (other == g->job || is_s <= was_s)
				continue;
			c.delayed++;
			c.forever += is_s == TIME_NEVER;
			c.delay_sum_s += is_s == TIME_NEVER ? 0 : is_s - was_s;
		}
		if (start_of(&g->after, s, g->job) == g->sc->now_s && (!g->any || is_cheaper(&c, &g->best))) {
			g->best = c;
			g->any = true;
			str_clear(&g->words);
			event_describe(&c.ev, &g->words);
		}
	}
	state_free(st);
}

static struct event on_grid(enum event_kind kind, uint64_t job)
{
	return (struct event){.kind = kind, .job = job};
}

static void grid_of_others(struct grid *g)
{
	const struct snapshot *s = scene_view(g->sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++) {
		struct event ev = on_grid(EVENT_HOLD, snapshot_jobs(s)[snapshot_waiting(s)[i].slot].id);

		ev.hold.bits = JOB_HOLD_SYSTEM;
		ev.hold.on = true;
		if (ev.job != g->job)
			try_on_grid(g, ev);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		try_on_grid(g, on_grid(EVENT_CANCEL, snapshot_jobs(s)[snapshot_running(s)[i]].id));
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		struct event ev = on_grid(EVENT_UNRESERVE, 0);

		ev.reserve.name = snapshot_string(s, snapshot_advances(s)[i].name);
		try_on_grid(g, ev);
	}
}

static void modify_on_grid(struct grid *g, const char *name, const char *value)
{
	struct event ev = on_grid(EVENT_MODIFY, g->job);

	ev.modify.name = name;
	ev.modify.value = value;
	try_on_grid(g, ev);
}

static void grid_of_job(struct grid *g)
{
	const struct job *job = scene_job_of(g->sc, g->job);
	struct event ev = on_grid(EVENT_HOLD, g->job);
	char text[32];

	ev.hold.bits = job->holds;
	if (job->holds != 0)
		try_on_grid(g, ev);
	for (int64_t wall_s = 60; wall_s < job->wall_limit_s; wall_s += 10) {
		snprintf(text, sizeof text, "%lld", (long long)wall_s);
		modify_on_grid(g, "walltime", text);
	}
	for (int64_t points = 1; points <= 1000000000; points *= 10) {
		ev = on_grid(EVENT_PRIORITY, g->job);
		ev.priority.adjust = JOB_ADJUST_RELATIVE;
		ev.priority.points = points;
		try_on_grid(g, ev);
	}
	modify_on_grid(g, "starttime", "none");
	modify_on_grid(g, "depend", "");
	modify_on_grid(g, "throttle", "0");
	modify_on_grid(g, "nodes", "0");
	modify_on_grid(g, "tpn", "0");
	modify_on_grid(g, "mem", "1");
	for (uint32_t i = 0; i < snapshot_count(scene_view(g->sc), TABLE_CREDS); i++) {
		const struct cred *cred = &snapshot_creds(scene_view(g->sc))[i];

		if (cred->type == CRED_QOS &&
		    strcmp(snapshot_string(scene_view(g->sc), cred->name), "DEFAULT") != 0)
			modify_on_grid(g, "qos", snapshot_string(scene_view(g->sc), cred->name));
	}
}

static void set_on_grid(struct grid *g, const char *name, const char *value)
{
	struct event ev = on_grid(EVENT_SETTING, 0);

	ev.setting.name = name;
	ev.setting.value = value;
	try_on_grid(g, ev);
}

/* The plain limits of the job's own credentials, of the kind that it fails, lifted: one that is tighter for
 * others, or that lets others in, is no way out that anybody would look for. */
static void grid_of_policy(struct grid *g, const struct why *why)
{
	static const char *const kind[] = {"maxjob", "maxproc", "maxps", "maxnode", "maxijob"};
	const struct snapshot *s = scene_view(g->sc);
	const struct job *job = scene_job_of(g->sc, g->job);
	bool is_idle = !why->check[GATE_IDLE_LIMIT].ok;
	bool is_active = !why->check[GATE_ACTIVE_HARD].ok || !why->check[GATE_ACTIVE_SOFT].ok;
	char name[128];

	set_on_grid(g, "backfillpolicy", "firstfit");
	set_on_grid(g, "reservationpolicy", "never");
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++) {
		const char *owner = snapshot_job_cred(s, job, type);

		for (size_t k = 0; owner != NULL && k < 5; k++) {
			bool fails = k < 4 ? is_active : is_idle;

			snprintf(name, sizeof name, "%s[%s].%s", cred_type_name(type), owner, kind[k]);
			if (fails)
				set_on_grid(g, name, "1000000000");
		}
	}
}

static bool is_small(const struct scene *sc)
{
	return snapshot_count(scene_view(sc), TABLE_WAITING) <= SMALL &&
	       snapshot_count(scene_view(sc), TABLE_RUNNING) <= SMALL;
}

static void nothing_on_a_grid_is_cheaper(void **state)
{
	struct rng rng = seeded("unblocked");
	struct unblock found = {.change = NULL};
	struct grid g = {.any = false};
	unsigned compared = 0, tried = 0;
	struct plan plan = {.now_s = 0};
	struct why why;

	(void)state;
	for (unsigned i = 0; i < many(40); i++) {
		struct scene *sc = in_the_middle(&rng, 4, 3);
		uint64_t job = pick(&rng, sc);
		struct unblock_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s};
		struct project_setup ahead = {.from_s = sc->now_s, .until_s = TIME_NEVER};

		if (job != 0 && is_small(sc)) {
			unblock_find(&found, scene_view(sc), snapshot_find_job(scene_view(sc), job), &setup);
			g.sc = sc;
			g.job = job;
			g.any = false;
			g.tried = 0;
			project_run(&g.before, scene_view(sc), &ahead);
			if (found.start_s > sc->now_s) {
				grid_of_others(&g);
				grid_of_job(&g);
				explain_why(scene_view(sc), snapshot_find_job(scene_view(sc), job), sc->now_s,
					    &plan, &why);
				grid_of_policy(&g, &why);
			}
			compared += g.any;
			tried += g.tried;
			if (g.any) {
				struct str its = {0};

				if (found.count > 0)
					event_describe(&found.change[0].ev, &its);
				if (found.count == 0 || found.by_s != sc->now_s ||
				    is_cheaper(&g.best, &found.change[0]))
					fail_msg("\"%s\" is cheaper for job %llu than \"%s\"",
						 str_text(&g.words), (unsigned long long)job, str_text(&its));
				str_free(&its);
			}
		}
		scene_free(sc);
	}
	print_message("# of %u jobs something on the grid (%u changes) starts one, and is not cheaper\n",
		      compared, tried);
	assert_true(compared > 0);
	plan_clear(&plan);
	unblock_clear(&found);
	project_clear(&g.before);
	project_clear(&g.after);
	str_free(&g.words);
}

/* --- stopped ------------------------------------------------------------------------------------------ */

static bool stop_at_once(void *self)
{
	(void)self;
	return false;
}

static void who_stops_the_search_gets_no_half_answers(void **state)
{
	struct rng rng = seeded("unblocked");
	struct unblock found = {.change = NULL};

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		struct scene *sc = in_the_middle(&rng, 25, 6);
		uint64_t job = pick(&rng, sc);
		struct unblock_setup setup = {.now_s = sc->now_s, .by_s = sc->now_s, .go_on = stop_at_once};

		if (job != 0)
			assert_false(unblock_find(&found, scene_view(sc),
						  snapshot_find_job(scene_view(sc), job), &setup));
		assert_int_equal(found.count, 0);
		scene_free(sc);
	}
	unblock_clear(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_change_does_what_it_says),
		cmocka_unit_test(what_never_starts_does_not_whatever_others_do),
		cmocka_unit_test(nothing_on_a_grid_is_cheaper),
		cmocka_unit_test(who_stops_the_search_gets_no_half_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
