/* SPDX-License-Identifier: MIT */
/*
 * test_rivals_figures.c - does what is told of two jobs that change places follow from its figures?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "rivalry.h"
#include "tests/evaluator.h"
#include "tui/query/rivals_figures.h"
#include "tui/query/rivals_line.h"

static void who_does_not_stand_in_the_order_has_no_rivals(void **state)
{
	struct found f;
	struct figures figures = {0};

	(void)state;
	find(&f, bob_and_eva("queuetimeweight = 0\nuserweight = 1\n"), 1);
	assert_false(f.rivals.waits);
	rivals_figures(&figures, &f.rivals);
	assert_int_equal(figures.count, 0);
	figures_free(&figures);
	forget(&f);
}

/* The title and what it shows, as the lines have it; the expression gives it. */
static void check_figure(const struct found *f, const struct figures *figures, const char *title,
			 const char *shown)
{
	struct str text = {0};
	size_t i = 0;

	while (i < figures->count && strcmp(figure_word(figures, figures->item[i].title), title) != 0)
		i++;
	if (i == figures->count)
		fail_msg("nothing is said of %s", title);
	assert_string_equal(figure_word(figures, figures->item[i].shown), shown);
	figure_text(figures, &figures->item[i], &text);
	if (!is_true_of(str_text(&text), shown, f->sc->now_s))
		fail_msg("%s is %s, but \"%s\"", title, shown, str_text(&text));
	str_free(&text);
}

static void each_number_of_the_lines_has_its_figure(void **state)
{
	struct figures figures = {0};
	struct found f;

	(void)state;
	find(&f,
	     bob_and_eva("queuetimeweight = 2\nuserweight = 1\nwalltimeweight = 2001\n"
			 "enablenegjobpriority = true\nuser eva { priority = 119990 }\n"),
	     2);
	figures_clear(&figures, f.sc->now_s);
	rivals_figures(&figures, &f.rivals);
	check_figure(&f, &figures, "3 walltime <", "2000");
	check_figure(&f, &figures, "3 fragile", "-0.1%");
	check_figure(&f, &figures, "3 user >", "1");
	check_figure(&f, &figures, "queuetime in 1 h", "+120");
	check_figure(&f, &figures, "IN 1 H", "200220");
	figures_free(&figures);
	forget(&f);
}

static void a_value_behind_a_bend_is_told_with_what_both_have_there(void **state)
{
	struct figures figures = {0};
	struct found f;

	(void)state;
	/* From 15 on job 2 gives 1500 and no more, from 37.5 on job 3 likewise. */
	find(&f,
	     bob_and_eva("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 10\nrescap = 1500\n"
			 "user eva { priority = 500 }\n"),
	     2);
	figures_clear(&figures, f.sc->now_s);
	rivals_figures(&figures, &f.rivals);
	assert_int_equal(rivals_line(&f.rivals, RIVAL_BELOW, 80, &f.text), ROLE_TEXT);
	assert_string_equal(str_text(&f.text), "Swaps with 3 if: walltime -12..8 or > 25 | user > 1");
	assert_int_equal(figures.item[1].part, FIGURE_NONE);
	assert_string_equal(figure_word(&figures, figures.item[1].title),
			    "3 walltime > 25: every value near by was tried; at 26 they have 1500 and 1540 "
			    "points.");
	figures_free(&figures);
	forget(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_does_not_stand_in_the_order_has_no_rivals),
		cmocka_unit_test(each_number_of_the_lines_has_its_figure),
		cmocka_unit_test(a_value_behind_a_bend_is_told_with_what_both_have_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
