/* SPDX-License-Identifier: MIT */
/*
 * test_occupancy.c - processors in use over time, in a projected future
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/forecast/occupancy.h"
#include "sched/forecast/plan.h"
#include "tests/scene.h"

/* One node with four processors: job 1 uses them until 100, job 2 requests two of them for 100 s. */
static struct scene *scene_with_one_idle(void)
{
	struct scene *sc = scene_new(1, 4);

	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_submit(sc, 2, 100);
	return sc;
}

static void running_jobs_count_until_their_limits_and_idle_jobs_from_their_starts(void **state)
{
	struct scene *sc = scene_with_one_idle();
	struct plan plan = {0};
	double procs[4];

	(void)state;
	plan_build(&plan, scene_view(sc), 0);
	occupancy(scene_view(sc), plan.start_s, NULL, 0, 400, procs, 4);
	assert_true(procs[0] == 4 && procs[1] == 2 && procs[2] == 0 && procs[3] == 0);
	plan_clear(&plan);
	scene_free(sc);
}

static void a_job_counts_for_the_part_of_a_slice_it_runs(void **state)
{
	struct scene *sc = scene_with_one_idle();
	struct plan plan = {0};
	double procs[2];

	(void)state;
	plan_build(&plan, scene_view(sc), 0);
	occupancy(scene_view(sc), plan.start_s, NULL, 50, 250, procs, 2);
	assert_true(procs[0] == 3 && procs[1] == 1);
	occupancy(scene_view(sc), plan.start_s, NULL, 0, 400, procs, 1);
	assert_true(procs[0] == 1.5);
	plan_clear(&plan);
	scene_free(sc);
}

static void given_ends_are_used(void **state)
{
	struct scene *sc = scene_with_one_idle();
	int64_t start_s[] = {0, TIME_NEVER}, end_s[] = {25, TIME_NEVER};
	double procs;

	(void)state;
	occupancy(scene_view(sc), start_s, end_s, 0, 100, &procs, 1);
	assert_true(procs == 1);
	scene_free(sc);
}

static void slices_of_unequal_length_lose_no_usage(void **state)
{
	struct scene *sc = scene_with_one_idle();
	int64_t start_s[] = {0, TIME_NEVER};
	double procs[7];

	(void)state;
	occupancy(scene_view(sc), start_s, NULL, 0, 100, procs, 7);
	for (size_t i = 0; i < 7; i++)
		assert_true(procs[i] == 4);
	scene_free(sc);
}

static void jobs_outside_the_interval_do_not_count(void **state)
{
	struct scene *sc = scene_with_one_idle();
	int64_t start_s[] = {0, 500}, end_s[] = {100, 600};
	double procs[2] = {9, 9};

	(void)state;
	occupancy(scene_view(sc), start_s, end_s, 100, 500, procs, 2);
	assert_true(procs[0] == 0 && procs[1] == 0);
	occupancy(scene_view(sc), start_s, end_s, 99, 501, procs, 1);
	assert_true(procs[0] * 402 > 5.9 && procs[0] * 402 < 6.1); /* 4 processors for 1 s, 2 for 1 s */
	procs[0] = 9;
	occupancy(scene_view(sc), start_s, end_s, 0, 100, procs, 0);
	assert_true(procs[0] == 9);
	scene_free(sc);
}

/* Job 1 has run for 10 of 100 s. It is resumed at 60, and has its processors from then until 150. */
static void released_processors_count_after_the_resume(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_SUSPEND,
			   .job = 1,
			   .until_s = 60,
			   .suspend = {.on = true, .how = SUSPEND_RELEASE}};
	int64_t start_s[] = {0}, never_s[] = {TIME_NEVER};
	double procs[2];

	(void)state;
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_go(sc, 10);
	scene_apply(sc, &ev);
	occupancy(scene_view(sc), start_s, NULL, 0, 200, procs, 2);
	assert_true(procs[0] > 1.59 && procs[0] < 1.61 && procs[1] == 2);
	occupancy(scene_view(sc), start_s, never_s, 0, 200, procs, 2);
	assert_true(procs[0] == 0 && procs[1] == 0);
	scene_free(sc);
}

static void an_empty_interval_has_no_usage(void **state)
{
	struct scene *sc = scene_with_one_idle();
	int64_t start_s[] = {0, TIME_NEVER};
	double procs[2] = {9, 9};

	(void)state;
	occupancy(scene_view(sc), start_s, NULL, 10, 10, procs, 2);
	assert_true(procs[0] == 0 && procs[1] == 0);
	occupancy(scene_view(sc), start_s, NULL, 0, 1, procs, 2);
	assert_true(procs[0] == 0 && procs[1] == 4);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(running_jobs_count_until_their_limits_and_idle_jobs_from_their_starts),
		cmocka_unit_test(a_job_counts_for_the_part_of_a_slice_it_runs),
		cmocka_unit_test(given_ends_are_used),
		cmocka_unit_test(slices_of_unequal_length_lose_no_usage),
		cmocka_unit_test(jobs_outside_the_interval_do_not_count),
		cmocka_unit_test(released_processors_count_after_the_resume),
		cmocka_unit_test(an_empty_interval_has_no_usage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
