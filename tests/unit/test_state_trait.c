/* SPDX-License-Identifier: MIT */
/*
 * test_state_trait.c - slots of trait names
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "tests/scene.h"

/* Adds the names STEM+from to STEM+to-1. */
static void add_names(struct str *out, const char *stem, int from, int to)
{
	for (int i = from; i < to; i++)
		str_addf(out, "%s%d ", stem, i);
}

static const char *try_node(struct scene *sc, struct node_record node)
{
	static struct err err;
	struct event ev = {.kind = EVENT_NODE, .node = node};

	scene_try(sc, &ev, &err);
	return err.text;
}

static void a_name_keeps_its_bit(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_node(sc, (struct node_record){.name = "a", .procs = 1, .features = "x, y  z"});
	scene_node(sc, (struct node_record){.name = "b", .procs = 1, .features = "Z w z"});
	assert_int_equal(snapshot_nodes(scene_view(sc))[0].features, 7);
	assert_int_equal(snapshot_nodes(scene_view(sc))[1].features, 4 + 8);
	scene_node(sc, (struct node_record){.name = "a", .procs = 1});
	assert_int_equal(snapshot_nodes(scene_view(sc))[0].features, 0);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_TRAITS), 4);
	scene_free(sc);
}

static void number_of_features_is_limited_to_64(void **state)
{
	struct scene *sc = scene_new(0, 0);
	struct str all = {0}, more = {0};

	(void)state;
	add_names(&all, "f", 0, 64);
	scene_node(sc, (struct node_record){.name = "a", .procs = 1, .features = str_text(&all)});
	assert_true(snapshot_nodes(scene_view(sc))[0].features == UINT64_MAX);
	assert_string_equal(
		try_node(sc, (struct node_record){.name = "b", .procs = 1, .features = "F7 other"}),
		"node b: other would exceed the maximum of 64 features that nodes and the configuration can "
		"name "
		"at a time; remove "
		"a name that is not needed");
	assert_string_equal(try_node(sc, (struct node_record){.name = "b", .procs = 1, .features = "F7 f8"}),
			    "");
	/* Classes of nodes are counted separately. */
	assert_string_equal(try_node(sc, (struct node_record){.name = "b", .procs = 1, .classes = "other"}),
			    "");
	add_names(&more, "g", 0, 65);
	assert_string_equal(
		try_node(sc, (struct node_record){.name = "c", .procs = 1, .classes = str_text(&more)}),
		"node c: g63 would exceed the maximum of 64 classes of nodes that nodes and the "
		"configuration can "
		"name at a time; "
		"remove a name that is not needed");
	str_free(&all);
	str_free(&more);
	scene_free(sc);
}

/* One invalid list of names is enough to refuse the job. */
static void invalid_names_are_rejected_at_submission(void **state)
{
	struct scene *sc = scene_new(1, 1);
	char longest[CONFIG_TITLE + 2];
	struct err err;

	(void)state;
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	for (int i = 0; i < 4; i++) {
		struct event ev = {.kind = EVENT_SUBMIT,
				   .submit = {.job = {.tasks = 1, .task_procs = 1, .wall_limit_s = 9},
					      .features = i == 0 ? longest : "fast",
					      .prefer = i == 1 ? longest : "fast",
					      .gres = i == 2 ? "gpu:x" : "gpu:2"}};

		if (i < 3)
			assert_string_not_equal(scene_try(sc, &ev, &err), "");
		else
			assert_string_equal(scene_try(sc, &ev, &err), "");
	}
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 1);
	scene_free(sc);
}

static uint32_t slots_taken(const struct scene *sc)
{
	return snapshot_count(scene_view(sc), TABLE_TRAITS);
}

/* Checks the requested names in the job's stored record. */
static void assert_requested(const struct scene *sc, uint64_t id, const char *features, const char *prefer,
			     const char *gres)
{
	struct state_parts parts = {.run = NULL};
	struct job_record record;

	state_job_record(scene_view(sc), snapshot_find_job(scene_view(sc), id), &record, &parts);
	assert_string_equal(record.features == NULL ? "" : record.features, features);
	assert_string_equal(record.prefer == NULL ? "" : record.prefer, prefer);
	assert_string_equal(record.gres == NULL ? "" : record.gres, gres);
	state_parts_free(&parts);
}

static void names_requested_by_jobs_take_no_slot(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct str wants = {0};
	uint64_t id;

	(void)state;
	add_names(&wants, "f", 0, 65);
	scene_add(sc, (struct scene_job){.features = str_text(&wants)});
	id = scene_add(sc, (struct scene_job){.features = "fast FAST big",
					      .prefer = "blue",
					      .gres = "gpu:2 tape gpu:3"});
	assert_int_equal(slots_taken(sc), 0);
	assert_requested(sc, id, "FAST big", "blue", "tape:1 gpu:3");
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, id)->state, JOB_IDLE);
	str_free(&wants);
	scene_free(sc);
}

static void idle_job_starts_when_a_node_gets_its_feature(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t feature = scene_add(sc, (struct scene_job){.features = "fast"});
	uint64_t gres = scene_add(sc, (struct scene_job){.gres = "gpu:2"});
	uint64_t plain = scene_add(sc, (struct scene_job){.prefer = "fast"});

	(void)state;
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, feature)->state, JOB_IDLE);
	assert_int_equal(scene_job_of(sc, gres)->state, JOB_IDLE);
	assert_int_equal(scene_job_of(sc, plain)->state, JOB_RUNNING);
	scene_node(sc, (struct node_record){.name = "n001", .procs = 4, .features = "Fast", .gres = "GPU:2"});
	assert_int_equal(slots_taken(sc), 2);
	assert_requested(sc, feature, "Fast", "", "");
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, feature)->state, JOB_RUNNING);
	assert_int_equal(scene_job_of(sc, gres)->state, JOB_RUNNING);
	scene_free(sc);
}

static void unused_slot_is_reused(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct str old = {0}, new = {0};
	uint64_t id;

	(void)state;
	add_names(&old, "f", 0, 64);
	add_names(&new, "g", 0, 64);
	scene_node(sc, (struct node_record){.name = "n001", .procs = 1, .features = str_text(&old)});
	id = scene_add(sc, (struct scene_job){.features = "f7 f63", .prefer = "f1"});
	scene_node(sc, (struct node_record){.name = "n001", .procs = 1, .features = str_text(&new)});
	assert_int_equal(slots_taken(sc), 64);
	assert_requested(sc, id, "f7 f63", "f1", "");
	assert_int_equal(scene_job_of(sc, id)->features, 0);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, id)->state, JOB_IDLE);
	/* The requested features are reported again. */
	scene_node(sc, (struct node_record){.name = "n001", .procs = 1, .features = str_text(&old)});
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, id)->state, JOB_RUNNING);
	str_free(&old);
	str_free(&new);
	scene_free(sc);
}

static void a_slot_of_a_resource_in_use_stays(void **state)
{
	struct scene *sc = scene_new(0, 0);
	uint64_t id;

	(void)state;
	scene_node(sc, (struct node_record){.name = "a", .procs = 2, .gres = "g1 g2 g3 g4 g5 g6 g7 gpu:2"});
	id = scene_add(sc, (struct scene_job){.gres = "gpu:2"});
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, id)->state, JOB_RUNNING);
	scene_node(sc, (struct node_record){.name = "a", .procs = 2, .gres = "h1 h2 h3 h4 h5 h6 h7 gpu:2"});
	assert_requested(sc, id, "", "", "gpu:2");
	assert_non_null(strstr(try_node(sc, (struct node_record){.name = "a", .procs = 2, .gres = "gpu:1"}),
			       "its running jobs"));
	scene_free(sc);
}

/* The new configuration describes all nodes with the maximum number of new names. */
static void a_configuration_replaces_all_names(void **state)
{
	struct scene *sc = scene_new(0, 0);
	struct str conf = {0}, conf2 = {0};

	(void)state;
	str_add(&conf, "node a { procs = 1 features = \"");
	add_names(&conf, "f", 0, 32);
	str_add(&conf, "\" }\nnode b { procs = 1 features = \"");
	add_names(&conf, "f", 32, 60);
	str_add(&conf, "\" }\nclass x { default.features = \"f60 f61 f62 f63\" }\n");
	scene_config(sc, str_text(&conf));
	for (int i = 0; i < 64; i++) {
		char name[8];

		snprintf(name, sizeof name, "f%d", i);
		scene_add(sc, (struct scene_job){.features = name});
	}
	str_add(&conf2, "node a { procs = 1 features = \"");
	add_names(&conf2, "g", 0, 32);
	str_add(&conf2, "\" }\nnode b { procs = 1 features = \"");
	add_names(&conf2, "g", 32, 64);
	str_add(&conf2, "\" }\n");
	scene_config(sc, str_text(&conf2));
	assert_int_equal(slots_taken(sc), 64);
	assert_true((snapshot_nodes(scene_view(sc))[0].features |
		     snapshot_nodes(scene_view(sc))[1].features) == UINT64_MAX);
	assert_requested(sc, 61, "f60", "", "");
	scene_config(sc, str_text(&conf));
	assert_requested(sc, 61, "f60", "", "");
	assert_true(scene_job_of(sc, 61)->features != 0);
	str_free(&conf);
	str_free(&conf2);
	scene_free(sc);
}

/* Names that a manager reports for a node are kept; names from the configuration are replaced. */
static void configuration_replaces_names_of_reported_nodes(void **state)
{
	struct scene *sc = scene_new(0, 0);
	struct str conf = {0}, conf2 = {0};

	(void)state;
	scene_node(sc, (struct node_record){.name = "a", .procs = 2});
	str_add(&conf, "node a { features = \"");
	add_names(&conf, "f", 0, 64);
	str_add(&conf, "\" gres = {\"gpu:2\"} }\n");
	scene_config(sc, str_text(&conf));
	scene_node(sc, (struct node_record){.name = "a", .procs = 2});
	assert_true(snapshot_nodes(scene_view(sc))[0].features == UINT64_MAX);
	scene_add(sc, (struct scene_job){.gres = "gpu"});
	scene_pass(sc);
	str_add(&conf2, "node a { features = \"");
	add_names(&conf2, "g", 0, 64);
	str_add(&conf2, "\" gres = {\"gpu:2\"} }\n");
	scene_config(sc, str_text(&conf2));
	scene_node(sc, (struct node_record){.name = "a", .procs = 2});
	assert_true(snapshot_nodes(scene_view(sc))[0].features == UINT64_MAX);
	assert_requested(sc, 1, "", "", "gpu:1");
	str_free(&conf);
	str_free(&conf2);
	scene_free(sc);
}

static void names_of_undone_settings_keep_their_slots(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct str all = {0};
	uint64_t set;

	(void)state;
	set = scene_set(sc, "class[x].default.features", "later");
	scene_undo(sc, set);
	add_names(&all, "f", 0, 64);
	assert_non_null(strstr(
		try_node(sc, (struct node_record){.name = "n001", .procs = 1, .features = str_text(&all)}),
		"f63 would exceed the maximum of 64 features"));
	str_free(&all);
	scene_free(sc);
}

static void invalid_resource_counts_are_rejected(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_node(sc, (struct node_record){.name = "a", .procs = 1, .gres = "gpu:4 tape gpu:2"});
	assert_int_equal(snapshot_nodes(scene_view(sc))[0].gres[0], 2); /* the last entry is in force */
	assert_int_equal(snapshot_nodes(scene_view(sc))[0].gres[1], 1);
	assert_non_null(strstr(
		try_node(sc, (struct node_record){.name = "a", .procs = 1, .gres = "gpu:many"}), "node a: "));
	assert_string_equal(
		try_node(sc, (struct node_record){.name = "a", .procs = 1, .gres = "a b c d e f g h i"}),
		"node a: i would exceed the maximum of 8 kinds of generic resource that nodes and the "
		"configuration can name at a "
		"time; remove a name that is not needed");
	assert_string_equal(
		try_node(sc,
			 (struct node_record){.name = "a",
					      .procs = 1,
					      .features = "01234567890123456789012345678901234567890123456789"
							  "012345678901234567890"}),
		"node a: the name 01234567890123456789... is longer than 64 bytes");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_keeps_its_bit),
		cmocka_unit_test(number_of_features_is_limited_to_64),
		cmocka_unit_test(names_requested_by_jobs_take_no_slot),
		cmocka_unit_test(invalid_names_are_rejected_at_submission),
		cmocka_unit_test(idle_job_starts_when_a_node_gets_its_feature),
		cmocka_unit_test(unused_slot_is_reused),
		cmocka_unit_test(a_slot_of_a_resource_in_use_stays),
		cmocka_unit_test(a_configuration_replaces_all_names),
		cmocka_unit_test(configuration_replaces_names_of_reported_nodes),
		cmocka_unit_test(names_of_undone_settings_keep_their_slots),
		cmocka_unit_test(invalid_resource_counts_are_rejected),
	};

	return cmocka_run_group_tests_name("state_trait", tests, NULL, NULL);
}
