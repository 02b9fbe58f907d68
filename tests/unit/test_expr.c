/* SPDX-License-Identifier: MIT */
/* test_expr.c - unit tests of PRIORITYF expressions: values and errors */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/model/expr.h"

/* The components have values that are easy to distinguish in a sum. */
static double value_of(const char *text)
{
	static const double value[EXPR_COMPONENT_COUNT] = {
		[EXPR_AMEM] = 1000,  [EXPR_APROCS] = 6,  [EXPR_CPROCS] = 8,
		[EXPR_JOBCOUNT] = 3, [EXPR_LOAD] = 1.5,  [EXPR_PREF] = 1,
		[EXPR_USAGE] = 40,   [EXPR_SPEED] = 2.5, [EXPR_PRIORITY] = 1000,
	};
	struct expr e;
	struct err err = {""};

	if (!expr_read(text, &e, &err))
		fail_msg("%s: %s", text, err.text);
	return expr_value(&e, value);
}

static bool has_value(const char *text, double wanted)
{
	return fabs(value_of(text) - wanted) < 1e-9;
}

static const char *error_of(const char *text)
{
	static struct err err;
	struct expr e;

	err.text[0] = '\0';
	assert_false(expr_read(text, &e, &err));
	return err.text;
}

static void n_17_leading_point_and_blanks_are_accepted(void **state)
{
	(void)state;
	assert_true(has_value("SPEED+ .01 * AMEM - 10 * JOBCOUNT", 2.5 + 10 - 30));
	assert_true(has_value("SPEED+.01*AMEM-10*JOBCOUNT", 2.5 + 10 - 30));
	assert_true(has_value("\tSPEED  \n", 2.5));
}

static void n_18_leading_sign_is_accepted(void **state)
{
	(void)state;
	assert_true(has_value("-LOAD - 5*USAGE", -1.5 - 200));
	assert_true(has_value("PRIORITY + APROCS", 1006));
}

static void n_19_single_component_is_an_expression(void **state)
{
	(void)state;
	assert_true(has_value("JOBCOUNT", 3));
	assert_true(has_value("jobcount", 3));
}

static void n_21_preferences_are_a_component(void **state)
{
	(void)state;
	assert_true(has_value("5 * PREF - LOAD", 3.5));
}

static void products_have_precedence_over_sums(void **state)
{
	(void)state;
	assert_true(has_value("2+3*4", 14));
	assert_true(has_value("2*3+4", 10));
	assert_true(has_value("20-6/3", 18));
	assert_true(has_value("20-5-3", 12));
	assert_true(has_value("48/4/2", 6));
	assert_true(has_value("48/4*2", 24));
}

static void parentheses_override_precedence(void **state)
{
	(void)state;
	assert_true(has_value("(2+3)*4", 20));
	assert_true(has_value("20-(5-3)", 18));
	assert_true(has_value("48/(4*2)", 6));
	assert_true(has_value("((((CPROCS))))", 8));
}

static void repeated_signs_are_accepted(void **state)
{
	(void)state;
	assert_true(has_value("--2", 2));
	assert_true(has_value("-+-+2", 2));
	assert_true(has_value("3 - -2", 5));
	assert_true(has_value("2*-3", -6));
	assert_true(has_value("-(2+3)*4", -20));
	assert_true(has_value("+LOAD", 1.5));
}

static void number_formats_are_accepted(void **state)
{
	(void)state;
	assert_true(has_value(".5", .5));
	assert_true(has_value("5.", 5));
	assert_true(has_value("1e3", 1000));
	assert_true(has_value("1.5E-1*2", .3));
	assert_true(has_value("2e+2", 200));
	assert_true(has_value("1E2", 100));
	assert_true(has_value("-LOAD * -2", 3));
	assert_true(has_value("LOAD / 2 / 3", 0.25));
	assert_true(has_value("SPEED - LOAD - 1", 0));
	assert_true(has_value("2 * (LOAD - -1)", 5));
	assert_true(has_value("4 - 2 * 3 / 4 + 1", 3.5));
}

static void every_component_has_a_name(void **state)
{
	struct expr e;

	(void)state;
	for (int c = 0; c < EXPR_COMPONENT_COUNT; c++) {
		double value[EXPR_COMPONENT_COUNT] = {0};

		value[c] = 7;
		assert_true(expr_read(expr_component_name((enum expr_component)c), &e, NULL));
		assert_true(expr_value(&e, value) > 6 && expr_value(&e, value) < 8);
		for (int other = 0; other < EXPR_COMPONENT_COUNT; other++)
			assert_int_equal(expr_uses(&e, (enum expr_component)other), other == c);
	}
}

static void division_by_a_zero_component_is_zero(void **state)
{
	(void)state;
	assert_true(has_value("5/RESAFFINITY", 0));
	assert_true(has_value("5/(LOAD-1.5)", 0));
	assert_true(has_value("1 + 5/ADISK", 1));
}

static void result_is_always_finite(void **state)
{
	(void)state;
	assert_true(isfinite(value_of("1e308*1e308")));
	assert_true(isfinite(value_of("1e308*1e308-1e308*1e308")));
	assert_true(isfinite(value_of("-1e308-1e308*5")));
	assert_true(isfinite(value_of("1e308/1e-300*LOAD")));
}

/* The load of a node is NaN if it is not measured. */
static void nan_component_counts_as_zero(void **state)
{
	double value[EXPR_COMPONENT_COUNT] = {[EXPR_LOAD] = NAN, [EXPR_SPEED] = -INFINITY, [EXPR_USAGE] = 4};
	struct expr e;

	(void)state;
	assert_true(expr_read("8 + LOAD / USAGE", &e, NULL));
	assert_true(fabs(expr_value(&e, value) - 8) < 1e-9);
	assert_true(expr_read("USAGE / LOAD", &e, NULL));
	assert_true(fabs(expr_value(&e, value)) < 1e-9);
	assert_true(expr_read("SPEED", &e, NULL));
	assert_true(isfinite(expr_value(&e, value)) && expr_value(&e, value) < -1e308);
}

static void division_by_constant_zero_is_rejected(void **state)
{
	(void)state;
	assert_string_equal(error_of("LOAD/0"), "column 5: this divides by zero");
	assert_non_null(strstr(error_of("LOAD + 1 / (2 - 2)"), "column 10:"));
	assert_non_null(strstr(error_of("1/-.0"), "column 2:"));
}

static void division_by_an_identically_zero_expression_is_rejected(void **state)
{
	(void)state;
	assert_string_equal(error_of("SPEED / (0 * LOAD)"), "column 7: this divides by zero");
	assert_non_null(strstr(error_of("1/(LOAD - LOAD)"), "column 2:"));
	assert_non_null(strstr(error_of("1/(2*AMEM - AMEM - AMEM)"), "column 2:"));
	assert_true(has_value("6/(LOAD - PRIORITY)", value_of("6/(LOAD - PRIORITY)")));
	assert_true(has_value("1/(SPEED - 1009)", value_of("1/(SPEED - 1009)")));
}

static void error_names_column_and_text(void **state)
{
	(void)state;
	assert_string_equal(error_of("SPEED + * 3"),
			    "column 9: expected a number, a component or (, found *");
	assert_string_equal(error_of("2 LOAD"), "column 3: expected an operator or the end, found LOAD");
	assert_string_equal(error_of("3 * (LOAD + 1"),
			    "column 14: expected an operator or ), found the end of the expression");
	assert_string_equal(error_of(""),
			    "column 1: expected a number, a component or (, found the end of the expression");
	assert_non_null(strstr(error_of("LOAD)"), "column 5: expected an operator or the end, found )"));
	assert_non_null(strstr(error_of("LOAD # 2"), "column 6: expected an operator or the end, found #"));
	assert_non_null(strstr(error_of("2e"), "column 2: expected an operator or the end, found e"));
	assert_non_null(strstr(error_of("2e+"), "column 2: expected an operator or the end, found e"));
	assert_non_null(strstr(error_of("load_1"), "column 1: unknown component load_1"));
	assert_non_null(strstr(error_of("Zzz9"), "column 1: unknown component Zzz9; components: ADISK"));
	assert_non_null(strstr(error_of("LOAD + {"), "column 8: expected"));
	assert_non_null(strstr(error_of("LOAD @"), "column 6: expected"));
	assert_non_null(strstr(error_of("LOAD \xff"), "column 6: expected an operator or the end, found ?"));
	assert_non_null(
		strstr(error_of("111111111111111111111111111111111111111111111111111111111111111111111"),
		       "column 1: 1111"));
	assert_non_null(strstr(error_of("1.2.3"), "column 1: 1.2.3 is not a number"));
	assert_non_null(strstr(error_of("2 + ."), "column 5: . is not a number"));
	assert_non_null(strstr(error_of("1e999"), "column 1: 1e999 is not a number"));
}

static void misspelt_component_suggests_the_nearest(void **state)
{
	(void)state;
	assert_string_equal(error_of("10*SPED"), "column 4: unknown component SPED; did you mean SPEED?");
	assert_non_null(strstr(error_of("COLOUR"), "components: ADISK AMEM"));
	for (int c = 0; c < EXPR_COMPONENT_COUNT; c++)
		assert_non_null(strstr(error_of("COLOUR"), expr_component_name((enum expr_component)c)));
}

static void too_long_or_too_deeply_nested_is_rejected(void **state)
{
	struct str deep = {0}, chain = {0};

	(void)state;
	for (int i = 0; i < 1000; i++)
		str_add(&deep, "(");
	assert_non_null(strstr(error_of(str_text(&deep)), "parentheses are nested more than 32 deep"));
	str_add(&chain, "1");
	for (int i = 0; i < 100; i++)
		str_add(&chain, "+1");
	assert_non_null(strstr(error_of(str_text(&chain)), "more than 64"));
	str_free(&deep);
	str_free(&chain);
}

/* 32 numbers and the 31 operators between them are 63 steps, and the capacity is 64. */
static void longest_program_is_accepted(void **state)
{
	static const char *const join[] = {"+", "-", "*", "/"};

	(void)state;
	for (size_t i = 0; i < sizeof join / sizeof join[0]; i++) {
		struct str sum = {0}, whole = {0};

		str_add(&sum, "1");
		for (int n = 1; n < 32; n++)
			str_addf(&sum, "%s1", join[i]);
		str_addf(&whole, "-(%s)", str_text(&sum));
		assert_true(has_value(str_text(&whole), i == 0 ? -32 : i == 1 ? 30 : -1));
		str_clear(&whole);
		str_addf(&whole, "-(-%s)", str_text(&sum));
		assert_non_null(strstr(error_of(str_text(&whole)), "more than 64"));
		str_addf(&sum, "%s1", join[i]);
		assert_non_null(strstr(error_of(str_text(&sum)), "more than 64"));
		str_free(&sum);
		str_free(&whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(n_17_leading_point_and_blanks_are_accepted),
		cmocka_unit_test(n_18_leading_sign_is_accepted),
		cmocka_unit_test(n_19_single_component_is_an_expression),
		cmocka_unit_test(n_21_preferences_are_a_component),
		cmocka_unit_test(products_have_precedence_over_sums),
		cmocka_unit_test(parentheses_override_precedence),
		cmocka_unit_test(repeated_signs_are_accepted),
		cmocka_unit_test(number_formats_are_accepted),
		cmocka_unit_test(every_component_has_a_name),
		cmocka_unit_test(division_by_a_zero_component_is_zero),
		cmocka_unit_test(result_is_always_finite),
		cmocka_unit_test(nan_component_counts_as_zero),
		cmocka_unit_test(division_by_constant_zero_is_rejected),
		cmocka_unit_test(division_by_an_identically_zero_expression_is_rejected),
		cmocka_unit_test(error_names_column_and_text),
		cmocka_unit_test(misspelt_component_suggests_the_nearest),
		cmocka_unit_test(too_long_or_too_deeply_nested_is_rejected),
		cmocka_unit_test(longest_program_is_accepted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
