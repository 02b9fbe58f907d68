/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_node.c - is it said of every node what is left of it?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

static struct scene *nodes(void)
{
	struct scene *sc = scene_new(0, 1);

	scene_config(sc, "nodeallocationpolicy = \"priority\"\n"
			 "node DEFAULT { priorityf = \"APROCS + 10 * SPEED\" }\n"
			 "node a { procs = 4  memory = 4096  speed = 2  features = {\"fast\", \"tape\"}  "
			 "gres = {\"gpu:2\"} }\n"
			 "node b { procs = 2  memory = 1024 }\n");
	scene_add(sc, (struct scene_job){.procs = 3, .mem_mb = 100, .user = "eva", .label = "j"});
	scene_pass(sc);
	return sc;
}

static void a_line_is_free_of_configured(void **state)
{
	struct scene *sc = nodes();

	(void)state;
	check_lines(sc, "node",
		    "NODE STATE PROCS MEMORY DISK SWAP SPEED PAR LOAD JOBS PRIORITY GRES CLASSES FEATURES\n"
		    "a Running 1:4 3796:4096 - - 2.00 ALL - 1 21.00 2:2 gpu any fast tape\n"
		    "b Idle 2:2 1024:1024 - - 1.00 ALL - 0 12.00 - any -\n"
		    "----- --- 3:6 4820:5120 - -\n"
		    "Total Nodes: 2 (Active: 1 Idle: 1)\n");
	scene_free(sc);
}

static void one_node_is_described(void **state)
{
	struct scene *sc = nodes();

	(void)state;
	check_lines(sc, "checknode a",
		    "node a\nstate Running\n"
		    "configured PROCS: 4 MEM: 4096M\n"
		    "dedicated PROCS: 3 MEM: 300M\n"
		    "generic gpu:2\ngeneric free gpu:2\n");
	check_lines(sc, "node a", "priority 21.00 = APROCS + 10 * SPEED\njobs j*3\n");
	check_json(sc, "node a",
		   "\"procs\":{\"free\":1,\"configured\":4},\"mem_mb\":{\"free\":3796,\"configured\":4096}");
	check_json(sc, "node a", "\"jobs\":[{\"job\":\"j\",\"procs\":3}]");
	check_refused(sc, "node c", CMD_REFUSED, "there is no node 'c'; 'kahu node' lists them");
	scene_free(sc);
}

static void a_drained_node_keeps_its_jobs_and_gets_no_more(void **state)
{
	struct scene *sc = nodes();
	uint64_t undone;

	(void)state;
	said_done(sc, "node drain a");
	undone = scene_view(sc)->seq;
	scene_add(sc, (struct scene_job){.procs = 1, .label = "k"});
	scene_add(sc, (struct scene_job){.procs = 2, .label = "l"});
	scene_pass(sc);
	check_lines(sc, "node", "a Draining 1:4 3796:4096 - - 2.00 ALL - 1 21.00 2:2 gpu any fast tape\n");
	check_lines(sc, "node b", "jobs k*1\n");
	check_lines(sc, "why l",
		    "Job l does not start now: it needs 2 processors and 1 is free: 1 short; most other "
		    "nodes are drained.\n");
	scene_end(sc, 1);
	scene_pass(sc);
	check_lines(sc, "node a", "state Drained\n");
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_IDLE);
	scene_end(sc, 2);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_RUNNING);
	scene_add(sc, (struct scene_job){.procs = 4, .label = "m"});
	scene_pass(sc);
	scene_undo(sc, undone);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 4)->state, JOB_RUNNING);
	check_refused(sc, "node drain c", CMD_REFUSED, "there is no node 'c'; 'kahu node' lists them");
	check_refused(sc, "node undrain", CMD_USAGE,
		      "node undrain: which nodes? usage: node undrain NODE...");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drained_node_keeps_its_jobs_and_gets_no_more),
		cmocka_unit_test(a_line_is_free_of_configured),
		cmocka_unit_test(one_node_is_described),
	};

	return cmocka_run_group_tests_name("cmd_node", tests, NULL, NULL);
}
