/* SPDX-License-Identifier: MIT */
/* test_filter.c - unit tests of row filters */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tests/seed.h"
#include "tui/report/filter.h"

static const struct named_text job[] = {
	{"job", "900991"}, {"user", "eva"}, {"class", "batch"}, {"account", NULL}, {"state", "idle"},
};

static bool passes(const char *text)
{
	struct filter f = {0};
	bool result;

	filter_set(&f, text);
	result = filter_match(&f, job, sizeof job / sizeof job[0]);
	filter_clear(&f);
	return result;
}

static void an_empty_filter_lets_everything_through(void **state)
{
	struct filter f = {0};

	(void)state;
	assert_true(filter_match(&f, job, 5));
	filter_set(&f, "   ");
	assert_int_equal(f.count, 0);
	assert_string_equal(filter_text(&f), "");
	assert_true(passes(""));
}

static void text_is_found_in_any_field_in_any_case(void **state)
{
	(void)state;
	assert_true(passes("0991"));
	assert_true(passes("EVA"));
	assert_true(passes("atc"));
	assert_false(passes("john"));
}

static void an_exclamation_mark_negates(void **state)
{
	(void)state;
	assert_false(passes("!eva"));
	assert_true(passes("!john"));
	assert_false(passes("!"));
}

static void an_expression_of_exponential_time_is_text(void **state)
{
	(void)state;
	assert_true(passes("e+v+a+"));
	assert_false(passes("e++va"));
	assert_false(passes("a*+|($()?|^)(()+*++^)*"));
	assert_false(passes("e+v+a+b+c+"));
	assert_false(passes("((((((((((e+)+)+)+)+)+)+)+)+)+)+)+va"));
}

static void a_field_is_compared_as_a_whole(void **state)
{
	(void)state;
	assert_true(passes("user=eva"));
	assert_true(passes("USER=Eva"));
	assert_false(passes("user=ev"));
	assert_true(passes("user=e*"));
	assert_false(passes("!user=eva"));
	assert_true(passes("account="));
	assert_false(passes("account=physics"));
}

static void all_words_must_match(void **state)
{
	(void)state;
	assert_true(passes("user=eva state=idle"));
	assert_false(passes("user=eva state=running"));
	assert_true(passes("  eva   !john "));
}

static void regular_expressions_are_matched(void **state)
{
	(void)state;
	assert_true(passes("^90.*1$"));
	assert_false(passes("^91"));
	assert_true(passes("(eva|bob)"));
}

static void an_invalid_regular_expression_is_text(void **state)
{
	struct named_text odd[] = {{"name", "run[3"}};
	struct filter f = {0};

	(void)state;
	filter_set(&f, "n[3");
	assert_true(filter_match(&f, odd, 1));
	filter_clear(&f);
	assert_false(passes("*("));
}

static void an_equals_sign_after_no_field_is_text(void **state)
{
	struct named_text command[] = {{"what", "set resweight=2"}};
	struct filter f = {0};

	(void)state;
	filter_set(&f, "weight=2");
	assert_true(filter_match(&f, command, 1));
	filter_clear(&f);
}

static const struct named_text numbers[] = {
	{"job", "17"}, {"user", "eva"}, {"procs", "16"}, {"walltime", "7200"}};

static bool passes_numbers(const char *text)
{
	struct filter f = {0};
	bool result;

	filter_set(&f, text);
	result = filter_match_named(&f, numbers, 2, 4);
	filter_clear(&f);
	return result;
}

static void a_list_matches_any_of_its_values(void **state)
{
	(void)state;
	assert_true(passes("user=bob,eva"));
	assert_true(passes("user=bob,e*"));
	assert_false(passes("user=bob,ev"));
	assert_false(passes("user!=bob,eva"));
	assert_true(passes("user!=bob"));
	assert_false(passes("!user!=bob"));
}

static void numbers_and_durations_are_compared(void **state)
{
	(void)state;
	assert_true(passes_numbers("procs>8 procs>=16 procs<17 procs<=16"));
	assert_false(passes_numbers("procs>16"));
	assert_false(passes_numbers("procs<16"));
	assert_true(passes_numbers("procs!=8"));
	assert_true(passes_numbers("procs=8,16"));
	assert_true(passes_numbers("walltime=2h walltime<=2:00:00 walltime>90m"));
	assert_false(passes_numbers("walltime<2h"));
	assert_false(passes_numbers("procs>many"));
	assert_true(passes_numbers("job>9"));
	assert_false(passes_numbers("16"));
	assert_true(passes_numbers("17"));
}

static void a_field_can_be_matched_by_a_regular_expression(void **state)
{
	(void)state;
	assert_true(passes("user=^e.*a$"));
	assert_false(passes("user=^va"));
	assert_true(passes("user~v"));
	assert_false(passes("user!~v"));
	assert_true(passes("user=(bob|eva) class~^b"));
	assert_false(passes("state~eva"));
}

static void check_problem(const char *text, const char *problem)
{
	struct filter f = {0};
	struct err err = {0};

	filter_set(&f, text);
	assert_true(filter_check(&f, "job user state procs", &err) == (problem == NULL));
	if (problem != NULL && !strstr(err.text, problem))
		fail_msg("looked for \"%s\" in \"%s\"", problem, err.text);
	filter_clear(&f);
}

static void an_invalid_filter_gives_an_error(void **state)
{
	(void)state;
	check_problem("user=eva !state=idle procs>8 ^90 text", NULL);
	check_problem("usr=eva", "no field 'usr' here; fields are job user state procs");
	check_problem("!stat=idle", "no field 'stat'");
	check_problem("procs>many", "procs must be compared with a number or a duration, got 'many'");
	check_problem("(eva", "'(eva' is not a valid regular expression");
	check_problem("user~[e", "'[e' is not a valid regular expression");
	check_problem("e+v+a+b+c+", "more than four +");
	check_problem("a*+", "it has two of * + ? in a row");
	check_problem("user=(eva", "'(eva'");
}

/* True if each word of the text, as a filter of its own, matches. Overwrites the text. */
static bool each_word_passes(char *text)
{
	bool all = true;

	for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
		all = passes(word) && all;
	return all;
}

static void any_bytes_can_be_typed(void **state)
{
	static const char often[] = "  !=~<>,eva.*+^$()[]909idle";
	struct rng rng = seeded("filters of random bytes");
	unsigned matching = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[24];
		size_t len = rng_below(&rng, sizeof text);
		struct filter f = {0};
		bool passed;

		for (size_t k = 0; k < len; k++)
			text[k] = (char)(rng_below(&rng, 2) ? often[rng_below(&rng, sizeof often - 1)]
							    : (int)(1 + rng_below(&rng, 255)));
		text[len] = '\0';
		filter_set(&f, text);
		passed = filter_match(&f, job, sizeof job / sizeof job[0]);
		if (f.count > 0)
			assert_string_equal(filter_text(&f), text);
		filter_clear(&f);
		matching += passed && len > 0;
		assert_int_equal(passed, each_word_passes(text));
	}
	assert_in_range(matching, 100, 19900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_filter_lets_everything_through),
		cmocka_unit_test(text_is_found_in_any_field_in_any_case),
		cmocka_unit_test(an_exclamation_mark_negates),
		cmocka_unit_test(an_expression_of_exponential_time_is_text),
		cmocka_unit_test(a_field_is_compared_as_a_whole),
		cmocka_unit_test(all_words_must_match),
		cmocka_unit_test(regular_expressions_are_matched),
		cmocka_unit_test(an_invalid_regular_expression_is_text),
		cmocka_unit_test(an_equals_sign_after_no_field_is_text),
		cmocka_unit_test(a_list_matches_any_of_its_values),
		cmocka_unit_test(numbers_and_durations_are_compared),
		cmocka_unit_test(a_field_can_be_matched_by_a_regular_expression),
		cmocka_unit_test(an_invalid_filter_gives_an_error),
		cmocka_unit_test(any_bytes_can_be_typed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
