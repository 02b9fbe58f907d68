/* SPDX-License-Identifier: MIT */
/*
 * test_array_throttle.c - limit on the number of running tasks of an array
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/array_throttle.h"
#include "tests/scene.h"

#define ARRAYS 100

static struct array_throttle_use use;

static bool is_within(const struct array_throttle *a, const struct scene *sc, uint64_t job)
{
	return array_throttle_within(a, scene_job_of(sc, job), &use);
}

static void pass(struct array_throttle *a, const struct scene *sc, uint64_t job, bool may_start)
{
	array_throttle_pass(a, state_find(sc->st, job), may_start);
}

static void passed_task_stays_within_the_limit(void **state)
{
	struct scene *sc = scene_new(1, 8);
	struct array_throttle array_throttle = {.any = false};

	(void)state;
	scene_add(sc, (struct scene_job){.array = 3, .at_a_time = 1});
	for (int round = 0; round < 2; round++) {
		array_throttle_begin(&array_throttle, scene_view(sc));
		for (uint64_t job = 1; job <= 3; job++)
			assert_true(is_within(&array_throttle, sc, job));
		pass(&array_throttle, sc, 1, true);
		assert_true(is_within(&array_throttle, sc, 1));
		assert_false(is_within(&array_throttle, sc, 2));
		assert_true(use.running == 0 && use.next == 1);
	}
	array_throttle_free(&array_throttle);
	scene_free(sc);
}

static void task_that_may_not_start_does_not_count(void **state)
{
	struct scene *sc = scene_new(1, 8);
	struct array_throttle array_throttle = {.any = false};

	(void)state;
	scene_add(sc, (struct scene_job){.array = 3, .at_a_time = 1});
	array_throttle_begin(&array_throttle, scene_view(sc));
	pass(&array_throttle, sc, 1, false);
	assert_true(is_within(&array_throttle, sc, 1));
	assert_true(is_within(&array_throttle, sc, 2));
	assert_int_equal(use.next, 0);
	array_throttle_free(&array_throttle);
	scene_free(sc);
}

static void arrays_are_counted_separately(void **state)
{
	struct scene *sc = scene_new(1, 3 * ARRAYS);
	struct array_throttle array_throttle = {.any = false};
	uint64_t first[ARRAYS], single;

	(void)state;
	for (int i = 0; i < ARRAYS; i++) {
		first[i] = scene_add(sc, (struct scene_job){.array = 3, .at_a_time = i % 2 == 0 ? 1 : 2});
		scene_start(sc, first[i], 0, 1, 1);
	}
	single = scene_submit(sc, 1, 100);
	scene_start(sc, scene_submit(sc, 1, 100), 0, 1, 1);
	array_throttle_begin(&array_throttle, scene_view(sc));
	assert_int_equal(array_throttle.count, ARRAYS); /* jobs outside of arrays are not counted */
	for (int i = 0; i < ARRAYS; i++) {
		assert_true(is_within(&array_throttle, sc, first[i] + 1) == (i % 2 != 0));
		assert_true(use.array == scene_job_of(sc, first[i])->array && use.running == 1);
	}
	assert_true(is_within(&array_throttle, sc, single));
	assert_true(use.array == 0 && use.running == 0 && use.next == 0);
	array_throttle_free(&array_throttle);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passed_task_stays_within_the_limit),
		cmocka_unit_test(task_that_may_not_start_does_not_count),
		cmocka_unit_test(arrays_are_counted_separately),
	};

	return cmocka_run_group_tests_name("array_throttle", tests, NULL, NULL);
}
