/* SPDX-License-Identifier: MIT */
/*
 * test_estimate.c - accuracy of past estimated starts
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "foretold.h"

/* --- errors --------------------------------------------------------------------------------------- */

static struct estimate_row row(uint64_t job, int64_t submit_s, int64_t said_s, int64_t start_s)
{
	struct estimate_row r = {.job = job, .submit_s = submit_s, .start_s = start_s};

	r.said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT] = said_s;
	return r;
}

static struct estimate_errors errors_of(const struct estimate_row *rows, size_t count)
{
	struct estimate_errors e;

	estimate_errors_of(&e, rows, count, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT);
	return e;
}

static void percentiles_are_actual_errors(void **state)
{
	const struct estimate_row rows[] = {row(1, 0, 100, 200), row(2, 0, 210, 200), row(3, 0, 200, 200),
					    row(4, 0, 180, 200), row(5, 0, 160, 200)};
	struct estimate_errors e = errors_of(rows, 5);

	(void)state;
	assert_int_equal(e.asked, 5);
	assert_int_equal(e.known, 5);
	assert_int_equal(e.median_s, 20);
	assert_int_equal(e.p80_s, 40);
	assert_int_equal(e.p95_s, 100);
	assert_int_equal(e.shift_s, 20);
	assert_int_equal(e.earlier, 1);
	assert_int_equal(e.later, 3);
	assert_int_equal(e.within, 3);
}

static void the_tenth_refers_to_the_wait(void **state)
{
	const struct estimate_row rows[] = {row(1, 100, 210, 200), row(2, 100, 211, 200), row(3, 0, 220, 200),
					    row(4, 7, 7, 7)};

	(void)state;
	assert_int_equal(errors_of(rows, 4).within, 2);
	assert_int_equal(errors_of(rows, 4).known, 3);
}

static void immediate_starts_are_counted_separately(void **state)
{
	const struct estimate_row rows[] = {row(1, 100, 100, 100), row(2, 100, 100, 101),
					    row(3, 100, 100, 102), row(4, 100, 150, 100)};
	struct estimate_errors e = errors_of(rows, 4);

	(void)state;
	assert_int_equal(e.asked, 4);
	assert_int_equal(e.at_once, 2);
	assert_int_equal(e.known, 2);
	assert_int_equal(e.p95_s, 50);
	assert_int_equal(e.within, 0);
}

static void an_unknown_start_has_no_error(void **state)
{
	const struct estimate_row rows[] = {row(1, 0, TIME_NEVER, 200), row(2, 0, TIME_NONE, 200),
					    row(3, 0, 190, 200)};
	struct estimate_errors e = errors_of(rows, 3);
	int64_t error_s;

	(void)state;
	assert_int_equal(e.asked, 2);
	assert_int_equal(e.unknown, 1);
	assert_int_equal(e.known, 1);
	assert_int_equal(e.p95_s, 10);
	assert_false(estimate_error(&rows[0], ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, &error_s));
	e = errors_of(rows, 2);
	assert_int_equal(e.known, 0);
	assert_int_equal(e.median_s, 0);
	e = errors_of(NULL, 0);
	assert_int_equal(e.asked, 0);
	assert_int_equal(e.p95_s, 0);
}

static void exact_estimates_are_not_among_the_worst_errors(void **state)
{
	const struct estimate_row rows[] = {row(1, 0, 190, 200),        row(2, 0, 200, 200),
					    row(3, 0, 260, 200),        row(4, 0, 140, 200),
					    row(5, 0, TIME_NEVER, 200), row(6, 0, 230, 200)};
	const struct estimate_row *worst[8];

	(void)state;
	assert_int_equal(estimate_worst(rows, 6, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, worst, 8), 4);
	assert_int_equal(worst[0]->job, 3);
	assert_int_equal(worst[1]->job, 4);
	assert_int_equal(worst[2]->job, 6);
	assert_int_equal(worst[3]->job, 1);
	assert_int_equal(estimate_worst(rows, 6, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, worst, 2), 2);
	assert_int_equal(worst[1]->job, 4);
	assert_int_equal(estimate_worst(rows, 6, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, worst, 0), 0);
}

/* Independent of their order in the journal. */
static void of_equal_errors_the_older_job_comes_first(void **state)
{
	const struct estimate_row rows[] = {row(9, 0, 150, 200), row(4, 0, 250, 200), row(7, 0, 250, 200),
					    row(2, 0, 240, 200)};
	const struct estimate_row *worst[4];

	(void)state;
	assert_int_equal(estimate_worst(rows, 4, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, worst, 4), 4);
	assert_int_equal(worst[0]->job, 4);
	assert_int_equal(worst[1]->job, 7);
	assert_int_equal(worst[2]->job, 9);
	assert_int_equal(worst[3]->job, 2);
}

/* --- estimates of a walk -------------------------------------------------------------------------- */

static int64_t estimate_of(const struct foretold *f, size_t row, enum estimate_stage stage,
			   enum estimate_tier tier)
{
	return f->row[row].said_s[stage][tier];
}

static void jobs_that_run_to_their_limits_start_as_estimated(void **state)
{
	struct estimate_setup setup = {.full_every = 1};
	struct foretold f;

	(void)state;
	foretold_queue(&f, NULL);
	scene_play(f.sc, 1000);
	foretold_walk(&f, INT64_MIN, 200, &setup);
	assert_true(f.finished);
	assert_int_equal(f.started, 3);
	assert_int_equal(f.count, 3);
	for (size_t i = 0; i < 3; i++)
		for (int tier = 0; tier < ESTIMATE_TIERS; tier++)
			assert_int_equal(estimate_of(&f, i, ESTIMATE_SUBMITTED, (enum estimate_tier)tier),
					 (int64_t)i * 100);
	assert_int_equal(estimate_of(&f, 0, ESTIMATE_HALFWAY, ESTIMATE_INSTANT), TIME_NONE);
	assert_int_equal(estimate_of(&f, 2, ESTIMATE_HALFWAY, ESTIMATE_INSTANT), 200);
	assert_int_equal(estimate_of(&f, 2, ESTIMATE_HOUR_BEFORE, ESTIMATE_INSTANT), TIME_NONE);
	assert_string_equal(f.row[1].label, "2");
	foretold_end(&f);
}

static void an_early_end_moves_the_next_start_by_its_length(void **state)
{
	struct estimate_setup setup = {.full_every = 0};
	struct foretold f;
	int64_t error_s;

	(void)state;
	foretold_queue(&f, NULL);
	scene_go(f.sc, 40);
	scene_end(f.sc, 1);
	scene_pass(f.sc);
	scene_play(f.sc, 1000);
	foretold_walk(&f, INT64_MIN, 200, &setup);
	assert_true(estimate_error(&f.row[1], ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, &error_s));
	assert_int_equal(error_s, -60);
	assert_true(estimate_error(&f.row[2], ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, &error_s));
	assert_int_equal(error_s, -60);
	/* at 80, half of its wait, the early end is known */
	assert_int_equal(estimate_of(&f, 2, ESTIMATE_HALFWAY, ESTIMATE_INSTANT), 140);
	assert_int_equal(estimate_of(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_FULL), TIME_NONE);
	foretold_end(&f);
}

static void the_estimate_an_hour_before_needs_a_wait_of_more_than_an_hour(void **state)
{
	struct estimate_setup setup = {.full_every = 0};
	struct foretold f;

	(void)state;
	foretold_begin(&f, NULL);
	scene_submit(f.sc, 4, 3600);
	scene_submit(f.sc, 4, 3600);
	scene_submit(f.sc, 4, 3600);
	scene_pass(f.sc);
	scene_go(f.sc, 1000);
	scene_end(f.sc, 1);
	scene_pass(f.sc);
	scene_play(f.sc, 20000);
	foretold_walk(&f, INT64_MIN, 200, &setup);
	assert_int_equal(f.row[1].start_s, 1000);
	assert_int_equal(estimate_of(&f, 1, ESTIMATE_HOUR_BEFORE, ESTIMATE_INSTANT), TIME_NONE);
	/* at 1000, after all events of that second */
	assert_int_equal(f.row[2].start_s, 4600);
	assert_int_equal(estimate_of(&f, 2, ESTIMATE_HOUR_BEFORE, ESTIMATE_INSTANT), 4600);
	assert_int_equal(estimate_of(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), 7200);
	foretold_end(&f);
}

static void a_held_job_has_no_estimate(void **state)
{
	struct estimate_setup setup = {.full_every = 1};
	struct foretold f;

	(void)state;
	foretold_begin(&f, NULL);
	scene_add(f.sc, (struct scene_job){.holds = JOB_HOLD_USER, .label = "mine"});
	scene_pass(f.sc);
	scene_go(f.sc, 50);
	scene_release(f.sc, 1, JOB_HOLD_USER);
	scene_pass(f.sc);
	scene_play(f.sc, 200);
	foretold_walk(&f, INT64_MIN, 200, &setup);
	assert_int_equal(f.count, 1);
	assert_int_equal(estimate_of(&f, 0, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), TIME_NEVER);
	assert_int_equal(estimate_of(&f, 0, ESTIMATE_SUBMITTED, ESTIMATE_FULL), TIME_NEVER);
	assert_string_equal(f.row[0].label, "mine");
	foretold_end(&f);
}

static void tasks_of_an_array_are_estimated_like_jobs(void **state)
{
	struct estimate_setup setup = {.full_every = 0};
	struct foretold f;

	(void)state;
	foretold_begin(&f, NULL);
	scene_add(f.sc, (struct scene_job){.array = 3, .procs = 4});
	scene_play(f.sc, 1000);
	foretold_walk(&f, INT64_MIN, 200, &setup);
	assert_int_equal(f.count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(estimate_of(&f, i, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), (int64_t)i * 100);
	foretold_end(&f);
}

/* --- selection of starts -------------------------------------------------------------------------- */

static void a_selection_of_starts_is_evenly_spaced(void **state)
{
	struct estimate_setup setup = {.full_every = 0};
	struct foretold f;

	(void)state;
	foretold_begin(&f, NULL);
	for (int i = 0; i < 10; i++)
		scene_submit(f.sc, 4, 100);
	scene_play(f.sc, 2000);
	foretold_walk(&f, INT64_MIN, 4, &setup);
	assert_int_equal(f.started, 10);
	assert_int_equal(f.count, 4);
	assert_int_equal(f.row[0].job, 1);
	assert_int_equal(f.row[1].job, 3);
	assert_int_equal(f.row[2].job, 6);
	assert_int_equal(f.row[3].job, 8);
	foretold_end(&f);
}

static void starts_before_the_period_do_not_count(void **state)
{
	struct estimate_setup setup = {.full_every = 0};
	struct foretold f;

	(void)state;
	foretold_queue(&f, NULL);
	scene_play(f.sc, 1000);
	foretold_walk(&f, 100, 200, &setup);
	assert_int_equal(f.started, 2);
	assert_int_equal(f.row[0].job, 2);
	assert_int_equal(estimate_of(&f, 0, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), 100);
	foretold_end(&f);
}

static void a_job_that_waited_before_the_walk_is_estimated_later(void **state)
{
	struct estimate_setup setup = {.full_every = 0};
	struct foretold f;

	(void)state;
	foretold_queue(&f, NULL);
	scene_go(f.sc, 30);
	told_end(&f.told);
	told_begin(&f.told, f.sc);
	scene_play(f.sc, 1000);
	foretold_walk(&f, INT64_MIN, 200, &setup);
	assert_int_equal(f.count, 2);
	assert_int_equal(f.row[1].submit_s, 20);
	assert_int_equal(estimate_of(&f, 1, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), TIME_NONE);
	assert_int_equal(estimate_of(&f, 1, ESTIMATE_HALFWAY, ESTIMATE_INSTANT), 200);
	foretold_end(&f);
}

/* --- run times ------------------------------------------------------------------------------------ */

static const struct accuracy *get_accuracy(void *self, int64_t at_s)
{
	(void)at_s;
	return self;
}

static void the_full_projection_uses_recorded_run_times(void **state)
{
	struct accuracy known = {.count = 0};
	struct estimate_setup setup = {
		.full_every = 1, .assume = ASSUME_MEDIAN, .known = get_accuracy, .self = &known};
	struct foretold f;

	(void)state;
	foretold_queue(&f, NULL);
	for (int i = 0; i < ASSUME_JOBS_LEAST; i++)
		accuracy_note(&known, "u1", 50, 100);
	scene_play(f.sc, 1000);
	foretold_walk(&f, INT64_MIN, 200, &setup);
	assert_int_equal(estimate_of(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), 200);
	assert_int_equal(estimate_of(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_FULL), 100);
	accuracy_clear(&known);
	foretold_end(&f);
}

/* --- stopping ------------------------------------------------------------------------------------- */

static bool has_calls_left(void *self)
{
	int *left = self;

	return (*left)-- > 0;
}

static void a_walk_can_be_stopped(void **state)
{
	int left = 2;
	struct estimate_setup setup = {.full_every = 0, .should_continue = has_calls_left, .self = &left};
	struct foretold f;

	(void)state;
	foretold_queue(&f, NULL);
	scene_play(f.sc, 1000);
	foretold_walk(&f, INT64_MIN, 200, &setup);
	assert_false(f.finished);
	assert_int_equal(estimate_of(&f, 1, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), 100);
	assert_int_equal(estimate_of(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), TIME_NONE);
	foretold_end(&f);
}

/* Stopped after any number of calls of should_continue(): every estimate is correct or missing. */
static void estimates_of_a_stopped_walk_are_correct(void **state)
{
	int left = 1000;
	struct estimate_setup setup = {.full_every = 1, .should_continue = has_calls_left, .self = &left};
	int64_t last = 0;
	struct foretold f;
	int needed;

	(void)state;
	foretold_queue(&f, NULL);
	scene_play(f.sc, 1000);
	foretold_walk(&f, INT64_MIN, 200, &setup);
	assert_true(f.finished);
	needed = 1000 - left;
	for (int n = 0; n < needed; n++) {
		int64_t all = 0;

		left = n;
		estimate_rows_free(f.row, f.count);
		foretold_walk(&f, INT64_MIN, 200, &setup);
		assert_false(f.finished);
		for (size_t i = 0; i < 3; i++)
			for (int tier = 0; tier < ESTIMATE_TIERS; tier++) {
				int64_t said_s =
					estimate_of(&f, i, ESTIMATE_SUBMITTED, (enum estimate_tier)tier);

				assert_true(said_s == TIME_NONE || said_s == (int64_t)i * 100);
				all += said_s != TIME_NONE;
			}
		assert_true(all >= last);
		last = all;
	}
	foretold_end(&f);
}

/* Job 2 is held until job 3 has started: of the starts 1, 3, 2 two are selected. */
static void the_choice_is_in_the_order_of_starts(void **state)
{
	const struct estimate_setup setup = {.full_every = 0};
	struct foretold f;

	(void)state;
	foretold_queue(&f, NULL);
	scene_hold(f.sc, 2, JOB_HOLD_USER);
	scene_play(f.sc, 150);
	scene_release(f.sc, 2, JOB_HOLD_USER);
	scene_play(f.sc, 1000);
	foretold_walk(&f, INT64_MIN, 2, &setup);
	assert_int_equal(f.started, 3);
	assert_int_equal(f.count, 2);
	assert_int_equal(f.row[0].job, 1);
	assert_int_equal(f.row[1].job, 3);
	assert_int_equal(f.row[1].start_s, 100);
	foretold_end(&f);
}

static void a_missing_entry_is_refused(void **state)
{
	struct foretold f;
	struct err err;

	(void)state;
	foretold_queue(&f, NULL);
	assert_false(estimate_follow(f.told.before, &f.told.event[1], &err));
	assert_non_null(strstr(err.text, "no longer stored"));
	assert_true(estimate_follow(f.told.before, &f.told.event[0], &err));
	foretold_end(&f);
}

static void stages_and_tiers_have_names(void **state)
{
	(void)state;
	assert_string_equal(estimate_stage_name(ESTIMATE_HOUR_BEFORE), "hour-before");
	assert_string_equal(estimate_tier_name(ESTIMATE_FULL), "full");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_are_actual_errors),
		cmocka_unit_test(the_tenth_refers_to_the_wait),
		cmocka_unit_test(immediate_starts_are_counted_separately),
		cmocka_unit_test(an_unknown_start_has_no_error),
		cmocka_unit_test(exact_estimates_are_not_among_the_worst_errors),
		cmocka_unit_test(of_equal_errors_the_older_job_comes_first),
		cmocka_unit_test(jobs_that_run_to_their_limits_start_as_estimated),
		cmocka_unit_test(an_early_end_moves_the_next_start_by_its_length),
		cmocka_unit_test(the_estimate_an_hour_before_needs_a_wait_of_more_than_an_hour),
		cmocka_unit_test(a_held_job_has_no_estimate),
		cmocka_unit_test(tasks_of_an_array_are_estimated_like_jobs),
		cmocka_unit_test(a_selection_of_starts_is_evenly_spaced),
		cmocka_unit_test(starts_before_the_period_do_not_count),
		cmocka_unit_test(a_job_that_waited_before_the_walk_is_estimated_later),
		cmocka_unit_test(the_full_projection_uses_recorded_run_times),
		cmocka_unit_test(a_walk_can_be_stopped),
		cmocka_unit_test(the_choice_is_in_the_order_of_starts),
		cmocka_unit_test(estimates_of_a_stopped_walk_are_correct),
		cmocka_unit_test(a_missing_entry_is_refused),
		cmocka_unit_test(stages_and_tiers_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
