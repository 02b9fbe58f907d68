/* SPDX-License-Identifier: MIT */
/*
 * test_maui_text.c - common syntax of Maui's traces
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/trace/maui_text.h"

static struct span span_of(const char *text)
{
	return (struct span){text, text + strlen(text)};
}

static void a_trace_begins_with_its_version_or_a_record(void **state)
{
	static const struct {
		const char *text;
		bool begins;
	} row[] = {
		{"VERSION 230\n", true},
		{"\xef\xbb\xbfVERSION 310", true},
		{"# a comment\n\n  VERSION 230\nSP02\n", true},
		{"; VERSION: 2.2\n", false},
		{"1 2 3 4\nVERSION 230\n", false},
		{"VERSION\n", false},
		{"VERSION two\n", false},
		{"COMPUTENODE AVAILABLE 0 n001 0 1 1 1 4\n", true},
		{"a 0 2 amy g 600 Completed [b:1] 10 10 10 70 - - - >= 0 >= 0\n", true},
		{"a 0 2 amy g 600 Completed [b:1] 10 10 10 70\n", false},
		{"1 0 2 3 4 600 7 8 9 10 11 12 13 14 15 16 17 18 19\n", false},
		{"", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
		assert_int_equal(maui_begins(row[i].text, strlen(row[i].text)), row[i].begins);
}

static void check_names(const char *text, bool counted, const char *names)
{
	struct arena arena = {0};
	const char *found = maui_names(&arena, span_of(text), counted);

	if (names == NULL)
		assert_null(found);
	else
		assert_string_equal(found, names);
	arena_free(&arena);
}

static void lists_are_split_into_names(void **state)
{
	(void)state;
	check_names("[batch:4][fast:2]", true, "batch fast");
	check_names("[batch]", true, "batch");
	check_names("[s950][compute]", false, "s950 compute");
	check_names("n001:n002", false, "n001 n002");
	check_names("n001,n002", false, "n001 n002");
	check_names("n003", false, "n003");
	check_names("[NONE]", false, NULL);
	check_names("[]", false, NULL);
	check_names(":::", true, NULL);
	check_names("", false, NULL);
}

static void a_list_is_written_in_brackets(void **state)
{
	struct str out = {0};

	(void)state;
	maui_add_list(&out, "batch fast", ":4");
	assert_string_equal(str_text(&out), "[batch:4][fast:4]");
	str_clear(&out);
	maui_add_list(&out, NULL, "");
	assert_string_equal(str_text(&out), "[NONE]");
	str_free(&out);
}

static void names_are_short_and_without_control_characters(void **state)
{
	(void)state;
	assert_true(maui_is_name(span_of("SP02.2343.0")));
	assert_true(
		maui_is_name(span_of("0123456789012345678901234567890123456789012345678901234567890123")));
	assert_false(
		maui_is_name(span_of("01234567890123456789012345678901234567890123456789012345678901234")));
	assert_false(maui_is_name(span_of("a\x1b[1m")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trace_begins_with_its_version_or_a_record),
		cmocka_unit_test(lists_are_split_into_names),
		cmocka_unit_test(a_list_is_written_in_brackets),
		cmocka_unit_test(names_are_short_and_without_control_characters),
	};

	return cmocka_run_group_tests_name("maui_text", tests, NULL, NULL);
}
