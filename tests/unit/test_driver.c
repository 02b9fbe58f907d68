/* SPDX-License-Identifier: MIT */
/*
 * test_driver.c - unit tests of steps, passes, requests and recovery
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driven.h"
#include "sched/base/vec.h"

/* --- steps and commits ---------------------------------------------------------------------------- */

static void each_step_commits_its_events_in_order(void **state)
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
	assert_string_equal(str_text(&s.manager.commands),
			    "start 1 at 10 on 0+1*4\nstart 2 at 60 on 0+1*4\n");
	driven_end(&s);
}

static void texts_are_copied_before_the_manager_overwrites_them(void **state)
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

static void an_ended_job_is_stored_with_its_record(void **state)
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

static void a_late_report_is_applied_at_the_current_time(void **state)
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

static void next_time_is_that_of_the_manager_or_of_a_due_pass(void **state)
{
	static const struct reported list[] = {
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

static void statistics_count_the_events(void **state)
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

static void driver_without_manager_and_ledger_accepts_requests(void **state)
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

/* There is nowhere to store it. */
static void without_a_ledger_answers_are_not_kept(void **state)
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

/* Polls count from the first event, which may be before 1970. */
static void the_first_poll_follows_the_first_event(void **state)
{
	static const struct reported list[] = {{-10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
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
	str_free(&manager.commands);
}

static void unchanged_nodes_are_not_recorded_again(void **state)
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
	assert_int_equal(driver_next_s(s.driver), 20); /* one more pass, as jobs wait */
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

static void changed_nodes_are_read_after_a_poll(void **state)
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
	str_free(&manager.commands);
}

/* --- passes --------------------------------------------------------------------------------------- */

static void a_pass_without_changes_commits_nothing(void **state)
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

static void the_position_in_a_workload_causes_no_pass(void **state)
{
	static const struct reported list[] = {
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

static void a_paused_scheduler_makes_only_the_requested_passes(void **state)
{
	static const struct reported list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 2, 100}, {20, EVENT_SUBMIT, 2, "u1", 2, 100}, {0}};
	struct event halt = {.kind = EVENT_HALT, .who = "ann", .halt = {.on = true}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	assert_int_equal(driver_post(s.driver, &halt, 1, &err), DRIVER_DONE);
	driven_step(&s, 10);
	assert_string_equal(str_text(&s.manager.commands), "");
	halt.halt.after = 1;
	assert_int_equal(driver_post(s.driver, &halt, 1, &err), DRIVER_DONE);
	driven_step(&s, 11);
	assert_string_equal(str_text(&s.manager.commands), "start 1 at 11 on 0+1*2\n");
	assert_true(snapshot_is_halted(driver_view(s.driver)));
	driven_step(&s, 20);
	assert_string_equal(str_text(&s.manager.commands), "start 1 at 11 on 0+1*2\n");
	halt.halt.on = false;
	assert_int_equal(driver_post(s.driver, &halt, 1, &err), DRIVER_DONE);
	driven_step(&s, 21);
	assert_non_null(strstr(str_text(&s.manager.commands), "start 2 at 21"));
	driven_end(&s);
}

static void a_temporary_setting_is_undone_at_its_end(void **state)
{
	static const struct reported none[] = {{0}};
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

/* Also if a watched manager, which decides by itself, has nothing to report. */
static void a_temporary_setting_ends_beside_a_watched_manager(void **state)
{
	static const struct reported none[] = {{0}};
	struct event ev = {.kind = EVENT_SETTING,
			   .who = "ann",
			   .until_s = 1800,
			   .setting = {.name = "xfactorweight", .value = "7"}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, none);
	driver_free(s.driver);
	s.manager = (struct manager){.next = none, .nodes = 1, .is_watched = true};
	s.driver = driver_new(manager_rm(&s.manager), memory_ledger(&s.ledger), &err);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	driven_step(&s, 10);
	assert_true(driver_next_s(s.driver) == 1800);
	driven_step(&s, 1800);
	assert_int_equal(driver_view(s.driver)->policy.weights.factor[PRIO_SERV_XFACTOR], 0);
	assert_true(driver_next_s(s.driver) == TIME_NEVER);
	driven_end(&s);
}

/* Steps through every due time up to `until_s`. */
static void run_until(struct driven *s, int64_t until_s)
{
	for (int64_t at_s = driver_next_s(s->driver); at_s <= until_s; at_s = driver_next_s(s->driver))
		driven_step(s, at_s);
}

/* Alternating temporary holds and releases of one job, all of which end in the same second. */
static void many_changes_that_end_in_one_second_are_undone_in_several_steps(void **state)
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
	assert_int_equal(after_all.passes, before_all.passes + 1); /* after the last step */
	assert_int_equal(driver_view(s.driver)->timed_changes, 2 * DRIVER_RETURNS_MOST + 10);
	assert_int_equal(
		snapshot_jobs(driver_view(s.driver))[snapshot_find_job(driver_view(s.driver), 2)].holds, 0);
	driven_end(&s);
}

static void with_a_poll_passes_fall_on_its_multiples(void **state)
{
	static const struct reported list[] = {
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

/* Job 3 requests less time than job 2, so its xfactor grows faster and overtakes. */
static const struct reported unequal_jobs[] = {
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
static const struct reported slow_jobs[] = {
	{10, EVENT_SUBMIT, 1, "u1", 4, 1000},
	{20, EVENT_SUBMIT, 2, "u2", 4, 1000},
	{0},
};

static void between_polls_only_requests_are_applied(void **state)
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

static void polls_continue_after_a_restart(void **state)
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

/* --- requests ------------------------------------------------------------------------------------- */

static void a_batch_is_one_commit(void **state)
{
	struct driven s;
	struct event ev[3] = {hold_of(2, true), hold_of(2, false), hold_of(2, true)};
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	assert_int_equal(driver_post(s.driver, ev, 3, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.commits, 3);
	assert_int_equal(ev[0].seq + 1, ev[1].seq);
	assert_int_equal(ev[1].seq + 1, ev[2].seq);
	assert_int_equal(driver_view(s.driver)->seq, ev[2].seq);
	driven_end(&s);
}

static void a_batch_may_refer_to_a_job_it_submits(void **state)
{
	struct driven s;
	struct event ev[2] = {
		{.kind = EVENT_SUBMIT,
		 .who = "ann",
		 .time_s = 40,
		 .submit = {.job = {.submit_s = 40,
				    .not_before_s = TIME_NONE,
				    .wall_limit_s = 60,
				    .tasks = 1,
				    .task_procs = 1}}},
		hold_of(3, true),
	};
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	assert_int_equal(driver_post(s.driver, ev, 2, &err), DRIVER_DONE);
	assert_int_equal(ev[0].job, 3);
	assert_int_equal(ev[1].time_s, 40);
	driven_end(&s);
}

/* A refused batch changes neither the state, the ledger, the counters nor the given events, and reaches no
 * watch. */
static void expect_refused(struct driven *s, struct event *ev, size_t count, const char *why)
{
	const struct driver_stats before = driven_stats(s);
	const uint64_t hash = state_hash(driver_view(s->driver));
	const unsigned watched = s->watched.count, commits = s->ledger.commits;
	struct event as_given[3];
	struct driver_stats after;
	struct err err;

	memcpy(as_given, ev, count * sizeof *ev);
	assert_int_equal(driver_post(s->driver, ev, count, &err), DRIVER_REFUSED);
	assert_non_null(strstr(err.text, why));
	after = driven_stats(s);
	assert_memory_equal(&before, &after, sizeof before);
	assert_memory_equal(as_given, ev, count * sizeof *ev);
	assert_true(state_hash(driver_view(s->driver)) == hash);
	assert_int_equal(s->watched.count, watched);
	assert_int_equal(s->ledger.commits, commits);
}

static void a_refused_event_leaves_no_trace(void **state)
{
	struct driven s;
	struct event ev = hold_of(1, true);

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	expect_refused(&s, &ev, 1, "job 1 has run for");
	driven_step(&s, 20);
	assert_int_equal(s.ledger.commits, 2);
	driven_end(&s);
}

static void a_batch_with_one_refused_event_leaves_no_trace(void **state)
{
	struct driven s;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	for (size_t bad = 0; bad < 3; bad++) {
		struct event ev[3] = {hold_of(2, true), hold_of(2, false), hold_of(2, true)};

		ev[bad].job = 99;
		expect_refused(&s, ev, 3, "job 99 is not in the queue");
	}
	/* The next event has the number that follows the last accepted one. */
	struct event ev = hold_of(2, true);
	struct err err;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_int_equal(ev.seq, driver_view(s.driver)->seq);
	assert_int_equal(s.ledger.event[s.ledger.count - 1].seq, s.ledger.count);
	driven_end(&s);
}

static void a_batch_in_which_an_end_is_refused_leaves_no_ended_job(void **state)
{
	struct driven s;
	struct event ev[2] = {{.kind = EVENT_END, .job = 1, .who = "ann"},
			      {.kind = EVENT_END, .job = 1, .who = "ann"}};

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	expect_refused(&s, ev, 2, "job 1 is not in the queue");
	driven_step(&s, 60); /* the end reported by the manager */
	assert_string_equal(
		str_text(&s.ledger.ended),
		"1 ended at 60, status 0, started at 20, user u1, name name of 1, 4 processors\n");
	driven_end(&s);
}

static struct event posted_job(int64_t at_s)
{
	struct event ev = {.kind = EVENT_SUBMIT, .time_s = at_s, .who = "eva"};

	ev.submit.job = (struct job){.submit_s = at_s,
				     .not_before_s = TIME_NONE,
				     .wall_limit_s = 40,
				     .true_run_s = 40,
				     .tasks = 1,
				     .task_procs = 1};
	ev.submit.cred[CRED_USER] = "eva";
	return ev;
}

static void accepted_requests_and_their_starts_are_one_commit(void **state)
{
	struct event first = posted_job(5), other = hold_of(77, true), second = posted_job(5);
	struct driven s;
	struct err err;
	unsigned commits;

	(void)state;
	driven_begin(&s, NULL);
	commits = s.ledger.commits;
	assert_int_equal(driver_accept(s.driver, &first, 1, &err), DRIVER_DONE);
	assert_int_equal(driver_accept(s.driver, &other, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "job 77 is not in the queue: it does not exist or has ended");
	assert_int_equal(driver_accept(s.driver, &second, 1, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.commits, commits);
	assert_string_equal(str_text(&s.manager.commands), "");
	assert_int_equal(driver_settle(s.driver, 5, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.commits, commits + 1);
	assert_as_stored(&s);
	assert_int_equal(first.job, 1);
	assert_int_equal(second.job, 2);
	assert_string_equal(str_text(&s.manager.commands), ""); /* the client is answered before the start */
	assert_true(driver_carry_out(s.driver, 5, &err));
	assert_non_null(strstr(str_text(&s.manager.commands), "start 1 at 5"));
	assert_non_null(strstr(str_text(&s.manager.commands), "start 2 at 5"));
	driven_end(&s);
}

/* The request is freed when it is answered, which is before the manager starts the job. */
static void a_forced_start_uses_the_requested_nodes_after_the_request_is_freed(void **state)
{
	struct alloc_run run = {.node = 0, .nodes = 1, .procs = 1, .tasks = 1, .next = INDEX_NONE};
	struct event job = posted_job(5), start = {.kind = EVENT_START, .job = 1, .time_s = 5, .who = "root"};
	struct event pause = {.kind = EVENT_HALT, .time_s = 5, .who = "root", .halt = {.on = true}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, NULL);
	assert_int_equal(driver_post(s.driver, &pause, 1, &err), DRIVER_DONE);
	assert_int_equal(driver_post(s.driver, &job, 1, &err), DRIVER_DONE);
	start.start.runs = &run;
	start.start.count = 1;
	if (driver_accept(s.driver, &start, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
	assert_int_equal(driver_settle(s.driver, 5, &err), DRIVER_DONE);
	memset(&run, 0xff, sizeof run);
	assert_true(driver_carry_out(s.driver, 5, &err));
	assert_string_equal(str_text(&s.manager.commands), "start 1 at 5 on 0+1*1\n");
	driven_end(&s);
}

static void a_refused_request_of_two_events_does_not_affect_others(void **state)
{
	struct event first = posted_job(5), both[2] = {posted_job(5), hold_of(77, true)};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, NULL);
	assert_int_equal(driver_accept(s.driver, &first, 1, &err), DRIVER_DONE);
	assert_int_equal(driver_accept(s.driver, both, 2, &err), DRIVER_REFUSED);
	assert_int_equal(driver_settle(s.driver, 5, &err), DRIVER_DONE);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 1);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 0);
	assert_as_stored(&s);
	driven_end(&s);
}

#define CHAIN 2000

/* Two chains of jobs. The request makes the first job depend on the last jobs of the second chain in turn, so
 * that no search result can be reused. */
static void one_request_searches_dependencies_for_a_bounded_time(void **state)
{
	struct event *ev = mem_zero(8000, sizeof *ev);
	struct depend depend[2 * CHAIN] = {{.on = 0}};
	struct driven s;
	struct err err;
	char text[2][40];

	(void)state;
	driven_begin(&s, NULL);
	for (uint64_t i = 0; i < 2 * CHAIN; i++) {
		ev[i] = posted_job(5);
		depend[i] = (struct depend){.on = i, .type = DEPEND_OK};
		ev[i].submit.depend = &depend[i];
		ev[i].submit.depend_count = i % CHAIN > 0;
		ev[i].submit.job.not_before_s = 1000;
	}
	assert_int_equal(driver_accept(s.driver, ev, 2 * CHAIN, &err), DRIVER_DONE);
	for (int i = 0; i < 2; i++)
		snprintf(text[i], sizeof text[i], "afterok:%d", 2 * CHAIN - i);
	for (size_t i = 0; i < 8000; i++)
		ev[i] = (struct event){.kind = EVENT_MODIFY,
				       .time_s = 5,
				       .who = "root",
				       .job = 1,
				       .modify = {.name = "depend", .value = text[i % 2]}};
	assert_int_equal(driver_accept(s.driver, ev, 8000, &err), DRIVER_REFUSED);
	assert_non_null(strstr(err.text, "the request changes too many dependencies at once"));
	assert_int_equal(driver_accept(s.driver, ev, 10, &err), DRIVER_DONE);
	driven_end(&s);
	free(ev);
}

static bool recalls(const struct driven *s, uint32_t uid, const char *answer)
{
	const struct cookie cookie = {.uid = uid, .bytes = "a cookie"};
	struct str out = {0};
	struct err err;
	bool known;

	assert_true(driver_recall(s->driver, &cookie, &known, &out, &err));
	if (known)
		assert_string_equal(str_text(&out), answer);
	str_free(&out);
	return known;
}

static void an_answer_can_be_recalled_at_once_and_is_committed_with_its_events(void **state)
{
	const struct cookie cookie = {.uid = 7, .bytes = "a cookie"};
	struct event ev = posted_job(5);
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, NULL);
	assert_false(recalls(&s, 7, ""));
	assert_int_equal(driver_accept(s.driver, &ev, 1, &err), DRIVER_DONE);
	driver_remember(s.driver, &cookie, "job 1", 5);
	assert_true(recalls(&s, 7, "job 1"));
	assert_false(recalls(&s, 8, "")); /* the cookie of another user */
	assert_int_equal(s.ledger.answered_count, 0);
	assert_int_equal(driver_settle(s.driver, 5, &err), DRIVER_DONE);
	assert_int_equal(s.ledger.answered_count, 1);
	assert_true(recalls(&s, 7, "job 1"));
	assert_false(recalls(&s, 8, ""));
	driven_end(&s);
}

static void requests_of_a_failed_commit_are_dropped(void **state)
{
	const struct cookie cookie = {.uid = 7, .bytes = "a cookie"};
	struct event first = posted_job(21), second = posted_job(21);
	struct driven s;
	struct err err;

	(void)state;
	driven_begin_reloadable(&s, two_jobs);
	driven_step(&s, 20);
	assert_int_equal(driver_accept(s.driver, &first, 1, &err), DRIVER_DONE);
	driver_remember(s.driver, &cookie, "job 3", 5);
	assert_int_equal(driver_accept(s.driver, &second, 1, &err), DRIVER_DONE);
	s.ledger.fail_next = 1;
	assert_int_equal(driver_settle(s.driver, 21, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the disk is full");
	assert_as_stored(&s);
	assert_false(recalls(&s, 7, ""));
	first.time_s = driver_next_s(s.driver);
	assert_int_equal(driver_accept(s.driver, &first, 1, &err), DRIVER_DONE);
	assert_int_equal(driver_settle(s.driver, first.time_s, &err), DRIVER_DONE);
	assert_as_stored(&s);
	driven_end(&s);
}

/* --- failed commits, stores and reports ----------------------------------------------------------- */

static void a_failed_commit_is_reported(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;
	size_t kept;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	kept = s.ledger.count;
	s.ledger.fail_next = 1;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_FAILED);
	assert_string_equal(err.text, "the disk is full");
	assert_int_equal(s.ledger.count, kept);
	driven_end(&s);
}

static void a_request_is_refused_while_the_disk_is_full(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;
	size_t kept;

	(void)state;
	driven_begin_reloadable(&s, two_jobs);
	driven_step(&s, 20);
	kept = s.ledger.count;
	s.ledger.fail_next = 1;
	ev.time_s = 21;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the disk is full");
	assert_int_equal(s.ledger.count, kept);
	assert_as_stored(&s);
	ev.time_s = 21; /* too early: no commit is attempted */
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
	assert_string_equal(err.text, "the disk is full");
	assert_true(driver_next_s(s.driver) > 21);
	ev.time_s = driver_next_s(s.driver);
	driven_step(&s, ev.time_s);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_as_stored(&s);
	driven_end(&s);
}

/* The old time continues until the store can be written. */
static void setting_the_clock_is_retried_when_the_disk_has_space(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		int64_t by_s = i == 0 ? 3600 : -3600;
		struct driven s;
		struct err err;

		driven_begin_reloadable(&s, two_jobs);
		driven_step(&s, 20);
		s.ledger.fail_next = 1;
		assert_int_equal(driver_set_clock(s.driver, 30 + by_s, by_s, &err), DRIVER_REFUSED);
		assert_string_equal(err.text, "the disk is full");
		assert_as_stored(&s);
		assert_int_equal(driver_view(s.driver)->now_s, 20);
		assert_int_equal(driver_set_clock(s.driver, 30 + by_s, by_s, &err), DRIVER_REFUSED);
		driven_step(&s, driver_next_s(s.driver));
		assert_int_equal(driver_set_clock(s.driver, 40 + by_s, by_s, &err), DRIVER_DONE);
		assert_int_equal(driver_view(s.driver)->now_s, 40 + by_s);
		assert_int_equal(snapshot_jobs(driver_view(s.driver))[0].start_s, 20 + by_s);
		assert_true(driver_next_s(s.driver) <= 40 + by_s); /* a pass */
		assert_as_stored(&s);
		/* The new time may be slightly before the last event; a step of 0 is accepted too. */
		assert_int_equal(driver_set_clock(s.driver, 39 + by_s, 1, &err), DRIVER_DONE);
		assert_int_equal(s.ledger.event[s.ledger.count - 1].clock.by_s, -1);
		assert_int_equal(driver_set_clock(s.driver, 39 + by_s, 1, &err), DRIVER_DONE);
		driven_end(&s);
	}
}

/* Its reports are not read until then, so a readable descriptor would keep the event loop from sleeping. */
static void the_manager_is_not_polled_until_the_disk_has_space(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;

	(void)state;
	for (int settles = 0; settles < 2; settles++) {
		driven_begin_reloadable(&s, two_jobs);
		s.manager.fd = 77;
		driven_step(&s, 20);
		assert_int_equal(driver_fd(s.driver), 77);
		s.ledger.fail_next = 1;
		ev.time_s = 21;
		assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_REFUSED);
		assert_int_equal(driver_fd(s.driver), -1);
		assert_int_equal(driver_settle(s.driver, 21, &err), DRIVER_DONE);
		assert_int_equal(driver_fd(s.driver), -1);
		if (settles)
			assert_int_equal(driver_settle(s.driver, driver_next_s(s.driver), &err), DRIVER_DONE);
		else
			driven_step(&s, driver_next_s(s.driver));
		assert_int_equal(driver_fd(s.driver), 77);
		driven_end(&s);
	}
}

static void steps_continue_when_a_full_disk_has_space_again(void **state)
{
	struct driven s;

	(void)state;
	driven_begin_reloadable(&s, two_jobs);
	driven_step(&s, 20);
	s.ledger.fail_next = 3;
	for (int64_t now_s = 60; s.ledger.fail_next > 0; now_s = driver_next_s(s.driver)) {
		driven_step(&s, now_s);
		assert_as_stored(&s);
		assert_true(driver_next_s(s.driver) > now_s); /* the retry is at a later time */
	}
	assert_null(strstr(str_text(&s.manager.commands), "start 2"));
	driven_step(&s, driver_next_s(s.driver));
	assert_as_stored(&s);
	assert_non_null(strstr(str_text(&s.ledger.ended), "1 ended at"));
	assert_non_null(strstr(str_text(&s.manager.commands), "start 2"));
	driven_end(&s);
}

static void the_driver_fails_if_the_store_can_neither_be_written_nor_read(void **state)
{
	struct driven s;
	struct event ev = hold_of(2, true);
	struct err err;

	(void)state;
	driven_begin_reloadable(&s, two_jobs);
	driven_step(&s, 20);
	s.ledger.fail_next = 1;
	s.ledger.fail_load = true;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_FAILED);
	assert_string_equal(err.text, "the disk cannot be read");
	s.ledger.fail_load = false;
	driven_end(&s);
}

static void a_step_with_an_impossible_report_is_dropped_with_an_error(void **state)
{
	static const struct reported list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 4, 100},
		{10, EVENT_END, 77, NULL, 0, 0},
		{10, EVENT_SUBMIT, 2, "u2", 4, 100},
		{0},
	};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	assert_false(driver_step(s.driver, 10, &err));
	assert_non_null(strstr(err.text, "job 77 is not in the queue"));
	assert_int_equal(s.ledger.commits, 1);
	assert_int_equal(s.watched.count, 1); /* nothing after it was applied */
	driven_end(&s);
}

static void expect_no_driver(struct driven *s, const char *why)
{
	struct err err;

	assert_null(driver_new(manager_rm(&s->manager), memory_ledger(&s->ledger), &err));
	assert_string_equal(err.text, why);
	assert_int_equal(s->manager.closed, 1);
	assert_int_equal(s->ledger.commits, 0);
	memory_end(&s->ledger);
}

static void a_driver_that_cannot_be_created_closes_its_manager(void **state)
{
	struct driven load = {.ledger = {.fail_load = true}}, adopt = {.manager = {.refuse_adopt = true}};
	struct driven nodes = {.manager = {.nodes = 1}, .ledger = {.fail_next = 1}};

	(void)state;
	load.ledger.st = state_new();
	expect_no_driver(&load, "the disk cannot be read");
	adopt.ledger.st = state_new();
	expect_no_driver(&adopt, "the cluster does not answer");
	nodes.ledger.st = state_new();
	expect_no_driver(&nodes, "the disk is full");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_step_commits_its_events_in_order),
		cmocka_unit_test(texts_are_copied_before_the_manager_overwrites_them),
		cmocka_unit_test(an_ended_job_is_stored_with_its_record),
		cmocka_unit_test(a_late_report_is_applied_at_the_current_time),
		cmocka_unit_test(next_time_is_that_of_the_manager_or_of_a_due_pass),
		cmocka_unit_test(statistics_count_the_events),
		cmocka_unit_test(driver_without_manager_and_ledger_accepts_requests),
		cmocka_unit_test(without_a_ledger_answers_are_not_kept),
		cmocka_unit_test(the_first_poll_follows_the_first_event),
		cmocka_unit_test(unchanged_nodes_are_not_recorded_again),
		cmocka_unit_test(changed_nodes_are_read_after_a_poll),
		cmocka_unit_test(a_pass_without_changes_commits_nothing),
		cmocka_unit_test(an_operator_s_change_is_followed_by_a_pass_at_the_next_step),
		cmocka_unit_test(the_position_in_a_workload_causes_no_pass),
		cmocka_unit_test(a_paused_scheduler_makes_only_the_requested_passes),
		cmocka_unit_test(a_temporary_setting_is_undone_at_its_end),
		cmocka_unit_test(a_temporary_setting_ends_beside_a_watched_manager),
		cmocka_unit_test(many_changes_that_end_in_one_second_are_undone_in_several_steps),
		cmocka_unit_test(with_a_poll_passes_fall_on_its_multiples),
		cmocka_unit_test(time_alone_changes_the_order_at_a_poll),
		cmocka_unit_test(between_polls_only_requests_are_applied),
		cmocka_unit_test(polls_continue_after_a_restart),
		cmocka_unit_test(a_batch_is_one_commit),
		cmocka_unit_test(a_batch_may_refer_to_a_job_it_submits),
		cmocka_unit_test(a_refused_event_leaves_no_trace),
		cmocka_unit_test(a_batch_with_one_refused_event_leaves_no_trace),
		cmocka_unit_test(a_batch_in_which_an_end_is_refused_leaves_no_ended_job),
		cmocka_unit_test(accepted_requests_and_their_starts_are_one_commit),
		cmocka_unit_test(one_request_searches_dependencies_for_a_bounded_time),
		cmocka_unit_test(a_forced_start_uses_the_requested_nodes_after_the_request_is_freed),
		cmocka_unit_test(a_refused_request_of_two_events_does_not_affect_others),
		cmocka_unit_test(an_answer_can_be_recalled_at_once_and_is_committed_with_its_events),
		cmocka_unit_test(requests_of_a_failed_commit_are_dropped),
		cmocka_unit_test(a_failed_commit_is_reported),
		cmocka_unit_test(a_request_is_refused_while_the_disk_is_full),
		cmocka_unit_test(setting_the_clock_is_retried_when_the_disk_has_space),
		cmocka_unit_test(the_manager_is_not_polled_until_the_disk_has_space),
		cmocka_unit_test(steps_continue_when_a_full_disk_has_space_again),
		cmocka_unit_test(the_driver_fails_if_the_store_can_neither_be_written_nor_read),
		cmocka_unit_test(a_step_with_an_impossible_report_is_dropped_with_an_error),
		cmocka_unit_test(a_driver_that_cannot_be_created_closes_its_manager),
	};

	return cmocka_run_group_tests_name("driver", tests, NULL, NULL);
}
