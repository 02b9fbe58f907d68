/* SPDX-License-Identifier: MIT */
/*
 * test_sliders.c - how do weights move?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "sched/base/option.h"
#include "sched/base/str.h"
#include "tui/views/sliders.h"

static struct sliders s;
static struct policy policy;

static int begin(void **state)
{
	(void)state;
	memset(&s, 0, sizeof s);
	policy_default(&policy);
	policy.weights.factor[PRIO_SERV_XFACTOR] = 100;
	policy.weights.factor[PRIO_SERV_QUEUETIME] = 2;
	policy.weights.factor[PRIO_TARGET_QUEUETIME] = 0.00001;
	policy.weights.factor[PRIO_CRED_USER] = -40;
	sliders_open(&s);
	sliders_update(&s, &policy, false);
	return 0;
}

static int end(void **state)
{
	(void)state;
	sliders_close(&s);
	return 0;
}

static struct slider *slider_of(const char *name)
{
	for (size_t i = 0; i < s.count; i++)
		if (strcmp(s.slider[i].row->name, name) == 0)
			return &s.slider[i];
	fail_msg("there is no slider %s", name);
	return NULL;
}

static void assert_lines(const char *expected)
{
	struct str lines = {0};

	sliders_lines(&s, &lines);
	assert_string_equal(str_text(&lines), expected);
	str_free(&lines);
}

static void every_weight_has_a_slider(void **state)
{
	(void)state;
	assert_int_equal(s.count, PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT);
	assert_int_equal(s.rows, s.count + 2);
}

static void weights_in_use_stand_first(void **state)
{
	(void)state;
	assert_true(slider_of("xfactorweight")->used);
	assert_true(slider_of("serviceweight")->used);
	assert_false(slider_of("procweight")->used);
	assert_false(slider_of("resweight")->used);
	assert_string_equal(s.slider[s.row[1]].row->name, "queuetimeweight");
}

static void nothing_moved_wants_nothing(void **state)
{
	(void)state;
	assert_lines("");
}

static void a_step_is_a_hundredth_of_a_range_about_the_weight(void **state)
{
	struct slider *x = slider_of("xfactorweight");

	(void)state;
	assert_true(x->min == 0 && x->max == 200 && x->step == 2);
	slider_move(x, 1);
	assert_lines("tune xfactorweight 102");
	slider_move(x, 10);
	assert_true(x->wanted == 122);
	slider_move(x, 1000);
	assert_true(x->wanted == 200);
	slider_move(x, -1000);
	assert_true(x->wanted == 0);
}

static void whole_weights_stay_whole(void **state)
{
	struct slider *q = slider_of("queuetimeweight");

	(void)state;
	slider_move(q, 1);
	assert_lines("tune queuetimeweight 3");
}

static void small_fractions_have_small_steps(void **state)
{
	struct slider *t = slider_of("targetqueuetimeweight");

	(void)state;
	assert_true(t->max > 0.00001 && t->max < 0.0001);
	slider_move(t, 1);
	assert_true(t->wanted > 0.00001 && t->wanted < 0.000011);
}

static void negative_weights_reach_below_zero(void **state)
{
	struct slider *u = slider_of("userweight");

	(void)state;
	assert_true(u->min < -40 && u->max > 0);
	slider_move(u, -1);
	assert_lines("tune userweight -41");
}

static void left_takes_back_what_right_did(void **state)
{
	(void)state;
	for (size_t i = 0; i < s.count; i++) {
		slider_move(&s.slider[i], 1);
		slider_move(&s.slider[i], -1);
	}
	assert_lines("");
}

static void several_moved_make_several_lines(void **state)
{
	(void)state;
	slider_move(slider_of("xfactorweight"), -10);
	slider_move(slider_of("procweight"), 5);
	assert_lines("tune xfactorweight 80\ntune procweight 5");
}

static void a_typed_value_may_leave_the_range(void **state)
{
	struct slider *x = slider_of("xfactorweight");
	struct err err;

	(void)state;
	assert_true(slider_read(x, "1234.5", &err));
	assert_true(x->max >= 1234.5);
	assert_lines("tune xfactorweight 1234.5");
	assert_false(slider_read(x, "much", &err));
	assert_true(x->wanted == 1234.5);
}

static void zero_goes_to_the_shipped_default(void **state)
{
	struct slider *x = slider_of("xfactorweight");

	(void)state;
	slider_to_default(x);
	assert_true(x->wanted == 0);
	slider_to_default(slider_of("queuetimeweight"));
	assert_lines("tune queuetimeweight 1\ntune xfactorweight 0");
}

static void what_is_wanted_stays_only_while_it_is_a_draft(void **state)
{
	(void)state;
	slider_move(slider_of("xfactorweight"), 1);
	sliders_update(&s, &policy, true);
	assert_lines("tune xfactorweight 102");
	sliders_update(&s, &policy, false);
	assert_lines("");
}

#define SLIDER_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SLIDER_TEST(every_weight_has_a_slider),
		SLIDER_TEST(weights_in_use_stand_first),
		SLIDER_TEST(nothing_moved_wants_nothing),
		SLIDER_TEST(a_step_is_a_hundredth_of_a_range_about_the_weight),
		SLIDER_TEST(whole_weights_stay_whole),
		SLIDER_TEST(small_fractions_have_small_steps),
		SLIDER_TEST(negative_weights_reach_below_zero),
		SLIDER_TEST(left_takes_back_what_right_did),
		SLIDER_TEST(several_moved_make_several_lines),
		SLIDER_TEST(a_typed_value_may_leave_the_range),
		SLIDER_TEST(zero_goes_to_the_shipped_default),
		SLIDER_TEST(what_is_wanted_stays_only_while_it_is_a_draft),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
