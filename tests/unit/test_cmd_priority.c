/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_priority.c - has the table of priorities the numbers of the original?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

/*
 * M-04: the sample of the original's manual. Priority 1814 is 0.58 % queue time, 55.32 % xfactor and
 * 44.10 % resources: 5.25 minutes in the queue weigh 10.5, the expansion factor of a job of
 * 1500 minutes 1003.5, its processor 800.
 */
static void the_manuals_sample_is_taken_apart(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_config(sc, "queuetimeweight = 2\nxfactorweight = 1000\nprocweight = 800\n");
	scene_submit(sc, 1, 100000);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.wall_s = 90000, .label = "fr8n01.1260.0"});
	scene_go(sc, sc->now_s + 315);
	check_lines(sc, "priority",
		    "Job PRIORITY res( Proc) serv(QTime: XFctr)\n"
		    "Weights -------- 1( 800) 1( 2: 1000)\n"
		    "fr8n01.1260.0 1814 44.1(800.0) 55.9( 10.5:1003.5)\n"
		    "Percent -------- 44.1( 44.1) 55.9( 0.6: 55.3)\n");
	check_json(sc, "priority", "\"priority\":1814,\"sum\":1814,\"bounded\":false");
	check_json(sc, "priority",
		   "\"QUEUETIME\":{\"value\":5.25,\"capped\":5.25,\"weighted\":10.5,\"percent\":0.5788");
	check_json(sc, "priority", ",\"percent\":55.319");
	check_json(sc, "priority", "\"PROC\":{\"value\":1,\"capped\":1,\"weighted\":800,\"percent\":44.101");
	scene_free(sc);
}

/* Credentials stand as they are set, other factors as points, both weights in them (cases 01 and 05). */
static void both_weights_are_in_the_points(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nenablenegjobpriority = true\ncredweight = 2\nuserweight = 10\n"
			 "resweight = 3\nprocweight = 5\nuser bob { priority = -50 }\n");
	scene_submit(sc, 2, 1000);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .user = "bob", .label = "j"});
	check_lines(sc, "priority", "j -970 97.1(-50.0) 2.9(30.0)\n");
	scene_free(sc);
}

/* P-06: the sum is printed, and the number that ranks the job where that is another. */
static void a_bound_is_marked_and_shows_the_rank(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nuserweight = 1\nuser bob { priority = -50 }\n");
	scene_submit(sc, 2, 1000);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .label = "low"});
	scene_add(sc, (struct scene_job){.user = "bob", .label = "set"});
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 5);
	check_lines(sc, "priority",
		    "set -50* 1000000005! 100.0(-50.0)\n"
		    "low -50 1! 100.0(-50.0)\n");
	check_json(sc, "priority -w job=low", "\"priority\":1,\"sum\":-50,\"bounded\":true,\"system\":null");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_manuals_sample_is_taken_apart),
		cmocka_unit_test(both_weights_are_in_the_points),
		cmocka_unit_test(a_bound_is_marked_and_shows_the_rank),
	};

	return cmocka_run_group_tests_name("cmd_priority", tests, NULL, NULL);
}
