/* SPDX-License-Identifier: MIT */
/*
 * test_line.c - splitting of lines into words and numbers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/trace/line.h"

static struct span span_of(const char *text)
{
	return (struct span){text, text + strlen(text)};
}

static void lines_end_at_newlines_and_at_the_end(void **state)
{
	struct span text = span_of("one\n\nthree"), line;

	(void)state;
	assert_true(line_next(&text, &line));
	assert_true(span_is(line, "one"));
	assert_true(line_next(&text, &line));
	assert_true(span_is(line, ""));
	assert_true(line_next(&text, &line));
	assert_true(span_is(line, "three"));
	assert_false(line_next(&text, &line));
}

static void byte_order_mark_is_skipped(void **state)
{
	struct span text = span_of("\xef\xbb\xbfone"), line;

	(void)state;
	line_skip_mark(&text);
	assert_true(line_next(&text, &line));
	assert_true(span_is(line, "one"));
}

static void words_are_separated_by_any_blanks(void **state)
{
	struct span word[2];

	(void)state;
	assert_int_equal(line_words(span_of(" a\tbc  d \r"), word, 2), 3);
	assert_true(span_is(word[0], "a"));
	assert_true(span_is(word[1], "bc"));
	assert_int_equal(line_words(span_of(" \t"), word, 2), 0);
}

static void numbers_may_be_negative_and_decimals_are_truncated(void **state)
{
	static const struct {
		const char *text;
		enum scan scan;
		int64_t number;
	} row[] = {
		{"17", SCAN_OK, 17},
		{"-3 4", SCAN_OK, -3},
		{"678.08", SCAN_OK, 678},
		{"007", SCAN_OK, 7},
		{"9223372036854775807", SCAN_OK, INT64_MAX},
		{"9223372036854775808", SCAN_TOO_LARGE, 0},
		{"", SCAN_TEXT, 0},
		{"-", SCAN_TEXT, 0},
		{".", SCAN_TEXT, 0},
		{".5", SCAN_OK, 0},
		{"5.", SCAN_OK, 5},
		{"4x", SCAN_TEXT, 0},
		{"+4", SCAN_TEXT, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct span text = span_of(row[i].text);
		int64_t number = 0;

		assert_int_equal(line_number(&text, &number), row[i].scan);
		if (row[i].scan == SCAN_OK)
			assert_int_equal(number, row[i].number);
	}
}

static void the_first_ten_bad_lines_are_shown_and_all_are_counted(void **state)
{
	struct bad_lines bad = {0};

	(void)state;
	for (uint32_t i = 1; i <= 25; i++)
		bad_lines_note(&bad, i, "is odd", span_of("a\tb"));
	assert_int_equal(bad.count, 25);
	assert_int_equal(bad.shown_count, BAD_LINES_SHOWN);
	assert_int_equal(bad.shown[9].line, 10);
	assert_string_equal(bad.shown[9].why, "is odd: 'a'");
}

static void quoted_text_is_printable_and_short(void **state)
{
	struct bad_lines bad = {0};

	(void)state;
	bad_lines_note(&bad, 1, "odd", span_of("\x1b[31m\xff"));
	assert_string_equal(bad.shown[0].why, "odd: '?[31m?'");
	bad_lines_note(&bad, 2, "long", span_of("0123456789012345678901234567890123456789"));
	assert_string_equal(bad.shown[1].why, "long: '01234567890123456789012345678901'");
	bad_lines_note(&bad, 3, "none", (struct span){0});
	assert_string_equal(bad.shown[2].why, "none");
}

/* The result is the same whether other text or a NUL follows the span. */
static void bytes_after_a_span_are_ignored(void **state)
{
	static const char *const text[] = {"12345 678", "-12.75 9", "  a bc\t\td", "7 \n\n8",
					   "\xef\xbb\xbfx"};

	(void)state;
	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
		for (size_t len = 0; len <= strlen(text[i]); len++) {
			struct span part = {text[i], text[i] + len}, word[2][4], line[2];
			char *copy = strndup(text[i], len);
			struct span whole = span_of(copy);
			int64_t number[2] = {0, 0};

			size_t words = line_words(part, word[0], 4);

			assert_int_equal(words, line_words(whole, word[1], 4));
			for (size_t w = 0; w < words; w++)
				assert_int_equal(span_len(word[0][w]), span_len(word[1][w]));
			line[0] = part;
			line[1] = whole;
			assert_int_equal(line_number(&line[0], &number[0]),
					 line_number(&line[1], &number[1]));
			assert_int_equal(number[0], number[1]);
			assert_int_equal(line[0].at - part.at, line[1].at - whole.at);
			line_skip_mark(&part);
			line_skip_mark(&whole);
			assert_int_equal(span_len(part), span_len(whole));
			assert_int_equal(line_next(&part, &line[0]), line_next(&whole, &line[1]));
			assert_int_equal(span_len(part), span_len(whole));
			free(copy);
		}
}

static void only_ten_characters_are_digits_and_six_are_blanks(void **state)
{
	(void)state;
	for (int c = 1; c < 256; c++) {
		const char text[] = {'1', (char)c, '2', '\0'};
		struct span line = span_of(text), word[3];
		int64_t number = 0;
		bool is_blank = c == ' ' || (c >= '\t' && c <= '\r'), is_digit = c >= '0' && c <= '9';

		assert_int_equal(line_words(line, word, 3), is_blank ? 2 : 1);
		assert_int_equal(line_number(&line, &number),
				 is_blank || is_digit || c == '.' ? SCAN_OK : SCAN_TEXT);
		assert_int_equal(number, is_digit ? 102 + 10 * (c - '0') : 1);
	}
}

static void leading_zeros_do_not_overflow(void **state)
{
	static const struct {
		const char *text;
		enum scan scan;
	} row[] = {
		{"0000000000000000000000000017", SCAN_OK},   {"00009223372036854775807", SCAN_OK},
		{"00009223372036854775808", SCAN_TOO_LARGE}, {"10000000000000000000000000", SCAN_TOO_LARGE},
		{"18446744073709551617", SCAN_TOO_LARGE}, /* 2^64 + 1 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct span line = span_of(row[i].text);
		int64_t number;

		assert_int_equal(line_number(&line, &number), row[i].scan);
	}
}

static void every_printable_character_is_quoted_unchanged(void **state)
{
	(void)state;
	for (int c = 1; c < 256; c++) {
		const char text[] = {'a', (char)c, 'b', '\0'};
		struct bad_lines bad = {0};
		char expected[16];

		bad_lines_note(&bad, 1, "odd", span_of(text));
		if (c == ' ' || (c >= '\t' && c <= '\r'))
			snprintf(expected, sizeof expected, "odd: 'a'");
		else
			snprintf(expected, sizeof expected, "odd: 'a%cb'", c > ' ' && c < 127 ? c : '?');
		assert_string_equal(bad.shown[0].why, expected);
	}
}

static void span_is_compares_the_length(void **state)
{
	struct span mark = span_of("\xef\xbb\xbf"), blanks = {"   ", NULL};

	(void)state;
	assert_true(span_is(span_of("one"), "one"));
	assert_false(span_is(span_of("one"), "two"));
	assert_false(span_is(span_of("one"), "on"));
	assert_false(span_is(span_of("on"), "one"));
	line_skip_mark(&mark);
	assert_int_equal(span_len(mark), 0);
	blanks.end = blanks.at + 1;
	line_skip_blanks(&blanks);
	assert_ptr_equal(blanks.at, blanks.end);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_at_newlines_and_at_the_end),
		cmocka_unit_test(byte_order_mark_is_skipped),
		cmocka_unit_test(words_are_separated_by_any_blanks),
		cmocka_unit_test(numbers_may_be_negative_and_decimals_are_truncated),
		cmocka_unit_test(the_first_ten_bad_lines_are_shown_and_all_are_counted),
		cmocka_unit_test(quoted_text_is_printable_and_short),
		cmocka_unit_test(bytes_after_a_span_are_ignored),
		cmocka_unit_test(only_ten_characters_are_digits_and_six_are_blanks),
		cmocka_unit_test(leading_zeros_do_not_overflow),
		cmocka_unit_test(every_printable_character_is_quoted_unchanged),
		cmocka_unit_test(span_is_compares_the_length),
	};

	return cmocka_run_group_tests_name("line", tests, NULL, NULL);
}
