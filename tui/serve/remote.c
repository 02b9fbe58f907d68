/* SPDX-License-Identifier: MIT */
/*
 * remote.c - how does a console look at a scheduler that runs in another process?
 *
 * Two threads, each with a connection of its own: the watcher fetches pictures, the poster brings changes.
 * What they share with the console's thread: remote_share.c.
 */
#include "remote_inside.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"
#include "tui/serve/memory_file.h"

#define RETRY_MS 200
#define FIRST_MS 10000 /* for a scheduler that stays until it has sent a picture */

/* --- losing it --------------------------------------------------------------------------------- */

static void say_lost(struct remote *r, const struct err *why)
{
	pthread_mutex_lock(&r->lock);
	if (!r->lost)
		err_set(&r->warning, "The scheduler is gone; trying again. (%s)", why->text);
	r->lost = true;
	pthread_mutex_unlock(&r->lock);
	remote_ring(r);
}

static void say_back(struct remote *r)
{
	pthread_mutex_lock(&r->lock);
	if (r->lost)
		err_set(&r->warning, "The scheduler is back.");
	r->lost = false;
	pthread_mutex_unlock(&r->lock);
}

/* A while later, unless it is time to end. */
static void wait_a_while(struct remote *r)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += RETRY_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	pthread_mutex_lock(&r->lock);
	while (!r->stop && pthread_cond_timedwait(&r->work, &r->lock, &until) != ETIMEDOUT)
		;
	pthread_mutex_unlock(&r->lock);
}

/* --- the watcher -------------------------------------------------------------------------------- */

/* False: it is time to end. *since is 0 when the picture is wanted whatever it is. */
static bool wait_until_wanted(struct remote *r, bool reached, uint64_t *since)
{
	bool go_on;

	pthread_mutex_lock(&r->lock);
	while (!r->wanted && !r->stop)
		pthread_cond_wait(&r->work, &r->lock);
	go_on = !r->stop;
	*since = reached ? r->latest->shared.version : 0;
	pthread_mutex_unlock(&r->lock);
	return go_on;
}

/* The first time a connection breaks the scheduler may just have been handed over: that is no loss. */
static void *watch(void *self)
{
	struct remote *r = self;
	bool reached = true;
	uint64_t since;

	while (wait_until_wanted(r, reached, &since)) {
		struct caller_picture picture;
		struct err err = {{0}};
		struct caller *c = remote_connect(r, &r->watching, &err);

		if (c != NULL && caller_newer(c, since, &picture, &err)) {
			say_back(r);
			remote_publish(r, &picture, since);
			reached = true;
			continue;
		}
		if (!remote_set_connection(r, &r->watching, NULL))
			break;
		if (!reached) {
			say_lost(r, &err);
			wait_a_while(r);
		}
		reached = false;
	}
	remote_set_connection(r, &r->watching, NULL);
	return NULL;
}

/* --- the rest of a source ------------------------------------------------------------------------- */

static bool take_warning(void *self, struct err *out)
{
	struct remote *r = self;

	pthread_mutex_lock(&r->lock);
	*out = r->warning;
	r->warning = (struct err){{0}};
	pthread_mutex_unlock(&r->lock);
	return out->text[0] != '\0';
}

static int wake_fd(const void *self)
{
	return ((const struct remote *)self)->wake_fd;
}

static void clear_wake(void *self)
{
	const struct remote *r = self;
	uint64_t count;

	if (read(r->wake_fd, &count, sizeof count) < 0)
		return; /* nobody has rung */
}

/* The clock of this host, which is the scheduler's; his does not go back when it is set. */
static int64_t now_s(void *self)
{
	struct remote *r = self;
	int64_t mine_s = (int64_t)time(NULL), said_s;

	pthread_mutex_lock(&r->lock);
	said_s = r->clock_s;
	pthread_mutex_unlock(&r->lock);
	return mine_s > said_s ? mine_s : said_s;
}

/* A scheduler elsewhere may always come back. */
static bool failed(void *self, struct err *err)
{
	(void)self;
	(void)err;
	return false;
}

static bool is_lost(void *self)
{
	struct remote *r = self;
	bool lost;

	pthread_mutex_lock(&r->lock);
	lost = r->lost;
	pthread_mutex_unlock(&r->lock);
	return lost;
}

/* --- what is past -------------------------------------------------------------------------------- */

/* Over a connection of its own, as it is any thread's that asks. */
static bool fetch_past(void *self, struct store_moment *moment, struct past_picture *out, struct err *err)
{
	const struct remote *r = self;
	struct caller_picture picture = {.s = NULL};
	bool runs = true;
	struct caller *c = caller_find(r->store, &runs, err);

	if (c == NULL && !runs)
		err_set(err, "the scheduler is gone, and with it the past");
	if (c == NULL || !caller_moment(c, moment, &picture, err)) {
		caller_close(c);
		return false;
	}
	caller_close(c);
	*moment = (struct store_moment){.seq = picture.s->seq, .time_s = picture.now_s};
	*out = (struct past_picture){.s = picture.s, .size = picture.size};
	return true;
}

static void drop_past(const struct past_picture *picture)
{
	memory_file_free(picture->s, picture->size);
}

struct source source_of_remote(struct remote *r)
{
	static const struct source_ops ops = {
		.hold = remote_hold,
		.release = remote_release,
		.ask = remote_ask,
		.is_newer = remote_is_newer,
		.post = remote_post,
		.take_answer = remote_take_answer,
		.take_warning = take_warning,
		.ask_files = remote_ask_files,
		.take_files = remote_take_files,
		.ask_ended = remote_ask_ended,
		.take_ended = remote_take_ended,
		.fetch_past = fetch_past,
		.drop_past = drop_past,
		.wake_fd = wake_fd,
		.clear_wake = clear_wake,
		.now_s = now_s,
		.failed = failed,
		.is_lost = is_lost,
	};

	return (struct source){&ops, r};
}

/* --- life ---------------------------------------------------------------------------------------- */

/* Also when no thread runs yet. */
static void free_remote(struct remote *r)
{
	remote_forget_orders(r);
	remote_forget_picture(r);
	caller_close(r->watching);
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	pthread_cond_destroy(&r->work);
	pthread_mutex_destroy(&r->lock);
	free(r->store);
	free(r);
}

/* The first picture, which the console begins with. Of one that ends meanwhile there is none: another may
 * follow. */
static bool fetch_first(struct remote *r, bool *runs, struct err *err)
{
	struct caller_picture picture;
	int64_t until_ms = monotonic_ms() + FIRST_MS;
	bool good;

	do {
		caller_close(r->watching);
		r->watching = caller_await(r->store, 0, runs, err);
		good = r->watching != NULL && caller_newer(r->watching, 0, &picture, err);
	} while (!good && caller_is_lost(r->watching) && monotonic_ms() < until_ms);
	if (good)
		remote_publish(r, &picture, 0);
	return good;
}

static void end_threads(struct remote *r, bool with_poster)
{
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	caller_interrupt(r->watching);
	caller_interrupt(r->posting);
	pthread_cond_broadcast(&r->work);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->watcher, NULL);
	if (with_poster)
		pthread_join(r->poster, NULL);
}

/* Signals are for the console's thread. */
static bool start_threads(struct remote *r, struct err *err)
{
	sigset_t all, before;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_create(&r->watcher, NULL, watch, r);
	if (status == 0) {
		status = pthread_create(&r->poster, NULL, remote_carry, r);
		if (status != 0)
			end_threads(r, false);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status == 0 ||
	       err_set(err, "the console cannot start a thread for the scheduler: %s", strerror(status));
}

struct remote *remote_open(const char *store, bool *runs, struct err *err)
{
	struct remote *r = mem_zero(1, sizeof *r);

	*runs = true;
	r->store = store != NULL ? mem_string(store) : NULL;
	r->last = &r->first;
	r->last_reply = &r->first_reply;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->work, NULL);
	r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->wake_fd < 0)
		err_set(err, "the console cannot make an event descriptor: %s", strerror(errno));
	else if (fetch_first(r, runs, err) && start_threads(r, err))
		return r;
	free_remote(r);
	return NULL;
}

void remote_close(struct remote *r)
{
	if (r == NULL)
		return;
	end_threads(r, true);
	free_remote(r);
}
