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

/* --- estimated starts
 * --------------------------------------------------------------------------------------------- */

static void a_hypothetical_job_is_ranked_by_its_users_priority(void **state)
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

/* M-06 with a limit: the hypothetical job is a submission of the given user. */
static void a_hypothetical_job_is_blocked_by_its_users_limits(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "user ops { maxproc = {\"1\"} }\n");
	check_json(sc, "when 1@50", "\"estimated_start\":0");
	check_json(sc, "when 2@50", "\"estimated_start\":null");
	check_json(sc, "when 2@50 -u eva", "\"estimated_start\":0");
	scene_free(sc);
}

static void an_impossible_request_has_no_estimated_start(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	check_json(sc, "when 1@50 -m 8gb", "\"estimated_start\":null");
	check_json(sc, "when 1@50 -f tape", "\"estimated_start\":null");
	scene_free(sc);
}

/* Job 2 has a reservation at 1000 s. Job 3 is shorter, so its expansion factor exceeds that of job 2 by then.
 */
static void a_reserved_start_is_shown_with_the_later_expected_start(void **state)
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

/* The limit of the user clears at 100 s, but the request of job 2 alone exceeds it. */
static void a_job_that_never_starts_has_no_estimated_start(void **state)
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

/* Eight processors: six are busy for an hour, two are free, and all are reserved in an hour for half an hour.
 */
static struct scene *scene_with_windows(void)
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
	struct scene *sc = scene_with_windows();

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
	struct scene *sc = scene_with_windows();

	(void)state;
	check_lines(sc, "windows -D",
		    "2 1 1:00:00 now\n"
		    "8 - no limit Thu Jan 1 01:30:00\n");
	scene_free(sc);
}

static void short_and_narrow_windows_are_omitted(void **state)
{
	struct scene *sc = scene_with_windows();

	(void)state;
	check_lines(sc, "windows -d 1:00:00", "2 1 1:00:00 now\n");
	check_lines(sc, "windows -d 1:00:01", "no processors are available\n");
	check_lines(sc, "windows -n 2", "no processors are available\n");
	scene_free(sc);
}

static void the_widest_window_is_first(void **state)
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

/* Windows shrink to the nodes with the requested memory and features. */
static void windows_have_the_requested_memory_and_features(void **state)
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

static void a_cluster_without_nodes_has_no_windows(void **state)
{
	struct scene *sc = scene_new(0, 1);

	(void)state;
	check_refused(sc, "windows", CMD_REFUSED, "the cluster has no nodes");
	scene_free(sc);
}

/* --- reservations ------------------------------------------------------------------------------------- */

static void the_earliest_reservation_is_first(void **state)
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

static void nodes_of_a_reservation_are_counted(void **state)
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
		cmocka_unit_test(a_hypothetical_job_is_ranked_by_its_users_priority),
		cmocka_unit_test(a_hypothetical_job_is_blocked_by_its_users_limits),
		cmocka_unit_test(an_impossible_request_has_no_estimated_start),
		cmocka_unit_test(a_reserved_start_is_shown_with_the_later_expected_start),
		cmocka_unit_test(a_job_that_never_starts_has_no_estimated_start),
		cmocka_unit_test(a_window_ends_where_a_reservation_begins),
		cmocka_unit_test(later_windows_are_listed_too),
		cmocka_unit_test(short_and_narrow_windows_are_omitted),
		cmocka_unit_test(the_widest_window_is_first),
		cmocka_unit_test(windows_have_the_requested_memory_and_features),
		cmocka_unit_test(a_cluster_without_nodes_has_no_windows),
		cmocka_unit_test(the_earliest_reservation_is_first),
		cmocka_unit_test(nodes_of_a_reservation_are_counted),
	};

	return cmocka_run_group_tests_name("start_reports", tests, NULL, NULL);
}
