/* SPDX-License-Identifier: MIT */
/* test_event_real.c - unit tests of events of real jobs: suspend, resume, requeue, signal */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/scene.h"

static void expect_refused(struct scene *sc, struct event ev, const char *sentence)
{
	struct err err;

	ev.time_s = sc->now_s;
	assert_false(event_apply(sc->st, &ev, &err));
	assert_string_equal(err.text, sentence);
}

static void apply(struct scene *sc, enum event_kind kind, uint64_t job, bool on)
{
	struct event ev = {.kind = kind, .job = job};

	if (kind == EVENT_SUSPEND)
		ev.suspend.on = on;
	scene_apply(sc, &ev);
}

static uint64_t start_job(struct scene *sc)
{
	uint64_t job = scene_submit(sc, 2, 100);

	scene_start(sc, job, 0, 1, 2);
	return job;
}

static void a_running_job_is_suspended_and_resumed(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t job = start_job(sc);

	(void)state;
	expect_refused(sc, (struct event){.kind = EVENT_SUSPEND, .job = job}, "job 1 is not suspended");
	apply(sc, EVENT_SUSPEND, job, true);
	assert_int_equal(scene_job_of(sc, job)->real, JOB_REAL_SUSPENDED);
	expect_refused(sc, (struct event){.kind = EVENT_SUSPEND, .job = job, .suspend = {.on = true}},
		       "job 1 is already suspended");
	apply(sc, EVENT_SUSPEND, job, false);
	assert_int_equal(scene_job_of(sc, job)->real, 0);
	scene_free(sc);
}

static void a_waiting_job_can_neither_be_suspended_nor_requeued(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t job = scene_submit(sc, 2, 100);

	(void)state;
	expect_refused(sc, (struct event){.kind = EVENT_SUSPEND, .job = job, .suspend = {.on = true}},
		       "job 1 is Idle; a suspend does not apply");
	expect_refused(sc, (struct event){.kind = EVENT_REQUEUE, .job = job},
		       "job 1 is Idle; a requeue does not apply");
	scene_free(sc);
}

static void signals_must_exist_and_need_a_running_job(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t job = start_job(sc), waits = scene_submit(sc, 2, 100);
	struct event ev = {.kind = EVENT_SIGNAL, .job = job};

	(void)state;
	expect_refused(sc, ev, "there is no signal 0; signals are numbered from 1 to 64");
	ev.signal.number = EVENT_SIGNAL_MAX + 1;
	expect_refused(sc, ev, "there is no signal 65; signals are numbered from 1 to 64");
	ev.signal.number = EVENT_SIGNAL_MAX;
	scene_apply(sc, &ev);
	ev.job = waits;
	expect_refused(sc, ev, "job 2 is Idle; a signal does not apply");
	scene_free(sc);
}

static void requeued_job_is_idle_after_its_end(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t job = start_job(sc);
	const struct job *requeued;
	struct err err;

	(void)state;
	sc->now_s = 30;
	apply(sc, EVENT_REQUEUE, job, true);
	assert_int_equal(scene_job_of(sc, job)->state, JOB_RUNNING);
	expect_refused(sc, (struct event){.kind = EVENT_REQUEUE, .job = job},
		       "job 1 is already being requeued; it is idle again when its end is reported");
	sc->now_s = 40;
	scene_end_with(sc, job, 256 + 15);
	requeued = scene_job_of(sc, job);
	assert_int_equal(requeued->state, JOB_IDLE);
	assert_int_equal(requeued->real, 0);
	assert_int_equal(requeued->start_count, 1);
	assert_true(requeued->start_s == TIME_NONE);
	/* The 40 seconds that it ran do not count as queue time. */
	assert_int_equal(job_queued_s(requeued, 45), 5);
	assert_true(state_check(sc->st, &err));
	scene_start(sc, job, 0, 1, 2);
	assert_int_equal(scene_job_of(sc, job)->start_count, 2);
	scene_free(sc);
}

/* With its old queue time it would always be the next job to start. */
static void requeue_resets_the_queue_time(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t job;

	(void)state;
	job = scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 100, .real = true});
	sc->now_s = 20;
	scene_start(sc, job, 0, 1, 2);
	sc->now_s = 30;
	apply(sc, EVENT_REQUEUE, job, true);
	sc->now_s = 40;
	scene_end_with(sc, job, 256 + 15);
	assert_int_equal(job_queued_s(scene_job_of(sc, job), 45), 5);
	scene_free(sc);
}

static void usage_before_a_requeue_is_charged(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t job;
	int64_t total = 0;

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\n");
	job = start_job(sc);
	sc->now_s = 30;
	apply(sc, EVENT_REQUEUE, job, true);
	scene_end(sc, job);
	for (int i = 0; i < FS_DEPTH_MAX; i++)
		total += scene_view(sc)->fs_window[i].total;
	assert_int_equal(total, (int64_t)60 * FS_UNIT);
	scene_free(sc);
}

static void cancelled_job_cannot_be_requeued(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t job = start_job(sc);

	(void)state;
	apply(sc, EVENT_REQUEUE, job, true);
	scene_cancel(sc, job);
	scene_end(sc, job);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 0);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_RUNNING), 0);
	job = start_job(sc);
	scene_cancel(sc, job);
	expect_refused(sc, (struct event){.kind = EVENT_REQUEUE, .job = job},
		       "job 2 is cancelled; it cannot be requeued");
	scene_free(sc);
}

static void report_lost(struct scene *sc, uint64_t job)
{
	struct event ev = {
		.kind = EVENT_END, .job = job, .end = {.lost = true, .why = "its shepherd was killed"}};

	scene_apply(sc, &ev);
}

static void lost_job_is_requeued_only_if_allowed(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event submit = {.kind = EVENT_SUBMIT, .submit = {.cred = {[CRED_USER] = "eva"}}};

	(void)state;
	submit.submit.job = (struct job){.tasks = 1,
					 .task_procs = 1,
					 .wall_limit_s = 60,
					 .not_before_s = TIME_NONE,
					 .true_run_s = -1,
					 .real = JOB_REAL_LAUNCH | JOB_REAL_RERUN};
	scene_apply(sc, &submit);
	scene_start(sc, submit.job, 0, 1, 1);
	report_lost(sc, submit.job);
	assert_int_equal(scene_job_of(sc, submit.job)->state, JOB_IDLE);
	assert_int_equal(scene_job_of(sc, submit.job)->real, JOB_REAL_LAUNCH | JOB_REAL_RERUN);
	scene_cancel(sc, submit.job);
	submit.job = 0;
	submit.submit.job.real = JOB_REAL_LAUNCH;
	scene_apply(sc, &submit);
	scene_start(sc, submit.job, 0, 1, 1);
	report_lost(sc, submit.job);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 0);
	scene_free(sc);
}

static void dependency_on_success_of_a_lost_job_is_never_met(void **state)
{
	struct scene *sc = scene_new(1, 4);
	const struct depend depend = {.on = start_job(sc), .type = DEPEND_OK};
	struct event ev = {.kind = EVENT_SUBMIT, .submit = {.depend = &depend, .depend_count = 1}};

	(void)state;
	ev.submit.job = (struct job){
		.tasks = 1, .task_procs = 1, .wall_limit_s = 60, .not_before_s = TIME_NONE, .true_run_s = -1};
	scene_apply(sc, &ev);
	report_lost(sc, depend.on);
	assert_int_equal(snapshot_depends(scene_view(sc))[scene_job_of(sc, ev.job)->depend].state,
			 DEPEND_NEVER);
	scene_free(sc);
}

static void submission_records_its_launch_data(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_SUBMIT};

	(void)state;
	ev.submit.job = (struct job){
		.tasks = 1, .task_procs = 1, .wall_limit_s = 60, .not_before_s = TIME_NONE, .true_run_s = -1};
	ev.submit.launch = "x";
	ev.submit.launch_size = 1;
	expect_refused(sc, ev, "the job has launch data but is not marked as having it");
	ev.submit.job.real = JOB_REAL_LAUNCH | JOB_REAL_SUSPENDED;
	expect_refused(sc, ev, "a job that is submitted cannot be suspended or requeued yet");
	scene_free(sc);
}

static void journal_describes_the_events(void **state)
{
	static const struct {
		struct event ev;
		const char *line;
	} cases[] = {
		{{.kind = EVENT_SUSPEND, .job = 3, .suspend = {.on = true}}, "suspend 3"},
		{{.kind = EVENT_SUSPEND, .job = 3}, "resume 3"},
		{{.kind = EVENT_REQUEUE, .job = 3}, "requeue 3"},
		{{.kind = EVENT_SIGNAL, .job = 3, .signal = {.number = 10}}, "signal USR1 to 3"},
		{{.kind = EVENT_SIGNAL, .job = 3, .signal = {.number = 60}}, "signal 60 to 3"},
		{{.kind = EVENT_END, .job = 3, .end = {.lost = true, .why = "its shepherd was killed"}},
		 "end 3, status unknown: its shepherd was killed"},
	};
	struct str line = {0};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		str_clear(&line);
		event_describe(&cases[i].ev, NULL, &line);
		assert_string_equal(str_text(&line), cases[i].line);
	}
	str_free(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_running_job_is_suspended_and_resumed),
		cmocka_unit_test(a_waiting_job_can_neither_be_suspended_nor_requeued),
		cmocka_unit_test(signals_must_exist_and_need_a_running_job),
		cmocka_unit_test(requeued_job_is_idle_after_its_end),
		cmocka_unit_test(requeue_resets_the_queue_time),
		cmocka_unit_test(usage_before_a_requeue_is_charged),
		cmocka_unit_test(cancelled_job_cannot_be_requeued),
		cmocka_unit_test(lost_job_is_requeued_only_if_allowed),
		cmocka_unit_test(dependency_on_success_of_a_lost_job_is_never_met),
		cmocka_unit_test(submission_records_its_launch_data),
		cmocka_unit_test(journal_describes_the_events),
	};

	return cmocka_run_group_tests_name("event_real", tests, NULL, NULL);
}
