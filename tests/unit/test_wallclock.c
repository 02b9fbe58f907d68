/* SPDX-License-Identifier: MIT */
/*
 * test_wallclock.c - are moments shown and understood by the clock of the place?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <time.h>

#include "sched/base/duration.h"
#include "sched/core/job.h"
#include "tui/wallclock.h"

#define PAGE_S   INT64_C(1300978931) /* 2011-03-24 15:02:11 UTC                     */
#define SPRING_S INT64_C(1301187600) /* 2011-03-27 01:00 UTC: clocks go from 2 to 3 */

/* Central Europe, by its rules: no table of zones is needed. */
static int in_europe(void **state)
{
	(void)state;
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	return 0;
}

static void moments_are_shown_by_the_clock_of_the_place(void **state)
{
	char text[MOMENT_TEXT];

	(void)state;
	assert_string_equal(moment_long(text, wallclock(PAGE_S)), "Thu Mar 24 16:02:11");
	assert_string_equal(moment_long(text, wallclock(SPRING_S - 1)), "Sun Mar 27 01:59:59");
	assert_string_equal(moment_long(text, wallclock(SPRING_S)), "Sun Mar 27 03:00:00");
	assert_true(wallclock(TIME_NEVER) == TIME_NEVER);
	assert_true(wallclock(TIME_NONE) == TIME_NONE);
}

static void check_read(const char *text, int64_t expected_s)
{
	struct err err;
	int64_t got_s;

	assert_true(wallclock_parse(text, PAGE_S, &got_s, &err));
	assert_true(got_s == expected_s);
}

static void what_people_write_is_read_by_it(void **state)
{
	(void)state;
	check_read("16:30", PAGE_S + 27 * 60 + 49);
	check_read("16:00", PAGE_S + 86400 - 131);
	check_read("2011-03-24T16:02:11", PAGE_S);
	check_read("2011-03-27T01:59:59", SPRING_S - 1);
	check_read("2011-03-27T03:00", SPRING_S);
	check_read("2011-07-01T12:00", INT64_C(1309514400));
	check_read("+2:00:00", PAGE_S + 7200);
	check_read("1300978931", PAGE_S);
}

static void what_is_no_time_is_refused(void **state)
{
	struct err err;
	int64_t s = 5;

	(void)state;
	assert_false(wallclock_parse("noon", PAGE_S, &s, &err));
	assert_non_null(err.text[0] ? err.text : NULL);
	assert_int_equal(s, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments_are_shown_by_the_clock_of_the_place),
		cmocka_unit_test(what_people_write_is_read_by_it),
		cmocka_unit_test(what_is_no_time_is_refused),
	};

	return cmocka_run_group_tests_name("wallclock", tests, in_europe, NULL);
}
