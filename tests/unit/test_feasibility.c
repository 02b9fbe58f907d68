/* SPDX-License-Identifier: MIT */
/* test_feasibility.c - unit tests of the processors that fit on the idle machine and now, and of the lacking
 * resource */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "yard.h"

/* The memory of one node is unknown; one has GPUs and is fast; one is for a class. */
static void build_unequal(struct yard *y, uint32_t *night)
{
	uint64_t fast, class_bit;

	yard_begin(y);
	fast = yard_trait(y, TRAIT_FEATURE, "fast");
	yard_trait(y, TRAIT_GRES, "gpu");
	class_bit = yard_trait(y, TRAIT_CLASS, "night");
	*night = yard_cred(y, CRED_CLASS, "night");
	yard_node(y, "n001", (struct node){.procs = 6, .swap_mb = 500});
	yard_node(y, "n002",
		  (struct node){.procs = 4, .mem_mb = 900, .swap_mb = 700, .features = fast, .gres = {2}});
	yard_node(
		y, "n003",
		(struct node){.procs = 5, .mem_mb = 600, .swap_mb = 700, .classes = class_bit, .gres = {1}});
	y->s->nodes_differ = 1;
}

/* The job is removed again, because a yard has no space for all jobs. */
static void check_cached(struct yard *y, struct placement *r, struct job job)
{
	enum lack cached_lack = LACK_NONE, searched_lack = LACK_NONE;
	uint32_t slot = yard_job(y, job);
	int64_t requested = job_procs(&snapshot_jobs(y->s)[slot]), procs;

	placement_begin(r, y->s, 0);
	procs = placement_feasible(y->s, &snapshot_jobs(y->s)[slot], &searched_lack);
	assert_int_equal(placement_feasible_in(r, slot, &cached_lack), procs);
	if (procs < requested && job.tasks_per_node == 0)
		assert_int_equal(cached_lack, searched_lack);
	y->s->table[TABLE_JOBS].count--;
}

/* All combinations of requested amounts, around the amounts of the nodes. */
static void cached_amounts_equal_those_of_a_full_search(void **state)
{
	static const int64_t mem_mb[] = {0, 150, 300, 600, 601}, swap_mb[] = {0, 100, 250, 501};
	struct placement *r = placement_new();
	uint32_t night;
	struct yard y;

	(void)state;
	build_unequal(&y, &night);
	for (uint32_t tasks = 1; tasks < 17; tasks += tasks < 7 ? 1 : 3)
		for (size_t m = 0; m < sizeof mem_mb / sizeof mem_mb[0]; m++)
			for (size_t w = 0; w < sizeof swap_mb / sizeof swap_mb[0]; w++)
				for (uint32_t gpus = 0; gpus < 2; gpus++)
					check_cached(&y, r,
						     (struct job){.tasks = tasks,
								  .mem_mb = mem_mb[m],
								  .swap_mb = swap_mb[w],
								  .gres = {gpus}});
	placement_free(r);
	yard_end(&y);
}

/* Enough resources on every node do not suffice for a job that cannot use every node, or needs several tasks
 * on each. */
static void cached_requirements_equal_those_of_a_full_search(void **state)
{
	struct placement *r = placement_new();
	uint32_t night;
	struct yard y;

	(void)state;
	build_unequal(&y, &night);
	for (uint32_t tasks = 1; tasks < 8; tasks++) {
		check_cached(&y, r, (struct job){.tasks = tasks, .features = 1});
		check_cached(&y, r, (struct job){.tasks = tasks, .tasks_per_node = 4});
		check_cached(&y, r, (struct job){.tasks = tasks, .hosts = yard_string(&y, "n003")});
		check_cached(&y, r, (struct job){.tasks = tasks, .nodes = tasks});
		check_cached(&y, r, (struct job){.tasks = tasks, .cred = {[CRED_CLASS] = night}});
	}
	placement_free(r);
	yard_end(&y);
}

/* Nine processors, of which one of each node is unused. */
static void tasks_per_node_leave_part_of_each_node_unused(void **state)
{
	struct placement *r = placement_new();
	enum lack lack = LACK_NONE;
	struct yard y;
	uint32_t slot;

	(void)state;
	yard_begin(&y);
	yard_node(&y, "n001", (struct node){.procs = 3});
	yard_node(&y, "n002", (struct node){.procs = 3});
	yard_node(&y, "n003", (struct node){.procs = 3});
	slot = yard_job(&y, (struct job){.tasks = 8, .tasks_per_node = 2});
	placement_begin(r, y.s, 0);
	assert_int_equal(placement_feasible_in(r, slot, &lack), 6);
	placement_free(r);
	yard_end(&y);
}

/* Nodes of 6, 4 and 5 processors; n002 and n003 have memory, which the second group of jobs requests. */
static void the_least_allocation_of_a_job_follows_from_the_sizes_of_the_nodes(void **state)
{
	static const struct {
		struct job job;
		uint32_t nodes;
		int64_t procs;
	} row[] = {
		{{.tasks = 1}, 1, 1},
		{{.tasks = 6}, 1, 6},
		{{.tasks = 7}, 2, 7},
		{{.tasks = 11}, 2, 11},
		{{.tasks = 12}, 2, 12},
		{{.tasks = 13}, 3, 13},
		{{.tasks = 3, .task_procs = 2}, 1, 6},
		{{.tasks = 4, .task_procs = 2}, 2, 8},
		{{.tasks = 2, .task_procs = 5}, 2, 10},
		{{.tasks = 9, .task_procs = 7}, 1, 63}, /* fits on no node */
		{{.tasks = 1, .nodes = 1}, 1, 1},
		{{.tasks = 6, .nodes = 2}, 2, 6},
		{{.tasks = 1, .access = ACCESS_SHARED}, 1, 1},
		{{.tasks = 1, .access = ACCESS_SINGLEUSER}, 1, 4},
		{{.tasks = 5, .access = ACCESS_SINGLEJOB}, 1, 5},
		{{.tasks = 7, .access = ACCESS_SINGLEJOB}, 2, 8},
		{{.tasks = 9, .access = ACCESS_SINGLEJOB}, 2, 9},
		{{.tasks = 1, .nodes = 1, .access = ACCESS_SINGLEJOB}, 1, 4},
		{{.tasks = 3, .nodes = 3, .access = ACCESS_SINGLEJOB}, 3, 12},
		{{.tasks = 1, .features = 1, .access = ACCESS_SINGLEJOB}, 1, 4},
		{{.tasks = 5, .features = 1}, 2, 5},
	};
	struct placement *r = placement_new();
	uint32_t night;
	struct yard y;

	(void)state;
	build_unequal(&y, &night);
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
		for (int round = 0; round < 2; round++) { /* the second answer is cached */
			uint32_t slot = yard_job(&y, row[i].job);
			struct job_least least;

			placement_begin(r, y.s, 0);
			least = placement_least_held(r, slot);
			if (least.nodes != row[i].nodes || least.procs != row[i].procs)
				fail_msg("row %zu: %lld nodes and %lld processors", i, (long long)least.nodes,
					 (long long)least.procs);
			y.s->table[TABLE_JOBS].count--;
		}
	placement_free(r);
	yard_end(&y);
}

/* Three nodes of 4 processors and 1000 MB; two are fast, in partition 1 and for class night; one has GPUs. */
static void build_partitions(struct yard *y, uint32_t *night, uint32_t *day)
{
	uint64_t fast, class_bit;

	yard_begin(y);
	fast = yard_trait(y, TRAIT_FEATURE, "fast");
	yard_trait(y, TRAIT_GRES, "gpu");
	class_bit = yard_trait(y, TRAIT_CLASS, "night");
	*night = yard_cred(y, CRED_CLASS, "night");
	*day = yard_cred(y, CRED_CLASS, "day");
	yard_node(y, "n001",
		  (struct node){.procs = 4,
				.mem_mb = 1000,
				.swap_mb = 2000,
				.disk_mb = 500,
				.features = fast,
				.partition = 1,
				.classes = class_bit});
	yard_node(y, "n002",
		  (struct node){.procs = 4,
				.mem_mb = 1000,
				.swap_mb = 2000,
				.disk_mb = 500,
				.features = fast,
				.partition = 1,
				.classes = class_bit});
	yard_node(y, "n003",
		  (struct node){.procs = 4,
				.mem_mb = 1000,
				.swap_mb = 2000,
				.disk_mb = 500,
				.gres = {2},
				.partition = 2});
	y->s->nodes_differ = 1;
}

struct expected {
	struct job job;
	const char *hosts;
	int64_t procs;
	enum lack lack;
};

static void a_lacking_resource_of_the_idle_machine_is_reported(void **state)
{
	uint32_t night, day;
	struct yard y;

	(void)state;
	build_partitions(&y, &night, &day);
	const struct expected expected[] = {
		{{.tasks = 12}, NULL, 12, LACK_NONE},
		{{.tasks = 13}, NULL, 12, LACK_PROCS},
		{{.tasks = 1, .task_procs = 5}, NULL, 0, LACK_PROCS},
		{{.tasks = 9, .features = 1}, NULL, 8, LACK_FEATURE},
		{{.tasks = 4, .features = 2}, NULL, 0, LACK_FEATURE},
		{{.tasks = 9, .partition = 1}, NULL, 8, LACK_PARTITION},
		{{.tasks = 9}, "n003 N001", 8, LACK_HOST},
		{{.tasks = 5, .cred = {[CRED_CLASS] = day}}, NULL, 4, LACK_CLASS},
		{{.tasks = 12, .cred = {[CRED_CLASS] = night}}, NULL, 12, LACK_NONE},
		{{.tasks = 2, .mem_mb = 1001}, NULL, 0, LACK_MEMORY},
		{{.tasks = 7, .mem_mb = 500}, NULL, 6, LACK_MEMORY},
		{{.tasks = 2, .swap_mb = 2001}, NULL, 0, LACK_SWAP},
		{{.tasks = 2, .disk_mb = 501}, NULL, 0, LACK_DISK},
		{{.tasks = 3, .gres = {1}}, NULL, 2, LACK_GRES},
		{{.tasks = 10, .tasks_per_node = 5}, NULL, 0, LACK_TASKS},
		{{.tasks = 7, .tasks_per_node = 3}, NULL, 6, LACK_PROCS},
		{{.tasks = 8, .nodes = 4}, NULL, 6, LACK_PROCS},
		{{.tasks = 4, .nodes = 2, .access = ACCESS_SINGLEJOB}, NULL, 4, LACK_NONE},
	};

	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		struct job job = expected[i].job;
		enum lack lack;

		job.task_procs = job.task_procs > 0 ? job.task_procs : 1;
		for (int k = 0; k < CRED_TYPE_COUNT; k++)
			job.cred[k] = job.cred[k] > 0 ? job.cred[k] : INDEX_NONE;
		job.hosts = expected[i].hosts == NULL ? 0 : yard_string(&y, expected[i].hosts);
		/* A job that is not in the snapshot. */
		assert_int_equal(placement_feasible(y.s, &job, &lack), expected[i].procs);
		if (expected[i].lack != LACK_NONE)
			assert_int_equal(lack, expected[i].lack);
	}
	yard_end(&y);
}

static void a_currently_lacking_resource_is_reported(void **state)
{
	struct placement *r = placement_new();
	uint32_t night, day, amy, memory, procs, single_user, exclusive, later;
	enum lack lack;
	struct yard y;

	(void)state;
	build_partitions(&y, &night, &day);
	amy = yard_cred(&y, CRED_USER, "amy");
	yard_start(&y, yard_job(&y, (struct job){.mem_mb = 900, .wall_limit_s = 100}),
		   (struct alloc_run){.nodes = 1, .procs = 1, .tasks = 1});
	yard_start(&y, yard_job(&y, (struct job){.mem_mb = 800, .wall_limit_s = 200}),
		   (struct alloc_run){.node = 1, .nodes = 1, .procs = 1, .tasks = 1});
	memory = yard_job(&y, (struct job){.tasks = 6, .mem_mb = 250});
	procs = yard_job(&y, (struct job){.tasks = 12});
	single_user = yard_job(&y, (struct job){.tasks = 5, .cred = {amy}, .access = ACCESS_SINGLEUSER});
	exclusive = yard_job(&y, (struct job){.tasks = 2, .nodes = 2, .access = ACCESS_SINGLEJOB});
	later = yard_job(&y, (struct job){.tasks = 2});
	placement_begin(r, y.s, 0);
	assert_int_equal(placement_fit(r, memory, 0, 10, &lack), 4);
	assert_int_equal(lack, LACK_MEMORY);
	assert_int_equal(placement_fit(r, memory, 100, 110, &lack), 6);
	assert_int_equal(placement_fit(r, procs, 0, 10, &lack), 10);
	assert_int_equal(lack, LACK_PROCS);
	assert_int_equal(placement_fit(r, single_user, 0, 10, &lack), 4);
	assert_int_equal(lack, LACK_ACCESS);
	assert_int_equal(placement_fit(r, exclusive, 0, 10, &lack), 1);
	assert_int_equal(lack, LACK_ACCESS);
	assert_int_equal(placement_fit(r, later, 0, 10, &lack), 2);
	placement_free(r);
	yard_end(&y);
}

/* Enough fits, but not as a block of adjacent nodes: the result is less than requested. */
static void without_a_block_fewer_processors_fit_than_requested(void **state)
{
	struct placement *r = placement_new();
	uint32_t night, day, job;
	enum lack lack;
	struct yard y;

	(void)state;
	build_partitions(&y, &night, &day);
	yard_start(&y, yard_job(&y, (struct job){.tasks = 4}),
		   (struct alloc_run){.node = 1, .nodes = 1, .procs = 4, .tasks = 4});
	job = yard_job(&y, (struct job){.tasks = 6, .allocation = ALLOCATE_CONTIGUOUS + 1});
	placement_begin(r, y.s, 0);
	assert_string_equal(yard_place(&y, r, job, 0), "");
	assert_int_equal(placement_fit(r, job, 0, 10, &lack), 4);
	assert_int_equal(placement_feasible(y.s, snapshot_jobs(y.s) + job, &lack), 6);
	placement_free(r);
	yard_end(&y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cached_amounts_equal_those_of_a_full_search),
		cmocka_unit_test(cached_requirements_equal_those_of_a_full_search),
		cmocka_unit_test(tasks_per_node_leave_part_of_each_node_unused),
		cmocka_unit_test(the_least_allocation_of_a_job_follows_from_the_sizes_of_the_nodes),
		cmocka_unit_test(a_lacking_resource_of_the_idle_machine_is_reported),
		cmocka_unit_test(a_currently_lacking_resource_is_reported),
		cmocka_unit_test(without_a_block_fewer_processors_fit_than_requested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
