/* SPDX-License-Identifier: MIT */
/*
 * test_driver_pass.c - when is there a pass, and when is there none?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driven.h"

static void a_pass_that_changes_nothing_writes_nothing(void **state)
{
	struct driven s;
	uint64_t passes;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	passes = driven_stats(&s).passes;
	driven_step(&s, 21);
	driven_step(&s, 22);
	assert_int_equal(s.ledger.commits, 2);
	assert_int_equal(driven_stats(&s).passes, passes);
	driven_end(&s);
}

static void an_operator_s_change_is_followed_by_a_pass_at_the_next_step(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;
	uint64_t passes;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	passes = driven_stats(&s).passes;
	ev.time_s = 30;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_int_equal(driven_stats(&s).passes, passes);
	assert_int_equal(driver_next_s(s.driver), 30);
	driven_step(&s, 30);
	assert_int_equal(driven_stats(&s).passes, passes + 1);
	driven_end(&s);
}

static void where_a_workload_stands_is_no_reason_for_a_pass(void **state)
{
	static const struct happening list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 4, 100},
		{30, EVENT_SIM, 0, NULL, 0, 0},
		{0},
	};
	struct driven s;
	uint64_t passes;

	(void)state;
	driven_begin(&s, list);
	driven_step(&s, 10);
	passes = driven_stats(&s).passes;
	driven_step(&s, 30);
	assert_int_equal(driven_stats(&s).passes, passes);
	assert_int_equal(s.ledger.commits, 3);
	driven_end(&s);
}

static void a_paused_scheduler_makes_as_many_passes_as_it_is_told(void **state)
{
	static const struct happening list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 2, 100}, {20, EVENT_SUBMIT, 2, "u1", 2, 100}, {0}};
	struct event halt = {.kind = EVENT_HALT, .who = "ann", .halt = {.on = true}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	assert_int_equal(driver_post(s.driver, &halt, 1, &err), DRIVER_DONE);
	driven_step(&s, 10);
	assert_string_equal(str_text(&s.manager.told), "");
	halt.halt.after = 1;
	assert_int_equal(driver_post(s.driver, &halt, 1, &err), DRIVER_DONE);
	driven_step(&s, 11);
	assert_string_equal(str_text(&s.manager.told), "start 1 at 11 on 0+1*2\n");
	assert_true(snapshot_is_halted(driver_view(s.driver)));
	driven_step(&s, 20);
	assert_string_equal(str_text(&s.manager.told), "start 1 at 11 on 0+1*2\n");
	halt.halt.on = false;
	assert_int_equal(driver_post(s.driver, &halt, 1, &err), DRIVER_DONE);
	driven_step(&s, 21);
	assert_non_null(strstr(str_text(&s.manager.told), "start 2 at 21"));
	driven_end(&s);
}

static void a_setting_for_a_while_is_taken_back_by_itself(void **state)
{
	static const struct happening none[] = {{0}};
	struct event ev = {.kind = EVENT_SETTING,
			   .who = "ann",
			   .until_s = 1800,
			   .setting = {.name = "xfactorweight", .value = "7"}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, none);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	driven_step(&s, 10);
	assert_int_equal(driver_view(s.driver)->policy.weights.factor[PRIO_SERV_XFACTOR], 7);
	assert_true(driver_next_s(s.driver) == 1800);
	driven_step(&s, 1800);
	assert_int_equal(driver_view(s.driver)->policy.weights.factor[PRIO_SERV_XFACTOR], 0);
	assert_true(driver_next_s(s.driver) == TIME_NEVER);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
	driven_end(&s);
}

/* Runs all that is due up to a moment. */
static void run_until(struct driven *s, int64_t until_s)
{
	for (int64_t at_s = driver_next_s(s->driver); at_s <= until_s; at_s = driver_next_s(s->driver))
		driven_step(s, at_s);
}

/* Each a hold of the one job until the same second, and a release until then. */
static void what_is_over_in_the_same_second_is_taken_back_in_several_steps(void **state)
{
	struct driven s;
	struct err err;
	unsigned steps = 0;
	struct driver_stats before_all, after_all;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	for (unsigned i = 0; i < 2 * DRIVER_RETURNS_MOST + 10; i++) {
		struct event ev = hold_of(2, i % 2 == 0);

		ev.time_s = 30;
		ev.until_s = 40;
		assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	}
	driven_step(&s, 30);
	driver_get_stats(s.driver, &before_all);
	for (; driver_next_s(s.driver) == 40; steps++) {
		size_t before = s.ledger.count, commits = s.ledger.commits;

		driven_step(&s, 40);
		assert_int_equal(s.ledger.commits, commits + 1);
		assert_true(s.ledger.count - before <= DRIVER_RETURNS_MOST + 1);
	}
	assert_int_equal(steps, 3);
	driver_get_stats(s.driver, &after_all);
	assert_int_equal(after_all.passes, before_all.passes + 1); /* after the last of them */
	assert_int_equal(driver_view(s.driver)->timed_changes, 2 * DRIVER_RETURNS_MOST + 10);
	assert_int_equal(
		snapshot_jobs(driver_view(s.driver))[snapshot_find_job(driver_view(s.driver), 2)].holds, 0);
	driven_end(&s);
}

static void with_a_poll_passes_fall_on_its_multiples(void **state)
{
	static const struct happening list[] = {
		{60, EVENT_SUBMIT, 1, "u1", 4, 100},
		{130, EVENT_SUBMIT, 2, "u2", 4, 100},
		{180, EVENT_SUBMIT, 3, "u3", 4, 100},
		{185, EVENT_END, 1, NULL, 0, 0},
		{0},
	};
	struct driven s;

	(void)state;
	driven_begin(&s, list);
	driver_set_poll(s.driver, 60);
	assert_int_equal(driver_next_s(s.driver), 120); /* one poll after the first arrival */
	run_until(&s, 300);
	assert_string_equal(str_text(&s.watched.text), "2 submit 1 at 120 by u1\n"
						       "3 start 1 at 120 by sched\n"
						       "4 submit 2 at 180 by u2\n"
						       "5 submit 3 at 180 by u3\n"
						       "6 plan 2 at 180 by sched\n"
						       "7 end 1 at 240 by sched\n"
						       "8 start 2 at 240 by sched\n"
						       "9 plan 3 at 240 by sched\n");
	assert_int_equal(snapshot_jobs(driver_view(s.driver))[snapshot_waiting(driver_view(s.driver))[0].slot]
				 .submit_s,
			 180);
	driven_end(&s);
}

/* Job 3 asks for less time than job 2, so its xfactor grows faster and overtakes. */
static const struct happening unequal_jobs[] = {
	{0, EVENT_SUBMIT, 1, "u1", 3, 10000},
	{60, EVENT_SUBMIT, 2, "u2", 4, 6000},
	{120, EVENT_SUBMIT, 3, "u3", 1, 600},
	{0},
};

static void time_alone_changes_the_order_at_a_poll(void **state)
{
	struct event settings[] = {
		{.kind = EVENT_SETTING, .who = "ann", .setting = {.name = "backfillpolicy", .value = "none"}},
		{.kind = EVENT_SETTING, .who = "ann", .setting = {.name = "xfactorweight", .value = "100"}},
	};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, unequal_jobs);
	assert_int_equal(driver_post(s.driver, settings, 2, &err), DRIVER_DONE);
	driver_set_poll(s.driver, 60);
	run_until(&s, 240);
	/* Ranks of jobs 2 and 3: 1 + 101 and 0 + 100 in one pass, 2 + 102 and 1 + 110 in the next. */
	assert_non_null(strstr(str_text(&s.watched.text), "start 3 at 180 by sched"));
	assert_true(driver_next_s(s.driver) == TIME_NEVER); /* job 2 waits alone */
	driven_end(&s);
}

/* As two_jobs, but the first runs beyond the next poll. */
static const struct happening slow_jobs[] = {
	{10, EVENT_SUBMIT, 1, "u1", 4, 1000},
	{20, EVENT_SUBMIT, 2, "u2", 4, 1000},
	{0},
};

static void between_two_polls_nothing_happens_but_what_operators_do(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;
	uint64_t passes;

	(void)state;
	driven_begin(&s, slow_jobs);
	driver_set_poll(s.driver, 60);
	run_until(&s, 60);
	passes = driven_stats(&s).passes;
	ev.time_s = 60; /* after the pass of that moment */
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	driven_step(&s, 60);
	driven_step(&s, 119);
	assert_int_equal(driven_stats(&s).passes, passes);
	assert_int_equal(driver_next_s(s.driver), 120);
	driven_step(&s, 120);
	assert_int_equal(driven_stats(&s).passes, passes + 1);
	driven_end(&s);
}

static void a_poll_goes_on_over_the_same_ledger(void **state)
{
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, slow_jobs);
	driver_set_poll(s.driver, 60);
	run_until(&s, 60);
	driver_free(s.driver);
	s.manager.closed = 0;
	s.driver = driver_new(manager_rm(&s.manager), memory_ledger(&s.ledger), &err);
	assert_non_null(s.driver);
	driver_set_poll(s.driver, 60);
	assert_int_equal(driver_next_s(s.driver), 120);
	driven_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_that_changes_nothing_writes_nothing),
		cmocka_unit_test(an_operator_s_change_is_followed_by_a_pass_at_the_next_step),
		cmocka_unit_test(where_a_workload_stands_is_no_reason_for_a_pass),
		cmocka_unit_test(a_paused_scheduler_makes_as_many_passes_as_it_is_told),
		cmocka_unit_test(a_setting_for_a_while_is_taken_back_by_itself),
		cmocka_unit_test(what_is_over_in_the_same_second_is_taken_back_in_several_steps),
		cmocka_unit_test(with_a_poll_passes_fall_on_its_multiples),
		cmocka_unit_test(time_alone_changes_the_order_at_a_poll),
		cmocka_unit_test(between_two_polls_nothing_happens_but_what_operators_do),
		cmocka_unit_test(a_poll_goes_on_over_the_same_ledger),
	};

	return cmocka_run_group_tests_name("driver_pass", tests, NULL, NULL);
}
