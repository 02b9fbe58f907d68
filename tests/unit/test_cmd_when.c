/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_when.c - when would a job start that does not exist?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

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
	check_json(sc, "job 2", "\"reserved_start\":1000,\"estimated_start\":1100");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_takes_its_place_by_its_owners_priority),
		cmocka_unit_test(limits_of_its_owner_hold_it),
		cmocka_unit_test(what_no_node_has_is_said),
		cmocka_unit_test(a_reserved_start_that_will_slip_is_shown_with_the_expected_one),
		cmocka_unit_test(a_job_that_never_starts_has_no_date_anywhere),
	};

	return cmocka_run_group_tests_name("cmd_when", tests, NULL, NULL);
}
