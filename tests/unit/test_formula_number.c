/* SPDX-License-Identifier: MIT */
/*
 * test_formula_number.c - has a number the digits that matter, and no others?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/report/formula_number.h"

static void check_number(void (*add)(struct str *out, double value), double value, const char *text)
{
	struct str out = {0};

	add(&out, value);
	assert_string_equal(str_text(&out), text);
	str_free(&out);
}

static void numbers_have_no_digits_that_say_nothing(void **state)
{
	(void)state;
	check_number(formula_number, 373, "373");
	check_number(formula_number, 373.5, "373.5");
	check_number(formula_number, 318.183333, "318.18");
	check_number(formula_number, -6.7919, "-6.79");
	check_number(formula_number, -0.0, "0");
	check_number(formula_number, 1e15, "1000000000000000");
}

static void small_numbers_are_written_in_full(void **state)
{
	(void)state;
	check_number(formula_number, 0.00001, "0.00001");
	check_number(formula_number, -0.05, "-0.05");
	check_number(formula_number, 0.0123, "0.0123");
	check_number(formula_number, 1e-12, "1e-12");
}

static void fixed_numbers_have_two_digits(void **state)
{
	(void)state;
	check_number(formula_fixed, 4.5, "4.50");
	check_number(formula_fixed, 0.005, "0.01");
	check_number(formula_fixed, -0.001, "0.00");
	check_number(formula_fixed, -12, "-12.00");
}

static void check_factor(double value, double weight, double error, const char *text)
{
	struct str out = {0};

	formula_factor(&out, value, weight, error);
	assert_string_equal(str_text(&out), text);
	str_free(&out);
}

static void a_factor_has_the_digits_that_its_product_needs(void **state)
{
	(void)state;
	check_factor(-6.7919075, 1, 0.05, "-6.79");
	check_factor(-6.7919075, 1000, 0.05, "-6.7919");
	check_factor(-6.7919075, 1e9, 0.05, "-6.791908"); /* no more than six */
	check_factor(8, 1e9, 0.05, "8");
	check_factor(7.21666667, 0, 0.05, "7.22");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_no_digits_that_say_nothing),
		cmocka_unit_test(small_numbers_are_written_in_full),
		cmocka_unit_test(fixed_numbers_have_two_digits),
		cmocka_unit_test(a_factor_has_the_digits_that_its_product_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
