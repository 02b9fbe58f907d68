/* SPDX-License-Identifier: MIT */
/*
 * test_estimate.c - how well have past estimates of starts come true?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/core/estimate.h"
#include "tests/told.h"

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

static void percentiles_are_errors_that_there_were(void **state)
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

static void a_tenth_is_of_the_wait(void **state)
{
	const struct estimate_row rows[] = {row(1, 100, 210, 200), row(2, 100, 211, 200), row(3, 0, 220, 200),
					    row(4, 7, 7, 7)};

	(void)state;
	assert_int_equal(errors_of(rows, 4).within, 2);
	assert_int_equal(errors_of(rows, 4).known, 3);
}

static void who_was_to_start_at_once_and_did_is_counted_apart(void **state)
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

static void what_was_not_known_has_no_error(void **state)
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

static void the_worst_come_first_and_those_without_error_not_at_all(void **state)
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

/* --- two walks ------------------------------------------------------------------------------------ */

struct found {
	struct estimate_row *row;
	size_t count, started;
	bool finished;
	struct err err;
};

/* What a journal tells. */
static struct found walk(struct told *t, int64_t since_s, size_t most, const struct estimate_setup *setup)
{
	struct found f = {.finished = true};
	struct estimate_starts starts = {.job = NULL};
	struct estimate_walk w;

	estimate_starts_begin(&starts, state_view(t->before), since_s);
	for (size_t i = 0; i < t->count; i++)
		estimate_starts_take(&starts, &t->event[i]);
	f.started = starts.started;
	f.row = estimate_starts_choose(&starts, most, &f.count);
	estimate_starts_clear(&starts);
	estimate_walk_begin(&w, t->before, t->from_s, f.row, f.count, setup);
	for (size_t i = 0; i < t->count && f.finished; i++)
		f.finished = estimate_walk_take(&w, &t->event[i], &f.err);
	estimate_walk_clear(&w);
	return f;
}

static int64_t said(const struct found *f, size_t row, enum estimate_stage stage, enum estimate_tier tier)
{
	return f->row[row].said_s[stage][tier];
}

/* Job 1 holds all four processors for 100 s, 2 and 3 want them after it. */
static struct scene *queue_of_three(struct told *t)
{
	struct scene *sc = scene_new(1, 4);

	told_begin(t, sc);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_go(sc, 10);
	scene_submit(sc, 4, 100);
	scene_go(sc, 20);
	scene_submit(sc, 4, 100);
	return sc;
}

static void jobs_that_run_to_their_limits_start_when_it_was_said(void **state)
{
	struct told t;
	struct scene *sc = queue_of_three(&t);
	struct estimate_setup setup = {.full_every = 1};
	struct found f;

	(void)state;
	scene_play(sc, 1000);
	f = walk(&t, INT64_MIN, 200, &setup);
	assert_true(f.finished);
	assert_int_equal(f.started, 3);
	assert_int_equal(f.count, 3);
	for (size_t i = 0; i < 3; i++)
		for (int tier = 0; tier < ESTIMATE_TIERS; tier++)
			assert_int_equal(said(&f, i, ESTIMATE_SUBMITTED, (enum estimate_tier)tier),
					 (int64_t)i * 100);
	assert_int_equal(said(&f, 0, ESTIMATE_HALFWAY, ESTIMATE_INSTANT), TIME_NONE);
	assert_int_equal(said(&f, 2, ESTIMATE_HALFWAY, ESTIMATE_INSTANT), 200);
	assert_int_equal(said(&f, 2, ESTIMATE_HOUR_BEFORE, ESTIMATE_INSTANT), TIME_NONE);
	assert_string_equal(f.row[1].label, "2");
	estimate_rows_free(f.row, f.count);
	told_end(&t);
	scene_free(sc);
}

static void a_job_that_ends_early_makes_the_next_start_by_so_much_earlier(void **state)
{
	struct told t;
	struct scene *sc = queue_of_three(&t);
	struct estimate_setup setup = {.full_every = 0};
	struct found f;
	int64_t error_s;

	(void)state;
	scene_go(sc, 40);
	scene_end(sc, 1);
	scene_pass(sc);
	scene_play(sc, 1000);
	f = walk(&t, INT64_MIN, 200, &setup);
	assert_true(estimate_error(&f.row[1], ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, &error_s));
	assert_int_equal(error_s, -60);
	assert_true(estimate_error(&f.row[2], ESTIMATE_SUBMITTED, ESTIMATE_INSTANT, &error_s));
	assert_int_equal(error_s, -60);
	/* half of its wait, at 80, the end was known */
	assert_int_equal(said(&f, 2, ESTIMATE_HALFWAY, ESTIMATE_INSTANT), 140);
	assert_int_equal(said(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_FULL), TIME_NONE);
	estimate_rows_free(f.row, f.count);
	told_end(&t);
	scene_free(sc);
}

static void an_hour_before_it_is_asked_of_those_who_waited_longer(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct told t;
	struct estimate_setup setup = {.full_every = 0};
	struct found f;

	(void)state;
	told_begin(&t, sc);
	scene_submit(sc, 4, 3600);
	scene_submit(sc, 4, 3600);
	scene_submit(sc, 4, 3600);
	scene_pass(sc);
	scene_go(sc, 1000);
	scene_end(sc, 1);
	scene_pass(sc);
	scene_play(sc, 20000);
	f = walk(&t, INT64_MIN, 200, &setup);
	assert_int_equal(f.row[1].start_s, 1000);
	assert_int_equal(said(&f, 1, ESTIMATE_HOUR_BEFORE, ESTIMATE_INSTANT), TIME_NONE);
	/* at 1000, when all of that second is in */
	assert_int_equal(f.row[2].start_s, 4600);
	assert_int_equal(said(&f, 2, ESTIMATE_HOUR_BEFORE, ESTIMATE_INSTANT), 4600);
	assert_int_equal(said(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), 7200);
	estimate_rows_free(f.row, f.count);
	told_end(&t);
	scene_free(sc);
}

static void a_job_that_is_held_has_no_estimate(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct told t;
	struct estimate_setup setup = {.full_every = 1};
	struct found f;

	(void)state;
	told_begin(&t, sc);
	scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER, .label = "mine"});
	scene_pass(sc);
	scene_go(sc, 50);
	scene_release(sc, 1, JOB_HOLD_USER);
	scene_pass(sc);
	scene_play(sc, 200);
	f = walk(&t, INT64_MIN, 200, &setup);
	assert_int_equal(f.count, 1);
	assert_int_equal(said(&f, 0, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), TIME_NEVER);
	assert_int_equal(said(&f, 0, ESTIMATE_SUBMITTED, ESTIMATE_FULL), TIME_NEVER);
	assert_string_equal(f.row[0].label, "mine");
	estimate_rows_free(f.row, f.count);
	told_end(&t);
	scene_free(sc);
}

static void tasks_of_an_array_are_jobs(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct told t;
	struct estimate_setup setup = {.full_every = 0};
	struct found f;

	(void)state;
	told_begin(&t, sc);
	scene_add(sc, (struct scene_job){.array = 3, .procs = 4});
	scene_play(sc, 1000);
	f = walk(&t, INT64_MIN, 200, &setup);
	assert_int_equal(f.count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(said(&f, i, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), (int64_t)i * 100);
	estimate_rows_free(f.row, f.count);
	told_end(&t);
	scene_free(sc);
}

/* --- which of them -------------------------------------------------------------------------------- */

static void of_many_starts_some_are_chosen_evenly(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct told t;
	struct estimate_setup setup = {.full_every = 0};
	struct found f;

	(void)state;
	told_begin(&t, sc);
	for (int i = 0; i < 10; i++)
		scene_submit(sc, 4, 100);
	scene_play(sc, 2000);
	f = walk(&t, INT64_MIN, 4, &setup);
	assert_int_equal(f.started, 10);
	assert_int_equal(f.count, 4);
	assert_int_equal(f.row[0].job, 1);
	assert_int_equal(f.row[1].job, 3);
	assert_int_equal(f.row[2].job, 6);
	assert_int_equal(f.row[3].job, 8);
	estimate_rows_free(f.row, f.count);
	told_end(&t);
	scene_free(sc);
}

static void starts_before_the_time_looked_at_do_not_count(void **state)
{
	struct told t;
	struct scene *sc = queue_of_three(&t);
	struct estimate_setup setup = {.full_every = 0};
	struct found f;

	(void)state;
	scene_play(sc, 1000);
	f = walk(&t, 100, 200, &setup);
	assert_int_equal(f.started, 2);
	assert_int_equal(f.row[0].job, 2);
	assert_int_equal(said(&f, 0, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), 100);
	estimate_rows_free(f.row, f.count);
	told_end(&t);
	scene_free(sc);
}

static void a_job_that_waited_before_the_walk_is_asked_later_on(void **state)
{
	struct told t, later;
	struct scene *sc = queue_of_three(&t);
	struct estimate_setup setup = {.full_every = 0};
	struct found f;

	(void)state;
	scene_go(sc, 30);
	told_begin(&later, sc);
	scene_play(sc, 1000);
	f = walk(&later, INT64_MIN, 200, &setup);
	assert_int_equal(f.count, 2);
	assert_int_equal(f.row[1].submit_s, 20);
	assert_int_equal(said(&f, 1, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), TIME_NONE);
	assert_int_equal(said(&f, 1, ESTIMATE_HALFWAY, ESTIMATE_INSTANT), 200);
	estimate_rows_free(f.row, f.count);
	told_end(&later);
	told_end(&t);
	scene_free(sc);
}

/* --- run times ------------------------------------------------------------------------------------ */

static const struct accuracy *half(void *self, int64_t at_s)
{
	(void)at_s;
	return self;
}

static void the_full_projection_goes_by_what_was_known_of_run_times(void **state)
{
	struct told t;
	struct scene *sc = queue_of_three(&t);
	struct accuracy known = {.count = 0};
	struct estimate_setup setup = {
		.full_every = 1, .assume = ASSUME_MEDIAN, .known = half, .self = &known};
	struct found f;

	(void)state;
	for (int i = 0; i < ASSUME_JOBS_LEAST; i++)
		accuracy_note(&known, "u1", 50, 100);
	scene_play(sc, 1000);
	f = walk(&t, INT64_MIN, 200, &setup);
	assert_int_equal(said(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), 200);
	assert_int_equal(said(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_FULL), 100);
	estimate_rows_free(f.row, f.count);
	accuracy_clear(&known);
	told_end(&t);
	scene_free(sc);
}

/* --- an end to it --------------------------------------------------------------------------------- */

static bool twice(void *self)
{
	int *left = self;

	return (*left)-- > 0;
}

static void it_stops_when_it_is_told_to(void **state)
{
	struct told t;
	struct scene *sc = queue_of_three(&t);
	int left = 2;
	struct estimate_setup setup = {.full_every = 0, .go_on = twice, .self = &left};
	struct found f;

	(void)state;
	scene_play(sc, 1000);
	f = walk(&t, INT64_MIN, 200, &setup);
	assert_false(f.finished);
	assert_int_equal(said(&f, 1, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), 100);
	assert_int_equal(said(&f, 2, ESTIMATE_SUBMITTED, ESTIMATE_INSTANT), TIME_NONE);
	estimate_rows_free(f.row, f.count);
	told_end(&t);
	scene_free(sc);
}

static void an_entry_that_is_missing_is_refused(void **state)
{
	struct told t;
	struct scene *sc = queue_of_three(&t);
	struct err err;

	(void)state;
	assert_false(estimate_follow(t.before, &t.event[1], &err));
	assert_non_null(strstr(err.text, "no longer kept"));
	assert_true(estimate_follow(t.before, &t.event[0], &err));
	told_end(&t);
	scene_free(sc);
}

static void what_is_said_has_names(void **state)
{
	(void)state;
	assert_string_equal(estimate_stage_name(ESTIMATE_HOUR_BEFORE), "hour-before");
	assert_string_equal(estimate_tier_name(ESTIMATE_FULL), "full");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_are_errors_that_there_were),
		cmocka_unit_test(a_tenth_is_of_the_wait),
		cmocka_unit_test(who_was_to_start_at_once_and_did_is_counted_apart),
		cmocka_unit_test(what_was_not_known_has_no_error),
		cmocka_unit_test(the_worst_come_first_and_those_without_error_not_at_all),
		cmocka_unit_test(jobs_that_run_to_their_limits_start_when_it_was_said),
		cmocka_unit_test(a_job_that_ends_early_makes_the_next_start_by_so_much_earlier),
		cmocka_unit_test(an_hour_before_it_is_asked_of_those_who_waited_longer),
		cmocka_unit_test(a_job_that_is_held_has_no_estimate),
		cmocka_unit_test(tasks_of_an_array_are_jobs),
		cmocka_unit_test(of_many_starts_some_are_chosen_evenly),
		cmocka_unit_test(starts_before_the_time_looked_at_do_not_count),
		cmocka_unit_test(a_job_that_waited_before_the_walk_is_asked_later_on),
		cmocka_unit_test(the_full_projection_goes_by_what_was_known_of_run_times),
		cmocka_unit_test(it_stops_when_it_is_told_to),
		cmocka_unit_test(an_entry_that_is_missing_is_refused),
		cmocka_unit_test(what_is_said_has_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
