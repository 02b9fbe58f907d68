/* SPDX-License-Identifier: MIT */
/*
 * test_plan.c - starts in the instant plan, and differences between two plans
 *
 * tests/property/plan.c compares the plan with placing one job after another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/forecast/plan.h"
#include "tests/scene.h"

static int64_t start_of(const struct scene *sc, const struct plan *plan, uint64_t job)
{
	return plan->start_s[state_find(sc->st, job)];
}

static void jobs_get_the_earliest_gap_by_rank(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct plan plan = {0};

	(void)state;
	scene_submit(sc, 6, 100);
	scene_submit(sc, 10, 50);
	scene_submit(sc, 6, 100);
	scene_submit(sc, 4, 100);
	scene_submit(sc, 4, 30);
	plan_build(&plan, scene_view(sc), sc->now_s);
	assert_int_equal(plan.starts_now, 2);
	assert_int_equal(start_of(sc, &plan, 1), 0);
	assert_int_equal(start_of(sc, &plan, 2), 100);
	assert_int_equal(start_of(sc, &plan, 3), 150);
	assert_int_equal(start_of(sc, &plan, 4), 0);
	assert_int_equal(start_of(sc, &plan, 5), 150);
	plan_clear(&plan);
	scene_free(sc);
}

/* One task runs and one is next. Each other task starts at the next end of a task before it. */
static void tasks_of_an_array_follow_each_other(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct plan plan = {0};

	(void)state;
	scene_add(sc, (struct scene_job){.array = 6, .at_a_time = 2, .wall_s = 100});
	scene_start(sc, 1, 0, 1, 1);
	scene_go(sc, 30);
	scene_add(sc, (struct scene_job){.array = 3, .at_a_time = 1, .wall_s = 10});
	plan_build(&plan, scene_view(sc), sc->now_s);
	assert_int_equal(start_of(sc, &plan, 2), 30);
	assert_int_equal(start_of(sc, &plan, 3), 100);
	assert_int_equal(start_of(sc, &plan, 4), 130);
	assert_int_equal(start_of(sc, &plan, 5), 200);
	assert_int_equal(start_of(sc, &plan, 6), 230);
	assert_int_equal(start_of(sc, &plan, 7), 30);
	assert_int_equal(start_of(sc, &plan, 8), 40);
	assert_int_equal(start_of(sc, &plan, 9), 50);
	assert_int_equal(plan.reason[state_find(sc->st, 4)].gate, GATE_ARRAY);
	plan_clear(&plan);
	scene_free(sc);
}

static void a_task_follows_the_first_task_to_end(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct plan plan = {0};

	(void)state;
	scene_add(sc, (struct scene_job){.array = 5, .at_a_time = 2, .wall_s = 100});
	scene_modify(sc, 3, "walltime", "10");
	scene_start(sc, 1, 0, 1, 1);
	scene_go(sc, 30);
	plan_build(&plan, scene_view(sc), sc->now_s);
	assert_int_equal(start_of(sc, &plan, 2), 30);
	assert_int_equal(start_of(sc, &plan, 3), 100);
	assert_int_equal(start_of(sc, &plan, 4), 110);
	assert_int_equal(start_of(sc, &plan, 5), 130);
	plan_clear(&plan);
	scene_free(sc);
}

static void tasks_wait_for_a_lowered_array_limit(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct plan plan = {0};

	(void)state;
	scene_add(sc, (struct scene_job){.array = 5, .at_a_time = 3, .wall_s = 100});
	for (uint64_t job = 1; job <= 3; job++) {
		scene_go(sc, 10 * (int64_t)job);
		scene_start(sc, job, (uint32_t)job, 1, 1);
	}
	for (uint64_t job = 4; job <= 5; job++)
		scene_modify(sc, job, "throttle", "2");
	plan_build(&plan, scene_view(sc), sc->now_s);
	assert_int_equal(start_of(sc, &plan, 4), 120);
	assert_int_equal(start_of(sc, &plan, 5), 130);
	plan_clear(&plan);
	scene_free(sc);
}

static void in_strict_order_no_job_overtakes(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct plan plan = {0};

	(void)state;
	scene_set(sc, "backfillpolicy", "none");
	scene_submit(sc, 6, 100);
	scene_submit(sc, 10, 50);
	scene_submit(sc, 4, 10);
	scene_submit(sc, 10, 50);
	scene_submit(sc, 4, 10); /* would fit beside job 3, but job 4 is before it */
	plan_build(&plan, scene_view(sc), sc->now_s);
	assert_int_equal(start_of(sc, &plan, 2), 100);
	assert_int_equal(start_of(sc, &plan, 3), 150);
	assert_int_equal(start_of(sc, &plan, 4), 160);
	assert_int_equal(start_of(sc, &plan, 5), 210);
	plan_clear(&plan);
	scene_free(sc);
}

static void blocked_jobs_have_an_estimate_only_with_a_time(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct plan plan = {0};

	(void)state;
	scene_submit(sc, 4, 100);
	scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER});
	scene_add(sc, (struct scene_job){.not_before_s = 50});
	scene_add(sc, (struct scene_job){.not_before_s = 500});
	scene_add(sc, (struct scene_job){.procs = 5, .not_before_s = 50});
	scene_add(sc, (struct scene_job){.procs = 4, .task_procs = 2});
	plan_build(&plan, scene_view(sc), sc->now_s);
	assert_true(start_of(sc, &plan, 2) == TIME_NEVER);
	assert_int_equal(start_of(sc, &plan, 3), 200);
	assert_int_equal(start_of(sc, &plan, 4), 500);
	assert_true(start_of(sc, &plan, 5) == TIME_NEVER);
	assert_int_equal(start_of(sc, &plan, 6), 100);
	plan_clear(&plan);
	scene_free(sc);
}

static void tasks_that_fit_on_no_node_do_not_start_now(void **state)
{
	struct scene *sc = scene_new(2, 3);
	struct plan plan = {0};

	(void)state;
	scene_submit(sc, 2, 100);
	scene_submit(sc, 2, 60);
	scene_start(sc, 1, 0, 1, 2);
	scene_start(sc, 2, 1, 1, 2); /* one processor is free on each node */
	scene_add(sc, (struct scene_job){.procs = 2, .task_procs = 2});
	scene_add(sc, (struct scene_job){.procs = 2, .task_procs = 2});
	scene_add(sc, (struct scene_job){.procs = 4, .task_procs = 4, .not_before_s = 500});
	plan_build(&plan, scene_view(sc), sc->now_s);
	assert_int_equal(start_of(sc, &plan, 3), 60);
	assert_true(start_of(sc, &plan, 4) > 0);
	assert_true(start_of(sc, &plan, 5) == TIME_NEVER);
	plan_clear(&plan);
	scene_free(sc);
}

static void a_plan_is_rebuilt_in_the_same_memory(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct plan plan = {0};

	(void)state;
	for (int i = 0; i < 300; i++) {
		uint64_t job = scene_submit(sc, 4, 10);

		plan_build(&plan, scene_view(sc), sc->now_s);
		assert_int_equal(start_of(sc, &plan, job), 10 * i);
	}
	plan_clear(&plan);
	plan_clear(&plan);
	scene_free(sc);
}

/* --- comparing ----------------------------------------------------------------------------------- */

static void two_plans_are_compared_job_by_job(void **state)
{
	struct scene *sc = scene_new(1, 4), *draft;
	struct plan before = {0}, after = {0};
	struct plan_change change;

	(void)state;
	for (int i = 0; i < 4; i++)
		scene_submit(sc, 4, 100);
	draft = scene_copy(sc);
	scene_priority(draft, 4, JOB_ADJUST_ABSOLUTE, 1);
	plan_build(&before, scene_view(sc), 0);
	plan_build(&after, scene_view(draft), 0);
	plan_compare(&before, scene_view(sc), &after, scene_view(draft), &change);
	assert_int_equal(change.reordered, 4);
	assert_int_equal(change.moved, 4);
	assert_int_equal(change.earlier, 1);
	assert_int_equal(change.later, 3);
	assert_int_equal(change.most_delay_s, 100);
	assert_int_equal(change.most_delayed, 1); /* the first of the jobs with the same delay */
	plan_compare(&before, scene_view(sc), &before, scene_view(sc), &change);
	assert_int_equal(change.moved + change.reordered, 0);
	assert_int_equal(change.most_delayed, 0);
	scene_free(draft);
	plan_clear(&before);
	plan_clear(&after);
	scene_free(sc);
}

static void a_job_that_loses_its_start_is_later(void **state)
{
	struct scene *sc = scene_new(1, 4), *draft;
	struct plan before = {0}, after = {0};
	struct plan_change change;

	(void)state;
	scene_submit(sc, 4, 100);
	scene_submit(sc, 4, 100);
	draft = scene_copy(sc);
	scene_hold(draft, 1, JOB_HOLD_USER);
	plan_build(&before, scene_view(sc), 0);
	plan_build(&after, scene_view(draft), 0);
	plan_compare(&before, scene_view(sc), &after, scene_view(draft), &change);
	assert_int_equal(change.earlier, 1);
	assert_int_equal(change.later, 1);
	assert_int_equal(change.most_delayed, 0);
	scene_free(draft);
	plan_clear(&before);
	plan_clear(&after);
	scene_free(sc);
}

/* There are more jobs than the plan assigns nodes to. The other jobs are placed by processors only, but also
 * not on reserved processors. */
static void no_job_is_planned_on_reserved_processors(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct event ev = {.kind = EVENT_RESERVE,
			   .who = "root",
			   .reserve = {"maint", "start=100 end=1000 nodes=ALL"}},
		     part = {.kind = EVENT_RESERVE,
			     .who = "root",
			     .reserve = {"part", "start=1000 node=n001*3"}};
	struct plan plan = {0};

	(void)state;
	scene_apply(sc, &ev);
	scene_apply(sc, &part);
	for (int i = 0; i < 400; i++)
		scene_submit(sc, 1, 30);
	plan_build(&plan, scene_view(sc), 0);
	assert_true(plan.guarded_profile);
	for (uint32_t slot = 0; slot < 400; slot++) {
		assert_int_not_equal(plan.start_s[slot], TIME_NEVER);
		assert_true(plan.start_s[slot] + 30 <= 100 || plan.start_s[slot] >= 1000);
		/* 8 at a time three times, then 5 at a time */
		assert_true(plan.start_s[slot] <= 1000 + (400 - 24) / 5 * 30);
	}
	assert_int_equal(plan.start_s[23], 60);
	assert_int_equal(plan.start_s[24], 1000);
	assert_int_equal(plan.start_s[399], 1000 + (399 - 24) / 5 * 30);
	plan_clear(&plan);
	scene_free(sc);
}

static void immediate_starts_are_counted(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event halt = {.kind = EVENT_HALT, .halt = {.on = true}};
	struct plan plan = {0};

	(void)state;
	scene_submit(sc, 2, 100);
	scene_submit(sc, 2, 100);
	scene_submit(sc, 1, 100);
	for (int i = 0; i < 2; i++) {
		plan_build(&plan, scene_view(sc), 0);
		assert_int_equal(plan.starts_now, 2);
	}
	scene_apply(sc, &halt);
	plan_build(&plan, scene_view(sc), 0);
	assert_int_equal(plan.starts_now, 0);
	plan_clear(&plan);
	scene_free(sc);
}

/* The job is over its soft limit, but no other job needs the processors. The next pass starts it, so it is
 * not blocked. */
static void a_job_over_a_soft_limit_that_starts_now_is_eligible(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event halt = {.kind = EVENT_HALT, .halt = {.on = true}};
	struct plan plan = {0};

	(void)state;
	scene_config(sc, "user DEFAULT {\n maxproc = \"1,3\"\n}\n");
	scene_submit(sc, 1, 100);
	scene_submit(sc, 2, 100);
	scene_submit(sc, 2, 100);
	for (int halted = 0; halted < 2; halted++) {
		plan_build(&plan, scene_view(sc), 0);
		assert_int_equal(plan.queue.idle_count, 2);
		assert_int_equal(plan.queue.idle[0].slot, state_find(sc->st, 1));
		assert_int_equal(plan.queue.idle[1].slot, state_find(sc->st, 2));
		assert_int_equal(plan.queue.blocked_count, 1);
		assert_int_equal(plan.queue.blocked[0], state_find(sc->st, 3));
		assert_int_equal(plan.queue.blocked_reason[0].gate, GATE_ACTIVE_SOFT);
		scene_apply(sc, &halt);
	}
	plan_clear(&plan);
	scene_free(sc);
}

static int64_t limit_clears_s(const struct scene *sc, const struct plan *plan, uint64_t job)
{
	const struct reason *reason = &plan->reason[state_find(sc->st, job)];

	assert_int_equal(reason->gate, GATE_IDLE_LIMIT);
	return reason->until_s;
}

/* MAXQUEUED also counts running jobs, so the end of one clears the limit for the job that is promoted first.
 */
static void only_the_first_job_at_an_idle_limit_has_a_time(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct plan plan = {0};

	(void)state;
	scene_config(sc, "user DEFAULT {\n maxqueued = 2\n}\n");
	scene_add(sc, (struct scene_job){.wall_s = 100, .procs = 1, .user = "a"});
	scene_start(sc, 1, 0, 1, 1);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.wall_s = 10, .procs = 1, .user = "a"});
	plan_build(&plan, scene_view(sc), 0);
	assert_int_equal(limit_clears_s(sc, &plan, 3), 100);
	assert_int_equal(limit_clears_s(sc, &plan, 4), TIME_NEVER);
	plan_clear(&plan);
	scene_free(sc);
}

/* A job with a start date counts for the limit from that date on, and may be promoted first. */
static void a_job_with_a_start_date_may_fill_the_idle_limit_first(void **state)
{
	static const struct {
		int64_t date_s, clears_s;
	} rows[] = {{50, TIME_NEVER}, {100, TIME_NEVER}, {101, 100}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct scene *sc = scene_new(1, 1);
		struct plan plan = {0};

		scene_config(sc, "user DEFAULT {\n maxqueued = 2\n}\n");
		scene_add(sc, (struct scene_job){
				      .wall_s = 10, .procs = 1, .user = "a", .not_before_s = rows[i].date_s});
		scene_add(sc, (struct scene_job){.wall_s = 100, .procs = 1, .user = "a"});
		scene_start(sc, 2, 0, 1, 1);
		scene_add(sc, (struct scene_job){.wall_s = 10, .procs = 1, .user = "a"});
		scene_add(sc, (struct scene_job){.wall_s = 10, .procs = 1, .user = "a"});
		plan_build(&plan, scene_view(sc), 0);
		assert_int_equal(limit_clears_s(sc, &plan, 4), rows[i].clears_s);
		plan_clear(&plan);
		scene_free(sc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_get_the_earliest_gap_by_rank),
		cmocka_unit_test(tasks_of_an_array_follow_each_other),
		cmocka_unit_test(a_task_follows_the_first_task_to_end),
		cmocka_unit_test(tasks_wait_for_a_lowered_array_limit),
		cmocka_unit_test(in_strict_order_no_job_overtakes),
		cmocka_unit_test(blocked_jobs_have_an_estimate_only_with_a_time),
		cmocka_unit_test(tasks_that_fit_on_no_node_do_not_start_now),
		cmocka_unit_test(a_plan_is_rebuilt_in_the_same_memory),
		cmocka_unit_test(two_plans_are_compared_job_by_job),
		cmocka_unit_test(a_job_that_loses_its_start_is_later),
		cmocka_unit_test(no_job_is_planned_on_reserved_processors),
		cmocka_unit_test(immediate_starts_are_counted),
		cmocka_unit_test(a_job_over_a_soft_limit_that_starts_now_is_eligible),
		cmocka_unit_test(only_the_first_job_at_an_idle_limit_has_a_time),
		cmocka_unit_test(a_job_with_a_start_date_may_fill_the_idle_limit_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
