/* SPDX-License-Identifier: MIT */
/*
 * test_str.c - growing strings, words and numbers in every locale
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "tests/seed.h"

static void an_empty_text_reads_as_empty(void **state)
{
	struct str s = {0};

	(void)state;
	assert_string_equal(str_text(&s), "");
	str_clear(&s);
	str_add(&s, "");
	assert_string_equal(str_text(&s), "");
	str_free(&s);
	assert_string_equal(str_text(&s), "");
}

static void pieces_are_joined_in_order(void **state)
{
	struct str s = {0};

	(void)state;
	str_add(&s, "job ");
	str_addf(&s, "%d of %s", 7, "eva");
	str_add_char(&s, ';');
	str_add_bytes(&s, "abc", 2);
	assert_string_equal(str_text(&s), "job 7 of eva;ab");
	assert_int_equal(s.len, 15);
	str_clear(&s);
	str_add(&s, "x");
	assert_string_equal(str_text(&s), "x");
	str_free(&s);
}

static void long_texts_grow(void **state)
{
	struct str s = {0};

	(void)state;
	for (int i = 0; i < 5000; i++)
		str_addf(&s, "%04d", i);
	assert_int_equal(s.len, 20000);
	assert_int_equal(strlen(str_text(&s)), 20000);
	assert_memory_equal(s.data + 4 * 4321, "4321", 4);
	str_free(&s);
}

static void words_are_compared_without_case(void **state)
{
	(void)state;
	assert_true(str_same_word("XFactorCap", "xfactorcap"));
	assert_false(str_same_word("xfactor", "xfactorcap"));
	assert_false(str_same_word("\xc3\x84", "\xc3\xa4"));
	assert_true(str_compare_word("Alpha", "beta") < 0);
	assert_true(str_compare_word("beta", "ALPHA") > 0);
	assert_true(str_compare_word("\xff", "z") > 0);
}

static const char *const verbs[] = {"queue", "queues", "hold", "release", "whatif", "why"};

static const char *nearest_verb(const char *word)
{
	return str_nearest(word, verbs, sizeof verbs / sizeof verbs[0]);
}

static void typo_finds_the_nearest_name(void **state)
{
	(void)state;
	assert_string_equal(nearest_verb("queue"), "queue");
	assert_string_equal(nearest_verb("QUEU"), "queue");
	assert_string_equal(nearest_verb("qeueu"), "queue");
	assert_string_equal(nearest_verb("queuess"), "queues");
	assert_string_equal(nearest_verb("relaese"), "release");
	assert_string_equal(nearest_verb("wy"), "why");
}

static void distant_word_finds_no_name(void **state)
{
	char endless[200];

	(void)state;
	assert_null(nearest_verb("submit"));
	assert_null(nearest_verb("x"));
	assert_null(nearest_verb(""));
	assert_null(nearest_verb("hxyz"));
	assert_null(str_nearest("queue", NULL, 0));
	memset(endless, 'q', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	assert_null(nearest_verb(endless));
}

static void whole_numbers_are_read_exactly(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {{"0", 0},
		    {"010", 10},
		    {"-3", -3},
		    {"9223372036854775807", INT64_MAX},
		    {"-9223372036854775808", INT64_MIN}};
	static const char *const bad[] = {"",   "-",    "+1",  " 1",  "1 ",
					  "1x", "0x10", "1.0", "--1", "9223372036854775808"};
	int64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		assert_true(str_read_whole(good[i].text, &value));
		assert_true(value == good[i].value);
	}
	value = 42;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(str_read_whole(bad[i], &value));
	assert_int_equal(value, 42);
}

static void real_numbers_are_read_exactly(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {{"0.5", 0.5}, {"-.25", -0.25}, {"5.", 5}, {"1e3", 1000}, {"2E-1", 0.2}, {"010", 10}};
	static const char *const bad[] = {"",     ".",     "-",     "+1",       "nan", "inf",
					  "-inf", "0x1p3", "1,5",   "1e",       "1e+", "1e999",
					  " 1",   "1 ",    "1.2.3", "infinity", "e5"};
	double value;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		assert_true(str_read_real(good[i].text, &value));
		assert_memory_equal(&value, &good[i].value, sizeof value);
	}
	value = 42;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(str_read_real(bad[i], &value));
	assert_true(value > 41 && value < 43);
}

static const char *real_text(struct str *s, double value)
{
	str_clear(s);
	str_add_real(s, value);
	return str_text(s);
}

static void real_numbers_are_written_with_fewest_digits(void **state)
{
	struct str s = {0};

	(void)state;
	assert_string_equal(real_text(&s, 0), "0");
	assert_string_equal(real_text(&s, 0.1), "0.1");
	assert_string_equal(real_text(&s, 0.1 + 0.2), "0.30000000000000004");
	assert_string_equal(real_text(&s, -1.5), "-1.5");
	assert_string_equal(real_text(&s, 1e100), "1e+100");
	assert_string_equal(real_text(&s, 72000), "72000");
	str_free(&s);
}

static void real_numbers_round_trip(void **state)
{
	struct rng rng = seeded("real_numbers_round_trip");
	struct str s = {0};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t bits = rng_u64(&rng);
		double value;
		double again;

		memcpy(&value, &bits, sizeof value);
		if (!(value >= -DBL_MAX && value <= DBL_MAX))
			continue;
		assert_true(str_read_real(real_text(&s, value), &again));
		assert_memory_equal(&again, &value, sizeof value);
	}
	str_free(&s);
}

static void locale_with_decimal_comma_has_no_effect(void **state)
{
	static const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
	const char *found = NULL;
	struct str s = {0};
	double value = 0;

	(void)state;
	for (size_t i = 0; i < sizeof comma / sizeof comma[0] && !found; i++)
		found = setlocale(LC_NUMERIC, comma[i]);
	if (!found)
		skip();
	str_add_real(&s, 2.5);
	assert_string_equal(str_text(&s), "2.5");
	assert_true(str_read_real("2.5", &value));
	assert_true(value > 2.4);
	assert_string_equal(localeconv()->decimal_point, ",");
	setlocale(LC_NUMERIC, "C");
	str_free(&s);
}

static void utf8_length_and_invalid_bytes(void **state)
{
	static const struct {
		const char *text;
		size_t len;
	} row[] = {{"a", 1},
		   {"\xc3\xbc", 2},
		   {"\xe2\x82\xac", 3},
		   {"\xf0\x9f\x98\x80", 4},
		   {"\xf4\x8f\xbf\xbf", 4},
		   {"\x80", 0},
		   {"\xc0\x80", 0},
		   {"\xc1\xbf", 0},
		   {"\xe0\x80\x80", 0},
		   {"\xed\xa0\x80", 0},
		   {"\xf0\x80\x80\x80", 0},
		   {"\xf4\x90\x80\x80", 0},
		   {"\xf5\x80\x80\x80", 0},
		   {"\xe2\x82(", 0},
		   {"\xc3", 0},
		   {"\xff", 0}};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
		assert_int_equal(str_utf8_len(row[i].text, strlen(row[i].text)), row[i].len);
	assert_int_equal(str_utf8_len("\xe2\x82\xac", 2), 0);
	assert_int_equal(str_utf8_len("", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_text_reads_as_empty),
		cmocka_unit_test(pieces_are_joined_in_order),
		cmocka_unit_test(long_texts_grow),
		cmocka_unit_test(words_are_compared_without_case),
		cmocka_unit_test(typo_finds_the_nearest_name),
		cmocka_unit_test(distant_word_finds_no_name),
		cmocka_unit_test(whole_numbers_are_read_exactly),
		cmocka_unit_test(real_numbers_are_read_exactly),
		cmocka_unit_test(real_numbers_are_written_with_fewest_digits),
		cmocka_unit_test(real_numbers_round_trip),
		cmocka_unit_test(locale_with_decimal_comma_has_no_effect),
		cmocka_unit_test(utf8_length_and_invalid_bytes),
	};

	return cmocka_run_group_tests_name("str", tests, NULL, NULL);
}
