/* SPDX-License-Identifier: MIT */
/*
 * test_lacks.c - is what a job lacks named, with how much of it there is?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "yard.h"

/* Three nodes of 4 processors and 1000 MB; two are fast, in partition 1 and for class night; one has GPUs. */
static void build(struct yard *y, uint32_t *night, uint32_t *day)
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

static void what_the_machine_lacks_is_named(void **state)
{
	uint32_t night, day;
	struct yard y;

	(void)state;
	build(&y, &night, &day);
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

static void what_is_lacking_now_is_named(void **state)
{
	struct placement *r = placement_new();
	uint32_t night, day, amy, memory, procs, shy, alone, later;
	enum lack lack;
	struct yard y;

	(void)state;
	build(&y, &night, &day);
	amy = yard_cred(&y, CRED_USER, "amy");
	yard_start(&y, yard_job(&y, (struct job){.mem_mb = 900, .wall_limit_s = 100}),
		   (struct alloc_run){.nodes = 1, .procs = 1, .tasks = 1});
	yard_start(&y, yard_job(&y, (struct job){.mem_mb = 800, .wall_limit_s = 200}),
		   (struct alloc_run){.node = 1, .nodes = 1, .procs = 1, .tasks = 1});
	memory = yard_job(&y, (struct job){.tasks = 6, .mem_mb = 250});
	procs = yard_job(&y, (struct job){.tasks = 12});
	shy = yard_job(&y, (struct job){.tasks = 5, .cred = {amy}, .access = ACCESS_SINGLEUSER});
	alone = yard_job(&y, (struct job){.tasks = 2, .nodes = 2, .access = ACCESS_SINGLEJOB});
	later = yard_job(&y, (struct job){.tasks = 2});
	placement_begin(r, y.s, 0);
	assert_int_equal(placement_fit(r, memory, 0, 10, &lack), 4);
	assert_int_equal(lack, LACK_MEMORY);
	assert_int_equal(placement_fit(r, memory, 100, 110, &lack), 6);
	assert_int_equal(placement_fit(r, procs, 0, 10, &lack), 10);
	assert_int_equal(lack, LACK_PROCS);
	assert_int_equal(placement_fit(r, shy, 0, 10, &lack), 4);
	assert_int_equal(lack, LACK_ACCESS);
	assert_int_equal(placement_fit(r, alone, 0, 10, &lack), 1);
	assert_int_equal(lack, LACK_ACCESS);
	assert_int_equal(placement_fit(r, later, 0, 10, &lack), 2);
	placement_free(r);
	yard_end(&y);
}

/* Enough fits, but not as a block of neighbours: then less is said to fit than is asked for. */
static void what_is_no_block_is_less_than_asked_for(void **state)
{
	struct placement *r = placement_new();
	uint32_t night, day, job;
	enum lack lack;
	struct yard y;

	(void)state;
	build(&y, &night, &day);
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
		cmocka_unit_test(what_the_machine_lacks_is_named),
		cmocka_unit_test(what_is_lacking_now_is_named),
		cmocka_unit_test(what_is_no_block_is_less_than_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
