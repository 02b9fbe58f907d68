/* SPDX-License-Identifier: MIT */
/*
 * test_maui_cfg_line.c - parsing of the lines of a maui.cfg
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/trace/maui_cfg_line.h"

/* `expected` lists each line as "NUMBER NAME|INDEX|VALUE", "NUMBER <INCLUDED", or "NUMBER !ERROR". */
static void check_lines(const char *text, const char *expected)
{
	size_t len = strlen(text);
	char *copy = memcpy(mem_alloc(len + 1), text, len);
	struct import_reader reader = {.at = copy, .end = copy + len, .number = 1};
	struct import_line line;
	struct str out = {0};

	while (import_line_next(&reader, &line)) {
		if (line.wrong)
			str_addf(&out, "%d !%s\n", line.number, line.wrong);
		else if (line.included)
			str_addf(&out, "%d <%s\n", line.number, line.included);
		else
			str_addf(&out, "%d %s|%s|%s\n", line.number, line.name, line.index, line.value);
	}
	assert_string_equal(str_text(&out), expected);
	str_free(&out);
	str_free(&reader.text);
	free(copy);
}

/* `expected` lists each attribute as "NAME|SECOND|VALUE", or "!ERROR". */
static void check_attributes(const char *value, const char *expected)
{
	char *copy = mem_string(value), *rest = copy;
	struct import_attribute a;
	struct str out = {0};

	while (import_attribute_next(&rest, &a)) {
		if (a.wrong)
			str_addf(&out, "!%s\n", a.wrong);
		else
			str_addf(&out, "%s|%s|%s\n", a.name, a.second, a.value);
	}
	assert_string_equal(str_text(&out), expected);
	str_free(&out);
	free(copy);
}

static void a_line_is_a_name_and_a_value(void **state)
{
	(void)state;
	check_lines("A 1\n\tB  2 3 \nC=4\nD = 5\r\nE 6", "1 A||1\n2 B||2 3\n3 C||4\n4 D||5\n5 E||6\n");
	check_lines("", "");
	check_lines("\n \n\t\n", "");
}

static void a_name_may_have_an_index(void **state)
{
	(void)state;
	check_lines("A[x] 1\nA[ y ] 2\nA[]3\nUSERCFG[a b] C=[d]\n",
		    "1 A|x|1\n2 A|y|2\n3 A||3\n4 USERCFG|a b|C=[d]\n");
}

static void a_comment_may_begin_anywhere(void **state)
{
	(void)state;
	check_lines("# A 1\nB 2 # 3\nC '4#5'\n#", "2 B||2\n3 C||'4\n");
}

static void a_backslash_joins_lines(void **state)
{
	(void)state;
	check_lines("A 1 \\\n 2 \\ \t\n\n3\nB 4\\5\n# x \\\nC 6\\", "1 A||1  2  3\n5 B||4 5\n7 C||6\n");
}

static void another_file_may_be_included(void **state)
{
	(void)state;
	check_lines("#INCLUDE a/b.cfg\n#include\tc\n#INCLUDED d\nA 1 #INCLUDE e\n#INCLUDE \n",
		    "1 <a/b.cfg\n2 <c\n4 A||1\n");
}

static void invalid_lines_are_reported(void **state)
{
	(void)state;
	check_lines("A\nB[x 1\n[x] 1\nC \xff\nD[x]\n",
		    "1 !there is no value\n2 !the bracket [ is not closed by ]\n"
		    "3 !the name of a parameter is missing\n4 !it contains bytes that are not UTF-8\n"
		    "5 !there is no value\n");
}

static void control_bytes_are_blanks(void **state)
{
	(void)state;
	check_lines("A\x01"
		    "1\x7f"
		    "2\n",
		    "1 A||1 2\n");
}

static void attributes_are_separated_by_blanks(void **state)
{
	(void)state;
	check_attributes("A=1  B[x]=2,3\tC[USER:s]=4 D==5", "A||1\nB|x|2,3\nC|USER:s|4\nD||=5\n");
	check_attributes("  ", "");
}

static void quoted_values_may_contain_blanks(void **state)
{
	(void)state;
	check_attributes("F='A + \"B' G=\"-C * 2\"D H=''x", "F||A + \"B\nG||-C * 2D\nH||x\n");
}

static void invalid_attributes_are_reported(void **state)
{
	(void)state;
	check_attributes("A B= C[x=1 =2 D[x]3=4 E='5",
			 "!= and a value are missing\n!there is no value\n"
			 "!the bracket [ is not closed by ]\n!the name of an attribute is missing\n"
			 "!= is missing after the bracket\n!the quote is not closed\n");
}

static void words_are_split_at_separators(void **state)
{
	char text[] = "::a:b;;c:";
	char *rest = text;

	(void)state;
	assert_string_equal(import_word(&rest, ":;"), "a");
	assert_string_equal(import_word(&rest, ":;"), "b");
	assert_string_equal(import_word(&rest, ":;"), "c");
	assert_null(import_word(&rest, ":;"));
	assert_null(import_word(&rest, ":;"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_a_name_and_a_value),
		cmocka_unit_test(a_name_may_have_an_index),
		cmocka_unit_test(a_comment_may_begin_anywhere),
		cmocka_unit_test(a_backslash_joins_lines),
		cmocka_unit_test(another_file_may_be_included),
		cmocka_unit_test(invalid_lines_are_reported),
		cmocka_unit_test(control_bytes_are_blanks),
		cmocka_unit_test(attributes_are_separated_by_blanks),
		cmocka_unit_test(quoted_values_may_contain_blanks),
		cmocka_unit_test(invalid_attributes_are_reported),
		cmocka_unit_test(words_are_split_at_separators),
	};

	return cmocka_run_group_tests_name("maui_cfg_line", tests, NULL, NULL);
}
