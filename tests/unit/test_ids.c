/* SPDX-License-Identifier: MIT */
/*
 * test_ids.c - sorted sets of IDs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/ids.h"

static void ids_are_sorted_and_unique(void **state)
{
	uint64_t id[] = {7, 3, UINT64_MAX, 3, 0, 7, 7};
	static const uint64_t upward[] = {0, 3, 7, UINT64_MAX};

	(void)state;
	assert_int_equal(ids_order(id, 7), 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(id[i] == upward[i]);
	assert_int_equal(ids_order(id, 0), 0);
}

static void ids_find_returns_the_index(void **state)
{
	static const uint64_t id[] = {2, 5, 9};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(ids_find(id, 3, id[i]), i);
	assert_true(ids_find(id, 3, 4) == SIZE_MAX);
	assert_true(ids_find(id, 0, 2) == SIZE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_sorted_and_unique),
		cmocka_unit_test(ids_find_returns_the_index),
	};

	return cmocka_run_group_tests_name("ids", tests, NULL, NULL);
}
