/* SPDX-License-Identifier: MIT */
/*
 * host.c - the running scheduler: a thread that owns the driver and waits in one poll()
 *
 * Everything the thread and its callers share stands in struct host behind one mutex: the
 * list of requests, the list of answers, the published snapshot, the clock. The driver is the
 * thread's alone and is never touched under the mutex. Two pipes wake: one the thread,
 * one the caller.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "keep.h"
#include "sched/base/vec.h"

enum request_kind {
	REQUEST_POST,
	REQUEST_ADVANCE,
	REQUEST_STEP
};

struct request {
	struct request *next;
	uint64_t ticket;
	enum request_kind kind;
	struct event *event; /* POST: in the arena */
	size_t count;        /* POST: events; STEP: moments */
	int64_t to_s;        /* ADVANCE */
	struct arena arena;
};

struct answer {
	struct answer *next;
	struct host_answer answer;
};

/* A snapshot with who holds it; the shared part comes first. */
struct published {
	struct shared_snapshot shared;
	unsigned holders; /* the host holds the latest */
};

struct host {
	struct driver *driver; /* the thread's */
	pthread_t thread;
	int wake_thread[2], wake_caller[2];

	pthread_mutex_t lock; /* guards all below */
	struct clock clock;
	struct request *first, **last;
	struct answer *first_answer, **last_answer;
	struct published *latest;
	uint64_t version; /* of the state, in changes seen     */
	bool asked;       /* a fresh snapshot is wanted        */
	bool stop;
	bool failed;
	struct err err;
	uint64_t next_ticket;
};

/* --- waking ------------------------------------------------------------------------------ */

static int64_t real_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A full pipe is as good as one more byte in it. */
static void ring(const int pipe_fds[2])
{
	while (write(pipe_fds[1], "", 1) < 0 && errno == EINTR)
		;
}

static void drain(int fd)
{
	char bytes[64];
	ssize_t got;

	do
		got = read(fd, bytes, sizeof bytes);
	while (got > 0 || (got < 0 && errno == EINTR));
}

int host_wake_fd(const struct host *h)
{
	return h->wake_caller[0];
}

void host_clear_wake(struct host *h)
{
	drain(h->wake_caller[0]);
}

/* --- snapshots ----------------------------------------------------------------------------- */

/* Under the lock; what is returned has no holder left and is freed after it. */
static struct published *let_go(struct published *p)
{
	return p != NULL && --p->holders == 0 ? p : NULL;
}

static void free_published(struct published *p)
{
	if (p == NULL)
		return;
	free((void *)(uintptr_t)p->shared.s);
	free(p);
}

/* The thread only: what callers see from now on. */
static void publish(struct host *h, int64_t now_s)
{
	struct published *fresh = mem_zero(1, sizeof *fresh), *old;

	fresh->shared.s = snapshot_copy(driver_view(h->driver));
	fresh->shared.now_s = now_s;
	fresh->holders = 1;
	pthread_mutex_lock(&h->lock);
	fresh->shared.version = h->version;
	old = let_go(h->latest);
	h->latest = fresh;
	h->asked = false;
	pthread_mutex_unlock(&h->lock);
	free_published(old);
	ring(h->wake_caller);
}

/* After a step: publishes when somebody asked and there is news. */
static void publish_if_asked(struct host *h)
{
	bool wanted;
	int64_t now_s;

	pthread_mutex_lock(&h->lock);
	wanted = h->asked && h->latest->shared.version != h->version;
	now_s = clock_now_s(&h->clock, real_ns());
	pthread_mutex_unlock(&h->lock);
	if (wanted)
		publish(h, now_s);
}

void host_ask_snapshot(struct host *h)
{
	bool wake;

	pthread_mutex_lock(&h->lock);
	wake = !h->asked && h->latest->shared.version != h->version;
	h->asked = true;
	pthread_mutex_unlock(&h->lock);
	if (wake)
		ring(h->wake_thread);
}

const struct shared_snapshot *host_hold(struct host *h)
{
	struct published *p;

	pthread_mutex_lock(&h->lock);
	p = h->latest;
	p->holders++;
	pthread_mutex_unlock(&h->lock);
	return &p->shared;
}

void host_release(struct host *h, const struct shared_snapshot *shared)
{
	struct published *old;

	pthread_mutex_lock(&h->lock);
	old = let_go((struct published *)(uintptr_t)shared);
	pthread_mutex_unlock(&h->lock);
	free_published(old);
}

bool host_is_newer(struct host *h, uint64_t version)
{
	bool newer;

	pthread_mutex_lock(&h->lock);
	newer = h->version != version;
	pthread_mutex_unlock(&h->lock);
	return newer;
}

/* --- requests and answers -------------------------------------------------------------------- */

static void free_request(struct request *r)
{
	arena_free(&r->arena);
	free(r);
}

/* Under the lock, as are the next two. */
static void put_answer(struct host *h, const struct host_answer *answer)
{
	struct answer *a = mem_zero(1, sizeof *a);

	a->answer = *answer;
	*h->last_answer = a;
	h->last_answer = &a->next;
}

static struct request *pop_request(struct host *h)
{
	struct request *r = h->first;

	if (r != NULL) {
		h->first = r->next;
		if (h->first == NULL)
			h->last = &h->first;
	}
	return r;
}

/* Whoever asks a scheduler that has stopped is told so. */
static void put_failure(struct host *h, struct request *r)
{
	struct host_answer answer = {.ticket = r->ticket, .outcome = DRIVER_FAILED, .err = h->err};

	put_answer(h, &answer);
	free_request(r);
}

static uint64_t send_request(struct host *h, struct request *r)
{
	uint64_t ticket;
	bool failed;

	pthread_mutex_lock(&h->lock);
	failed = h->failed;
	r->ticket = ticket = ++h->next_ticket;
	if (failed) {
		put_failure(h, r);
	} else {
		*h->last = r;
		h->last = &r->next;
	}
	pthread_mutex_unlock(&h->lock);
	ring(failed ? h->wake_caller : h->wake_thread);
	return ticket;
}

uint64_t host_post(struct host *h, const struct event *ev, size_t count)
{
	struct request *r = mem_zero(1, sizeof *r);

	r->kind = REQUEST_POST;
	r->count = count;
	r->event = arena_take(&r->arena, (count + 1) * sizeof *r->event);
	for (size_t i = 0; i < count; i++)
		r->event[i] = keep_event(&r->arena, &ev[i]);
	return send_request(h, r);
}

uint64_t host_advance(struct host *h, int64_t to_s)
{
	struct request *r = mem_zero(1, sizeof *r);

	r->kind = REQUEST_ADVANCE;
	r->to_s = to_s;
	return send_request(h, r);
}

uint64_t host_step(struct host *h, uint32_t count)
{
	struct request *r = mem_zero(1, sizeof *r);

	r->kind = REQUEST_STEP;
	r->count = count;
	return send_request(h, r);
}

static struct request *take_request(struct host *h)
{
	struct request *r;

	pthread_mutex_lock(&h->lock);
	r = pop_request(h);
	pthread_mutex_unlock(&h->lock);
	return r;
}

static void send_answer(struct host *h, const struct host_answer *answer)
{
	pthread_mutex_lock(&h->lock);
	put_answer(h, answer);
	pthread_mutex_unlock(&h->lock);
	ring(h->wake_caller);
}

bool host_take_answer(struct host *h, struct host_answer *out)
{
	struct answer *a;

	pthread_mutex_lock(&h->lock);
	a = h->first_answer;
	if (a != NULL) {
		h->first_answer = a->next;
		if (h->first_answer == NULL)
			h->last_answer = &h->first_answer;
	}
	pthread_mutex_unlock(&h->lock);
	if (a == NULL)
		return false;
	*out = a->answer;
	free(a);
	return true;
}

/* --- time ---------------------------------------------------------------------------------------- */

int64_t host_now_s(struct host *h)
{
	int64_t now_s;

	pthread_mutex_lock(&h->lock);
	now_s = clock_now_s(&h->clock, real_ns());
	pthread_mutex_unlock(&h->lock);
	return now_s;
}

int32_t host_speed(struct host *h)
{
	int32_t speed;

	pthread_mutex_lock(&h->lock);
	speed = h->clock.speed;
	pthread_mutex_unlock(&h->lock);
	return speed;
}

void host_set_speed(struct host *h, int32_t speed)
{
	pthread_mutex_lock(&h->lock);
	clock_set_speed(&h->clock, real_ns(), speed);
	pthread_mutex_unlock(&h->lock);
	ring(h->wake_thread);
}

static void move_clock(struct host *h, int64_t to_s)
{
	pthread_mutex_lock(&h->lock);
	clock_move(&h->clock, real_ns(), to_s);
	pthread_mutex_unlock(&h->lock);
}

/* --- the thread ------------------------------------------------------------------------------------ */

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
	while ((r = pop_request(h)) != NULL)
		put_failure(h, r);
	pthread_mutex_unlock(&h->lock);
	ring(h->wake_caller);
}

static void count_change(struct host *h, uint64_t seq_before)
{
	if (driver_view(h->driver)->seq == seq_before)
		return;
	pthread_mutex_lock(&h->lock);
	h->version++;
	pthread_mutex_unlock(&h->lock);
}

static bool step(struct host *h, int64_t now_s, struct err *err)
{
	uint64_t seq = driver_view(h->driver)->seq;
	bool ok = driver_step(h->driver, now_s, err);

	count_change(h, seq);
	return ok;
}

/* Runs every moment that is due by to_s, at its own moment; the clock is never behind the state. */
static bool run_until(struct host *h, int64_t to_s, struct err *err)
{
	for (int64_t due_s = driver_next_s(h->driver); due_s <= to_s && due_s != TIME_NEVER && !must_stop(h);
	     due_s = driver_next_s(h->driver)) {
		if (!step(h, due_s, err))
			return false;
		move_clock(h, due_s);
		publish_if_asked(h);
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

static enum driver_outcome serve_post(struct host *h, struct request *r, struct err *err)
{
	int64_t now_s = host_now_s(h);
	enum driver_outcome outcome;
	uint64_t seq;

	/* What was due before the request happens before it, at its own moment. */
	if (!run_until(h, now_s, err))
		return DRIVER_FAILED;
	if (must_stop(h)) {
		err_set(err, "the scheduler is stopping");
		return DRIVER_REFUSED;
	}
	seq = driver_view(h->driver)->seq;
	for (size_t i = 0; i < r->count; i++)
		r->event[i].time_s = now_s;
	outcome = driver_post(h->driver, r->event, r->count, err);
	/* The pass that follows belongs to the answer: whoever asked sees what came of it. */
	if (outcome == DRIVER_DONE && !driver_step(h->driver, now_s, err))
		outcome = DRIVER_FAILED;
	count_change(h, seq);
	return outcome;
}

static enum driver_outcome serve(struct host *h, struct request *r, struct err *err)
{
	bool ok = true;

	switch (r->kind) {
	case REQUEST_POST:
		return serve_post(h, r, err);
	case REQUEST_ADVANCE:
		ok = run_until(h, r->to_s, err);
		if (r->to_s != TIME_NEVER)
			move_clock(h, r->to_s);
		break;
	case REQUEST_STEP:
		ok = run_moments(h, r->count, err);
		break;
	}
	return ok ? DRIVER_DONE : DRIVER_FAILED;
}

static bool serve_all(struct host *h)
{
	struct request *r;

	while (!must_stop(h) && (r = take_request(h)) != NULL) {
		struct host_answer answer = {.ticket = r->ticket};

		answer.outcome = serve(h, r, &answer.err);
		answer.seq = driver_view(h->driver)->seq;
		free_request(r);
		/* Published first: who reads the answer finds its effect in the snapshot. */
		if (answer.outcome == DRIVER_DONE)
			publish(h, host_now_s(h));
		send_answer(h, &answer);
		if (answer.outcome == DRIVER_FAILED) {
			fail(h, &answer.err);
			return false;
		}
	}
	return true;
}

static void wait_for_work(struct host *h)
{
	struct pollfd fd = {.fd = h->wake_thread[0], .events = POLLIN};
	int64_t due_s = driver_next_s(h->driver);
	int wait_ms;

	pthread_mutex_lock(&h->lock);
	wait_ms = h->first != NULL || h->stop ? 0 : clock_wait_ms(&h->clock, real_ns(), due_s);
	pthread_mutex_unlock(&h->lock);
	poll(&fd, 1, wait_ms);
	drain(h->wake_thread[0]);
}

static void *run(void *self)
{
	struct host *h = self;
	struct err err = {{0}};

	while (!must_stop(h)) {
		if (!serve_all(h))
			break;
		if (host_speed(h) > 0 && !run_until(h, host_now_s(h), &err)) {
			fail(h, &err);
			break;
		}
		publish_if_asked(h);
		wait_for_work(h);
	}
	return NULL;
}

/* --- starting and stopping ----------------------------------------------------------------------------- */

static bool open_pipe(int fds[2], struct err *err)
{
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) == 0)
		return true;
	return err_set(err, "cannot make a pipe for the scheduler's thread: %s", strerror(errno));
}

static void close_pipe(const int fds[2])
{
	if (fds[0] >= 0) {
		close(fds[0]);
		close(fds[1]);
	}
}

static void free_host(struct host *h)
{
	struct host_answer unread;
	struct request *r;

	while ((r = take_request(h)) != NULL)
		free_request(r);
	while (host_take_answer(h, &unread))
		;
	free_published(let_go(h->latest));
	driver_free(h->driver);
	close_pipe(h->wake_thread);
	close_pipe(h->wake_caller);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

/* Signals are the business of the thread that was there first. */
static int start_thread(struct host *h)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&h->thread, NULL, run, h);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

struct host *host_start(const struct host_setup *setup, struct err *err)
{
	struct host *h = mem_zero(1, sizeof *h);
	int64_t state_s = driver_view(setup->driver)->now_s;
	int failed;

	h->driver = setup->driver;
	h->last = &h->first;
	h->last_answer = &h->first_answer;
	pthread_mutex_init(&h->lock, NULL);
	h->wake_thread[0] = h->wake_caller[0] = -1;
	h->clock = (struct clock){.base_s = setup->start_s > state_s ? setup->start_s : state_s,
				  .base_ns = real_ns()};
	clock_set_speed(&h->clock, h->clock.base_ns, setup->speed);
	if (!open_pipe(h->wake_thread, err) || !open_pipe(h->wake_caller, err)) {
		free_host(h);
		return NULL;
	}
	publish(h, h->clock.base_s);
	failed = start_thread(h);
	if (failed != 0) {
		err_set(err, "cannot start the scheduler's thread: %s", strerror(failed));
		free_host(h);
		return NULL;
	}
	return h;
}

void host_stop(struct host *h)
{
	if (h == NULL)
		return;
	pthread_mutex_lock(&h->lock);
	h->stop = true;
	pthread_mutex_unlock(&h->lock);
	ring(h->wake_thread);
	pthread_join(h->thread, NULL);
	free_host(h);
}

bool host_failed(struct host *h, struct err *err)
{
	bool failed;

	pthread_mutex_lock(&h->lock);
	failed = h->failed;
	if (failed && err != NULL)
		*err = h->err;
	pthread_mutex_unlock(&h->lock);
	return failed;
}
