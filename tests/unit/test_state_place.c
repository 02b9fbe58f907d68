/* SPDX-License-Identifier: MIT */
/*
 * test_state_place.c - errors of starts that are impossible or not allowed
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/scene.h"

static struct scene *four_nodes(void)
{
	struct scene *sc = scene_new(0, 0);
	static const char *const name[] = {"a", "b", "c", "d"};

	for (int i = 0; i < 4; i++)
		scene_node(sc, (struct node_record){.name = name[i],
						    .procs = 4,
						    .mem_mb = i == 3 ? 0 : 1000,
						    .swap_mb = 500,
						    .gres = "gpu:2",
						    .features = i == 0 ? "fast" : NULL,
						    .classes = i == 1 ? "long" : NULL,
						    .partition = i == 2 ? "night" : NULL,
						    .used = NODE_NOT_MEASURED});
	return sc;
}

/* Submits a job and tries to start two tasks of it on one node; returns the error, or "". */
static const char *try_start(struct scene *sc, struct scene_job asked, uint32_t node)
{
	static struct err err;
	uint64_t job = scene_add(sc, asked);

	scene_try_start(sc, job, (struct alloc_run){.node = node, .nodes = 1, .procs = 2, .tasks = 2}, &err);
	return err.text;
}

static void error_names_the_missing_resource(void **state)
{
	struct scene *sc = four_nodes();

	(void)state;
	assert_string_equal(
		try_start(sc, (struct scene_job){.procs = 2, .mem_mb = 501}, 0),
		"job 1 cannot start: node a has only 1000 MB of memory free, but the job requests 1002 MB");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .mem_mb = 500}, 0), "");
	assert_string_equal(
		try_start(sc, (struct scene_job){.procs = 2, .mem_mb = 1}, 0),
		"job 3 cannot start: node a has only 0 MB of memory free, but the job requests 2 MB");
	assert_string_equal(
		try_start(sc, (struct scene_job){.procs = 2, .swap_mb = 251}, 1),
		"job 4 cannot start: node b has only 500 MB of swap free, but the job requests 502 MB");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .mem_mb = 99999}, 3),
			    ""); /* the node's memory is unknown */
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .gres = "gpu:2"}, 3),
			    "job 6 cannot start: node d has too few of a requested generic resource free");
	scene_free(sc);
}

static void error_names_the_missing_feature(void **state)
{
	struct scene *sc = four_nodes();

	(void)state;
	scene_node(sc,
		   (struct node_record){.name = "a", .procs = 4, .disk_mb = 100, .used = NODE_NOT_MEASURED});
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .gres = "tape"}, 3),
			    "job 1 cannot start: node d has none of a requested generic resource");
	assert_string_equal(
		try_start(sc, (struct scene_job){.procs = 2, .disk_mb = 51}, 0),
		"job 2 cannot start: node a has only 100 MB of disk free, but the job requests 102 MB");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .disk_mb = 50}, 0), "");
	scene_set(sc, "node[d].drained", "true");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2}, 3),
			    "job 4 cannot start: node d is drained");
	scene_free(sc);
}

/* Names of hosts and classes that contain each other are different. */
static void names_are_compared_as_a_whole(void **state)
{
	struct scene *sc = four_nodes();

	(void)state;
	scene_node(sc, (struct node_record){.name = "b", .procs = 4, .classes = "long late"});
	scene_node(sc, (struct node_record){.name = "c", .procs = 4, .classes = "night"});
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .class_name = "night"}, 1),
			    "job 1 cannot start: node b does not accept the job's class");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .class_name = "late"}, 1), "");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2}, 1), "");
	scene_node(sc, (struct node_record){.name = "ab", .procs = 4});
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .hosts = "a b"}, 4),
			    "job 4 cannot start: node ab is not in the job's list of hosts");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .hosts = "ab"}, 0),
			    "job 5 cannot start: node a is not in the job's list of hosts");
	scene_free(sc);
}

static void a_job_runs_on_existing_nodes_and_on_each_once(void **state)
{
	static const struct {
		struct alloc_run run[2];
		const char *message;
	} row[] = {
		{{{0, 2, 1, 1, INDEX_NONE}, {1, 1, 1, 1, INDEX_NONE}}, "job 1 is to run on node b twice"},
		{{{1, 2, 1, 1, INDEX_NONE}, {0, 2, 1, 1, INDEX_NONE}}, "job 1 is to run on node a twice"},
		{{{3, 2, 1, 1, INDEX_NONE}, {0, 1, 1, 1, INDEX_NONE}},
		 "job 1 is to run on nodes that do not exist"},
		{{{4, 1, 1, 1, INDEX_NONE}, {0, 1, 1, 1, INDEX_NONE}},
		 "job 1 is to run on nodes that do not exist"},
		{{{0, 0, 1, 1, INDEX_NONE}, {0, 1, 1, 1, INDEX_NONE}},
		 "job 1 is to run on nodes that do not exist"},
		{{{0, 1, 0, 1, INDEX_NONE}, {1, 1, 1, 1, INDEX_NONE}},
		 "job 1 is to run on nodes that do not exist"},
		{{{0, 2, UINT32_MAX, 1, INDEX_NONE}, {2, 1, 1, 1, INDEX_NONE}},
		 "job 1 is to hold more than 4294967295 processors"},
		{{{2, 1, 1, 1, INDEX_NONE}, {0, 2, 1, 1, INDEX_NONE}}, ""},
	};
	struct scene *sc = four_nodes();
	struct err err;

	(void)state;
	scene_submit(sc, 3, 100);
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		err.text[0] = '\0';
		assert_int_equal(state_check_named(sc->st, scene_job_of(sc, 1), row[i].run, 2, &err),
				 row[i].message[0] == '\0');
		assert_string_equal(err.text, row[i].message);
	}
	scene_free(sc);
}

static void error_names_the_restriction(void **state)
{
	struct scene *sc = four_nodes();

	(void)state;
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .features = "fast"}, 1),
			    "job 1 cannot start: node b lacks a requested feature");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .class_name = "short"}, 1),
			    "job 2 cannot start: node b does not accept the job's class");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .class_name = "LONG"}, 1), "");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .partition = "day"}, 2),
			    "job 4 cannot start: node c is in another partition");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .hosts = "a B"}, 2),
			    "job 5 cannot start: node c is not in the job's list of hosts");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .hosts = "a C"}, 2), "");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .tasks_per_node = 4}, 3),
			    "job 7 cannot start: node d would get a number of tasks that is not a multiple "
			    "of the job's tasks per node");
	scene_free(sc);
}

static void processors_of_a_run_must_match_its_tasks(void **state)
{
	struct scene *sc = four_nodes();
	struct err err;

	(void)state;
	scene_submit(sc, 2, 100);
	assert_string_equal(scene_try_start(sc, 1, (struct alloc_run){0, 1, 3, 2, INDEX_NONE}, &err),
			    "job 1 cannot start: node a would be allocated with more or fewer processors "
			    "than the job's tasks need");
	assert_string_equal(scene_try_start(sc, 1, (struct alloc_run){0, 2, 2, 2, INDEX_NONE}, &err),
			    "job 1 is to run on 4 processors, but requested 2");
	scene_add(sc, (struct scene_job){.procs = 2, .access = ACCESS_SINGLEJOB});
	assert_string_equal(scene_try_start(sc, 2, (struct alloc_run){0, 1, 2, 2, INDEX_NONE}, &err),
			    "job 2 cannot start: node a must be allocated completely");
	scene_add(sc, (struct scene_job){.procs = 10, .access = ACCESS_SINGLEJOB});
	assert_string_equal(scene_try_start(sc, 3, (struct alloc_run){0, 1, 4, 10, INDEX_NONE}, &err),
			    "job 3 cannot start: node a is too small for its tasks");
	scene_free(sc);
}

static void unshared_node_accepts_no_other_job(void **state)
{
	struct scene *sc = four_nodes();
	struct alloc_run whole = {.node = 1, .nodes = 1, .procs = 4, .tasks = 2};
	struct err err;

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 2, .user = "eva", .access = ACCESS_SINGLEUSER});
	scene_start(sc, 1, 0, 1, 2);
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .user = "john"}, 0),
			    "job 2 cannot start: node a has jobs of another user");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .user = "eva"}, 0), "");
	scene_add(sc, (struct scene_job){.procs = 2, .user = "eva", .access = ACCESS_SINGLEJOB});
	whole.node = 0;
	assert_string_equal(scene_try_start(sc, 4, whole, &err),
			    "job 4 cannot start: node a has only 0 processors free");
	whole.node = 1;
	assert_string_equal(scene_try_start(sc, 4, whole, &err), "");
	scene_node(sc,
		   (struct node_record){.name = "b", .procs = 8, .mem_mb = 1000}); /* the node is enlarged */
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .user = "eva"}, 1),
			    "job 5 cannot start: node b cannot be shared");
	scene_free(sc);
}

static void access_policy_of_the_node_applies(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_node(sc, (struct node_record){.name = "a", .procs = 4, .access = ACCESS_SINGLEUSER});
	scene_node(sc, (struct node_record){.name = "b", .procs = 2, .access = ACCESS_SINGLEJOB});
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .user = "eva"}, 0), "");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .user = "john"}, 0),
			    "job 2 cannot start: node a has jobs of another user");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .user = "eva"}, 1), "");
	scene_free(sc);
}

static void M_15_memory_with_availability_utilized_may_be_overcommitted(void **state)
{
	struct scene *sc = four_nodes();
	struct event load = {.kind = EVENT_LOAD, .load = {.node = "a", .used = NODE_NOT_MEASURED}};

	(void)state;
	scene_set(sc, "nodeavailabilitypolicy", "utilized:mem");
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .mem_mb = 400}, 0), "");
	assert_string_equal(
		try_start(sc, (struct scene_job){.procs = 2, .mem_mb = 400}, 0),
		"job 2 cannot start: node a has only 200 MB of memory free, but the job requests 800 MB");
	load.load.used.mem_mb = 100;
	scene_apply(sc, &load);
	assert_string_equal(try_start(sc, (struct scene_job){.procs = 2, .mem_mb = 400}, 0), "");
	assert_int_equal(snapshot_nodes(scene_view(sc))[0].mem_busy_mb, 1600);
	scene_free(sc);
}

static void requests_beyond_all_bounds_are_refused(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_SUBMIT};
	struct err err;

	(void)state;
	ev.submit.job =
		(struct job){.tasks = 4, .task_procs = 1, .wall_limit_s = 60, .mem_mb = INT64_C(1) << 39};
	assert_string_equal(
		scene_try(sc, &ev, &err),
		"a job can request at most 1099511627776 MB of memory, not 4 tasks of 549755813888 MB each");
	ev.submit.job.mem_mb = 0;
	ev.submit.job.disk_mb = -1;
	assert_string_equal(scene_try(sc, &ev, &err), "a job cannot request a negative amount of disk");
	ev.submit.job.disk_mb = 0;
	ev.submit.job.access = 9;
	assert_string_equal(scene_try(sc, &ev, &err),
			    "a job requests an unknown node allocation policy or node access policy");
	scene_free(sc);
}

/* For each bound, the last value is allowed and the next one is not. */
static void job_sizes_are_bounded(void **state)
{
	static const struct job sound = {.tasks = 2, .task_procs = 1, .wall_limit_s = 60};
	struct job job = sound;
	struct err err;

	(void)state;
#define assert_bound(field, last, beyond)                                                                    \
	do {                                                                                                 \
		job = sound;                                                                                 \
		job.field = (last);                                                                          \
		assert_true(state_check_size(&job, &err));                                                   \
		job.field = (beyond);                                                                        \
		err.text[0] = '\0';                                                                          \
		assert_false(state_check_size(&job, &err));                                                  \
		assert_true(err.text[0] != '\0');                                                            \
	} while (0)
	assert_bound(tasks, UINT32_MAX, 0);
	assert_bound(task_procs, UINT32_MAX / 2, UINT32_MAX / 2 + 1);
	assert_bound(task_procs, 1, 0);
	assert_bound(wall_limit_s, 1, 0);
	assert_bound(wall_limit_s, MOMENT_MAX_S, MOMENT_MAX_S + 1);
	assert_bound(array_index, ARRAY_INDEX_MAX, ARRAY_INDEX_MAX + 1);
	assert_bound(array_limit, ARRAY_TASKS_MAX, ARRAY_TASKS_MAX + 1);
	assert_bound(base_points, JOB_POINTS_LEAST, JOB_POINTS_LEAST - 1);
	assert_bound(base_points, JOB_POINTS_MOST, JOB_POINTS_MOST + 1);
	assert_bound(access, ACCESS_SINGLETASK, ACCESS_SINGLETASK + 1);
	assert_bound(allocation, ALLOCATION_POLICY_COUNT, ALLOCATION_POLICY_COUNT + 1);
	assert_bound(mem_mb, MEMORY_MAX_MB / 2, MEMORY_MAX_MB / 2 + 1);
	assert_bound(swap_mb, MEMORY_MAX_MB / 2, MEMORY_MAX_MB / 2 + 1);
	assert_bound(disk_mb, MEMORY_MAX_MB / 2, MEMORY_MAX_MB / 2 + 1);
	assert_bound(mem_mb, 0, -1);
	assert_bound(swap_mb, 0, -1);
	assert_bound(disk_mb, 0, -1);
#undef assert_bound
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_names_the_missing_resource),
		cmocka_unit_test(error_names_the_missing_feature),
		cmocka_unit_test(names_are_compared_as_a_whole),
		cmocka_unit_test(a_job_runs_on_existing_nodes_and_on_each_once),
		cmocka_unit_test(error_names_the_restriction),
		cmocka_unit_test(processors_of_a_run_must_match_its_tasks),
		cmocka_unit_test(unshared_node_accepts_no_other_job),
		cmocka_unit_test(access_policy_of_the_node_applies),
		cmocka_unit_test(M_15_memory_with_availability_utilized_may_be_overcommitted),
		cmocka_unit_test(requests_beyond_all_bounds_are_refused),
		cmocka_unit_test(job_sizes_are_bounded),
	};

	return cmocka_run_group_tests_name("state_place", tests, NULL, NULL);
}
