/* SPDX-License-Identifier: MIT */
/*
 * test_assume.c - assumptions about run times for projections
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/forecast/project.h"
#include "sched/model/assume.h"
#include "small_state.h"
#include "tests/seed.h"

#define HUNDREDTH 0.01

static void note(struct accuracy *a, const char *user, int jobs, int64_t run_s)
{
	for (int i = 0; i < jobs; i++)
		accuracy_note(a, user, run_s, 1000);
}

static int hundredths(double share)
{
	return (int)(share * 100 + 0.5);
}

static double share_of(const struct snapshot *s, const double *share, const char *user)
{
	return share[snapshot_find_cred(s, CRED_USER, user)];
}

static void without_history_jobs_run_to_their_limits(void **state)
{
	struct state *st = small_state();
	struct accuracy a = {.user = NULL};
	struct assumed out = {.share = NULL};
	const struct snapshot *s = state_view(st);

	(void)state;
	assert_null(assume_shares(&out, s, &a, ASSUME_WCLIMIT));
	assert_int_equal(hundredths(share_of(s, assume_shares(&out, s, &a, ASSUME_HISTORY), "u1")), 100);
	assert_int_equal(hundredths(share_of(s, assume_shares(&out, s, &a, ASSUME_MEDIAN), "u1")), 100);
	free(out.share);
	state_free(st);
}

static void user_with_few_jobs_gets_the_overall_median(void **state)
{
	struct state *st = small_state();
	struct accuracy a = {.user = NULL};
	struct assumed out = {.share = NULL};
	const struct snapshot *s = state_view(st);
	const double *share;

	(void)state;
	note(&a, "u1", ASSUME_JOBS_LEAST, 100);
	note(&a, "u2", ASSUME_JOBS_LEAST - 1, 900);
	note(&a, "somebody who has left", 20, 500);
	share = assume_shares(&out, s, &a, ASSUME_HISTORY);
	assert_int_equal(hundredths(share_of(s, share, "u1")), 10);
	assert_int_equal(hundredths(share_of(s, share, "u2")), 50);
	assert_int_equal(hundredths(share_of(s, share, "u3")), 50);
	assert_int_equal(hundredths(share[snapshot_find_cred(s, CRED_CLASS, "long")]), 100);
	share = assume_shares(&out, s, &a, ASSUME_MEDIAN);
	assert_int_equal(hundredths(share_of(s, share, "u1")), 50);
	free(out.share);
	accuracy_clear(&a);
	state_free(st);
}

static void one_outlier_does_not_move_the_median(void **state)
{
	struct accuracy a = {.user = NULL};

	(void)state;
	note(&a, "u1", 9, 410);
	assert_int_equal(hundredths(accuracy_median(accuracy_find(&a, "u1"))), 41);
	note(&a, "u1", 1, 5000);
	note(&a, "u1", 1, 0);
	assert_int_equal(hundredths(accuracy_median(accuracy_find(&a, "u1"))), 41);
	assert_null(accuracy_find(&a, "u2"));
	accuracy_clear(&a);
}

static int by_value(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

/* At least half of the jobs do not exceed the median; one hundredth less, and it would be fewer than half. */
static void median_equals_that_of_sorted_fractions(void **state)
{
	struct rng rng = seeded("medians");

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct accuracy a = {.user = NULL};
		size_t jobs = 1 + (size_t)rng_below(&rng, 60);
		int64_t run_s[60];
		double median;

		for (size_t i = 0; i < jobs; i++) {
			run_s[i] = (int64_t)rng_below(&rng, 1200);
			accuracy_note(&a, i % 2 == 0 ? "u1" : NULL, run_s[i], 1000);
		}
		qsort(run_s, jobs, sizeof *run_s, by_value);
		median = (double)(run_s[(jobs - 1) / 2] < 1000 ? run_s[(jobs - 1) / 2] : 1000) / 1000;
		assert_true(accuracy_median(&a.all) >= median);
		assert_true(accuracy_median(&a.all) < median + HUNDREDTH);
		accuracy_clear(&a);
	}
}

static void largest_wallclock_limit_is_counted(void **state)
{
	struct accuracy a = {.user = NULL};

	(void)state;
	accuracy_note(&a, "u1", INT64_MAX / 2, INT64_MAX);
	assert_in_range(hundredths(accuracy_median(&a.all)), 50, 51);
	accuracy_clear(&a);
}

/* Job 1 has been running since 0 with a limit of 100, the others wait for all processors. The assumed run
 * time of job 1 is 40. */
static void projection_uses_the_assumption(void **state)
{
	struct state *st = small_state();
	struct accuracy a = {.user = NULL};
	struct assumed out = {.share = NULL};
	struct projection p = {.start_s = NULL};
	const struct snapshot *s = state_view(st);
	struct project_setup setup = {.from_s = 40, .until_s = TIME_NEVER};

	(void)state;
	note(&a, "u1", ASSUME_JOBS_LEAST, 600);
	note(&a, "u2", ASSUME_JOBS_LEAST, 100);
	setup.run_share = assume_shares(&out, s, &a, ASSUME_HISTORY);
	assert_true(project_run(&p, s, &setup));
	assert_int_equal(p.start_s[snapshot_find_job(s, 2)], 60);
	assert_int_equal(p.start_s[snapshot_find_job(s, 3)], 70);
	setup.run_share = assume_shares(&out, s, &a, ASSUME_WCLIMIT);
	assert_true(project_run(&p, s, &setup));
	assert_int_equal(p.start_s[snapshot_find_job(s, 3)], 200);
	project_clear(&p);
	free(out.share);
	accuracy_clear(&a);
	state_free(st);
}

static void assumptions_have_names(void **state)
{
	enum assume_kind kind;
	struct err err;

	(void)state;
	for (enum assume_kind i = 0; i < ASSUME_KIND_COUNT; i++) {
		assert_true(assume_read(assume_name(i), &kind, &err));
		assert_int_equal(kind, i);
	}
	assert_false(assume_read("hope", &kind, &err));
	assert_non_null(strstr(err.text, "'hope'"));
	assert_non_null(strstr(err.text, "median"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_history_jobs_run_to_their_limits),
		cmocka_unit_test(user_with_few_jobs_gets_the_overall_median),
		cmocka_unit_test(one_outlier_does_not_move_the_median),
		cmocka_unit_test(median_equals_that_of_sorted_fractions),
		cmocka_unit_test(largest_wallclock_limit_is_counted),
		cmocka_unit_test(projection_uses_the_assumption),
		cmocka_unit_test(assumptions_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
