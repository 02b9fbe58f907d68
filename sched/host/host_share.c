/* SPDX-License-Identifier: MIT */
/*
 * host_share.c - exchange between callers and the scheduler's thread
 *
 * Snapshots one way; requests the other, and their answers back. Whoever hands something over wakes who takes
 * it.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "host_inside.h"
#include "keep.h"
#include "sched/base/vec.h"

/* --- waking ------------------------------------------------------------------------------ */

void host_ring(const int pipe_fds[2])
{
	while (write(pipe_fds[1], "", 1) < 0 && errno == EINTR)
		;
}

void host_drain(int fd)
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
	host_drain(h->wake_caller[0]);
}

/* --- snapshots ----------------------------------------------------------------------------- */

/* Under the lock: one holder less; what is returned has none left, to be freed after the lock. */
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

/* system: the clock is set with it; NULL = it is not. */
static void publish(struct host *h, int64_t now_s, const struct timespec *system)
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
	if (system != NULL)
		clock_set(&h->clock, host_ns(h), system);
	pthread_mutex_unlock(&h->lock);
	free_published(old);
	host_ring(h->wake_caller);
}

void host_publish(struct host *h, int64_t now_s)
{
	publish(h, now_s, NULL);
}

void host_publish_clock(struct host *h, const struct timespec *system)
{
	publish(h, system->tv_sec, system);
}

void host_ask_snapshot(struct host *h)
{
	bool wake;

	pthread_mutex_lock(&h->lock);
	wake = !h->asked && h->latest->shared.version != h->version;
	h->asked = true;
	pthread_mutex_unlock(&h->lock);
	if (wake)
		host_ring(h->wake_thread);
}

void host_forget_published(struct host *h)
{
	free_published(let_go(h->latest));
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

void host_free_request(struct request *r)
{
	arena_free(&r->arena);
	free(r);
}

void host_put_answer(struct host *h, const struct host_answer *answer)
{
	struct answer *a = mem_zero(1, sizeof *a);

	a->answer = *answer;
	*h->last_answer = a;
	h->last_answer = &a->next;
}

struct request *host_pop_request(struct host *h)
{
	struct request *r = h->first;

	if (r != NULL) {
		h->first = r->next;
		if (h->first == NULL)
			h->last = &h->first;
	}
	return r;
}

void host_put_failure(struct host *h, struct request *r)
{
	struct host_answer answer = {.ticket = r->ticket, .outcome = DRIVER_FAILED, .err = h->err};

	host_put_answer(h, &answer);
	host_free_request(r);
}

static uint64_t send_request(struct host *h, struct request *r)
{
	uint64_t ticket;
	bool failed;

	pthread_mutex_lock(&h->lock);
	failed = h->failed;
	r->ticket = ticket = ++h->next_ticket;
	if (failed) {
		host_put_failure(h, r);
	} else {
		*h->last = r;
		h->last = &r->next;
	}
	pthread_mutex_unlock(&h->lock);
	host_ring(failed ? h->wake_caller : h->wake_thread);
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
	now_s = clock_now_s(&h->clock, host_ns(h));
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
	clock_set_speed(&h->clock, host_ns(h), speed);
	pthread_mutex_unlock(&h->lock);
	host_ring(h->wake_thread);
}
