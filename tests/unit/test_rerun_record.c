/* SPDX-License-Identifier: MIT */
/*
 * test_rerun_record.c - starts and run times of jobs from the journal
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/small_past.h"

static const struct rerun_job *recorded_job(struct past *p, uint64_t id)
{
	const struct rerun_job *job = rerun_record_find(past_look(p), id);

	assert_non_null(job);
	return job;
}

static void run_time_is_from_start_to_end(void **state)
{
	struct past p;
	const struct rerun_job *job;

	(void)state;
	past_begin(&p, 1, 2);
	past_record(&p);
	p.sc->now_s = 10;
	scene_submit(p.sc, 1, 100);
	scene_submit(p.sc, 1, 100);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	p.sc->now_s = 40;
	past_end(&p, 2);
	scene_pass(p.sc);
	job = recorded_job(&p, 2);
	assert_int_equal(job->start_s, 10);
	assert_int_equal(job->rank, 1);
	assert_int_equal(job->run_s, 30);
	job = recorded_job(&p, 3);
	assert_int_equal(job->start_s, 40);
	assert_int_equal(job->rank, 2);
	assert_int_equal(job->run_s, -1); /* has not ended */
	assert_int_equal(p.record.started, 3);
	assert_int_equal(p.record.no_end, 2);
	assert_int_equal(p.record.last_s, 40);
	assert_null(rerun_record_find(&p.record, 4));
	past_free(&p);
}

static void a_job_that_ran_before_the_record_has_no_start(void **state)
{
	struct past p;

	(void)state;
	past_begin(&p, 1, 1);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	p.sc->now_s = 30;
	past_record(&p);
	p.sc->now_s = 50;
	past_end(&p, 1);
	assert_true(recorded_job(&p, 1)->ran_before);
	assert_int_equal(recorded_job(&p, 1)->start_s, TIME_NONE);
	assert_int_equal(recorded_job(&p, 1)->run_s, 50);
	assert_int_equal(p.record.started, 0);
	past_free(&p);
}

/* The run time is that of the last stint; the start is that of the first. */
static void a_requeued_job_has_a_stint_for_each_start(void **state)
{
	struct past p;
	const struct rerun_job *job;
	struct event requeue = {.kind = EVENT_REQUEUE, .job = 1};

	(void)state;
	past_begin(&p, 1, 1);
	past_record(&p);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	p.sc->now_s = 20;
	scene_apply(p.sc, &requeue);
	p.sc->now_s = 25;
	past_end(&p, 1);
	scene_pass(p.sc);
	p.sc->now_s = 85;
	past_end(&p, 1);
	job = recorded_job(&p, 1);
	assert_int_equal(job->start_s, 0);
	assert_int_equal(job->run_s, 60);
	assert_int_equal(job->grace_s, 5);
	assert_false(job->taken_away);
	assert_int_equal(p.record.stint[job->stint].end_s, 25);
	assert_int_equal(p.record.stint[job->last].start_s, 25);
	assert_int_equal(p.record.stint[job->last].end_s, 85);
	past_free(&p);
}

static void a_refused_start_is_a_stint_of_zero_length(void **state)
{
	struct past p;
	const struct rerun_job *job;

	(void)state;
	past_begin(&p, 1, 1);
	past_record(&p);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	past_refuse_start(&p, 1);
	p.sc->now_s = 60;
	scene_pass(p.sc);
	p.sc->now_s = 90;
	past_end(&p, 1);
	job = recorded_job(&p, 1);
	assert_int_equal(job->start_s, 0);
	assert_int_equal(job->run_s, 30);
	assert_int_equal(p.record.stint[job->stint].end_s, 0);
	assert_int_equal(p.record.stint[job->last].start_s, 60);
	past_free(&p);
}

static void a_cancelled_job_has_no_run_time(void **state)
{
	struct past p;

	(void)state;
	past_begin(&p, 1, 1);
	past_record(&p);
	scene_submit(p.sc, 1, 100);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	p.sc->now_s = 20;
	scene_cancel(p.sc, 1); /* running */
	scene_cancel(p.sc, 2); /* waiting */
	p.sc->now_s = 27;
	past_end(&p, 1);
	assert_true(recorded_job(&p, 1)->taken_away);
	assert_int_equal(recorded_job(&p, 1)->run_s, -1);
	assert_int_equal(recorded_job(&p, 1)->grace_s, 7);
	assert_true(recorded_job(&p, 2)->gone);
	assert_false(recorded_job(&p, 2)->taken_away);
	assert_int_equal(p.record.taken_away, 1);
	assert_int_equal(p.record.no_end, 0);
	past_free(&p);
}

static void entries_after_the_end_of_the_record_are_ignored(void **state)
{
	struct past p;
	struct rerun_record record = {.job = NULL};

	(void)state;
	past_begin(&p, 1, 1);
	past_record(&p);
	p.sc->now_s = 5;
	scene_submit(p.sc, 1, 100);
	p.sc->now_s = 6;
	scene_submit(p.sc, 1, 100);
	rerun_record_begin(&record, state_view(p.from), 0, 5);
	assert_true(rerun_record_take(&record, &p.event[0]));
	assert_false(rerun_record_take(&record, &p.event[1]));
	rerun_record_finish(&record);
	assert_int_equal(record.jobs, 1);
	rerun_record_clear(&record);
	past_free(&p);
}

static bool is_decision(enum event_kind kind, const char *who)
{
	return rerun_is_decision(&(struct event){.kind = kind, .who = who});
}

static void decisions_of_the_scheduler_are_distinguished_from_actions(void **state)
{
	(void)state;
	assert_true(is_decision(EVENT_START, "sched") && !is_decision(EVENT_START, "ann"));
	assert_true(is_decision(EVENT_UNDO, "sched") && !is_decision(EVENT_UNDO, "ann"));
	assert_true(is_decision(EVENT_HALT, "sched") && !is_decision(EVENT_HALT, "ann"));
	assert_true(is_decision(EVENT_PLAN, "sched") && is_decision(EVENT_BYPASS, "sched"));
	assert_false(is_decision(EVENT_END, "sched"));
	assert_false(is_decision(EVENT_DEFER, "sched"));
	assert_false(is_decision(EVENT_NODE, "sched"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_time_is_from_start_to_end),
		cmocka_unit_test(a_job_that_ran_before_the_record_has_no_start),
		cmocka_unit_test(a_requeued_job_has_a_stint_for_each_start),
		cmocka_unit_test(a_refused_start_is_a_stint_of_zero_length),
		cmocka_unit_test(a_cancelled_job_has_no_run_time),
		cmocka_unit_test(entries_after_the_end_of_the_record_are_ignored),
		cmocka_unit_test(decisions_of_the_scheduler_are_distinguished_from_actions),
	};

	return cmocka_run_group_tests_name("rerun_record", tests, NULL, NULL);
}
