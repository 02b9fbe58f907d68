/* SPDX-License-Identifier: MIT */
/*
 * hosted.h - a scheduler's thread over a simulated cluster, and a caller who waits for it
 *
 * Nothing here waits for luck: a test waits for a descriptor or for a condition that must
 * come, and run.sh ends a program that waits for ever.
 */
#ifndef TESTS_HOSTED_H
#define TESTS_HOSTED_H

#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <string.h>

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
static inline struct driver *new_driver(struct ledger ledger, uint64_t job_limit)
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

static inline void start(struct scene *s, struct driver *d, int speed)
{
	struct host_setup setup = {.driver = d, .start_s = driver_view(d)->now_s, .speed = speed};
	struct err err;

	s->start_s = setup.start_s;
	s->host = host_start(&setup, &err);
	if (!s->host)
		fail_msg("%s", err.text);
}

static inline void begin(struct scene *s, uint64_t job_limit, int speed)
{
	memory_begin(&s->ledger);
	start(s, new_driver(memory_ledger(&s->ledger), job_limit), speed);
}

static inline void end(struct scene *s)
{
	host_stop(s->host);
	if (s->ledger.fault.text[0])
		fail_msg("%s", s->ledger.fault.text);
	memory_end(&s->ledger);
}

static inline void wait_for_wake(struct host *h)
{
	struct pollfd fd = {.fd = host_wake_fd(h), .events = POLLIN};

	if (poll(&fd, 1, PATIENCE_MS) != 1)
		fail_msg("nothing woke the caller");
	host_clear_wake(h);
}

static inline struct host_answer next_answer(struct host *h)
{
	struct host_answer answer;

	while (!host_take_answer(h, &answer))
		wait_for_wake(h);
	return answer;
}

static inline struct host_answer must_answer(struct host *h, uint64_t ticket)
{
	struct host_answer answer = next_answer(h);

	assert_int_equal(answer.ticket, ticket);
	return answer;
}

static inline void must_be_done(struct host *h, uint64_t ticket)
{
	struct host_answer answer = must_answer(h, ticket);

	if (answer.outcome != DRIVER_DONE)
		fail_msg("%s", answer.err.text);
}

static inline struct event setting(const char *name, const char *value)
{
	return (struct event){.kind = EVENT_SETTING, .who = "ann", .setting = {name, value}};
}

/* A change that leaves nothing behind, so that a thousand of them are as quick as one. */
static inline struct event memory_of_node(int64_t mem_mb)
{
	return (struct event){
		.kind = EVENT_NODE, .who = "ann", .node = {.name = "n001", .procs = 4, .mem_mb = mem_mb}};
}

/* Waits for a condition that time alone brings about. */
static inline void wait_for_moment(struct host *h, int64_t at_s)
{
	while (host_now_s(h) < at_s)
		sched_yield();
}

#endif
