/* SPDX-License-Identifier: MIT */
/*
 * test_keyset.c - does a set of keys hold what was put into it?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/seed.h"
#include "tui/draw/keyset.h"

static void a_key_toggled_twice_is_out_again(void **state)
{
	struct keyset set = {0};

	(void)state;
	keyset_toggle(&set, 7);
	keyset_toggle(&set, 3);
	assert_true(keyset_has(&set, 7) && keyset_has(&set, 3));
	keyset_toggle(&set, 7);
	assert_false(keyset_has(&set, 7));
	assert_int_equal(set.count, 1);
	keyset_free(&set);
}

static void keys_added_at_once_are_sorted_and_single(void **state)
{
	static const uint64_t given[] = {5, UINT64_MAX, 0, 5, 2, 0};
	static const uint64_t sorted[] = {0, 2, 5, UINT64_MAX};
	struct keyset set = {0};

	(void)state;
	for (size_t i = 0; i < 6; i++)
		keyset_append(&set, given[i]);
	keyset_settle(&set);
	assert_int_equal(set.count, 4);
	assert_memory_equal(set.key, sorted, sizeof sorted);
	keyset_clear(&set);
	assert_false(keyset_has(&set, 5));
	keyset_free(&set);
}

static void random_toggling_agrees_with_a_plain_array(void **state)
{
	struct rng rng = seeded("random_toggling_agrees_with_a_plain_array");
	bool in[64] = {false};
	struct keyset set = {0};

	(void)state;
	for (int i = 0; i < 2000; i++) {
		uint64_t key = rng_below(&rng, 64);

		in[key] = !in[key];
		keyset_toggle(&set, key);
		for (uint64_t k = 0; k < 64; k++)
			assert_int_equal(keyset_has(&set, k), in[k]);
	}
	keyset_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_toggled_twice_is_out_again),
		cmocka_unit_test(keys_added_at_once_are_sorted_and_single),
		cmocka_unit_test(random_toggling_agrees_with_a_plain_array),
	};

	return cmocka_run_group_tests_name("keyset", tests, NULL, NULL);
}
