/* SPDX-License-Identifier: MIT */
/*
 * test_option_scan.c - rejection of invalid configurations with line, name and remedy
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/option_scan.h"
#include "tests/option_rows.h"

static struct err err;

/* Returns the error message for the text; "" if it is accepted. */
static const char *scan_error(const char *text)
{
	struct option_scan scan;
	bool good;

	err.text[0] = '\0';
	good = option_scan(option_rows, OPTION_ROWS, "f", text, strlen(text), &scan, &err);
	option_scan_free(&scan);
	return good ? "" : err.text;
}

static void positions_are_recorded_in_file_order(void **state)
{
	static const char text[] = "weight = 1\n"
				   "user a { priority = 2\n maxjob = {\"1\",\n 2} }\n"
				   "system { }\n"
				   "depth = 3 user b { priority = 4 }";
	static const struct option_mark expected[] = {
		{NULL, 0, 0, 1}, {NULL, 1, 0, 2}, {NULL, 1, 0, 3}, {NULL, 1, 1, 4},
		{NULL, 2, 0, 5}, {NULL, 0, 0, 6}, {NULL, 3, 0, 6},
	};
	static const char *const name[] = {"weight", "priority", "maxjob",  "maxjob",
					   NULL,     "depth",    "priority"};
	struct option_scan scan;

	(void)state;
	assert_true(option_scan(option_rows, OPTION_ROWS, "f", text, strlen(text), &scan, &err));
	assert_int_equal(scan.section_count, 4);
	assert_int_equal(scan.section[3].nth, 1);
	assert_int_equal(scan.mark_count, 7);
	for (size_t i = 0; i < 7; i++) {
		assert_int_equal(scan.mark[i].section, expected[i].section);
		assert_int_equal(scan.mark[i].element, expected[i].element);
		assert_int_equal(scan.mark[i].line, expected[i].line);
		if (name[i])
			assert_string_equal(scan.mark[i].row->name, name[i]);
		else
			assert_null(scan.mark[i].row);
	}
	option_scan_free(&scan);
}

static void names_and_kinds_are_read_in_any_case(void **state)
{
	(void)state;
	assert_string_equal(scan_error("WEIGHT = 1 User Eva { Priority = 2 } SYSTEM { MaxLoad = 1 }"), "");
}

static void unknown_name_suggests_the_nearest(void **state)
{
	(void)state;
	assert_string_equal(scan_error("weigth = 1"),
			    "f:1: there is no option or section weigth; did you mean weight?");
	assert_string_equal(scan_error("\nusr eva { }"),
			    "f:2: there is no option or section usr; did you mean user?");
	assert_string_equal(scan_error("sistem { }"),
			    "f:1: there is no option or section sistem; did you mean system?");
	assert_string_equal(scan_error("user eva { prority = 1 }"),
			    "f:1: there is no option prority in user; did you mean priority?");
	assert_string_equal(scan_error("nonsense = 1"), "f:1: there is no option or section nonsense");
	assert_string_equal(scan_error("user eva {\n nonsense = 1 }"),
			    "f:2: there is no option nonsense in user");
}

static void misplaced_name_suggests_the_right_section(void **state)
{
	(void)state;
	assert_string_equal(scan_error("priority = 1"), "f:1: priority is only allowed in a section user");
	assert_string_equal(scan_error("qos hi { maxjob = 1 }"),
			    "f:1: maxjob is only allowed in a section user");
	assert_string_equal(
		scan_error("user eva {\n priority = 1\n\nweight = 1"),
		"f:4: weight is not allowed in the section user of line 1; is a } missing before it?");
	assert_string_equal(scan_error("user eva {\n\nuser bob { }"),
			    "f:3: user begins inside the section user of line 1; is a } missing before it?");
}

static void unclosed_section_is_reported_at_its_start(void **state)
{
	(void)state;
	assert_string_equal(scan_error("\nuser eva {\n priority = 1\n\n"),
			    "f:2: the section user that begins here has no closing }");
	assert_string_equal(scan_error("user eva {"),
			    "f:1: the section user that begins here has no closing }");
}

static void duplicates_are_rejected_with_both_lines(void **state)
{
	(void)state;
	assert_string_equal(scan_error("weight = 1\n\nWeight = 1"),
			    "f:3: weight is set twice, here and in line 1");
	assert_string_equal(scan_error("weight = 1\nuser a { priority = 1 }\nweight = 2"),
			    "f:3: weight is set twice, here and in line 1");
	assert_string_equal(scan_error("user a {\n priority = 1\n maxjob = 1\n priority = 1 }"),
			    "f:4: priority is set twice, here and in line 2");
	assert_string_equal(scan_error("user john { }\nuser eva { }\nuser \"John\" { }"),
			    "f:3: user John is defined twice, here and in line 1");
	assert_string_equal(scan_error("system { }\nsystem { }"),
			    "f:2: system is defined twice, here and in line 1");
	assert_string_equal(
		scan_error("user a { priority = 1 } user b { priority = 1 } qos a { priority = 1 }"), "");
}

static void incomplete_assignment_is_rejected(void **state)
{
	(void)state;
	assert_string_equal(scan_error("weight 1"),
			    "f:1: expected = after the name of an option, found \"1\"");
	assert_string_equal(scan_error("weight =\n"),
			    "f:2: expected a value for weight, found the end of the file");
	assert_string_equal(scan_error("weight = = 1"), "f:1: expected a value for weight, found \"=\"");
	assert_string_equal(scan_error("= 1"), "f:1: expected the name of an option, found \"=\"");
	assert_string_equal(scan_error("\"weight\" = 1"),
			    "f:1: expected the name of an option, found \"weight\"");
	assert_string_equal(scan_error("}"), "f:1: expected the name of an option, found \"}\"");
	assert_string_equal(scan_error("title = bold green"),
			    "f:1: there is no option or section green; quote a value of several words");
}

static void empty_lists_are_rejected(void **state)
{
	(void)state;
	assert_string_equal(scan_error("hosts = {a, \"b\", c}"), "");
	assert_string_equal(scan_error("hosts = a"), "");
	assert_string_equal(scan_error("hosts = {}"), "f:1: expected a value for hosts, found \"}\"");
	assert_string_equal(scan_error("hosts = {a,}"), "f:1: expected a value for hosts, found \"}\"");
	assert_string_equal(scan_error("hosts = {a b}"), "f:1: expected , or } in the list, found \"b\"");
	assert_string_equal(scan_error("hosts = {a"),
			    "f:1: expected , or } in the list, found the end of the file");
	assert_string_equal(scan_error("hosts = {{a}}"), "f:1: expected a value for hosts, found \"{\"");
	assert_string_equal(scan_error("weight = {1}"), "f:1: weight takes one value, not a list");
}

static void sections_need_a_title_unless_unique(void **state)
{
	(void)state;
	assert_string_equal(scan_error("user { }"), "f:1: expected the name of a section, found \"{\"");
	assert_string_equal(scan_error("user \"\" { }"), "f:1: expected the name of a section, found \"\"");
	assert_string_equal(scan_error("user \"a\\\\b\" { }"),
			    "f:1: the name of a section must not contain \\");
	assert_string_equal(scan_error("user a b { }"),
			    "f:1: expected { at the beginning of a section, found \"b\"");
	assert_string_equal(scan_error("user = a"), "f:1: expected the name of a section, found \"=\"");
	assert_string_equal(scan_error("system a { }"),
			    "f:1: expected { at the beginning of a section, found \"a\"");
	assert_string_equal(scan_error("user \"J\xc3\xbcrgen M.\" { }"), "");
}

static void very_long_name_is_unknown(void **state)
{
	char text[3000];

	(void)state;
	memset(text, 'w', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_non_null(strstr(scan_error(text), "f:1: there is no option or section www"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(positions_are_recorded_in_file_order),
		cmocka_unit_test(names_and_kinds_are_read_in_any_case),
		cmocka_unit_test(unknown_name_suggests_the_nearest),
		cmocka_unit_test(misplaced_name_suggests_the_right_section),
		cmocka_unit_test(unclosed_section_is_reported_at_its_start),
		cmocka_unit_test(duplicates_are_rejected_with_both_lines),
		cmocka_unit_test(incomplete_assignment_is_rejected),
		cmocka_unit_test(empty_lists_are_rejected),
		cmocka_unit_test(sections_need_a_title_unless_unique),
		cmocka_unit_test(very_long_name_is_unknown),
	};

	return cmocka_run_group_tests_name("option_scan", tests, NULL, NULL);
}
