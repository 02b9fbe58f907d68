/* SPDX-License-Identifier: MIT */
/*
 * test_worker.c - newest query of each lane, and cancellation of unwanted queries
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <sched.h>
#include <semaphore.h>

#include "tui/query/worker.h"

/* A query that runs until may_end is posted, or until it is unwanted. */
struct piece {
	struct query query;
	sem_t begun, may_end;
	bool runs_until_unwanted;
	bool was_unwanted;
	bool dropped;
};

static void run(struct query *self)
{
	struct piece *p = (struct piece *)self;

	sem_post(&p->begun);
	if (p->runs_until_unwanted)
		while (!query_is_unwanted(&p->query))
			(void)sched_yield();
	else
		sem_wait(&p->may_end);
	p->was_unwanted = query_is_unwanted(&p->query);
}

static void drop(struct query *self)
{
	((struct piece *)self)->dropped = true;
}

static const struct query_ops near = {.lane = LANE_NEAR, .run = run, .drop = drop};
static const struct query_ops far = {.lane = LANE_FAR, .run = run, .drop = drop};

static struct query *init_query(struct piece *p, const struct query_ops *ops)
{
	p->query.ops = ops;
	sem_init(&p->begun, 0, 0);
	sem_init(&p->may_end, 0, 0);
	return &p->query;
}

static void await(struct worker *w)
{
	struct pollfd fd = {.fd = worker_fd(w), .events = POLLIN};

	assert_int_equal(poll(&fd, 1, 60000), 1);
}

static struct worker *start_worker(void)
{
	struct err err;
	struct worker *w = worker_start(&err);

	assert_non_null(w);
	return w;
}

static void a_waiting_query_is_replaced_by_a_newer_one(void **state)
{
	struct worker *w = start_worker();
	struct piece first = {0}, second = {0}, third = {0};

	(void)state;
	assert_null(worker_ask(w, init_query(&first, &near), false));
	sem_wait(&first.begun);
	assert_null(worker_ask(w, init_query(&second, &near), false));
	assert_ptr_equal(worker_ask(w, init_query(&third, &near), false), &second.query);
	assert_true(worker_busy(w));
	sem_post(&first.may_end);
	sem_post(&third.may_end);
	sem_wait(&third.begun);
	await(w);
	while (worker_busy(w)) {
		struct query *made = worker_take(w, LANE_NEAR);

		assert_true(made == NULL || made == &first.query || made == &third.query);
	}
	assert_false(first.was_unwanted);
	worker_stop(w);
	assert_false(second.dropped);
}

static void only_an_urgent_query_cancels_the_running_one(void **state)
{
	struct worker *w = start_worker();
	struct piece first = {.runs_until_unwanted = true}, second = {0}, third = {0};

	(void)state;
	worker_ask(w, init_query(&first, &far), false);
	sem_wait(&first.begun);
	worker_ask(w, init_query(&second, &far), false);
	assert_false(query_is_unwanted(&first.query));
	assert_ptr_equal(worker_ask(w, init_query(&third, &far), true), &second.query);
	sem_wait(&third.begun);
	assert_true(first.was_unwanted);
	assert_false(query_is_unwanted(&third.query));
	await(w);
	assert_ptr_equal(worker_take(w, LANE_FAR), &first.query);
	sem_post(&third.may_end);
	await(w);
	assert_ptr_equal(worker_take(w, LANE_FAR), &third.query);
	assert_false(worker_busy(w));
	worker_stop(w);
}

static void lanes_do_not_wait_for_each_other(void **state)
{
	struct worker *w = start_worker();
	struct piece slow = {.runs_until_unwanted = true}, quick = {0};

	(void)state;
	worker_ask(w, init_query(&slow, &far), false);
	sem_wait(&slow.begun);
	worker_ask(w, init_query(&quick, &near), true);
	sem_post(&quick.may_end);
	await(w);
	assert_null(worker_take(w, LANE_FAR));
	await(w); /* taking from an empty lane keeps the wakeup of the other */
	assert_ptr_equal(worker_take(w, LANE_NEAR), &quick.query);
	assert_false(query_is_unwanted(&slow.query));
	query_cancel(&slow.query);
	await(w);
	assert_ptr_equal(worker_take(w, LANE_FAR), &slow.query);
	worker_stop(w);
}

static void stopping_cancels_the_running_query_and_drops_all(void **state)
{
	struct worker *w = start_worker();
	struct piece running = {.runs_until_unwanted = true}, waiting = {0};

	(void)state;
	worker_ask(w, init_query(&running, &far), false);
	sem_wait(&running.begun);
	worker_ask(w, init_query(&waiting, &far), false);
	worker_stop(w);
	assert_true(running.was_unwanted);
	assert_true(running.dropped);
	assert_true(waiting.dropped);
	worker_stop(NULL);
}

static void slow_queries_are_repeated_less_often(void **state)
{
	struct query quick = {.took_us = 99 * 1000}, slow = {.took_us = 250 * 1000};

	(void)state;
	assert_int_equal(query_interval_ms(NULL), 1000);
	assert_int_equal(query_interval_ms(&quick), 1000);
	assert_int_equal(query_interval_ms(&slow), 2500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_waiting_query_is_replaced_by_a_newer_one),
		cmocka_unit_test(only_an_urgent_query_cancels_the_running_one),
		cmocka_unit_test(lanes_do_not_wait_for_each_other),
		cmocka_unit_test(stopping_cancels_the_running_query_and_drops_all),
		cmocka_unit_test(slow_queries_are_repeated_less_often),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
