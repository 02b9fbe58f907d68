/* SPDX-License-Identifier: MIT */
/*
 * test_feasibility.c - could a job ever have what it asks for?
 *
 * What a pass answers, from what every node has and from jobs that ask the same, is what is found by
 * looking at every node for this job alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "yard.h"

/* One says nothing of its memory, one has GPUs and is fast, one is for a class. */
static void build(struct yard *y, uint32_t *night)
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

/* The job goes again: a yard has no room for all of them. */
static void is_answered_as_looking_does(struct yard *y, struct placement *r, struct job job)
{
	enum lack quick = LACK_NONE, looked = LACK_NONE;
	uint32_t slot = yard_job(y, job);
	int64_t asked = job_procs(&snapshot_jobs(y->s)[slot]), procs;

	placement_begin(r, y->s, 0);
	procs = placement_feasible(y->s, &snapshot_jobs(y->s)[slot], &looked);
	assert_int_equal(placement_feasible_in(r, slot, &quick), procs);
	if (procs < asked && job.tasks_per_node == 0)
		assert_int_equal(quick, looked);
	y->s->table[TABLE_JOBS].count--;
}

/* The amounts asked for in all combinations, around what the nodes have. */
static void amounts_are_answered_as_looking_does(void **state)
{
	static const int64_t mem_mb[] = {0, 150, 300, 600, 601}, swap_mb[] = {0, 100, 250, 501};
	struct placement *r = placement_new();
	uint32_t night;
	struct yard y;

	(void)state;
	build(&y, &night);
	for (uint32_t tasks = 1; tasks < 17; tasks += tasks < 7 ? 1 : 3)
		for (size_t m = 0; m < sizeof mem_mb / sizeof mem_mb[0]; m++)
			for (size_t w = 0; w < sizeof swap_mb / sizeof swap_mb[0]; w++)
				for (uint32_t gpus = 0; gpus < 2; gpus++)
					is_answered_as_looking_does(&y, r,
								    (struct job){.tasks = tasks,
										 .mem_mb = mem_mb[m],
										 .swap_mb = swap_mb[w],
										 .gres = {gpus}});
	placement_free(r);
	yard_end(&y);
}

/* Enough of everything everywhere does not help who may not stand on each node, or not with one task alone.
 */
static void the_picky_are_answered_as_looking_does(void **state)
{
	struct placement *r = placement_new();
	uint32_t night;
	struct yard y;

	(void)state;
	build(&y, &night);
	for (uint32_t tasks = 1; tasks < 8; tasks++) {
		is_answered_as_looking_does(&y, r, (struct job){.tasks = tasks, .features = 1});
		is_answered_as_looking_does(&y, r, (struct job){.tasks = tasks, .tasks_per_node = 4});
		is_answered_as_looking_does(&y, r,
					    (struct job){.tasks = tasks, .hosts = yard_string(&y, "n003")});
		is_answered_as_looking_does(&y, r, (struct job){.tasks = tasks, .nodes = tasks});
		is_answered_as_looking_does(&y, r,
					    (struct job){.tasks = tasks, .cred = {[CRED_CLASS] = night}});
	}
	placement_free(r);
	yard_end(&y);
}

/* Nine processors, and one of each node is left over. */
static void pairs_of_tasks_that_stay_together_take_whole_pairs_of_a_node(void **state)
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

/* Of nodes with 6, 4 and 5 processors; n002 and n003 have memory, which the second group of jobs asks for. */
static void the_least_that_a_job_holds_follows_from_the_largest_and_smallest_nodes(void **state)
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
		{{.tasks = 9, .task_procs = 7}, 1, 63}, /* fits nowhere */
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
	build(&y, &night);
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
		for (int again = 0; again < 2; again++) { /* the second answer is remembered */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amounts_are_answered_as_looking_does),
		cmocka_unit_test(the_picky_are_answered_as_looking_does),
		cmocka_unit_test(pairs_of_tasks_that_stay_together_take_whole_pairs_of_a_node),
		cmocka_unit_test(the_least_that_a_job_holds_follows_from_the_largest_and_smallest_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
