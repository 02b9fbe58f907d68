/* SPDX-License-Identifier: MIT */
/*
 * test_ends.c - do ends come out by moment, and at one moment in the order of their jobs?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/job.h"
#include "sched/rm/ends.h"
#include "tests/seed.h"

static void no_end_is_never(void **state)
{
	struct ends ends = {0};

	(void)state;
	assert_true(ends_next_s(&ends) == TIME_NEVER);
	ends_clear(&ends);
}

static void ends_of_one_moment_come_in_the_order_of_jobs(void **state)
{
	static const struct ending added[] = {
		{5, 12, 0, false}, {3, 13, 0, false}, {5, 10, 0, false}, {3, 11, 0, true}};
	static const uint64_t job[] = {11, 13, 10, 12};
	struct ends ends = {0};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		ends_add(&ends, &added[i]);
	for (size_t i = 0; i < 4; i++) {
		int64_t next_s = ends_next_s(&ends);
		struct ending e = ends_take(&ends);

		assert_int_equal(next_s, i < 2 ? 3 : 5);
		assert_int_equal(e.job, job[i]);
		assert_int_equal(e.at_limit, e.job == 11);
	}
	assert_true(ends_next_s(&ends) == TIME_NEVER);
	ends_clear(&ends);
}

static void whatever_comes_and_goes_the_earliest_is_next(void **state)
{
	struct rng rng = seeded("ends");
	struct ends ends = {0};
	struct ending last = {.end_s = -1};

	(void)state;
	for (uint64_t i = 0; i < 20000; i++) {
		struct ending e = {.end_s = last.end_s + 1 + (int64_t)rng_below(&rng, 50), .job = i};

		ends_add(&ends, &e);
		if (rng_below(&rng, 3) == 0)
			continue;
		e = ends_take(&ends);
		assert_true(e.end_s > last.end_s || (e.end_s == last.end_s && e.job > last.job));
		last = e;
	}
	while (ends.count > 0) {
		struct ending e = ends_take(&ends);

		assert_true(e.end_s > last.end_s || (e.end_s == last.end_s && e.job > last.job));
		last = e;
	}
	ends_clear(&ends);
}

static void the_end_of_a_job_can_be_dropped_and_the_others_stay_in_order(void **state)
{
	struct rng rng = seeded("ends dropped");

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct ends ends = {0};
		uint64_t count = 1 + rng_below(&rng, 40), dropped = rng_below(&rng, count);
		int64_t last_s = -1;

		for (uint64_t i = 0; i < count; i++) {
			struct ending e = {.end_s = (int64_t)rng_below(&rng, 20), .job = i};

			ends_add(&ends, &e);
		}
		assert_false(ends_drop(&ends, count));
		assert_true(ends_drop(&ends, dropped));
		assert_false(ends_drop(&ends, dropped));
		assert_int_equal(ends.count, count - 1);
		while (ends.count > 0) {
			struct ending e = ends_take(&ends);

			assert_true(e.end_s >= last_s && e.job != dropped);
			last_s = e.end_s;
		}
		ends_clear(&ends);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_end_is_never),
		cmocka_unit_test(ends_of_one_moment_come_in_the_order_of_jobs),
		cmocka_unit_test(whatever_comes_and_goes_the_earliest_is_next),
		cmocka_unit_test(the_end_of_a_job_can_be_dropped_and_the_others_stay_in_order),
	};

	return cmocka_run_group_tests_name("ends", tests, NULL, NULL);
}
