/* SPDX-License-Identifier: MIT */
/*
 * worker.c - who builds outlooks while the console goes on taking keys?
 *
 * waiting -> building -> built, under one mutex; the eventfd says that built is not empty.
 */
#include "worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sched/base/vec.h"

struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work;
	int fd;
	/* under lock */
	struct outlook *waiting;
	struct outlook *built; /* newest first */
	bool building, stopping;
};

static void announce(struct worker *w)
{
	uint64_t one = 1;

	/* It can only fail when the counter is full, and then it is readable already. */
	if (write(w->fd, &one, sizeof one) < 0)
		return;
}

static void *work(void *self)
{
	struct worker *w = self;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		struct outlook *o;

		while (!w->waiting && !w->stopping)
			pthread_cond_wait(&w->work, &w->lock);
		if (w->stopping)
			break;
		o = w->waiting;
		w->waiting = NULL;
		w->building = true;
		pthread_mutex_unlock(&w->lock);
		outlook_build(o);
		pthread_mutex_lock(&w->lock);
		w->building = false;
		o->next = w->built;
		w->built = o;
		announce(w);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Signals are for the console's thread. */
static int start_thread(struct worker *w)
{
	sigset_t all, before;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_create(&w->thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

struct worker *worker_start(struct err *err)
{
	struct worker *w = mem_zero(1, sizeof *w);
	int status;

	w->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->fd < 0) {
		err_set(err, "the console cannot make an event descriptor: %s", strerror(errno));
		free(w);
		return NULL;
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->work, NULL);
	status = start_thread(w);
	if (status != 0) {
		err_set(err, "the console cannot start a thread for its plans: %s", strerror(status));
		close(w->fd);
		free(w);
		return NULL;
	}
	return w;
}

static void free_all(struct outlook *o)
{
	while (o) {
		struct outlook *next = o->next;

		outlook_free(o);
		o = next;
	}
}

void worker_stop(struct worker *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stopping = true;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	free_all(w->waiting);
	free_all(w->built);
	pthread_cond_destroy(&w->work);
	pthread_mutex_destroy(&w->lock);
	close(w->fd);
	free(w);
}

int worker_fd(const struct worker *w)
{
	return w->fd;
}

struct outlook *worker_ask(struct worker *w, struct outlook *o)
{
	struct outlook *replaced;

	pthread_mutex_lock(&w->lock);
	replaced = w->waiting;
	w->waiting = o;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
	return replaced;
}

struct outlook *worker_take(struct worker *w)
{
	struct outlook *built;
	uint64_t count;

	pthread_mutex_lock(&w->lock);
	built = w->built;
	w->built = NULL;
	if (read(w->fd, &count, sizeof count) < 0)
		count = 0; /* nothing was announced */
	pthread_mutex_unlock(&w->lock);
	return built;
}

bool worker_busy(struct worker *w)
{
	bool busy;

	pthread_mutex_lock(&w->lock);
	busy = w->waiting || w->building || w->built;
	pthread_mutex_unlock(&w->lock);
	return busy;
}
