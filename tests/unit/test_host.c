/* SPDX-License-Identifier: MIT */
/*
 * test_host.c - does the scheduler's thread answer everybody, in order, and stop when it is told?
 *
 * Nothing here waits for luck: a test waits for a descriptor or for a condition that must
 * come, and run.sh ends a program that waits for ever. Most of the value is under TSan.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>

#include "sched/host/arrivals.h"
#include "sched/host/clock.h"
#include "sched/host/host.h"
#include "tests/memory_ledger.h"

#define PATIENCE_MS 60000

static const struct fake_cluster cluster = {.nodes = 16, .node_procs = 4, .node_mem_mb = 8000};

struct scene {
	struct memory_ledger ledger;
	struct host *host;
	int64_t start_s;
};

/* A driver over a simulated cluster of job_limit jobs; 0: they never end. */
static struct driver *new_driver(struct ledger ledger, uint64_t job_limit)
{
	const struct sim_origin origin = {.seed = 3,
					  .next_index = 1,
					  .job_limit = job_limit,
					  .load_pct = 120,
					  .last_s = 1000,
					  .active = 1};
	struct err err;
	struct driver *d = driver_new(fake_from_workload(&cluster, &origin), ledger, &err);

	if (!d)
		fail_msg("%s", err.text);
	return d;
}

static void start(struct scene *s, struct driver *d, int speed)
{
	struct host_setup setup = {.driver = d, .start_s = driver_view(d)->now_s, .speed = speed};
	struct err err;

	s->start_s = setup.start_s;
	s->host = host_start(&setup, &err);
	if (!s->host)
		fail_msg("%s", err.text);
}

static void begin(struct scene *s, uint64_t job_limit, int speed)
{
	memory_begin(&s->ledger);
	start(s, new_driver(memory_ledger(&s->ledger), job_limit), speed);
}

static void end(struct scene *s)
{
	host_stop(s->host);
	if (s->ledger.fault.text[0])
		fail_msg("%s", s->ledger.fault.text);
	memory_end(&s->ledger);
}

static void wait_for_wake(struct host *h)
{
	struct pollfd fd = {.fd = host_wake_fd(h), .events = POLLIN};

	if (poll(&fd, 1, PATIENCE_MS) != 1)
		fail_msg("nothing woke the caller");
	host_clear_wake(h);
}

static struct host_answer next_answer(struct host *h)
{
	struct host_answer answer;

	while (!host_take_answer(h, &answer))
		wait_for_wake(h);
	return answer;
}

static struct host_answer must_answer(struct host *h, uint64_t ticket)
{
	struct host_answer answer = next_answer(h);

	assert_int_equal(answer.ticket, ticket);
	return answer;
}

static void must_be_done(struct host *h, uint64_t ticket)
{
	struct host_answer answer = must_answer(h, ticket);

	if (answer.outcome != DRIVER_DONE)
		fail_msg("%s", answer.err.text);
}

static struct event setting(const char *name, const char *value)
{
	return (struct event){.kind = EVENT_SETTING, .who = "ann", .setting = {name, value}};
}

/* A change that leaves nothing behind, so that a thousand of them are as quick as one. */
static struct event memory_of_node(int64_t mem_mb)
{
	return (struct event){
		.kind = EVENT_NODE, .who = "ann", .node = {.name = "n001", .procs = 4, .mem_mb = mem_mb}};
}

/* --- requests and answers ------------------------------------------------------------------- */

static void the_effect_of_an_answer_is_in_the_snapshot(void **state)
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

/* One at a time, each waited for at the descriptor alone: a wake-up that is lost stops the test. */
static void ten_thousand_posts_lose_no_wake_up(void **state)
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

static void answers_come_in_the_order_of_the_requests(void **state)
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

static void a_post_is_copied_before_host_post_returns(void **state)
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

static void a_refused_batch_is_answered_with_the_sentence(void **state)
{
	const struct event ev[2] = {setting("xfactorweight", "5"), setting("xfactorwait", "5")};
	const struct shared_snapshot *before, *after;
	struct host_answer answer;
	struct scene s;

	(void)state;
	begin(&s, 20, 0);
	must_be_done(s.host, host_advance(s.host, s.start_s)); /* what is due at once */
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

/* --- time -------------------------------------------------------------------------------------- */

/* The state's hash and seq when a driver is stepped through the same moments by hand. */
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

static void at_speed_0_time_stands_until_it_is_moved(void **state)
{
	struct scene s;

	(void)state;
	begin(&s, 0, 0);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(host_now_s(s.host), s.start_s);
	must_be_done(s.host, host_advance(s.host, s.start_s + 100000));
	assert_int_equal(host_now_s(s.host), s.start_s + 100000);
	check_state(s.host, hash_by_hand(0, s.start_s + 100000, UINT64_MAX));
	must_be_done(s.host, host_advance(s.host, s.start_s + 7)); /* never back */
	assert_int_equal(host_now_s(s.host), s.start_s + 100000);
	end(&s);
}

static void steps_are_moments_at_which_something_happens(void **state)
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

static void an_advance_for_ever_ends_with_the_last_job(void **state)
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
	must_be_done(s.host, host_step(s.host, 5)); /* nothing is left */
	end(&s);
}

/* Waits for a condition that time alone brings about. */
static void wait_for_moment(struct host *h, int64_t at_s)
{
	while (host_now_s(h) < at_s)
		sched_yield();
}

static void with_a_speed_time_moves_and_jobs_come_and_go(void **state)
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
 * At four hours a second a post finds many due moments before it: each keeps its own time. (Faster than the
 * machine can follow, time would run away from a slow one.)
 */
static void what_is_due_happens_before_a_post_at_its_own_moment(void **state)
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

static void a_speed_can_be_changed_and_is_kept_in_its_range(void **state)
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
	must_be_done(s.host, host_advance(s.host, at_s)); /* the thread has seen it */
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

/* --- snapshots ------------------------------------------------------------------------------------ */

static void a_snapshot_without_news_is_not_made_again(void **state)
{
	const struct shared_snapshot *first, *second;
	struct scene s;

	(void)state;
	begin(&s, 0, 0);
	first = host_hold(s.host);
	host_ask_snapshot(s.host);
	must_be_done(s.host, host_step(s.host, 0)); /* the thread has seen the wish */
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

struct visitor {
	struct host *host;
	const char *wrong; /* what was not right */
};

static void *read_snapshots(void *self)
{
	struct visitor *v = self;
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
	struct visitor *v = self;
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
	struct host *h = ((struct visitor *)self)->host;

	for (int i = 0; i < 200; i++) {
		const struct event ev = memory_of_node(i);

		host_post(h, &ev, 1);
		if (i % 20 == 0)
			host_step(h, 3);
	}
	return NULL;
}

#define POSTED (2 * (200 + 10))

static void many_threads_may_use_every_door_at_once(void **state)
{
	void *(*const work[])(void *) = {read_snapshots, read_snapshots, change_speeds, post_changes,
					 post_changes};
	struct visitor visitor[5];
	pthread_t thread[5];
	struct scene s;

	(void)state;
	begin(&s, 0, 100);
	for (size_t i = 0; i < 5; i++) {
		visitor[i] = (struct visitor){.host = s.host};
		assert_int_equal(pthread_create(&thread[i], NULL, work[i], &visitor[i]), 0);
	}
	for (uint64_t ticket = 1; ticket <= POSTED; ticket++)
		must_be_done(s.host, ticket);
	for (size_t i = 0; i < 5; i++) {
		pthread_join(thread[i], NULL);
		if (visitor[i].wrong)
			fail_msg("%s", visitor[i].wrong);
	}
	end(&s);
}

static void a_busy_thread_stops_when_it_is_told(void **state)
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

/* --- failures --------------------------------------------------------------------------------------------
 */

static void start_failing(struct scene *s, int speed)
{
	struct driver *d;

	memory_begin(&s->ledger);
	d = new_driver(memory_ledger(&s->ledger), 0);
	s->ledger.fail_next = 1;
	start(s, d, speed);
}

static void after_a_failed_commit_every_request_is_answered_so(void **state)
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
	assert_ptr_equal(before, after); /* what was not kept is not shown */
	host_release(s.host, before);
	host_release(s.host, after);
	assert_int_equal(s.ledger.commits, 1);
	end(&s);
}

static void a_commit_that_fails_by_itself_wakes_the_caller(void **state)
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

static void without_descriptors_there_is_a_sentence(void **state)
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
}

static void what_went_wrong_outside_is_told_once(void **state)
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
		cmocka_unit_test(what_went_wrong_outside_is_told_once),
		cmocka_unit_test(the_effect_of_an_answer_is_in_the_snapshot),
		cmocka_unit_test(ten_thousand_posts_lose_no_wake_up),
		cmocka_unit_test(answers_come_in_the_order_of_the_requests),
		cmocka_unit_test(a_post_is_copied_before_host_post_returns),
		cmocka_unit_test(a_refused_batch_is_answered_with_the_sentence),
		cmocka_unit_test(at_speed_0_time_stands_until_it_is_moved),
		cmocka_unit_test(steps_are_moments_at_which_something_happens),
		cmocka_unit_test(an_advance_for_ever_ends_with_the_last_job),
		cmocka_unit_test(with_a_speed_time_moves_and_jobs_come_and_go),
		cmocka_unit_test(what_is_due_happens_before_a_post_at_its_own_moment),
		cmocka_unit_test(a_speed_can_be_changed_and_is_kept_in_its_range),
		cmocka_unit_test(a_clock_does_not_start_before_its_state),
		cmocka_unit_test(a_snapshot_without_news_is_not_made_again),
		cmocka_unit_test(a_held_snapshot_does_not_change),
		cmocka_unit_test(many_threads_may_use_every_door_at_once),
		cmocka_unit_test(a_busy_thread_stops_when_it_is_told),
		cmocka_unit_test(after_a_failed_commit_every_request_is_answered_so),
		cmocka_unit_test(a_commit_that_fails_by_itself_wakes_the_caller),
		cmocka_unit_test(without_descriptors_there_is_a_sentence),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
