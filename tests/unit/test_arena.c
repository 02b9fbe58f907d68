/* SPDX-License-Identifier: MIT */
/*
 * test_arena.c - do many small things live together until their common end?
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

static void pieces_are_aligned_for_anything_and_do_not_overlap(void **state)
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

static void nothing_is_copied_from_nowhere(void **state)
{
	struct arena a = {0};

	(void)state;
	assert_null(arena_copy(&a, NULL, 8));
	assert_null(arena_string(&a, NULL));
	assert_non_null(arena_copy(&a, "", 0));
	arena_free(&a);
}

static void a_copy_is_not_its_original(void **state)
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

static void a_piece_larger_than_a_block_has_all_its_room(void **state)
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

static void memory_is_kept_for_the_next_round(void **state)
{
	struct arena a = {0};
	const void *first = arena_take(&a, 100);

	(void)state;
	arena_reset(&a);
	assert_ptr_equal(arena_take(&a, 200), first);
	arena_free(&a);
}

/* However small and large things alternate, a large block that is free is found again. */
static void a_small_spare_block_does_not_hide_a_large_one(void **state)
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

static void an_empty_arena_is_reset_and_freed_as_often_as_one_likes(void **state)
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

/* AddressSanitizer and valgrind say whether all of it is freed, and once. */
static void memory_that_was_adopted_goes_with_the_round(void **state)
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
		cmocka_unit_test(pieces_are_aligned_for_anything_and_do_not_overlap),
		cmocka_unit_test(nothing_is_copied_from_nowhere),
		cmocka_unit_test(a_copy_is_not_its_original),
		cmocka_unit_test(a_piece_larger_than_a_block_has_all_its_room),
		cmocka_unit_test(memory_is_kept_for_the_next_round),
		cmocka_unit_test(a_small_spare_block_does_not_hide_a_large_one),
		cmocka_unit_test(an_empty_arena_is_reset_and_freed_as_often_as_one_likes),
		cmocka_unit_test(memory_that_was_adopted_goes_with_the_round),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
