/* SPDX-License-Identifier: MIT */
/*
 * test_nodealloc.c - nodes selected by each allocation policy
 *
 * Candidates are written by hand: the number of tasks that fit, and the values that policies compare.
 * test_candidate.c tests how many tasks fit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/placement/nodealloc.h"

#define NODES_MAX 16

/* A machine with nodes 0, 1, ..., and the candidates among them. */
struct bench {
	struct node node[NODES_MAX];
	struct alloc_candidate candidate[NODES_MAX];
	size_t count;
	uint32_t position[NODES_MAX];
	struct job job;
	struct alloc_input input;
};

static void bench_begin(struct bench *b, enum allocation_policy policy, struct job job)
{
	*b = (struct bench){.job = job};
	b->job.task_procs = job.task_procs > 0 ? job.task_procs : 1;
	b->input = (struct alloc_input){.policy = policy, .speeds = SPEEDS_EQUAL};
}

/* Adds the next node, as a candidate for `tasks` tasks unless that is 0. */
static struct alloc_candidate *add_candidate(struct bench *b, uint32_t tasks, struct node node)
{
	uint32_t index = b->input.node_count++;
	struct alloc_candidate *c = &b->candidate[b->count];

	b->node[index] = node;
	if (tasks == 0)
		return NULL;
	b->count++;
	*c = (struct alloc_candidate){
		.node = index, .tasks = tasks, .order = UINT32_MAX, .until_s = TIME_NEVER};
	return c;
}

/* Returns the chosen nodes and their tasks in order, as in "0:2 3:1", or "none". Does not change the
 * candidates. */
static const char *choose(struct bench *b)
{
	static char text[256];
	struct alloc_candidate candidate[NODES_MAX];
	struct alloc_list runs = {0};
	size_t len = 0;

	b->input.job = &b->job;
	b->input.node = b->node;
	b->input.speeds = nodealloc_speeds(b->node, b->input.node_count);
	nodealloc_line(b->node, b->input.node_count, b->position);
	b->input.line = b->position;
	memcpy(candidate, b->candidate, sizeof candidate);
	text[0] = '\0';
	if (!nodealloc_choose(&b->input, candidate, b->count, &runs)) {
		assert_int_equal(runs.count, 0);
		return "none";
	}
	for (size_t i = 0; i < runs.count; i++)
		for (uint32_t n = 0; n < runs.item[i].nodes; n++)
			len += (size_t)snprintf(text + len, sizeof text - len, "%s%u:%u", len > 0 ? " " : "",
						runs.item[i].node + n, runs.item[i].tasks);
	free(runs.item);
	return text;
}

static uint32_t choose_max_tasks(struct bench *b)
{
	struct alloc_candidate candidate[NODES_MAX];

	choose(b);
	memcpy(candidate, b->candidate, sizeof candidate);
	return nodealloc_most(&b->input, candidate, b->count);
}

/* --- distribution of tasks ------------------------------------------------------------------------------ */

static void tasks_fill_node_after_node(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_FIRSTAVAILABLE, (struct job){.tasks = 9});
	add_candidate(&b, 4, (struct node){0});
	add_candidate(&b, 0, (struct node){0});
	add_candidate(&b, 3, (struct node){0});
	add_candidate(&b, 8, (struct node){0});
	assert_string_equal(choose(&b), "0:4 2:3 3:2");
	b.job.tasks = 15;
	assert_string_equal(choose(&b), "0:4 2:3 3:8");
	b.job.tasks = 16;
	assert_string_equal(choose(&b), "none");
	assert_int_equal(choose_max_tasks(&b), 15);
}

static void adjacent_nodes_with_equal_shares_are_one_run(void **state)
{
	struct alloc_list runs = {0};

	(void)state;
	for (uint32_t node = 0; node < 3; node++)
		nodealloc_add(&runs, 0, node, 2, 2);
	nodealloc_add(&runs, 0, 3, 1, 1);
	assert_int_equal(runs.count, 2);
	assert_int_equal(runs.item[0].node, 0);
	assert_int_equal(runs.item[0].nodes, 3);
	/* A run of another job is not extended, and runs are extended downwards too. */
	nodealloc_add(&runs, 2, 9, 1, 1);
	nodealloc_add(&runs, 2, 8, 1, 1);
	nodealloc_add(&runs, 2, 6, 1, 1);
	assert_int_equal(runs.count, 4);
	assert_int_equal(runs.item[2].node, 8);
	assert_int_equal(runs.item[2].nodes, 2);
	free(runs.item);
}

static void a_whole_node_contributes_all_its_processors(void **state)
{
	struct alloc_list runs = {0};
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_FIRSTAVAILABLE, (struct job){.tasks = 3, .task_procs = 2});
	add_candidate(&b, 2, (struct node){.procs = 5})->whole = true;
	add_candidate(&b, 2, (struct node){.procs = 5});
	choose(&b);
	assert_true(nodealloc_choose(&b.input, b.candidate, b.count, &runs));
	assert_int_equal(runs.count, 2);
	assert_int_equal(runs.item[0].procs, 5);
	assert_int_equal(runs.item[0].tasks, 2);
	assert_int_equal(runs.item[1].procs, 2);
	assert_int_equal(runs.item[1].tasks, 1);
	free(runs.item);
}

static void tasks_per_node_are_a_minimum_and_a_unit(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_FIRSTAVAILABLE, (struct job){.tasks = 6, .tasks_per_node = 2});
	add_candidate(&b, 1, (struct node){0});
	add_candidate(&b, 3, (struct node){0});
	add_candidate(&b, 7, (struct node){0});
	assert_string_equal(choose(&b), "1:2 2:4");
	b.job.tasks = 9;
	assert_string_equal(choose(&b), "none");
	assert_int_equal(choose_max_tasks(&b), 8);
	/* One task per node has no effect. */
	b.job.tasks_per_node = 1;
	assert_string_equal(choose(&b), "0:1 1:3 2:5");
}

static void exactly_the_requested_number_of_nodes_is_taken_with_equal_shares(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_FIRSTAVAILABLE, (struct job){.tasks = 6, .nodes = 3});
	add_candidate(&b, 4, (struct node){0});
	add_candidate(&b, 1, (struct node){0});
	add_candidate(&b, 2, (struct node){0});
	add_candidate(&b, 8, (struct node){0});
	assert_string_equal(choose(&b), "0:2 2:2 3:2");
	b.job.tasks = 3;
	assert_string_equal(choose(&b), "0:1 1:1 2:1");
	b.job.tasks = 9;
	assert_string_equal(choose(&b), "none");
	assert_int_equal(choose_max_tasks(&b), 8);
	/* Shares that do not divide evenly differ by one. */
	b.job.tasks = 7;
	assert_string_equal(choose(&b), "0:3 2:2 3:2");
	b.job.tasks = 8;
	assert_string_equal(choose(&b), "0:3 2:2 3:3");
	/* A job gets no node without a task. */
	b.job.tasks = 2;
	assert_string_equal(choose(&b), "0:1 1:1");
}

static void all_tasks_fit_only_if_nodes_can_be_chosen(void **state)
{
	struct bench b;

	(void)state;
	for (uint32_t tasks = 1; tasks <= 14; tasks++)
		for (uint32_t nodes = 0; nodes <= 5; nodes++)
			for (uint32_t unit = 1; unit <= 3; unit++)
				for (int policy = 0; policy < ALLOCATION_POLICY_COUNT; policy++) {
					bench_begin(&b, (enum allocation_policy)policy,
						    (struct job){.tasks = tasks,
								 .nodes = nodes,
								 .tasks_per_node = unit});
					add_candidate(&b, 3, (struct node){.speed = 1});
					add_candidate(&b, 1, (struct node){.speed = 1});
					add_candidate(&b, 0, (struct node){.speed = 1});
					add_candidate(&b, 5, (struct node){.speed = 2});
					add_candidate(&b, 4, (struct node){.speed = 1});
					assert_int_equal(strcmp(choose(&b), "none") != 0,
							 choose_max_tasks(&b) == tasks);
					assert_true(choose_max_tasks(&b) <= tasks);
				}
}

/* --- policies that sort --------------------------------------------------------------------------------- */

static void n_03_lastavailable_leaves_the_smallest_gap(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_LASTAVAILABLE, (struct job){.tasks = 1});
	add_candidate(&b, 1, (struct node){0})->until_s = 500;
	add_candidate(&b, 2, (struct node){0})->until_s = 300;
	add_candidate(&b, 3, (struct node){0})->until_s = 300;
	add_candidate(&b, 4, (struct node){0});
	assert_string_equal(choose(&b), "2:1");
	b.job.tasks = 10;
	assert_string_equal(choose(&b), "2:3 1:2 0:1 3:4");
}

static void n_05_cpuload_takes_the_nodes_with_least_load(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_CPULOAD, (struct job){.tasks = 15});
	add_candidate(&b, 1, (struct node){0})->value = 3.95;
	add_candidate(&b, 2, (struct node){0})->value = 4;
	add_candidate(&b, 3, (struct node){0})->value = 3.85;
	add_candidate(&b, 4, (struct node){0})->value = 3.91;
	add_candidate(&b, 5, (struct node){0})->value = 3.8;
	/* Within 0.1 of 4 the highest index comes first; then 3.85 is the best. */
	assert_string_equal(choose(&b), "3:4 1:2 0:1 4:5 2:3");
}

static void n_04_priority_takes_the_highest_value(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_PRIORITY, (struct job){.tasks = 1});
	add_candidate(&b, 1, (struct node){0})->value = -3;
	add_candidate(&b, 1, (struct node){0})->value = 2;
	add_candidate(&b, 1, (struct node){0})->value = 2;
	assert_string_equal(choose(&b), "1:1");
}

static void n_09_fastest_goes_by_speed_then_by_processors(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_FASTEST, (struct job){.tasks = 1});
	add_candidate(&b, 1, (struct node){.speed = 1, .procspeed = 3000});
	add_candidate(&b, 1, (struct node){.speed = 2, .procspeed = 1000});
	add_candidate(&b, 1, (struct node){.speed = 2, .procspeed = 2000});
	assert_string_equal(choose(&b), "1:1");
	for (int i = 0; i < 3; i++)
		b.node[i].speed = 1;
	assert_string_equal(choose(&b), "0:1");
}

static void n_09_with_equal_speeds_the_order_depends_on_the_job_alone(void **state)
{
	bool chosen[4] = {false};
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_FASTEST, (struct job){.tasks = 1});
	for (int i = 0; i < 4; i++)
		add_candidate(&b, 1, (struct node){.speed = 1});
	for (uint64_t id = 1; id <= 100; id++) {
		char first[16];

		b.job.id = id;
		snprintf(first, sizeof first, "%s", choose(&b));
		assert_string_equal(choose(&b), first);
		chosen[first[0] - '0'] = true;
	}
	for (int i = 0; i < 4; i++)
		assert_true(chosen[i]);
}

static void n_10_local_takes_the_order_of_the_program_then_small_nodes(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_LOCAL, (struct job){.tasks = 10});
	add_candidate(&b, 1, (struct node){.mem_mb = 64});
	add_candidate(&b, 2, (struct node){.mem_mb = 9000})->order = 1;
	add_candidate(&b, 3, (struct node){.mem_mb = 9000});
	add_candidate(&b, 4, (struct node){.mem_mb = 9000})->order = 0;
	assert_string_equal(choose(&b), "3:4 1:2 0:1 2:3");
}

static void n_23_preferred_nodes_come_first(void **state)
{
	static const enum allocation_policy preferring[] = {
		ALLOCATE_LASTAVAILABLE, ALLOCATE_FIRSTAVAILABLE, ALLOCATE_CPULOAD, ALLOCATE_MINRESOURCE,
		ALLOCATE_CONTIGUOUS,    ALLOCATE_MAXBALANCE,     ALLOCATE_FASTEST, ALLOCATE_LOCAL};
	struct bench b;

	(void)state;
	for (size_t i = 0; i < sizeof preferring / sizeof preferring[0]; i++) {
		bench_begin(&b, preferring[i], (struct job){.tasks = 1, .prefer = 1});
		add_candidate(&b, 1, (struct node){.speed = 2});
		add_candidate(&b, 1, (struct node){.speed = 1, .features = 1})->prefers = true;
		add_candidate(&b, 1, (struct node){.speed = 2});
		assert_string_equal(choose(&b), "1:1");
		/* A preference, not a requirement. */
		b.job.tasks = 3;
		assert_true(strcmp(choose(&b), "none") != 0);
	}
	b.input.policy = ALLOCATE_PRIORITY;
	b.job.tasks = 1;
	assert_string_equal(choose(&b), "0:1");
}

/* --- MINRESOURCE --------------------------------------------------------------------------------------- */

static struct alloc_candidate *add_candidate_with_free(struct bench *b, uint32_t tasks, struct node node,
						       struct alloc_amounts free)
{
	struct alloc_candidate *c = add_candidate(b, tasks, node);

	c->value = nodealloc_share(&b->job, &node, &free);
	return c;
}

static void n_06_small_nodes_come_first(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_MINRESOURCE, (struct job){.tasks = 15});
	add_candidate(&b, 5, (struct node){.mem_mb = 20000});
	add_candidate(&b, 4, (struct node){.mem_mb = 513});
	add_candidate(&b, 3, (struct node){.mem_mb = 1024});
	add_candidate(&b, 2, (struct node){.mem_mb = 64});
	add_candidate(&b, 1, (struct node){.mem_mb = 8193});
	/* 513 and 1024 MB are one class; above 8 GB the classes continue. */
	assert_string_equal(choose(&b), "3:2 2:3 1:4 4:1 0:5");
}

static void n_06_swap_disk_and_generic_resources_count_if_requested(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_MINRESOURCE, (struct job){.tasks = 1, .gres = {1}});
	b.input.machine = (struct alloc_amounts){{[ALLOC_DISK] = 1000, [ALLOC_GRES] = 8}};
	add_candidate(&b, 1, (struct node){.mem_mb = 512, .gres = {2}});
	add_candidate(&b, 1, (struct node){.mem_mb = 512, .gres = {6}});
	assert_string_equal(choose(&b), "0:1");
	b.job.gres[0] = 0;
	assert_string_equal(choose(&b), "1:1");
	/* The class of memory still comes first. */
	b.job.gres[0] = 1;
	b.node[0].mem_mb = 2048;
	assert_string_equal(choose(&b), "1:1");
}

/* The example of nodealloc.h. In use are 2 of 8 processors and 12 of 16 GB of a, 4 and 4 of b, nothing of c.
 */
static void n_12_best_fit_considers_everything_requested(void **state)
{
	static const struct node equal = {.procs = 8, .mem_mb = 16384};
	static const struct alloc_amounts free[] = {{{[ALLOC_PROCS] = 6, [ALLOC_MEM] = 4096}},
						    {{[ALLOC_PROCS] = 4, [ALLOC_MEM] = 12288}},
						    {{[ALLOC_PROCS] = 8, [ALLOC_MEM] = 16384}}};
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_MINRESOURCE, (struct job){.tasks = 1, .task_procs = 2});
	for (int i = 0; i < 3; i++)
		add_candidate_with_free(&b, 1, equal, free[i]);
	assert_string_equal(choose(&b), "1:1");
	bench_begin(&b, ALLOCATE_MINRESOURCE, (struct job){.tasks = 1, .task_procs = 2, .mem_mb = 2048});
	for (int i = 0; i < 3; i++)
		add_candidate_with_free(&b, 1, equal, free[i]);
	assert_string_equal(choose(&b), "0:1");
}

static void n_12_best_fit_decides_only_among_equal_nodes(void **state)
{
	static const struct node equal = {.procs = 8, .mem_mb = 512}, other = {.procs = 4, .mem_mb = 512};
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_MINRESOURCE, (struct job){.tasks = 3});
	add_candidate_with_free(&b, 1, equal, (struct alloc_amounts){{[ALLOC_PROCS] = 3}});
	add_candidate_with_free(&b, 1, other, (struct alloc_amounts){{[ALLOC_PROCS] = 1}});
	add_candidate_with_free(&b, 1, equal, (struct alloc_amounts){{[ALLOC_PROCS] = 8}});
	/* Node 0 takes the position of node 2, which is the first by index. Node 1 stays between them. */
	assert_string_equal(choose(&b), "0:1 1:1 2:1");
	b.job.tasks = 2;
	assert_string_equal(choose(&b), "0:1 1:1");
	b.job.tasks = 1;
	assert_string_equal(choose(&b), "0:1");
}

/* --- policies that select a part ------------------------------------------------------------------------ */

static void n_08_maxbalance_takes_the_slowest_equal_speed_that_suffices(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_MAXBALANCE, (struct job){.tasks = 3});
	add_candidate(&b, 2, (struct node){.speed = 1});
	add_candidate(&b, 2, (struct node){.speed = 3});
	add_candidate(&b, 4, (struct node){.speed = 5});
	add_candidate(&b, 2, (struct node){.speed = 3});
	assert_string_equal(choose(&b), "1:2 3:1");
	b.job.tasks = 2;
	assert_string_equal(choose(&b), "0:2");
}

static void n_08_maxbalance_otherwise_takes_the_smallest_range_of_speeds(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_MAXBALANCE, (struct job){.tasks = 4});
	add_candidate(&b, 2, (struct node){.speed = 1});
	add_candidate(&b, 2, (struct node){.speed = 3});
	add_candidate(&b, 2, (struct node){.speed = 3.5});
	add_candidate(&b, 2, (struct node){.speed = 9});
	assert_string_equal(choose(&b), "1:2 2:2");
	b.job.tasks = 5;
	assert_string_equal(choose(&b), "0:2 1:2 2:1");
	b.job.tasks = 9;
	assert_string_equal(choose(&b), "none");
	assert_int_equal(choose_max_tasks(&b), 8);
}

static void n_07_contiguous_takes_the_shortest_block_of_neighbours(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_CONTIGUOUS, (struct job){.tasks = 3});
	add_candidate(&b, 1, (struct node){0});
	add_candidate(&b, 1, (struct node){0});
	add_candidate(&b, 1, (struct node){0});
	add_candidate(&b, 0, (struct node){0});
	add_candidate(&b, 1, (struct node){0});
	add_candidate(&b, 2, (struct node){0});
	assert_string_equal(choose(&b), "4:1 5:2");
	/* A gap is never crossed, even if there is enough on both sides. */
	b.job.tasks = 4;
	assert_string_equal(choose(&b), "none");
	assert_int_equal(choose_max_tasks(&b), 3);
	/* Of equal blocks, the one in the shorter stretch of free nodes is used. */
	b.job.tasks = 1;
	assert_string_equal(choose(&b), "4:1");
}

static void n_07_contiguous_takes_the_requested_number_of_nodes(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_CONTIGUOUS, (struct job){.tasks = 4, .nodes = 2});
	add_candidate(&b, 2, (struct node){0});
	add_candidate(&b, 1, (struct node){0});
	add_candidate(&b, 2, (struct node){0});
	add_candidate(&b, 3, (struct node){0});
	assert_string_equal(choose(&b), "2:2 3:2");
	b.job.tasks = 6;
	assert_string_equal(choose(&b), "none");
	assert_int_equal(choose_max_tasks(&b), 5);
}

static void n_14_neighbours_are_ordered_by_rack_and_index(void **state)
{
	struct bench b;

	(void)state;
	bench_begin(&b, ALLOCATE_CONTIGUOUS, (struct job){.tasks = 2});
	add_candidate(&b, 1, (struct node){.rack = 2, .index = 1});
	add_candidate(&b, 1, (struct node){.rack = 1, .index = 9});
	add_candidate(&b, 0, (struct node){.rack = 1, .index = 5});
	add_candidate(&b, 1, (struct node){.rack = 2, .index = 3});
	add_candidate(&b, 1, (struct node){.rack = 1, .index = 1});
	/* Order of neighbours: 4 (2) 1 | 0 3. One rack suffices. */
	assert_string_equal(choose(&b), "0:1 3:1");
	/* If one rack does not suffice, the block spans racks. */
	b.job.tasks = 3;
	assert_string_equal(choose(&b), "0:1 1:1 3:1");
}

static void n_14_every_node_has_a_rank_among_its_neighbours(void **state)
{
	static const struct node equal[3] = {{0}},
				 moved[3] = {{.rack = 2}, {.rack = 1, .index = 2}, {.rack = 1}};
	uint32_t place[3] = {NODES_MAX, NODES_MAX, NODES_MAX};

	(void)state;
	nodealloc_line(equal, 3, place);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(place[i], i);
	memset(place, 0, sizeof place);
	nodealloc_line(moved, 3, place);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(place[i], 2 - i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_fill_node_after_node),
		cmocka_unit_test(adjacent_nodes_with_equal_shares_are_one_run),
		cmocka_unit_test(a_whole_node_contributes_all_its_processors),
		cmocka_unit_test(tasks_per_node_are_a_minimum_and_a_unit),
		cmocka_unit_test(exactly_the_requested_number_of_nodes_is_taken_with_equal_shares),
		cmocka_unit_test(all_tasks_fit_only_if_nodes_can_be_chosen),
		cmocka_unit_test(n_03_lastavailable_leaves_the_smallest_gap),
		cmocka_unit_test(n_04_priority_takes_the_highest_value),
		cmocka_unit_test(n_05_cpuload_takes_the_nodes_with_least_load),
		cmocka_unit_test(n_06_small_nodes_come_first),
		cmocka_unit_test(n_06_swap_disk_and_generic_resources_count_if_requested),
		cmocka_unit_test(n_07_contiguous_takes_the_shortest_block_of_neighbours),
		cmocka_unit_test(n_07_contiguous_takes_the_requested_number_of_nodes),
		cmocka_unit_test(n_08_maxbalance_takes_the_slowest_equal_speed_that_suffices),
		cmocka_unit_test(n_08_maxbalance_otherwise_takes_the_smallest_range_of_speeds),
		cmocka_unit_test(n_09_fastest_goes_by_speed_then_by_processors),
		cmocka_unit_test(n_09_with_equal_speeds_the_order_depends_on_the_job_alone),
		cmocka_unit_test(n_10_local_takes_the_order_of_the_program_then_small_nodes),
		cmocka_unit_test(n_12_best_fit_considers_everything_requested),
		cmocka_unit_test(n_12_best_fit_decides_only_among_equal_nodes),
		cmocka_unit_test(n_14_neighbours_are_ordered_by_rack_and_index),
		cmocka_unit_test(n_14_every_node_has_a_rank_among_its_neighbours),
		cmocka_unit_test(n_23_preferred_nodes_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
