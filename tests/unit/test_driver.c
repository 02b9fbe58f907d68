/* SPDX-License-Identifier: MIT */
/*
 * test_driver.c - is each step one commit of what happened, in order, or nothing at all?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driven.h"

static void each_step_is_one_commit_of_what_happened_in_order(void **state)
{
	struct driven s;

	(void)state;
	driven_begin(&s, two_jobs);
	assert_int_equal(s.ledger.commits, 1); /* the node */
	driven_step(&s, 10);
	assert_int_equal(s.ledger.commits, 2);
	driven_step(&s, 20);
	driven_step(&s, 60);
	assert_int_equal(s.ledger.commits, 4);
	assert_string_equal(str_text(&s.watched.text), "2 submit 1 at 10 by u1\n"
						       "3 start 1 at 10 by sched\n"
						       "4 submit 2 at 20 by u2\n"
						       "5 plan 2 at 20 by sched\n"
						       "6 end 1 at 60 by sched\n"
						       "7 start 2 at 60 by sched\n");
	assert_string_equal(str_text(&s.manager.told), "start 1 at 10 on 0+1*4\nstart 2 at 60 on 0+1*4\n");
	driven_end(&s);
}

static void words_are_kept_before_the_manager_overwrites_them(void **state)
{
	struct driven s;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20); /* both arrivals in one step */
	assert_int_equal(s.ledger.event[0].kind, EVENT_NODE);
	assert_string_equal(s.ledger.event[0].who, "sched");
	assert_string_equal(s.ledger.event[0].node.name, "n001");
	assert_string_equal(s.ledger.event[1].who, "u1");
	assert_string_equal(s.ledger.event[1].submit.cred[CRED_USER], "u1");
	assert_string_equal(s.ledger.event[1].submit.name, "name of 1");
	assert_string_equal(s.ledger.event[2].who, "u2");
	assert_string_equal(s.ledger.event[2].submit.name, "name of 2");
	driven_end(&s);
}

static void a_job_that_ended_is_handed_over_as_it_was(void **state)
{
	struct driven s;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 10);
	driven_step(&s, 20);
	assert_string_equal(str_text(&s.ledger.ended), "");
	driven_step(&s, 60);
	assert_string_equal(
		str_text(&s.ledger.ended),
		"1 ended at 60, status 0, started at 10, user u1, name name of 1, 4 processors\n");
	driven_end(&s);
}

static void what_is_reported_late_happens_now(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	ev.time_s = 500;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	driven_step(&s, 500);
	assert_non_null(strstr(str_text(&s.watched.text), "end 1 at 500 by sched\n"));
	driven_end(&s);
}

static void the_next_moment_is_the_manager_s_or_that_of_a_due_pass(void **state)
{
	static const struct happening list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 4, 100},
		{20, EVENT_SUBMIT, 2, "u2", 4, 100},
		{0},
	};
	struct driven s;
	int64_t due_s;

	(void)state;
	driven_begin(&s, list);
	assert_int_equal(driver_next_s(s.driver), 10);
	driven_step(&s, 10);
	assert_int_equal(driver_next_s(s.driver), 20);
	driven_step(&s, 20);
	due_s = driver_next_s(s.driver);
	assert_true(due_s > 20);
	driven_end(&s);
}

static void what_was_counted_is_what_happened(void **state)
{
	struct driven s;
	struct driver_stats stats;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 10);
	driven_step(&s, 20);
	driven_step(&s, 60);
	stats = driven_stats(&s);
	assert_int_equal(stats.submitted, 2);
	assert_int_equal(stats.started, 2);
	assert_int_equal(stats.backfilled, 0);
	assert_int_equal(stats.ended, 1);
	assert_int_equal(stats.events, 7);
	assert_int_equal(stats.passes, 3);
	driven_end(&s);
}

static void without_manager_and_ledger_a_driver_has_nothing_to_do(void **state)
{
	struct err err;
	struct driver *d = driver_new((struct rm){0}, (struct ledger){0}, &err);
	struct event ev = {.kind = EVENT_NODE, .time_s = 5, .node = {.name = "n1", .procs = 2}};

	(void)state;
	assert_non_null(d);
	assert_true(driver_next_s(d) == TIME_NEVER);
	assert_int_equal(driver_post(d, &ev, 1, &err), DRIVER_DONE);
	assert_true(driver_step(d, 5, &err));
	assert_int_equal(driver_view(d)->procs_total, 2);
	assert_true(driver_next_s(d) == TIME_NEVER);
	driver_free(d);
	driver_free(NULL);
}

/* What is not kept anywhere is not known again. */
static void without_a_ledger_no_answer_is_kept(void **state)
{
	const struct cookie cookie = {.uid = 7};
	struct str answer = {0};
	bool known = true;
	struct err err;
	struct driver *d = driver_new((struct rm){.ops = NULL}, (struct ledger){.ops = NULL}, &err);

	(void)state;
	assert_non_null(d);
	assert_int_equal(driver_fd(d), -1);
	driver_remember(d, &cookie, "yes", 4);
	assert_true(driver_recall(d, &cookie, &known, &answer, &err));
	assert_false(known);
	assert_int_equal(answer.len, 0);
	assert_int_equal(driver_accept(d, NULL, 0, &err), DRIVER_DONE);
	driver_free(d);
}

/* A poll counts from the first thing that will happen, also before 1970. */
static void a_poll_begins_before_the_first_moment(void **state)
{
	static const struct happening list[] = {{-10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct manager manager = {.next = list};
	struct memory_ledger ledger;
	struct err err;
	struct driver *d;

	(void)state;
	memory_begin(&ledger);
	d = driver_new(manager_rm(&manager), memory_ledger(&ledger), &err);
	assert_non_null(d);
	assert_int_equal(driver_view(d)->now_s, TIME_NONE);
	driver_set_poll(d, 30);
	assert_int_equal(driver_next_s(d), 0);
	driver_free(d);
	memory_end(&ledger);
	str_free(&manager.told);
}

static void nodes_that_are_as_they_were_are_no_news(void **state)
{
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	driver_free(s.driver);
	s.manager.closed = 0;
	s.driver = driver_new(manager_rm(&s.manager), memory_ledger(&s.ledger), &err);
	assert_non_null(s.driver);
	assert_int_equal(s.ledger.commits, 2);
	assert_int_equal(driver_next_s(s.driver), 20); /* jobs wait: looked at once more */
	driven_step(&s, 20);
	assert_int_equal(s.ledger.commits, 2);
	driven_end(&s);
}

static bool is_smaller;

static bool nodes_changed(const void *self)
{
	(void)self;
	return is_smaller;
}

static void report_smaller(void *self, const struct snapshot *s, rm_report *report, void *to)
{
	const struct event smaller = {
		.kind = EVENT_NODE, .who = "sched", .node = {.name = "n001", .procs = 3}};

	if (is_smaller)
		report(to, &smaller);
	else
		manager_nodes(self, s, report, to);
	is_smaller = false;
}

static void nodes_that_have_changed_are_asked_for_after_a_poll(void **state)
{
	struct manager manager = {.next = two_jobs, .nodes = 1};
	struct rm rm = manager_rm(&manager);
	struct rm_ops ops = *rm.ops;
	struct memory_ledger ledger;
	struct driver *d;
	struct err err;

	(void)state;
	ops.nodes = report_smaller;
	ops.nodes_changed = nodes_changed;
	rm.ops = &ops;
	memory_begin(&ledger);
	d = driver_new(rm, memory_ledger(&ledger), &err);
	assert_non_null(d);
	assert_int_equal(snapshot_nodes(driver_view(d))[0].procs, 4);
	is_smaller = true;
	assert_true(driver_step(d, 20, &err));
	assert_false(is_smaller);
	assert_int_equal(snapshot_nodes(driver_view(d))[0].procs, 3);
	driver_free(d);
	memory_end(&ledger);
	str_free(&manager.told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_step_is_one_commit_of_what_happened_in_order),
		cmocka_unit_test(words_are_kept_before_the_manager_overwrites_them),
		cmocka_unit_test(a_job_that_ended_is_handed_over_as_it_was),
		cmocka_unit_test(what_is_reported_late_happens_now),
		cmocka_unit_test(the_next_moment_is_the_manager_s_or_that_of_a_due_pass),
		cmocka_unit_test(what_was_counted_is_what_happened),
		cmocka_unit_test(without_manager_and_ledger_a_driver_has_nothing_to_do),
		cmocka_unit_test(without_a_ledger_no_answer_is_kept),
		cmocka_unit_test(a_poll_begins_before_the_first_moment),
		cmocka_unit_test(nodes_that_are_as_they_were_are_no_news),
		cmocka_unit_test(nodes_that_have_changed_are_asked_for_after_a_poll),
	};

	return cmocka_run_group_tests_name("driver", tests, NULL, NULL);
}
