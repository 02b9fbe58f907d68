/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_job_control.c - verbs that act on jobs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

/* --- hold and cancel ------------------------------------------------------------------------------ */

static void a_hold_has_a_reason_until_it_is_released(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_add(sc, (struct scene_job){.label = "j"});
	said_done(sc, "hold j --reason 'until Monday'");
	assert_string_equal(snapshot_string(scene_view(sc), scene_job_of(sc, 1)->hold_reason),
			    "until Monday");
	said_done(sc, "release j");
	assert_int_equal(scene_job_of(sc, 1)->holds, 0);
	assert_int_equal(scene_job_of(sc, 1)->hold_reason, 0);
	scene_free(sc);
}

static void cancel_removes_idle_jobs_at_once_and_marks_running_ones(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_add(sc, (struct scene_job){.user = "bob"});
	said_done(sc, "canceljob -w user=eva");
	assert_true(scene_job_of(sc, 1)->flags & JOB_CANCELLED);
	assert_int_equal(snapshot_find_job(scene_view(sc), 2), INDEX_NONE);
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_IDLE);
	check_refused(sc, "cancel -w user=eva", CMD_REFUSED,
		      "the change does not apply to any of the jobs that match 'user=eva'");
	check_refused(sc, "cancel", CMD_USAGE,
		      "no job given; name one, a range such as 12-15, or -w 'user=eva state=idle'");
	scene_free(sc);
}

/* --- start ---------------------------------------------------------------------------------------- */

static void a_forced_start_exceeds_limits_and_reservations_with_a_warning(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "user eva { maxjob = {\"1\"} }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 100, .user = "eva"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 100, .user = "bob", .label = "all"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 500, .user = "eva", .label = "more"});
	check_lines(sc, "start more",
		    "overrides: Job more would add 1 job to the 1 in use by user eva: 2 is over the hard "
		    "limit MAXJOB of 1 "
		    "by 1; it clears by itself at 00:01:40, in 0:01:40.\n");
	check_lines(sc, "start more",
		    "overrides: Job more would run 0:06:40 into the reservation of job all at 00:01:40, "
		    "which leaves it 0 of "
		    "its 2 processors.\n");
	said_done(sc, "runjob more");
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_RUNNING);
	check_refused(sc, "start more", CMD_REFUSED, "job more is already running");
	check_refused(sc, "start all", CMD_REFUSED,
		      "job all cannot start now: it needs 4 processors, and 0 usable ones are free");
	scene_free(sc);
}

static void start_accepts_a_list_of_nodes(void **state)
{
	struct scene *sc = scene_new(3, 2);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 2, .label = "j"});
	check_refused(sc, "start j -n n009", CMD_REFUSED, "hosts: there is no node n009");
	said_done(sc, "start j -n n002");
	check_lines(sc, "job j", "nodes n002*2\n");
	scene_free(sc);
}

/* --- set ------------------------------------------------------------------------------------------ */

static void attributes_are_set_by_name(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_config(sc, "qos hi { priority = 5 }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .label = "j"});
	said_done(sc, "set j walltime=2:00:00 mem=512mb priority=+20");
	check_lines(sc, "job j", "asks for 2 processors for 2:00:00\nmemory 512 MB per task\n");
	assert_int_equal(scene_job_of(sc, 1)->points, 20);
	said_done(sc, "setqos hi j");
	check_lines(sc, "job j", "qos hi\n");
	said_done(sc, "modify j starttime=+1:00:00");
	assert_int_equal(scene_job_of(sc, 1)->not_before_s, sc->now_s + 3600);
	said_done(sc, "set j starttime=none");
	assert_true(scene_job_of(sc, 1)->not_before_s == TIME_NONE);
	scene_free(sc);
}

static void an_unknown_attribute_or_value_is_reported(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 2, .label = "j"});
	check_refused(sc, "set j colour=red", CMD_USAGE,
		      "set colour: unknown attribute; attributes are priority, walltime, starttime, qos, "
		      "partition, "
		      "nodes, tpn, mem, "
		      "swap, disk, gres, features, prefer, hosts, access, nallocpolicy, throttle, "
		      "depend");
	check_refused(sc, "set j", CMD_USAGE, "set: no attribute given; usage: set JOB... NAME=VALUE");
	check_refused(sc, "set j starttime=soon", CMD_USAGE,
		      "\"soon\" is not a time: write 16:30, 2026-03-24T16:30, +2:00:00 (from now) or seconds "
		      "since 1970");
	scene_free(sc);
}

/* As in the original: 0 removes an operator's priority. */
static void setspri_0_removes_the_priority(void **state)
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
		cmocka_unit_test(a_hold_has_a_reason_until_it_is_released),
		cmocka_unit_test(cancel_removes_idle_jobs_at_once_and_marks_running_ones),
		cmocka_unit_test(a_forced_start_exceeds_limits_and_reservations_with_a_warning),
		cmocka_unit_test(start_accepts_a_list_of_nodes),
		cmocka_unit_test(attributes_are_set_by_name),
		cmocka_unit_test(an_unknown_attribute_or_value_is_reported),
		cmocka_unit_test(setspri_0_removes_the_priority),
	};

	return cmocka_run_group_tests_name("cmd_job_control", tests, NULL, NULL);
}
