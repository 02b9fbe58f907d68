/* SPDX-License-Identifier: MIT */
/*
 * test_signal_queue.c - signals sent at a limited rate, each number at most once in the queue
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "sched/rm/signal_queue.h"

static void a_repeated_signal_takes_the_place_of_its_last_request(void **state)
{
	struct signal_queue q = {.count = 0};

	(void)state;
	signal_queue_add(&q, SIGCONT);
	signal_queue_add(&q, SIGUSR1);
	signal_queue_add(&q, SIGSTOP);
	signal_queue_add(&q, SIGCONT);
	assert_int_equal(q.count, 3);
	assert_int_equal(signal_queue_next(&q, 0), SIGUSR1);
	signal_queue_remove(&q);
	assert_int_equal(signal_queue_next(&q, 0), SIGSTOP);
	signal_queue_remove(&q);
	assert_int_equal(signal_queue_next(&q, 0), SIGCONT);
	signal_queue_remove(&q);
	assert_int_equal(signal_queue_next(&q, 0), 0);
	signal_queue_remove(&q);
	assert_int_equal(q.count, 0);
}

static void a_repeated_signal_in_the_middle_moves_to_the_end(void **state)
{
	static const int in_order[] = {SIGUSR1, SIGSTOP, SIGUSR2, SIGCONT};
	struct signal_queue q = {.count = 0};

	(void)state;
	signal_queue_add(&q, SIGUSR1);
	signal_queue_add(&q, SIGCONT);
	signal_queue_add(&q, SIGSTOP);
	signal_queue_add(&q, SIGUSR2);
	signal_queue_add(&q, SIGCONT);
	for (size_t i = 0; i < sizeof in_order / sizeof in_order[0]; i++) {
		assert_int_equal(signal_queue_next(&q, 0), in_order[i]);
		signal_queue_remove(&q);
	}
	assert_int_equal(q.count, 0);
}

static void invalid_signal_numbers_are_ignored(void **state)
{
	struct signal_queue q = {.count = 0};

	(void)state;
	signal_queue_add(&q, 0);
	signal_queue_add(&q, -1);
	signal_queue_add(&q, SIGNAL_QUEUE_MAX + 1);
	assert_int_equal(q.count, 0);
	for (int turn = 0; turn < 2; turn++)
		for (int number = 1; number <= SIGNAL_QUEUE_MAX; number++)
			signal_queue_add(&q, number);
	assert_int_equal(q.count, SIGNAL_QUEUE_MAX);
}

/* Requests a signal at each millisecond and returns the number of signals sent. */
static unsigned sent_until(struct signal_queue *q, int64_t from_ms, int64_t to_ms, int64_t cost_ms)
{
	unsigned sent = 0;

	for (int64_t now_ms = from_ms; now_ms <= to_ms; now_ms++) {
		signal_queue_add(q, SIGUSR1);
		if (signal_queue_next(q, now_ms) == 0)
			continue;
		signal_queue_remove(q);
		signal_queue_charge(q, now_ms, cost_ms);
		sent++;
	}
	return sent;
}

static void the_rate_is_twenty_a_second_with_a_burst_of_twenty(void **state)
{
	struct signal_queue q = {.count = 0};

	(void)state;
	assert_int_equal(sent_until(&q, 100000, 100010, 0), 11);
	assert_int_equal(sent_until(&q, 100011, 101000, 0), 30);
	assert_int_equal(sent_until(&q, 101001, 111000, 0), 200);
	assert_int_equal(signal_queue_moment_ms(&q), 111050);
	assert_int_equal(sent_until(&q, 200000, 200000 + 10, 0), 11);
}

static void signals_that_cost_more_are_sent_less_often(void **state)
{
	struct signal_queue q = {.count = 0};

	(void)state;
	assert_int_equal(sent_until(&q, 100000, 110000, 2000), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_repeated_signal_takes_the_place_of_its_last_request),
		cmocka_unit_test(a_repeated_signal_in_the_middle_moves_to_the_end),
		cmocka_unit_test(invalid_signal_numbers_are_ignored),
		cmocka_unit_test(the_rate_is_twenty_a_second_with_a_burst_of_twenty),
		cmocka_unit_test(signals_that_cost_more_are_sent_less_often),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
