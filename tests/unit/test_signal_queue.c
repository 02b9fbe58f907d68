/* SPDX-License-Identifier: MIT */
/*
 * test_signal_queue.c - are signals sent at a limited rate, each number once, the last request of it
 * counting?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>

#include "sched/rm/signal_queue.h"

static void of_the_same_number_the_last_request_keeps_its_place(void **state)
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

static void a_request_in_the_middle_moves_to_the_end(void **state)
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

static void what_is_no_signal_is_left_out(void **state)
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

/* How many of the same number are sent up to a moment, one requested at each millisecond. */
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

static void twenty_a_second_are_sent_and_twenty_at_once(void **state)
{
	struct signal_queue q = {.count = 0};

	(void)state;
	assert_int_equal(sent_until(&q, 100000, 100010, 0), 11);
	assert_int_equal(sent_until(&q, 100011, 101000, 0), 30);
	assert_int_equal(sent_until(&q, 101001, 111000, 0), 200);
	assert_int_equal(signal_queue_moment_ms(&q), 111050);
	assert_int_equal(sent_until(&q, 200000, 200000 + 10, 0), 11);
}

static void what_costs_more_is_sent_less_often(void **state)
{
	struct signal_queue q = {.count = 0};

	(void)state;
	assert_int_equal(sent_until(&q, 100000, 110000, 2000), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_the_same_number_the_last_request_keeps_its_place),
		cmocka_unit_test(a_request_in_the_middle_moves_to_the_end),
		cmocka_unit_test(what_is_no_signal_is_left_out),
		cmocka_unit_test(twenty_a_second_are_sent_and_twenty_at_once),
		cmocka_unit_test(what_costs_more_is_sent_less_often),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
