/* SPDX-License-Identifier: MIT */
/* test_driver_act.c - commands to the resource manager and its refusals */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driven.h"
#include "sched/rm/launch.h"

static void nothing_is_started_before_it_is_committed(void **state)
{
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	s.ledger.fail_next = 1;
	assert_false(driver_step(s.driver, 10, &err));
	assert_string_equal(err.text, "the disk is full");
	assert_string_equal(str_text(&s.manager.commands), "");
	driven_end(&s);
}

static void take_warning(void *self, const char *text)
{
	str_addf(self, "%s\n", text);
}

static void a_job_whose_start_the_manager_refuses_is_deferred(void **state)
{
	struct driven s;
	struct str warned = {0};

	(void)state;
	driven_begin(&s, two_jobs);
	driver_set_warn(s.driver, take_warning, &warned);
	s.manager.refuse_start = true;
	driven_step(&s, 10);
	assert_string_equal(str_text(&warned), "job 1 could not be started: node n001 does not answer\n");
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 0);
	assert_int_equal(driver_view(s.driver)->procs_busy, 0);
	assert_int_equal(s.ledger.commits, 3);
	/* The processors are free at once: job 2 gets them when it arrives. */
	s.manager.refuse_start = false;
	driven_step(&s, 20);
	assert_string_equal(str_text(&s.manager.commands), "start 2 at 20 on 0+1*4\n");
	assert_string_equal(
		snapshot_string(driver_view(s.driver), snapshot_jobs(driver_view(s.driver))[0].hold_reason),
		"node n001 does not answer");
	str_free(&warned);
	driven_end(&s);
}

static void a_refused_start_is_retried_after_the_defer(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct driven s;
	int64_t again_s;

	(void)state;
	driven_begin(&s, list);
	s.manager.refuse_start = true;
	driven_step(&s, 10);
	driven_step(&s, driver_next_s(s.driver)); /* a pass for the freed processors */
	s.manager.refuse_start = false;
	again_s = driver_next_s(s.driver);
	assert_int_equal(again_s, 10 + driver_view(s.driver)->policy.defer_time_s);
	driven_step(&s, again_s);
	assert_non_null(strstr(str_text(&s.manager.commands), "start 1 at 3610 on"));
	driven_end(&s);
}

static void without_defers_a_refused_start_is_retried_after_a_poll(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct event ev = {
		.kind = EVENT_SETTING, .who = "ann", .setting = {.name = "defertime", .value = "0"}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	s.manager.refuse_start = true;
	driven_step(&s, 10);
	assert_int_equal(driver_next_s(s.driver), 10 + driver_view(s.driver)->policy.poll_interval_s);
	driven_step(&s, driver_next_s(s.driver));
	assert_int_equal(snapshot_jobs(driver_view(s.driver))[0].defer_count, 0);
	assert_int_equal(snapshot_jobs(driver_view(s.driver))[0].start_count, 2);
	driven_end(&s);
}

static const struct job *first_job(const struct driven *s)
{
	return &snapshot_jobs(driver_view(s->driver))[0];
}

/* Until then it is retried after each poll interval. */
static void a_job_is_deferred_after_deferstartcount_refused_starts(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct event ev = {.kind = EVENT_SETTING, .who = "ann", .setting = {"deferstartcount", "3"}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	if (driver_post(s.driver, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
	s.manager.refuse_start = true;
	driven_step(&s, 10);
	for (uint32_t tried = 1; tried < 3; tried++) {
		assert_int_equal(first_job(&s)->start_count, tried);
		assert_int_equal(first_job(&s)->defer_count, 0);
		assert_int_equal(driver_next_s(s.driver),
				 driver_view(s.driver)->now_s +
					 driver_view(s.driver)->policy.poll_interval_s);
		driven_step(&s, driver_next_s(s.driver));
	}
	assert_int_equal(first_job(&s)->start_count, 3);
	assert_int_equal(first_job(&s)->defer_count, 1);
	assert_int_equal(first_job(&s)->defer_until_s,
			 driver_view(s.driver)->now_s + driver_view(s.driver)->policy.defer_time_s);
	driven_end(&s);
}

static void a_start_that_fails_temporarily_is_retried_with_backoff(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	static const int64_t delay_s[] = {1, 2, 4, 8, 16, 32, 60, 60};
	struct str warned = {0};
	struct driven s;
	int64_t now_s = 10;

	(void)state;
	driven_begin(&s, list);
	driver_set_warn(s.driver, take_warning, &warned);
	s.manager.short_of_memory = true;
	for (size_t i = 0; i < sizeof delay_s / sizeof delay_s[0]; i++) {
		driven_step(&s, now_s);
		assert_int_equal(first_job(&s)->state, JOB_IDLE);
		assert_int_equal(first_job(&s)->retries, i + 1);
		assert_int_equal(first_job(&s)->defer_until_s, now_s + delay_s[i]);
		assert_string_equal(snapshot_string(driver_view(s.driver), first_job(&s)->hold_reason),
				    "no process could be made: out of memory");
		assert_int_equal(driver_next_s(s.driver), now_s + delay_s[i]);
		now_s += delay_s[i];
	}
	assert_int_equal(first_job(&s)->defer_count, 0);
	assert_int_equal(first_job(&s)->holds, 0);
	assert_int_equal(first_job(&s)->accrual_s, 10); /* queue time continues to count */
	assert_non_null(strstr(str_text(&warned),
			       "job 1 could not be started: no process could be made: out of "
			       "memory; it is retried in 32 s\n"));
	s.manager.short_of_memory = false;
	driven_step(&s, now_s);
	assert_string_equal(str_text(&s.manager.commands), "start 1 at 193 on 0+1*4\n");
	str_free(&warned);
	driven_end(&s);
}

/* --- starts that the manager reports as failed later ---------------------------------------------- */

static uint64_t failing; /* the job that the next poll reports as not started; 0: none */

static void poll_failing(void *self, int64_t now_s, rm_report *report, void *to)
{
	struct event ev = {
		.kind = EVENT_DEFER,
		.time_s = now_s,
		.job = failing,
		.who = "sched",
		.defer = {.until_s = TIME_NEVER, .failed_start = true, .reason = "no such folder"}};

	manager_poll(self, now_s, report, to);
	if (failing != 0)
		report(to, &ev);
	failing = 0;
}

/* Starts one job, whose start the manager then reports as failed. */
static void report_failed_start(struct driven *s, const char *name, const char *value, bool cancel)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	static struct rm_ops ops;
	struct event set = {.kind = EVENT_SETTING, .who = "ann", .setting = {name, value}};
	struct event end = {.kind = EVENT_CANCEL, .job = 1, .who = "ann"};
	struct rm rm;
	struct err err;

	driven_begin(s, list);
	driver_free(s->driver);
	s->manager = (struct manager){.next = list, .nodes = 1};
	rm = manager_rm(&s->manager);
	ops = *rm.ops;
	ops.poll = poll_failing;
	rm.ops = &ops;
	s->driver = driver_new(rm, memory_ledger(&s->ledger), &err);
	assert_int_equal(driver_post(s->driver, &set, 1, &err), DRIVER_DONE);
	driven_step(s, 10);
	assert_int_equal(first_job(s)->state, JOB_RUNNING);
	if (cancel)
		assert_int_equal(driver_post(s->driver, &end, 1, &err), DRIVER_DONE);
	failing = 1;
	driven_step(s, 11);
}

static void a_start_reported_as_failed_later_is_retried_deferred_or_ended(void **state)
{
	struct driven s;

	(void)state;
	report_failed_start(&s, "deferstartcount", "3", false);
	assert_int_equal(first_job(&s)->defer_count, 0);
	driven_end(&s);
	report_failed_start(&s, "deferstartcount", "1", false);
	assert_int_equal(first_job(&s)->defer_count, 1);
	assert_int_equal(first_job(&s)->defer_until_s, 11 + driver_view(s.driver)->policy.defer_time_s);
	driven_end(&s);
	report_failed_start(&s, "defertime", "0", false);
	assert_int_equal(first_job(&s)->defer_count, 0);
	assert_int_equal(first_job(&s)->retries, 1);
	driven_end(&s);
	report_failed_start(&s, "defertime", "0", true);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 0);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 0);
	assert_non_null(strstr(str_text(&s.ledger.ended), "1 ended at 11, status 271"));
	driven_end(&s);
}

/* A user can cause an error that looks like a shortage of the host, with a user-mounted file system. */
static void after_thirty_retries_the_interval_is_ten_minutes(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct driven s;
	int64_t now_s = 10;

	(void)state;
	driven_begin(&s, list);
	s.manager.short_of_memory = true;
	for (int i = 0; i < 32; i++) {
		int64_t delay_s;

		driven_step(&s, now_s);
		assert_int_equal(first_job(&s)->retries, i + 1);
		delay_s = first_job(&s)->defer_until_s - now_s;
		assert_int_equal(delay_s, i < 6 ? 1 << i : i < 30 ? 60 : 600);
		now_s += delay_s;
	}
	assert_int_equal(first_job(&s)->defer_count, 0);
	s.manager.short_of_memory = false;
	driven_step(&s, now_s);
	assert_int_equal(first_job(&s)->state, JOB_RUNNING);
	driven_end(&s);
}

static bool charge_retry(void *self, const struct snapshot *s, const struct job *job, int64_t bytes)
{
	int *retries_left = self;

	(void)s;
	assert_int_equal(job->id, 1);
	assert_in_range(bytes, 100, 10000);
	return (*retries_left)-- > 0;
}

static void a_retry_beyond_the_allowance_of_its_user_waits_ten_minutes(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct driven s;
	int retries_left = 1;

	(void)state;
	driven_begin(&s, list);
	driver_set_toll(s.driver, charge_retry, &retries_left);
	s.manager.short_of_memory = true;
	driven_step(&s, 10);
	assert_int_equal(first_job(&s)->defer_until_s, 11);
	driven_step(&s, 11);
	assert_int_equal(retries_left, -1);
	assert_int_equal(first_job(&s)->retries, 2);
	assert_int_equal(first_job(&s)->defer_until_s, 611);
	assert_int_equal(first_job(&s)->defer_count, 0);
	driven_end(&s);
}

/* The host lacks the resource for every job, so no other job is tried at once. */
static void a_start_that_is_retried_does_not_start_others_at_once(void **state)
{
	static const struct reported list[] = {
		{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {10, EVENT_SUBMIT, 2, "u1", 4, 100}, {0}};
	struct driven s;

	(void)state;
	driven_begin(&s, list);
	s.manager.short_of_memory = true;
	driven_step(&s, 10);
	assert_int_equal(driver_next_s(s.driver), 11);
	assert_int_equal(snapshot_jobs(driver_view(s.driver))[1].start_count, 0);
	driven_end(&s);
}

/* DEFERSTARTCOUNT limits refused starts; retries in between are not counted. */
static void a_retry_counts_neither_as_a_failed_start_nor_as_a_defer(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct event ev = {
		.kind = EVENT_SETTING, .who = "ann", .setting = {.name = "deferstartcount", .value = "2"}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	s.manager.short_of_memory = true;
	driven_step(&s, 10);
	driven_step(&s, 11);
	s.manager.short_of_memory = false;
	s.manager.refuse_start = true;
	driven_step(&s, 13);
	assert_int_equal(first_job(&s)->start_count, 3);
	assert_int_equal(first_job(&s)->retries, 2);
	assert_true(first_job(&s)->defer_until_s == TIME_NONE); /* the first counted failure */
	driven_step(&s, driver_next_s(s.driver));
	assert_int_equal(first_job(&s)->defer_count, 1); /* the second counted failure */
	assert_int_equal(first_job(&s)->retries, 0);
	driven_end(&s);
}

static void a_job_cancelled_before_its_start_is_refused_has_ended(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 4, .tasks = 4, .next = INDEX_NONE};
	struct event ev[3] = {
		{.kind = EVENT_SUBMIT,
		 .who = "ann",
		 .submit = {.job = {.submit_s = 5,
				    .not_before_s = TIME_NONE,
				    .wall_limit_s = 60,
				    .tasks = 4,
				    .task_procs = 1}}},
		{.kind = EVENT_START, .job = 1, .who = "ann", .start = {.runs = &run, .count = 1}},
		{.kind = EVENT_CANCEL, .job = 1, .who = "ann"}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list + 1);
	s.manager.refuse_start = true;
	assert_int_equal(driver_post(s.driver, ev, 3, &err), DRIVER_DONE);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 0);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 0);
	assert_non_null(strstr(str_text(&s.ledger.ended), "1 ended at"));
	driven_end(&s);
}

static struct event submit_launch(const char *launch)
{
	struct event ev = {.kind = EVENT_SUBMIT, .who = "ann"};

	ev.submit.job = (struct job){.not_before_s = TIME_NONE,
				     .wall_limit_s = 60,
				     .true_run_s = -1,
				     .tasks = 4,
				     .task_procs = 1,
				     .real = JOB_REAL_LAUNCH};
	ev.submit.launch = launch;
	ev.submit.launch_size = launch == NULL ? 0 : (uint32_t)strlen(launch);
	return ev;
}

static void a_start_passes_the_launch_data_to_the_manager(void **state)
{
	static const struct reported none[] = {{0}};
	struct event ev = submit_launch("make all");
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, none);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	driven_step(&s, 10);
	assert_non_null(strstr(str_text(&s.manager.commands), "start 1 at 10 on 0+1*4 (make all)"));
	driven_end(&s);
}

static void a_job_without_launch_data_is_not_started(void **state)
{
	static const struct reported none[] = {{0}};
	struct event ev = submit_launch(NULL);
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, none);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	driven_step(&s, 10);
	assert_string_equal(str_text(&s.manager.commands), "");
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 0);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 1);
	driven_end(&s);
}

#define TASKS 20

/* A launch can have 4 MB, and no other client is answered while it is read. */
static void the_launch_of_an_array_is_read_once_when_its_tasks_are_cancelled(void **state)
{
	static const struct reported none[] = {{0}};
	static const struct array_range range = {.last = TASKS - 1, .step = 1};
	const struct launch stored_launch = {.output = "/o%j"};
	struct event both[2] = {submit_launch(""), submit_launch("")}, cancel[2 * TASKS];
	struct str launch = {0};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, none);
	launch_write(&stored_launch, &launch);
	for (int k = 0; k < 2; k++) {
		both[k].submit.job.base_holds = JOB_HOLD_USER;
		both[k].submit.ranges = &range;
		both[k].submit.range_count = 1;
		both[k].submit.launch = launch.data;
		both[k].submit.launch_size = (uint32_t)launch.len;
	}
	assert_int_equal(driver_post(s.driver, both, 2, &err), DRIVER_DONE);
	for (uint64_t i = 0; i < 2 * TASKS; i++) /* alternates between both arrays */
		cancel[i] =
			(struct event){.kind = EVENT_CANCEL, .job = both[i % 2].job + i / 2, .who = "ann"};
	s.ledger.launches = 0;
	assert_int_equal(driver_post(s.driver, cancel, TASKS, &err), DRIVER_DONE);
	assert_int_equal(driver_post(s.driver, cancel + TASKS, TASKS, &err), DRIVER_DONE);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 0);
	assert_int_equal(s.ledger.launches, 2);
	str_free(&launch);
	driven_end(&s);
}

static void the_launch_of_an_array_is_read_once_for_tasks_that_start_together(void **state)
{
	static const struct reported none[] = {{0}};
	static const struct array_range range = {.last = 3, .step = 1};
	struct event ev = submit_launch("make all");
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, none);
	ev.submit.job.tasks = 1;
	ev.submit.ranges = &range;
	ev.submit.range_count = 1;
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	driven_step(&s, 10);
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 4);
	assert_non_null(strstr(str_text(&s.manager.commands), "(make all)"));
	assert_int_equal(s.ledger.launches, 1);
	driven_end(&s);
}

static void suspend_resume_signal_and_requeue_reach_the_manager(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	struct event ev[4] = {{.kind = EVENT_SUSPEND, .job = 1, .who = "ann", .suspend = {.on = true}},
			      {.kind = EVENT_SUSPEND, .job = 1, .who = "ann"},
			      {.kind = EVENT_SIGNAL, .job = 1, .who = "ann", .signal = {.number = 9}},
			      {.kind = EVENT_REQUEUE, .job = 1, .who = "ann"}};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	driven_step(&s, 10);
	str_clear(&s.manager.commands);
	assert_int_equal(driver_post(s.driver, ev, 4, &err), DRIVER_DONE);
	assert_string_equal(str_text(&s.manager.commands),
			    "suspend 1\nresume 1\nsignal 9 to 1 at 10\ncancel 1 at 10\n");
	driven_end(&s);
}

/* The manager receives the resume command when the processors are free, not before. */
static void a_resume_waits_until_the_released_processors_are_free(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100},
					       {12, EVENT_SUBMIT, 2, "u1", 4, 100},
					       {50, EVENT_END, 2, NULL, 0, 0},
					       {0}};
	struct event release = {.kind = EVENT_SUSPEND,
				.job = 1,
				.who = "ann",
				.suspend = {.on = true, .how = SUSPEND_RELEASE}},
		     resume = {.kind = EVENT_SUSPEND, .job = 1, .who = "ann"};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	driven_step(&s, 10);
	str_clear(&s.manager.commands);
	assert_int_equal(driver_post(s.driver, &release, 1, &err), DRIVER_DONE);
	driven_step(&s, 12);
	assert_int_equal(driver_post(s.driver, &resume, 1, &err), DRIVER_DONE);
	driven_step(&s, 20);
	assert_string_equal(str_text(&s.manager.commands), "suspend 1\nstart 2 at 12 on 0+1*4\n");
	driven_step(&s, 50);
	assert_string_equal(str_text(&s.manager.commands), "suspend 1\nstart 2 at 12 on 0+1*4\nresume 1\n");
	driven_end(&s);
}

static struct event start_on(uint64_t job, const struct alloc_run *run)
{
	return (struct event){
		.kind = EVENT_START, .job = job, .who = "ann", .start = {.runs = run, .count = 1}};
}

static void a_forced_start_reaches_the_manager(void **state)
{
	static const struct reported list[] = {{10, EVENT_SUBMIT, 1, "u1", 4, 100}, {0}};
	const struct alloc_run run = {.node = 0, .nodes = 1, .procs = 4, .tasks = 4, .next = INDEX_NONE};
	struct event ev[2] = {hold_of(1, true), start_on(1, &run)};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, list);
	s.manager.next = list + 1; /* the job is submitted below with a hold */
	ev[0] = (struct event){.kind = EVENT_SUBMIT,
			       .who = "ann",
			       .time_s = 10,
			       .submit = {.job = {.submit_s = 10,
						  .not_before_s = TIME_NONE,
						  .wall_limit_s = 60,
						  .base_holds = JOB_HOLD_USER,
						  .tasks = 4,
						  .task_procs = 1}}};
	assert_int_equal(driver_post(s.driver, &ev[0], 1, &err), DRIVER_DONE);
	driven_step(&s, 10);
	assert_string_equal(str_text(&s.manager.commands), "");
	ev[1].time_s = 12;
	assert_int_equal(driver_post(s.driver, &ev[1], 1, &err), DRIVER_DONE);
	assert_string_equal(str_text(&s.manager.commands), "start 1 at 12 on 0+1*4\n");
	driven_end(&s);
}

static void a_running_job_that_is_cancelled_is_ended_by_its_manager(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 1, .who = "ann", .time_s = 30};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_string_equal(str_text(&s.manager.commands), "start 1 at 20 on 0+1*4\ncancel 1 at 30\n");
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_RUNNING), 1);
	driven_end(&s);
}

static void a_cancelled_idle_job_leaves_the_queue_and_is_stored_as_ended(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 2, .who = "ann", .time_s = 30};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	driven_step(&s, 20);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_string_equal(str_text(&s.manager.commands), "start 1 at 20 on 0+1*4\n");
	assert_int_equal(snapshot_count(driver_view(s.driver), TABLE_WAITING), 0);
	assert_non_null(strstr(str_text(&s.ledger.ended), "2 ended at 30, status 271"));
	driven_end(&s);
}

static void a_refused_cancellation_gives_a_warning(void **state)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = 1, .who = "ann", .time_s = 30};
	struct str warned = {0};
	struct driven s;
	struct err err;

	(void)state;
	driven_begin(&s, two_jobs);
	driver_set_warn(s.driver, take_warning, &warned);
	s.manager.refuse_cancel = true;
	driven_step(&s, 20);
	assert_int_equal(driver_post(s.driver, &ev, 1, &err), DRIVER_DONE);
	assert_string_equal(str_text(&warned), "job 1 could not be stopped: node n001 does not answer\n");
	str_free(&warned);
	driven_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_started_before_it_is_committed),
		cmocka_unit_test(a_job_whose_start_the_manager_refuses_is_deferred),
		cmocka_unit_test(a_refused_start_is_retried_after_the_defer),
		cmocka_unit_test(a_job_is_deferred_after_deferstartcount_refused_starts),
		cmocka_unit_test(a_start_reported_as_failed_later_is_retried_deferred_or_ended),
		cmocka_unit_test(without_defers_a_refused_start_is_retried_after_a_poll),
		cmocka_unit_test(a_start_that_fails_temporarily_is_retried_with_backoff),
		cmocka_unit_test(after_thirty_retries_the_interval_is_ten_minutes),
		cmocka_unit_test(a_retry_beyond_the_allowance_of_its_user_waits_ten_minutes),
		cmocka_unit_test(a_start_that_is_retried_does_not_start_others_at_once),
		cmocka_unit_test(a_retry_counts_neither_as_a_failed_start_nor_as_a_defer),
		cmocka_unit_test(a_job_cancelled_before_its_start_is_refused_has_ended),
		cmocka_unit_test(a_start_passes_the_launch_data_to_the_manager),
		cmocka_unit_test(a_job_without_launch_data_is_not_started),
		cmocka_unit_test(the_launch_of_an_array_is_read_once_when_its_tasks_are_cancelled),
		cmocka_unit_test(the_launch_of_an_array_is_read_once_for_tasks_that_start_together),
		cmocka_unit_test(suspend_resume_signal_and_requeue_reach_the_manager),
		cmocka_unit_test(a_resume_waits_until_the_released_processors_are_free),
		cmocka_unit_test(a_forced_start_reaches_the_manager),
		cmocka_unit_test(a_running_job_that_is_cancelled_is_ended_by_its_manager),
		cmocka_unit_test(a_cancelled_idle_job_leaves_the_queue_and_is_stored_as_ended),
		cmocka_unit_test(a_refused_cancellation_gives_a_warning),
	};

	return cmocka_run_group_tests_name("driver_act", tests, NULL, NULL);
}
