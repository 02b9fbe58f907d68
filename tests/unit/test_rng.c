/* SPDX-License-Identifier: MIT */
/*
 * test_rng.c - pseudorandom numbers: published values and uniformity
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/rng.h"
#include "tests/seed.h"

/* Reference outputs of xoshiro256** for the state 1, 2, 3, 4. */
static void generator_matches_published_numbers(void **state)
{
	static const uint64_t expected[] = {11520,
					    0,
					    1509978240,
					    UINT64_C(1215971899390074240),
					    UINT64_C(1216172134540287360),
					    UINT64_C(607988272756665600),
					    UINT64_C(16172922978634559625),
					    UINT64_C(8476171486693032832)};
	struct rng rng = {{1, 2, 3, 4}};

	(void)state;
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		assert_true(rng_u64(&rng) == expected[i]);
}

/* Reference outputs of splitmix64 for the seed 1234567. */
static void seeding_matches_published_numbers(void **state)
{
	static const uint64_t expected[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
					    UINT64_C(9817491932198370423), UINT64_C(4593380528125082431)};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1234567);
	for (size_t i = 0; i < 4; i++)
		assert_true(rng.s[i] == expected[i]);
}

static void streams_differ_by_seed_and_by_index(void **state)
{
	static const uint64_t place[][2] = {{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {0, 0}, {0, 1}};
	const size_t count = sizeof place / sizeof place[0];
	uint64_t first[sizeof place / sizeof place[0]];

	(void)state;
	for (size_t i = 0; i < count; i++) {
		struct rng rng;

		rng_seed_at(&rng, place[i][0], place[i][1]);
		first[i] = rng_u64(&rng);
		for (size_t j = 0; j < i; j++)
			assert_true(first[j] != first[i]);
	}
}

static void adjacent_streams_share_no_numbers(void **state)
{
	uint64_t seen[20][20];

	(void)state;
	for (uint64_t i = 0; i < 20; i++) {
		struct rng rng;

		rng_seed_at(&rng, 7, i);
		for (size_t k = 0; k < 20; k++) {
			seen[i][k] = rng_u64(&rng);
			for (uint64_t j = 0; j < i; j++)
				for (size_t l = 0; l < 20; l++)
					assert_true(seen[j][l] != seen[i][k]);
		}
	}
}

static void a_bounded_number_stays_below_its_limit(void **state)
{
	struct rng rng = seeded("a_bounded_number_stays_below_its_limit");

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t limit = (rng_u64(&rng) >> rng_below(&rng, 64)) | 1;

		assert_true(rng_below(&rng, limit) < limit);
	}
	assert_true(rng_below(&rng, 1) == 0);
	rng_below(&rng, UINT64_MAX);
}

/* 60 000 throws: each face within 5 standard deviations (91) of 10 000. */
static void a_die_is_fair(void **state)
{
	struct rng rng;
	int face[6] = {0};

	(void)state;
	rng_seed(&rng, 1);
	for (int i = 0; i < 60000; i++)
		face[rng_below(&rng, 6)]++;
	for (int i = 0; i < 6; i++)
		assert_in_range(face[i], 10000 - 456, 10000 + 456);
}

static void rng_unit_stays_in_its_interval(void **state)
{
	struct rng rng;
	double sum = 0;

	(void)state;
	rng_seed(&rng, 3);
	for (int i = 0; i < 100000; i++) {
		double x = rng_unit(&rng);

		assert_true(x >= 0 && x < 1);
		sum += x;
	}
	assert_true(sum > 49500 && sum < 50500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generator_matches_published_numbers),
		cmocka_unit_test(seeding_matches_published_numbers),
		cmocka_unit_test(streams_differ_by_seed_and_by_index),
		cmocka_unit_test(adjacent_streams_share_no_numbers),
		cmocka_unit_test(a_bounded_number_stays_below_its_limit),
		cmocka_unit_test(a_die_is_fair),
		cmocka_unit_test(rng_unit_stays_in_its_interval),
	};

	return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
