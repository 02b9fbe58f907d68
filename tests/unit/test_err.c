/* SPDX-License-Identifier: MIT */
/* test_err.c - unit tests of error messages: prefixes, shortening, replacement of control characters */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/err.h"

static void err_set_writes_the_message_and_returns_false(void **state)
{
	struct err err;

	(void)state;
	assert_false(err_set(&err, "job %d: no node has %s", 12, "gpus"));
	assert_string_equal(err.text, "job 12: no node has gpus");
}

static void err_prefix_adds_context(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, "not a number");
	assert_false(err_prefix(&err, "kahu.conf:%d", 7));
	assert_string_equal(err.text, "kahu.conf:7: not a number");
}

static void err_may_be_null(void **state)
{
	(void)state;
	assert_false(err_set(NULL, "%d", 1));
	assert_false(err_prefix(NULL, "%d", 1));
}

static void control_characters_are_replaced(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, "no job \"%s\"", "\x1b[2J\n\x7f");
	assert_string_equal(err.text, "no job \"?[2J??\"");
}

static void invalid_utf8_is_replaced(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, "%s", "J\xc3\xbcrgen \xff\xc3#");
	assert_string_equal(err.text, "J\xc3\xbcrgen ??#");
}

/* U+0080 to U+009F, U+061C, U+2028 to U+202E, U+2060 to U+206F and U+E0041 are replaced; adjacent characters
 * are kept. */
static void hidden_characters_are_replaced(void **state)
{
	static const char *const shown[][2] = {
		{"\xc2\x80", "?"},
		{"\xc2\x9f", "?"},
		{"\xc2\xa0", "\xc2\xa0"},
		{"\xe2\x80\xa7", "\xe2\x80\xa7"},
		{"\xe2\x80\xa8", "?"},
		{"\xd8\x9c", "?"},
		{"\xf3\xa0\x81\x81", "?"},
		{"\xe2\x80\xaa\xe2\x80\xac", "??"},
		{"\xe2\x80\xae\xe2\x80\xac", "??"},
		{"\xe2\x80\xaf", "\xe2\x80\xaf"},
		{"\xe2\x81\x9f", "\xe2\x81\x9f"},
		{"\xe2\x81\xa6\xe2\x81\xa9", "??"},
		{"\xe2\x81\xa9", "?"},
		{"\xe2\x81\xb0", "\xe2\x81\xb0"},
		{"\xe2\x82\xae", "\xe2\x82\xae"},
		{"\xe3\x80\xae", "\xe3\x80\xae"},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
		err_set(&err, "%s", shown[i][0]);
		if (shown[i][1][0] == '?') /* one for each byte or for each character */
			assert_true(err.text[0] == '?' && strspn(err.text, "?") == strlen(err.text));
		else
			assert_string_equal(err.text, shown[i][1]);
	}
}

/* The reason of an error comes after the path. */
static void long_message_keeps_its_beginning_and_end(void **state)
{
	struct err err;
	char path[4096], small[256];

	(void)state;
	memset(path, 'x', sizeof path);
	path[sizeof path - 1] = '\0';
	err_set(&err, "its output %s cannot be used: %s", path, "No space left on device");
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
	assert_int_equal(strncmp(err.text, "its output xxx", 14), 0);
	assert_non_null(strstr(err.text, "xxx...xxx"));
	assert_non_null(strstr(err.text, "xxx cannot be used: No space left on device"));
	err_shorten(small, sizeof small, err.text);
	assert_int_equal(strlen(small), sizeof small - 1);
	assert_int_equal(strncmp(small, "its output xxx", 14), 0);
	assert_non_null(strstr(small, "xxx cannot be used: No space left on device"));
	err_shorten(small, sizeof small, "short");
	assert_string_equal(small, "short");
}

static void long_message_is_cut_between_characters(void **state)
{
	struct err err;
	char text[1200];

	(void)state;
	for (size_t shift = 0; shift < 2; shift++) {
		memset(text, 'x', sizeof text);
		for (size_t i = shift; i + 2 < sizeof text; i += 2)
			memcpy(text + i, "\xc3\xbc", 2);
		text[sizeof text - 1] = '\0';
		err_set(&err, "%s", text);
		assert_true(strlen(err.text) >= sizeof err.text - 2);
		assert_null(strchr(err.text, '?'));
	}
}

/* Of a message longer than LONGEST (err.c) only the beginning is examined. A character has at most four
 * bytes, so an invalid byte at least four bytes before the end cannot be a cut-off character. */
static void invalid_byte_near_the_end_of_a_very_long_message_is_replaced(void **state)
{
	struct err err;
	char text[9000];

	(void)state;
	for (size_t before_end = 1; before_end <= 5; before_end++) {
		memset(text, 'x', sizeof text);
		text[sizeof text - 1] = '\0';
		text[8704 - 1 - before_end] = '\xff';
		err_set(&err, "%s", text);
		assert_int_equal(strlen(err.text), sizeof err.text - 1);
		if (before_end < 4)
			assert_null(strchr(err.text, '?'));
		else
			assert_true(err.text[sizeof err.text - 1 - before_end] == '?');
	}
}

static void long_prefix_leaves_a_valid_message(void **state)
{
	struct err err;
	char text[600];

	(void)state;
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	err_set(&err, "why");
	err_prefix(&err, "%s", text);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(err_set_writes_the_message_and_returns_false),
		cmocka_unit_test(err_prefix_adds_context),
		cmocka_unit_test(err_may_be_null),
		cmocka_unit_test(control_characters_are_replaced),
		cmocka_unit_test(invalid_utf8_is_replaced),
		cmocka_unit_test(hidden_characters_are_replaced),
		cmocka_unit_test(long_message_keeps_its_beginning_and_end),
		cmocka_unit_test(long_message_is_cut_between_characters),
		cmocka_unit_test(invalid_byte_near_the_end_of_a_very_long_message_is_replaced),
		cmocka_unit_test(long_prefix_leaves_a_valid_message),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
