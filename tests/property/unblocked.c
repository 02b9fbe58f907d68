/* SPDX-License-Identifier: MIT */
/*
 * unblocked.c - does every change that is said to start a job start it, and at that cost?
 *
 * Random jobs that wait in random clusters. Each change that is found is made by an operator on a copy, and
 * passes are run: the job starts at the moment that was said. Then everything else is played to the end, with
 * the change and without it: the jobs that start later are those that were told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sched/core/project.h"
#include "sched/core/unblock.h"
#include "tests/chance.h"
#include "tests/many.h"

static const unsigned kinds[] = {CHANCE_TASKS | CHANCE_DATES, CHANCE_LIMITS, CHANCE_TASKS | CHANCE_LIMITS};

static struct scene *in_the_middle(struct rng *rng)
{
	unsigned kind = kinds[chance_below(rng, sizeof kinds / sizeof kinds[0])];
	struct scene *sc = chance_scene(rng, kind);

	for (unsigned i = 0; i < 25; i++) {
		chance_step(rng, sc, kind, 6);
		scene_pass(sc);
	}
	for (unsigned i = 0; i < 6; i++)
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

	if (c->ev.kind == EVENT_CANCEL && scene_job_of(copy, c->ev.job)->state == JOB_RUNNING)
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
	unsigned asked = 0, helped = 0, at_once = 0, never = 0, changes = 0;

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = in_the_middle(&rng);
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
			never += found.count == 0;
			changes += (unsigned)found.count;
		}
		scene_free(sc);
	}
	print_message(
		"# of %u jobs %u have a change that helps, %u of them at once; %u changes; %u have none\n",
		asked, helped, at_once, changes, never);
	assert_true(helped > 0);
	unblock_clear(&found);
	project_clear(&before);
	project_clear(&after);
}

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
		struct scene *sc = in_the_middle(&rng);
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
		cmocka_unit_test(who_stops_the_search_gets_no_half_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
