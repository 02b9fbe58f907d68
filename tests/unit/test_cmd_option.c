/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_option.c - are options taken out of the words of a verb, by its row?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tui/command/cmd.h"

static void options_are_told_from_words(void **state)
{
	const struct cmd_option options[] = {{"-n", "N", ""}, {"--set", "X", ""}, {0}};
	const struct cmd cmd = {.name = "look", .options = options};
	const char *value;

	(void)state;
	assert_string_equal(cmd_find_option(&cmd, "-n", &value)->name, "-n");
	assert_null(value);
	assert_string_equal(cmd_find_option(&cmd, "--set=5", &value)->name, "--set");
	assert_string_equal(value, "5");
	assert_null(cmd_find_option(&cmd, "--se", &value));
	assert_null(cmd_find_option(&cmd, "-n5", &value));
	assert_null(cmd_find_option(&cmd, "--dry-run", &value));
	assert_true(cmd_is_option("-n") && cmd_is_option("--"));
	assert_false(cmd_is_option("-") || cmd_is_option("-5") || cmd_is_option("-.5") || cmd_is_option("n"));
}

/* A verb with an option that has a value and one that has none. */
static const struct cmd look = {
	.name = "look",
	.options = (const struct cmd_option[]){{"-n", "N", ""}, {"--long", NULL, ""}, {0}},
};

#define WORDS 16

/* Takes the words of a line; *argv is the caller's to free. */
static bool take(struct cmd_env *env, const char *line, char *words[static WORDS], int *count, char ***argv)
{
	int given;

	*argv = cmd_split(line, &given, &env->err);
	assert_non_null(*argv);
	assert_true(given < WORDS);
	return cmd_take_words(env, &look, given, *argv, words, count);
}

static void options_stand_anywhere_before_two_dashes(void **state)
{
	struct cmd_env env = {.now_s = 0};
	char *words[WORDS], **argv;
	int count;

	(void)state;
	assert_true(take(&env, "look a -n 3 b --long -n 4 -- -n", words, &count, &argv));
	assert_int_equal(count, 4);
	assert_string_equal(words[1], "a");
	assert_string_equal(words[2], "b");
	assert_string_equal(words[3], "-n");
	assert_null(words[4]);
	assert_string_equal(cmd_option(&env, "-n"), "4");
	assert_string_equal(cmd_option_at(&env, "-n", 0), "3");
	assert_string_equal(cmd_option_at(&env, "-n", 1), "4");
	assert_null(cmd_option_at(&env, "-n", 2));
	assert_string_equal(cmd_option(&env, "--long"), "");
	assert_null(cmd_option(&env, "--short"));
	free(env.given);
	free(argv);
}

static void check_refused(const char *line, const char *sentence)
{
	struct cmd_env env = {.now_s = 0};
	char *words[WORDS], **argv;
	int count;

	assert_false(take(&env, line, words, &count, &argv));
	assert_string_equal(env.err.text, sentence);
	free(env.given);
	free(argv);
}

static void what_is_no_option_or_has_the_wrong_value_is_refused(void **state)
{
	(void)state;
	check_refused("look --wide", "look has no option '--wide'; 'kahu help look' lists them");
	check_refused("look --long=3", "look: option --long takes no value, got '3'");
	check_refused("look a -n", "look: option -n needs N behind it");
}

static void a_whole_number_is_within_its_range(void **state)
{
	struct cmd_given given = {.name = "-n", .value = "12"};
	struct cmd_env env = {.given = &given, .given_count = 1};
	int64_t value;

	(void)state;
	assert_true(cmd_option_whole(&env, "-n", 1, 12, 5, &value));
	assert_int_equal(value, 12);
	assert_true(cmd_option_whole(&env, "-m", 1, 12, 5, &value));
	assert_int_equal(value, 5);
	assert_false(cmd_option_whole(&env, "-n", 1, 11, 5, &value));
	assert_string_equal(env.err.text, "-n takes a whole number from 1 to 11, got '12'");
	given.value = "1x";
	assert_false(cmd_option_whole(&env, "-n", 1, 11, 5, &value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_told_from_words),
		cmocka_unit_test(options_stand_anywhere_before_two_dashes),
		cmocka_unit_test(what_is_no_option_or_has_the_wrong_value_is_refused),
		cmocka_unit_test(a_whole_number_is_within_its_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
