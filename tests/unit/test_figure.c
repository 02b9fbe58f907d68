/* SPDX-License-Identifier: MIT */
/* test_figure.c - unit tests of expressions that explain shown numbers */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/evaluator.h"
#include "tui/report/figure.h"
#include "tui/screen/page.h"

/* --- text of expressions -------------------------------------------------------------------------- */

#define NOW INT64_C(1300982531) /* Thu Mar 24 2011, 16:02:11 */

static struct figures begin(void)
{
	struct figures f = {0};

	figures_clear(&f, NOW);
	return f;
}

static uint32_t number(struct figures *f, double value)
{
	return figure_number(f, NULL, value, NULL);
}

/* Expects this text of the last figure, and that its expression evaluates to the shown value. */
static void check(struct figures *f, const char *expected)
{
	const struct figure *last = &f->item[f->count - 1];
	struct str text = {0};

	figure_text(f, last, &text);
	assert_string_equal(str_text(&text), expected);
	if (!is_true_of(expected, figure_word(f, last->shown), NOW))
		fail_msg("%s is not true", expected);
	str_free(&text);
}

static void operands_have_the_digits_that_the_shown_value_needs(void **state)
{
	struct figures f = begin();
	double minutes = 16.0 + 2.0 / 3;

	(void)state;
	figure_add_cut(&f, "PRIO", 1000 * minutes,
		       figure_join(&f, FIGURE_TIMES, figure_number(&f, "queuetime", 1000, NULL),
				   figure_number(&f, NULL, minutes, "min")));
	check(&f, "16666 = queuetime 1000 * 16.6667 min, cut");
	figure_add_rounded(&f, "XF", minutes, 2, number(&f, minutes));
	check(&f, "16.67 = 16.67");
	figure_add_rounded(&f, "XF", 2, 2, number(&f, 2));
	check(&f, "2.00 = 2");
	figures_free(&f);
}

static void small_operands_keep_significant_digits(void **state)
{
	struct figures f = begin();

	(void)state;
	figure_add_cut(&f, "TgtQT", 1000,
		       figure_join(&f, FIGURE_TIMES, number(&f, 0.00001), number(&f, 1e8)));
	check(&f, "1000 = 0.00001 * 100000000");
	figures_free(&f);
}

static void brackets_appear_only_where_needed(void **state)
{
	struct figures f = begin();
	uint32_t sum = figure_join(&f, FIGURE_PLUS, number(&f, 1), number(&f, 2));

	(void)state;
	figure_add_cut(&f, "", 9, figure_join(&f, FIGURE_TIMES, number(&f, 3), sum));
	check(&f, "9 = 3 * (1 + 2)");
	figure_add_cut(&f, "", 7, figure_join(&f, FIGURE_MINUS, number(&f, 10), sum));
	check(&f, "7 = 10 - (1 + 2)");
	figure_add_cut(&f, "", 13, figure_join(&f, FIGURE_PLUS, number(&f, 10), sum));
	check(&f, "13 = 10 + 1 + 2");
	figure_add_cut(&f, "", 1000, figure_join(&f, FIGURE_POWER, number(&f, 10), sum));
	check(&f, "1000 = 10 ^ (1 + 2)");
	figure_add_cut(&f, "", 2, figure_join(&f, FIGURE_LEAST, sum, number(&f, 2)));
	check(&f, "2 = least(1 + 2, 2)");
	figure_add_cut(&f, "", 3, figure_join(&f, FIGURE_MOST, sum, number(&f, -2)));
	check(&f, "3 = most(1 + 2, -2)");
	figures_free(&f);
}

static void times_and_durations_can_be_added(void **state)
{
	struct figures f = begin();

	(void)state;
	figure_add(&f, "EST.START", "19:44:39",
		   figure_join(&f, FIGURE_PLUS, figure_moment(&f, "now", NOW),
			       figure_remark(&f, figure_duration(&f, NULL, 13348), "899744")),
		   (double)(NOW + 13348), FIGURE_WHOLE);
	check(&f, "19:44:39 = now 16:02:11 + 3:42:28 [899744]");
	figure_add(&f, "EST.START", "Mar25 01:44",
		   figure_join(&f, FIGURE_PLUS, figure_moment(&f, "start", NOW + 86400 - 57600),
			       figure_duration(&f, "limit", 6148)),
		   (double)(NOW + 86400 - 57600 + 6148), FIGURE_SHORT);
	check(&f, "Mar25 01:44 = start Mar25 00:02:11 + limit 1:42:28, cut");
	figures_free(&f);
}

static void joining_with_no_operand_gives_the_other(void **state)
{
	struct figures f = begin();
	uint32_t one = number(&f, 1);

	(void)state;
	assert_int_equal(figure_join(&f, FIGURE_PLUS, FIGURE_NONE, one), one);
	assert_int_equal(figure_join(&f, FIGURE_PLUS, one, FIGURE_NONE), one);
	figures_free(&f);
}

static void add_author(void *self, uint64_t entry, struct str *out)
{
	(void)self;
	str_addf(out, " by eva (%d)", (int)entry);
}

static void a_page_contains_figures_origins_and_remarks(void **state)
{
	struct figures f = begin();
	struct page p = {0};
	struct canvas c = {.ascii = true};
	struct str text = {0};

	(void)state;
	figure_add_cut(&f, "Proc", 80, figure_join(&f, FIGURE_TIMES, number(&f, 10), number(&f, 8)));
	figure_note_origin(&f, "procweight", "set by entry 7", 7);
	figure_note_origin(&f, "proccap", "default", 0);
	figure_say(&f, "Nobody else comes.");
	figures_tell(&f, add_author, NULL);
	figure_page_put(&p, &f, 90);
	canvas_resize(&c, 90, (int)p.lines);
	page_draw(&p, &c, canvas_rect(&c));
	canvas_dump(&c, &text);
	assert_string_equal(str_text(&text), " Proc 80 = 10 * 8\n"
					     "     procweight: set by entry 7, proccap: default by eva (7)\n"
					     " Nobody else comes.\n");
	str_free(&text);
	canvas_free(&c);
	page_free(&p);
	figures_free(&f);
}

/* --- evaluator ------------------------------------------------------------------------------------ */

static void false_equations_are_detected(void **state)
{
	(void)state;
	assert_true(
		is_true_of("724 = qos 1 * 500 + proc 1 * 1 procs + queuetime 2 * 28.18 min + xfactor 150 * "
			   "1.1174, cut",
			   "724", NOW));
	assert_false(is_true_of("724 = qos 1 * 500 + proc 1 * 1 procs, cut", "724", NOW));
	assert_false(is_true_of("724 = 724.97", "724", NOW));
	assert_false(is_true_of("724 = 724 + (", "724", NOW));
	assert_false(is_true_of("725 = 724.97, cut", "725", NOW));
	assert_true(is_true_of("725 = 724.97, rounded", "725", NOW));
	assert_false(is_true_of("19:44:40 = now 16:02:11 + 3:42:28", "19:44:40", NOW));
	assert_true(is_true_of("6:13h = now 16:02:11 - since 09:49:11, cut", "6:13h", NOW));
	assert_false(is_true_of("6:14h = now 16:02:11 - since 09:49:11, cut", "6:14h", NOW));
	assert_true(is_true_of("2d04h = now 16:02:11 - since Mar22 11:49:11, cut", "2d04h", NOW));
	assert_false(is_true_of("31.79% = 100% * 68 / 216.25, rounded", "31.79%", NOW));
	assert_true(is_true_of("31.79% = 100% * 68.75 / 216.25, rounded", "31.79%", NOW));
}

/* --- digits of numbers ---------------------------------------------------------------------------- */

static void check_number(void (*add)(struct str *out, double value), double value, const char *text)
{
	struct str out = {0};

	add(&out, value);
	assert_string_equal(str_text(&out), text);
	str_free(&out);
}

static void numbers_have_only_significant_digits(void **state)
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
		cmocka_unit_test(operands_have_the_digits_that_the_shown_value_needs),
		cmocka_unit_test(small_operands_keep_significant_digits),
		cmocka_unit_test(brackets_appear_only_where_needed),
		cmocka_unit_test(times_and_durations_can_be_added),
		cmocka_unit_test(joining_with_no_operand_gives_the_other),
		cmocka_unit_test(a_page_contains_figures_origins_and_remarks),
		cmocka_unit_test(false_equations_are_detected),
		cmocka_unit_test(numbers_have_only_significant_digits),
		cmocka_unit_test(small_numbers_are_written_in_full),
		cmocka_unit_test(fixed_numbers_have_two_digits),
		cmocka_unit_test(a_factor_has_the_digits_that_its_product_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
