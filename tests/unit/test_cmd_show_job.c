/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_show_job.c - is all of a job said, and what would be under other rules?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

static void everything_it_asks_for_is_there(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 4,
					 .task_procs = 2,
					 .mem_mb = 512,
					 .user = "eva",
					 .label = "j",
					 .name = "mesh"});
	check_lines(sc, "job j",
		    "job j\nname mesh\nstate Idle\nuser eva\n"
		    "asks for 4 processors for 0:01:40\n"
		    "tasks 2 of 2 processors\n"
		    "memory 512 MB a task\n"
		    "PE 4.00\n");
	check_json(sc, "job j", "\"procs\":4,\"tasks\":2,\"task_procs\":2,\"nodes_asked\":null,");
	scene_free(sc);
}

static void a_hold_says_why(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_add(sc, (struct scene_job){.label = "j"});
	said_done(sc, "hold -s j --reason 'disk is full'");
	check_lines(sc, "job j", "holds system: disk is full\n");
	check_lines(sc, "job j",
		    "Job j is held (system): disk is full; it can start only after a release.\n");
	check_json(sc, "job j", "\"holds\":\"system\",\"hold_reason\":\"disk is full\"");
	scene_free(sc);
}

/* M-05: -l SOFT, HARD and OFF, --flags=future. */
static void policy_levels_are_told_apart(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "user DEFAULT { maxproc = {\"1,2\"} }\n");
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2, .label = "two"});
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 9, .label = "nine"});
	check_lines(sc, "job two -l OFF", "The job can run now where no limits count.\n");
	check_lines(sc, "job two -l HARD",
		    "Job two would bring 2 processors to the 1 in use of user eva: 3 is over the hard limit "
		    "MAXPROC of 2 by "
		    "1; it clears by itself at 00:01:40, in 0:01:40.\n");
	check_lines(sc, "job two --flags=future", "The job can run some day.\n");
	check_lines(sc, "job nine --flags=future",
		    "Job nine never starts: it asks for 9 processors and the machine has 4.\n");
	check_json(sc, "job two -l off", "\"level\":\"off\",\"passes\":true");
	check_refused(sc, "job two -l ON", CMD_USAGE, "policy level 'ON': there are soft, hard and off");
	check_refused(sc, "job two --flags=past", CMD_USAGE,
		      "--flags past: there is only 'future': could the job ever run?");
	scene_free(sc);
}

static void a_node_is_judged_for_it(void **state)
{
	struct scene *sc = scene_new(0, 1);

	(void)state;
	scene_config(sc, "node big { procs = 4  memory = 4096 }\nnode small { procs = 2  memory = 256 }\n");
	scene_add(sc, (struct scene_job){.procs = 3, .wall_s = 500, .mem_mb = 1024});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 3, .mem_mb = 512, .label = "j"});
	check_lines(sc, "job j -n big", "Node big has room: 3 processors for it when empty, 1 now.\n");
	check_lines(sc, "job j -n small",
		    "Node small has too little memory: 0 processors for it when empty, 0 now.\n");
	check_json(sc, "job j -n small",
		   "\"node\":{\"name\":\"small\",\"procs_ever\":0,\"procs_now\":0,"
		   "\"lack\":\"has too little memory\"}");
	check_refused(sc, "job j -n huge", CMD_REFUSED, "there is no node 'huge'; 'kahu node' lists them");
	scene_free(sc);
}

static void another_qos_is_tried_on_a_copy(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "qosweight = 1\nuser DEFAULT { maxproc = {\"1\"} }\nqos hi { priority = 70  "
			 "omaxproc = {\"4\"} }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2, .label = "j"});
	check_lines(sc, "job j", "priority 1\n");
	check_lines(sc, "job j -q hi", "qos hi\n");
	check_lines(sc, "job j -q hi", "priority 70\n");
	check_lines(sc, "job j -q hi -l soft", "The job can run now.\n");
	assert_int_equal(scene_job_of(sc, 1)->cred[CRED_QOS], INDEX_NONE);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_it_asks_for_is_there), cmocka_unit_test(a_hold_says_why),
		cmocka_unit_test(policy_levels_are_told_apart),    cmocka_unit_test(a_node_is_judged_for_it),
		cmocka_unit_test(another_qos_is_tried_on_a_copy),
	};

	return cmocka_run_group_tests_name("cmd_show_job", tests, NULL, NULL);
}
