/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_set.c - are attributes of jobs changed by name?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

static void attributes_are_set_by_name(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_config(sc, "qos hi { priority = 5 }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .label = "j"});
	said_done(sc, "set j walltime=2:00:00 mem=512mb priority=+20");
	check_lines(sc, "job j", "asks for 2 processors for 2:00:00\nmemory 512 MB a task\n");
	assert_int_equal(scene_job_of(sc, 1)->points, 20);
	said_done(sc, "setqos hi j");
	check_lines(sc, "job j", "qos hi\n");
	said_done(sc, "modify j starttime=+1:00:00");
	assert_int_equal(scene_job_of(sc, 1)->not_before_s, sc->now_s + 3600);
	said_done(sc, "set j starttime=none");
	assert_true(scene_job_of(sc, 1)->not_before_s == TIME_NONE);
	scene_free(sc);
}

static void what_cannot_be_set_is_named(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 2, .label = "j"});
	check_refused(sc, "set j colour=red", CMD_USAGE,
		      "set colour: of a waiting job there are priority, walltime, starttime, qos, partition, "
		      "nodes, tpn, mem, "
		      "swap, disk, gres, features, prefer, hosts, access, nallocpolicy, throttle, "
		      "depend");
	check_refused(sc, "set j", CMD_USAGE, "set what? usage: set JOB... priority=+50");
	check_refused(sc, "set j starttime=soon", CMD_USAGE,
		      "\"soon\" is not a time: write 16:30, 2026-03-24T16:30, +2:00:00 (from now) or seconds "
		      "since 1970");
	scene_free(sc);
}

/* The original: 0 takes an operator's priority away. */
static void setspri_0_is_none(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.label = "j"});
	said_done(sc, "setspri 5 j");
	assert_int_equal(scene_job_of(sc, 1)->adjust, JOB_ADJUST_ABSOLUTE);
	said_done(sc, "setspri 0 j");
	assert_int_equal(scene_job_of(sc, 1)->adjust, JOB_ADJUST_NONE);
	said_done(sc, "setspri -r 20 -w job=j");
	assert_int_equal(scene_job_of(sc, 1)->adjust, JOB_ADJUST_RELATIVE);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_are_set_by_name),
		cmocka_unit_test(what_cannot_be_set_is_named),
		cmocka_unit_test(setspri_0_is_none),
	};

	return cmocka_run_group_tests_name("cmd_set", tests, NULL, NULL);
}
