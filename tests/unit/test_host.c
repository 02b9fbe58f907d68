/* SPDX-License-Identifier: MIT */
/*
 * test_host.c - requests, snapshots, failures and watchdog of the scheduler's thread
 *
 * Most useful under ThreadSanitizer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/hosted.h"

/* --- requests and answers ------------------------------------------------------------------- */

static void the_snapshot_contains_the_effect_of_an_answered_request(void **state)
{
	const struct event ev = setting("xfactorweight", "17");
	const struct shared_snapshot *before, *after;
	struct host_answer answer;
	struct scene s;

	(void)state;
	begin(&s, 20, 0);
	before = host_hold(s.host);
	answer = must_answer(s.host, host_post(s.host, &ev, 1));
	assert_int_equal(answer.outcome, DRIVER_DONE);
	after = host_hold(s.host);
	assert_true(after->version > before->version);
	assert_true(after->s->seq >= answer.seq);
	assert_int_equal(snapshot_count(after->s, TABLE_CHANGES), 1);
	assert_int_equal(snapshot_count(before->s, TABLE_CHANGES), 0);
	assert_false(host_is_newer(s.host, after->version));
	assert_true(host_is_newer(s.host, before->version));
	host_release(s.host, before);
	host_release(s.host, after);
	end(&s);
}

/* Each request waits for its answer at the descriptor, so a lost wake-up blocks the test. */
static void ten_thousand_requests_lose_no_wake_up(void **state)
{
	struct scene s = {.host = NULL};

	(void)state;
	start(&s, new_driver((struct ledger){0}, 20), 0);
	for (int i = 1; i <= 10000; i++) {
		const struct event ev = memory_of_node(i);
		struct host_answer answer = must_answer(s.host, host_post(s.host, &ev, 1));
		const struct shared_snapshot *shared = host_hold(s.host);

		assert_int_equal(answer.outcome, DRIVER_DONE);
		assert_int_equal(snapshot_nodes(shared->s)[0].mem_mb, i);
		host_release(s.host, shared);
	}
	host_stop(s.host);
}

static void answers_arrive_in_the_order_of_the_requests(void **state)
{
	struct scene s = {.host = NULL};
	uint64_t first = 0, seq = 0;

	(void)state;
	start(&s, new_driver((struct ledger){0}, 0), 0);
	for (int i = 0; i < 500; i++) {
		const struct event ev = memory_of_node(i);
		uint64_t ticket = i % 50 == 7    ? host_step(s.host, 2)
				  : i % 50 == 31 ? host_advance(s.host, s.start_s + 60 * i)
						 : host_post(s.host, &ev, 1);

		first = i == 0 ? ticket : first;
		assert_int_equal(ticket, first + (uint64_t)i);
	}
	for (uint64_t i = 0; i < 500; i++) {
		struct host_answer answer = must_answer(s.host, first + i);

		assert_int_equal(answer.outcome, DRIVER_DONE);
		assert_true(answer.seq >= seq);
		seq = answer.seq;
	}
	host_stop(s.host);
}

static void events_are_copied_before_host_post_returns(void **state)
{
	char name[] = "xfactorweight", value[] = "23", who[] = "ann";
	struct event ev = setting(name, value);
	struct scene s;
	uint64_t ticket;

	(void)state;
	begin(&s, 20, 0);
	ev.who = who;
	ticket = host_post(s.host, &ev, 1);
	memset(name, 'x', sizeof name);
	memset(value, 'x', sizeof value);
	memset(who, 'x', sizeof who);
	memset(&ev, 'x', sizeof ev);
	must_be_done(s.host, ticket);
	host_stop(s.host);
	assert_string_equal(s.ledger.event[s.ledger.count - 1].setting.value, "23");
	assert_string_equal(s.ledger.event[s.ledger.count - 1].who, "ann");
	memory_end(&s.ledger);
}

static void the_answer_to_a_refused_batch_has_the_reason(void **state)
{
	const struct event ev[2] = {setting("xfactorweight", "5"), setting("xfactorwait", "5")};
	const struct shared_snapshot *before, *after;
	struct host_answer answer;
	struct scene s;

	(void)state;
	begin(&s, 20, 0);
	must_be_done(s.host, host_advance(s.host, s.start_s)); /* completes what is due at the start */
	before = host_hold(s.host);
	answer = must_answer(s.host, host_post(s.host, ev, 2));
	assert_int_equal(answer.outcome, DRIVER_REFUSED);
	assert_non_null(strstr(answer.err.text, "xfactorwait"));
	after = host_hold(s.host);
	assert_ptr_equal(before, after);
	assert_false(host_is_newer(s.host, before->version));
	host_release(s.host, before);
	host_release(s.host, after);
	end(&s);
}

/* --- snapshots ------------------------------------------------------------------------------------ */

static void an_unchanged_snapshot_is_not_copied_again(void **state)
{
	const struct shared_snapshot *first, *second;
	struct scene s;

	(void)state;
	begin(&s, 0, 0);
	first = host_hold(s.host);
	host_ask_snapshot(s.host);
	must_be_done(s.host, host_step(s.host, 0)); /* the thread has handled the request */
	second = host_hold(s.host);
	assert_int_equal(first->version, second->version);
	assert_true(state_hash(first->s) == state_hash(second->s));
	host_release(s.host, first);
	host_release(s.host, second);
	end(&s);
}

static void a_held_snapshot_does_not_change(void **state)
{
	const struct shared_snapshot *held;
	struct scene s;
	uint64_t hash;

	(void)state;
	begin(&s, 0, 0);
	must_be_done(s.host, host_step(s.host, 50));
	held = host_hold(s.host);
	hash = state_hash(held->s);
	for (int i = 0; i < 20; i++)
		must_be_done(s.host, host_step(s.host, 10));
	assert_true(state_hash(held->s) == hash);
	host_release(s.host, held);
	end(&s);
}

/* --- many threads ------------------------------------------------------------------------------------ */

struct client {
	struct host *host;
	const char *wrong; /* the failure; NULL: none */
};

static void *read_snapshots(void *self)
{
	struct client *v = self;
	struct host *h = v->host;
	uint64_t version = 0;

	for (int i = 0; i < 500; i++) {
		const struct shared_snapshot *older = host_hold(h), *shared = host_hold(h);

		if (older->version < version || shared->version < older->version)
			v->wrong = "versions go back";
		if (shared->now_s < shared->s->now_s)
			v->wrong = "the clock is behind the state";
		if (state_hash(older->s) == 0)
			v->wrong = "a state without a fingerprint";
		version = shared->version;
		host_release(h, older);
		host_release(h, shared);
		host_ask_snapshot(h);
		host_is_newer(h, version);
	}
	return NULL;
}

static void *change_speeds(void *self)
{
	struct client *v = self;
	struct host *h = v->host;
	int64_t before_s = host_now_s(h);

	for (int i = 0; i < 500; i++) {
		int64_t now_s;

		host_set_speed(h, i % 3 * 1000);
		now_s = host_now_s(h);
		if (now_s < before_s)
			v->wrong = "time goes back";
		before_s = now_s;
	}
	return NULL;
}

static void *post_changes(void *self)
{
	struct host *h = ((struct client *)self)->host;

	for (int i = 0; i < 200; i++) {
		const struct event ev = memory_of_node(i);

		host_post(h, &ev, 1);
		if (i % 20 == 0)
			host_step(h, 3);
	}
	return NULL;
}

#define POSTED (2 * (200 + 10))

static void many_threads_may_use_all_functions_at_the_same_time(void **state)
{
	void *(*const work[])(void *) = {read_snapshots, read_snapshots, change_speeds, post_changes,
					 post_changes};
	struct client client[5];
	pthread_t thread[5];
	struct scene s;

	(void)state;
	begin(&s, 0, 100);
	for (size_t i = 0; i < 5; i++) {
		client[i] = (struct client){.host = s.host};
		assert_int_equal(pthread_create(&thread[i], NULL, work[i], &client[i]), 0);
	}
	for (uint64_t ticket = 1; ticket <= POSTED; ticket++)
		must_be_done(s.host, ticket);
	for (size_t i = 0; i < 5; i++) {
		pthread_join(thread[i], NULL);
		if (client[i].wrong)
			fail_msg("%s", client[i].wrong);
	}
	end(&s);
}

static void a_busy_thread_can_be_stopped(void **state)
{
	(void)state;
	for (int i = 0; i < 30; i++) {
		struct scene s = {.host = NULL};
		const struct event ev = memory_of_node(i);

		start(&s, new_driver((struct ledger){0}, 0), i % 2 ? CLOCK_SPEED_MAX : 0);
		if (i % 3 == 0)
			host_step(s.host, UINT32_MAX);
		host_advance(s.host, i % 5 ? TIME_NEVER : 500000);
		host_post(s.host, &ev, 1);
		if (i % 4 == 0)
			wait_for_moment(s.host, s.start_s + (i % 3 ? 1000 : 0));
		host_stop(s.host);
	}
	host_stop(NULL);
}

/* --- failures ---------------------------------------------------------------------------------------- */

static void start_failing(struct scene *s, int speed)
{
	struct driver *d;

	memory_begin(&s->ledger);
	d = new_driver(memory_ledger(&s->ledger), 0);
	s->ledger.fail_next = 1;
	start(s, d, speed);
}

static void after_a_failed_commit_every_request_fails(void **state)
{
	const struct event ev = memory_of_node(1);
	const struct shared_snapshot *before, *after;
	struct host_answer answer;
	struct err err = {""};
	struct scene s;

	(void)state;
	start_failing(&s, 0);
	before = host_hold(s.host);
	assert_false(host_failed(s.host, &err));
	for (int i = 0; i < 10; i++)
		host_post(s.host, &ev, 1);
	for (uint64_t ticket = 1; ticket <= 10; ticket++) {
		answer = must_answer(s.host, ticket);
		assert_int_equal(answer.outcome, DRIVER_FAILED);
		assert_string_equal(answer.err.text, "the disk is full");
	}
	while (!host_failed(s.host, &err))
		wait_for_wake(s.host);
	assert_string_equal(err.text, "the disk is full");
	assert_true(host_failed(s.host, NULL));
	answer = must_answer(s.host, host_advance(s.host, TIME_NEVER));
	assert_int_equal(answer.outcome, DRIVER_FAILED);
	after = host_hold(s.host);
	assert_ptr_equal(before, after); /* changes that were not committed are not shown */
	host_release(s.host, before);
	host_release(s.host, after);
	assert_int_equal(s.ledger.commits, 1);
	end(&s);
}

static void a_failed_commit_without_a_request_wakes_the_caller(void **state)
{
	struct err err = {""};
	struct scene s;

	(void)state;
	start_failing(&s, CLOCK_SPEED_MAX);
	while (!host_failed(s.host, &err))
		wait_for_wake(s.host);
	assert_string_equal(err.text, "the disk is full");
	assert_int_equal(must_answer(s.host, host_step(s.host, 1)).outcome, DRIVER_FAILED);
	end(&s);
}

/* --- the watchdog ---------------------------------------------------------------------------- */

/* A guest that is called in every turn. After `block` is set, its next turn waits for `resume`. */
struct blocking {
	int readable[2]; /* a pipe that is always readable */
	atomic_bool block;
	sem_t is_blocked, resume;
};

static int blocking_fd(const void *self)
{
	return ((const struct blocking *)self)->readable[0];
}

static int blocking_wait_ms(const void *self)
{
	(void)self;
	return -1;
}

static bool blocking_turn(void *self, struct driver *driver, int64_t now_s, struct err *err)
{
	struct blocking *blocking = self;

	(void)driver;
	(void)now_s;
	(void)err;
	if (atomic_exchange(&blocking->block, false)) {
		sem_post(&blocking->is_blocked);
		sem_wait(&blocking->resume);
	}
	return true;
}

static int listen_as_service_manager(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char name[64];

	snprintf(name, sizeof name, "@kahu-host-%ld", (long)getpid());
	setenv("NOTIFY_SOCKET", name, 1);
	memcpy(address.sun_path + 1, name + 1, strlen(name + 1));
	assert_int_equal(bind(fd, (const struct sockaddr *)&address,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))),
			 0);
	return fd;
}

static bool receives_watchdog(int fd, int wait_ms)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	char message[64] = "";

	if (poll(&ready, 1, wait_ms) != 1)
		return false;
	assert_true(recv(fd, message, sizeof message - 1, 0) > 0);
	assert_string_equal(message, "WATCHDOG=1");
	return true;
}

static void a_blocked_turn_does_not_notify_the_watchdog(void **state)
{
	static const struct host_guest_ops ops = {blocking_fd, blocking_wait_ms, blocking_turn};
	struct blocking blocking = {.block = false};
	struct host_setup setup = {
		.driver = new_driver((struct ledger){0}, 0), .guest = {&ops, &blocking}, .watchdog_ms = 1};
	int fd = listen_as_service_manager();
	struct host *h;
	struct err err;

	(void)state;
	assert_int_equal(pipe(blocking.readable), 0);
	assert_int_equal(write(blocking.readable[1], "", 1), 1);
	sem_init(&blocking.is_blocked, 0, 0);
	sem_init(&blocking.resume, 0, 0);
	h = host_start(&setup, &err);
	assert_non_null(h);
	for (int i = 0; i < 5; i++)
		assert_true(receives_watchdog(fd, PATIENCE_MS));
	atomic_store(&blocking.block, true);
	sem_wait(&blocking.is_blocked);
	while (receives_watchdog(fd, 0))
		;
	assert_false(receives_watchdog(fd, 50)); /* the blocked turn sends no notification */
	sem_post(&blocking.resume);
	assert_true(receives_watchdog(fd, PATIENCE_MS));
	host_stop(h);
	unsetenv("NOTIFY_SOCKET");
	close(fd);
	close(blocking.readable[0]);
	close(blocking.readable[1]);
	sem_destroy(&blocking.is_blocked);
	sem_destroy(&blocking.resume);
}

/* Nothing is due and there are no requests. poll() must return before the watchdog expires. */
static void an_idle_loop_notifies_the_watchdog(void **state)
{
	struct host_setup setup = {.driver = new_driver((struct ledger){0}, 0), .watchdog_ms = 2};
	int fd = listen_as_service_manager();
	struct host *h;
	struct err err;

	(void)state;
	h = host_start(&setup, &err);
	assert_non_null(h);
	for (int i = 0; i < 5; i++)
		assert_true(receives_watchdog(fd, PATIENCE_MS));
	host_stop(h);
	unsetenv("NOTIFY_SOCKET");
	close(fd);
}

static void without_descriptors_the_start_fails_with_an_error(void **state)
{
	struct driver *d = new_driver((struct ledger){0}, 20);
	struct host_setup setup = {.driver = d};
	struct rlimit before, none;
	struct err err = {""};
	struct host *h;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	h = host_start(&setup, &err);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_null(h);
	assert_non_null(strstr(err.text, "pipe"));
	assert_int_equal(fcntl(0, F_GETFD), 0); /* descriptors of others are not closed */
}

static void a_warning_is_reported_once(void **state)
{
	struct event ev[2] = {{.kind = EVENT_SETTING,
			       .who = "ann",
			       .setting = {.name = "nodeallocationpolicy", .value = "local"}},
			      {.kind = EVENT_SETTING,
			       .who = "ann",
			       .setting = {.name = "localnodeallocation", .value = "/nonexistent/program"}}};
	struct scene s;
	struct err warning;

	(void)state;
	begin(&s, 0, 0);
	assert_false(host_take_warning(s.host, &warning));
	must_be_done(s.host, host_post(s.host, ev, 2));
	must_be_done(s.host, host_advance(s.host, s.start_s + 3600));
	assert_true(host_take_warning(s.host, &warning));
	assert_non_null(strstr(warning.text, "/nonexistent/program could not be started"));
	assert_false(host_take_warning(s.host, &warning));
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_warning_is_reported_once),
		cmocka_unit_test(the_snapshot_contains_the_effect_of_an_answered_request),
		cmocka_unit_test(ten_thousand_requests_lose_no_wake_up),
		cmocka_unit_test(answers_arrive_in_the_order_of_the_requests),
		cmocka_unit_test(events_are_copied_before_host_post_returns),
		cmocka_unit_test(the_answer_to_a_refused_batch_has_the_reason),
		cmocka_unit_test(an_unchanged_snapshot_is_not_copied_again),
		cmocka_unit_test(a_held_snapshot_does_not_change),
		cmocka_unit_test(many_threads_may_use_all_functions_at_the_same_time),
		cmocka_unit_test(a_busy_thread_can_be_stopped),
		cmocka_unit_test(after_a_failed_commit_every_request_fails),
		cmocka_unit_test(a_failed_commit_without_a_request_wakes_the_caller),
		cmocka_unit_test(a_blocked_turn_does_not_notify_the_watchdog),
		cmocka_unit_test(an_idle_loop_notifies_the_watchdog),
		cmocka_unit_test(without_descriptors_the_start_fails_with_an_error),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
