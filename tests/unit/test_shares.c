/* SPDX-License-Identifier: MIT */
/*
 * test_shares.c - values of the fairshare report and screen
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/shares.h"
#include "tui/report/shares.h"

/* The example of user John in the guide (F-23), in processor-hours: 60, 0, 10, 50 of 110, 125, 100, 150. */
static struct site *johns_site(double target, enum fs_mode mode)
{
	static const int64_t used[] = {60, 0, 10, 50}, total[] = {110, 125, 100, 150};
	struct site *s = new_site(12 * HOUR, 4, 0.5);

	for (int64_t i = 0; i < 4; i++) {
		had_used(s, CRED_USER, "john", i, used[i] * HOUR);
		had_used_in_all(s, i, total[i] * HOUR);
	}
	set_target(s, CRED_USER, "john", target, mode);
	return s;
}

static void a_metric_is_named_without_its_percent_sign(void **state)
{
	(void)state;
	assert_string_equal(shares_metric_name(FS_NONE), "NONE");
	assert_string_equal(shares_metric_name(FS_DEDICATEDPS), "DEDICATEDPS");
	assert_string_equal(shares_metric_name(FS_DEDICATEDPS_PERCENT), "DEDICATEDPS");
	assert_string_equal(shares_metric_name(FS_DEDICATEDPES_PERCENT), "DEDICATEDPES");
	assert_string_equal(shares_metric_name(FS_UTILIZEDPS_PERCENT), "UTILIZEDPS");
}

static void each_kind_of_target_has_its_sign(void **state)
{
	(void)state;
	assert_int_equal(shares_suffix(FS_NO_TARGET), ' ');
	assert_int_equal(shares_suffix(FS_TARGET), ' ');
	assert_int_equal(shares_suffix(FS_FLOOR), '+');
	assert_int_equal(shares_suffix(FS_CEILING), '-');
	assert_int_equal(shares_suffix(FS_CAP_ABSOLUTE), '^');
	assert_int_equal(shares_suffix(FS_CAP_RELATIVE), '%');
}

static void credentials_with_a_target_or_usage_are_shown(void **state)
{
	struct site *s = johns_site(25, FS_TARGET);

	(void)state;
	set_target(s, CRED_USER, "kim", 5, FS_FLOOR);
	had_used(s, CRED_USER, "eva", 0, 1);
	(void)cred_of(s, CRED_USER, "bob");
	assert_true(shares_is_shown(share_of(s, CRED_USER, "john")));
	assert_true(shares_is_shown(share_of(s, CRED_USER, "kim")));
	assert_true(shares_is_shown(share_of(s, CRED_USER, "eva")));
	assert_false(shares_is_shown(share_of(s, CRED_USER, "bob")));
	free_site(s);
}

static void a_young_window_is_as_busy_as_the_previous_one(void **state)
{
	struct site *s = new_site(12 * HOUR, 4, 0.5);

	(void)state;
	had_used_in_all(s, 1, 100);
	assert_near(shares_busy_window(built(s)), 100);
	had_used_in_all(s, 0, 49);
	assert_near(shares_busy_window(built(s)), 100);
	had_used_in_all(s, 0, 1);
	assert_near(shares_busy_window(built(s)), 50);
	s->policy.fs_depth = 1;
	assert_near(shares_busy_window(built(s)), 50);
	free_site(s);
}

static void the_effect_of_a_target_is_its_distance_times_the_weights(void **state)
{
	struct site *s = johns_site(25, FS_TARGET);
	struct prio_weights w;

	(void)state;
	prio_weights_default(&w);
	assert_near(shares_effect(&w, CRED_USER, share_of(s, CRED_USER, "john")), 0);
	w.component[PRIO_FS] = 100;
	w.factor[PRIO_FS_USER] = 10;
	assert_printed("%.2f", shares_effect(&w, CRED_USER, share_of(s, CRED_USER, "john")), "-6791.91");
	free_site(s);
}

static void caps_of_factor_and_component_limit_the_effect(void **state)
{
	struct site *s = johns_site(50, FS_TARGET); /* usage is 18.208 points below the target */
	struct prio_weights w;

	(void)state;
	prio_weights_default(&w);
	w.component[PRIO_FS] = 2;
	w.factor[PRIO_FS_USER] = 10;
	w.factor_cap[PRIO_FS_USER] = 12;
	assert_near(shares_effect(&w, CRED_USER, share_of(s, CRED_USER, "john")), 240);
	w.component_cap[PRIO_FS] = 100;
	assert_near(shares_effect(&w, CRED_USER, share_of(s, CRED_USER, "john")), 200);
	free_site(s);
}

static void a_cap_is_reached_at_its_value(void **state)
{
	static const double usage = 68.75 * 3600; /* decayed usage of John */
	struct site *s = johns_site(usage, FS_CAP_ABSOLUTE);

	(void)state;
	assert_true(shares_cap_is_reached(share_of(s, CRED_USER, "john")));
	set_target(s, CRED_USER, "john", usage + 1, FS_CAP_ABSOLUTE);
	assert_false(shares_cap_is_reached(share_of(s, CRED_USER, "john")));
	set_target(s, CRED_USER, "john", 31.79, FS_CAP_RELATIVE);
	assert_true(shares_cap_is_reached(share_of(s, CRED_USER, "john")));
	set_target(s, CRED_USER, "john", 31.8, FS_CAP_RELATIVE);
	assert_false(shares_cap_is_reached(share_of(s, CRED_USER, "john")));
	set_target(s, CRED_USER, "john", 1, FS_CEILING);
	assert_false(shares_cap_is_reached(share_of(s, CRED_USER, "john")));
	free_site(s);
}

static void sums_add_up_if_every_job_has_a_credential_of_the_type(void **state)
{
	struct site *s = new_site(12 * HOUR, 4, 0.5);

	(void)state;
	had_used(s, CRED_USER, "john", 0, 60);
	had_used(s, CRED_USER, "eva", 0, 50);
	had_used(s, CRED_USER, "eva", 3, 10);
	had_used(s, CRED_GROUP, "staff", 0, 110);
	had_used_in_all(s, 0, 110);
	had_used_in_all(s, 3, 10);
	assert_true(shares_add_up(built(s), s->cred, CRED_USER));
	assert_false(shares_add_up(built(s), s->cred, CRED_GROUP));
	s->policy.fs_depth = 3; /* windows beyond the depth are not compared */
	assert_true(shares_add_up(built(s), s->cred, CRED_GROUP));
	assert_false(shares_add_up(built(s), s->cred, CRED_QOS));
	free_site(s);
}

static void a_target_stays_within_0_and_100_and_keeps_its_kind(void **state)
{
	static const struct {
		double target, after;
		enum fs_mode mode, mode_after;
		int points;
	} row[] = {
		{0, 10, FS_NO_TARGET, FS_TARGET, 10},
		{0, -10, FS_NO_TARGET, FS_NO_TARGET, -10},
		{15, 25, FS_CEILING, FS_CEILING, 10},
		{95, 100, FS_FLOOR, FS_FLOOR, 10},
		{10, 0, FS_TARGET, FS_NO_TARGET, -10},
		{1.5, 11.5, FS_CAP_RELATIVE, FS_CAP_RELATIVE, 10},
		{50000, 45000, FS_CAP_ABSOLUTE, FS_CAP_ABSOLUTE, -10},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct cred_attr attr = {.fs_target = row[i].target, .fs_mode = (uint8_t)row[i].mode};

		shares_move_target(&attr, row[i].points);
		assert_int_equal(attr.fs_mode, row[i].mode_after);
		if (attr.fs_mode != FS_NO_TARGET)
			assert_float_equal(attr.fs_target, row[i].after, 1e-9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_metric_is_named_without_its_percent_sign),
		cmocka_unit_test(each_kind_of_target_has_its_sign),
		cmocka_unit_test(credentials_with_a_target_or_usage_are_shown),
		cmocka_unit_test(a_young_window_is_as_busy_as_the_previous_one),
		cmocka_unit_test(the_effect_of_a_target_is_its_distance_times_the_weights),
		cmocka_unit_test(caps_of_factor_and_component_limit_the_effect),
		cmocka_unit_test(a_cap_is_reached_at_its_value),
		cmocka_unit_test(a_target_stays_within_0_and_100_and_keeps_its_kind),
		cmocka_unit_test(sums_add_up_if_every_job_has_a_credential_of_the_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
