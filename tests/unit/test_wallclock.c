/* SPDX-License-Identifier: MIT */
/*
 * test_wallclock.c - display and parsing of times in local time
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <time.h>

#include "sched/base/duration.h"
#include "sched/model/job.h"
#include "sched/rm/wallclock.h"

#define PAGE_S   INT64_C(1300978931) /* 2011-03-24 15:02:11 UTC                     */
#define SPRING_S INT64_C(1301187600) /* 2011-03-27 01:00 UTC: clocks go from 2 to 3 */

/* Central European Time as a POSIX rule, which needs no time zone database. */
static int in_europe(void **state)
{
	(void)state;
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	return 0;
}

static void times_are_displayed_in_local_time(void **state)
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

static void times_are_parsed_in_local_time(void **state)
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

/* --- around a change of the clock ------------------------------------------------------------------- */

static int64_t read_from(const char *zone, int64_t now_s, const char *text)
{
	struct err err;
	int64_t got_s;

	setenv("TZ", zone, 1);
	tzset();
	assert_true(wallclock_parse(text, now_s, &got_s, &err));
	in_europe(NULL);
	return got_s;
}

static int64_t read_last(const char *zone, int64_t now_s, const char *text)
{
	struct err err;
	int64_t got_s;

	setenv("TZ", zone, 1);
	tzset();
	assert_true(wallclock_last(text, now_s, &got_s, &err));
	in_europe(NULL);
	return got_s;
}

/* Changes of the clock, at which an hour is skipped or repeated. */
static const struct change {
	const char *zone;
	int64_t at_s;              /* UTC */
	int64_t by_s;              /* seconds by which the clock is set forward */
	const char *within, *date; /* the middle of the skipped or repeated time, without and with its date */
} changes[] = {
	{"CET-1CEST,M3.5.0,M10.5.0/3", 1774746000, 3600, "02:30", "2026-03-29T02:30"},
	{"CET-1CEST,M3.5.0,M10.5.0/3", 1792890000, -3600, "02:30", "2026-10-25T02:30"},
	{"EST5EDT,M3.2.0,M11.1.0", 1772953200, 3600, "02:30", "2026-03-08T02:30"},
	{"EST5EDT,M3.2.0,M11.1.0", 1793512800, -3600, "01:30", "2026-11-01T01:30"},
	{"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 1775314800, -1800, "01:45", "2026-04-05T01:45"},
	{"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 1791041400, 1800, "02:15", "2026-10-04T02:15"},
	/* at midnight: the first hour of the day is skipped, or the last one is repeated */
	{"<-04>4<-03>,M9.1.0/0,M4.1.0/0", 1788667200, 3600, "00:30", "2026-09-06T00:30"},
	{"<-04>4<-03>,M9.1.0/0,M4.1.0/0", 1775358000, -3600, "23:30", "2026-04-04T23:30"},
};

static void a_skipped_time_is_read_by_the_clock_before_the_change(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		const struct change *c = &changes[i];

		if (c->by_s < 0)
			continue;
		assert_int_equal(read_from(c->zone, c->at_s - 600, c->date), c->at_s + c->by_s / 2);
		assert_int_equal(read_from(c->zone, c->at_s - 600, c->within), c->at_s + c->by_s / 2);
		assert_int_equal(read_last(c->zone, c->at_s + 86400, c->date), c->at_s + c->by_s / 2);
	}
}

static void of_a_repeated_hour_the_one_not_yet_over_is_meant(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		const struct change *c = &changes[i];
		int64_t first_s = c->at_s + c->by_s / 2, second_s = c->at_s - c->by_s / 2;

		if (c->by_s > 0)
			continue;
		assert_int_equal(read_from(c->zone, c->at_s - 7200, c->date), first_s);
		assert_int_equal(read_from(c->zone, c->at_s - 7200, c->within), first_s);
		assert_int_equal(read_from(c->zone, first_s + 1, c->date), second_s);
		assert_int_equal(read_from(c->zone, first_s + 1, c->within), second_s);
		assert_int_equal(read_from(c->zone, second_s + 1, c->within), second_s + 86400);
		assert_int_equal(read_last(c->zone, second_s - 1, c->within), first_s);
		assert_int_equal(read_last(c->zone, second_s - 1, c->date), first_s);
		assert_int_equal(read_last(c->zone, c->at_s + 36000, c->within), second_s);
	}
}

/* From 30 hours before each change to 30 hours after it; the expected time is found minute by minute. */
static void next_and_last_times_are_the_nearest_around_a_change(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
		for (int64_t away_s = -30 * 3600; away_s <= 30 * 3600; away_s += 1800 + 60) {
			const struct change *c = &changes[i];
			int64_t now_s = c->at_s + away_s, ahead_s = now_s + 60, back_s = now_s - 60;
			char text[MOMENT_TEXT];
			int64_t shown_s;

			setenv("TZ", c->zone, 1);
			tzset();
			shown_s = wallclock(now_s) + 1800 * (away_s % 3);
			moment_iso(text, shown_s);
			while (wallclock(ahead_s) % 86400 != shown_s % 86400 && ahead_s < now_s + 90000)
				ahead_s += 60;
			while (wallclock(back_s) % 86400 != shown_s % 86400 && back_s > now_s - 90000)
				back_s -= 60;
			if (wallclock(now_s) % 86400 == shown_s % 86400)
				ahead_s = back_s = now_s;
			if (ahead_s < now_s + 90000)
				assert_int_equal(read_from(c->zone, now_s, text + 11), ahead_s);
			if (back_s > now_s - 90000)
				assert_int_equal(read_last(c->zone, now_s, text + 11), back_s);
		}
}

static void since_a_time_of_day_means_its_last_occurrence(void **state)
{
	struct err err;
	int64_t got_s;

	(void)state;
	assert_true(wallclock_since("15:00", PAGE_S, &got_s, &err));
	assert_int_equal(got_s, PAGE_S - 3600 - 131);
	assert_true(wallclock_since("16:30", PAGE_S, &got_s, &err));
	assert_int_equal(got_s, PAGE_S + 27 * 60 + 49 - 86400);
	assert_true(wallclock_since("2h", PAGE_S, &got_s, &err));
	assert_int_equal(got_s, PAGE_S - 7200);
	assert_true(wallclock_since("1:00:00:00", PAGE_S, &got_s, &err));
	assert_int_equal(got_s, PAGE_S - 86400);
	assert_true(wallclock_since("600", PAGE_S, &got_s, &err));
	assert_int_equal(got_s, PAGE_S - 600);
	assert_false(wallclock_since("noon", PAGE_S, &got_s, &err));
}

static void wallclock_moment_inverts_wallclock(void **state)
{
	(void)state;
	for (int64_t at_s = SPRING_S - 90000; at_s < SPRING_S + 90000; at_s += 450)
		assert_int_equal(wallclock_moment(wallclock(at_s)), at_s);
	assert_int_equal(wallclock_moment(SPRING_S + 3600 + 1800), SPRING_S + 1800);
}

static void an_invalid_time_is_refused(void **state)
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
		cmocka_unit_test(times_are_displayed_in_local_time),
		cmocka_unit_test(times_are_parsed_in_local_time),
		cmocka_unit_test(a_skipped_time_is_read_by_the_clock_before_the_change),
		cmocka_unit_test(of_a_repeated_hour_the_one_not_yet_over_is_meant),
		cmocka_unit_test(next_and_last_times_are_the_nearest_around_a_change),
		cmocka_unit_test(since_a_time_of_day_means_its_last_occurrence),
		cmocka_unit_test(wallclock_moment_inverts_wallclock),
		cmocka_unit_test(an_invalid_time_is_refused),
	};

	return cmocka_run_group_tests_name("wallclock", tests, in_europe, NULL);
}
