/* SPDX-License-Identifier: MIT */
/*
 * test_state_config.c - is a configuration taken whole or not at all?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/scene.h"

/* The configuration is refused with these words, and nothing has changed (scene_try looks). */
static void assert_refused(struct scene *sc, const char *text, const char *words)
{
	struct event ev = {.kind = EVENT_CONFIG, .config = {.file = "kahu.conf", .text = text}};
	struct err err;
	const char *said = scene_try(sc, &ev, &err);

	if (strstr(said, words) == NULL)
		fail_msg("expected '%s', got '%s'", words, said);
}

static void nodes_appear_and_are_resized(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_config(
		sc, "node DEFAULT { procs = 4 memory = 2gb }\nnode a { }\nnode b { procs = 8 disk = 100 }\n");
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_NODES), 2);
	assert_int_equal(scene_view(sc)->procs_total, 12);
	assert_int_equal(scene_view(sc)->mem_mb_total, 4096);
	assert_int_equal(scene_view(sc)->disk_mb_total, 100);
	scene_config(sc, "node a { procs = 6 }\n");
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_NODES), 2);
	assert_int_equal(scene_view(sc)->procs_total, 14);
	scene_free(sc);
}

static void the_text_and_its_file_are_kept(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_config(sc, "xfactorweight = 3 # why\n");
	assert_string_equal(snapshot_string(scene_view(sc), scene_view(sc)->config_text),
			    "xfactorweight = 3 # why\n");
	assert_string_equal(snapshot_string(scene_view(sc), scene_view(sc)->config_file), "kahu.conf");
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_VALUES), 1);
	scene_config(sc, "");
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_VALUES), 0);
	assert_true(scene_view(sc)->policy.weights.factor[PRIO_SERV_XFACTOR] == 0);
	scene_free(sc);
}

static void a_bad_configuration_leaves_everything_as_it_was(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "xfactorweight = 3\nuser john { priority = 4 }\n");
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	assert_refused(sc, "xfactorweight = 4\nxfactorwait = 3\n", "kahu.conf:2");
	assert_refused(sc, "node n2 { procs = 4 }\nuser john { priority = nan }\n", "nan");
	assert_refused(sc, "user john {\n", "kahu.conf");
	assert_refused(sc, "node n2 { memory = 100 }\n", "procs is missing");
	assert_refused(sc, "node new { procs = 9 }\nnode n001 { procs = 2 }\n", "less than the 4 processors");
	scene_free(sc);
}

static void a_configuration_that_frees_promised_time_is_noted(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "reservationpolicy = highest\n");
	scene_submit(sc, 3, 100);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->planned_s, 100);
	scene_config(sc, "reservationpolicy = highest\nnode more { procs = 3 }\n");
	assert_int_equal(scene_view(sc)->ends_pending, 1);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->state, JOB_RUNNING);
	assert_int_equal(scene_view(sc)->ends_pending, 0);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_appear_and_are_resized),
		cmocka_unit_test(the_text_and_its_file_are_kept),
		cmocka_unit_test(a_bad_configuration_leaves_everything_as_it_was),
		cmocka_unit_test(a_configuration_that_frees_promised_time_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
