/* SPDX-License-Identifier: MIT */
/*
 * test_words.c - splitting of command lines into words
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sched/base/str.h"
#include "tui/command/cmd.h"

static void check_words(const char *line, int expected, const char *const *word)
{
	int count;
	char **words = cmd_split(line, &count, NULL);

	assert_non_null(words);
	assert_int_equal(count, expected);
	for (int i = 0; i < expected; i++)
		assert_string_equal(words[i], word[i]);
	assert_null(words[expected]);
	free(words);
}

#define WORDS(...)                                                                                           \
	(int)(sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *)), (const char *[])                  \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}

static void blanks_separate_words(void **state)
{
	(void)state;
	check_words("hold 12 13", WORDS("hold", "12", "13"));
	check_words("  hold\t12 \r\n", WORDS("hold", "12"));
	check_words("a", WORDS("a"));
}

static void blank_line_has_no_words(void **state)
{
	int count = 7;
	char **words;

	(void)state;
	words = cmd_split(" \t ", &count, NULL);
	assert_non_null(words);
	assert_int_equal(count, 0);
	free(words);
	words = cmd_split("", &count, NULL);
	assert_int_equal(count, 0);
	free(words);
}

static void quotes_keep_blanks(void **state)
{
	(void)state;
	check_words("hold -w 'user=eva state=idle'", WORDS("hold", "-w", "user=eva state=idle"));
	check_words("a \"b c\"d", WORDS("a", "b cd"));
	check_words("'' \"\"", WORDS("", ""));
}

static void only_quotes_and_backslashes_are_escaped_in_double_quotes(void **state)
{
	(void)state;
	check_words("\"a\\\"b\\\\c\\d\"", WORDS("a\"b\\c\\d"));
	check_words("'a\\b'", WORDS("a\\b"));
	check_words("a\\ b \\'", WORDS("a b", "'"));
	check_words("end\\", WORDS("end\\"));
}

static void unclosed_quote_is_rejected(void **state)
{
	struct err err;
	int count;

	(void)state;
	assert_null(cmd_split("hold 'user=eva", &count, &err));
	assert_string_equal(err.text, "the quote ' is opened but not closed; close it");
	assert_null(cmd_split("\"a\\\"", &count, &err));
}

/* A printed command line is split into the same words, with any characters in names. */
static void printed_words_round_trip(void **state)
{
	static const char *const word[] = {"tune",
					   "account[ops].maxjob",
					   "account[DEFAULT].maxjob --reason x].maxjob",
					   "account[x;touch${IFS}/tmp/y;].maxjob",
					   "it's",
					   "a\\b\"c",
					   "",
					   "1,2",
					   "$(id)`id`"};
	enum {
		COUNT = sizeof word / sizeof word[0]
	};
	struct str line = {0};
	char **words;
	int count;

	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		if (i > 0)
			str_add_char(&line, ' ');
		str_add_word(&line, word[i]);
	}
	assert_non_null(strstr(str_text(&line), "tune account[ops].maxjob '"));
	words = cmd_split(str_text(&line), &count, NULL);
	assert_non_null(words);
	assert_int_equal(count, COUNT);
	for (int i = 0; i < count; i++)
		assert_string_equal(words[i], word[i]);
	free(words);
	str_free(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_separate_words),
		cmocka_unit_test(blank_line_has_no_words),
		cmocka_unit_test(quotes_keep_blanks),
		cmocka_unit_test(only_quotes_and_backslashes_are_escaped_in_double_quotes),
		cmocka_unit_test(unclosed_quote_is_rejected),
		cmocka_unit_test(printed_words_round_trip)};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
