/* SPDX-License-Identifier: MIT */
/*
 * test_priority_report.c - the formula of a priority, and the origin of its numbers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "looking.h"
#include "tests/evaluator.h"
#include "tui/report/priority_report.h"

/* --- formula -------------------------------------------------------------------------------- */

static void check_line(const char *config, struct scene_job job, const char *expected)
{
	struct scene *sc = scene_new(2, 8);
	struct looking l;
	const struct plan_query *o;
	struct figures figures = {0};
	struct str line = {0}, text = {0};

	scene_config(sc, config);
	scene_submit(sc, 16, 3000);
	scene_pass(sc);
	job.procs = 8;
	job.wall_s = 1000;
	scene_add(sc, job);
	scene_pass(sc);
	scene_go(sc, 1000);
	scene_pass(sc);
	o = looking_begin(&l, sc, NULL);
	formula_line(&o->live, forecast_job(&o->live, 2, NULL), &line);
	assert_string_equal(str_text(&line), expected);
	figures_clear(&figures, o->now_s);
	formula_sum(&figures, &o->live, forecast_job(&o->live, 2, NULL), "PRIO");
	figure_text(&figures, &figures.item[0], &text);
	if (!is_true_of(str_text(&text), figure_word(&figures, figures.item[0].shown), o->now_s))
		fail_msg("%s is not true", str_text(&text));
	figures_free(&figures);
	str_free(&text);
	str_free(&line);
	looking_end(&l);
	scene_free(sc);
}

static void the_formula_adds_up_to_the_priority(void **state)
{
	(void)state;
	check_line("queuetimeweight = 1000\nprocweight = 10\n", (struct scene_job){.user = "eva"},
		   "16746 = proc 10 * 8 procs + queuetime 1000 * 16.6667 min");
	check_line("userweight = 1\nxfactorweight = 0.5\nuser eva { priority = -40 }\n"
		   "enablenegjobpriority = true\n",
		   (struct scene_job){.user = "eva"},
		   "-22 = user 1 * -40 + queuetime 1 * 16.67 min + xfactor 0.5 * 2");
}

static void weights_added_by_a_qos_are_in_the_formula(void **state)
{
	(void)state;
	check_line("queuetimeweight = 0\nxfactorweight = 100\nqos hi { xfweight = 50 qtweight = 3 }\n",
		   (struct scene_job){.user = "eva", .qos = "hi"},
		   "350 = queuetime 3 * 16.67 min + xfactor 150 * 2");
}

static void the_weight_of_a_component_is_written_before_its_factors(void **state)
{
	(void)state;
	check_line("serviceweight = 100\nqueuetimeweight = 10\nxfactorweight = 7\nprocweight = 2\n",
		   (struct scene_job){.user = "eva"},
		   "18082 = proc 2 * 8 procs + serv 100 * (queuetime 10 * 16.6667 min + xfactor 7 * 2)");
}

static void caps_are_in_the_formula_where_they_apply(void **state)
{
	(void)state;
	check_line("queuetimeweight = 10\nqueuetimecap = 12.5\n", (struct scene_job){.user = "eva"},
		   "125 = queuetime 10 * least(16.67 min, cap 12.5)");
	check_line("queuetimeweight = 10\nprocweight = 1\nservicecap = 100\n",
		   (struct scene_job){.user = "eva"},
		   "108 = proc 1 * 8 procs + least(queuetime 10 * 16.67 min, cap 100)");
}

/* --- points --------------------------------------------------------------------------------- */

static void points_of_factors_add_up_to_the_priority(void **state)
{
	struct prio_weights w;
	struct prio_result r = {.weighted = {0}};
	double points[PRIO_FACTOR_COUNT], sum = 0;

	(void)state;
	prio_weights_default(&w);
	w.component[PRIO_SERV] = 3;
	w.component[PRIO_FS] = 100;
	r.weighted[PRIO_SERV_QUEUETIME] = 40;
	r.weighted[PRIO_SERV_XFACTOR] = 10;
	w.component_cap[PRIO_SERV] = 25;
	r.weighted[PRIO_FS_USER] = -67.9;
	formula_points(&w, &r, points);
	assert_true(fabs(points[PRIO_SERV_QUEUETIME] - 60) < 1e-9);
	assert_true(fabs(points[PRIO_SERV_XFACTOR] - 15) < 1e-9);
	assert_true(fabs(points[PRIO_FS_USER] + 6790) < 1e-9);
	for (int f = 0; f < PRIO_FACTOR_COUNT; f++)
		sum += points[f];
	assert_true(fabs(sum - (75 - 6790)) < 1e-9);
}

static void factors_that_cancel_each_other_still_have_their_points(void **state)
{
	struct prio_weights w;
	struct prio_result r = {.weighted = {0}};
	double points[PRIO_FACTOR_COUNT];

	(void)state;
	prio_weights_default(&w);
	w.component[PRIO_CRED] = 2;
	r.weighted[PRIO_CRED_USER] = 30;
	r.weighted[PRIO_CRED_QOS] = -30;
	formula_points(&w, &r, points);
	assert_true(points[PRIO_CRED_USER] == 60);
	assert_true(points[PRIO_CRED_QOS] == -60);
}

/* --- origin of numbers ------------------------------------------------------------------------ */

static void check_note(const struct figures *figures, const char *title, const char *expected)
{
	for (size_t i = 0; i < figures->count; i++)
		if (strcmp(figure_word(figures, figures->item[i].title), title) == 0) {
			assert_string_equal(figure_word(figures, figures->item[i].note), expected);
			return;
		}
	fail_msg("no factor %s", title);
}

/* The origin of a credential's priority is its own line, or that of DEFAULT if it has none, except for a QOS.
 */
static void the_origin_of_a_credential_priority_is_named(void **state)
{
	struct scene *sc = scene_new(2, 8);
	struct looking l;
	const struct plan_query *o;
	struct figures figures = {0};

	(void)state;
	scene_config(sc, "userweight = 1\ngroupweight = 2\naccountweight = 3\n"
			 "user DEFAULT { priority = 40 }\n"
			 "group DEFAULT { priority = 50 }\n"
			 "group staff { priority = 60 }\n"
			 "account DEFAULT { priority = 70 }\n"
			 "qosweight = 4\n"
			 "qos DEFAULT { priority = 80 }\n"
			 "qos fast { qtweight = 1 }\n"
			 "user eva { fstarget = \"10\" qlist = {\"fast\", \"DEFAULT\"} }\n");
	scene_add(sc, (struct scene_job){.procs = 8, .user = "eva", .group = "staff"});
	scene_add(sc, (struct scene_job){.procs = 8, .user = "eva", .qos = "fast"});
	o = looking_begin(&l, sc, NULL);
	figures_clear(&figures, o->now_s);
	formula_factors(&figures, &o->live, forecast_job(&o->live, 1, NULL), FORMULA_POINTS);
	check_note(&figures, "User", "userweight: kahu.conf:1, user[DEFAULT].priority: kahu.conf:4");
	check_note(&figures, "Group", "groupweight: kahu.conf:2, group[staff].priority: kahu.conf:6");
	check_note(&figures, "Accnt", "accountweight: kahu.conf:3, account[DEFAULT].priority: kahu.conf:7");
	check_note(&figures, "QOS", "qosweight: kahu.conf:8, qos[DEFAULT].priority: kahu.conf:9");
	figures_clear(&figures, o->now_s);
	formula_idle_factors(&figures, &o->live, forecast_job(&o->live, 2, NULL), FORMULA_POINTS);
	check_note(&figures, "QOS", "qosweight: kahu.conf:8, qos[fast].priority: default");
	figures_free(&figures);
	looking_end(&l);
	scene_free(sc);
}

/* --- bounds and adjustments by operators ------------------------------------------------------ */

static void check_adjusted(const char *config, enum job_adjust adjust, int64_t points, const char *expected)
{
	struct scene *sc = scene_new(2, 8);
	struct looking l;
	const struct plan_query *o;
	struct str line = {0};

	scene_config(sc, config);
	scene_submit(sc, 8, 1000);
	if (adjust != JOB_ADJUST_NONE)
		scene_priority(sc, 1, adjust, points);
	o = looking_begin(&l, sc, NULL);
	formula_line(&o->live, forecast_job(&o->live, 1, NULL), &line);
	assert_string_equal(str_text(&line), expected);
	str_free(&line);
	looking_end(&l);
	scene_free(sc);
}

static void bounds_and_operator_adjustments_are_in_the_formula(void **state)
{
	(void)state;
	check_adjusted("procweight = 10\n", JOB_ADJUST_RELATIVE, -7,
		       "73 = proc 10 * 8 procs + -7 [relative priority]");
	check_adjusted("procweight = 10\n", JOB_ADJUST_ABSOLUTE, 5,
		       "1000000005 = 1000000000 + 5 [set by an operator]");
	check_adjusted("procweight = -10\nrejectnegpriojobs = false\n", JOB_ADJUST_NONE, 0,
		       "1 = most(proc -10 * 8 procs, 1)");
	check_adjusted("procweight = 1000000000\n", JOB_ADJUST_NONE, 0,
		       "1000000000 = least(proc 1000000000 * 8 procs, 1000000000)");
	check_adjusted("queuetimeweight = 0\n", JOB_ADJUST_NONE, 0, "1 = most(0, 1)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_formula_adds_up_to_the_priority),
		cmocka_unit_test(weights_added_by_a_qos_are_in_the_formula),
		cmocka_unit_test(the_weight_of_a_component_is_written_before_its_factors),
		cmocka_unit_test(caps_are_in_the_formula_where_they_apply),
		cmocka_unit_test(points_of_factors_add_up_to_the_priority),
		cmocka_unit_test(factors_that_cancel_each_other_still_have_their_points),
		cmocka_unit_test(the_origin_of_a_credential_priority_is_named),
		cmocka_unit_test(bounds_and_operator_adjustments_are_in_the_formula),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
