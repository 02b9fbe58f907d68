/* SPDX-License-Identifier: MIT */
/*
 * test_arena.c - arena allocator
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdalign.h>
#include <string.h>

#include "sched/base/arena.h"
#include "tests/seed.h"

static void allocations_are_aligned_and_disjoint(void **state)
{
	struct rng rng = seeded("arena pieces");
	struct arena a = {0};
	unsigned char *piece[500];
	size_t size[500];

	(void)state;
	for (size_t i = 0; i < 500; i++) {
		size[i] = (size_t)rng_below(&rng, 3000) + (i % 50 == 0 ? 40000 : 0);
		piece[i] = arena_take(&a, size[i]);
		assert_non_null(piece[i]);
		assert_int_equal((uintptr_t)piece[i] % alignof(max_align_t), 0);
		memset(piece[i], (int)(i % 251), size[i]);
	}
	for (size_t i = 0; i < 500; i++)
		for (size_t b = 0; b < size[i]; b++)
			if (piece[i][b] != i % 251)
				fail_msg("piece %zu was written by another", i);
	arena_free(&a);
}

static void copy_of_null_is_null(void **state)
{
	struct arena a = {0};

	(void)state;
	assert_null(arena_copy(&a, NULL, 8));
	assert_null(arena_string(&a, NULL));
	assert_non_null(arena_copy(&a, "", 0));
	arena_free(&a);
}

static void copy_is_independent_of_the_original(void **state)
{
	char text[] = "eligible";
	struct arena a = {0};
	const char *kept = arena_string(&a, text);

	(void)state;
	text[0] = 'x';
	assert_string_equal(kept, "eligible");
	assert_string_equal(arena_string(&a, ""), "");
	arena_free(&a);
}

static void allocation_may_exceed_the_block_size(void **state)
{
	struct arena a = {0};
	char *before = arena_take(&a, 10), *large = arena_take(&a, 1000000), *after = arena_take(&a, 10);

	(void)state;
	memset(before, 1, 10);
	memset(large, 2, 1000000);
	memset(after, 3, 10);
	assert_int_equal(before[9], 1);
	assert_int_equal(large[999999], 2);
	arena_free(&a);
}

static void reset_keeps_blocks_for_reuse(void **state)
{
	struct arena a = {0};
	const void *first = arena_take(&a, 100);

	(void)state;
	arena_reset(&a);
	assert_ptr_equal(arena_take(&a, 200), first);
	arena_free(&a);
}

/* A free large block is found whatever the order of small and large allocations. */
static void large_spare_block_is_found_behind_a_small_one(void **state)
{
	struct arena a = {0};
	const void *large;

	(void)state;
	arena_take(&a, 10);
	large = arena_take(&a, 100000);
	arena_reset(&a);
	assert_ptr_equal(arena_take(&a, 100000), large);
	arena_free(&a);
}

static void empty_arena_can_be_reset_and_freed_repeatedly(void **state)
{
	struct arena a = {0};

	(void)state;
	arena_reset(&a);
	arena_free(&a);
	arena_free(&a);
	assert_non_null(arena_take(&a, 1));
	arena_free(&a);
	arena_reset(&a);
	assert_null(a.first);
	assert_null(a.spare);
}

/* AddressSanitizer and valgrind check that the memory is freed exactly once. */
static void adopted_memory_is_freed_on_reset(void **state)
{
	struct arena a = {0};

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 10; i++)
			arena_adopt(&a, strdup("somebody's"));
		arena_reset(&a);
		assert_null(a.adopted);
	}
	arena_adopt(&a, strdup("the last"));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(allocations_are_aligned_and_disjoint),
		cmocka_unit_test(copy_of_null_is_null),
		cmocka_unit_test(copy_is_independent_of_the_original),
		cmocka_unit_test(allocation_may_exceed_the_block_size),
		cmocka_unit_test(reset_keeps_blocks_for_reuse),
		cmocka_unit_test(large_spare_block_is_found_behind_a_small_one),
		cmocka_unit_test(empty_arena_can_be_reset_and_freed_repeatedly),
		cmocka_unit_test(adopted_memory_is_freed_on_reset),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
