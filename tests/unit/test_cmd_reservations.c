/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_reservations.c - is it listed what runs and what is promised?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

static void the_earliest_stands_first(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 3, .wall_s = 7200, .label = "blk"});
	scene_pass(sc);
	sc->now_s = 60;
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 3600, .label = "big"});
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 3600, .label = "more"});
	scene_pass(sc);
	check_lines(sc, "showres",
		    "RESERVATION TYPE S START END DURATION N/P STARTTIME\n"
		    "blk Job R -0:01:00 1:59:00 2:00:00 2/3 Thu Jan 1 00:00:00\n"
		    "big Job I 1:59:00 2:59:00 1:00:00 -/4 Thu Jan 1 02:00:00\n"
		    "2 reservations located\n");
	check_json(sc, "reservations",
		   "{\"name\":\"big\",\"type\":\"job\",\"state\":\"Idle\",\"start\":7200,\"end\":10800,"
		   "\"procs\":4,"
		   "\"nodes\":null}");
	scene_free(sc);
}

static void named_nodes_are_counted(void **state)
{
	struct scene *sc = scene_new(3, 2);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 6, .wall_s = 100});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 4, .task_procs = 2, .label = "pair"});
	scene_pass(sc);
	check_lines(sc, "reservations", "pair Job I 0:01:40 0:03:20 0:01:40 2/4 Thu Jan 1 00:01:40\n");
	check_lines(sc, "job pair", "reserved nodes n002*2 n003*2\n");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_earliest_stands_first),
		cmocka_unit_test(named_nodes_are_counted),
	};

	return cmocka_run_group_tests_name("cmd_reservations", tests, NULL, NULL);
}
