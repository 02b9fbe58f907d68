/* SPDX-License-Identifier: MIT */
/*
 * host_thread.c - the loop of the scheduler's thread
 *
 * Serve requests, run every moment that is due, publish a snapshot if somebody asked, and wait in
 * one poll() for the next of these.
 */
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include "host_inside.h"
#include "kept_clock.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/system_clock.h"
#include "service.h"

#define URGENT_NICE (-10)

static struct request *take_request(struct host *h)
{
	struct request *r;

	pthread_mutex_lock(&h->lock);
	r = host_pop_request(h);
	pthread_mutex_unlock(&h->lock);
	return r;
}

static void send_answer(struct host *h, const struct host_answer *answer)
{
	pthread_mutex_lock(&h->lock);
	host_put_answer(h, answer);
	pthread_mutex_unlock(&h->lock);
	host_ring(h->wake_caller);
}

/* After a step: publishes when somebody asked and there is news. */
static void publish_if_asked(struct host *h)
{
	bool wanted;
	int64_t now_s;

	pthread_mutex_lock(&h->lock);
	wanted = h->asked && h->latest->shared.version != h->version;
	now_s = clock_now_s(&h->clock, host_ns(h));
	pthread_mutex_unlock(&h->lock);
	if (wanted)
		host_publish(h, now_s);
}

static void move_clock(struct host *h, int64_t to_s)
{
	pthread_mutex_lock(&h->lock);
	clock_move(&h->clock, host_ns(h), to_s);
	pthread_mutex_unlock(&h->lock);
}

static bool must_stop(struct host *h)
{
	bool stop;

	pthread_mutex_lock(&h->lock);
	stop = h->stop;
	pthread_mutex_unlock(&h->lock);
	return stop;
}

static void fail(struct host *h, const struct err *err)
{
	struct request *r;

	pthread_mutex_lock(&h->lock);
	h->failed = true;
	h->err = *err;
	while ((r = host_pop_request(h)) != NULL)
		host_put_failure(h, r);
	pthread_mutex_unlock(&h->lock);
	host_ring(h->wake_caller);
}

static void count_change(struct host *h, uint64_t seq_before)
{
	if (driver_view(h->driver)->seq == seq_before)
		return;
	pthread_mutex_lock(&h->lock);
	h->version++;
	pthread_mutex_unlock(&h->lock);
}

#define TURN_MS 10 /* of overdue steps before requests are answered */

static bool step(struct host *h, int64_t now_s, struct err *err)
{
	uint64_t seq = driver_view(h->driver)->seq;
	bool ok = driver_step(h->driver, now_s, err);

	count_change(h, seq);
	return ok;
}

/*
 * Takes every step that is due by to_s, each at its own time, so that the clock is never behind the state.
 * With a real clock nothing is done in the past: overdue steps are taken now, and after TURN_MS of them
 * waiting requests come before the rest.
 */
static bool run_until(struct host *h, int64_t to_s, struct err *err)
{
	int64_t until_ms = h->real ? monotonic_ms() + TURN_MS : INT64_MAX;

	for (int64_t due_s = driver_next_s(h->driver); due_s <= to_s && due_s != TIME_NEVER && !must_stop(h);
	     due_s = driver_next_s(h->driver)) {
		int64_t at_s = h->real ? to_s : due_s;

		if (!step(h, at_s, err))
			return false;
		move_clock(h, at_s);
		publish_if_asked(h);
		if (h->real && monotonic_ms() >= until_ms)
			return true;
	}
	return true;
}

static bool run_moments(struct host *h, size_t count, struct err *err)
{
	for (size_t i = 0; i < count && !must_stop(h); i++) {
		int64_t due_s = driver_next_s(h->driver);

		if (due_s == TIME_NEVER)
			return true;
		if (!step(h, due_s, err))
			return false;
		move_clock(h, due_s);
	}
	return true;
}

static enum driver_outcome serve_post(struct host *h, struct request *r, uint64_t *seq, struct err *err)
{
	int64_t now_s = host_now_s(h);
	enum driver_outcome outcome;
	uint64_t before;

	/* What was due before the request happens before it, at its own moment. */
	if (!run_until(h, now_s, err))
		return DRIVER_FAILED;
	if (must_stop(h)) {
		err_set(err, "the scheduler is stopping");
		return DRIVER_REFUSED;
	}
	before = driver_view(h->driver)->seq;
	for (size_t i = 0; i < r->count; i++)
		r->event[i].time_s = now_s;
	outcome = driver_post(h->driver, r->event, r->count, err);
	*seq = driver_view(h->driver)->seq;
	/* The pass that follows belongs to the answer: whoever asked sees what came of it. */
	if (outcome == DRIVER_DONE && !driver_step(h->driver, now_s, err))
		outcome = DRIVER_FAILED;
	count_change(h, before);
	return outcome;
}

/* *seq: the last event of the request itself, before the pass that follows it. */
static enum driver_outcome serve(struct host *h, struct request *r, uint64_t *seq, struct err *err)
{
	bool ok = true;

	switch (r->kind) {
	case REQUEST_POST:
		return serve_post(h, r, seq, err);
	case REQUEST_ADVANCE:
		ok = run_until(h, r->to_s, err);
		if (r->to_s != TIME_NEVER)
			move_clock(h, r->to_s);
		break;
	case REQUEST_STEP:
		ok = run_moments(h, r->count, err);
		break;
	}
	*seq = driver_view(h->driver)->seq;
	return ok ? DRIVER_DONE : DRIVER_FAILED;
}

static bool serve_all(struct host *h)
{
	struct request *r;

	while (!must_stop(h) && (r = take_request(h)) != NULL) {
		struct host_answer answer = {.ticket = r->ticket};

		answer.outcome = serve(h, r, &answer.seq, &answer.err);
		host_free_request(r);
		/* Published first: who reads the answer finds its effect in the snapshot. */
		if (answer.outcome == DRIVER_DONE)
			host_publish(h, host_now_s(h));
		send_answer(h, &answer);
		if (answer.outcome == DRIVER_FAILED) {
			fail(h, &answer.err);
			return false;
		}
	}
	return true;
}

/* --- the watchdog ------------------------------------------------------------------------------- */

/* Only from here, after a completed turn: a loop that is stuck is silent, and the service manager restarts
 * it. */
static void report_turn(struct host *h)
{
	int64_t now_ms = monotonic_ms();

	if (h->watchdog_ms <= 0 || now_ms < h->watchdog_at_ms)
		return;
	service_notify("WATCHDOG=1");
	h->watchdog_at_ms = now_ms + h->watchdog_ms;
}

/* Until the next turn has to be reported; -1: never. */
static int watchdog_wait_ms(const struct host *h)
{
	int64_t left_ms = h->watchdog_at_ms - monotonic_ms();

	if (h->watchdog_ms <= 0)
		return -1;
	return left_ms < 0 ? 0 : (int)left_ms;
}

/* --- the system's clock ------------------------------------------------------------------------- */

#define LOOK_MS 20 /* where a test reads the clock */

/* When to compare the clocks again if nothing else happens; -1: never. */
static int clock_look_ms(const struct host *h)
{
	if (!h->real)
		return -1;
	return h->read_clock == system_clock_read ? system_clock_wait_ms(h->clock_fd) : LOOK_MS;
}

#define KEPT_S 2 /* the difference is written again when it has changed by so much */

static void keep_clock(struct host *h, const struct timespec *system)
{
	int64_t difference_s = system->tv_sec - host_ns(h) / SECOND_NS;

	if (h->clock_file == NULL ||
	    (h->difference_s != INT64_MIN && difference_s - h->difference_s < KEPT_S &&
	     h->difference_s - difference_s < KEPT_S))
		return;
	h->difference_s = difference_s;
	kept_clock_write(h->clock_file, difference_s);
}

static void forget_clock(struct host *h)
{
	h->difference_s = INT64_MIN;
	if (h->clock_file != NULL)
		kept_clock_remove(h->clock_file);
}

/* If the store cannot be written, the step is tried again at the next turn; until then time continues by the
 * old clock. */
static bool set_clock(struct host *h, const struct timespec *system, int64_t by_s, struct err *err)
{
	uint64_t before = driver_view(h->driver)->seq;
	enum driver_outcome outcome;

	forget_clock(h);
	outcome = driver_set_clock(h->driver, system->tv_sec, by_s, err);
	if (outcome != DRIVER_DONE)
		return outcome != DRIVER_FAILED;
	count_change(h, before);
	host_publish_clock(h, system);
	return true;
}

static bool follow_clock(struct host *h, struct err *err)
{
	struct timespec system;
	int64_t by_s;

	if (!h->real)
		return true;
	h->read_clock(&system);
	pthread_mutex_lock(&h->lock);
	by_s = clock_follow(&h->clock, host_ns(h), &system);
	pthread_mutex_unlock(&h->lock);
	if (by_s != 0)
		return set_clock(h, &system, by_s, err);
	keep_clock(h, &system);
	return true;
}

/* --- waiting ------------------------------------------------------------------------------------ */

/* Who has called. */
struct called {
	bool manager, guest;
};

static int sooner_ms(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

static struct called wait_for_work(struct host *h)
{
	const struct host_guest *guest = &h->guest;
	struct pollfd fds[] = {
		{.fd = h->wake_thread[0], .events = POLLIN},
		{.fd = driver_fd(h->driver), .events = POLLIN},
		{.fd = guest->ops != NULL ? guest->ops->fd(guest->self) : -1, .events = POLLIN},
		{.fd = h->clock_fd, .events = POLLIN}};
	int64_t due_s = driver_next_s(h->driver);
	int guest_ms = guest->ops != NULL ? guest->ops->wait_ms(guest->self) : -1;
	int wait_ms;

	pthread_mutex_lock(&h->lock);
	wait_ms = h->first != NULL || h->stop ? 0 : clock_wait_ms(&h->clock, host_ns(h), due_s);
	pthread_mutex_unlock(&h->lock);
	wait_ms = sooner_ms(wait_ms, clock_look_ms(h));
	poll(fds, sizeof fds / sizeof fds[0], sooner_ms(watchdog_wait_ms(h), sooner_ms(wait_ms, guest_ms)));
	host_drain(h->wake_thread[0]);
	if (fds[3].revents != 0)
		system_clock_rearm(h->clock_fd);
	return (struct called){.manager = fds[1].revents != 0,
			       .guest = fds[2].revents != 0 ||
					(guest_ms >= 0 && (wait_ms < 0 || guest_ms <= wait_ms))};
}

static bool turn_guest(struct host *h, struct err *err)
{
	uint64_t before = driver_view(h->driver)->seq;
	bool good = h->guest.ops->turn(h->guest.self, h->driver, host_now_s(h), err);

	count_change(h, before);
	return good;
}

/* What is due; then what has come from outside. */
static bool live(struct host *h, struct called called, struct err *err)
{
	if (host_speed(h) > 0 && !run_until(h, host_now_s(h), err))
		return false;
	if (called.manager && !step(h, host_now_s(h), err))
		return false;
	return !called.guest || turn_guest(h, err);
}

/*
 * On a machine whose jobs use every processor the scheduler would wait its turn among them, and everybody who
 * asks it something with it. Processes and threads that it starts get the usual priority. A scheduler that
 * was started with another niceness than 0 keeps that.
 */
static void go_before_jobs(void)
{
	const struct sched_param none = {.sched_priority = 0};

	if (getpriority(PRIO_PROCESS, 0) == 0 &&
	    sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &none) == 0)
		setpriority(PRIO_PROCESS, 0, URGENT_NICE); /* not allowed: as it was */
}

void *host_run(void *self)
{
	struct host *h = self;
	struct err err = {{0}};
	struct called called = {false, false};

	if (h->urgent)
		go_before_jobs();
	while (!must_stop(h)) {
		bool good = follow_clock(h, &err);

		if (good && !serve_all(h))
			break;
		if (!good || !live(h, called, &err)) {
			fail(h, &err);
			break;
		}
		publish_if_asked(h);
		report_turn(h);
		called = wait_for_work(h);
	}
	return NULL;
}
