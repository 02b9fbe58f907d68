/* SPDX-License-Identifier: MIT */
/*
 * test_host_time.c - time in the scheduler's thread: steps, speeds and changes of the system clock
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>

#include "tests/unit/hosted.h"

/* --- time -------------------------------------------------------------------------------------- */

/* Hash of the state after a driver was stepped up to to_s, for at most this number of steps. */
static uint64_t hash_by_hand(uint64_t job_limit, int64_t to_s, uint64_t steps)
{
	struct driver *d = new_driver((struct ledger){0}, job_limit);
	uint64_t hash;

	for (; steps > 0 && driver_next_s(d) <= to_s && driver_next_s(d) != TIME_NEVER; steps--)
		assert_true(driver_step(d, driver_next_s(d), NULL));
	hash = state_hash(driver_view(d));
	driver_free(d);
	return hash;
}

static void check_state(struct host *h, uint64_t hash)
{
	const struct shared_snapshot *shared = host_hold(h);

	assert_true(state_hash(shared->s) == hash);
	assert_true(shared->now_s >= shared->s->now_s);
	host_release(h, shared);
}

static void at_speed_0_time_advances_only_on_request(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, 0, 0);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(host_now_s(s.host), s.start_s);
	must_be_done(s.host, host_advance(s.host, s.start_s + 100000));
	assert_int_equal(host_now_s(s.host), s.start_s + 100000);
	check_state(s.host, hash_by_hand(0, s.start_s + 100000, UINT64_MAX));
	must_be_done(s.host, host_advance(s.host, s.start_s + 7)); /* time does not go back */
	assert_int_equal(host_now_s(s.host), s.start_s + 100000);
	end(&s);
}

static void a_step_advances_to_the_next_event(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, 0, 0);
	must_be_done(s.host, host_step(s.host, 1));
	must_be_done(s.host, host_step(s.host, 99));
	check_state(s.host, hash_by_hand(0, TIME_NEVER, 100));
	must_be_done(s.host, host_step(s.host, 0));
	check_state(s.host, hash_by_hand(0, TIME_NEVER, 100));
	end(&s);
}

static void an_unlimited_advance_ends_with_the_last_job(void **state)
{
	const struct shared_snapshot *shared;
	struct scene s;

	(void)state;
	begin(&s, 60, 0);
	must_be_done(s.host, host_advance(s.host, TIME_NEVER));
	shared = host_hold(s.host);
	assert_int_equal(snapshot_count(shared->s, TABLE_RUNNING), 0);
	assert_int_equal(shared->s->next_job_id, 61);
	assert_int_equal(host_now_s(s.host), shared->s->now_s);
	host_release(s.host, shared);
	must_be_done(s.host, host_step(s.host, 5)); /* no event is left */
	end(&s);
}

static void at_a_positive_speed_time_advances_and_jobs_start_and_end(void **state)
{
	struct scene s;
	uint64_t hash, seq = 0;

	(void)state;
	begin(&s, 0, CLOCK_SPEED_MAX);
	for (int frame = 0; frame < 20; frame++) {
		const struct shared_snapshot *shared;

		host_ask_snapshot(s.host);
		wait_for_wake(s.host);
		shared = host_hold(s.host);
		assert_true(shared->s->seq > seq);
		assert_true(shared->now_s >= shared->s->now_s);
		seq = shared->s->seq;
		host_release(s.host, shared);
	}
	wait_for_moment(s.host, s.start_s + 3 * 86400);
	host_stop(s.host);
	hash = state_hash(state_view(s.ledger.st));
	assert_true(hash == hash_by_hand(0, state_view(s.ledger.st)->now_s, UINT64_MAX));
	memory_end(&s.ledger);
}

/*
 * At four hours per second, many events are due before a request; each must have its own time. At a higher
 * speed, a slow machine could not keep up.
 */
static void due_events_are_applied_at_their_own_time_before_a_request(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, 0, 14400);
	for (int i = 1; i <= 200; i++) {
		const struct event ev = memory_of_node(8000 + i % 2);

		must_be_done(s.host, host_post(s.host, &ev, 1));
	}
	host_stop(s.host);
	for (size_t i = 0; i < s.ledger.count; i++)
		if (s.ledger.event[i].kind == EVENT_SUBMIT)
			assert_int_equal(s.ledger.event[i].time_s, s.ledger.event[i].submit.job.submit_s);
	assert_string_equal(s.ledger.fault.text, "");
	memory_end(&s.ledger);
}

static void the_speed_can_be_changed_and_is_limited(void **state)
{
	struct scene s;
	int64_t at_s;

	(void)state;
	begin(&s, 0, -3);
	assert_int_equal(host_speed(s.host), 0);
	host_set_speed(s.host, 1000000000);
	assert_int_equal(host_speed(s.host), CLOCK_SPEED_MAX);
	wait_for_moment(s.host, s.start_s + 86400);
	host_set_speed(s.host, 0);
	at_s = host_now_s(s.host);
	must_be_done(s.host, host_advance(s.host, at_s)); /* the thread has the new speed */
	assert_int_equal(host_now_s(s.host), at_s);
	end(&s);
}

static void a_clock_does_not_start_before_its_state(void **state)
{
	struct driver *d = new_driver((struct ledger){0}, 20);
	struct host_setup setup = {.driver = d, .start_s = TIME_NONE, .speed = 0};
	int64_t state_s = driver_view(d)->now_s;
	struct host *h = host_start(&setup, NULL);

	(void)state;
	assert_int_equal(host_now_s(h), state_s);
	host_stop(h);
}

/* --- the system clock ------------------------------------------------------------------------ */

static atomic_int_least64_t clock_offset_s; /* offset of read_clock() to the system clock */

static void read_clock(struct timespec *out)
{
	clock_gettime(CLOCK_REALTIME, out);
	out->tv_sec += clock_offset_s;
}

/* Starts a scheduler in real time. Job 1, submitted 100 s ago, never ends by itself; job 2 has a start date.
 */
static void begin_real(struct scene *s)
{
	struct timespec now;
	struct host_setup setup = {.speed = 1, .real = true, .read_clock = read_clock};
	struct event ev[2] = {{.kind = EVENT_SUBMIT, .who = "eva"}, {.kind = EVENT_SUBMIT, .who = "eva"}};
	struct err err;

	read_clock(&now);
	memory_begin(&s->ledger);
	setup.driver = new_driver(memory_ledger(&s->ledger), 1);
	for (int i = 0; i < 2; i++) {
		ev[i].time_s = now.tv_sec - 100;
		ev[i].submit.job = (struct job){.submit_s = now.tv_sec - 100,
						.not_before_s = TIME_NONE,
						.wall_limit_s = 600,
						.true_run_s = INT64_C(1) << 40,
						.tasks = 1,
						.task_procs = 1};
	}
	ev[1].submit.job.not_before_s = now.tv_sec + 1800;
	assert_int_equal(driver_post(setup.driver, ev, 2, &err), DRIVER_DONE);
	setup.start_s = s->start_s = now.tv_sec;
	s->host = host_start(&setup, &err);
	assert_non_null(s->host);
}

static void wait_for_start(struct scene *s)
{
	bool runs = false;

	while (!runs) {
		const struct shared_snapshot *shared;

		host_ask_snapshot(s->host);
		wait_for_wake(s->host);
		shared = host_hold(s->host);
		runs = snapshot_count(shared->s, TABLE_RUNNING) > 0;
		host_release(s->host, shared);
	}
}

/* Waits until the time of the state follows the clock, which was set by this offset. */
static int64_t wait_for_step(struct scene *s, int64_t by_s)
{
	bool seen = false;

	while (!seen) {
		const struct shared_snapshot *shared;

		host_ask_snapshot(s->host);
		wait_for_wake(s->host);
		shared = host_hold(s->host);
		seen = by_s > 0 ? shared->s->now_s > s->start_s + by_s / 2
				: shared->s->set_back != 0 && shared->s->now_s < s->start_s + by_s / 2;
		host_release(s->host, shared);
	}
	return host_now_s(s->host);
}

static void check_job(struct scene *s, int64_t now_s)
{
	const struct shared_snapshot *shared = host_hold(s->host);
	const struct job *job = &snapshot_jobs(shared->s)[snapshot_find_job(shared->s, 1)];

	assert_int_equal(job->state, JOB_RUNNING);
	assert_true(job_ran_s(job, now_s) >= 0 && job_ran_s(job, now_s) < 60);
	assert_int_equal(snapshot_count(shared->s, TABLE_WAITING), 1);
	job = &snapshot_jobs(shared->s)[snapshot_find_job(shared->s, 2)];
	assert_int_equal(job->not_before_s, s->start_s + 1800);
	assert_true(job_queued_s(job, now_s) < 160);
	host_release(s->host, shared);
}

static void setting_the_clock_shifts_the_times_of_the_state(void **state)
{
	(void)state;
	for (int back = 0; back < 2; back++) {
		int64_t by_s = back ? -3600 : 1200, now_s;
		struct scene s;
		uint64_t seen = 0;

		clock_offset_s = 0;
		begin_real(&s);
		wait_for_start(&s);
		clock_offset_s = by_s;
		now_s = wait_for_step(&s, by_s);
		assert_true(now_s >= s.start_s + by_s && now_s < s.start_s + by_s + 60);
		check_job(&s, now_s);
		host_stop(s.host);
		for (size_t i = 0; i < s.ledger.count; i++)
			if (s.ledger.event[i].kind == EVENT_CLOCK) {
				assert_true(labs((long)(s.ledger.event[i].clock.by_s - by_s)) <= 1);
				seen++;
			}
		assert_int_equal(seen, 1);
		assert_string_equal(s.ledger.fault.text, "");
		memory_end(&s.ledger);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_speed_0_time_advances_only_on_request),
		cmocka_unit_test(a_step_advances_to_the_next_event),
		cmocka_unit_test(an_unlimited_advance_ends_with_the_last_job),
		cmocka_unit_test(at_a_positive_speed_time_advances_and_jobs_start_and_end),
		cmocka_unit_test(due_events_are_applied_at_their_own_time_before_a_request),
		cmocka_unit_test(the_speed_can_be_changed_and_is_limited),
		cmocka_unit_test(a_clock_does_not_start_before_its_state),
		cmocka_unit_test(setting_the_clock_shifts_the_times_of_the_state),
	};

	return cmocka_run_group_tests_name("host_time", tests, NULL, NULL);
}
