/* SPDX-License-Identifier: MIT */
/* test_profile.c - free processors over time (compared with an array in tests/property/profile.c) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/job.h"
#include "sched/placement/profile.h"

static struct profile *profile_of_ten(void)
{
	struct profile *p = profile_new();

	profile_reset(p, 100, 10);
	return p;
}

static void an_empty_profile_is_constant(void **state)
{
	struct profile *p = profile_of_ten();

	(void)state;
	assert_int_equal(profile_earliest(p, 100, 10, 1000), 100);
	assert_int_equal(profile_earliest(p, 555, 10, 1000), 555);
	assert_true(profile_earliest(p, 100, 11, 1) == TIME_NEVER);
	assert_int_equal(profile_least(p, 100, TIME_NEVER), 10);
	assert_true(profile_next(p, 100) == TIME_NEVER);
	assert_int_equal(profile_steps(p), 1);
	profile_free(p);
}

static void processors_taken_are_missing_until_the_end(void **state)
{
	struct profile *p = profile_of_ten();

	(void)state;
	profile_take(p, 150, 200, 7);
	assert_int_equal(profile_least(p, 100, 150), 10);
	assert_int_equal(profile_least(p, 100, 151), 3);
	assert_int_equal(profile_least(p, 199, 300), 3);
	assert_int_equal(profile_least(p, 200, 300), 10);
	assert_int_equal(profile_first_below(p, 100, 300, 4), 150);
	assert_int_equal(profile_first_below(p, 160, 300, 4), 160);
	assert_true(profile_first_below(p, 100, 150, 4) == TIME_NEVER);
	assert_true(profile_first_below(p, 100, 300, 3) == TIME_NEVER);
	assert_int_equal(profile_next(p, 100), 150);
	assert_int_equal(profile_next(p, 150), 200);
	assert_true(profile_next(p, 200) == TIME_NEVER);
	profile_free(p);
}

static void a_gap_must_hold_for_the_whole_duration(void **state)
{
	struct profile *p = profile_of_ten();

	(void)state;
	profile_take(p, 150, 200, 7);
	assert_int_equal(profile_earliest(p, 100, 4, 50), 100);
	assert_int_equal(profile_earliest(p, 100, 4, 51), 200);
	assert_int_equal(profile_earliest(p, 120, 4, 30), 120);
	assert_int_equal(profile_earliest(p, 121, 4, 30), 200);
	assert_int_equal(profile_earliest(p, 100, 3, 1000), 100);
	profile_free(p);
}

static void processors_given_back_are_free_again(void **state)
{
	struct profile *p = profile_of_ten();

	(void)state;
	profile_take(p, 150, 200, 7);
	profile_take(p, 150, 200, -7);
	assert_int_equal(profile_least(p, 100, TIME_NEVER), 10);
	assert_int_equal(profile_earliest(p, 100, 10, 1000), 100);
	profile_free(p);
}

static void processors_taken_indefinitely_stay_taken(void **state)
{
	struct profile *p = profile_of_ten();

	(void)state;
	profile_take(p, 150, TIME_NEVER, 7);
	assert_int_equal(profile_least(p, 1000000, TIME_NEVER), 3);
	assert_true(profile_earliest(p, 100, 4, 51) == TIME_NEVER);
	profile_free(p);
}

static void taking_no_processors_or_no_time_changes_nothing(void **state)
{
	struct profile *p = profile_of_ten();

	(void)state;
	profile_take(p, 150, 150, 7);
	profile_take(p, 150, 200, 0);
	assert_int_equal(profile_steps(p), 1);
	profile_free(p);
}

static void notes_may_be_added_in_any_order(void **state)
{
	struct profile *p = profile_new();

	(void)state;
	profile_reset(p, 0, 1);
	for (int i = 300; i >= 1; i--)
		profile_note(p, 10 + i, 1);
	profile_note(p, 10, 2);
	profile_note(p, 10, 1);
	assert_true(profile_settle(p));
	assert_int_equal(profile_steps(p), 302);
	assert_int_equal(profile_least(p, 0, 10), 1);
	assert_int_equal(profile_least(p, 10, 11), 4);
	assert_int_equal(profile_earliest(p, 0, 304, 5), 310);
	assert_int_equal(profile_earliest(p, 0, 100, 5), 106);
	profile_free(p);
}

static void settle_fails_if_notes_take_more_than_is_free(void **state)
{
	struct profile *p = profile_of_ten();

	(void)state;
	profile_note(p, 150, -8);
	profile_note(p, 160, -3);
	profile_note(p, 161, 11);
	assert_false(profile_settle(p));
	profile_reset(p, 100, 10);
	profile_note(p, 150, -8);
	profile_note(p, 160, -3);
	profile_note(p, 160, 8);
	assert_true(profile_settle(p));
	profile_free(p);
}

static void profile_earlier_ignores_claims_that_begin_at_until(void **state)
{
	struct profile *p = profile_of_ten();

	(void)state;
	profile_take(p, 100, 150, 8);
	profile_take(p, 200, 300, 5); /* the claim of the job itself */
	profile_take(p, 200, 400, 5);
	assert_int_equal(profile_earlier(p, 100, 200, 5, 100), 150);
	assert_int_equal(profile_earlier(p, 160, 200, 5, 100), 160);
	assert_true(profile_earliest(p, 100, 5, 100) == 300);
	assert_true(profile_earlier(p, 100, 150, 5, 100) == TIME_NEVER);
	assert_true(profile_earlier(p, 200, 200, 5, 100) == TIME_NEVER);
	assert_true(profile_earlier(p, 100, 200, 11, 1) == TIME_NEVER);
	profile_free(p);
}

static void a_used_profile_can_be_reset(void **state)
{
	struct profile *p = profile_of_ten();

	(void)state;
	for (int i = 0; i < 500; i++)
		profile_take(p, 100 + i, 101 + i, i % 10);
	profile_reset(p, 7, 2);
	assert_int_equal(profile_steps(p), 1);
	assert_int_equal(profile_earliest(p, 7, 2, 1000), 7);
	assert_true(profile_earliest(p, 7, 3, 1) == TIME_NEVER);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_profile_is_constant),
		cmocka_unit_test(processors_taken_are_missing_until_the_end),
		cmocka_unit_test(a_gap_must_hold_for_the_whole_duration),
		cmocka_unit_test(processors_given_back_are_free_again),
		cmocka_unit_test(processors_taken_indefinitely_stay_taken),
		cmocka_unit_test(taking_no_processors_or_no_time_changes_nothing),
		cmocka_unit_test(notes_may_be_added_in_any_order),
		cmocka_unit_test(settle_fails_if_notes_take_more_than_is_free),
		cmocka_unit_test(profile_earlier_ignores_claims_that_begin_at_until),
		cmocka_unit_test(a_used_profile_can_be_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
