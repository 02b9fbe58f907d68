/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_windows.c - are the holes found that a job could be put into?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

/* Eight processors: six of them busy for an hour, two for ever free but for a reservation of all in an hour.
 */
static struct scene *holes(void)
{
	struct scene *sc = scene_new(4, 2);

	scene_add(sc, (struct scene_job){.procs = 6, .wall_s = 3600});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 8, .wall_s = 1800});
	scene_pass(sc);
	return sc;
}

static void a_window_ends_where_a_reservation_begins(void **state)
{
	struct scene *sc = holes();

	(void)state;
	check_lines(sc, "windows",
		    "Backfill windows for user ops, Thu Jan 1 00:00:00\n"
		    "PROCS NODES FOR FROM\n"
		    "2 1 1:00:00 now\n");
	check_json(sc, "showbf -u eva",
		   "\"user\":\"eva\",\"group\":null,\"account\":null,\"qos\":null,\"class\":null,"
		   "\"windows\":[{\"procs\":2,\"nodes\":1,\"begin\":0,\"duration_s\":3600}]}");
	scene_free(sc);
}

static void later_windows_are_listed_too(void **state)
{
	struct scene *sc = holes();

	(void)state;
	check_lines(sc, "windows -D",
		    "2 1 1:00:00 now\n"
		    "8 - no limit Thu Jan 1 01:30:00\n");
	scene_free(sc);
}

static void short_and_narrow_ones_are_left_out(void **state)
{
	struct scene *sc = holes();

	(void)state;
	check_lines(sc, "windows -d 1:00:00", "2 1 1:00:00 now\n");
	check_lines(sc, "windows -d 1:00:01", "no processors are available\n");
	check_lines(sc, "windows -n 2", "no processors are available\n");
	scene_free(sc);
}

static void the_widest_comes_first(void **state)
{
	struct scene *sc = scene_new(4, 2);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 3600});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 6, .wall_s = 1800});
	scene_pass(sc);
	check_lines(sc, "windows", "4 2 1:00:00 now\n2 1 no limit now\n");
	scene_free(sc);
}

/* What is asked for besides processors narrows them. */
static void memory_and_features_count(void **state)
{
	struct scene *sc = scene_new(0, 1);

	(void)state;
	scene_config(sc, "node a { procs = 4  memory = 4096  features = {\"fast\"} }\nnode b { procs = 2  "
			 "memory = 256 }\n");
	check_lines(sc, "windows", "6 2 no limit now\n");
	check_lines(sc, "windows -m 1gb", "4 1 no limit now\n");
	check_lines(sc, "windows -m 2gb", "2 1 no limit now\n");
	check_lines(sc, "windows -f fast", "4 1 no limit now\n");
	scene_free(sc);
}

static void a_machine_without_nodes_has_none(void **state)
{
	struct scene *sc = scene_new(0, 1);

	(void)state;
	check_refused(sc, "windows", CMD_REFUSED, "the machine has no nodes, so there are no windows");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_ends_where_a_reservation_begins),
		cmocka_unit_test(later_windows_are_listed_too),
		cmocka_unit_test(short_and_narrow_ones_are_left_out),
		cmocka_unit_test(the_widest_comes_first),
		cmocka_unit_test(memory_and_features_count),
		cmocka_unit_test(a_machine_without_nodes_has_none),
	};

	return cmocka_run_group_tests_name("cmd_windows", tests, NULL, NULL);
}
