/* SPDX-License-Identifier: MIT */
/*
 * test_whatif_sight.c - origin of the numbers of the What-if screen
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "looking.h"
#include "tests/evaluator.h"
#include "tui/query/projection_query.h"
#include "tui/screen/whatif_sight.h"

/* A projected queue, with or without a draft, and the figures shown for it. */
struct sight_fixture {
	struct looking l;
	struct projection_query *f;
	struct whatif_sight sight;
	struct figures figures;
};

static struct whatif_future future_of(const struct forecast *f, const struct projected *a)
{
	return (struct whatif_future){
		.f = f, .start_s = a->run.start_s, .end_s = a->run.end_s, .tier = FUTURE_FULL};
}

static void see(struct sight_fixture *v, struct scene *sc, const char *draft)
{
	*v = (struct sight_fixture){.f = NULL};
	looking_begin(&v->l, sc, draft);
	v->l.o->holders++; /* released by looking_end */
	v->f = projection_query_new(v->l.o, NULL, NULL);
	assert_true(projection_query_build(v->f));
	v->sight = (struct whatif_sight){
		.o = v->l.o, .w = &v->f->compared, .tier = FUTURE_FULL, .comparing = draft != NULL};
	v->sight.live = v->sight.draft = future_of(&v->l.o->live, v->f->live);
	if (draft)
		v->sight.draft = future_of(&v->l.o->draft, v->f->draft);
	figures_clear(&v->figures, v->l.o->now_s);
}

static void end(struct sight_fixture *v, struct scene *sc)
{
	figures_free(&v->figures);
	projection_query_free(v->f);
	looking_end(&v->l);
	scene_free(sc);
}

/* Checks the text "shown = expression" of the figure with this title, and that the equation is true. */
static void expect(const struct sight_fixture *v, const char *title, const char *expected)
{
	struct str text = {0};

	for (size_t i = 0; i < v->figures.count; i++) {
		const struct figure *figure = &v->figures.item[i];

		if (figure->part == FIGURE_NONE ||
		    strcmp(figure_word(&v->figures, figure->title), title) != 0)
			continue;
		figure_text(&v->figures, figure, &text);
		assert_string_equal(str_text(&text), expected);
		if (!is_true_of(str_text(&text), figure_word(&v->figures, figure->shown), v->figures.now_s))
			fail_msg("%s is not true", str_text(&text));
		str_free(&text);
		return;
	}
	fail_msg("nothing is said of %s", title);
}

static bool says(const struct sight_fixture *v, const char *words)
{
	for (size_t i = 0; i < v->figures.count; i++)
		if (v->figures.item[i].part == FIGURE_NONE &&
		    strstr(figure_word(&v->figures, v->figures.item[i].title), words))
			return true;
	return false;
}

/* Two processors: job 1 uses both until 100 s, jobs 2 and 3 wait for both in this order, job 4 is held. */
static struct scene *queue(void)
{
	struct scene *sc = scene_new(1, 2);

	scene_config(sc, "queuetimeweight = 1\n");
	scene_submit(sc, 2, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .procs = 2, .wall_s = 300});
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2, .wall_s = 100});
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 1, .holds = JOB_HOLD_USER});
	return sc;
}

static void a_start_is_explained_by_the_end_of_another_job_in_each_future(void **state)
{
	struct scene *sc = queue();
	struct sight_fixture v;

	(void)state;
	see(&v, sc, "set 3 priority=10");
	whatif_figures_job(&v.figures, &v.sight, 3);
	expect(&v, "LIVE", "00:06:40 = start 00:01:40 + limit 0:05:00 [2]");
	expect(&v, "DRAFT", "00:01:40 = started 00:00:00 + limit 0:01:40 [1]");
	expect(&v, "CHANGE", "-0:05:00 = after 00:01:40 - before 00:06:40");
	expect(&v, "RANK", "2 = 1 + 1 jobs ahead");
	expect(&v, "RANK AFTER", "1 = 1 + 0 jobs ahead");
	end(&v, sc);
}

static void without_a_draft_there_is_one_start(void **state)
{
	struct scene *sc = queue();
	struct sight_fixture v;

	(void)state;
	see(&v, sc, NULL);
	whatif_figures_job(&v.figures, &v.sight, 2);
	expect(&v, "START", "00:01:40 = started 00:00:00 + limit 0:01:40 [1]");
	expect(&v, "WAIT", "0:01:40 = start 00:01:40 - submitted 00:00:00");
	end(&v, sc);
}

static void a_job_without_a_start_has_an_explanation(void **state)
{
	struct scene *sc = queue();
	struct sight_fixture v;

	(void)state;
	see(&v, sc, "set 3 priority=10");
	whatif_figures_job(&v.figures, &v.sight, 4);
	assert_true(says(&v, "The job does not start in the projection"));
	assert_true(says(&v, "With the draft, the job does not start"));
	assert_true(says(&v, "is held"));
	figures_clear(&v.figures, 0);
	whatif_figures_job(&v.figures, &v.sight, 99);
	assert_true(says(&v, "No job under"));
	end(&v, sc);
}

static void totals_are_sums_over_the_jobs_that_start_in_both(void **state)
{
	struct scene *sc = queue();
	struct sight_fixture v;

	(void)state;
	see(&v, sc, "set 3 priority=10");
	whatif_figures_totals(&v.figures, &v.sight);
	expect(&v, "jobs that start", "2 = 3 waiting - 1 without a start");
	expect(&v, "mean wait", "0:04:10 = (400 s [3] + 100 s [2]) / 2 jobs");
	expect(&v, "mean wait DRAFT", "0:02:30 = (200 s [2] + 100 s [3]) / 2 jobs");
	expect(&v, "max wait", "0:06:40 = start 00:06:40 [3] - submitted 00:00:00");
	expect(&v, "max wait DRAFT", "0:03:20 = start 00:03:20 [2] - submitted 00:00:00");
	expect(&v, "mean xfactor", "3.17 = (5 [3] + 1.33 [2]) / 2 jobs, rounded");
	expect(&v, "last start", "00:06:40 = start 00:06:40 [3]");
	expect(&v, "used until then",
	       "100.0% = 100 * used 800 s / (2 procs * (last 00:06:40 - now 00:00:00))");
	expect(&v, "jobs delayed DRAFT", "1 = 1 [2]");
	expect(&v, "worst delay DRAFT", "+0:01:40 = after 00:03:20 [2] - before 00:01:40");
	expect(&v, "earlier", "1 = 1 [3]");
	expect(&v, "change rank", "2 = 1 [2] + 1 [3]");
	end(&v, sc);
}

static void figures_of_a_group_cover_only_its_jobs(void **state)
{
	struct scene *sc = queue();
	struct sight_fixture v;
	const struct whatif_group *eva = NULL;

	(void)state;
	see(&v, sc, "set 3 priority=10");
	for (size_t i = 0; i < v.sight.w->groups; i++)
		if (strcmp(snapshot_string(v.sight.live.f->s,
					   snapshot_creds(v.sight.live.f->s)[v.sight.w->group[i].cred].name),
			   "eva") == 0)
			eva = &v.sight.w->group[i];
	assert_non_null(eva);
	whatif_figures_group(&v.figures, &v.sight, eva);
	expect(&v, "JOBS", "1 = 1");
	expect(&v, "MEAN WAIT", "0:06:40 = 400 s [3] / 1 jobs");
	expect(&v, "MEAN WAIT DRAFT", "0:01:40 = 100 s [3] / 1 jobs");
	expect(&v, "MEAN XF", "5.00 = 5 [3] / 1 jobs");
	expect(&v, "EARLIER", "1 = 1 [3]");
	expect(&v, "LATER", "0 = 0");
	end(&v, sc);
}

static void sums_of_many_jobs_name_the_largest(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct sight_fixture v;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	for (int i = 0; i < 9; i++)
		scene_submit(sc, 1, 100);
	see(&v, sc, NULL);
	whatif_figures_totals(&v.figures, &v.sight);
	expect(&v, "mean wait",
	       "0:08:20 = (900 s [10] + 800 s [9] + 700 s [8] + 600 s [7] + 500 s [6] + 400 s [5] + 600 s [3 "
	       "others]) / 9 jobs");
	end(&v, sc);
}

static void the_projection_tier_is_named(void **state)
{
	struct scene *sc = queue();
	struct sight_fixture v;

	(void)state;
	see(&v, sc, NULL);
	whatif_figures_tier(&v.figures, &v.sight, ASSUME_MEDIAN);
	assert_true(says(&v, "full projection, usual run times"));
	v.sight.tier = FUTURE_INSTANT;
	whatif_figures_tier(&v.figures, &v.sight, ASSUME_MEDIAN);
	assert_true(says(&v, "instant plan"));
	end(&v, sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_start_is_explained_by_the_end_of_another_job_in_each_future),
		cmocka_unit_test(without_a_draft_there_is_one_start),
		cmocka_unit_test(a_job_without_a_start_has_an_explanation),
		cmocka_unit_test(totals_are_sums_over_the_jobs_that_start_in_both),
		cmocka_unit_test(figures_of_a_group_cover_only_its_jobs),
		cmocka_unit_test(sums_of_many_jobs_name_the_largest),
		cmocka_unit_test(the_projection_tier_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
