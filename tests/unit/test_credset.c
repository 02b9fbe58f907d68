/* SPDX-License-Identifier: MIT */
/* test_credset.c - sets of jobs with the same credentials and partition */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/credset.h"
#include "tests/seed.h"

#define JOBS   300
#define ROUNDS 40

static bool same(const struct job *a, const struct job *b)
{
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		if (a->cred[t] != b->cred[t])
			return false;
	return a->partition == b->partition;
}

static void draw_credentials(struct rng *rng, struct job *job)
{
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		job->cred[t] = rng_below(rng, 3) == 0 ? INDEX_NONE : (uint32_t)rng_below(rng, 3);
	job->partition = (uint32_t)rng_below(rng, 2);
}

/* In later rounds, some slots are reused by other jobs. */
static void jobs_with_the_same_credentials_share_a_set(void **state)
{
	struct rng rng = seeded("jobs_with_the_same_credentials_share_a_set");
	static struct job job[JOBS];
	struct cred_sets sets = {.item = NULL};
	uint32_t set[JOBS];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t jobs = 1 + (uint32_t)rng_below(&rng, JOBS);

		cred_sets_begin(&sets, jobs);
		for (uint32_t i = 0; i < jobs; i++) {
			if (round == 0 || rng_below(&rng, 4) == 0)
				draw_credentials(&rng, &job[i]);
			set[i] = cred_sets_find(&sets, i, &job[i]);
			assert_true(set[i] < sets.count);
		}
		for (uint32_t i = 0; i < jobs; i++)
			for (uint32_t k = 0; k < i; k++)
				assert_int_equal(set[i] == set[k], same(&job[i], &job[k]));
	}
	cred_sets_clear(&sets);
}

/* Sets must not accumulate while a scheduler runs for months. */
static void unused_sets_are_dropped(void **state)
{
	struct cred_sets sets = {.item = NULL};
	struct job job = {.id = 1};

	(void)state;
	for (uint32_t user = 0; user < 100000; user++) {
		cred_sets_begin(&sets, 1);
		job.cred[CRED_USER] = user;
		cred_sets_find(&sets, 0, &job);
	}
	assert_true(sets.count < 10000);
	cred_sets_clear(&sets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_with_the_same_credentials_share_a_set),
		cmocka_unit_test(unused_sets_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
