/* SPDX-License-Identifier: MIT */
/*
 * test_comparison.c - starts of the same jobs in several futures
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/forecast/comparison.h"
#include "sched/forecast/future.h"
#include "sched/state/draft.h"
#include "tests/scene.h"

/* One processor, used by job 1 until 100; jobs 2 (100 s) and 3 (50 s) wait in this order. */
struct fixture {
	struct scene *sc;
	struct future future;
	struct comparison table;
};

static struct fixture begin(void)
{
	struct fixture l = {.sc = scene_new(1, 1)};

	scene_submit(l.sc, 1, 100);
	scene_pass(l.sc);
	scene_submit(l.sc, 1, 100);
	scene_submit(l.sc, 1, 50);
	future_build(&l.future, scene_view(l.sc), &(struct future_setup){.full = true});
	comparison_begin(&l.table, &l.future.side);
	return l;
}

static size_t add_row_with(struct fixture *l, struct event ev)
{
	struct state *st = draft_make(scene_view(l->sc), &ev, 1, NULL, NULL);
	size_t row;

	assert_non_null(st);
	future_build(&l->future, state_view(st), &(struct future_setup){.full = true});
	row = comparison_add(&l->table, &l->future.side);
	state_free(st);
	return row;
}

static void end(struct fixture *l)
{
	future_clear(&l->future);
	comparison_clear(&l->table);
	scene_free(l->sc);
}

static struct event raise_priority(uint64_t job)
{
	return (struct event){.kind = EVENT_PRIORITY,
			      .job = job,
			      .priority = {.adjust = JOB_ADJUST_RELATIVE, .points = 1000}};
}

static struct event hold(uint64_t job)
{
	return (struct event){.kind = EVENT_HOLD, .job = job, .hold = {.bits = JOB_HOLD_USER, .on = true}};
}

static void rows_contain_the_starts_of_the_jobs_of_the_first_row(void **state)
{
	struct fixture l = begin();
	size_t row = add_row_with(&l, raise_priority(3));

	(void)state;
	assert_int_equal(row, 1);
	assert_int_equal(l.table.jobs, 2);
	assert_int_equal(comparison_start_s(&l.table, 0, 0), 100);
	assert_int_equal(comparison_start_s(&l.table, 0, 1), 200);
	assert_int_equal(comparison_start_s(&l.table, 1, 0), 150);
	assert_int_equal(comparison_start_s(&l.table, 1, 1), 100);
	end(&l);
}

static void differences_between_two_rows_are_counted(void **state)
{
	struct fixture l = begin();
	size_t row = add_row_with(&l, raise_priority(3));
	struct start_changes there = comparison_changes(&l.table, 0, row);
	struct start_changes back = comparison_changes(&l.table, row, 0);

	(void)state;
	assert_int_equal(there.changed, 2);
	assert_int_equal(there.earlier, 1);
	assert_int_equal(there.later, 1);
	assert_true(there.only == 0);
	assert_int_equal(there.gain_s, 50);
	assert_int_equal(back.gain_s, -50);
	assert_int_equal(comparison_changes(&l.table, row, row).changed, 0);
	end(&l);
}

static void means_are_over_jobs_that_start_in_every_row(void **state)
{
	struct fixture l = begin();
	size_t held = add_row_with(&l, hold(3));
	struct start_changes change = comparison_changes(&l.table, 0, held);
	struct whatif_totals totals;

	(void)state;
	assert_int_equal(l.table.common_jobs, 1);
	assert_int_equal(change.changed, 1);
	assert_true(change.only == 3);
	assert_int_equal(change.later, 1);
	assert_int_equal(change.gain_s, 0);
	comparison_totals(&l.table, 0, 0, &totals);
	assert_int_equal(totals.starts, 2);
	assert_true(totals.wait_s == 100);
	comparison_totals(&l.table, held, 0, &totals);
	assert_int_equal(totals.starts, 1);
	end(&l);
}

static void a_missing_job_does_not_start(void **state)
{
	struct fixture l = begin();
	size_t row = add_row_with(&l, (struct event){.kind = EVENT_CANCEL, .job = 2});

	(void)state;
	assert_true(comparison_start_s(&l.table, row, 0) == TIME_NEVER);
	assert_int_equal(comparison_start_s(&l.table, row, 1), 100);
	end(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_contain_the_starts_of_the_jobs_of_the_first_row),
		cmocka_unit_test(differences_between_two_rows_are_counted),
		cmocka_unit_test(means_are_over_jobs_that_start_in_every_row),
		cmocka_unit_test(a_missing_job_does_not_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
