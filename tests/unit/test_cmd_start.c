/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_start.c - does an operator start what fits, knowing what he oversteps?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

static void a_job_starts_past_limits_and_promises(void **state)
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
		    "overstepped: Job more would bring 1 job to the 1 in use of user eva: 2 is over the hard "
		    "limit MAXJOB of 1 "
		    "by 1; it clears by itself at 00:01:40, in 0:01:40.\n");
	check_lines(sc, "start more",
		    "overstepped: Job more would run 0:06:40 into the reservation of job all at 00:01:40, "
		    "which leaves it 0 of "
		    "its 2 processors.\n");
	said_done(sc, "runjob more");
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_RUNNING);
	check_refused(sc, "start more", CMD_REFUSED, "job more runs already");
	check_refused(sc, "start all", CMD_REFUSED,
		      "job all cannot start now: it needs 4 processors, and 0 that it could use are free");
	scene_free(sc);
}

static void nodes_can_be_named(void **state)
{
	struct scene *sc = scene_new(3, 2);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 2, .label = "j"});
	check_refused(sc, "start j -n n009", CMD_REFUSED, "hosts: there is no node n009");
	said_done(sc, "start j -n n002");
	check_lines(sc, "job j", "nodes n002*2\n");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_starts_past_limits_and_promises),
		cmocka_unit_test(nodes_can_be_named),
	};

	return cmocka_run_group_tests_name("cmd_start", tests, NULL, NULL);
}
