/* SPDX-License-Identifier: MIT */
/*
 * test_state_config.c - applying a configuration completely or not at all
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "tests/scene.h"

/* Checks that the configuration is refused with this error; scene_try checks that the state is unchanged. */
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

static const struct node *node_of(const struct scene *sc, const char *name)
{
	uint32_t i = state_find_node(sc->st, name);

	assert_true(i != INDEX_NONE);
	return &snapshot_nodes(scene_view(sc))[i];
}

static void assert_traits(const struct scene *sc, enum trait_kind kind, uint64_t bits, const char *names)
{
	struct str text = {0};

	snapshot_trait_names(scene_view(sc), kind, bits, &text);
	assert_string_equal(str_text(&text), names);
	str_free(&text);
}

/* Each kind of value is removed from the first node or another one; resources of a running job are kept. */
static void removed_values_are_gone(void **state)
{
	struct scene *sc = scene_new(0, 0);
	const struct node *a, *b;

	(void)state;
	scene_config(sc,
		     "node a { procs = 4 features = fast classes = batch gres = {\"gpu:4\", \"tape:2\"} }\n"
		     "node b { procs = 4 features = slow classes = batch gres = \"tape:2\" }\n");
	scene_add(sc, (struct scene_job){.gres = "gpu:1", .class_name = "batch"});
	scene_start(sc, 1, 0, 1, 1);
	scene_config(
		sc, "node a { procs = 4 classes = batch gres = {\"gpu:1\", \"tape:1\"} }\nnode b { procs = 4 "
		    "features = slow }\n");
	a = node_of(sc, "a");
	b = node_of(sc, "b");
	assert_true(a->features == 0 && b->classes == 0);
	assert_traits(sc, TRAIT_CLASS, a->classes, "batch");
	assert_traits(sc, TRAIT_FEATURE, b->features, "slow");
	assert_int_equal(a->gres[snapshot_find_trait(scene_view(sc), TRAIT_GRES, "tape")], 1);
	assert_int_equal(a->gres[snapshot_find_trait(scene_view(sc), TRAIT_GRES, "gpu")], 1);
	assert_int_equal(a->gres_busy[snapshot_find_trait(scene_view(sc), TRAIT_GRES, "gpu")], 1);
	assert_int_equal(b->gres[snapshot_find_trait(scene_view(sc), TRAIT_GRES, "tape")], 0);
	scene_free(sc);
}

static void node_inherits_from_default(void **state)
{
	struct scene *sc = scene_new(0, 0);
	const struct node *a, *b;
	struct str gres = {0};

	(void)state;
	scene_config(
		sc,
		"user a { priority = 1 }\n"
		"node DEFAULT { procs = 4 features = {\"fast\", \"tape\"} classes = batch gres = \"gpu:2\" "
		"speed = 2 nodeaccesspolicy = singleuser partition = big }\n"
		"node a { }\n"
		"node b { features = {\"big tape\", \"ib\"} gres = {\"gpu:4\", \"scratch\"} speed = 1.5 "
		"procspeed = 2400 rack = 1 index = 7 nodeaccesspolicy = shared partition = small "
		"memory = 4gb swap = 8gb disk = 1tb }\n");
	a = node_of(sc, "a");
	b = node_of(sc, "b");
	assert_traits(sc, TRAIT_FEATURE, a->features, "fast tape");
	assert_traits(sc, TRAIT_FEATURE, b->features, "tape big ib");
	assert_traits(sc, TRAIT_CLASS, b->classes, "batch");
	snapshot_gres_names(scene_view(sc), a->gres, &gres);
	assert_string_equal(str_text(&gres), "gpu:2");
	str_clear(&gres);
	snapshot_gres_names(scene_view(sc), b->gres, &gres);
	assert_string_equal(str_text(&gres), "gpu:4 scratch:1");
	str_free(&gres);
	assert_true(a->speed == 2 && b->speed == 1.5 && b->procspeed == 2400);
	assert_int_equal(a->access, ACCESS_SINGLEUSER);
	assert_int_equal(b->access, ACCESS_SHARED);
	assert_int_equal(b->rack, 1);
	assert_int_equal(b->index, 7);
	assert_int_equal(b->mem_mb, 4096);
	assert_string_equal(
		snapshot_string(scene_view(sc), snapshot_partitions(scene_view(sc))[a->partition].name),
		"big");
	assert_int_not_equal(a->partition, b->partition);
	scene_free(sc);
}

static void too_many_names_are_rejected(void **state)
{
	struct scene *sc = scene_new(0, 0);
	struct str text = {0};

	(void)state;
	for (int i = 0; i < 65; i++)
		str_addf(&text, "node n%d { procs = 1 features = f%d }\n", i, i);
	assert_refused(sc, str_text(&text), "64 features");
	str_clear(&text);
	for (int i = 0; i < 9; i++)
		str_addf(&text, "node n%d { procs = 1 gres = \"g%d:2\" }\n", i, i);
	assert_refused(sc, str_text(&text), "8 kinds of generic resource");
	str_clear(&text);
	for (int i = 0; i < 33; i++)
		str_addf(&text, "class c%d { default.features = {\"x%d\", \"y%d\"} }\n", i, i, i);
	assert_refused(sc, str_text(&text), "64 features");
	str_free(&text);
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

static void an_invalid_configuration_changes_nothing(void **state)
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
	assert_refused(sc, "node new { procs = 9 }\nnode n001 { procs = 2 }\n", "its running jobs use 4");
	scene_free(sc);
}

static void section_without_procs_waits_for_a_report(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_config(sc, "node n001 { speed = 1.5 }\nnode n002 { procs = 2 }\n");
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_NODES), 1);
	assert_int_equal(scene_view(sc)->procs_total, 2);
	scene_config(sc, "node n002 { speed = 1.5 }\n");
	assert_int_equal(scene_view(sc)->procs_total, 2);
	scene_free(sc);
}

static void configuration_that_frees_resources_is_noted(void **state)
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
		cmocka_unit_test(node_inherits_from_default),
		cmocka_unit_test(removed_values_are_gone),
		cmocka_unit_test(too_many_names_are_rejected),
		cmocka_unit_test(the_text_and_its_file_are_kept),
		cmocka_unit_test(an_invalid_configuration_changes_nothing),
		cmocka_unit_test(section_without_procs_waits_for_a_report),
		cmocka_unit_test(configuration_that_frees_resources_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
