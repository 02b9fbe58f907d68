/* SPDX-License-Identifier: MIT */
/*
 * rewinder.c - who puts together what was so at a moment, beside the scheduler?
 *
 * A row of places under one mutex. The thread takes the first that waits; who forgets one that is being made
 * leaves it to the thread to free it. The files that are kept, and who had how many made, are the thread's
 * own.
 */
#include "rewinder.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "crash_restart.h"
#include "handout.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/wallclock.h"
#include "sched/state/state.h"

enum stage {
	STAGE_WAITS,
	STAGE_MAKING,
	STAGE_DONE
};

#define BACKGROUND_NICE 10
#define KEPT_BYTES      ((size_t)4 << 20) /* of moments lent to all; the newest may take more */

struct rewinding {
	struct rewinding *next;
	struct person to;
	bool whole;
	struct store_moment moment; /* as asked; done: as it was found          */
	int fd;                     /* done: -1 = it could not be made, see err */
	struct err err;
	enum stage stage; /* under the lock, as is what follows */
	bool forgotten;
};

/* A user who has had files made: at until_ms it is as if he never had. */
struct served {
	uid_t uid;
	int64_t until_ms;
};

struct rewinder {
	struct store *store;
	struct handout *kept; /* the thread's, as is what follows */
	struct served *served;
	size_t served_count, served_room;
	int fd;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct rewinding *first; /* under the lock: in the order they were asked for */
	bool stop;
};

/* --- the thread -------------------------------------------------------------------------------- */

static struct served *served_of(struct rewinder *r, uid_t uid, int64_t now_ms)
{
	struct served *found = NULL;
	size_t kept = 0;

	r->served = vec_room(r->served, &r->served_room, r->served_count + 1, sizeof *r->served);
	for (size_t i = 0; i < r->served_count; i++)
		if (r->served[i].until_ms > now_ms)
			r->served[kept++] = r->served[i];
	for (size_t i = 0; i < kept && found == NULL; i++)
		if (r->served[i].uid == uid)
			found = &r->served[i];
	if (found == NULL) {
		found = &r->served[kept++];
		*found = (struct served){.uid = uid, .until_ms = now_ms};
	}
	r->served_count = kept;
	return found;
}

/* Each file is REWINDING_GAP_MS of debt, which goes as time does. */
static bool may_have(struct rewinder *r, uid_t uid, struct err *err)
{
	int64_t now_ms = monotonic_ms();
	struct served *served;

	if (uid == 0 || uid == geteuid())
		return true;
	served = served_of(r, uid, now_ms);
	if (served->until_ms - now_ms > (REWINDINGS_AT_ONCE - 1) * REWINDING_GAP_MS)
		return err_set(err,
			       "you have looked at %d moments of the past in a row; ask again in a moment",
			       REWINDINGS_AT_ONCE);
	served->until_ms += REWINDING_GAP_MS;
	return true;
}

static int make_file(struct rewinder *r, uint64_t seq, const struct rewinding *w, struct err *err)
{
	int fd = handout_kept(r->kept, seq, &w->to, w->whole);
	struct state *st;

	if (fd >= 0 || !may_have(r, w->to.uid, err))
		return fd;
	st = store_state_after(r->store, seq, err);
	if (st != NULL)
		fd = handout_make(r->kept, state_view(st), &w->to, w->whole, err);
	state_free(st);
	return fd;
}

static void make(struct rewinder *r, struct rewinding *w)
{
	struct store_moment *m = &w->moment;

	if (m->seq == 0 ? store_moment_of_time(r->store, m->time_s, m, wallclock, &w->err)
			: store_moment_of_entry(r->store, m->seq, m, wallclock, &w->err))
		w->fd = make_file(r, m->seq, w, &w->err);
}

static void free_one(struct rewinding *w)
{
	if (w->fd >= 0)
		close(w->fd);
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
	crash_begin(w->to.uid);
	make(r, w);
	crash_end();
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

	setpriority(PRIO_PROCESS, 0, BACKGROUND_NICE); /* of this thread: the past can wait */
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
	handout_free(r->kept);
	free(r->served);
	free(r);
}

struct rewinder *rewinder_new(struct store *store, struct proxies *proxies, struct err *err)
{
	struct rewinder *r = mem_zero(1, sizeof *r);
	int status;

	r->store = store;
	r->kept = handout_new(KEPT_BYTES, 1, proxies);
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
static bool has_place(const struct rewinder *r, uid_t uid, struct err *err)
{
	size_t count = 0;

	for (const struct rewinding *w = r->first; w != NULL; w = w->next) {
		if (w->to.uid == uid && !w->forgotten)
			return err_set(err, "another look of yours into the past is being made; ask again "
					    "when it is there");
		count += !w->forgotten;
	}
	return count < REWINDINGS_MAX ||
	       err_set(err, "%d others look into the past just now; ask again in a moment", REWINDINGS_MAX);
}

struct rewinding *rewinder_ask(struct rewinder *r, const struct person *to, bool whole,
			       struct store_moment moment, struct err *err)
{
	struct rewinding *w = NULL, **at;

	pthread_mutex_lock(&r->lock);
	if (has_place(r, to->uid, err)) {
		w = mem_zero(1, sizeof *w);
		*w = (struct rewinding){.to = *to, .whole = whole, .moment = moment, .fd = -1};
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

int rewinder_take(struct rewinding *w, struct store_moment *moment, struct err *err)
{
	int fd = w->fd;

	if (fd < 0)
		*err = w->err;
	*moment = w->moment;
	w->fd = -1;
	return fd;
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
