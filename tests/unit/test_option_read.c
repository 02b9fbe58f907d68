/* SPDX-License-Identifier: MIT */
/*
 * test_option_read.c - reading of option values and messages about invalid ones
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/option.h"
#include "sched/base/str.h"
#include "tests/option_rows.h"

static const struct option *find_row(const char *scope, const char *name)
{
	const struct option *found = option_find(option_rows, OPTION_ROWS, scope, name);

	assert_non_null(found);
	return found;
}

static void option_find_ignores_case_and_mark(void **state)
{
	(void)state;
	assert_ptr_equal(find_row("", "WEIGHT"), &option_rows[0]);
	assert_ptr_equal(find_row("system", "maxload"), find_row("!System", "MaxLoad"));
	assert_ptr_not_equal(find_row("user", "priority"), find_row("qos", "priority"));
	assert_null(option_find(option_rows, OPTION_ROWS, "", "priority"));
	assert_null(option_find(option_rows, OPTION_ROWS, "nobody", "priority"));
}

static void nearest_name_is_searched_in_its_scope(void **state)
{
	(void)state;
	assert_string_equal(option_nearest(option_rows, OPTION_ROWS, "", "wieght"), "weight");
	assert_string_equal(option_nearest(option_rows, OPTION_ROWS, "", "systen"), "system");
	assert_string_equal(option_nearest(option_rows, OPTION_ROWS, "system", "maxloat"), "maxload");
	assert_null(option_nearest(option_rows, OPTION_ROWS, "user", "wieght"));
	assert_null(option_nearest(option_rows, 0, "", "weight"));
}

static void whole_values_are_read_by_type(void **state)
{
	static const struct {
		const char *name, *text;
		int64_t value;
	} good[] = {
		{"depth", "0", 0},
		{"depth", "010", 10},
		{"depth", "100", 100},
		{"anycount", "-5", -5},
		{"interval", "1:00", 60},
		{"interval", "240:00:00", 864000},
		{"grace", "3660d", 316224000},
		{"spare", "512", 512},
		{"spare", "1TB", 1048576},
		{"strict", "TRUE", 1},
		{"strict", "yes", 1},
		{"strict", "on", 1},
		{"strict", "false", 0},
		{"strict", "No", 0},
		{"strict", "off", 0},
		{"policy", "firstfit", 0},
		{"policy", "NONE", 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct option_value value;

		assert_true(option_read(find_row("", good[i].name), good[i].text, &value, NULL));
		assert_true(value.whole == good[i].value);
		assert_true(value.number == (double)good[i].value);
		assert_string_equal(value.text, good[i].text);
	}
}

static void real_values_and_texts_are_read(void **state)
{
	struct option_value value;

	(void)state;
	assert_true(option_read(find_row("", "weight"), "-.5", &value, NULL));
	assert_true(value.number == -0.5);
	assert_true(option_read(find_row("", "cap"), "1e300", &value, NULL));
	assert_true(option_read(find_row("user", "priority"), "-1e9", &value, NULL));
	assert_true(option_read(find_row("", "title"), "", &value, NULL));
	assert_string_equal(value.text, "");
	assert_true(option_read(find_row("", "hosts"), "n[01-04]", &value, NULL));
	assert_string_equal(value.text, "n[01-04]");
}

static void invalid_value_error_names_the_valid_range(void **state)
{
	static const struct {
		const char *name, *text, *sentence;
	} bad[] = {
		{"weight", "1001", "weight must be a number from -1000 to 1000 points, got \"1001\""},
		{"weight", "nan", "weight must be a number from -1000 to 1000 points, got \"nan\""},
		{"weight", "1,5", "weight must be a number from -1000 to 1000 points, got \"1,5\""},
		{"depth", "-1", "depth must be a whole number from 0 to 100, got \"-1\""},
		{"depth", "1.0", "depth must be a whole number from 0 to 100, got \"1.0\""},
		{"depth", "0x10", "depth must be a whole number from 0 to 100, got \"0x10\""},
		{"anycount", "", "anycount must be a whole number, got \"\""},
		{"cap", "-1", "cap must be a number of at least 0, got \"-1\""},
		{"cap", "inf", "cap must be a number of at least 0, got \"inf\""},
		{"interval", "0", "interval must be a duration from 0:00:01 to 10:00:00:00, got \"0\""},
		{"interval", "11d", "interval must be a duration from 0:00:01 to 10:00:00:00, got \"11d\""},
		{"grace", "5x", "grace must be a duration, such as 90s, 15m or 1:00:00, got \"5x\""},
		{"spare", "2tb", "spare must be a size from 0 to 1048576 MB, got \"2tb\""},
		{"strict", "maybe", "strict must be true or false, got \"maybe\""},
		{"policy", "worst", "policy must be firstfit, bestfit or none, got \"worst\""},
		{"policy", "", "policy must be firstfit, bestfit or none, got \"\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct option_value value = {.whole = 77};
		struct err err = {""};

		assert_false(option_read(find_row("", bad[i].name), bad[i].text, &value, &err));
		assert_string_equal(err.text, bad[i].sentence);
		assert_int_equal(value.whole, 77);
	}
}

static void choice_values_start_at_min(void **state)
{
	static const char *const colours[] = {"red", "green", NULL};
	static const struct option colour = {
		.scope = "", .name = "colour", .type = OPTION_CHOICE, .min = 3, .choices = colours};
	struct option_value value;

	(void)state;
	assert_true(option_read(&colour, "Green", &value, NULL));
	assert_int_equal(value.whole, 4);
	assert_true(value.number == 4);
	assert_false(option_read(&colour, "blue", &value, NULL));
}

static bool is_even(const struct option *option, const char *text, struct err *err)
{
	return strlen(text) % 2 == 0 || err_set(err, "%s wants an even number of letters", option->unit);
}

static void check_function_decides_which_texts_are_valid(void **state)
{
	static const struct option word = {.scope = "",
					   .name = "word",
					   .type = OPTION_LIST,
					   .unit = "everybody",
					   .check = is_even,
					   .legal = "words of even length"};
	struct option_value value = {.whole = 77};
	struct err err = {""};
	struct str out = {0};

	(void)state;
	assert_true(option_read(&word, "even", &value, &err));
	assert_string_equal(value.text, "even");
	value.whole = 77;
	assert_false(option_read(&word, "odd", &value, &err));
	assert_string_equal(err.text, "word = \"odd\": everybody wants an even number of letters");
	assert_int_equal(value.whole, 77);
	assert_false(option_read(&word, "odd", &value, NULL));
	option_print_legal(&word, &out);
	assert_string_equal(str_text(&out), "words of even length");
	str_free(&out);
}

static void range_without_lower_bound(void **state)
{
	static const struct option below = {
		.scope = "", .name = "x", .type = OPTION_REAL, .min = -INFINITY, .max = 5, .unit = "percent"};
	static const struct option memory = {.scope = "", .name = "x", .type = OPTION_MEMORY};
	struct str out = {0};

	(void)state;
	option_print_legal(&below, &out);
	assert_string_equal(str_text(&out), "a number of at most 5 percent");
	str_clear(&out);
	option_print_legal(&memory, &out);
	assert_string_equal(str_text(&out), "a size, such as 512mb or 4gb");
	str_free(&out);
}

static void defaults_are_printed_with_help(void **state)
{
	struct str out = {0};

	(void)state;
	option_print_defaults(option_rows, OPTION_ROWS, "user", &out);
	assert_string_equal(str_text(&out), "# More is earlier.\n"
					    "# a number\n"
					    "priority = 0\n\n"
					    "# A share, as in 25.0+.\n"
					    "# a text\n"
					    "# target =\n\n"
					    "# Limits.\n"
					    "# a list of texts\n"
					    "# maxjob =\n\n");
	str_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(option_find_ignores_case_and_mark),
		cmocka_unit_test(nearest_name_is_searched_in_its_scope),
		cmocka_unit_test(whole_values_are_read_by_type),
		cmocka_unit_test(real_values_and_texts_are_read),
		cmocka_unit_test(invalid_value_error_names_the_valid_range),
		cmocka_unit_test(choice_values_start_at_min),
		cmocka_unit_test(check_function_decides_which_texts_are_valid),
		cmocka_unit_test(range_without_lower_bound),
		cmocka_unit_test(defaults_are_printed_with_help),
	};

	return cmocka_run_group_tests_name("option_read", tests, NULL, NULL);
}
