/* SPDX-License-Identifier: MIT */
/*
 * test_priority_factors.c - values of the factors of a job's priority, as in Maui's guide
 *
 * Tests whose names begin with an ID (P_41) use the numbers of that requirement.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/weighed.h"

/* --- credentials, fairshare, resources ----------------------------------------------- */

static void P_41_credentials_add_up(void **state)
{
	static const struct {
		double user, group;
		int64_t sum;
	} row[] = {
		{2000, 10000, 12000}, /* john of staff */
		{-1000, 10000, 9000}, /* paul of staff */
		{2000, 0, 2000},      /* john          */
		{-1000, 0, -1000},    /* paul          */
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct scene s = plain_scene();

		s.policy.allow_negative = true;
		s.policy.weights.factor[PRIO_CRED_USER] = 1;
		s.policy.weights.factor[PRIO_CRED_GROUP] = 1;
		s.creds.priority[CRED_USER] = row[i].user;
		s.creds.priority[CRED_GROUP] = row[i].group;
		assert_true(weighed(&s).sum == (double)row[i].sum);
		assert_int_equal(weighed(&s).rank, row[i].sum);
		assert_true(weighed(&s).component[PRIO_CRED] == (double)row[i].sum);
	}
}

static void P_40_every_kind_of_credential_has_its_weight(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.policy.weights.component[PRIO_CRED] = 2;
	for (unsigned type = 0; type < CRED_TYPE_COUNT; type++) {
		s.policy.weights.factor[PRIO_CRED_USER + type] = 10 * (type + 1);
		s.creds.priority[type] = 100 + type;
	}
	/* 2 * (10*100 + 20*101 + 30*102 + 40*103 + 50*104) */
	assert_int_equal(weighed(&s).rank, 30800);
}

static void P_43_every_fairshare_delta_has_its_weight_and_caps(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.policy.weights.component[PRIO_FS] = 2;
	for (unsigned type = 0; type < CRED_TYPE_COUNT; type++) {
		s.policy.weights.factor[PRIO_FS_USER + type] = 10 * (type + 1);
		s.creds.fs_delta[type] = 0.5 * (type + 1);
	}
	/* 2 * (10*0.5 + 20*1 + 30*1.5 + 40*2 + 50*2.5) */
	assert_true(weighed(&s).sum == 550);
	s.policy.weights.factor_cap[PRIO_FS_CLASS] = 2; /* 25 points less before the component's weight */
	assert_true(weighed(&s).sum == 500);
	s.policy.weights.component_cap[PRIO_FS] = 100;
	assert_true(weighed(&s).sum == 200);
}

static void P_44_fairshare_deltas_are_weighed(void **state)
{
	struct scene s = plain_scene();
	struct prio_result out;

	(void)state;
	s.policy.weights.component[PRIO_FS] = 100;
	s.policy.weights.factor[PRIO_FS_USER] = 10;
	s.policy.weights.factor[PRIO_FS_GROUP] = 20;
	s.policy.weights.factor[PRIO_FS_ACCOUNT] = 30;
	s.policy.weights.factor[PRIO_FS_QOS] = 40;
	s.policy.weights.factor[PRIO_FS_CLASS] = 0;
	s.creds.fs_delta[CRED_USER] = 5;
	s.creds.fs_delta[CRED_ACCOUNT] = -10;
	out = weighed(&s);
	assert_true(out.sum == -25000);
	assert_true(out.weighted[PRIO_FS_USER] == 50);
	assert_true(out.weighted[PRIO_FS_ACCOUNT] == -300);
	assert_int_equal(out.rank, 1);
	assert_true(out.bounded);
}

static void P_47_each_resource_counts_in_its_unit(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.job.nodes = 4;
	s.job.tasks = 12;
	s.job.task_procs = 2;
	s.job.mem_mb = 512;
	s.job.swap_mb = 1024;
	s.job.disk_mb = 100;
	assert_true(measured(&s, PRIO_RES_NODE) == 4);
	assert_true(measured(&s, PRIO_RES_PROC) == 24);
	assert_true(measured(&s, PRIO_RES_MEM) == 6144);
	assert_true(measured(&s, PRIO_RES_SWAP) == 12288);
	assert_true(measured(&s, PRIO_RES_DISK) == 1200);
	assert_true(measured(&s, PRIO_RES_PS) == 86400);
	assert_true(measured(&s, PRIO_RES_WALLTIME) == 3600);
}

static void P_47_caps_apply_before_the_weight_of_the_same_level(void **state)
{
	struct scene s = plain_scene();
	struct prio_result out;

	(void)state;
	s.job.tasks = 50;
	s.policy.weights.component[PRIO_RES] = 3;
	s.policy.weights.component_cap[PRIO_RES] = 150;
	s.policy.weights.factor[PRIO_RES_PROC] = 10;
	s.policy.weights.factor_cap[PRIO_RES_PROC] = 20;
	out = weighed(&s);
	assert_true(out.value[PRIO_RES_PROC] == 50);
	assert_true(out.capped[PRIO_RES_PROC] == 20);
	assert_true(out.weighted[PRIO_RES_PROC] == 200);
	assert_true(out.component[PRIO_RES] == 450); /* 3 * min(150, 200) */
	s.policy.weights.factor_cap[PRIO_RES_PROC] = 0;
	assert_true(weighed(&s).capped[PRIO_RES_PROC] == 50);
}

static void P_07_a_cap_does_not_limit_negative_values(void **state)
{
	struct scene s = with_sum(-5000);

	(void)state;
	s.policy.weights.factor_cap[PRIO_CRED_USER] = 10;
	s.policy.weights.component_cap[PRIO_CRED] = 10;
	assert_true(weighed(&s).sum == -5000);
}

static void P_48_a_quarter_of_the_processors_and_half_the_memory_are_64_equivalents(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.job.tasks = 32;
	s.job.mem_mb = 2000; /* 32 * 2000 of 128000 */
	assert_true(measured(&s, PRIO_RES_PE) == 64);
}

static void P_48_a_resource_that_the_machine_lacks_does_not_count(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.job.tasks = 32;
	s.job.disk_mb = 5000; /* the machine has no disk configured */
	assert_true(measured(&s, PRIO_RES_PE) == 32);
}

static void processor_equivalents_are_those_of_maui(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.world.procs = 16;
	s.world.mem_mb = 10240;
	s.world.disk_mb = 50000;
	s.job.tasks = 2;
	s.job.mem_mb = 2048;
	s.job.disk_mb = 5000;
	assert_near(measured(&s, PRIO_RES_PE), 6.4);
}

/* --- service --------------------------------------------------------------------------- */

static void P_28_queue_time_counts_in_minutes(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	let_wait(&s, 90);
	assert_true(measured(&s, PRIO_SERV_QUEUETIME) == 1.5);
}

static void P_52_the_qtweight_of_a_qos_is_added(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	let_wait(&s, HOUR);
	s.policy.weights.factor[PRIO_SERV_QUEUETIME] = 10;
	assert_int_equal(weighed(&s).rank, 600);
	s.creds.qt_weight = 5000;
	assert_int_equal(weighed(&s).rank, 60 * 5010);
}

static void check_xfactors(int64_t wall_limit_s, const double expected[static 5])
{
	struct scene s = plain_scene();

	s.job.wall_limit_s = wall_limit_s;
	for (int i = 0; i < 5; i++) {
		let_wait(&s, HOUR << i); /* 1, 2, 4, 8, 16 hours */
		assert_true(measured(&s, PRIO_SERV_XFACTOR) == expected[i]);
	}
}

static void P_55_xfactors_of_a_job_of_one_hour(void **state)
{
	(void)state;
	check_xfactors(HOUR, (const double[]){2.00, 3.00, 5.00, 9.00, 17.0});
}

static void P_56_xfactors_of_a_job_of_four_hours(void **state)
{
	(void)state;
	check_xfactors(4 * HOUR, (const double[]){1.25, 1.50, 2.00, 3.00, 5.0});
}

/* The guide calls this a flat xfactor "of 1.0"; by its own formula it is 2. */
static void P_59_a_job_that_has_waited_for_its_time_limit_has_an_xfactor_of_two(void **state)
{
	static const int64_t wall_limit_s[] = {60, 24 * HOUR};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct scene s = plain_scene();

		s.world.xfactor_min_wall_s = 0;
		s.job.wall_limit_s = wall_limit_s[i];
		let_wait(&s, wall_limit_s[i]);
		assert_true(measured(&s, PRIO_SERV_XFACTOR) == 2);
	}
}

static void P_58_short_jobs_have_the_xfactor_of_the_minimum(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.job.wall_limit_s = 60;
	s.world.xfactor_min_wall_s = 600;
	let_wait(&s, 300);
	assert_true(measured(&s, PRIO_SERV_XFACTOR) == 1.5);
	s.world.xfactor_min_wall_s = 0;
	assert_true(measured(&s, PRIO_SERV_XFACTOR) == 6);
}

static void P_60_the_xfweight_of_a_qos_is_added(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.policy.weights.factor[PRIO_SERV_XFACTOR] = 100;
	s.creds.xf_weight = 1000;
	assert_int_equal(weighed(&s).rank, 1100); /* xfactor 1: no queue time yet */
	let_wait(&s, HOUR);
	s.creds.xf_weight = 5000;
	assert_int_equal(weighed(&s).rank, 2 * 5100);
}

static void P_60_the_xfweight_of_a_qos_applies_without_a_weight_of_the_site(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.creds.xf_weight = 5000;
	assert_int_equal(weighed(&s).rank, 5000);
}

static void P_61_each_bypass_by_a_backfilled_job_counts(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.policy.weights.factor[PRIO_SERV_BYPASS] = 7;
	s.job.bypass = 13;
	assert_int_equal(weighed(&s).rank, 91);
}

static void P_66_queue_time_of_4_hours_20_with_weight_20(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.policy.weights.factor[PRIO_SERV_QUEUETIME] = 20;
	let_wait(&s, 4 * HOUR + 20 * 60);
	assert_int_equal(weighed(&s).rank, 5200);
}

static void P_66_a_cap_of_10000_does_not_affect_40_minutes(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.policy.weights.factor[PRIO_SERV_QUEUETIME] = 10;
	s.policy.weights.factor_cap[PRIO_SERV_QUEUETIME] = 10000;
	let_wait(&s, 40 * 60);
	assert_int_equal(weighed(&s).rank, 400);
}

static void P_66_disk_of_12_tasks(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	s.policy.weights.component[PRIO_RES] = 10;
	s.policy.weights.factor[PRIO_RES_DISK] = 100;
	s.job.tasks = 12;
	s.job.disk_mb = 512;
	assert_int_equal(weighed(&s).rank, 6144000);
}

/* --- targets --------------------------------------------------------------------------- */

#define TARGET_S (4 * HOUR)

/* The target factor after this queue time. The target is a queue time of four hours, or an xfactor of 5. */
static double target_after(enum prio_factor f, int64_t waited_s)
{
	struct scene s = plain_scene();

	s.creds.qt_target_s = TARGET_S;
	s.creds.xf_target = 5;
	let_wait(&s, waited_s);
	return measured(&s, f);
}

static const enum prio_factor targets[] = {PRIO_TARGET_QUEUETIME, PRIO_TARGET_XFACTOR};

static void P_64_the_target_factor_is_small_far_from_the_target(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_true(target_after(targets[i], 0) == 1);
		assert_near(target_after(targets[i], TARGET_S / 2), 1e4); /* a ten-thousandth of the target */
	}
}

static void P_64_the_target_factor_is_continuous_at_the_target(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		double at = target_after(targets[i], TARGET_S);

		assert_near(at, 1e8);
		/* the steepest growth per second is ln(1e8) / target */
		assert_true(at - target_after(targets[i], TARGET_S - 1) < 1e8 * 18.5 / (double)TARGET_S);
		assert_true(target_after(targets[i], TARGET_S + 1) - at < 1e8 * 18.5 / (double)TARGET_S);
	}
}

static void P_64_the_target_factor_grows_strictly_before_and_after_the_target(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++)
		for (int64_t s = 0; s < 3 * TARGET_S; s += 60)
			assert_true(target_after(targets[i], s + 60) > target_after(targets[i], s));
}

static void P_64_before_the_target_the_factor_is_multiplied_at_a_constant_rate(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++)
		for (int64_t s = 0; s < TARGET_S; s += TARGET_S / 8)
			assert_near(target_after(targets[i], s + TARGET_S / 8) / target_after(targets[i], s),
				    10);
}

static void P_64_after_the_target_the_factor_grows_linearly(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++)
		for (int64_t s = TARGET_S; s < 4 * TARGET_S; s += TARGET_S)
			assert_near(target_after(targets[i], s + TARGET_S) - target_after(targets[i], s),
				    1e8);
}

static void P_63_without_a_target_there_is_no_factor(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	let_wait(&s, 100 * HOUR);
	assert_true(measured(&s, PRIO_TARGET_QUEUETIME) == 0);
	assert_true(measured(&s, PRIO_TARGET_XFACTOR) == 0);
}

/* --- usage ------------------------------------------------------------------------------- */

static struct scene running_for(int64_t seconds)
{
	struct scene s = plain_scene();

	s.job.state = JOB_RUNNING;
	s.job.tasks = 4;
	s.job.start_s = NOON - seconds;
	s.job.accrual_s = s.job.start_s - 600;
	return s;
}

static void P_65_usage_of_a_running_job(void **state)
{
	struct scene s = running_for(900);

	(void)state;
	assert_true(measured(&s, PRIO_USAGE_CONSUMED) == 3600);
	assert_true(measured(&s, PRIO_USAGE_REMAINING) == 10800);
	assert_true(measured(&s, PRIO_USAGE_PERCENT) == 25);
	assert_true(measured(&s, PRIO_USAGE_EXECUTION) == 900);
}

static void P_65_a_job_past_its_limit_has_nothing_remaining(void **state)
{
	struct scene s = running_for(2 * HOUR);

	(void)state;
	assert_true(measured(&s, PRIO_USAGE_REMAINING) == 0);
	assert_true(measured(&s, PRIO_USAGE_PERCENT) == 200);
}

static void P_65_an_idle_job_has_no_usage(void **state)
{
	struct scene s = plain_scene();

	(void)state;
	let_wait(&s, HOUR);
	for (enum prio_factor f = PRIO_USAGE_CONSUMED; f < PRIO_FACTOR_COUNT; f++)
		assert_true(measured(&s, f) == 0);
}

static void a_running_job_keeps_its_queue_time_at_the_start(void **state)
{
	struct scene s = running_for(900);

	(void)state;
	assert_true(measured(&s, PRIO_SERV_QUEUETIME) == 10);
	s.world.now_s += HOUR;
	assert_true(measured(&s, PRIO_SERV_QUEUETIME) == 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(P_41_credentials_add_up),
		cmocka_unit_test(P_40_every_kind_of_credential_has_its_weight),
		cmocka_unit_test(P_43_every_fairshare_delta_has_its_weight_and_caps),
		cmocka_unit_test(P_44_fairshare_deltas_are_weighed),
		cmocka_unit_test(P_47_each_resource_counts_in_its_unit),
		cmocka_unit_test(P_47_caps_apply_before_the_weight_of_the_same_level),
		cmocka_unit_test(P_07_a_cap_does_not_limit_negative_values),
		cmocka_unit_test(P_48_a_quarter_of_the_processors_and_half_the_memory_are_64_equivalents),
		cmocka_unit_test(P_48_a_resource_that_the_machine_lacks_does_not_count),
		cmocka_unit_test(processor_equivalents_are_those_of_maui),
		cmocka_unit_test(P_28_queue_time_counts_in_minutes),
		cmocka_unit_test(P_52_the_qtweight_of_a_qos_is_added),
		cmocka_unit_test(P_55_xfactors_of_a_job_of_one_hour),
		cmocka_unit_test(P_56_xfactors_of_a_job_of_four_hours),
		cmocka_unit_test(P_59_a_job_that_has_waited_for_its_time_limit_has_an_xfactor_of_two),
		cmocka_unit_test(P_58_short_jobs_have_the_xfactor_of_the_minimum),
		cmocka_unit_test(P_60_the_xfweight_of_a_qos_is_added),
		cmocka_unit_test(P_60_the_xfweight_of_a_qos_applies_without_a_weight_of_the_site),
		cmocka_unit_test(P_61_each_bypass_by_a_backfilled_job_counts),
		cmocka_unit_test(P_66_queue_time_of_4_hours_20_with_weight_20),
		cmocka_unit_test(P_66_a_cap_of_10000_does_not_affect_40_minutes),
		cmocka_unit_test(P_66_disk_of_12_tasks),
		cmocka_unit_test(P_64_the_target_factor_is_small_far_from_the_target),
		cmocka_unit_test(P_64_the_target_factor_is_continuous_at_the_target),
		cmocka_unit_test(P_64_the_target_factor_grows_strictly_before_and_after_the_target),
		cmocka_unit_test(P_64_before_the_target_the_factor_is_multiplied_at_a_constant_rate),
		cmocka_unit_test(P_64_after_the_target_the_factor_grows_linearly),
		cmocka_unit_test(P_63_without_a_target_there_is_no_factor),
		cmocka_unit_test(P_65_usage_of_a_running_job),
		cmocka_unit_test(P_65_a_job_past_its_limit_has_nothing_remaining),
		cmocka_unit_test(P_65_an_idle_job_has_no_usage),
		cmocka_unit_test(a_running_job_keeps_its_queue_time_at_the_start),
	};

	return cmocka_run_group_tests_name("priority_factors", tests, NULL, NULL);
}
