/* SPDX-License-Identifier: MIT */
/*
 * test_policy.c - names of the priority factors and the default policy
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/model/policy.h"

static void every_factor_has_names(void **state)
{
	(void)state;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		const struct prio_factor_info *info = policy_factor_info(f);

		assert_true(info->name[0] != '\0' && info->keyword[0] != '\0');
		assert_in_range(strlen(info->column), 1, 6);
		assert_non_null(info->unit);
		assert_int_equal(info->help[strlen(info->help) - 1], '.');
		assert_true(info->component < PRIO_COMPONENT_COUNT);
	}
}

static void no_two_factors_share_a_name(void **state)
{
	(void)state;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		for (enum prio_factor g = 0; g < f; g++) {
			const struct prio_factor_info *a = policy_factor_info(f), *b = policy_factor_info(g);

			assert_string_not_equal(a->name, b->name);
			assert_string_not_equal(a->keyword, b->keyword);
			assert_string_not_equal(a->column, b->column);
		}
}

static void P_02_factors_are_in_the_order_of_their_six_components(void **state)
{
	static const unsigned size[PRIO_COMPONENT_COUNT] = {5, 5, 8, 3, 2, 4};
	unsigned f = 0;

	(void)state;
	for (unsigned c = 0; c < PRIO_COMPONENT_COUNT; c++)
		for (unsigned i = 0; i < size[c]; i++)
			assert_int_equal(policy_factor_info(f++)->component, c);
	assert_int_equal(f, PRIO_FACTOR_COUNT);
}

static void component_names_are_those_of_the_reports(void **state)
{
	(void)state;
	assert_string_equal(policy_component_name(PRIO_CRED), "cred");
	assert_string_equal(policy_component_name(PRIO_SERV), "serv");
	assert_string_equal(policy_component_name(PRIO_USAGE), "usage");
}

static void P_05_only_queue_time_counts_by_default(void **state)
{
	struct prio_weights w;

	(void)state;
	prio_weights_default(&w);
	for (unsigned c = 0; c < PRIO_COMPONENT_COUNT; c++) {
		assert_true(w.component[c] == 1);
		assert_true(w.component_cap[c] == 0);
	}
	for (unsigned f = 0; f < PRIO_FACTOR_COUNT; f++) {
		assert_true(w.factor[f] == (f == PRIO_SERV_QUEUETIME));
		assert_true(w.factor_cap[f] == 0);
	}
}

static void the_default_policy_is_that_of_mauis_guide(void **state)
{
	struct policy policy;

	(void)state;
	policy_default(&policy);
	assert_false(policy.allow_negative);
	assert_false(policy.reject_negative);
	assert_int_equal(policy.accrual, ACCRUAL_QUEUE);
	assert_int_equal(policy.backfill, BACKFILL_FIRSTFIT);
	assert_int_equal(policy.reservation, RESERVE_CURRENTHIGHEST);
	assert_int_equal(policy.reservation_depth[0], 1);
	assert_int_equal(policy.xfactor_min_wall_s, 120);
	assert_int_equal(policy.default_wall_s, 3600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_factor_has_names),
		cmocka_unit_test(no_two_factors_share_a_name),
		cmocka_unit_test(P_02_factors_are_in_the_order_of_their_six_components),
		cmocka_unit_test(component_names_are_those_of_the_reports),
		cmocka_unit_test(P_05_only_queue_time_counts_by_default),
		cmocka_unit_test(the_default_policy_is_that_of_mauis_guide),
	};

	return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
