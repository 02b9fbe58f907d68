/* SPDX-License-Identifier: MIT */
/*
 * rewinder.c - who puts together what was so at a moment, beside the scheduler?
 *
 * A row of places under one mutex. The thread takes the first that waits; who forgets one that is being made
 * leaves it to the thread to free it.
 */
#include "rewinder.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/core/state.h"

enum stage {
	STAGE_WAITS,
	STAGE_MAKING,
	STAGE_DONE
};

struct rewinding {
	struct rewinding *next;
	uid_t uid;
	struct store_moment moment; /* as asked; done: as it was found           */
	struct state *st;           /* done: NULL = it could not be made, see err */
	struct err err;
	enum stage stage; /* under the lock, as is what follows */
	bool forgotten;
};

struct rewinder {
	struct store *store;
	int fd;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct rewinding *first; /* under the lock: in the order they were asked for */
	bool stop;
};

/* --- the thread -------------------------------------------------------------------------------- */

static void make(struct store *store, struct rewinding *w)
{
	struct store_moment m = w->moment;
	struct state *st;

	if (!(m.seq == 0 ? store_moment_of_time(store, m.time_s, &m, &w->err)
			 : store_moment_of_entry(store, m.seq, &m, &w->err)))
		return;
	st = state_new();
	if (!store_state_at(store, m.seq, st, &w->err)) {
		state_free(st);
		return;
	}
	w->moment = m;
	w->st = st;
}

static void free_one(struct rewinding *w)
{
	state_free(w->st);
	free(w);
}

/* Under the lock. */
static void take_out(struct rewinder *r, const struct rewinding *w)
{
	struct rewinding **at = &r->first;

	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
}

/* Under the lock. */
static struct rewinding *first_waiting(const struct rewinder *r)
{
	struct rewinding *w = r->first;

	while (w != NULL && w->stage != STAGE_WAITS)
		w = w->next;
	return w;
}

static void announce(const struct rewinder *r)
{
	uint64_t one = 1;

	/* It can only fail when the counter is full, and then it is readable already. */
	if (write(r->fd, &one, sizeof one) < 0)
		return;
}

/* Under the lock, which is given up while it is made. */
static void make_one(struct rewinder *r, struct rewinding *w)
{
	w->stage = STAGE_MAKING;
	pthread_mutex_unlock(&r->lock);
	make(r->store, w);
	pthread_mutex_lock(&r->lock);
	w->stage = STAGE_DONE;
	if (w->forgotten) {
		take_out(r, w);
		free_one(w);
	} else {
		announce(r);
	}
}

static void *go_along(void *self)
{
	struct rewinder *r = self;

	pthread_mutex_lock(&r->lock);
	while (!r->stop) {
		struct rewinding *w = first_waiting(r);

		if (w != NULL)
			make_one(r, w);
		else
			pthread_cond_wait(&r->work, &r->lock);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* --- life -------------------------------------------------------------------------------------- */

/* Signals are for others. */
static int start_thread(struct rewinder *r)
{
	sigset_t all, before;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_create(&r->thread, NULL, go_along, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

static void free_rewinder(struct rewinder *r)
{
	while (r->first != NULL) {
		struct rewinding *next = r->first->next;

		free_one(r->first);
		r->first = next;
	}
	if (r->fd >= 0)
		close(r->fd);
	pthread_cond_destroy(&r->work);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

struct rewinder *rewinder_new(struct store *store, struct err *err)
{
	struct rewinder *r = mem_zero(1, sizeof *r);
	int status;

	r->store = store;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->work, NULL);
	r->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	status = r->fd < 0 ? errno : start_thread(r);
	if (status == 0)
		return r;
	err_set(err, "the past cannot be looked at: no thread can be had for it: %s", strerror(status));
	free_rewinder(r);
	return NULL;
}

void rewinder_free(struct rewinder *r)
{
	if (r == NULL)
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_signal(&r->work);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	free_rewinder(r);
}

int rewinder_fd(const struct rewinder *r)
{
	return r->fd;
}

void rewinder_clear(struct rewinder *r)
{
	uint64_t count;

	if (read(r->fd, &count, sizeof count) < 0)
		return; /* nothing was announced */
}

/* --- asking ------------------------------------------------------------------------------------- */

/* Under the lock. */
static bool may_ask(const struct rewinder *r, uid_t uid, struct err *err)
{
	size_t count = 0;

	for (const struct rewinding *w = r->first; w != NULL; w = w->next) {
		if (w->uid == uid && !w->forgotten)
			return err_set(err, "another look of yours into the past is being made; ask again "
					    "when it is there");
		count += !w->forgotten;
	}
	return count < REWINDINGS_MAX ||
	       err_set(err, "%d others look into the past just now; ask again in a moment", REWINDINGS_MAX);
}

struct rewinding *rewinder_ask(struct rewinder *r, uid_t uid, struct store_moment moment, struct err *err)
{
	struct rewinding *w = NULL, **at;

	pthread_mutex_lock(&r->lock);
	if (may_ask(r, uid, err)) {
		w = mem_zero(1, sizeof *w);
		w->uid = uid;
		w->moment = moment;
		for (at = &r->first; *at != NULL; at = &(*at)->next)
			;
		*at = w;
		pthread_cond_signal(&r->work);
	}
	pthread_mutex_unlock(&r->lock);
	return w;
}

bool rewinder_is_done(struct rewinder *r, const struct rewinding *w)
{
	bool done;

	pthread_mutex_lock(&r->lock);
	done = w->stage == STAGE_DONE;
	pthread_mutex_unlock(&r->lock);
	return done;
}

const struct state *rewinder_state(const struct rewinding *w, struct store_moment *moment, struct err *err)
{
	if (w->st == NULL)
		*err = w->err;
	*moment = w->moment;
	return w->st;
}

void rewinder_forget(struct rewinder *r, struct rewinding *w)
{
	bool mine;

	if (w == NULL)
		return;
	pthread_mutex_lock(&r->lock);
	w->forgotten = true;
	mine = w->stage != STAGE_MAKING;
	if (mine)
		take_out(r, w);
	pthread_mutex_unlock(&r->lock);
	if (mine)
		free_one(w);
}
