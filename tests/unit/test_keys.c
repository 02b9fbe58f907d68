/* SPDX-License-Identifier: MIT */
/*
 * test_keys.c - order of keys in the tables of the store
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "store/keys.h"
#include "tests/seed.h"

static int compare(struct key a, struct key b)
{
	int order = memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);

	return order ? order : (a.size > b.size) - (a.size < b.size);
}

static void numbers_sort_numerically(void **state)
{
	static const uint64_t number[] = {0,         1, 255, 256, 65535, 65536, UINT32_MAX, UINT64_C(1) << 63,
					  UINT64_MAX};

	(void)state;
	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
		struct key key = key_number(number[i]);

		assert_int_equal(key_first(key_bytes(&key)), number[i]);
		if (i > 0)
			assert_true(compare(key_number(number[i - 1]), key) < 0);
	}
}

static void random_pairs_sort_numerically(void **state)
{
	struct rng rng = seeded("keys of two numbers");

	(void)state;
	for (int i = 0; i < 10000; i++) {
		/* First numbers below 3, so that they are often equal. */
		uint64_t a = rng_below(&rng, 3), b = rng_below(&rng, 3), x = rng_u64(&rng), y = rng_u64(&rng);
		struct key ax = key_checkpoint(a, x), by = key_checkpoint(b, y);

		assert_true((compare(ax, by) < 0) == (a < b || (a == b && x < y)));
		assert_int_equal(key_first(key_bytes(&ax)), a);
		assert_int_equal(key_second(key_bytes(&ax)), x);
	}
}

static void times_before_1970_sort_first(void **state)
{
	static const int64_t moment[] = {INT64_MIN, -86400, -1, 0, 1, 1774368000, INT64_MAX};

	(void)state;
	for (size_t i = 1; i < sizeof moment / sizeof moment[0]; i++) {
		assert_true(compare(key_history(moment[i - 1], 9), key_history(moment[i], 1)) < 0);
		assert_true(compare(key_history(moment[i], 1), key_history(moment[i], 2)) < 0);
	}
}

static void word_keys_consist_of_their_letters(void **state)
{
	struct key key = key_word("config");

	(void)state;
	assert_int_equal(key.size, 6);
	assert_memory_equal(key.data, "config", 6);
	assert_int_equal(key_word("a word that is far too long for a key").size, sizeof key.data);
}

static void cookie_keys_contain_user_and_age(void **state)
{
	const struct cookie a = {.uid = 1, .bytes = "aaaaaaaaaaaaaaa"}, b = {.uid = 2, .bytes = "a"};
	struct key old = key_cookie_age(-5, &b), fresh = key_cookie_age(7, &a), of;

	(void)state;
	assert_true(compare(key_cookie(&a), key_cookie(&b)) != 0);
	assert_true(compare(old, fresh) < 0);
	of = key_of_age(key_bytes(&fresh));
	assert_int_equal(compare(of, key_cookie(&a)), 0);
	assert_int_equal(key_of_age((struct bytes){"short", 5}).size, 0);
}

static void short_key_reads_as_zero(void **state)
{
	(void)state;
	assert_int_equal(key_first((struct bytes){"abc", 3}), 0);
	assert_int_equal(key_second((struct bytes){"abcdefgh", 8}), 0);
}

static void long_key_is_truncated(void **state)
{
	struct key key = key_copy((struct bytes){"0123456789abcdef0123456789abcdefghij", 36});

	(void)state;
	assert_int_equal(key.size, KEY_MAX);
	assert_memory_equal(key.data, "0123456789abcdef0123456789abcdef", KEY_MAX);
}

static void every_table_has_a_unique_name(void **state)
{
	(void)state;
	for (int i = 0; i < DB_TABLE_COUNT; i++) {
		assert_non_null(store_table_names[i]);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(store_table_names[i], store_table_names[j]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_sort_numerically),
		cmocka_unit_test(random_pairs_sort_numerically),
		cmocka_unit_test(times_before_1970_sort_first),
		cmocka_unit_test(word_keys_consist_of_their_letters),
		cmocka_unit_test(cookie_keys_contain_user_and_age),
		cmocka_unit_test(short_key_reads_as_zero),
		cmocka_unit_test(long_key_is_truncated),
		cmocka_unit_test(every_table_has_a_unique_name),
	};

	return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
