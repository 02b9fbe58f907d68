/* SPDX-License-Identifier: MIT */
/*
 * test_fsfile.c - unit tests of fairshare files in the formats of the guide and of Maui
 *
 * Tests with an ID (F_20) use exactly the numbers of that requirement.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/trace/fsfile.h"

#define FILE_NAME "FS.966621600" /* Fri Aug 18 18:00:00 2000 UTC */

static const char sample[] =
	"# Fairshare Data File (Duration: 172800 Seconds) Starting: Fri Aug 18 18:00:00\n"
	"User A 150000.000\n"
	"User B 150000.000\n"
	"User C 200000.000\n"
	"User D 100000.000\n"
	"Group A 350000.000\n"
	"Group B 250000.000\n"
	"Account A 300000.000\n"
	"Account B 200000.000\n"
	"Account C 100000.000\n"
	"QOS 0 50000.000\n"
	"QOS 1 450000.000\n"
	"QOS 2 100000.000\n"
	"TOTAL 600000.00\n";

static struct fsfile read_good(const char *text)
{
	struct fsfile f;
	struct err err = {""};

	if (!fsfile_read(FILE_NAME, text, strlen(text), &f, &err))
		fail_msg("%s", err.text);
	return f;
}

static void expect_refused(const char *text, const char *error)
{
	struct fsfile f;
	struct err err = {""};

	assert_false(fsfile_read(FILE_NAME, text, strlen(text), &f, &err));
	assert_string_equal(err.text, error);
	assert_null(f.use);
	assert_null(f.text);
	assert_int_equal(f.count, 0);
}

static int64_t amount_of(const struct fsfile *f, enum cred_type type, const char *name)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->use[i].type == type && strcmp(f->use[i].name, name) == 0)
			return f->use[i].amount;
	return -1;
}

static int64_t sum_of(const struct fsfile *f, enum cred_type type)
{
	int64_t sum = 0;

	for (size_t i = 0; i < f->count; i++)
		sum += f->use[i].type == type ? f->use[i].amount : 0;
	return sum;
}

static void F_20_the_sample_file_is_read(void **state)
{
	struct fsfile f = read_good(sample);

	(void)state;
	assert_int_equal(f.count, 12);
	assert_int_equal(amount_of(&f, CRED_USER, "A"), 150000000);
	assert_int_equal(amount_of(&f, CRED_USER, "D"), 100000000);
	assert_int_equal(amount_of(&f, CRED_GROUP, "A"), 350000000);
	assert_int_equal(amount_of(&f, CRED_ACCOUNT, "C"), 100000000);
	assert_int_equal(amount_of(&f, CRED_QOS, "1"), 450000000);
	assert_int_equal(f.total, 600000000);
	assert_int_equal(f.use[4].line, 6);
	fsfile_clear(&f);
}

static void F_21_the_sums_of_the_sample_are_its_total(void **state)
{
	struct fsfile f = read_good(sample);

	(void)state;
	for (int type = CRED_USER; type <= CRED_QOS; type++)
		assert_int_equal(sum_of(&f, (enum cred_type)type), f.total);
	assert_int_equal(sum_of(&f, CRED_CLASS), 0);
	fsfile_clear(&f);
}

static void F_18_header_contains_the_window_length(void **state)
{
	struct fsfile f = read_good(sample);

	(void)state;
	assert_int_equal(f.length_s, 172800);
	fsfile_clear(&f);
	f = read_good("# FS\nTOTAL 0\n");
	assert_int_equal(f.length_s, 0);
	fsfile_clear(&f);
}

static void F_19_file_round_trips_exactly(void **state)
{
	struct fsfile f = read_good(sample);
	struct str text = {0};

	(void)state;
	fsfile_write(&f, &text);
	assert_string_equal(str_text(&text), sample);
	str_free(&text);
	fsfile_clear(&f);
}

static void F_17_name_contains_the_start_of_the_window(void **state)
{
	static const char *const others[] = {
		"FS.", "FS.12a", "FS.-5", "fs.12", "xFS.12", "FS.999999999999999", "a/FS", ""};
	struct fsfile f = read_good(sample);
	int64_t s = 7;

	(void)state;
	assert_int_equal(f.begin_s, 966621600);
	fsfile_clear(&f);
	assert_true(fsfile_epoch("/var/spool/stats/FS.0", &s));
	assert_int_equal(s, 0);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		assert_false(fsfile_epoch(others[i], &s));
	assert_int_equal(s, 0);
}

static void a_file_with_another_name_is_refused(void **state)
{
	struct fsfile f;
	struct err err;

	(void)state;
	assert_false(fsfile_read("usage.txt", sample, sizeof sample - 1, &f, &err));
	assert_string_equal(err.text, "usage.txt: the file must be named FS.<epoch>, where <epoch> is the "
				      "start of the window in seconds since 1970");
}

static void format_of_maui_is_read(void **state)
{
	struct fsfile f = read_good("# FS\n"
				    "user                   amy    60000.000\n"
				    "acct                  phys    80000.5\n"
				    "qos                     hi    40000\n"
				    "  class\tfast     5000.000  \r\n"
				    "group                staff    0.000\n"
				    "\n"
				    "TOTAL DEFAULT 80000.000000");

	(void)state;
	assert_int_equal(f.count, 5);
	assert_int_equal(amount_of(&f, CRED_USER, "amy"), 60000000);
	assert_int_equal(amount_of(&f, CRED_ACCOUNT, "phys"), 80000500);
	assert_int_equal(amount_of(&f, CRED_QOS, "hi"), 40000000);
	assert_int_equal(amount_of(&f, CRED_CLASS, "fast"), 5000000);
	assert_int_equal(amount_of(&f, CRED_GROUP, "staff"), 0);
	assert_int_equal(f.total, 80000000);
	fsfile_clear(&f);
}

static void a_fourth_decimal_rounds(void **state)
{
	struct fsfile f = read_good("user a 0.0004999\nuser b 0.0005\nuser c 1.9995\nTOTAL 0.001\n");

	(void)state;
	assert_int_equal(amount_of(&f, CRED_USER, "a"), 0);
	assert_int_equal(amount_of(&f, CRED_USER, "b"), 1);
	assert_int_equal(amount_of(&f, CRED_USER, "c"), 2000);
	assert_int_equal(f.total, 1);
	fsfile_clear(&f);
}

static void thousandths_survive_writing(void **state)
{
	struct fs_use use[] = {{.name = "fast", .type = CRED_CLASS, .amount = 5},
			       {.name = "two\x7fwords\n", .type = CRED_USER, .amount = 1234567}};
	struct fsfile f = {.use = use, .count = 2, .begin_s = 0, .length_s = 60, .total = 1234567};
	struct str text = {0};

	(void)state;
	fsfile_write(&f, &text);
	assert_string_equal(str_text(&text),
			    "# Fairshare Data File (Duration: 60 Seconds) Starting: Thu Jan  1 00:00:00\n"
			    "User two_words_ 1234.567\n"
			    "Class fast 0.005\n"
			    "TOTAL 1234.567\n");
	str_free(&text);
}

static void errors_name_file_and_line(void **state)
{
	(void)state;
	expect_refused("TOTAL 1\nuser bob\n", FILE_NAME ":2: 'user' requires a name and an amount");
	expect_refused("user bob 1 2\nTOTAL 1\n", FILE_NAME ":1: 'user' requires a name and an amount");
	expect_refused("user bob 1\npartition p 1\nTOTAL 1\n", FILE_NAME
		       ":2: a line must begin with User, Group, Account, QOS, Class or TOTAL, not with "
		       "'partition'");
	expect_refused("TOTAL\n", FILE_NAME ":1: TOTAL requires one amount");
	expect_refused("TOTAL DEFAULT 1 2\n", FILE_NAME ":1: TOTAL requires one amount");
	expect_refused("TOTAL 1\n\nTOTAL 1\n", FILE_NAME ":3: TOTAL is already on line 1");
	expect_refused("user bob 1\nTOTAL 3\nuser bob 2\n", FILE_NAME ":3: user bob is already on line 1");
	expect_refused("# (Duration: 0 Seconds)\nTOTAL 3\n",
		       FILE_NAME ":1: the window's duration is not a number of seconds from 1 to 316224000");
	expect_refused("# (Duration: 316224001 Seconds)\nTOTAL 3\n",
		       FILE_NAME ":1: the window's duration is not a number of seconds from 1 to 316224000");
	expect_refused("# (Duration: x Seconds)\nTOTAL 3\n",
		       FILE_NAME ":1: the window's duration is not a number of seconds from 1 to 316224000");
	expect_refused("user a 1\nuser b 1\nuser a 1\nuser b 1\nTOTAL 3\n",
		       FILE_NAME ":3: user a is already on line 1");
}

static void the_longest_window_is_read(void **state)
{
	struct fsfile f = read_good("# (Duration: 316224000 Seconds)\nTOTAL 3\n");

	(void)state;
	assert_int_equal(f.length_s, 316224000);
	fsfile_clear(&f);
	f = read_good("# (Duration: 1 Seconds)\nTOTAL 3\n");
	assert_int_equal(f.length_s, 1);
	fsfile_clear(&f);
}

static void amounts_are_plain_nonnegative_numbers(void **state)
{
	static const char *const bad[] = {"-1",
					  "abc",
					  "1e6",
					  ".5",
					  "1,5",
					  "0x10",
					  "+1",
					  "1.5.5",
					  "nan",
					  "1000000000000000.001",
					  "99999999999999999999999"};
	char text[100];
	char error[200];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(text, sizeof text, "user bob %s\nTOTAL 3\n", bad[i]);
		snprintf(error, sizeof error,
			 FILE_NAME ":1: '%s' is not an amount of processor-seconds such as 20000.000",
			 bad[i]);
		expect_refused(text, error);
	}
}

static void truncated_file_is_rejected(void **state)
{
	(void)state;
	expect_refused("user bob 10.000\n", FILE_NAME ": the file is incomplete: it has no TOTAL line");
	expect_refused("", FILE_NAME ": the file is incomplete: it has no TOTAL line");
}

static void binary_data_is_rejected(void **state)
{
	struct fsfile f;
	struct err err;

	(void)state;
	assert_false(fsfile_read(FILE_NAME, "TOTAL\0 1", 8, &f, &err));
	assert_string_equal(err.text, FILE_NAME ": this is not text: it contains a NUL byte");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(F_20_the_sample_file_is_read),
		cmocka_unit_test(F_21_the_sums_of_the_sample_are_its_total),
		cmocka_unit_test(F_18_header_contains_the_window_length),
		cmocka_unit_test(F_19_file_round_trips_exactly),
		cmocka_unit_test(F_17_name_contains_the_start_of_the_window),
		cmocka_unit_test(a_file_with_another_name_is_refused),
		cmocka_unit_test(format_of_maui_is_read),
		cmocka_unit_test(a_fourth_decimal_rounds),
		cmocka_unit_test(thousandths_survive_writing),
		cmocka_unit_test(errors_name_file_and_line),
		cmocka_unit_test(the_longest_window_is_read),
		cmocka_unit_test(amounts_are_plain_nonnegative_numbers),
		cmocka_unit_test(truncated_file_is_rejected),
		cmocka_unit_test(binary_data_is_rejected),
	};

	return cmocka_run_group_tests_name("fsfile", tests, NULL, NULL);
}
