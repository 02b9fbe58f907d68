/* SPDX-License-Identifier: MIT */
/*
 * test_nodealloc.c - are tasks placed on the first nodes that have room, or nowhere?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sched/core/nodealloc.h"

static const struct node machine[] = {
	{.procs = 4},
	{.procs = 4, .procs_busy = 4},
	{.procs = 4, .procs_busy = 1},
	{.procs = 8},
};

#define COUNT 4

static void tasks_fill_the_first_nodes_in_order(void **state)
{
	uint32_t taken[COUNT] = {0};
	struct alloc_list runs = {0};

	(void)state;
	assert_true(nodealloc_first(machine, COUNT, taken, 9, 1, &runs));
	assert_int_equal(runs.count, 3);
	assert_int_equal(runs.item[0].node, 0);
	assert_int_equal(runs.item[0].procs, 4);
	assert_int_equal(runs.item[1].node, 2);
	assert_int_equal(runs.item[1].procs, 3);
	assert_int_equal(runs.item[2].node, 3);
	assert_int_equal(runs.item[2].procs, 2);
	assert_int_equal(taken[0], 4);
	assert_int_equal(taken[1], 0);
	assert_int_equal(taken[2], 3);
	assert_int_equal(taken[3], 2);
	free(runs.item);
}

static void nodes_in_a_row_with_equal_shares_are_one_run(void **state)
{
	static const struct node row[] = {{.procs = 2}, {.procs = 2}, {.procs = 2}};
	uint32_t taken[3] = {0};
	struct alloc_list runs = {0};

	(void)state;
	assert_true(nodealloc_first(row, 3, taken, 5, 1, &runs));
	assert_int_equal(runs.count, 2);
	assert_int_equal(runs.item[0].nodes, 2);
	assert_int_equal(runs.item[1].procs, 1);
	free(runs.item);
}

static void what_does_not_fit_changes_nothing(void **state)
{
	uint32_t taken[COUNT] = {1, 0, 0, 0};
	struct alloc_list runs = {0};

	(void)state;
	assert_true(nodealloc_first(machine, COUNT, taken, 1, 1, &runs));
	assert_false(nodealloc_first(machine, COUNT, taken, 14, 1, &runs));
	assert_int_equal(runs.count, 1);
	assert_int_equal(taken[0], 2);
	assert_int_equal(taken[2], 0);
	assert_int_equal(taken[3], 0);
	assert_true(nodealloc_first(machine, COUNT, taken, 13, 1, &runs));
	free(runs.item);
}

static void a_job_never_extends_the_run_of_the_job_before(void **state)
{
	static const struct node row[] = {{.procs = 2}, {.procs = 2}};
	uint32_t taken[2] = {0};
	struct alloc_list runs = {0};

	(void)state;
	assert_true(nodealloc_first(row, 2, taken, 2, 1, &runs));
	assert_true(nodealloc_first(row, 2, taken, 2, 1, &runs));
	assert_int_equal(runs.count, 2);
	assert_int_equal(runs.item[1].node, 1);
	free(runs.item);
}

static void a_task_stands_on_one_node(void **state)
{
	uint32_t taken[COUNT] = {0};
	struct alloc_list runs = {0};

	(void)state;
	assert_int_equal(nodealloc_fit(machine, COUNT, NULL, 3, 100), 4);
	assert_int_equal(nodealloc_fit(machine, COUNT, NULL, 3, 2), 2);
	assert_int_equal(nodealloc_fit(machine, COUNT, NULL, 9, 1), 0);
	assert_true(nodealloc_first(machine, COUNT, taken, 4, 3, &runs));
	assert_int_equal(runs.count, 3);
	assert_int_equal(runs.item[2].node, 3);
	assert_int_equal(runs.item[2].procs, 6);
	assert_int_equal(nodealloc_fit(machine, COUNT, taken, 2, 100), 1);
	assert_false(nodealloc_first(machine, COUNT, taken, 1, 3, &runs));
	free(runs.item);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_fill_the_first_nodes_in_order),
		cmocka_unit_test(nodes_in_a_row_with_equal_shares_are_one_run),
		cmocka_unit_test(what_does_not_fit_changes_nothing),
		cmocka_unit_test(a_job_never_extends_the_run_of_the_job_before),
		cmocka_unit_test(a_task_stands_on_one_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
