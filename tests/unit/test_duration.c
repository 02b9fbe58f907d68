/* SPDX-License-Identifier: MIT */
/*
 * test_duration.c - parsing and formatting of durations, times and memory sizes
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/duration.h"
#include "tests/seed.h"

#define HOUR        ((int64_t)3600)
#define DAY         (24 * HOUR)
#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

struct reading {
	const char *text;
	int64_t value;
};

static void durations_are_parsed(void **state)
{
	static const struct reading row[] = {
		{"0", 0},
		{"90", 90},
		{"007", 7},
		{"0:00", 0},
		{"1:30", 90},
		{"99:00", 99 * 60},
		{"2:00:00", 2 * HOUR},
		{"100:59:59", 100 * HOUR + 3599},
		{"1:12:00:00", DAY + 12 * HOUR},
		{"01:00:00:01", DAY + 1},
		{"90s", 90},
		{"15m", 900},
		{"2h", 2 * HOUR},
		{"3d", 3 * DAY},
		{"3D", 3 * DAY},
		{"2H", 2 * HOUR},
		{"3660d", DURATION_MAX_S},
		{"3660:00:00:00", DURATION_MAX_S},
		{"316224000", DURATION_MAX_S},
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		int64_t s = -1;

		assert_true(duration_parse(row[i].text, &s, &err));
		assert_true(s == row[i].value);
	}
}

static void invalid_durations_are_rejected(void **state)
{
	static const char *const bad[] = {
		"",
		" ",
		"5x",
		"-1",
		"+1",
		"1:-2",
		"1:2:3:4:5",
		":",
		"1:",
		":1",
		"1::2",
		" 1",
		"1 ",
		"1.5",
		"1.5h",
		"2h30m",
		"1:60",
		"1:99",
		"1:60:00",
		"1:24:00:00",
		"1:001",
		"s",
		"hh",
		"1:30s",
		"0x10",
		"1e3",
		"316224001",
		"3661d",
		"3660:00:00:01",
		"9223372036854775807",
		"9223372036854775808",
		"99999999999999999999:00:00",
		"9999999999999d",
		"99999999999999d",
		"9999999999999:00:00:00",
		"infinity",
		"1\n",
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		int64_t s = 77;

		assert_false(duration_parse(bad[i], &s, &err));
		assert_true(s == 77);
		assert_non_null(strstr(err.text, "is not a duration"));
	}
	duration_parse("5x", &(int64_t){0}, &err);
	assert_non_null(strstr(err.text, "\"5x\""));
	assert_false(duration_parse("5x", &(int64_t){0}, NULL));
}

static void durations_are_formatted_in_full(void **state)
{
	static const struct reading row[] = {
		{"0:00:00", 0},
		{"0:04:23", 263},
		{"2:00:00", 2 * HOUR},
		{"23:59:59", DAY - 1},
		{"1:12:00:00", DAY + 12 * HOUR},
		{"-0:00:05", -5},
		{"106751991167300:15:30:07", INT64_MAX},
		{"-106751991167300:15:30:08", INT64_MIN},
	};
	char buf[DURATION_TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++)
		assert_string_equal(duration_text(buf, row[i].value), row[i].text);
}

static void durations_are_formatted_short(void **state)
{
	static const struct reading row[] = {
		{"0s", 0},
		{"45s", 45},
		{"12m", 12 * 60 + 59},
		{"1:00h", HOUR},
		{"6:13h", 6 * HOUR + 13 * 60},
		{"23:59h", DAY - 1},
		{"2d04h", 2 * DAY + 4 * HOUR},
		{"99d23h", 100 * DAY - 1},
		{"100d", 100 * DAY},
		{"3660d", DURATION_MAX_S},
		{"99999d", INT64_MAX},
		{"-45s", -45},
		{"-99d23h", -100 * DAY + 1},
		{"-99999d", INT64_MIN},
	};
	char buf[DURATION_TEXT];

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		assert_string_equal(duration_short(buf, row[i].value), row[i].text);
		assert_true(strlen(buf) <= 7);
	}
}

static void durations_round_trip(void **state)
{
	struct rng rng = seeded("durations_round_trip");
	char buf[DURATION_TEXT];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t s = (int64_t)rng_below(&rng, (uint64_t)DURATION_MAX_S + 1);
		int64_t parsed = -1;

		assert_true(duration_parse(duration_text(buf, s), &parsed, NULL));
		assert_true(parsed == s);
		assert_true(strlen(duration_short(buf, s)) <= 7);
	}
}

static void memory_sizes_are_parsed(void **state)
{
	static const struct reading row[] = {
		{"512", 512},     {"512mb", 512}, {"4gb", 4096}, {"4GB", 4096},
		{"1tb", 1048576}, {"0", 0},       {"08", 8},     {"1048576tb", MEMORY_MAX_MB}};
	static const char *const bad[] = {
		"", "gb", "4 gb", "-4", "4g", "1.5gb", "4gbb", "1048577tb", "99999999999999999999"};

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		int64_t mb = -1;

		assert_true(memory_parse(row[i].text, &mb, NULL));
		assert_true(mb == row[i].value);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err err;
		int64_t mb = 77;

		assert_false(memory_parse(bad[i], &mb, &err));
		assert_true(mb == 77);
		assert_non_null(strstr(err.text, "is not a memory size"));
	}
}

/* 2026-03-24T16:02:11, a Tuesday */
#define NOW INT64_C(1774368131)

static void moments_are_parsed(void **state)
{
	static const struct reading row[] = {
		{"16:02:11", NOW},
		{"16:02:12", NOW + 1},
		{"16:30", NOW + 27 * 60 + 49},
		{"16:02", NOW - 11 + DAY},
		{"0:00", NOW - 16 * HOUR - 131 + DAY},
		{"9:05", NOW - 16 * HOUR - 131 + DAY + 9 * HOUR + 300},
		{"2026-03-24T16:02:11", NOW},
		{"2026-03-24T16:02", NOW - 11},
		{"1970-01-01T00:00", 0},
		{"2000-02-29T00:00:00", 951782400},
		{"2024-02-29T12:00", 1709208000},
		{"9999-12-31T23:59:59", MOMENT_MAX_S},
		{"+2:00:00", NOW + 2 * HOUR},
		{"+90s", NOW + 90},
		{"1774368131", NOW},
		{"0", 0},
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < COUNT(row); i++) {
		int64_t s = -1;

		assert_true(moment_parse(row[i].text, NOW, &s, &err));
		assert_true(s == row[i].value);
	}
}

static void invalid_moments_are_rejected(void **state)
{
	static const char *const bad[] = {
		"",
		" ",
		"24:00",
		"16:60",
		"16:00:60",
		"16:5",
		"16:005",
		"16:30 ",
		"-5",
		"+",
		"+-5",
		"+5x",
		"2025-02-29T00:00",
		"2100-02-29T00:00",
		"2026-04-31T00:00",
		"2026-13-01T00:00",
		"2026-00-01T00:00",
		"2026-01-00T00:00",
		"1969-12-31T23:59",
		"10000-01-01T00:00",
		"2026-3-24T16:30",
		"2026-03-24",
		"2026-03-24T",
		"2026-03-24 16:30",
		"2026-03-24T24:00",
		"2026-03-24T16:30Z",
		"253402300800",
		"99999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct err err = {""};
		int64_t s = 77;

		assert_false(moment_parse(bad[i], NOW, &s, &err));
		assert_true(s == 77);
		assert_non_null(strstr(err.text, "is not a time"));
	}
}

static void moment_after_the_last_year_is_rejected(void **state)
{
	int64_t s = 77;

	(void)state;
	assert_false(moment_parse("+1", MOMENT_MAX_S, &s, NULL));
	assert_false(moment_parse("00:00", MOMENT_MAX_S, &s, NULL));
	assert_true(moment_parse("23:59:59", MOMENT_MAX_S, &s, NULL));
	assert_true(s == MOMENT_MAX_S);
}

static void moments_are_formatted(void **state)
{
	char buf[MOMENT_TEXT];

	(void)state;
	assert_string_equal(moment_iso(buf, NOW), "2026-03-24T16:02:11");
	assert_string_equal(moment_iso(buf, 0), "1970-01-01T00:00:00");
	assert_string_equal(moment_iso(buf, -1), "1969-12-31T23:59:59");
	assert_string_equal(moment_iso(buf, INT64_MAX), "292277026596-12-04T15:30:07");
	assert_string_equal(moment_iso(buf, INT64_MIN), "-292277022657-01-27T08:29:52");
	assert_string_equal(moment_long(buf, NOW), "Tue Mar 24 16:02:11");
	assert_string_equal(moment_long(buf, 3 * DAY), "Sun Jan  4 00:00:00");
	assert_string_equal(moment_long(buf, -1), "Wed Dec 31 23:59:59");
	assert_string_equal(moment_short(buf, NOW, NOW - 16 * HOUR), "16:02:11");
	assert_string_equal(moment_short(buf, NOW, NOW - DAY), "Mar24 16:02");
	assert_string_equal(moment_short(buf, 3 * DAY, NOW), "Jan04 00:00");
}

static void moments_round_trip(void **state)
{
	struct rng rng = seeded("moments_round_trip");
	char buf[MOMENT_TEXT];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t s = (int64_t)rng_below(&rng, (uint64_t)MOMENT_MAX_S + 1);
		int64_t parsed = -1;

		assert_true(moment_parse(moment_iso(buf, s), NOW, &parsed, NULL));
		assert_true(parsed == s);
	}
}

static bool is_leap(int64_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Compares every representable day with an independent calendar. */
static void calendar_days_are_consecutive(void **state)
{
	static const int days_in[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	char expected[64];
	char buf[MOMENT_TEXT];
	int64_t s = 0;

	(void)state;
	for (int year = 1970; year <= 9999; year++)
		for (int month = 1; month <= 12; month++)
			for (int day = 1; day <= days_in[month - 1] + (month == 2 && is_leap(year)); day++) {
				if (day == 1 || day >= 28) {
					snprintf(expected, sizeof expected, "%04d-%02d-%02dT00:00:00", year,
						 month, day);
					assert_string_equal(moment_iso(buf, s), expected);
				}
				s += DAY;
			}
	assert_true(s == MOMENT_MAX_S + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_are_parsed),
		cmocka_unit_test(invalid_durations_are_rejected),
		cmocka_unit_test(durations_are_formatted_in_full),
		cmocka_unit_test(durations_are_formatted_short),
		cmocka_unit_test(durations_round_trip),
		cmocka_unit_test(memory_sizes_are_parsed),
		cmocka_unit_test(moments_are_parsed),
		cmocka_unit_test(invalid_moments_are_rejected),
		cmocka_unit_test(moment_after_the_last_year_is_rejected),
		cmocka_unit_test(moments_are_formatted),
		cmocka_unit_test(moments_round_trip),
		cmocka_unit_test(calendar_days_are_consecutive),
	};

	return cmocka_run_group_tests_name("duration", tests, NULL, NULL);
}
