/* SPDX-License-Identifier: MIT */
/*
 * test_start_reports.c - reports on starts: when, windows and reservations
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

/* --- when --------------------------------------------------------------------------------------------- */

static void it_takes_its_place_by_its_owners_priority(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nuserweight = 1\nuser top { priority = 9 }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 100});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 100});
	check_json(sc, "when 2@50", "\"estimated_start\":200,\"estimated_end\":250");
	check_json(sc, "when 2@50 -u top", "\"estimated_start\":100,\"estimated_end\":150");
	scene_free(sc);
}

/* M-06 with a limit: it is that user's submission. */
static void limits_of_its_owner_hold_it(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "user ops { maxproc = {\"1\"} }\n");
	check_json(sc, "when 1@50", "\"estimated_start\":0");
	check_json(sc, "when 2@50", "\"estimated_start\":null");
	check_json(sc, "when 2@50 -u eva", "\"estimated_start\":0");
	scene_free(sc);
}

static void what_no_node_has_is_said(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	check_json(sc, "when 1@50 -m 8gb", "\"estimated_start\":null");
	check_json(sc, "when 1@50 -f tape", "\"estimated_start\":null");
	scene_free(sc);
}

/* Job 2 has a reservation at 1000. Job 3 is shorter, so its expansion factor passes that of job 2 by then. */
static void a_reserved_start_that_will_slip_is_shown_with_the_expected_one(void **state)
{
	static const char line[] = "estimated start Thu Jan 1 00:18:20 (in 0:18:20); reserved 00:16:40, "
				   "expected 0:01:40 later\n";
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nxfactorweight = 1000\n");
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 1000});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 10000});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 100});
	check_json(sc, "when 2", "\"reserved_start\":1000,\"estimated_start\":1100,\"estimated_end\":11100");
	check_json(sc, "queue", "\"estimated_start\":1100,\"reserved_start\":1000");
	check_json(sc, "job 2", "\"estimated_start\":1100,\"reserved_start\":1000");
	check_json(sc, "why 2", "\"estimated_start\":1100,\"reserved_start\":1000,\"tier\":\"full\"");
	check_lines(sc, "when 2", line);
	check_lines(sc, "job 2", line);
	check_lines(sc, "why 2",
		    "Estimated start: Thu Jan 1 00:18:20 (in 0:18:20); reserved 00:16:40, expected 0:01:40 "
		    "later; "
		    "job 3 ends then.\n");
	scene_free(sc);
}

/* Its limit clears at 100, but its request alone exceeds it. */
static void a_job_that_never_starts_has_no_date_anywhere(void **state)
{
	static const char *const verbs[] = {"when 2", "job 2", "why 2", "queue"};
	struct scene *sc = scene_new(1, 8);

	(void)state;
	scene_config(sc, "user eva { maxproc = {\"4,8\"} }\nbackfillpolicy = none\nhardpass = resources\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 4, .wall_s = 100});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 8, .wall_s = 100});
	for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
		check_json(sc, verbs[i], "\"estimated_start\":null");
	check_json(sc, "why 2", "\"clears_at\":null");
	scene_free(sc);
}

/* --- windows ------------------------------------------------------------------------------------------ */

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
	check_refused(sc, "windows", CMD_REFUSED, "the cluster has no nodes");
	scene_free(sc);
}

/* --- reservations ------------------------------------------------------------------------------------- */

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
		cmocka_unit_test(it_takes_its_place_by_its_owners_priority),
		cmocka_unit_test(limits_of_its_owner_hold_it),
		cmocka_unit_test(what_no_node_has_is_said),
		cmocka_unit_test(a_reserved_start_that_will_slip_is_shown_with_the_expected_one),
		cmocka_unit_test(a_job_that_never_starts_has_no_date_anywhere),
		cmocka_unit_test(a_window_ends_where_a_reservation_begins),
		cmocka_unit_test(later_windows_are_listed_too),
		cmocka_unit_test(short_and_narrow_ones_are_left_out),
		cmocka_unit_test(the_widest_comes_first),
		cmocka_unit_test(memory_and_features_count),
		cmocka_unit_test(a_machine_without_nodes_has_none),
		cmocka_unit_test(the_earliest_stands_first),
		cmocka_unit_test(named_nodes_are_counted),
	};

	return cmocka_run_group_tests_name("start_reports", tests, NULL, NULL);
}
