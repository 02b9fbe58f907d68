/* SPDX-License-Identifier: MIT */
/*
 * test_event_pass.c - events of the scheduler: defers, node orders, eligibility
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scene.h"

static void assert_refused(struct scene *sc, struct event ev, const char *sentence)
{
	struct err err;

	assert_string_equal(scene_try(sc, &ev, &err), sentence);
}

static uint64_t defer(struct scene *sc, uint64_t job, int64_t until_s, const char *reason, bool failed_start)
{
	struct event ev = {.kind = EVENT_DEFER,
			   .job = job,
			   .defer = {.until_s = until_s, .reason = reason, .failed_start = failed_start}};

	scene_apply(sc, &ev);
	return ev.seq;
}

static const char *hold_reason_of(const struct scene *sc, uint64_t job)
{
	return snapshot_string(scene_view(sc), scene_job_of(sc, job)->hold_reason);
}

static void M_09_a_defer_has_a_reason_and_resets_queue_time(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_submit(sc, 1, 100);
	sc->now_s = 500;
	defer(sc, 1, 4100, "no room", false);
	assert_int_equal(scene_job_of(sc, 1)->defer_until_s, 4100);
	assert_int_equal(scene_job_of(sc, 1)->defer_count, 1);
	assert_int_equal(scene_view(sc)->deferred, 1);
	assert_string_equal(hold_reason_of(sc, 1), "no room");
	assert_int_equal(job_queued_s(scene_job_of(sc, 1), 3000), 0);
	assert_int_equal(job_queued_s(scene_job_of(sc, 1), 4160), 60);
	scene_free(sc);
}

static void count_of_consecutive_failed_starts_saturates(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_DEFER, .job = 1};

	(void)state;
	scene_submit(sc, 1, 100);
	for (int i = 1; i <= JOB_RETRIES_MAX + 2; i++) {
		scene_start(sc, 1, 0, 1, 1);
		ev.defer.until_s = sc->now_s + 1;
		ev.defer.failed_start = ev.defer.retry = true;
		scene_apply(sc, &ev);
		assert_int_equal(scene_job_of(sc, 1)->retries, i < JOB_RETRIES_MAX ? i : JOB_RETRIES_MAX);
		sc->now_s++;
	}
	scene_free(sc);
}

/* A temporary change of a job that has started since cannot be undone: it becomes permanent. */
static void temporary_change_that_can_no_longer_be_undone_becomes_permanent(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_MODIFY,
			   .job = 1,
			   .until_s = 50,
			   .modify = {.name = "walltime", .value = "200"}};
	struct event returns;
	uint32_t at = UINT32_MAX;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_apply(sc, &ev);
	scene_pass(sc);
	scene_go(sc, 49);
	assert_false(event_returns(sc->st, 49, &at, &returns));
	scene_go(sc, 50);
	at = UINT32_MAX;
	assert_true(event_returns(sc->st, 50, &at, &returns));
	assert_int_equal(returns.kind, EVENT_KEEP);
	assert_int_equal(returns.keep.seq, ev.seq);
	scene_take_returns(sc);
	assert_int_equal(scene_view(sc)->timed_changes, 0);
	at = UINT32_MAX;
	assert_false(event_returns(sc->st, 1000, &at, &returns));
	scene_free(sc);
}

static void a_defer_can_be_ended(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_submit(sc, 1, 100);
	defer(sc, 1, 4100, "no room", false);
	sc->now_s = 50;
	defer(sc, 1, TIME_NONE, NULL, false);
	assert_true(scene_job_of(sc, 1)->defer_until_s == TIME_NONE);
	assert_int_equal(scene_job_of(sc, 1)->accrual_s, 50);
	assert_int_equal(scene_job_of(sc, 1)->defer_count, 1);
	assert_int_equal(scene_view(sc)->deferred, 0);
	assert_string_equal(hold_reason_of(sc, 1), "");
	scene_free(sc);
}

static void M_09_after_too_many_defers_the_job_is_held(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t last;

	(void)state;
	scene_set(sc, "defercount", "2");
	scene_submit(sc, 1, 100);
	scene_release(sc, scene_add(sc, (struct scene_job){.holds = JOB_HOLD_BATCH}), JOB_HOLD_BATCH);
	defer(sc, 2, 10, "one", false);
	defer(sc, 2, 20, "two", false);
	assert_int_equal(scene_job_of(sc, 2)->holds, 0);
	last = defer(sc, 2, 30, "three", false);
	assert_int_equal(scene_job_of(sc, 2)->holds, JOB_HOLD_BATCH); /* the release was before the defer */
	assert_string_equal(hold_reason_of(sc, 2), "deferred 3 times, most recently: three");
	defer(sc, 2, 40, "four", false);
	assert_string_equal(hold_reason_of(sc, 2), "deferred 3 times, most recently: three");
	scene_release(sc, 2, JOB_HOLD_BATCH);
	assert_string_equal(hold_reason_of(sc, 2), "four");
	scene_undo(sc, last); /* removes the hold of that defer */
	assert_int_equal(scene_job_of(sc, 2)->holds, 0);
	scene_free(sc);
}

static void retry_does_not_count_as_a_defer(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {
		.kind = EVENT_DEFER,
		.job = 1,
		.defer = {.until_s = 502, .reason = "out of memory", .failed_start = true, .retry = true}};
	struct event wrong = ev;

	(void)state;
	scene_set(sc, "defercount", "1");
	scene_submit(sc, 1, 100);
	wrong.defer.failed_start = false;
	wrong.time_s = 400;
	assert_refused(sc, wrong, "job 1: a retry is possible only after a failed start, and needs a time");
	for (int64_t at_s = 496; at_s < 500; at_s += 2) {
		struct event before = ev;

		sc->now_s = before.time_s = at_s;
		before.defer.until_s = at_s + 1;
		scene_start(sc, 1, 0, 1, 1);
		scene_apply(sc, &before);
	}
	sc->now_s = 500;
	scene_start(sc, 1, 0, 1, 1);
	wrong = ev;
	wrong.time_s = 500;
	wrong.defer.until_s = TIME_NONE;
	assert_refused(sc, wrong, "job 1: a retry is possible only after a failed start, and needs a time");
	ev.time_s = 500;
	scene_apply(sc, &ev);
	assert_int_equal(scene_job_of(sc, 1)->state, JOB_IDLE);
	assert_int_equal(scene_job_of(sc, 1)->defer_until_s, 502);
	assert_int_equal(scene_job_of(sc, 1)->retries, 3);
	assert_true(job_is_retried(scene_job_of(sc, 1)));
	assert_int_equal(scene_job_of(sc, 1)->defer_count, 0);
	assert_int_equal(scene_job_of(sc, 1)->holds, 0);
	assert_int_equal(scene_job_of(sc, 1)->accrual_s, 0);
	assert_string_equal(hold_reason_of(sc, 1), "out of memory");
	sc->now_s = 501;
	defer(sc, 1, TIME_NONE, NULL, false); /* an operator ends the defer */
	assert_true(scene_job_of(sc, 1)->defer_until_s == TIME_NONE);
	assert_int_equal(scene_job_of(sc, 1)->accrual_s, 0);
	assert_string_equal(hold_reason_of(sc, 1), "");
	scene_free(sc);
}

static void failed_start_releases_the_nodes(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct event ev = {.kind = EVENT_DEFER, .job = 1, .defer = {.until_s = 100, .failed_start = true}};

	(void)state;
	scene_submit(sc, 2, 100);
	assert_refused(sc, ev, "job 1 was not started, so its start cannot have failed");
	scene_start(sc, 1, 0, 1, 2);
	defer(sc, 1, TIME_NONE, "it could not be started", true);
	assert_int_equal(scene_job_of(sc, 1)->state, JOB_IDLE);
	assert_int_equal(scene_view(sc)->procs_busy, 0);
	assert_int_equal(scene_view(sc)->deferred, 0);
	assert_int_equal(scene_job_of(sc, 1)->start_count, 1);
	assert_int_equal(scene_job_of(sc, 1)->procs_held, 0);
	assert_int_equal(scene_view(sc)->fs_window[0].length_s, 0); /* no window was started */
	scene_start(sc, 1, 0, 1, 2);
	sc->now_s = 60;
	defer(sc, 1, 160, "again", true);
	assert_int_equal(scene_job_of(sc, 1)->defer_until_s, 160);
	assert_string_equal(hold_reason_of(sc, 1), "again");
	assert_int_equal(scene_view(sc)->fs_window[0].total,
			 2 * 60 * FS_UNIT); /* the held processors are charged */
	scene_free(sc);
}

static void invalid_defers_are_rejected(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_DEFER, .job = 1, .defer = {.until_s = 5}};

	(void)state;
	sc->now_s = 10;
	assert_refused(sc, ev, "job 1 is not idle");
	scene_submit(sc, 1, 100);
	assert_refused(sc, ev, "job 1 cannot be deferred until a time in the past");
	ev.defer.until_s = TIME_NONE;
	assert_refused(sc, ev, "job 1 is not deferred");
	scene_start(sc, 1, 0, 1, 1);
	scene_cancel(sc, 1);
	ev.defer.failed_start = true;
	assert_refused(sc, ev, "job 1 was cancelled: a failed start must be reported as its end");
	scene_free(sc);
}

static void N_10_the_answer_of_the_program_is_stored(void **state)
{
	struct scene *sc = scene_new(2, 1);
	struct event ev = {.kind = EVENT_ORDER, .job = 1, .order = {.nodes = "n002 n001"}};

	(void)state;
	scene_submit(sc, 1, 100);
	scene_apply(sc, &ev);
	assert_string_equal(snapshot_string(scene_view(sc), scene_job_of(sc, 1)->order), "n002 n001");
	ev.order.nodes = NULL;
	scene_apply(sc, &ev);
	assert_string_equal(snapshot_string(scene_view(sc), scene_job_of(sc, 1)->order), JOB_NO_ANSWER);
	scene_free(sc);
}

static void eligibility_is_set_and_cleared(void **state)
{
	struct scene *sc = scene_new(2, 1);
	struct event ev = {.kind = EVENT_ELIGIBLE, .job = 1, .eligible = {.on = true}};

	(void)state;
	scene_submit(sc, 1, 100);
	scene_apply(sc, &ev);
	assert_int_equal(scene_job_of(sc, 1)->flags & JOB_ELIGIBLE, JOB_ELIGIBLE);
	ev.eligible.on = false;
	scene_apply(sc, &ev);
	assert_int_equal(scene_job_of(sc, 1)->flags & JOB_ELIGIBLE, 0);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(M_09_a_defer_has_a_reason_and_resets_queue_time),
		cmocka_unit_test(a_defer_can_be_ended),
		cmocka_unit_test(count_of_consecutive_failed_starts_saturates),
		cmocka_unit_test(temporary_change_that_can_no_longer_be_undone_becomes_permanent),
		cmocka_unit_test(M_09_after_too_many_defers_the_job_is_held),
		cmocka_unit_test(retry_does_not_count_as_a_defer),
		cmocka_unit_test(failed_start_releases_the_nodes),
		cmocka_unit_test(invalid_defers_are_rejected),
		cmocka_unit_test(N_10_the_answer_of_the_program_is_stored),
		cmocka_unit_test(eligibility_is_set_and_cleared),
	};

	return cmocka_run_group_tests_name("event_pass", tests, NULL, NULL);
}
