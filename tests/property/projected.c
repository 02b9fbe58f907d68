/* SPDX-License-Identifier: MIT */
/*
 * projected.c - does what was projected come true when nothing else happens?
 *
 * A random cluster in the middle of its life, projected to its end; then the same cluster played pass by
 * pass, with jobs that run as long as was assumed. Every job starts at the projected second, and who was
 * projected never to start never does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sched/core/project.h"
#include "tests/chance.h"
#include "tests/many.h"

static struct scene *in_the_middle(struct rng *rng)
{
	unsigned kinds = CHANCE_TASKS | CHANCE_DATES | (chance_below(rng, 2) ? CHANCE_LIMITS : 0);
	struct scene *sc = chance_scene(rng, kinds);

	for (unsigned i = 0; i < 30; i++) {
		chance_step(rng, sc, kinds, 6);
		scene_pass(sc);
	}
	for (unsigned i = 0; i < 12; i++)
		chance_submit(rng, sc, kinds);
	return sc;
}

/* The first end that was projected of those that run now. */
static int64_t next_end_s(const struct scene *sc, const struct snapshot *from, const struct projection *p)
{
	const struct snapshot *s = scene_view(sc);
	int64_t next_s = TIME_NEVER;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		uint64_t id = snapshot_jobs(s)[snapshot_running(s)[i]].id;
		int64_t end_s = p->end_s[snapshot_find_job(from, id)];

		if (end_s < next_s)
			next_s = end_s;
	}
	return next_s;
}

static void end_those_due(struct scene *sc, const struct snapshot *from, const struct projection *p)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING);) {
		uint64_t id = snapshot_jobs(s)[snapshot_running(s)[i]].id;

		if (p->end_s[snapshot_find_job(from, id)] > sc->now_s) {
			i++;
			continue;
		}
		scene_end(sc, id);
		s = scene_view(sc);
		i = 0;
	}
}

static void check_starts(const struct scene *sc, const struct snapshot *from, const struct projection *p)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		assert_true(p->start_s[snapshot_find_job(from, job->id)] == job->start_s);
	}
}

static void play(struct scene *sc, const struct snapshot *from, const struct projection *p)
{
	for (unsigned passes = 0;; passes++) {
		int64_t next_s;

		assert_true(passes < 100000);
		end_those_due(sc, from, p);
		scene_pass(sc);
		check_starts(sc, from, p);
		next_s = next_end_s(sc, from, p);
		if (sc->result.next_due_s < next_s)
			next_s = sc->result.next_due_s;
		if (next_s == TIME_NEVER)
			return;
		if (next_s > sc->now_s)
			sc->now_s = next_s;
	}
}

static unsigned count_projected(const struct snapshot *s, const struct projection *p)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		count += p->start_s[snapshot_waiting(s)[i].slot] != TIME_NEVER;
	return count;
}

static void what_was_projected_comes_true(void **state)
{
	struct rng rng = seeded("projected");
	struct projection p = {.start_s = NULL};
	unsigned projected = 0, never = 0;

	(void)state;
	for (unsigned i = 0; i < many(150); i++) {
		struct scene *before = in_the_middle(&rng), *after;
		struct project_setup setup = {.from_s = before->now_s, .until_s = TIME_NEVER};
		const struct snapshot *from = scene_view(before);
		uint64_t hash = state_hash(from);
		uint32_t waiting = snapshot_count(from, TABLE_WAITING);

		assert_true(project_run(&p, from, &setup));
		assert_true(p.whole);
		assert_int_equal(p.waiting, waiting);
		assert_int_equal(p.started, count_projected(from, &p));
		assert_true(state_hash(from) == hash);
		after = scene_copy(before);
		play(after, from, &p);
		assert_int_equal(snapshot_count(scene_view(after), TABLE_WAITING), waiting - p.started);
		projected += p.started;
		never += waiting - p.started;
		scene_free(after);
		scene_free(before);
	}
	assert_true(projected > 0);
	assert_true(never > 0);
	project_clear(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_projected_comes_true)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
