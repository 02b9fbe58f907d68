/* SPDX-License-Identifier: MIT */
/*
 * test_json.c - JSON writer: output is always valid JSON
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sched/base/json.h"
#include "sched/base/str.h"

/* Output of the tests; the teardown frees it even if an assertion failed. */
static struct str out;
static struct json j;

static int begin(void **state)
{
	(void)state;
	str_clear(&out);
	j = (struct json){.out = &out};
	return 0;
}

static int end(void **state)
{
	(void)state;
	str_free(&out);
	return 0;
}

static void objects_and_arrays_nest(void **state)
{
	(void)state;
	json_open(&j, NULL, '{');
	json_int(&j, "jobs", 3);
	json_open(&j, "active", '[');
	json_open(&j, NULL, '{');
	json_close(&j);
	json_int(&j, NULL, -1);
	json_open(&j, NULL, '[');
	json_close(&j);
	json_close(&j);
	json_bool(&j, "full", true);
	json_close(&j);
	assert_string_equal(str_text(&out), "{\"jobs\":3,\"active\":[{},-1,[]],\"full\":true}");
	assert_int_equal(j.depth, 0);
}

static void every_kind_of_value_is_written(void **state)
{
	(void)state;
	json_open(&j, NULL, '[');
	json_int(&j, NULL, INT64_MIN);
	json_real(&j, NULL, 0.1);
	json_real(&j, NULL, 1e300);
	json_bool(&j, NULL, false);
	json_null(&j, NULL);
	json_text(&j, NULL, "x");
	json_text(&j, NULL, NULL);
	json_close(&j);
	assert_string_equal(str_text(&out), "[-9223372036854775808,0.1,1e+300,false,null,\"x\",null]");
}

static void nan_and_infinity_become_null(void **state)
{
	(void)state;
	json_open(&j, NULL, '[');
	json_real(&j, NULL, NAN);
	json_real(&j, NULL, INFINITY);
	json_real(&j, NULL, -INFINITY);
	json_int_or_null(&j, NULL, -1, -1);
	json_int_or_null(&j, NULL, 0, -1);
	json_close(&j);
	assert_string_equal(str_text(&out), "[null,null,null,null,0]");
}

static void texts_and_keys_are_escaped(void **state)
{
	(void)state;
	json_open(&j, NULL, '{');
	json_text(&j, "a\"b", "\\ \n\t\r\b\f\x01\x1f\x7f /");
	json_close(&j);
	assert_string_equal(str_text(&out), "{\"a\\\"b\":\"\\\\ \\n\\t\\r\\b\\f\\u0001\\u001f\\u007f /\"}");
}

static void terminal_controls_are_escaped(void **state)
{
	(void)state;
	json_text(&j, NULL,
		  "a\x7f\xc2\x9b"
		  "b\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x81\xa9\xe2\x80\xac"
		  "c\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa6");
	assert_string_equal(str_text(&out), "\"a\\u007f\\u009bb\\u202e\\u2066\\u061c\\u2069\\u202cc\xc3\xa4"
					    "\xe2\x82\xac\xf0\x9f\x90\xa6\"");
}

/* U+0080 to U+009F, U+061C, U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F and U+E0000 to U+E00FF are
 * escaped; adjacent characters are not. */
static void only_hidden_characters_are_escaped(void **state)
{
	(void)state;
	json_text(&j, NULL,
		  "\xc2\x80\xc2\x9f\xc2\xa0"
		  "\xd8\x9b\xd8\x9c\xd8\x9d"
		  "\xe2\x80\x8a\xe2\x80\x8b\xe2\x80\x8f\xe2\x80\x90"
		  "\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf"
		  "\xe2\x81\x9f\xe2\x81\xa0\xe2\x81\xaf\xe2\x81\xb0"
		  "\xf3\xa0\x81\x81\xf3\xa0\x84\x80\xe2\x80\xac");
	assert_string_equal(str_text(&out), "\"\\u0080\\u009f\xc2\xa0"
					    "\xd8\x9b\\u061c\xd8\x9d"
					    "\xe2\x80\x8a\\u200b\\u200f\xe2\x80\x90"
					    "\xe2\x80\xa7\\u2028\\u202e\xe2\x80\xaf"
					    "\xe2\x81\x9f\\u2060\\u206f\xe2\x81\xb0"
					    "\\udb40\\udc41\xf3\xa0\x84\x80\\u202c\"");
}

static void raw_json_loses_its_trailing_newline(void **state)
{
	(void)state;
	json_open(&j, NULL, '[');
	json_raw(&j, NULL, "{\"a\": 1} \n \n");
	json_raw(&j, NULL, "2");
	json_raw(&j, NULL, " \n");
	json_close(&j);
	assert_string_equal(str_text(&out), "[{\"a\": 1},2,]");
}

static void invalid_utf8_is_replaced(void **state)
{
	(void)state;
	json_text(&j, NULL, "\xc3\xbc\xff\xe2\x82");
	assert_string_equal(str_text(&out), "\"\xc3\xbc\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void maximum_nesting_is_closed(void **state)
{
	(void)state;
	for (int i = 0; i < JSON_DEPTH_MAX; i++)
		json_open(&j, NULL, '[');
	while (j.depth)
		json_close(&j);
	assert_int_equal(out.len, 2 * JSON_DEPTH_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(objects_and_arrays_nest, begin, end),
		cmocka_unit_test_setup_teardown(every_kind_of_value_is_written, begin, end),
		cmocka_unit_test_setup_teardown(nan_and_infinity_become_null, begin, end),
		cmocka_unit_test_setup_teardown(texts_and_keys_are_escaped, begin, end),
		cmocka_unit_test_setup_teardown(terminal_controls_are_escaped, begin, end),
		cmocka_unit_test_setup_teardown(only_hidden_characters_are_escaped, begin, end),
		cmocka_unit_test_setup_teardown(raw_json_loses_its_trailing_newline, begin, end),
		cmocka_unit_test_setup_teardown(invalid_utf8_is_replaced, begin, end),
		cmocka_unit_test_setup_teardown(maximum_nesting_is_closed, begin, end),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
