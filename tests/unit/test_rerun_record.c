/* SPDX-License-Identifier: MIT */
/*
 * test_rerun_record.c - what does the journal tell of each job that ran?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/small_past.h"

static const struct rerun_job *on_record(struct past *p, uint64_t id)
{
	const struct rerun_job *job = rerun_record_find(past_look(p), id);

	assert_non_null(job);
	return job;
}

static void a_job_ran_from_its_start_to_its_end(void **state)
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
	job = on_record(&p, 2);
	assert_int_equal(job->start_s, 10);
	assert_int_equal(job->rank, 1);
	assert_int_equal(job->run_s, 30);
	job = on_record(&p, 3);
	assert_int_equal(job->start_s, 40);
	assert_int_equal(job->rank, 2);
	assert_int_equal(job->run_s, -1); /* it had not ended */
	assert_int_equal(p.record.started, 3);
	assert_int_equal(p.record.no_end, 2);
	assert_int_equal(p.record.last_s, 40);
	assert_null(rerun_record_find(&p.record, 4));
	past_free(&p);
}

static void what_ran_before_is_no_start(void **state)
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
	assert_true(on_record(&p, 1)->ran_before);
	assert_int_equal(on_record(&p, 1)->start_s, TIME_NONE);
	assert_int_equal(on_record(&p, 1)->run_s, 50);
	assert_int_equal(p.record.started, 0);
	past_free(&p);
}

/* How long it takes is what the last time took; the first start is the one that counts. */
static void a_requeued_job_has_several_stints(void **state)
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
	job = on_record(&p, 1);
	assert_int_equal(job->start_s, 0);
	assert_int_equal(job->run_s, 60);
	assert_int_equal(job->grace_s, 5);
	assert_false(job->taken_away);
	assert_int_equal(p.record.stint[job->stint].end_s, 25);
	assert_int_equal(p.record.stint[job->last].start_s, 25);
	assert_int_equal(p.record.stint[job->last].end_s, 85);
	past_free(&p);
}

static void a_start_that_was_refused_is_a_stint_of_no_length(void **state)
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
	job = on_record(&p, 1);
	assert_int_equal(job->start_s, 0);
	assert_int_equal(job->run_s, 30);
	assert_int_equal(p.record.stint[job->stint].end_s, 0);
	assert_int_equal(p.record.stint[job->last].start_s, 60);
	past_free(&p);
}

static void nobody_knows_how_long_a_cancelled_job_would_have_run(void **state)
{
	struct past p;

	(void)state;
	past_begin(&p, 1, 1);
	past_record(&p);
	scene_submit(p.sc, 1, 100);
	scene_submit(p.sc, 1, 100);
	scene_pass(p.sc);
	p.sc->now_s = 20;
	scene_cancel(p.sc, 1); /* it runs */
	scene_cancel(p.sc, 2); /* it waits */
	p.sc->now_s = 27;
	past_end(&p, 1);
	assert_true(on_record(&p, 1)->taken_away);
	assert_int_equal(on_record(&p, 1)->run_s, -1);
	assert_int_equal(on_record(&p, 1)->grace_s, 7);
	assert_true(on_record(&p, 2)->gone);
	assert_false(on_record(&p, 2)->taken_away);
	assert_int_equal(p.record.taken_away, 1);
	assert_int_equal(p.record.no_end, 0);
	past_free(&p);
}

static void later_entries_are_not_taken(void **state)
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

static bool decided(enum event_kind kind, const char *who)
{
	return rerun_is_decision(&(struct event){.kind = kind, .who = who});
}

static void what_the_scheduler_decides_is_no_act_of_people(void **state)
{
	(void)state;
	assert_true(decided(EVENT_START, "sched") && !decided(EVENT_START, "ann"));
	assert_true(decided(EVENT_UNDO, "sched") && !decided(EVENT_UNDO, "ann"));
	assert_true(decided(EVENT_HALT, "sched") && !decided(EVENT_HALT, "ann"));
	assert_true(decided(EVENT_PLAN, "sched") && decided(EVENT_BYPASS, "sched"));
	assert_false(decided(EVENT_END, "sched"));
	assert_false(decided(EVENT_DEFER, "sched"));
	assert_false(decided(EVENT_NODE, "sched"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_ran_from_its_start_to_its_end),
		cmocka_unit_test(what_ran_before_is_no_start),
		cmocka_unit_test(a_requeued_job_has_several_stints),
		cmocka_unit_test(a_start_that_was_refused_is_a_stint_of_no_length),
		cmocka_unit_test(nobody_knows_how_long_a_cancelled_job_would_have_run),
		cmocka_unit_test(later_entries_are_not_taken),
		cmocka_unit_test(what_the_scheduler_decides_is_no_act_of_people),
	};

	return cmocka_run_group_tests_name("rerun_record", tests, NULL, NULL);
}
