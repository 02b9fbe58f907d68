/* SPDX-License-Identifier: MIT */
/*
 * host.c - the scheduler's thread and its exchange with callers
 *
 * Callers send requests to the thread; the thread publishes snapshots and answers. Each side wakes the other
 * through a pipe.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "event_copy.h"
#include "sched/base/arena.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/system_clock.h"
#include "service.h"

enum request_kind {
	REQUEST_POST,
	REQUEST_ADVANCE,
	REQUEST_STEP
};

struct request {
	struct request *next;
	uint64_t ticket;
	enum request_kind kind;
	struct event *event; /* POST: the events, in the arena */
	size_t count;        /* POST: number of events; STEP: number of due steps */
	int64_t to_s;        /* ADVANCE: virtual time to reach */
	struct arena arena;
};

struct answer {
	struct answer *next;
	struct host_answer answer;
};

/* A snapshot and the number of its holders. `shared` must be the first member. */
struct published {
	struct shared_snapshot shared;
	unsigned holders; /* including the host, which holds the latest snapshot */
};

struct host {
	struct driver *driver; /* used by the thread only      */
	bool real;             /* time is the system's clock   */
	void (*read_clock)(struct timespec *out);
	char *clock_file;     /* NULL = none */
	int64_t difference_s; /* difference of the clocks as last written to clock_file; INT64_MIN: not
				 written */
	int clock_fd;         /* readable when the system's clock was set; -1 = none */
	bool urgent;
	struct host_guest guest; /* used by the thread only */
	int watchdog_ms;         /* used by the thread only; 0 = no watchdog */
	int64_t watchdog_at_ms;  /* used by the thread only: time to report the next completed turn */
	pthread_t thread;
	int wake_thread[2], wake_caller[2];

	pthread_mutex_t lock; /* guards all below */
	struct clock clock;
	struct request *first, **last;
	struct answer *first_answer, **last_answer;
	struct published *latest;
	uint64_t version; /* version of the state, which grows with every change */
	bool asked;       /* a caller wants a fresh snapshot */
	bool stop;
	bool failed;
	struct err err;
	struct err warning; /* the latest warning that was not taken yet; empty = none */
	uint64_t next_ticket;
};

/* Returns the current real time, by which the host's clock runs. */
static int64_t real_ns(const struct host *h)
{
	return h->real ? boottime_ns() : monotonic_ns();
}

/* --- waking ------------------------------------------------------------------------------ */

/* Wakes the reader of the pipe. If the pipe is full, the reader wakes anyway. */
static void ring(const int pipe_fds[2])
{
	while (write(pipe_fds[1], "", 1) < 0 && errno == EINTR)
		;
}

static void drain(int fd)
{
	char bytes[64];

	while (read(fd, bytes, sizeof bytes) > 0)
		;
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

/*
 * Call under the lock. Drops one holder. Returns the snapshot if this was its last holder; the caller must
 * free it after unlocking.
 */
static struct published *drop_holder(struct published *p)
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

/*
 * Publishes the driver's state. Unless `system` is NULL, also sets the clock in the same critical section, so
 * that no caller sees the new clock with the old state.
 */
static void publish(struct host *h, int64_t now_s, const struct timespec *system)
{
	struct published *fresh = mem_zero(1, sizeof *fresh), *old;

	fresh->shared.s = snapshot_copy(driver_view(h->driver));
	fresh->shared.now_s = now_s;
	fresh->holders = 1;
	pthread_mutex_lock(&h->lock);
	fresh->shared.version = h->version;
	old = drop_holder(h->latest);
	h->latest = fresh;
	h->asked = false;
	if (system != NULL)
		clock_set(&h->clock, real_ns(h), system);
	pthread_mutex_unlock(&h->lock);
	free_published(old);
	ring(h->wake_caller);
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
	old = drop_holder((struct published *)(uintptr_t)shared);
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

static void put_answer(struct host *h, const struct host_answer *answer)
{
	struct answer *a = mem_zero(1, sizeof *a);

	a->answer = *answer;
	*h->last_answer = a;
	h->last_answer = &a->next;
}

/* Call under the lock. Removes and returns the oldest request; NULL if there is none. */
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

/* Call under the lock. Answers a request with the error that stopped the scheduler, and frees it. */
static void refuse_request(struct host *h, struct request *r)
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
		refuse_request(h, r);
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
		r->event[i] = event_copy(&r->arena, &ev[i]);
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

bool host_take_warning(struct host *h, struct err *out)
{
	bool warned;

	pthread_mutex_lock(&h->lock);
	*out = h->warning;
	warned = h->warning.text[0] != '\0';
	h->warning = (struct err){{0}};
	pthread_mutex_unlock(&h->lock);
	return warned;
}

/* --- time ---------------------------------------------------------------------------------------- */

int64_t host_now_s(struct host *h)
{
	int64_t now_s;

	pthread_mutex_lock(&h->lock);
	now_s = clock_now_s(&h->clock, real_ns(h));
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
	clock_set_speed(&h->clock, real_ns(h), speed);
	pthread_mutex_unlock(&h->lock);
	ring(h->wake_thread);
}

/* --- steps and requests in the scheduler's thread ----------------------------------------------------- */

#define TURN_MS 10 /* time for overdue steps before requests are answered */

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

/* After a step: publishes a snapshot if a caller has asked for one and the state has changed. */
static void publish_if_asked(struct host *h)
{
	bool wanted;
	int64_t now_s;

	pthread_mutex_lock(&h->lock);
	wanted = h->asked && h->latest->shared.version != h->version;
	now_s = clock_now_s(&h->clock, real_ns(h));
	pthread_mutex_unlock(&h->lock);
	if (wanted)
		publish(h, now_s, NULL);
}

static void move_clock(struct host *h, int64_t to_s)
{
	pthread_mutex_lock(&h->lock);
	clock_move(&h->clock, real_ns(h), to_s);
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
	while ((r = pop_request(h)) != NULL)
		refuse_request(h, r);
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

/*
 * Runs every step that is due by to_s, each at its own time, so that the clock is never behind the state.
 * With a real clock, overdue steps run at the current time, and after TURN_MS the function returns, so that
 * waiting requests are served before the remaining steps.
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

	/* Steps that were due before the request run first, at their own times. */
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
	/* The pass that follows runs before the answer, so that the caller sees its effect. */
	if (outcome == DRIVER_DONE && !driver_step(h->driver, now_s, err))
		outcome = DRIVER_FAILED;
	count_change(h, before);
	return outcome;
}

/*
 * Carries out a request. *seq becomes the number of its last event, not counting events of the pass that
 * follows.
 */
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
		free_request(r);
		/* Publish first, so that a caller that reads the answer finds its effect in the snapshot. */
		if (answer.outcome == DRIVER_DONE)
			publish(h, host_now_s(h), NULL);
		send_answer(h, &answer);
		if (answer.outcome == DRIVER_FAILED) {
			fail(h, &answer.err);
			return false;
		}
	}
	return true;
}

/* --- the watchdog ------------------------------------------------------------------------------- */

/* Called only after a completed turn: a stuck loop stays silent, and the service manager restarts it. */
static void report_turn(struct host *h)
{
	int64_t now_ms = monotonic_ms();

	if (h->watchdog_ms <= 0 || now_ms < h->watchdog_at_ms)
		return;
	service_notify("WATCHDOG=1");
	h->watchdog_at_ms = now_ms + h->watchdog_ms;
}

/* Returns the milliseconds until a completed turn has to be reported; -1: never. */
static int watchdog_wait_ms(const struct host *h)
{
	int64_t left_ms = h->watchdog_at_ms - monotonic_ms();

	if (h->watchdog_ms <= 0)
		return -1;
	return left_ms < 0 ? 0 : (int)left_ms;
}

/* --- the system's clock ------------------------------------------------------------------------- */

#define LOOK_MS 20 /* interval between comparisons of the clocks if a test provides one of them */
#define KEPT_S  2  /* the stored difference is written again after a change of at least this many seconds */

/* Returns the milliseconds until the clocks are compared again if nothing else happens; -1: never. */
static int clock_look_ms(const struct host *h)
{
	if (!h->real)
		return -1;
	return h->read_clock == system_clock_read ? system_clock_wait_ms(h->clock_fd) : LOOK_MS;
}

static void keep_clock(struct host *h, const struct timespec *system)
{
	int64_t difference_s = system->tv_sec - real_ns(h) / SECOND_NS;

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

/*
 * If the store cannot be written, the change is tried again at the next turn; until then the old clock is
 * used.
 */
static bool set_clock(struct host *h, const struct timespec *system, int64_t by_s, struct err *err)
{
	uint64_t before = driver_view(h->driver)->seq;
	enum driver_outcome outcome;

	forget_clock(h);
	outcome = driver_set_clock(h->driver, system->tv_sec, by_s, err);
	if (outcome != DRIVER_DONE)
		return outcome != DRIVER_FAILED;
	count_change(h, before);
	publish(h, system->tv_sec, system);
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
	by_s = clock_follow(&h->clock, real_ns(h), &system);
	pthread_mutex_unlock(&h->lock);
	if (by_s != 0)
		return set_clock(h, &system, by_s, err);
	keep_clock(h, &system);
	return true;
}

/* --- waiting ------------------------------------------------------------------------------------ */

/* Which descriptors have become readable: that of the resource manager, that of the guest. */
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
	wait_ms = h->first != NULL || h->stop ? 0 : clock_wait_ms(&h->clock, real_ns(h), due_s);
	pthread_mutex_unlock(&h->lock);
	wait_ms = sooner_ms(wait_ms, clock_look_ms(h));
	poll(fds, sizeof fds / sizeof fds[0], sooner_ms(watchdog_wait_ms(h), sooner_ms(wait_ms, guest_ms)));
	drain(h->wake_thread[0]);
	if (fds[3].revents != 0)
		system_clock_rearm(h->clock_fd);
	return (struct called){.manager = fds[1].revents != 0,
			       .guest = fds[2].revents != 0 ||
					(guest_ms >= 0 && (wait_ms < 0 || guest_ms <= wait_ms))};
}

static bool turn_guest(struct host *h, struct err *err)
{
	uint64_t before = driver_view(h->driver)->seq;
	int64_t now_s = host_now_s(h);
	bool good = h->guest.ops->turn(h->guest.self, h->driver, now_s, err) &&
		    driver_carry_out(h->driver, now_s, err);

	count_change(h, before);
	return good;
}

/* Runs the steps that are due, and handles the manager's reports. */
static bool run_due(struct host *h, struct called called, struct err *err)
{
	return (host_speed(h) <= 0 || run_until(h, host_now_s(h), err)) &&
	       (!called.manager || step(h, host_now_s(h), err));
}

/*
 * With a real clock, the guest (the door) comes first: the commit of its requests includes the step that is
 * due and the manager's reports, so that clients wait for one commit instead of two.
 */
static bool run_turn(struct host *h, struct called called, struct err *err)
{
	if (!called.guest)
		return run_due(h, called, err);
	return h->real ? turn_guest(h, err) && run_due(h, called, err)
		       : run_due(h, called, err) && turn_guest(h, err);
}

#define URGENT_NICE (-10)

/*
 * On a host whose jobs use every processor, the scheduler would compete with them, and its clients would
 * have to wait. Processes and threads that it starts get the default priority (SCHED_RESET_ON_FORK). A
 * scheduler that was started with a niceness other than 0 keeps it.
 */
static void raise_priority(void)
{
	const struct sched_param none = {.sched_priority = 0};

	if (getpriority(PRIO_PROCESS, 0) == 0 &&
	    sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &none) == 0)
		setpriority(PRIO_PROCESS, 0,
			    URGENT_NICE); /* if this is not permitted, the priority stays the same */
}

/*
 * The thread's loop: serves requests, runs the steps that are due, publishes a snapshot if a caller has
 * asked, and waits for the next event in one poll().
 */
static void *run_thread(void *self)
{
	struct host *h = self;
	struct err err = {{0}};
	struct called called = {false, false};

	if (h->urgent)
		raise_priority();
	while (!must_stop(h)) {
		bool good = follow_clock(h, &err);

		if (good && !serve_all(h))
			break;
		if (!good || !run_turn(h, called, &err)) {
			fail(h, &err);
			break;
		}
		publish_if_asked(h);
		report_turn(h);
		called = wait_for_work(h);
	}
	return NULL;
}

/* --- start and stop ----------------------------------------------------------------------------------- */

static bool open_pipe(int fds[2], struct err *err)
{
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) == 0)
		return true;
	return err_set(err, "cannot create a pipe for the scheduler's thread: %s", strerror(errno));
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

	while ((r = pop_request(h)) != NULL)
		free_request(r);
	while (host_take_answer(h, &unread))
		;
	free_published(drop_holder(h->latest));
	driver_free(h->driver);
	if (h->clock_fd >= 0)
		close(h->clock_fd);
	free(h->clock_file);
	close_pipe(h->wake_thread);
	close_pipe(h->wake_caller);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

/* Called by the driver, in the scheduler's thread. */
static void note_warning(void *self, const char *text)
{
	struct host *h = self;

	pthread_mutex_lock(&h->lock);
	err_set(&h->warning, "%s", text);
	pthread_mutex_unlock(&h->lock);
	ring(h->wake_caller);
}

/* The thread blocks all signals: the main thread handles them. */
static int start_thread(struct host *h)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&h->thread, NULL, run_thread, h);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

struct host *host_start(const struct host_setup *setup, struct err *err)
{
	struct host *h = mem_zero(1, sizeof *h);
	int64_t state_s = driver_view(setup->driver)->now_s;
	int failed;

	h->driver = setup->driver;
	h->real = setup->real;
	h->read_clock = setup->read_clock != NULL ? setup->read_clock : system_clock_read;
	h->clock_file = setup->real && setup->clock_file != NULL ? mem_string(setup->clock_file) : NULL;
	h->difference_s = INT64_MIN;
	h->clock_fd = setup->real ? system_clock_watch() : -1;
	h->urgent = setup->urgent;
	h->guest = setup->guest;
	h->watchdog_ms = setup->watchdog_ms;
	driver_set_warn(h->driver, note_warning, h);
	h->last = &h->first;
	h->last_answer = &h->first_answer;
	pthread_mutex_init(&h->lock, NULL);
	h->wake_thread[0] = h->wake_caller[0] = -1;
	h->clock = (struct clock){.base_s = setup->start_s > state_s ? setup->start_s : state_s,
				  .base_ns = real_ns(h)};
	clock_set_speed(&h->clock, h->clock.base_ns, setup->speed);
	if (!open_pipe(h->wake_thread, err) || !open_pipe(h->wake_caller, err)) {
		free_host(h);
		return NULL;
	}
	publish(h, h->clock.base_s, NULL);
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
