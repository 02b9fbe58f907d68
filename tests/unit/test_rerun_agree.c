/* SPDX-License-Identifier: MIT */
/*
 * test_rerun_agree.c - number of jobs that start in the recorded order, and the other jobs
 *
 * Starts are invented; the longest common subsequence is compared with that of an exhaustive search.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/host/rerun.h"
#include "sched/host/rerun_inside.h"
#include "tests/seed.h"

#define JOBS 12

/* Rank of each job's start in the record and in the replay, or -1. */
struct orders {
	int then[JOBS], now[JOBS];
};

static void agree(const struct orders *o, struct rerun_agreement *out)
{
	struct rerun_job job[JOBS];
	struct rerun_fate fate[JOBS];
	struct rerun_record record = {.job = job, .jobs = JOBS};
	struct rerun r = {.record = &record, .fate = fate};

	for (int i = 0; i < JOBS; i++) {
		job[i] = (struct rerun_job){.id = (uint64_t)i + 1, .start_s = TIME_NONE};
		fate[i] = (struct rerun_fate){.start_s = TIME_NONE};
		if (o->then[i] >= 0) {
			job[i].start_s = 100 + o->then[i];
			job[i].rank = (uint32_t)o->then[i];
			record.started++;
		}
		if (o->now[i] >= 0) {
			fate[i].start_s = 100 + o->now[i];
			fate[i].rank = (uint32_t)o->now[i];
		}
	}
	rerun_agree(&r, out);
}

static void set_same_order(struct orders *o)
{
	for (int i = 0; i < JOBS; i++)
		o->then[i] = o->now[i] = i;
}

static void equal_orders_agree(void **state)
{
	struct rerun_agreement a = {.differs = NULL};
	struct orders o;

	(void)state;
	set_same_order(&o);
	agree(&o, &a);
	assert_int_equal(a.jobs, JOBS);
	assert_int_equal(a.in_order, JOBS);
	assert_int_equal(a.same_start, JOBS);
	assert_int_equal(a.count, 0);
	free(a.differs);
}

static void a_single_delayed_job_is_the_only_difference(void **state)
{
	struct rerun_agreement a = {.differs = NULL};
	struct orders o;

	(void)state;
	set_same_order(&o);
	o.now[2] = JOBS - 1; /* the jobs after it move up */
	for (int i = 3; i < JOBS; i++)
		o.now[i] = i - 1;
	agree(&o, &a);
	assert_int_equal(a.in_order, JOBS - 1);
	assert_int_equal(a.same_start, 2);
	assert_int_equal(a.count, 1);
	assert_int_equal(a.differs[0], 2);
	free(a.differs);
}

static void a_job_that_starts_in_only_one_order_differs(void **state)
{
	struct rerun_agreement a = {.differs = NULL};
	struct orders o;

	(void)state;
	set_same_order(&o);
	o.now[JOBS - 1] = -1;
	o.then[JOBS - 2] = -1;
	o.then[JOBS - 1] = JOBS - 2;
	agree(&o, &a);
	assert_int_equal(a.jobs, JOBS);
	assert_int_equal(a.in_order, JOBS - 2);
	assert_int_equal(a.count, 2);
	assert_int_equal(a.differs[0], JOBS - 2);
	assert_int_equal(a.differs[1], JOBS - 1);
	free(a.differs);
}

static void without_common_starts_no_job_is_in_order(void **state)
{
	struct rerun_agreement a = {.differs = NULL};
	struct orders o;

	(void)state;
	set_same_order(&o);
	for (int i = 0; i < JOBS; i++)
		o.now[i] = -1;
	agree(&o, &a);
	assert_int_equal(a.in_order, 0);
	assert_int_equal(a.count, JOBS);
	free(a.differs);
}

/* --- jobs that move ----------------------------------------------------------------------------- */

#define NEVER TIME_NONE

static void moves_are_counted_by_direction_with_their_maximum(void **state)
{
	/* Earlier by 5 s and 9 s, later by 7 s and 3 s, unchanged, started only before, only after and
	 * never, and not submitted afterwards. */
	static const int64_t before_s[] = {10, 20, 30, 40, 50, 60, NEVER, NEVER, 1};
	static const int64_t after_s[] = {5, 11, 37, 43, 50, NEVER, 70, NEVER, 2};
	const size_t jobs = sizeof before_s / sizeof before_s[0];
	struct rerun_fate was[9], is[9];
	struct rerun_record record = {.jobs = jobs};
	const struct rerun before = {.record = &record, .fate = was}, after = {.record = &record, .fate = is};
	struct rerun_moves moves = {.item = NULL};

	(void)state;
	for (size_t i = 0; i < jobs; i++) {
		was[i] = (struct rerun_fate){.submit_s = 0, .start_s = before_s[i]};
		is[i] = (struct rerun_fate){.submit_s = i == 8 ? NEVER : 0, .start_s = after_s[i]};
	}
	rerun_find_moves(&moves, &before, &after);
	assert_int_equal(moves.count, 6);
	assert_int_equal(moves.earlier, 2);
	assert_int_equal(moves.later, 2);
	assert_int_equal(moves.most_earlier_s, 9);
	assert_int_equal(moves.most_later_s, 7);
	assert_int_equal(moves.only_before, 1);
	assert_int_equal(moves.only_after, 1);
	assert_int_equal(moves.item[1].job, 1);
	assert_int_equal(moves.item[1].before_s, 20);
	assert_int_equal(moves.item[1].after_s, 11);
	free(moves.item);
}

/* --- random orders --------------------------------------------------------------------------------- */

/* Draws a random subset of the jobs in a random order. */
static void draw(struct rng *rng, int place[JOBS])
{
	int job[JOBS], count = 0;

	for (int i = 0; i < JOBS; i++) {
		int at = (int)rng_below(rng, (uint64_t)count + 1);

		place[i] = -1;
		if (rng_below(rng, 6) == 0)
			continue;
		memmove(&job[at + 1], &job[at], (size_t)(count - at) * sizeof job[0]);
		job[at] = i;
		count++;
	}
	for (int i = 0; i < count; i++)
		place[job[i]] = i;
}

static bool follows(const struct orders *o, int i, int j)
{
	return o->then[j] >= 0 && o->now[j] >= 0 && o->then[j] > o->then[i] && o->now[j] > o->now[i];
}

/* Returns the length of the longest sequence of jobs from job i that ascends in both orders. */
static unsigned longest_from(const struct orders *o, int i)
{
	unsigned longest = 0;

	for (int j = 0; j < JOBS; j++) {
		unsigned more = follows(o, i, j) ? longest_from(o, j) : 0;

		longest = more > longest ? more : longest;
	}
	return longest + 1;
}

static unsigned longest(const struct orders *o)
{
	unsigned most = 0;

	for (int i = 0; i < JOBS; i++) {
		unsigned length = o->then[i] >= 0 && o->now[i] >= 0 ? longest_from(o, i) : 0;

		most = length > most ? length : most;
	}
	return most;
}

static void jobs_in_order_are_the_longest_common_subsequence(void **state)
{
	struct rng rng = seeded("orders");
	struct rerun_agreement a = {.differs = NULL};

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct orders o = {{0}, {0}};
		uint32_t jobs = 0;

		draw(&rng, o.then);
		draw(&rng, o.now);
		for (int i = 0; i < JOBS; i++)
			jobs += o.then[i] >= 0 || o.now[i] >= 0;
		agree(&o, &a);
		assert_int_equal(a.jobs, jobs);
		assert_int_equal(a.in_order, longest(&o));
		assert_int_equal(a.count, jobs - a.in_order);
	}
	free(a.differs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_orders_agree),
		cmocka_unit_test(a_single_delayed_job_is_the_only_difference),
		cmocka_unit_test(without_common_starts_no_job_is_in_order),
		cmocka_unit_test(a_job_that_starts_in_only_one_order_differs),
		cmocka_unit_test(moves_are_counted_by_direction_with_their_maximum),
		cmocka_unit_test(jobs_in_order_are_the_longest_common_subsequence),
	};

	return cmocka_run_group_tests_name("rerun_agree", tests, NULL, NULL);
}
