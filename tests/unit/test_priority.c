/* SPDX-License-Identifier: MIT */
/*
 * test_priority.c - sum, bounds and adjustment of a job's priority, as in Maui's guide
 *
 * Tests whose names begin with an ID (P_06) use the numbers of that requirement.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/seed.h"
#include "tests/unit/weighed.h"

/* --- bounds, adjustment ---------------------------------------------------------------- */

static void P_06_the_sum_is_bounded_and_marked_as_such(void **state)
{
	static const struct {
		double sum;
		int64_t rank;
		bool bounded;
	} row[] = {
		{-25000, 1, true},        {0, 1, true},
		{0.5, 1, true},           {1, 1, false},
		{1.9, 1, false},          {999999999.5, 999999999, false},
		{1e9, 1000000000, false}, {1e9 + 0.5, 1000000000, true},
		{1e30, 1000000000, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct scene s = with_sum(row[i].sum);
		struct prio_result out = weighed(&s);

		assert_true(out.sum == row[i].sum);
		assert_int_equal(out.rank, row[i].rank);
		assert_int_equal(out.bounded, row[i].bounded);
	}
}

static void P_06_negative_priorities_are_kept_if_they_are_enabled(void **state)
{
	struct scene s = with_sum(-25000.9);
	struct prio_result out;

	(void)state;
	s.policy.allow_negative = true;
	out = weighed(&s);
	assert_int_equal(out.rank, -25000);
	assert_false(out.bounded);
	s.policy.allow_negative = false;
	s.policy.reject_negative = true;
	assert_int_equal(weighed(&s).rank, -25000);
}

static void P_06_the_rank_is_truncated_toward_zero(void **state)
{
	struct scene s = with_sum(-0.5);

	(void)state;
	s.policy.allow_negative = true;
	assert_int_equal(weighed(&s).rank, 0);
	s = with_sum(1.9);
	assert_int_equal(weighed(&s).rank, 1);
}

static void the_most_negative_sum_still_has_a_rank(void **state)
{
	struct scene s = with_sum(-1e24);

	(void)state;
	s.policy.allow_negative = true;
	s.policy.weights.component[PRIO_CRED] = 1e12;
	assert_true((double)weighed(&s).rank < -PRIO_MAX);
}

static void P_09_an_absolute_priority_is_above_every_computed_one(void **state)
{
	struct scene s = with_sum(12000);

	(void)state;
	s.job.adjust = JOB_ADJUST_ABSOLUTE;
	s.job.points = 5;
	assert_int_equal(weighed(&s).rank, 1000000005);
	assert_true(weighed(&s).sum == 12000);
}

static void P_09_a_relative_priority_is_added_after_the_bounds(void **state)
{
	struct scene s = with_sum(12000);

	(void)state;
	s.job.adjust = JOB_ADJUST_RELATIVE;
	s.job.points = 100;
	assert_int_equal(weighed(&s).rank, 12100);
	s.job.points = -20000;
	assert_int_equal(weighed(&s).rank, -8000);
	s = with_sum(-500);
	s.job.adjust = JOB_ADJUST_RELATIVE;
	s.job.points = 100;
	assert_int_equal(weighed(&s).rank, 101);
}

/* --- properties -------------------------------------------------------------------------- */

static void P_05_by_default_the_minutes_waited_are_the_priority(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	policy_default(&s.policy);
	let_wait(&s, HOUR + 59);
	assert_int_equal(weighed(&s).rank, 60);
}

static double random_weight(struct rng *rng)
{
	return rng_below(rng, 2) ? 0 : (double)rng_below(rng, 2000) / 8 - 125;
}

static double random_cap(struct rng *rng)
{
	return rng_below(rng, 3) ? 0 : (double)rng_below(rng, 1000) / 4;
}

static void random_weights(struct rng *rng, struct prio_weights *w)
{
	for (int c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		w->component[c] = random_weight(rng);
		w->component_cap[c] = random_cap(rng);
	}
	for (int f = 0; f < PRIO_FACTOR_COUNT; f++) {
		w->factor[f] = random_weight(rng);
		w->factor_cap[f] = random_cap(rng);
	}
}

static struct scene random_scene(struct rng *rng)
{
	struct scene s = plain_scene();

	random_weights(rng, &s.policy.weights);
	s.policy.allow_negative = rng_below(rng, 2);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		s.creds.priority[type] = (double)rng_below(rng, 2001) - 1000;
	s.creds.qt_weight = random_weight(rng);
	s.creds.xf_weight = random_weight(rng);
	s.creds.qt_target_s = (int64_t)rng_below(rng, 3) * HOUR;
	s.creds.xf_target = (double)rng_below(rng, 4);
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		s.creds.fs_delta[type] = 200 * rng_unit(rng) - 100;
	s.job.state = rng_below(rng, 4) ? JOB_IDLE : JOB_RUNNING;
	s.job.accrual_s = NOON - (int64_t)rng_below(rng, 1000000);
	s.job.start_s = s.job.state == JOB_RUNNING ? NOON - (int64_t)rng_below(rng, 10000) : TIME_NONE;
	s.job.wall_limit_s = 1 + (int64_t)rng_below(rng, 400000);
	s.job.tasks = 1 + (uint32_t)rng_below(rng, 1000);
	s.job.task_procs = 1 + (uint32_t)rng_below(rng, 8);
	s.job.mem_mb = (int64_t)rng_below(rng, 4000);
	s.job.bypass = (uint32_t)rng_below(rng, 20);
	s.job.adjust = (uint8_t)rng_below(rng, 3);
	s.job.points = (int64_t)rng_below(rng, 3000) - 1000;
	return s;
}

static void the_rank_equals_that_of_the_breakdown(void **state)
{
	struct rng rng = seeded("the_rank_equals_that_of_the_breakdown");

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct scene s = random_scene(&rng);

		weighed(&s);
	}
}

static void the_breakdown_adds_up(void **state)
{
	struct rng rng = seeded("the_breakdown_adds_up");

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct scene s = random_scene(&rng);
		struct prio_result out = weighed(&s);
		double sum = 0;

		for (int c = 0; c < PRIO_COMPONENT_COUNT; c++)
			sum += out.component[c];
		assert_true(isfinite(sum) && sum == out.sum);
		for (int f = 0; f < PRIO_FACTOR_COUNT; f++)
			assert_true(isfinite(out.value[f]) && out.capped[f] <= out.value[f]);
	}
}

static void a_breakdown_has_no_negative_zero(void **state)
{
	struct scene s = plain_scene();
	struct prio_result out;

	(void)state;
	s.policy.weights.factor[PRIO_CRED_USER] = -5;
	s.policy.weights.component[PRIO_FS] = -1;
	out = weighed(&s);
	assert_false(signbit(out.weighted[PRIO_CRED_USER]));
	assert_false(signbit(out.component[PRIO_FS]));
	assert_false(signbit(out.sum));
}

static void only_weights_that_count_make_a_difference(void **state)
{
	struct prio_weights w = {.component = {1, 1, 1, 0, 1, 1}};

	(void)state;
	assert_true(priority_all_equal(&w));
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		struct prio_weights one = {.component = {1, 1, 1, 1, 1, 1}};

		one.factor[f] = 1;
		assert_false(priority_all_equal(&one));
		one.component[policy_factor_info(f)->component] = 0;
		assert_true(priority_all_equal(&one));
	}
	w.factor[PRIO_SERV_QUEUETIME] = 1;
	assert_true(priority_all_equal(&w)); /* serviceweight is 0 */
	w.factor[PRIO_RES_PROC] = -1;
	assert_false(priority_all_equal(&w));
	prio_weights_default(&w);
	assert_false(priority_all_equal(&w));
	w = (struct prio_weights){.component = {1, 1, 1, 1, 1, 1}};
	w.factor[PRIO_FS_QOS] = 1; /* fairshare may be off, which the weights do not show */
	assert_false(priority_all_equal(&w));
}

static void weights_and_values_at_their_limits_stay_finite(void **state)
{
	struct scene s = plain_scene();
	struct prio_result out;

	(void)state;
	for (int c = 0; c < PRIO_COMPONENT_COUNT; c++)
		s.policy.weights.component[c] = 1e12;
	for (int f = 0; f < PRIO_FACTOR_COUNT; f++)
		s.policy.weights.factor[f] = 1e12;
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		s.creds.priority[type] = 1e12;
	s.creds.qt_weight = s.creds.xf_weight = 1e12;
	s.creds.qt_target_s = 1;
	s.creds.xf_target = 1.001;
	s.job.tasks = s.job.nodes = UINT32_MAX;
	s.job.mem_mb = s.job.swap_mb = s.job.disk_mb = INT64_MAX;
	s.job.wall_limit_s = INT64_C(1) << 40;
	s.job.accrual_s = 0;
	out = weighed(&s);
	assert_true(isfinite(out.sum));
	assert_int_equal(out.rank, 1000000000);
	s.job.wall_limit_s = 1;
	s.world.xfactor_min_wall_s = 0;
	assert_true(isfinite(weighed(&s).sum));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(P_06_the_sum_is_bounded_and_marked_as_such),
		cmocka_unit_test(P_06_negative_priorities_are_kept_if_they_are_enabled),
		cmocka_unit_test(P_06_the_rank_is_truncated_toward_zero),
		cmocka_unit_test(the_most_negative_sum_still_has_a_rank),
		cmocka_unit_test(P_09_an_absolute_priority_is_above_every_computed_one),
		cmocka_unit_test(P_09_a_relative_priority_is_added_after_the_bounds),
		cmocka_unit_test(P_05_by_default_the_minutes_waited_are_the_priority),
		cmocka_unit_test(the_rank_equals_that_of_the_breakdown),
		cmocka_unit_test(the_breakdown_adds_up),
		cmocka_unit_test(a_breakdown_has_no_negative_zero),
		cmocka_unit_test(only_weights_that_count_make_a_difference),
		cmocka_unit_test(weights_and_values_at_their_limits_stay_finite),
	};

	return cmocka_run_group_tests_name("priority", tests, NULL, NULL);
}
