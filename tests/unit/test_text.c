/* SPDX-License-Identifier: MIT */
/*
 * test_text.c - texts: width, cutting and safe output, in any locale
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "tests/seed.h"
#include "tui/draw/text.h"

static struct str made;

static const char *safe(const char *text)
{
	str_clear(&made);
	text_safe(&made, text, false);
	return str_text(&made);
}

static const char *fit(const char *text, int width, enum text_align align)
{
	str_clear(&made);
	text_fit(&made, text, width, align, false);
	return str_text(&made);
}

static int forget(void **state)
{
	(void)state;
	str_free(&made);
	return 0;
}

static void characters_of_one_to_four_bytes_are_decoded(void **state)
{
	static const struct {
		const char *bytes;
		uint32_t code;
	} rows[] = {{"A", 'A'},
		    {"\xC2\x80", 0x80},
		    {"\xDF\xBF", 0x7FF},
		    {"\xE0\xA0\x80", 0x800},
		    {"\xEF\xBF\xBF", 0xFFFF},
		    {"\xF0\x90\x80\x80", 0x10000},
		    {"\xF4\x8F\xBF\xBF", 0x10FFFF}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char back[4];
		uint32_t code;
		size_t len = strlen(rows[i].bytes);

		assert_int_equal(text_decode(rows[i].bytes, len, &code), len);
		assert_int_equal(code, rows[i].code);
		assert_int_equal(text_encode(back, code), len);
		assert_memory_equal(back, rows[i].bytes, len);
	}
}

static void invalid_utf8_is_decoded_as_one_invalid_byte(void **state)
{
	static const char *const rows[] = {"\x80",
					   "\xC0\x80",
					   "\xC1\xBF",
					   "\xE0\x80\x80",
					   "\xED\xA0\x80",
					   "\xF0\x80\x80\x80",
					   "\xF4\x90\x80\x80",
					   "\xF5",
					   "\xFF",
					   "\xE2\x82",
					   "\xC3("};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint32_t code;

		assert_int_equal(text_decode(rows[i], strlen(rows[i]), &code), 1);
		assert_int_equal(code, TEXT_INVALID);
	}
}

static void widths_are_those_of_unicode(void **state)
{
	(void)state;
	assert_int_equal(text_width("job 42"), 6);
	assert_int_equal(text_width("größe"), 5);
	assert_int_equal(text_width("日本語"), 6);
	assert_int_equal(text_width("한글"), 4);
	assert_int_equal(text_width("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"),
			 2);                          /* the syllable 한 as three letters */
	assert_int_equal(text_width("e\xCC\x81"), 1); /* e and its accent */
	assert_int_equal(text_width("😀"), 2);
	assert_int_equal(text_width("█▌─"), 3);
	assert_int_equal(text_width("ｆｕｌｌ"), 8);
	assert_int_equal(text_width("\xE2\x9D\xA4\xEF\xB8\x8F"),
			 1); /* a heart with an emoji variation selector */
	assert_int_equal(text_width(""), 0);
}

static void control_characters_and_invalid_bytes_are_made_visible(void **state)
{
	(void)state;
	assert_string_equal(safe("a\033]0;x\ab"), "a\\x1b]0;x\\x07b");
	assert_string_equal(safe("two\nlines\tand\r"), "two\\nlines\\tand\\r");
	assert_string_equal(safe("\x7F"), "\\x7f");
	assert_string_equal(safe("caf\xE9"), "caf<e9>");
	assert_string_equal(safe("\302\2332J"), "<U+009B>2J");
	assert_string_equal(safe("\342\200\256exe.txt\342\200\254"), "<U+202E>exe.txt<U+202C>");
	assert_string_equal(safe("\xE2\x81\xA6x\xE2\x81\xA9"), "<U+2066>x<U+2069>");
	assert_string_equal(safe("a\342\200\213b"), "a<U+200B>b");
	assert_string_equal(safe("a\343\205\244b"), "a<U+3164>b"); /* invisible letters and patterns */
	assert_string_equal(safe("a\342\240\200b"), "a<U+2800>b");
	assert_string_equal(safe("a\341\205\240b"), "a<U+1160>b");
	assert_string_equal(safe("\xCC\x81x"), "<U+0301>x");
	assert_string_equal(safe("\xF4\x8F\xBF\xBD"), "<U+10FFFD>");
	assert_string_equal(safe("日本 ok"), "日本 ok");
}

static void text_safe_is_idempotent(void **state)
{
	struct str once = {0};

	(void)state;
	text_safe(&once, "x\033\xE9\xE2\x80\xAE日e\xCC\x81\xE2\x80\xAC", false);
	assert_string_equal(safe(str_text(&once)), str_text(&once));
	str_free(&once);
}

static void each_cell_that_is_not_ascii_becomes_a_question_mark(void **state)
{
	(void)state;
	str_clear(&made);
	text_safe(&made,
		  "gr\xC3\xB6\xC3\x9F"
		  "e 日e\xCC\x81.",
		  true);
	assert_string_equal(str_text(&made), "gr??e ???.");
}

static void a_text_is_padded_or_cut_to_its_column(void **state)
{
	(void)state;
	assert_string_equal(fit("ab", 4, TEXT_LEFT), "ab  ");
	assert_string_equal(fit("ab", 4, TEXT_RIGHT), "  ab");
	assert_string_equal(fit("abcd", 4, TEXT_RIGHT), "abcd");
	assert_string_equal(fit("abcdef", 4, TEXT_LEFT), "abc~");
	assert_string_equal(fit("abcdef", 1, TEXT_LEFT), "~");
	assert_string_equal(fit("abcdef", 0, TEXT_LEFT), "");
	assert_string_equal(fit("日本語", 4, TEXT_LEFT), "日 ~");
	assert_string_equal(fit("日本語", 5, TEXT_LEFT), "日本~");
	assert_string_equal(fit("a\033bc", 4, TEXT_LEFT), "a\\x~");
	assert_string_equal(fit("e\xCC\x81tat", 3, TEXT_LEFT), "e\xCC\x81t~");
}

static void editing_steps_over_whole_graphemes(void **state)
{
	const char *text = "ae\xCC\x81日";

	(void)state;
	assert_int_equal(text_step(text, 7, 0), 1);
	assert_int_equal(text_step(text, 7, 1), 4);
	assert_int_equal(text_step(text, 7, 4), 7);
	assert_int_equal(text_step(text, 7, 7), 7);
	assert_int_equal(text_step_back(text, 7), 4);
	assert_int_equal(text_step_back(text, 4), 1);
	assert_int_equal(text_step_back(text, 0), 0);
}

/* Fills a text with parts of characters, escapes and control characters. */
static void random_text(struct rng *rng, char *out, size_t len)
{
	static const char *const parts[] = {
		"a", " ", "\xC3", "\xA9", "日", "\xCC\x81", "\033", "\xE2\x80\xAE\xE2\x80\xAC", "😀"};
	size_t at = 0;

	while (at + 6 < len) {
		const char *part = parts[rng_below(rng, sizeof parts / sizeof parts[0])];

		memcpy(out + at, part, strlen(part));
		at += strlen(part);
	}
	out[at] = '\0';
}

static void any_text_fits_any_width_exactly(void **state)
{
	struct rng rng = seeded("any_text_fits_any_width_exactly");

	(void)state;
	for (int i = 0; i < 2000; i++) {
		char text[64];
		int width = (int)rng_below(&rng, 40);
		enum text_align align = rng_below(&rng, 2) ? TEXT_LEFT : TEXT_RIGHT;

		random_text(&rng, text, sizeof text);
		assert_int_equal(text_width(fit(text, width, align)), width);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_of_one_to_four_bytes_are_decoded),
		cmocka_unit_test(invalid_utf8_is_decoded_as_one_invalid_byte),
		cmocka_unit_test(widths_are_those_of_unicode),
		cmocka_unit_test(control_characters_and_invalid_bytes_are_made_visible),
		cmocka_unit_test(text_safe_is_idempotent),
		cmocka_unit_test(each_cell_that_is_not_ascii_becomes_a_question_mark),
		cmocka_unit_test(a_text_is_padded_or_cut_to_its_column),
		cmocka_unit_test(editing_steps_over_whole_graphemes),
		cmocka_unit_test(any_text_fits_any_width_exactly),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, forget);
}
