/* SPDX-License-Identifier: MIT */
/*
 * test_qsub_environment.c - environment variables of a job
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "tests/asked.h"

/* Writes the variables, the latest option first: "A=1|B=2". */
static void describe(const struct launch_words *words, struct str *out)
{
	for (uint32_t i = 0; i < words->count; i++)
		str_addf(out, "%s%s", i == 0 ? "" : "|", words->item[i]);
	assert_null(words->item[words->count]);
}

static void variables_are_selected_and_set(void **state)
{
	static const struct {
		const char *script, *options, *variables;
	} cases[] = {
		{NULL, "", ""},
		{NULL, "-v A=1", "A=1"},
		{NULL, "-v A=1,B=2,_c3=", "_c3=|B=2|A=1"},
		{NULL, "-v COLOUR", "COLOUR=blue"},
		{NULL, "-v EMPTY,COLOURS", "COLOURS=two|EMPTY="},
		{NULL, "-v A=1 -v A=2", "A=2"},
		{NULL, "-v 'A=b=c'", "A=b=c"},
		{NULL, "-v \"A='x,y',B=2\"", "B=2|A=x,y"},
		{NULL, "-v 'A=\"x,\\\"y\",B=2'", "B=2|A=x,\"y"},
		{NULL, "-v 'A=x\\,y'", "A=x,y"},
		{NULL, "-v \"A=it's\"", "A=it's"},
		{NULL, "-v 'A=a\\b'", "A=a\\b"},
		{NULL, "-V", "HOME=/home/eva|EMPTY=|COLOUR=blue|COLOURS=two"},
		{NULL, "-V -v COLOUR=red", "COLOUR=red|HOME=/home/eva|EMPTY=|COLOURS=two"},
		{"#PBS -v A=1,B=2\n", "-v A=3", "A=3|B=2"},
		{"#SBATCH --export=NONE\n", "", ""},
		{"#SBATCH --export=COLOUR,A=1\n", "", "A=1|COLOUR=blue"},
		{"#SBATCH --export=ALL,COLOUR=red\n", "", "COLOUR=red|HOME=/home/eva|EMPTY=|COLOURS=two"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct submission s;
		struct str text = {0};

		asked(&s, cases[i].script, cases[i].options);
		describe(&s.launch.environment, &text);
		assert_string_equal(str_text(&text), cases[i].variables);
		str_free(&text);
		submission_free(&s);
	}
}

static void the_path_of_the_submitter_is_passed_as_PBS_O_PATH(void **state)
{
	static const char *const environment[] = {"A=1", "PATH=/opt/bin:/bin", "PBS_O_PATH=/outer", NULL};
	static const struct {
		const char *option, *variables;
	} cases[] = {
		{"-vB=2", "B=2|PBS_O_PATH=/opt/bin:/bin"},
		{"-V", "PBS_O_PATH=/opt/bin:/bin|A=1|PATH=/opt/bin:/bin"},
		{"-vPBS_O_PATH=/own", "PBS_O_PATH=/own"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *const word[] = {"submit", cases[i].option};
		struct submission s = {.throttle = 0};
		struct submitter submitter = eva;
		struct str text = {0};
		struct err err = {""};
		int rest;

		submitter.environment = environment;
		s.launch.command = (struct launch_words){asked_command, 2};
		assert_true(qsub_read_options(&s, &submitter, 2, word, &rest, &err));
		assert_true(qsub_finish(&s, &submitter, &err));
		describe(&s.launch.environment, &text);
		assert_string_equal(str_text(&text), cases[i].variables);
		str_free(&text);
		submission_free(&s);
	}
}

static const struct asked_wrong wrong[] = {
	{"-v NOTHERE", "-v: variable NOTHERE is not set; write NOTHERE=VALUE"},
	{"-v ALL", "-v: variable ALL is not set; write ALL=VALUE"},
	{"-v COLO", "-v: variable COLO is not set; write COLO=VALUE"},
	{"-v ''", "-v: \"\" is not the name of a variable"},
	{"-v A=1,", "-v: \"\" is not the name of a variable"},
	{"-v 1A=2", "-v: \"1A\" is not the name of a variable"},
	{"-v 'A B=2'", "-v: \"A B\" is not the name of a variable"},
	{"-v \"A='x,y\"", "-v: the quote in A=x,y is not closed before the comma"},
	{"-v \"A='x'y\"", "-v: the quote in A=x is not closed before the comma"},
};

static void an_unset_or_invalid_variable_is_refused(void **state)
{
	(void)state;
	check_wrong_options(wrong, COUNT(wrong));
}

static void the_number_of_variables_is_limited(void **state)
{
	static char text[LAUNCH_WORDS_MAX + 1][16];
	static const char *environment[LAUNCH_WORDS_MAX + 2];
	struct submission s = {.throttle = 0};
	struct submitter many = eva;
	static const char *const word[] = {"submit", "-V"};
	struct err err = {""};
	int rest;

	(void)state;
	for (uint32_t i = 0; i <= LAUNCH_WORDS_MAX; i++) {
		snprintf(text[i], sizeof text[i], "V%u=1", i);
		environment[i] = text[i];
	}
	many.environment = environment;
	s.launch.command = (struct launch_words){asked_command, 2};
	assert_true(qsub_read_options(&s, &many, 2, word, &rest, &err));
	assert_false(qsub_finish(&s, &many, &err));
	assert_string_equal(
		err.text, "too many environment variables: at most 4096, got 4097; select variables with -v");
	environment[LAUNCH_WORDS_MAX] = NULL;
	assert_true(qsub_finish(&s, &many, &err));
	assert_int_equal(s.launch.environment.count, LAUNCH_WORDS_MAX);
	submission_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_are_selected_and_set),
		cmocka_unit_test(the_path_of_the_submitter_is_passed_as_PBS_O_PATH),
		cmocka_unit_test(an_unset_or_invalid_variable_is_refused),
		cmocka_unit_test(the_number_of_variables_is_limited),
	};

	return cmocka_run_group_tests_name("qsub_environment", tests, NULL, NULL);
}
