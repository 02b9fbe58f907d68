/* SPDX-License-Identifier: MIT */
/*
 * host.c - start and stop of the scheduler's thread
 *
 * What it does: host_thread.c; how callers talk to it meanwhile: host_share.c.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host_inside.h"
#include "sched/base/vec.h"
#include "sched/rm/system_clock.h"

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

	while ((r = host_pop_request(h)) != NULL)
		host_free_request(r);
	while (host_take_answer(h, &unread))
		;
	host_forget_published(h);
	driver_free(h->driver);
	if (h->clock_fd >= 0)
		close(h->clock_fd);
	free(h->clock_file);
	close_pipe(h->wake_thread);
	close_pipe(h->wake_caller);
	pthread_mutex_destroy(&h->lock);
	free(h);
}

/* Called by the driver in the thread. */
static void note_warning(void *self, const char *text)
{
	struct host *h = self;

	pthread_mutex_lock(&h->lock);
	err_set(&h->warning, "%s", text);
	pthread_mutex_unlock(&h->lock);
	host_ring(h->wake_caller);
}

/* Signals are the business of the thread that was there first. */
static int start_thread(struct host *h)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&h->thread, NULL, host_run, h);
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
				  .base_ns = host_ns(h)};
	clock_set_speed(&h->clock, h->clock.base_ns, setup->speed);
	if (!open_pipe(h->wake_thread, err) || !open_pipe(h->wake_caller, err)) {
		free_host(h);
		return NULL;
	}
	host_publish(h, h->clock.base_s);
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
	host_ring(h->wake_thread);
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
