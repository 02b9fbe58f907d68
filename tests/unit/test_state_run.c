/* SPDX-License-Identifier: MIT */
/*
 * test_state_run.c - resources allocated and released by jobs
 * scene.c runs state_check after each event, which calculates all sums again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scene.h"

static const struct node *node_at(const struct scene *sc, uint32_t i)
{
	return &snapshot_nodes(scene_view(sc))[i];
}

static void resources_are_allocated_for_each_task(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_node(sc, (struct node_record){.name = "a",
					    .procs = 8,
					    .mem_mb = 4096,
					    .swap_mb = 1000,
					    .disk_mb = 900,
					    .gres = "gpu:4 tape:2"});
	scene_add(sc, (struct scene_job){.procs = 6,
					 .task_procs = 2,
					 .mem_mb = 100,
					 .swap_mb = 10,
					 .disk_mb = 30,
					 .gres = "gpu tape:0"});
	assert_int_equal(scene_view(sc)->particular, 1);
	scene_start(sc, 1, 0, 1, 6);
	assert_int_equal(node_at(sc, 0)->procs_busy, 6);
	assert_int_equal(node_at(sc, 0)->mem_busy_mb, 300);
	assert_int_equal(node_at(sc, 0)->swap_busy_mb, 30);
	assert_int_equal(node_at(sc, 0)->disk_busy_mb, 90);
	assert_int_equal(node_at(sc, 0)->gres_busy[0], 3);
	assert_int_equal(node_at(sc, 0)->gres_busy[1], 0);
	assert_int_equal(node_at(sc, 0)->jobs, 1);
	assert_int_equal(scene_job_of(sc, 1)->procs_held, 6);
	assert_int_equal(scene_job_of(sc, 1)->start_count, 1);
	scene_end(sc, 1);
	assert_int_equal(
		node_at(sc, 0)->mem_busy_mb + node_at(sc, 0)->disk_busy_mb + node_at(sc, 0)->gres_busy[0], 0);
	assert_int_equal(scene_view(sc)->particular, 0);
	scene_free(sc);
}

static void only_user_of_a_node_is_recomputed(void **state)
{
	struct scene *sc = scene_new(1, 8);
	uint32_t eva, john;

	(void)state;
	for (int i = 0; i < 5; i++)
		scene_add(sc, (struct scene_job){.user = i < 3 ? "eva" : "john"});
	eva = snapshot_find_cred(scene_view(sc), CRED_USER, "eva");
	john = snapshot_find_cred(scene_view(sc), CRED_USER, "john");
	assert_int_equal(node_at(sc, 0)->user, INDEX_NONE);
	scene_start(sc, 1, 0, 1, 1);
	scene_start(sc, 2, 0, 1, 1);
	assert_int_equal(node_at(sc, 0)->user, eva);
	scene_start(sc, 4, 0, 1, 1);
	scene_start(sc, 5, 0, 1, 1);
	assert_int_equal(node_at(sc, 0)->user, INDEX_NONE);
	scene_end(sc, 2);
	assert_int_equal(node_at(sc, 0)->user, INDEX_NONE);
	scene_end(sc, 1);
	assert_int_equal(node_at(sc, 0)->user, john);
	scene_end(sc, 4);
	scene_end(sc, 5);
	assert_int_equal(node_at(sc, 0)->user, INDEX_NONE);
	scene_free(sc);
}

static void whole_node_is_released_completely(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct alloc_run run = {.node = 0, .nodes = 1, .procs = 4, .tasks = 2};
	struct event start = {.kind = EVENT_START, .job = 1, .start = {.runs = &run, .count = 1}};

	(void)state;
	scene_set(sc, "nodeaccesspolicy", "singlejob");
	scene_submit(sc, 2, 100);
	scene_apply(sc, &start);
	assert_int_equal(node_at(sc, 0)->procs_busy, 4);
	assert_int_equal(node_at(sc, 0)->held_whole, 1);
	assert_int_equal(scene_job_of(sc, 1)->procs_held, 4);
	assert_int_equal(job_procs_counted(scene_job_of(sc, 1)), 4);
	assert_int_equal(scene_job_of(sc, 1)->access_held, ACCESS_SINGLEJOB);
	scene_set(sc, "nodeaccesspolicy", "singleuser");
	scene_submit(sc, 2, 100);
	scene_start(sc, 2, 1, 1, 2);
	assert_int_equal(node_at(sc, 1)->held_user, 1);
	scene_set(sc, "nodeaccesspolicy", "shared");
	scene_end(sc, 1);
	scene_end(sc, 2);
	assert_int_equal(node_at(sc, 0)->held_whole + node_at(sc, 1)->held_user, 0);
	assert_int_equal(scene_view(sc)->procs_busy, 0);
	scene_free(sc);
}

static void active_time_of_a_node_is_counted_once(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	sc->now_s = 100;
	scene_submit(sc, 1, 1000);
	scene_submit(sc, 1, 1000);
	assert_true(scene_view(sc)->stats_since_s == 0);
	scene_start(sc, 1, 0, 1, 1);
	sc->now_s = 150;
	scene_start(sc, 2, 0, 1, 1);
	assert_int_equal(node_at(sc, 0)->active_from_s, 100);
	sc->now_s = 200;
	scene_end(sc, 1);
	assert_int_equal(node_at(sc, 0)->active_s, 0);
	sc->now_s = 300;
	scene_end(sc, 2);
	assert_int_equal(node_at(sc, 0)->active_s, 200);
	assert_true(node_at(sc, 0)->active_from_s == TIME_NONE);
	scene_free(sc);
}

static void planned_start_holds_no_resources(void **state)
{
	static const struct alloc_run runs[] = {{.node = 1, .nodes = 1, .procs = 4, .tasks = 4},
						{.node = 0, .nodes = 1, .procs = 2, .tasks = 2}};
	struct scene *sc = scene_new(2, 4);
	struct event plan = {.kind = EVENT_PLAN, .plan = {.start_s = 500, .runs = runs, .count = 2}};

	(void)state;
	plan.job = scene_submit(sc, 6, 100);
	scene_apply(sc, &plan);
	assert_int_equal(scene_run_count(scene_view(sc), state_find(sc->st, 1)), 2);
	assert_int_equal(scene_view(sc)->procs_busy, 0);
	plan.plan.count = 1;
	assert_string_equal(scene_try(sc, &plan, &(struct err){""}),
			    "job 1 is to run on 4 processors, but requested 6");
	plan.plan.count = 0;
	scene_apply(sc, &plan); /* a reservation without nodes */
	assert_int_equal(scene_run_count(scene_view(sc), state_find(sc->st, 1)), 0);
	plan.plan.count = 2;
	scene_apply(sc, &plan);
	scene_start(sc, 1, 0, 2, 3);
	assert_int_equal(scene_run_count(scene_view(sc), state_find(sc->st, 1)), 1);
	assert_int_equal(scene_view(sc)->planned, 0);
	assert_int_equal(scene_view(sc)->procs_busy, 6);
	scene_end(sc, 1);
	plan.job = scene_submit(sc, 6, 100);
	scene_apply(sc, &plan);
	plan.plan.start_s = TIME_NEVER;
	assert_string_equal(scene_try(sc, &plan, &(struct err){""}),
			    "the reservation of job 2 names nodes, but has no start time");
	scene_cancel(sc, 2);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_RUNS), 2); /* all of them are free */
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resources_are_allocated_for_each_task),
		cmocka_unit_test(only_user_of_a_node_is_recomputed),
		cmocka_unit_test(whole_node_is_released_completely),
		cmocka_unit_test(active_time_of_a_node_is_counted_once),
		cmocka_unit_test(planned_start_holds_no_resources),
	};

	return cmocka_run_group_tests_name("state_run", tests, NULL, NULL);
}
