/* SPDX-License-Identifier: MIT */
/*
 * test_ids.c - is a number found among others?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/ids.h"

static void numbers_are_put_upward_each_once(void **state)
{
	uint64_t id[] = {7, 3, UINT64_MAX, 3, 0, 7, 7};
	static const uint64_t upward[] = {0, 3, 7, UINT64_MAX};

	(void)state;
	assert_int_equal(ids_order(id, 7), 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(id[i] == upward[i]);
	assert_int_equal(ids_order(id, 0), 0);
}

static void each_is_found_at_its_place_and_no_other(void **state)
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
		cmocka_unit_test(numbers_are_put_upward_each_once),
		cmocka_unit_test(each_is_found_at_its_place_and_no_other),
	};

	return cmocka_run_group_tests_name("ids", tests, NULL, NULL);
}
