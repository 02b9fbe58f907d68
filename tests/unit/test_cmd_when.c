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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_takes_its_place_by_its_owners_priority),
		cmocka_unit_test(limits_of_its_owner_hold_it),
		cmocka_unit_test(what_no_node_has_is_said),
	};

	return cmocka_run_group_tests_name("cmd_when", tests, NULL, NULL);
}
