/* SPDX-License-Identifier: MIT */
/*
 * worker.c - background queries, and the threads that run them
 *
 * In each lane, a query moves from `waiting` to `making` (running) to `made` (finished); one mutex protects
 * all lanes. An eventfd signals that a query has finished.
 */
#include "worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"

struct track {
	struct worker *w;
	pthread_t thread;
	bool runs; /* the thread was started */
	pthread_cond_t posted;
	/* protected by the worker's mutex */
	struct query *waiting, *making;
	struct query *made; /* finished queries, newest first */
};

struct worker {
	pthread_mutex_t lock;
	int fd;
	bool stopping; /* protected by the mutex */
	struct track track[LANE_COUNT];
};

static void announce(struct worker *w)
{
	uint64_t one = 1;

	/* Fails only if the counter is full, and then the descriptor is readable anyway. */
	if (write(w->fd, &one, sizeof one) < 0)
		return;
}

static void make(struct track *t)
{
	struct worker *w = t->w;
	struct query *query = t->waiting;
	int64_t began_us;

	t->making = query;
	t->waiting = NULL;
	pthread_mutex_unlock(&w->lock);
	began_us = monotonic_us();
	query->ops->run(query);
	query->took_us = monotonic_us() - began_us;
	pthread_mutex_lock(&w->lock);
	query->next = t->made;
	t->made = query;
	t->making = NULL;
	announce(w);
}

static void *go_along(void *self)
{
	struct track *t = self;
	struct worker *w = t->w;

	pthread_mutex_lock(&w->lock);
	while (!w->stopping) {
		if (t->waiting)
			make(t);
		else
			pthread_cond_wait(&t->posted, &w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Starts the threads with all signals blocked: only the console's thread handles signals. */
static int start_threads(struct worker *w)
{
	sigset_t all, before;
	int status = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (int lane = 0; lane < LANE_COUNT && status == 0; lane++) {
		struct track *t = &w->track[lane];

		status = pthread_create(&t->thread, NULL, go_along, t);
		t->runs = status == 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

struct worker *worker_start(struct err *err)
{
	struct worker *w = mem_zero(1, sizeof *w);
	int status;

	w->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->fd < 0) {
		err_set(err, "cannot create an event descriptor: %s", strerror(errno));
		free(w);
		return NULL;
	}
	pthread_mutex_init(&w->lock, NULL);
	for (int lane = 0; lane < LANE_COUNT; lane++) {
		w->track[lane].w = w;
		pthread_cond_init(&w->track[lane].posted, NULL);
	}
	status = start_threads(w);
	if (status != 0) {
		err_set(err, "cannot start a worker thread: %s", strerror(status));
		worker_stop(w);
		return NULL;
	}
	return w;
}

/* Cancels a running query; NULL is ignored. The caller holds the mutex. */
static void tell(struct query *query)
{
	if (query)
		query_cancel(query);
}

static void drop_all(struct query *query)
{
	while (query) {
		struct query *next = query->next;

		query->ops->drop(query);
		query = next;
	}
}

static void stop_threads(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	w->stopping = true;
	for (int lane = 0; lane < LANE_COUNT; lane++) {
		tell(w->track[lane].making);
		pthread_cond_signal(&w->track[lane].posted);
	}
	pthread_mutex_unlock(&w->lock);
	for (int lane = 0; lane < LANE_COUNT; lane++)
		if (w->track[lane].runs)
			pthread_join(w->track[lane].thread, NULL);
}

void worker_stop(struct worker *w)
{
	if (!w)
		return;
	stop_threads(w);
	for (int lane = 0; lane < LANE_COUNT; lane++) {
		drop_all(w->track[lane].waiting);
		drop_all(w->track[lane].made);
		pthread_cond_destroy(&w->track[lane].posted);
	}
	pthread_mutex_destroy(&w->lock);
	close(w->fd);
	free(w);
}

int worker_fd(const struct worker *w)
{
	return w->fd;
}

struct query *worker_ask(struct worker *w, struct query *query, bool hurry)
{
	struct track *t = &w->track[query->ops->lane];
	struct query *replaced;

	query->next = NULL;
	atomic_store_explicit(&query->unwanted, false, memory_order_relaxed);
	pthread_mutex_lock(&w->lock);
	replaced = t->waiting;
	t->waiting = query;
	if (hurry)
		tell(t->making);
	pthread_cond_signal(&t->posted);
	pthread_mutex_unlock(&w->lock);
	return replaced;
}

struct query *worker_take(struct worker *w, enum lane lane)
{
	struct query *made;
	bool more = false;
	uint64_t count;

	pthread_mutex_lock(&w->lock);
	made = w->track[lane].made;
	w->track[lane].made = NULL;
	for (int other = 0; other < LANE_COUNT; other++)
		more = more || w->track[other].made;
	if (!more && read(w->fd, &count, sizeof count) < 0)
		count = 0; /* no notification was pending */
	pthread_mutex_unlock(&w->lock);
	return made;
}

bool worker_busy(struct worker *w)
{
	bool busy = false;

	pthread_mutex_lock(&w->lock);
	for (int lane = 0; lane < LANE_COUNT; lane++) {
		const struct track *t = &w->track[lane];

		busy = busy || t->waiting || t->making || t->made;
	}
	pthread_mutex_unlock(&w->lock);
	return busy;
}

int64_t query_interval_ms(const struct query *query)
{
	const int64_t shortest_ms = 1000;
	int64_t worth_ms = query ? query->took_us / 1000 * 10 : 0;

	return worth_ms > shortest_ms ? worth_ms : shortest_ms;
}
