/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_clock.c - tests of the clock that a job's time limit is measured with
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "sched/rm/shepherd_inside.h"

#define THOUSAND_YEARS_S INT64_C(31622400000) /* of 366 days */

static void the_limit_counts_from_the_start(void **state)
{
	struct run_clock c;

	(void)state;
	clock_start(&c, 60, 5000);
	assert_int_equal(clock_ran_ms(&c, 5000), 0);
	assert_int_equal(clock_ran_ms(&c, 5250), 250);
	assert_int_equal(clock_moment(&c, 0), 65000);
	assert_int_equal(clock_moment(&c, 10), 55000); /* when 10 s are left */
	clock_set_limit(&c, 90);
	assert_int_equal(clock_moment(&c, 0), 95000);
}

static void while_suspended_no_time_passes(void **state)
{
	struct run_clock c;

	(void)state;
	clock_start(&c, 60, 5000);
	clock_stop(&c, 7000);
	assert_int_equal(clock_ran_ms(&c, 50000), 2000);
	assert_true(clock_moment(&c, 0) == INT64_MAX);
	clock_go_on(&c, 100000);
	assert_int_equal(clock_ran_ms(&c, 101000), 3000);
	assert_int_equal(clock_moment(&c, 0), 158000);
	clock_stop(&c, 103000);
	clock_go_on(&c, 104000);
	assert_int_equal(clock_ran_ms(&c, 104000), 5000);
	assert_int_equal(clock_moment(&c, 0), 159000);
}

static void times_are_at_most_a_thousand_years(void **state)
{
	(void)state;
	assert_int_equal(clock_ms(0), 0);
	assert_int_equal(clock_ms(30), 30000);
	assert_true(clock_ms(THOUSAND_YEARS_S - 1) == (THOUSAND_YEARS_S - 1) * 1000);
	assert_true(clock_ms(THOUSAND_YEARS_S + 1) == THOUSAND_YEARS_S * 1000);
	assert_true(clock_ms(INT64_MAX) == THOUSAND_YEARS_S * 1000);
}

static void it_counts_while_the_machine_sleeps(void **state)
{
	struct timespec before, after;
	int64_t at_ms;

	(void)state;
	clock_gettime(CLOCK_BOOTTIME, &before);
	at_ms = now_ms();
	clock_gettime(CLOCK_BOOTTIME, &after);
	assert_true(at_ms >= before.tv_sec * 1000 + before.tv_nsec / 1000000);
	assert_true(at_ms <= after.tv_sec * 1000 + after.tv_nsec / 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_limit_counts_from_the_start),
		cmocka_unit_test(while_suspended_no_time_passes),
		cmocka_unit_test(times_are_at_most_a_thousand_years),
		cmocka_unit_test(it_counts_while_the_machine_sleeps),
	};

	return cmocka_run_group_tests_name("shepherd_clock", tests, NULL, NULL);
}
