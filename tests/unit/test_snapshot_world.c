/* SPDX-License-Identifier: MIT */
/*
 * test_snapshot_world.c - inputs of priority and fairshare, and names of traits
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/str.h"
#include "tests/scene.h"

static void inputs_point_to_the_tables(void **state)
{
	struct scene *sc = scene_new(2, 4);
	const struct snapshot *s;
	struct fs_world fs;
	struct throttle_world throttle;

	(void)state;
	scene_config(sc, "account none { maxps = \"USER=72000\" }\nuser DEFAULT { maxjob = 4 }\nclass NONE { "
			 "priority = 3 }\n");
	scene_submit(sc, 1, 100);
	scene_start(sc, 1, 0, 1, 1);
	s = scene_view(sc);
	snapshot_fs_world(s, 77, &fs);
	assert_int_equal(fs.now_s, 77);
	assert_int_equal(fs.machine.procs, 8);
	assert_int_equal(fs.machine.mem_mb, 8192);
	assert_ptr_equal(fs.window, s->fs_window);
	assert_int_equal(fs.running_count, 1);
	assert_int_equal(fs.cred_count, snapshot_count(s, TABLE_CREDS));
	snapshot_throttle_world(s, 78, &throttle);
	assert_int_equal(throttle.now_s, 78);
	assert_int_equal(throttle.limit_count, 2);
	assert_int_equal(throttle.running_count, 1);
	assert_int_equal(throttle.no_cred[CRED_ACCOUNT], snapshot_find_cred(s, CRED_ACCOUNT, "none"));
	assert_int_equal(throttle.no_cred[CRED_USER], INDEX_NONE);
	assert_int_equal(throttle.no_cred[CRED_CLASS], INDEX_NONE); /* NONE has no limit */
	scene_free(sc);
}

static void jobs_without_a_qos_have_the_limits_of_qos_default(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct throttle_world throttle;

	(void)state;
	scene_config(sc, "qos hi { maxjob = 4 }\n");
	snapshot_throttle_world(scene_view(sc), 0, &throttle);
	assert_int_equal(throttle.no_cred[CRED_QOS], INDEX_NONE);
	scene_config(sc, "qos DEFAULT { maxjob = 4 }\n");
	snapshot_throttle_world(scene_view(sc), 0, &throttle);
	assert_int_equal(throttle.no_cred[CRED_QOS], CRED_QOS);
	scene_config(sc, "qos DEFAULT { maxjob = 4 }\nqos none { maxjob = 2 }\n");
	snapshot_throttle_world(scene_view(sc), 0, &throttle);
	assert_int_equal(throttle.no_cred[CRED_QOS], snapshot_find_cred(scene_view(sc), CRED_QOS, "none"));
	scene_free(sc);
}

static void trait_names_ignore_case_and_keep_their_spelling(void **state)
{
	struct scene *sc = scene_new(0, 0);
	struct str text = {0};
	const struct snapshot *s;

	(void)state;
	scene_node(sc, (struct node_record){.name = "a",
					    .procs = 1,
					    .features = "Fast tape",
					    .classes = "fast",
					    .gres = "gpu:4 disk:2"});
	scene_node(sc, (struct node_record){.name = "b", .procs = 1, .features = "FAST big", .gres = "GPU"});
	s = scene_view(sc);
	assert_int_equal(snapshot_find_trait(s, TRAIT_FEATURE, "fAst"), 0);
	assert_int_equal(snapshot_find_trait(s, TRAIT_FEATURE, "big"), 2);
	assert_int_equal(snapshot_find_trait(s, TRAIT_CLASS, "fast"), 0);
	assert_int_equal(snapshot_find_trait(s, TRAIT_CLASS, "tape"), -1);
	snapshot_trait_names(s, TRAIT_FEATURE, snapshot_nodes(s)[1].features, &text);
	assert_string_equal(str_text(&text), "Fast big");
	str_clear(&text);
	str_add(&text, "-> ");
	snapshot_gres_names(s, snapshot_nodes(s)[0].gres, &text);
	assert_string_equal(str_text(&text), "-> gpu:4 disk:2");
	str_clear(&text);
	snapshot_gres_names(s, snapshot_nodes(s)[1].gres, &text);
	assert_string_equal(str_text(&text), "gpu:1");
	str_clear(&text);
	snapshot_trait_names(s, TRAIT_FEATURE, 0, &text);
	assert_string_equal(str_text(&text), "");
	str_free(&text);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inputs_point_to_the_tables),
		cmocka_unit_test(jobs_without_a_qos_have_the_limits_of_qos_default),
		cmocka_unit_test(trait_names_ignore_case_and_keep_their_spelling),
	};

	return cmocka_run_group_tests_name("snapshot_world", tests, NULL, NULL);
}
