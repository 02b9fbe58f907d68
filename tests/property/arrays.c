/* SPDX-License-Identifier: MIT */
/*
 * arrays.c - the throttle of a job array is respected, and every task runs eventually
 *
 * Random clusters, policies and operators, and jobs that include arrays with a limit of tasks that run at a
 * time. The running tasks are counted after each pass. The array throttle blocks a task only while the
 * running and eligible tasks of its array reach the limit. If nothing else blocks jobs, all submitted tasks
 * have run at the end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "tests/chance.h"
#include "tests/many.h"

#define STEPS 50

static uint32_t count_running(const struct snapshot *s, uint64_t array)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		count += snapshot_jobs(s)[snapshot_running(s)[i]].array == array;
	return count;
}

static unsigned check_throttles(const struct snapshot *s)
{
	unsigned full = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++) {
		const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[i]];
		uint32_t running = job->array_limit == 0 ? 0 : count_running(s, job->array);

		if (job->array_limit == 0)
			continue;
		assert_true(running <= job->array_limit);
		full += running == job->array_limit;
	}
	return full;
}

/* Idle tasks of the array that are not blocked by the array throttle. */
static uint32_t count_eligible(const struct snapshot *s, const struct queue *q, uint64_t array)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < q->idle_count; i++)
		count += snapshot_jobs(s)[q->idle[i].slot].array == array;
	for (uint32_t i = 0; i < q->blocked_count; i++)
		count += snapshot_jobs(s)[q->blocked[i]].array == array &&
			 q->blocked_reason[i].gate == GATE_ACTIVE_SOFT;
	return count;
}

static unsigned check_throttled_tasks(const struct scene *sc, struct queue *q)
{
	const struct snapshot *s = scene_view(sc);
	unsigned waiting = 0;

	queue_build(q, s, sc->now_s);
	for (uint32_t i = 0; i < q->blocked_count; i++) {
		const struct job *job = &snapshot_jobs(s)[q->blocked[i]];

		if (q->blocked_reason[i].gate != GATE_ARRAY)
			continue;
		waiting++;
		assert_true(job->array_limit > 0);
		assert_true(count_running(s, job->array) + count_eligible(s, q, job->array) >=
			    job->array_limit);
	}
	return waiting;
}

static void an_array_never_runs_more_tasks_than_its_throttle_allows(void **state)
{
	struct rng rng = seeded("arrays");
	struct queue queue = {.idle_count = 0};
	unsigned full = 0, waited = 0;

	(void)state;
	for (unsigned i = 0; i < many(120); i++) {
		unsigned kinds = CHANCE_ARRAYS | CHANCE_TASKS | CHANCE_DATES | CHANCE_LATE |
				 (i % 3 == 0 ? CHANCE_LIMITS : 0) | (i % 2 ? CHANCE_RESERVED : 0);
		struct scene *sc = chance_scene(&rng, kinds);

		for (int step = 0; step < STEPS; step++) {
			chance_step(&rng, sc, kinds, 4);
			waited += check_throttled_tasks(sc, &queue);
			scene_pass(sc);
			full += check_throttles(scene_view(sc));
		}
		scene_free(sc);
	}
	queue_clear(&queue);
	printf("# %u times an array had all it may have, %u times a task waited for it\n", full, waited);
	assert_true(full > 100 && waited > 100);
}

static void every_task_runs_eventually(void **state)
{
	struct rng rng = seeded("arrays that end");

	(void)state;
	for (unsigned i = 0; i < many(60); i++) {
		struct scene *sc = chance_scene(&rng, CHANCE_PLAIN | CHANCE_BACKFILL | CHANCE_STEADY);
		uint32_t machine = (uint32_t)scene_view(sc)->procs_total;
		int passes = 0;

		scene_set(sc, "rejectnegpriojobs", "false");
		for (int k = 0; k < 12; k++)
			scene_add(sc, (struct scene_job){.procs = 1 + chance_below(&rng, machine),
							 .wall_s = 1 + chance_below(&rng, 50),
							 .array = 1 + chance_below(&rng, 9),
							 .at_a_time = chance_below(&rng, 4)});
		for (; snapshot_count(scene_view(sc), TABLE_WAITING) > 0 && passes < 1000; passes++) {
			scene_pass(sc);
			check_throttles(scene_view(sc));
			if (scene_next_end_s(sc) != TIME_NEVER)
				scene_go(sc, scene_next_end_s(sc));
		}
		assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 0);
		scene_free(sc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_never_runs_more_tasks_than_its_throttle_allows),
		cmocka_unit_test(every_task_runs_eventually),
	};

	return cmocka_run_group_tests_name("arrays", tests, NULL, NULL);
}
