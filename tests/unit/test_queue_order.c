/* SPDX-License-Identifier: MIT */
/*
 * test_queue_order.c - in which order do jobs stand?
 *
 * Whatever way it is found, the order is that of queue_compare.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sched/base/rng.h"
#include "sched/pass/queue_order.h"

#define MANY 3000

static struct queued jobs[MANY], wanted[MANY];

static void sorts(struct queue_order *o, uint32_t count)
{
	memcpy(wanted, jobs, count * sizeof *jobs);
	qsort(wanted, count, sizeof *wanted, queue_compare);
	queue_order_sort(o, jobs, count);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(jobs[i].order, wanted[i].order);
}

/* In the order of WAITING, ranks within [low, low + span). */
static void draw(struct rng *rng, uint32_t count, int64_t low, uint64_t span)
{
	for (uint32_t i = 0; i < count; i++)
		jobs[i] = (struct queued){.rank = low + (int64_t)rng_below(rng, span), .slot = i, .order = i};
}

static void ranks_of_every_width_are_sorted(void **state)
{
	struct queue_order o = {.room = 0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 5);
	for (unsigned bits = 1; bits < 63; bits++) {
		draw(&rng, 700, -1000, UINT64_C(1) << bits);
		sorts(&o, 700);
	}
	queue_order_clear(&o);
}

static void the_widest_ranks_are_sorted(void **state)
{
	struct queue_order o = {.room = 0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 6);
	draw(&rng, MANY, 0, 1000);
	for (uint32_t i = 0; i < MANY; i += 7)
		jobs[i].rank = i % 2 == 0 ? INT64_MIN + (int64_t)i : INT64_MAX - (int64_t)i;
	sorts(&o, MANY);
	queue_order_clear(&o);
}

/* Many have the same rank: who came first comes first, however they stood. */
static void ties_are_broken_by_order(void **state)
{
	struct queue_order o = {.room = 0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 7);
	draw(&rng, MANY, -2, 4);
	sorts(&o, MANY);
	for (uint32_t i = MANY - 1; i > 0; i--) {
		uint32_t k = (uint32_t)rng_below(&rng, (uint64_t)i + 1);
		struct queued one = jobs[i];

		jobs[i] = jobs[k];
		jobs[k] = one;
	}
	sorts(&o, MANY);
	queue_order_clear(&o);
}

static void few_and_equal_ones_stay_as_they_are(void **state)
{
	struct queue_order o = {.room = 0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 8);
	queue_order_sort(&o, jobs, 0);
	for (uint32_t count = 1; count < 600; count += 23) {
		draw(&rng, count, 0, 50);
		sorts(&o, count);
		draw(&rng, count, 9, 1);
		sorts(&o, count);
	}
	queue_order_clear(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_of_every_width_are_sorted),
		cmocka_unit_test(the_widest_ranks_are_sorted),
		cmocka_unit_test(ties_are_broken_by_order),
		cmocka_unit_test(few_and_equal_ones_stay_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
