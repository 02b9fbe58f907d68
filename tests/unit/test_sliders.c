/* SPDX-License-Identifier: MIT */
/*
 * test_sliders.c - ranges, steps and values of sliders
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "sched/base/option.h"
#include "sched/base/str.h"
#include "tui/screen/sliders.h"

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
	sliders_open(&s, SLIDERS_ORDER);
	sliders_update(&s, &policy, NULL, NULL);
	return 0;
}

static int begin_fairshare(void **state)
{
	(void)state;
	memset(&s, 0, sizeof s);
	policy_default(&policy);
	policy.fs_policy = FS_DEDICATEDPS;
	policy.fs_interval_s = 43200;
	policy.fs_depth = 4;
	policy.fs_decay = 0.5;
	sliders_open(&s, SLIDERS_FAIRSHARE);
	sliders_update(&s, &policy, NULL, NULL);
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

/* Compares the commands that would set the moved sliders' values. */
static void assert_lines(const char *expected)
{
	struct str lines = {0};

	for (size_t i = 0; i < s.count; i++) {
		if (!slider_is_moved(&s.slider[i]))
			continue;
		str_addf(&lines, "%stune %s ", lines.len > 0 ? "\n" : "", s.slider[i].row->name);
		slider_add_wanted(&s.slider[i], &lines);
	}
	assert_string_equal(str_text(&lines), expected);
	str_free(&lines);
}

static void every_weight_has_a_slider(void **state)
{
	(void)state;
	assert_int_equal(s.count, PRIO_COMPONENT_COUNT + PRIO_FACTOR_COUNT + 1);
	assert_int_equal(s.rows, s.count + 3);
}

static void weights_in_use_are_listed_first(void **state)
{
	(void)state;
	assert_int_equal(slider_of("xfactorweight")->part, 0);
	assert_int_equal(slider_of("serviceweight")->part, 0);
	assert_int_equal(slider_of("nodeallocationpolicy")->part, 1);
	assert_int_equal(slider_of("procweight")->part, 2);
	assert_int_equal(slider_of("resweight")->part, 2);
	assert_string_equal(s.slider[s.row[1]].row->name, "queuetimeweight");
}

static void unmoved_sliders_give_no_commands(void **state)
{
	(void)state;
	assert_lines("");
}

static void a_step_is_a_hundredth_of_the_range_around_the_weight(void **state)
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

static void a_step_back_restores_the_value(void **state)
{
	(void)state;
	for (size_t i = 0; i < s.count; i++) {
		slider_move(&s.slider[i], 1);
		slider_move(&s.slider[i], -1);
	}
	assert_lines("");
}

static void each_moved_slider_gives_a_command(void **state)
{
	(void)state;
	slider_move(slider_of("xfactorweight"), -10);
	slider_move(slider_of("procweight"), 5);
	assert_lines("tune xfactorweight 80\ntune procweight 5");
}

static void a_typed_value_may_exceed_the_range(void **state)
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

static void slider_to_default_restores_the_shipped_default(void **state)
{
	struct slider *x = slider_of("xfactorweight");

	(void)state;
	slider_to_default(x);
	assert_true(x->wanted == 0);
	slider_to_default(slider_of("queuetimeweight"));
	assert_lines("tune queuetimeweight 1\ntune xfactorweight 0");
}

static const char *drafted(const void *self, const char *name)
{
	return strcmp(name, self) == 0 ? "102" : NULL;
}

static void sliders_show_the_values_of_the_draft(void **state)
{
	(void)state;
	slider_move(slider_of("xfactorweight"), 3);
	sliders_update(&s, &policy, drafted, "xfactorweight");
	assert_lines("tune xfactorweight 102");
	sliders_update(&s, &policy, drafted, "procweight");
	assert_lines("tune procweight 102");
	sliders_update(&s, &policy, NULL, NULL);
	assert_lines("");
}

/* --- choices, times, counts, fractions --------------------------------------------------- */

static void a_choice_moves_word_by_word_and_stops_at_the_ends(void **state)
{
	struct slider *n = slider_of("nodeallocationpolicy");

	(void)state;
	slider_move(n, 1);
	assert_lines("tune nodeallocationpolicy firstavailable");
	slider_move(n, -10);
	assert_lines("");
	slider_move(n, 100);
	assert_lines("tune nodeallocationpolicy local");
	slider_to_default(n);
	assert_lines("");
}

static void a_choice_can_be_typed(void **state)
{
	struct slider *n = slider_of("nodeallocationpolicy");
	struct err err;

	(void)state;
	assert_true(slider_read(n, "MinResource", &err));
	assert_lines("tune nodeallocationpolicy minresource");
	assert_false(slider_read(n, "any", &err));
}

static void fairshare_has_its_four_settings(void **state)
{
	(void)state;
	assert_int_equal(s.count, 4);
	assert_int_equal(s.rows, 5);
	assert_lines("");
}

static void the_percent_variant_is_a_step_of_fspolicy(void **state)
{
	struct slider *p = slider_of("fspolicy");

	(void)state;
	slider_move(p, 3);
	assert_lines("tune fspolicy dedicatedps%");
	slider_move(p, -10);
	assert_lines("tune fspolicy none");
}

static void intervals_move_by_hours(void **state)
{
	struct slider *i = slider_of("fsinterval");

	(void)state;
	slider_move(i, -4);
	assert_lines("tune fsinterval 8:00:00");
	slider_move(i, -100);
	assert_lines("tune fsinterval 1:00:00");
	slider_move(i, 1000);
	assert_lines("tune fsinterval 1:00:00:00");
}

static void fsdepth_stays_within_its_valid_range(void **state)
{
	struct slider *d = slider_of("fsdepth");

	(void)state;
	slider_move(d, 1);
	assert_lines("tune fsdepth 5");
	slider_move(d, 100);
	assert_lines("tune fsdepth 32");
	slider_move(d, -100);
	assert_lines("tune fsdepth 1");
}

static void fsdecay_moves_by_exact_twentieths(void **state)
{
	struct slider *d = slider_of("fsdecay");

	(void)state;
	slider_move(d, 7);
	assert_lines("tune fsdecay 0.85");
	slider_move(d, 10);
	assert_lines("tune fsdecay 1");
	slider_move(d, -100);
	assert_lines("tune fsdecay 0");
}

static void slider_put_rounds_to_whole_steps(void **state)
{
	struct slider *d = slider_of("fsdecay");

	(void)state;
	slider_put(d, 0.71);
	assert_lines("tune fsdecay 0.7");
	slider_put(d, 0);
	assert_lines("tune fsdecay 0");
	slider_put(d, 1);
	assert_lines("tune fsdecay 1");
	slider_put(slider_of("fspolicy"), 1);
	assert_lines("tune fsdecay 1");
}

#define SLIDER_TEST(test)    cmocka_unit_test_setup_teardown(test, begin, end)
#define FAIRSHARE_TEST(test) cmocka_unit_test_setup_teardown(test, begin_fairshare, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SLIDER_TEST(every_weight_has_a_slider),
		SLIDER_TEST(weights_in_use_are_listed_first),
		SLIDER_TEST(unmoved_sliders_give_no_commands),
		SLIDER_TEST(a_step_is_a_hundredth_of_the_range_around_the_weight),
		SLIDER_TEST(whole_weights_stay_whole),
		SLIDER_TEST(small_fractions_have_small_steps),
		SLIDER_TEST(negative_weights_reach_below_zero),
		SLIDER_TEST(a_step_back_restores_the_value),
		SLIDER_TEST(each_moved_slider_gives_a_command),
		SLIDER_TEST(a_typed_value_may_exceed_the_range),
		SLIDER_TEST(slider_to_default_restores_the_shipped_default),
		SLIDER_TEST(sliders_show_the_values_of_the_draft),
		SLIDER_TEST(a_choice_moves_word_by_word_and_stops_at_the_ends),
		SLIDER_TEST(a_choice_can_be_typed),
		FAIRSHARE_TEST(fairshare_has_its_four_settings),
		FAIRSHARE_TEST(the_percent_variant_is_a_step_of_fspolicy),
		FAIRSHARE_TEST(intervals_move_by_hours),
		FAIRSHARE_TEST(fsdepth_stays_within_its_valid_range),
		FAIRSHARE_TEST(fsdecay_moves_by_exact_twentieths),
		FAIRSHARE_TEST(slider_put_rounds_to_whole_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
