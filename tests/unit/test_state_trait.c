/* SPDX-License-Identifier: MIT */
/*
 * test_state_trait.c - do names get their bits, and what when there are none left?
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

/* "f0 f1 ...": so many names. */
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

static void there_are_64_features_and_no_more(void **state)
{
	struct scene *sc = scene_new(0, 0);
	struct str all = {0}, more = {0};

	(void)state;
	add_names(&all, "f", 0, 64);
	scene_node(sc, (struct node_record){.name = "a", .procs = 1, .features = str_text(&all)});
	assert_true(snapshot_nodes(scene_view(sc))[0].features == UINT64_MAX);
	assert_string_equal(
		try_node(sc, (struct node_record){.name = "b", .procs = 1, .features = "F7 other"}),
		"node b: other would be one more than the 64 features that there can be");
	assert_string_equal(try_node(sc, (struct node_record){.name = "b", .procs = 1, .features = "F7 f8"}),
			    "");
	/* Classes of nodes have bits of their own. */
	assert_string_equal(try_node(sc, (struct node_record){.name = "b", .procs = 1, .classes = "other"}),
			    "");
	add_names(&more, "g", 0, 65);
	assert_string_equal(
		try_node(sc, (struct node_record){.name = "c", .procs = 1, .classes = str_text(&more)}),
		"node c: g63 would be one more than the 64 classes of nodes that there can be");
	str_free(&all);
	str_free(&more);
	scene_free(sc);
}

static void what_a_job_wants_and_would_like_are_counted_together(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct str wants = {0}, likes = {0};
	struct event ev = {.kind = EVENT_SUBMIT};
	struct err err;

	(void)state;
	add_names(&wants, "f", 0, 40);
	add_names(&likes, "f", 30, 65);
	ev.submit = (struct job_record){.job = {.tasks = 1, .task_procs = 1, .wall_limit_s = 5},
					.features = str_text(&wants),
					.prefer = str_text(&likes)};
	assert_string_equal(scene_try(sc, &ev, &err),
			    "f64 would be one more than the 64 features that there can be");
	str_clear(&likes);
	add_names(&likes, "f", 30, 64);
	ev.submit.prefer = str_text(&likes);
	scene_apply(sc, &ev);
	assert_true(scene_job_of(sc, 1)->features == (UINT64_C(1) << 40) - 1);
	assert_true((scene_job_of(sc, 1)->prefer | scene_job_of(sc, 1)->features) == UINT64_MAX);
	str_free(&wants);
	str_free(&likes);
	scene_free(sc);
}

static void resources_are_counted_and_what_is_no_count_is_refused(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_node(sc, (struct node_record){.name = "a", .procs = 1, .gres = "gpu:4 tape gpu:2"});
	assert_int_equal(snapshot_nodes(scene_view(sc))[0].gres[0], 2); /* the last word counts */
	assert_int_equal(snapshot_nodes(scene_view(sc))[0].gres[1], 1);
	assert_non_null(strstr(
		try_node(sc, (struct node_record){.name = "a", .procs = 1, .gres = "gpu:many"}), "node a: "));
	assert_string_equal(
		try_node(sc, (struct node_record){.name = "a", .procs = 1, .gres = "a b c d e f g"}),
		"node a: g would be one more than the 8 kinds of generic resource that there can be");
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
		cmocka_unit_test(there_are_64_features_and_no_more),
		cmocka_unit_test(what_a_job_wants_and_would_like_are_counted_together),
		cmocka_unit_test(resources_are_counted_and_what_is_no_count_is_refused),
	};

	return cmocka_run_group_tests_name("state_trait", tests, NULL, NULL);
}
