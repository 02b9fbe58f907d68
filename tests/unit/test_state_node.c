/* SPDX-License-Identifier: MIT */
/*
 * test_state_node.c - node reports: checks and effects
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "tests/scene.h"

/* Reports node n001 with these values; returns the error, or "". */
static const char *report(struct scene *sc, struct node_record node)
{
	static struct err err;
	struct event ev = {.kind = EVENT_NODE, .node = node};

	ev.node.name = "n001";
	return scene_try(sc, &ev, &err);
}

static void amounts_are_accepted_up_to_their_bounds(void **state)
{
	struct scene *sc = scene_new(1, 4);
	const int64_t most = MEMORY_MAX_MB;

	(void)state;
	assert_string_equal(report(sc, (struct node_record){.procs = 4,
							    .mem_mb = most,
							    .swap_mb = most,
							    .disk_mb = most,
							    .access = ACCESS_SINGLETASK}),
			    "");
	assert_int_equal(scene_view(sc)->mem_mb_total, most);
	assert_int_equal(scene_view(sc)->swap_mb_total, most);
	assert_int_equal(scene_view(sc)->disk_mb_total, most);
	for (int i = 0; i < 3; i++) {
		struct node_record large = {.procs = 4}, small = {.procs = 4};
		int64_t *const amount[][3] = {{&large.mem_mb, &large.swap_mb, &large.disk_mb},
					      {&small.mem_mb, &small.swap_mb, &small.disk_mb}};

		*amount[0][i] = most + 1;
		*amount[1][i] = -1;
		assert_string_not_equal(report(sc, large), "");
		assert_string_not_equal(report(sc, small), "");
	}
	assert_string_not_equal(report(sc, (struct node_record){.procs = 4, .access = ACCESS_SINGLETASK + 1}),
				"");
	assert_int_equal(scene_view(sc)->mem_mb_total, most);
	scene_free(sc);
}

static void a_smaller_node_report_reduces_the_totals(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	report(sc, (struct node_record){.procs = 3, .mem_mb = 50, .swap_mb = 60, .disk_mb = 70});
	assert_int_equal(scene_view(sc)->procs_total, 3 + 4);
	assert_int_equal(scene_view(sc)->mem_mb_total, 50 + 4096);
	report(sc, (struct node_record){.procs = 2, .mem_mb = 40, .swap_mb = 60, .disk_mb = 71});
	assert_int_equal(scene_view(sc)->procs_total, 2 + 4);
	assert_int_equal(scene_view(sc)->mem_mb_total, 40 + 4096);
	assert_int_equal(scene_view(sc)->swap_mb_total, 60);
	assert_int_equal(scene_view(sc)->disk_mb_total, 71);
	scene_free(sc);
}

/* Job 1 has 1 processor and 3 of 4 GPUs. */
static void resources_in_use_cannot_be_removed(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	report(sc, (struct node_record){.procs = 4, .gres = "tape:1 gpu:4"});
	scene_add(sc, (struct scene_job){.procs = 1, .task_procs = 1, .gres = "gpu:3"});
	scene_pass(sc);
	assert_int_equal(scene_view(sc)->procs_busy, 1);
	assert_string_equal(report(sc, (struct node_record){.procs = 0, .gres = "gpu:4"}),
			    "node n001 was reported with 0 processors, but its running jobs use 1");
	assert_string_equal(report(sc, (struct node_record){.procs = 1, .gres = "gpu:2"}),
			    "node n001 was reported with 2 units of gpu, but its running jobs use 3");
	assert_string_equal(report(sc, (struct node_record){.procs = 1, .gres = "gpux:9 gp:9"}),
			    "node n001 was reported with 0 units of gpu, but its running jobs use 3");
	assert_string_equal(report(sc, (struct node_record){.procs = 1, .gres = "gpu:9 GPU:2"}),
			    "node n001 was reported with 2 units of gpu, but its running jobs use 3");
	assert_string_equal(report(sc, (struct node_record){.procs = 1, .gres = "gpu:1 gpu:3"}), "");
	assert_string_equal(report(sc, (struct node_record){.procs = 1}),
			    "node n001 was reported with 0 units of gpu, but its running jobs use 3");
	scene_free(sc);
}

/* A request is not considered while no node reports an amount of that resource. */
static void resource_changes_affect_requesting_jobs(void **state)
{
	static const struct {
		struct scene_job asks;
		struct node_record with;
	} resource[] = {
		{{.mem_mb = 7}, {.procs = 4, .mem_mb = 10}},
		{{.swap_mb = 7}, {.procs = 4, .swap_mb = 10}},
		{{.disk_mb = 7}, {.procs = 4, .disk_mb = 10}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof resource / sizeof resource[0]; i++) {
		struct scene *sc = scene_new(0, 0);

		report(sc, (struct node_record){.procs = 4});
		scene_add(sc, resource[i].asks);
		scene_submit(sc, 1, 100);
		assert_int_equal(scene_view(sc)->particular, 0);
		report(sc, resource[i].with);
		assert_int_equal(scene_view(sc)->particular, 1);
		report(sc, (struct node_record){.procs = 4});
		assert_int_equal(scene_view(sc)->particular, 0);
		scene_free(sc);
	}
}

static void measure(struct scene *sc, double procs)
{
	struct event ev = {.kind = EVENT_LOAD, .load = {.node = "n001", .used = NODE_NOT_MEASURED}};

	ev.load.used.procs = procs;
	scene_apply(sc, &ev);
}

static void measured_node_differs(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	assert_false(scene_view(sc)->nodes_differ);
	measure(sc, 0);
	assert_true(scene_view(sc)->nodes_differ);
	measure(sc, 1);
	assert_true(scene_view(sc)->nodes_differ);
	measure(sc, -1);
	assert_false(scene_view(sc)->nodes_differ);
	scene_free(sc);
}

/* Each value makes n002 differ from n001; then n001 gets the same value. */
static void nodes_differ_by_partition_classes_and_access(void **state)
{
	static const struct node_record other[] = {
		{.procs = 4, .partition = "night"},
		{.procs = 4, .classes = "batch"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
		struct scene *sc = scene_new(2, 4);
		struct node_record second = other[i];

		second.name = "n002";
		scene_node(sc, second);
		assert_true(scene_view(sc)->nodes_differ);
		report(sc, other[i]);
		assert_false(scene_view(sc)->nodes_differ);
		scene_free(sc);
	}
	for (unsigned access = ACCESS_SHARED; access <= ACCESS_SINGLETASK; access++) {
		struct scene *sc = scene_new(2, 4);

		report(sc, (struct node_record){.procs = 4, .access = (uint8_t)access});
		assert_int_equal(scene_view(sc)->nodes_differ, access > ACCESS_SHARED);
		report(sc, (struct node_record){.procs = 4, .access = ACCESS_SHARED});
		assert_false(scene_view(sc)->nodes_differ);
		scene_free(sc);
	}
}

/* A restricted node differs from a node that any job may use, even if it is the only one. */
static void single_restricted_node_differs(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	assert_false(scene_view(sc)->nodes_differ);
	scene_undo(sc, scene_set(sc, "node[n001].drained", "true"));
	assert_false(scene_view(sc)->nodes_differ);
	scene_set(sc, "node[n001].drained", "true");
	assert_true(scene_view(sc)->nodes_differ);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amounts_are_accepted_up_to_their_bounds),
		cmocka_unit_test(a_smaller_node_report_reduces_the_totals),
		cmocka_unit_test(resources_in_use_cannot_be_removed),
		cmocka_unit_test(resource_changes_affect_requesting_jobs),
		cmocka_unit_test(measured_node_differs),
		cmocka_unit_test(nodes_differ_by_partition_classes_and_access),
		cmocka_unit_test(single_restricted_node_differs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
