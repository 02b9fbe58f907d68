/* SPDX-License-Identifier: MIT */
/*
 * due.c - passes at events and at due times are sufficient
 *
 * The same workload runs twice: once with passes only at submissions, at ends and when a pass is due, once
 * with more passes. Every job starts at the same second. Under policies whose order does not change with
 * time, the second run has a pass every second; under any policy, it has one at every poll, which is when a
 * change of the order with time takes effect.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "tests/chance.h"
#include "tests/many.h"

#define JOBS 30

struct workload {
	int64_t arrival_s[JOBS];
	struct scene_job job[JOBS];
};

static struct workload draw(struct rng *rng, uint32_t machine, int64_t from_s)
{
	struct workload workload;
	int64_t at_s = from_s + 1;

	for (int i = 0; i < JOBS; i++) {
		int64_t wall_s = 1 + chance_below(rng, 40);

		at_s += chance_below(rng, 15);
		workload.arrival_s[i] = at_s;
		workload.job[i] = (struct scene_job){.procs = 1 + chance_below(rng, machine),
						     .wall_s = wall_s,
						     .run_s = 1 + chance_below(rng, (uint32_t)wall_s),
						     .user = chance_below(rng, 2) ? "u2" : "u3"};
		if (chance_below(rng, 3) == 0)
			workload.job[i].not_before_s = at_s + chance_below(rng, 60);
	}
	return workload;
}

/* Records the start times of the running jobs. */
static void note_starts(const struct scene *sc, int64_t start_s[JOBS + 1])
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];

		start_s[job->id] = job->start_s;
	}
}

static bool is_finished(const struct scene *sc, int arrived)
{
	return arrived == JOBS && snapshot_count(scene_view(sc), TABLE_WAITING) == 0 &&
	       snapshot_count(scene_view(sc), TABLE_RUNNING) == 0;
}

/* Runs the workload and returns the number of passes. */
static unsigned play(struct scene *sc, const struct workload *workload, bool every_second,
		     int64_t start_s[JOBS + 1])
{
	unsigned passes = 0;
	int arrived = 0;

	while (!is_finished(sc, arrived)) {
		int64_t next_s = scene_next_end_s(sc);

		if (arrived < JOBS && workload->arrival_s[arrived] < next_s)
			next_s = workload->arrival_s[arrived];
		if (sc->result.next_due_s > sc->now_s && sc->result.next_due_s < next_s)
			next_s = sc->result.next_due_s;
		assert_true(next_s != TIME_NEVER);
		if (every_second)
			next_s = sc->now_s + 1;
		scene_go(sc, next_s);
		while (arrived < JOBS && workload->arrival_s[arrived] == sc->now_s)
			scene_add(sc, workload->job[arrived++]);
		scene_pass(sc);
		passes++;
		note_starts(sc, start_s);
	}
	return passes;
}

static void passes_at_due_times_equal_a_pass_every_second(void **state)
{
	struct rng rng = seeded("due");
	unsigned due = 0, all = 0;

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *one = chance_scene(&rng, CHANCE_STEADY | CHANCE_PLAIN), *two;
		struct workload workload = draw(&rng, (uint32_t)scene_view(one)->procs_total, one->now_s);
		int64_t start_one[JOBS + 1], start_two[JOBS + 1];

		scene_set(one, "rejectnegpriojobs", "false");
		two = scene_copy(one);
		due += play(one, &workload, false, start_one);
		all += play(two, &workload, true, start_two);
		for (int id = 1; id <= JOBS; id++)
			assert_true(start_one[id] == start_two[id]);
		scene_free(one);
		scene_free(two);
	}
	assert_true(due < all);
}

#define POLL_S       10
#define PASSES_MOST  200000
#define AT_ONCE_MOST 1000

static int64_t sooner(int64_t a_s, int64_t b_s)
{
	return a_s < b_s ? a_s : b_s;
}

static void pass_while_due(struct scene *sc, int64_t start_s[JOBS + 1])
{
	unsigned at_once = 0;

	do {
		scene_pass(sc);
		note_starts(sc, start_s);
		assert_true(++at_once < AT_ONCE_MOST);
	} while (sc->result.next_due_s <= sc->now_s);
}

/* Runs until no pass is due, or until until_s; returns the time of the last pass. */
static int64_t play_polls(struct scene *sc, const struct workload *workload, bool all_polls, int64_t until_s,
			  int64_t start_s[JOBS + 1])
{
	int arrived = 0;

	for (unsigned passes = 0;; passes++) {
		int64_t next_s = scene_next_end_s(sc);

		assert_true(passes < PASSES_MOST);
		if (arrived < JOBS)
			next_s = sooner(next_s, workload->arrival_s[arrived]);
		if (passes > 0)
			next_s = sooner(next_s, sc->result.next_due_s);
		if (all_polls)
			next_s = sooner(next_s, (sc->now_s / POLL_S + 1) * POLL_S);
		if (next_s == TIME_NEVER || next_s > until_s)
			return sc->now_s;
		scene_go(sc, next_s);
		while (arrived < JOBS && workload->arrival_s[arrived] == sc->now_s)
			scene_add(sc, workload->job[arrived++]);
		pass_while_due(sc, start_s);
	}
}

static void passes_at_due_times_equal_a_pass_at_every_poll(void **state)
{
	struct rng rng = seeded("drift");

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *one = chance_scene(&rng, 0), *two;
		struct workload workload = draw(&rng, (uint32_t)scene_view(one)->procs_total, one->now_s);
		int64_t start_one[JOBS + 1] = {0}, start_two[JOBS + 1] = {0}, end_s;

		scene_set(one, "rmpollinterval", "10s");
		two = scene_copy(one);
		end_s = play_polls(one, &workload, false, TIME_NEVER, start_one);
		play_polls(two, &workload, true, end_s, start_two);
		for (int id = 1; id <= JOBS; id++)
			if (start_one[id] != start_two[id])
				fail_msg("scene %u: job %d starts at %lld, with passes at all polls at %lld",
					 i, id, (long long)start_one[id], (long long)start_two[id]);
		scene_free(one);
		scene_free(two);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes_at_due_times_equal_a_pass_every_second),
		cmocka_unit_test(passes_at_due_times_equal_a_pass_at_every_poll),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
