/* SPDX-License-Identifier: MIT */
/*
 * test_remote.c - the console's view of a scheduler in another process
 *
 * The scheduler runs in this process too, on a simulated cluster, and is connected by the socket.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/host/arrivals.h"
#include "tests/memory_ledger.h"
#include "tui/serve/remote.h"
#include "tui/serve/request_server.h"

#define WAIT_MS 60000

struct scene {
	char dir[64];
	struct memory_ledger ledger;
	struct request_server *server;
	struct host *host;
	struct remote *remote;
	struct source source;
};

static void serve(struct scene *s)
{
	const struct fake_cluster cluster = {.nodes = 2, .node_procs = 4};
	const struct sim_origin none = {.active = 0};
	struct host_setup setup = {.start_s = 1000, .speed = 1};

	setup.driver = driver_new(fake_from_workload(&cluster, &none), memory_ledger(&s->ledger), NULL);
	assert_non_null(setup.driver);
	s->server = request_server_open(&(struct request_server_setup){.dir = s->dir}, NULL);
	assert_non_null(s->server);
	setup.guest = request_server_guest(s->server);
	s->host = host_start(&setup, NULL);
	assert_non_null(s->host);
}

static void stop(struct scene *s)
{
	host_stop(s->host);
	request_server_close(s->server);
}

static int begin(void **state)
{
	struct scene *s = calloc(1, sizeof *s);
	bool runs = false;

	unsetenv("KAHU_RUN");
	strcpy(s->dir, "/tmp/kahu-remote.XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	memory_begin(&s->ledger);
	serve(s);
	host_release(s->host, host_hold(s->host));
	s->remote = remote_open(s->dir, &runs, NULL);
	assert_true(runs);
	assert_non_null(s->remote);
	s->source = source_of_remote(s->remote);
	*state = s;
	return 0;
}

static int end(void **state)
{
	struct scene *s = *state;

	remote_close(s->remote);
	stop(s);
	memory_end(&s->ledger);
	rmdir(s->dir);
	free(s);
	return 0;
}

static void wait_for_news(struct scene *s)
{
	struct pollfd fd = {.fd = s->source.ops->wake_fd(s->source.self), .events = POLLIN};

	assert_int_equal(poll(&fd, 1, WAIT_MS), 1);
	s->source.ops->clear_wake(s->source.self);
}

static uint64_t version(struct scene *s)
{
	const struct shared_snapshot *shared = s->source.ops->hold(s->source.self);
	uint64_t at = shared->version;

	s->source.ops->release(s->source.self, shared);
	return at;
}

static struct event setting(const char *value)
{
	return (struct event){.kind = EVENT_SETTING, .setting = {.name = "xfactorweight", .value = value}};
}

static struct host_answer answer_to(struct scene *s, uint64_t ticket)
{
	struct host_answer answer;

	while (!s->source.ops->take_answer(s->source.self, &answer))
		wait_for_news(s);
	assert_int_equal(answer.ticket, ticket);
	return answer;
}

static void after_an_answer_the_snapshot_contains_the_change(void **state)
{
	struct scene *s = *state;
	uint64_t before = version(s);
	struct event ev = setting("17");
	struct host_answer answer = answer_to(s, s->source.ops->post(s->source.self, &ev, 1));

	assert_int_equal(answer.outcome, DRIVER_DONE);
	assert_true(s->source.ops->is_newer(s->source.self, before));
	assert_true(version(s) >= answer.seq);
}

static void without_a_journal_past_states_are_refused(void **state)
{
	struct scene *s = *state;
	struct store_moment moment = {.time_s = 1000};
	struct past_picture picture;
	struct err err;

	assert_false(s->source.ops->fetch_past(s->source.self, &moment, &picture, &err));
	assert_string_equal(err.text, "this scheduler keeps no journal");
}

static void a_refused_change_returns_the_reason(void **state)
{
	struct scene *s = *state;
	struct event ev = {.kind = EVENT_CANCEL, .job = 4711};
	struct host_answer answer = answer_to(s, s->source.ops->post(s->source.self, &ev, 1));

	assert_int_equal(answer.outcome, DRIVER_REFUSED);
	assert_non_null(strstr(answer.err.text, "4711"));
}

/* A change by another client is fetched when it is requested, and only then. */
static void changes_of_others_are_fetched_only_on_request(void **state)
{
	struct scene *s = *state;
	uint64_t before = version(s);
	struct event ev = setting("18");

	s->source.ops->ask(s->source.self);
	host_post(s->host, &ev, 1);
	while (version(s) == before)
		wait_for_news(s);
	before = version(s);
	ev = setting("19");
	host_post(s->host, &ev, 1);
	assert_int_equal(version(s), before);
	s->source.ops->ask(s->source.self);
	while (version(s) == before)
		wait_for_news(s);
}

static void a_held_snapshot_outlives_the_next(void **state)
{
	struct scene *s = *state;
	const struct shared_snapshot *held = s->source.ops->hold(s->source.self);
	uint64_t seq = held->s->seq;
	struct event ev = setting("20");

	answer_to(s, s->source.ops->post(s->source.self, &ev, 1));
	assert_int_equal(held->s->seq, seq);
	assert_true(version(s) > seq);
	s->source.ops->release(s->source.self, held);
}

static void a_restarted_scheduler_is_found_again(void **state)
{
	struct scene *s = *state;
	struct event ev = setting("21");
	struct err warning;

	s->source.ops->ask(s->source.self);
	stop(s);
	while (!s->source.ops->is_lost(s->source.self))
		wait_for_news(s);
	assert_true(s->source.ops->take_warning(s->source.self, &warning));
	assert_non_null(strstr(warning.text, "gone; trying again"));
	assert_int_equal(answer_to(s, s->source.ops->post(s->source.self, &ev, 1)).outcome, DRIVER_FAILED);
	serve(s);
	while (s->source.ops->is_lost(s->source.self))
		wait_for_news(s);
	assert_int_equal(answer_to(s, s->source.ops->post(s->source.self, &ev, 1)).outcome, DRIVER_DONE);
}

/* Even while a request waits at the scheduler. */
static void closing_does_not_wait_for_the_scheduler(void **state)
{
	struct scene *s = *state;
	bool runs;

	s->source.ops->ask(s->source.self);
	remote_close(s->remote);
	s->remote = remote_open(s->dir, &runs, NULL);
	assert_non_null(s->remote);
}

static void without_a_scheduler_opening_returns_null(void **state)
{
	struct err err;
	bool runs = true;

	(void)state;
	assert_null(remote_open("/nonexistent/kahu", &runs, &err));
	assert_false(runs);
}

#define REMOTE_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		REMOTE_TEST(after_an_answer_the_snapshot_contains_the_change),
		REMOTE_TEST(a_refused_change_returns_the_reason),
		REMOTE_TEST(without_a_journal_past_states_are_refused),
		REMOTE_TEST(changes_of_others_are_fetched_only_on_request),
		REMOTE_TEST(a_held_snapshot_outlives_the_next),
		REMOTE_TEST(a_restarted_scheduler_is_found_again),
		REMOTE_TEST(closing_does_not_wait_for_the_scheduler),
		cmocka_unit_test(without_a_scheduler_opening_returns_null),
	};

	return cmocka_run_group_tests_name("remote", tests, NULL, NULL);
}
