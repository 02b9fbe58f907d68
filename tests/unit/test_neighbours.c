/* SPDX-License-Identifier: MIT */
/*
 * test_neighbours.c - neighbours in the queue, in one line and as figures
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/evaluator.h"
#include "tui/query/neighbours.h"
#include "two_neighbours.h"

/* --- weights at which a job swaps with its neighbours -------------------------------------------------- */

static void check_line(struct found *f, enum neighbour_side side, int width, enum role role,
		       const char *expected)
{
	str_clear(&f->text);
	assert_int_equal(neighbours_line(&f->neighbours, side, width, &f->text), role);
	assert_string_equal(str_text(&f->text), expected);
}

static const char basic_config[] = "queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 30\n"
				   "enablenegjobpriority = true\n"
				   "user eva { priority = 1200 }\n";

static void lines_show_the_weights_at_which_neighbours_swap(void **state)
{
	struct found f;

	(void)state;
	/* 100 w against 1200 + 40 w, equal at 20; 3000 against 1200 u + 1200, equal at 1.5 */
	find(&f, bob_and_eva(basic_config), 2);
	check_line(&f, NEIGHBOUR_BELOW, 80, ROLE_TEXT, "Swaps with 3 if: walltime < 20 | user > 1");
	check_line(&f, NEIGHBOUR_ABOVE, 80, ROLE_DIM, "This job is already first.");
	forget(&f);
	find(&f, bob_and_eva(basic_config), 3);
	check_line(&f, NEIGHBOUR_ABOVE, 80, ROLE_TEXT, "Passes 2 if: walltime < 20 | user > 1");
	check_line(&f, NEIGHBOUR_BELOW, 80, ROLE_DIM, "No competing job below this job.");
	forget(&f);
}

static void a_weight_that_never_helps_is_reported_as_such(void **state)
{
	struct found f;

	(void)state;
	find(&f,
	     bob_and_eva("queuetimeweight = 1\nuserweight = 1\nwalltimeweight = 30\n"
			 "enablenegjobpriority = true\nuser eva { priority = 1200 }\n"),
	     2);
	check_line(&f, NEIGHBOUR_BELOW, 80, ROLE_TEXT,
		   "Swaps with 3 if: walltime < 20 | user > 1 | never by queuetime");
	forget(&f);
	find(&f, bob_and_eva("queuetimeweight = 0\n"), 2);
	check_line(&f, NEIGHBOUR_BELOW, 80, ROLE_WARNING,
		   "Tied with 3, which has a higher ID; swaps if: never: no weight is in use");
	forget(&f);
}

static void a_tie_at_a_priority_limit_is_not_a_swap(void **state)
{
	struct found f;

	(void)state;
	/* With weight 0 both have the minimum priority, with a large one the maximum. Job 2 is first because
	 * of its ID. */
	find(&f, bob_and_eva("queuetimeweight = 0\nprocweight = 10\n"), 2);
	check_line(&f, NEIGHBOUR_ABOVE, 80, ROLE_TEXT, "Passes 3 if: never by proc");
	forget(&f);
	/* 100 w - 10 u against 40 w + 1000 u: at u = 0 both have the minimum priority; job 2 exceeds it below
	 * u = -100. */
	find(&f,
	     bob_and_eva("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = -10\n"
			 "user bob { priority = -10 }\nuser eva { priority = 1000 }\n"),
	     2);
	check_line(&f, NEIGHBOUR_ABOVE, 80, ROLE_TEXT, "Passes 3 if: walltime > 16 | user < -100");
	forget(&f);
}

static void values_that_do_not_fit_are_counted(void **state)
{
	struct found f;

	(void)state;
	find(&f, bob_and_eva(basic_config), 2);
	check_line(&f, NEIGHBOUR_BELOW, 40, ROLE_TEXT, "Swaps with 3 if: walltime < 20 | +1 more");
	check_line(&f, NEIGHBOUR_BELOW, 28, ROLE_TEXT, "Swaps with 3 if: +2 more");
	forget(&f);
}

static void an_order_that_a_small_change_reverses_is_marked_fragile(void **state)
{
	struct found f;

	(void)state;
	find(&f,
	     bob_and_eva("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 2001\n"
			 "enablenegjobpriority = true\nuser eva { priority = 119990 }\n"),
	     2);
	check_line(&f, NEIGHBOUR_BELOW, 80, ROLE_WARNING,
		   "Swaps with 3 if: walltime < 2000 (fragile: -0.1%) | user > 1");
	forget(&f);
}

static void a_tie_is_shown_with_what_breaks_it(void **state)
{
	struct scene *sc = full_machine("queuetimeweight = 0\nprocweight = 10\n");
	struct found f;

	(void)state;
	scene_submit(sc, 2, 100);
	scene_go(sc, 50);
	scene_submit(sc, 2, 100);
	find(&f, sc, 2);
	assert_true(f.neighbours.at[NEIGHBOUR_BELOW].tied);
	check_line(&f, NEIGHBOUR_BELOW, 80, ROLE_WARNING,
		   "Tied with 3, submitted later; swaps if: never by proc");
	neighbours_find(&f.neighbours, f.neighbours.f, f.neighbours.at[NEIGHBOUR_BELOW].slot);
	check_line(&f, NEIGHBOUR_ABOVE, 80, ROLE_WARNING,
		   "Tied with 2, submitted first; passes if: never by proc");
	forget(&f);
}

static void a_job_that_waits_for_other_nodes_is_not_a_neighbour(void **state)
{
	struct scene *sc = full_machine("queuetimeweight = 0\nprocweight = 10\n"
					"enablenegjobpriority = true\n"
					"partition day { procweight = 10 }\npartition night { }\n");
	struct found f;

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 4, .partition = "day"});
	scene_add(sc, (struct scene_job){.procs = 3, .partition = "night"});
	scene_add(sc, (struct scene_job){.procs = 2, .partition = "day"});
	scene_submit(sc, 1, 100);
	find(&f, sc, 2);
	check_line(&f, NEIGHBOUR_BELOW, 80, ROLE_TEXT, "Swaps with 4 if of partition day: proc < 0");
	neighbours_find(&f.neighbours, f.neighbours.f, f.neighbours.at[NEIGHBOUR_BELOW].slot);
	check_line(&f, NEIGHBOUR_ABOVE, 80, ROLE_TEXT, "Passes 2 if of partition day: proc < 0");
	/* The weight of the site does not apply to partition day, which has its own. */
	check_line(&f, NEIGHBOUR_BELOW, 80, ROLE_TEXT, "Swaps with 5 if of partition day: proc < 5");
	neighbours_find(&f.neighbours, f.neighbours.f, f.neighbours.at[NEIGHBOUR_BELOW].slot);
	check_line(&f, NEIGHBOUR_ABOVE, 80, ROLE_TEXT, "Passes 4 if: proc > 20");
	forget(&f);
}

static void the_effect_of_one_hour_of_waiting_is_shown(void **state)
{
	struct scene *sc = full_machine("queuetimeweight = 1\nxfactorweight = 10\nprocweight = 100\n");
	struct found f;

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 7200});
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 100});
	find(&f, sc, 3);
	neighbours_hour_line(&f.neighbours, 80, &f.text);
	assert_string_equal(str_text(&f.text),
			    "In 1 h: 210 -> 570 (queuetime +60, xfactor +300); by then ahead of 2");
	str_clear(&f.text);
	neighbours_find(&f.neighbours, f.neighbours.f, f.neighbours.at[NEIGHBOUR_ABOVE].slot);
	neighbours_hour_line(&f.neighbours, 80, &f.text);
	assert_string_equal(str_text(&f.text),
			    "In 1 h: 410 -> 475 (queuetime +60, xfactor +5); by then 3 is ahead");
	str_clear(&f.text);
	neighbours_hour_line(&f.neighbours, 60, &f.text);
	assert_string_equal(str_text(&f.text), "In 1 h: 410 -> 475 (+2 more); by then 3 is ahead");
	forget(&f);
}

/* --- figures ------------------------------------------------------------------------------------------- */

static void a_running_job_has_no_neighbours(void **state)
{
	struct found f;
	struct figures figures = {0};

	(void)state;
	find(&f, bob_and_eva("queuetimeweight = 0\nuserweight = 1\n"), 1);
	assert_false(f.neighbours.waits);
	neighbours_figures(&figures, &f.neighbours);
	assert_int_equal(figures.count, 0);
	figures_free(&figures);
	forget(&f);
}

/* Checks the shown value of the figure with this title, and that its expression yields that value. */
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

static void each_number_in_the_lines_has_a_figure(void **state)
{
	struct figures figures = {0};
	struct found f;

	(void)state;
	find(&f,
	     bob_and_eva("queuetimeweight = 2\nuserweight = 1\nwalltimeweight = 2001\n"
			 "enablenegjobpriority = true\nuser eva { priority = 119990 }\n"),
	     2);
	figures_clear(&figures, f.sc->now_s);
	neighbours_figures(&figures, &f.neighbours);
	check_figure(&f, &figures, "3 walltime <", "2000");
	check_figure(&f, &figures, "3 fragile", "-0.1%");
	check_figure(&f, &figures, "3 user >", "1");
	check_figure(&f, &figures, "queuetime in 1 h", "+120");
	check_figure(&f, &figures, "IN 1 H", "200220");
	figures_free(&figures);
	forget(&f);
}

static void a_value_beyond_a_cap_is_shown_with_the_points_of_both_jobs(void **state)
{
	struct figures figures = {0};
	struct found f;

	(void)state;
	/* The cap of 1500 limits job 2 from a weight of 15 on, and job 3 from 37.5 on. */
	find(&f,
	     bob_and_eva("queuetimeweight = 0\nuserweight = 1\nwalltimeweight = 10\nrescap = 1500\n"
			 "user eva { priority = 500 }\n"),
	     2);
	figures_clear(&figures, f.sc->now_s);
	neighbours_figures(&figures, &f.neighbours);
	assert_int_equal(neighbours_line(&f.neighbours, NEIGHBOUR_BELOW, 80, &f.text), ROLE_TEXT);
	assert_string_equal(str_text(&f.text), "Swaps with 3 if: walltime -12..8 or > 25 | user > 1");
	assert_int_equal(figures.item[1].part, FIGURE_NONE);
	assert_string_equal(
		figure_word(&figures, figures.item[1].title),
		"3 walltime > 25: found by trying all nearby values; at 26 the two jobs have 1500 and 1540 "
		"points.");
	figures_free(&figures);
	forget(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_show_the_weights_at_which_neighbours_swap),
		cmocka_unit_test(a_weight_that_never_helps_is_reported_as_such),
		cmocka_unit_test(a_tie_at_a_priority_limit_is_not_a_swap),
		cmocka_unit_test(values_that_do_not_fit_are_counted),
		cmocka_unit_test(an_order_that_a_small_change_reverses_is_marked_fragile),
		cmocka_unit_test(a_tie_is_shown_with_what_breaks_it),
		cmocka_unit_test(a_job_that_waits_for_other_nodes_is_not_a_neighbour),
		cmocka_unit_test(the_effect_of_one_hour_of_waiting_is_shown),
		cmocka_unit_test(a_running_job_has_no_neighbours),
		cmocka_unit_test(each_number_in_the_lines_has_a_figure),
		cmocka_unit_test(a_value_beyond_a_cap_is_shown_with_the_points_of_both_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
