/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_stats.c - are jobs counted, once and for everybody?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

static void what_is_here_now_is_counted(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 3, .wall_s = 7200, .user = "amy", .group = "staff"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .user = "bob", .group = "staff"});
	scene_go(sc, 3600);
	check_lines(sc, "stats",
		    "jobs now 1 running, 1 waiting\n"
		    "processors 3 of 4 active (75.00%)\n"
		    "nodes 2 of 2 active (100.00%)\n"
		    "ended jobs 0, of them 0 ran and 0 were backfilled\n");
	check_lines(sc, "stats -g",
		    "GROUP RUN PROCS WAIT ENDED % PROCHOURS % AVGXF MAXXF AVGQH EFFIC WCACC\n"
		    "staff 1 3 1 0 0.00 0.00 0.00 0.00 0.00 0.00 - 0.00\n");
	check_json(sc, "stats",
		   "\"system\":{\"running\":1,\"waiting\":1,\"procs\":3,\"proc_hours_running\":3,");
	check_refused(sc, "stats -t soon", CMD_USAGE,
		      "\"soon\" is not a time: write 16:30, 2026-03-24T16:30, +2:00:00 (from now) or seconds "
		      "since 1970");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_here_now_is_counted),
	};

	return cmocka_run_group_tests_name("cmd_stats", tests, NULL, NULL);
}
