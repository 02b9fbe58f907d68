/* SPDX-License-Identifier: MIT */
/*
 * remote.c - a console attached to a scheduler in another process
 *
 * There are two threads, each with its own connection: the watcher fetches snapshots, the poster sends
 * changes.
 */
#include "remote.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "sched/base/arena.h"
#include "sched/base/vec.h"
#include "sched/host/event_copy.h"
#include "sched/rm/monotonic.h"
#include "state_file.h"
#include "store/codec.h"

/* A snapshot with its reference count; the shared part comes first. */
struct fetched {
	struct shared_snapshot shared;
	size_t size;
	unsigned holders; /* references; the remote holds one to the latest snapshot */
};

struct order {
	struct order *next;
	uint64_t ticket;
	struct event *event; /* in the arena; NULL: the order is a request for job files or ended jobs */
	size_t count;
	uint64_t job;           /* requested job files: the job; 0: ended jobs are requested */
	struct ended_span span; /* ended jobs: which of them */
	struct arena arena;
};

struct reply {
	struct reply *next;
	struct host_answer answer;
};

struct remote {
	char *store; /* value of --store; NULL = not given */
	int wake_fd;
	pthread_t watcher, poster;

	pthread_mutex_t lock; /* protects the fields below */
	pthread_cond_t work;  /* signalled when there is work or the threads are to end */
	struct fetched *latest;
	struct client *watching, *posting; /* connections of the two threads; NULL = none */
	struct order *first, **last;
	struct reply *first_reply, **last_reply;
	struct err warning; /* warning that has not been taken yet; empty = none */
	struct job_files files;
	bool files_found; /* `files` is available and has not been taken yet */
	struct ended_list ended;
	bool ended_found; /* `ended` is available and has not been taken yet */
	int64_t clock_s;  /* last known time of the scheduler's clock */
	uint64_t next_ticket;
	bool wanted, lost, stop;
};

/* --- data shared by the threads ------------------------------------------------------------------------ */

/*
 * A snapshot lives until the last reference is dropped. Each of the two threads has its own connection, which
 * remote_close interrupts. The version of a snapshot is the last entry of its journal.
 */

static int wake_fd(const void *self);

/* Wakes the console's thread. */
static void remote_ring(const struct remote *r)
{
	uint64_t one = 1;

	/*
	 * write() can only fail if the counter is at its maximum, and then the descriptor is readable anyway
	 */
	if (write(r->wake_fd, &one, sizeof one) < 0)
		return;
}

/* --- snapshots ----------------------------------------------------------------------------------------- */

/*
 * Called with the lock held. Drops one reference. If it was the last one, returns the snapshot, which the
 * caller frees after unlocking; otherwise NULL.
 */
static struct fetched *let_go(struct fetched *f)
{
	return f != NULL && --f->holders == 0 ? f : NULL;
}

static void free_fetched(struct fetched *f)
{
	if (f == NULL)
		return;
	memory_file_free(f->shared.s, f->size);
	free(f);
}

/*
 * Called with the lock held. Has a newer snapshot arrived since this one was requested? If so, the caller
 * drops this one, and the request remains pending, because the console may already have the newer snapshot.
 */
static bool is_overtaken(const struct remote *r, const struct fetched *fresh, uint64_t since)
{
	return since != 0 && r->latest->shared.version != since &&
	       r->latest->shared.version >= fresh->shared.version;
}

static int64_t now_s(void *self);

/*
 * Makes a snapshot the latest one and takes ownership of it. since: the version that the console had when the
 * snapshot was requested; if a newer snapshot has arrived in the meantime, this one is dropped. since 0: it
 * is always published.
 */
static void remote_publish(struct remote *r, const struct client_picture *picture, uint64_t since)
{
	struct fetched *fresh = mem_zero(1, sizeof *fresh), *old;

	fresh->shared = (struct shared_snapshot){
		.s = picture->s, .version = picture->s->seq, .now_s = picture->now_s};
	fresh->size = picture->size;
	fresh->holders = 1;
	pthread_mutex_lock(&r->lock);
	if (is_overtaken(r, fresh, since)) {
		old = fresh;
	} else {
		old = let_go(r->latest);
		r->latest = fresh;
		r->clock_s = picture->now_s;
		r->wanted = false;
	}
	pthread_mutex_unlock(&r->lock);
	free_fetched(old);
	remote_ring(r);
}

/* Drops the reference to the latest snapshot, and frees it if it was the last reference. */
static void remote_forget_picture(struct remote *r)
{
	free_fetched(let_go(r->latest));
}

static const struct shared_snapshot *remote_hold(void *self)
{
	struct remote *r = self;
	struct fetched *f;

	pthread_mutex_lock(&r->lock);
	f = r->latest;
	f->holders++;
	pthread_mutex_unlock(&r->lock);
	return &f->shared;
}

static void remote_release(void *self, const struct shared_snapshot *shared)
{
	struct remote *r = self;
	struct fetched *old;

	pthread_mutex_lock(&r->lock);
	old = let_go((struct fetched *)(uintptr_t)shared);
	pthread_mutex_unlock(&r->lock);
	free_fetched(old);
}

static void remote_ask(void *self)
{
	struct remote *r = self;

	pthread_mutex_lock(&r->lock);
	r->wanted = true;
	pthread_cond_broadcast(&r->work);
	pthread_mutex_unlock(&r->lock);
}

static bool remote_is_newer(void *self, uint64_t version)
{
	struct remote *r = self;
	bool newer;

	pthread_mutex_lock(&r->lock);
	newer = r->latest->shared.version != version;
	pthread_mutex_unlock(&r->lock);
	return newer;
}

/* --- connections ------------------------------------------------------------------------------- */

/* Sets the connection of a thread; c NULL: only closes the old one. Returns false if the thread is to end. */
static bool remote_set_connection(struct remote *r, struct client **place, struct client *c)
{
	struct client *old;
	bool go_on;

	pthread_mutex_lock(&r->lock);
	old = *place;
	*place = c;
	go_on = !r->stop;
	pthread_mutex_unlock(&r->lock);
	client_close(old);
	return go_on;
}

/* Returns the thread's connection, or a new one if it has none; NULL with err set on failure. */
static struct client *remote_connect(struct remote *r, struct client **place, struct err *err)
{
	bool runs = true;

	if (*place == NULL) {
		struct client *c = client_find(r->store, &runs, err);

		if (c == NULL && !runs)
			err_set(err, "no scheduler is running");
		if (c != NULL && !remote_set_connection(r, place, c))
			return NULL;
	}
	return *place;
}

/* --- changes posted by an attached console ------------------------------------------------------------- */

/*
 * Waits for the next order; NULL: the thread is to end. The poster processes orders one after the other, each
 * over a new connection, because the scheduler at the other end of an older connection may have ended.
 */

static struct order *take_order(struct remote *r)
{
	struct order *o;

	pthread_mutex_lock(&r->lock);
	while (r->first == NULL && !r->stop)
		pthread_cond_wait(&r->work, &r->lock);
	o = r->stop ? NULL : r->first;
	if (o != NULL) {
		r->first = o->next;
		if (r->first == NULL)
			r->last = &r->first;
	}
	pthread_mutex_unlock(&r->lock);
	return o;
}

static void free_order(struct order *o)
{
	arena_free(&o->arena);
	free(o);
}

static void put_reply(struct remote *r, const struct host_answer *answer)
{
	struct reply *reply = mem_zero(1, sizeof *reply);

	reply->answer = *answer;
	pthread_mutex_lock(&r->lock);
	*r->last_reply = reply;
	r->last_reply = &reply->next;
	pthread_mutex_unlock(&r->lock);
	remote_ring(r);
}

static void find_files(struct remote *r, const struct order *o)
{
	struct job_files files = {.job = o->job};
	struct client *c = remote_connect(r, &r->posting, &files.err);
	const struct job_ref name = {.job = o->job};
	struct job_status job_status;

	if (c != NULL && client_jobs(c, &name, 1, true, &job_status, &files.err)) {
		snprintf(files.user, sizeof files.user, "%s", job_status.user != NULL ? job_status.user : "");
		snprintf(files.output, sizeof files.output, "%s",
			 job_status.output != NULL ? job_status.output : "");
		snprintf(files.errors, sizeof files.errors, "%s",
			 job_status.errors != NULL ? job_status.errors : "");
		if (job_status.phase != JOB_PHASE_UNKNOWN && job_status.user == NULL)
			err_set(&files.err, "the job belongs to another user; only its owner or an "
					    "administrator may see its output");
	}
	remote_set_connection(r, &r->posting, NULL);
	pthread_mutex_lock(&r->lock);
	r->files = files;
	r->files_found = true;
	pthread_mutex_unlock(&r->lock);
	remote_ring(r);
}

struct finding_ended {
	struct ended_list list;
	uint64_t newest;
};

static bool add_ended(void *self, const struct ended_job *ended)
{
	struct finding_ended *f = self;
	struct key key = key_number(f->list.count++);

	put_ended(&f->list.bytes, &key, ended);
	return f->list.count < f->newest;
}

static void find_ended(struct remote *r, const struct order *o)
{
	const struct history_filter wish = ended_span_wish(&o->span);
	struct finding_ended found = {.newest = o->span.newest};
	struct client *c = remote_connect(r, &r->posting, &found.list.err);

	if (c != NULL)
		(void)client_history(c, &wish, false, add_ended, &found, &found.list.err);
	remote_set_connection(r, &r->posting, NULL);
	pthread_mutex_lock(&r->lock);
	str_free(&r->ended.bytes);
	r->ended = found.list;
	r->ended_found = true;
	pthread_mutex_unlock(&r->lock);
	remote_ring(r);
}

/*
 * Sends the changes of an order, all or nothing. If they exceed the site's limit on the changes of one
 * request, sends them in several requests, as verbs do; *made is then the number of changes, counted from the
 * first, that were made.
 */
static enum driver_outcome post(struct remote *r, struct client *c, struct order *o, size_t *made,
				struct err *err)
{
	enum driver_outcome outcome = client_post(c, o->event, o->count, err);
	const struct shared_snapshot *seen;
	uint8_t *was;
	size_t most;

	*made = outcome == DRIVER_DONE ? o->count : 0;
	if (outcome != DRIVER_REFUSED)
		return outcome;
	seen = remote_hold(r);
	most = (size_t)seen->s->policy.site.request_events;
	if (o->count > most) {
		was = client_states(seen->s, o->event, o->count);
		*made = o->count;
		outcome = client_post_parts(c, o->event, made, was, most, err);
		free(was);
	}
	remote_release(r, seen);
	return outcome;
}

/*
 * Returns the number of events, counted from the last, that are consecutive in the journal, without an entry
 * of another user between them.
 */
static size_t count_together(const struct event *ev, size_t count)
{
	size_t together = count > 0;

	while (together > 0 && together < count &&
	       ev[count - together - 1].seq + 1 == ev[count - together].seq)
		together++;
	return together;
}

/*
 * Sends the changes of an order. Fetches a snapshot before it delivers the answer, so that the console sees
 * the effect together with the answer.
 */
static void deliver(struct remote *r, struct order *o)
{
	struct host_answer answer = {.ticket = o->ticket, .outcome = DRIVER_FAILED};
	struct client *c = remote_connect(r, &r->posting, &answer.err);
	struct client_picture picture;
	size_t made = 0;

	if (c == NULL)
		err_prefix(&answer.err, "the scheduler is gone; nothing was changed");
	else
		answer.outcome = post(r, c, o, &made, &answer.err);
	if (made > 0) {
		answer.seq = o->event[made - 1].seq;
		answer.together = count_together(o->event, made);
		if (client_newer(c, 0, &picture, NULL))
			remote_publish(r, &picture, 0);
	}
	if (answer.outcome == DRIVER_DONE)
		answer.left_out = o->count - made;
	remote_set_connection(r, &r->posting,
			      NULL); /* a kept connection may belong to a scheduler that has ended */
	put_reply(r, &answer);
}

/* The poster thread: processes orders until the remote is closed. */
static void *remote_carry(void *self)
{
	struct remote *r = self;
	struct order *o;

	while ((o = take_order(r)) != NULL) {
		if (o->event != NULL)
			deliver(r, o);
		else if (o->job != 0)
			find_files(r, o);
		else
			find_ended(r, o);
		free_order(o);
	}
	remote_set_connection(r, &r->posting, NULL);
	return NULL;
}

static uint64_t send_order(struct remote *r, struct order *o)
{
	uint64_t ticket;

	pthread_mutex_lock(&r->lock);
	o->ticket = ticket = ++r->next_ticket;
	*r->last = o;
	r->last = &o->next;
	pthread_cond_broadcast(&r->work);
	pthread_mutex_unlock(&r->lock);
	return ticket;
}

static void remote_ask_files(void *self, uint64_t job)
{
	struct order *o = mem_zero(1, sizeof *o);

	o->job = job;
	(void)send_order(self, o);
}

static bool remote_take_files(void *self, struct job_files *out)
{
	struct remote *r = self;
	bool found;

	pthread_mutex_lock(&r->lock);
	found = r->files_found;
	r->files_found = false;
	if (found)
		*out = r->files;
	pthread_mutex_unlock(&r->lock);
	return found;
}

static void remote_ask_ended(void *self, const struct ended_span *span)
{
	struct order *o = mem_zero(1, sizeof *o);

	o->span = *span;
	(void)send_order(self, o);
}

static bool remote_take_ended(void *self, struct ended_list *out)
{
	struct remote *r = self;
	bool found;

	pthread_mutex_lock(&r->lock);
	found = r->ended_found;
	r->ended_found = false;
	if (found) {
		*out = r->ended;
		r->ended = (struct ended_list){.count = 0};
	}
	pthread_mutex_unlock(&r->lock);
	return found;
}

static uint64_t remote_post(void *self, const struct event *ev, size_t count)
{
	struct order *o = mem_zero(1, sizeof *o);

	o->count = count;
	o->event = arena_take(&o->arena, (count + 1) * sizeof *o->event);
	for (size_t i = 0; i < count; i++)
		o->event[i] = event_copy(&o->arena, &ev[i]);
	return send_order(self, o);
}

static bool remote_take_answer(void *self, struct host_answer *out)
{
	struct remote *r = self;
	struct reply *reply;

	pthread_mutex_lock(&r->lock);
	reply = r->first_reply;
	if (reply != NULL) {
		r->first_reply = reply->next;
		if (r->first_reply == NULL)
			r->last_reply = &r->first_reply;
	}
	pthread_mutex_unlock(&r->lock);
	if (reply == NULL)
		return false;
	*out = reply->answer;
	free(reply);
	return true;
}

/* Frees the orders that were not processed, and the answers that were not taken. */
static void remote_forget_orders(struct remote *r)
{
	struct host_answer unread;

	while (r->first != NULL) {
		struct order *o = r->first;

		r->first = o->next;
		free_order(o);
	}
	while (remote_take_answer(r, &unread))
		;
	str_free(&r->ended.bytes);
}

/* --- connection loss and recovery ---------------------------------------------------------------------- */

#define RETRY_MS 200

#define FIRST_MS 10000 /* time for a starting scheduler to send its first snapshot */

/* --- loss of the scheduler ----------------------------------------------------------------------------- */

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

/* Waits RETRY_MS, or until the threads are to end. */
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

/* Waits until the console wants a snapshot; false: the thread is to end. *since: the version of the latest
 * snapshot; 0 if any snapshot is wanted. */
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

/*
 * The watcher thread. The first failure is not reported as a loss, because the scheduler may have handed over
 * to another one.
 */
static void *watch(void *self)
{
	struct remote *r = self;
	bool reached = true;
	uint64_t since;

	while (wait_until_wanted(r, reached, &since)) {
		struct client_picture picture;
		struct err err = {{0}};
		struct client *c = remote_connect(r, &r->watching, &err);

		if (c != NULL && client_newer(c, since, &picture, &err)) {
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

/* --- other operations of a source --------------------------------------------------------------------- */

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
		return; /* no wake-up is pending */
}

/*
 * Returns the time of this host's clock, because the scheduler runs on this host; but not earlier than the
 * latest snapshot.
 */
static int64_t now_s(void *self)
{
	struct remote *r = self;
	int64_t mine_s = (int64_t)time(NULL), said_s;

	pthread_mutex_lock(&r->lock);
	said_s = r->clock_s;
	pthread_mutex_unlock(&r->lock);
	return mine_s > said_s ? mine_s : said_s;
}

/* Always false: a scheduler in another process may come back at any time. */
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

/* --- past states -------------------------------------------------------------------------------------- */

/* Opens a separate connection, because any thread may call this function. */
static bool fetch_past(void *self, struct store_moment *moment, struct past_picture *out, struct err *err)
{
	const struct remote *r = self;
	struct client_picture picture = {.s = NULL};
	bool runs = true;
	struct client *c = client_find(r->store, &runs, err);

	if (c == NULL && !runs)
		err_set(err, "the scheduler is gone; past states are not available");
	if (c == NULL || !client_moment(c, moment, &picture, err)) {
		client_close(c);
		return false;
	}
	client_close(c);
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

/* --- start and stop ----------------------------------------------------------------------------------- */

/* Frees the remote; its threads must have ended, or not have started yet. */
static void free_remote(struct remote *r)
{
	remote_forget_orders(r);
	remote_forget_picture(r);
	client_close(r->watching);
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	pthread_cond_destroy(&r->work);
	pthread_mutex_destroy(&r->lock);
	free(r->store);
	free(r);
}

/*
 * Fetches the first snapshot. If the scheduler ends before it has sent the snapshot, tries again, because
 * another scheduler may follow.
 */
static bool fetch_first(struct remote *r, bool *runs, struct err *err)
{
	struct client_picture picture;
	int64_t until_ms = monotonic_ms() + FIRST_MS;
	bool good;

	do {
		client_close(r->watching);
		r->watching = client_await(r->store, 0, runs, err);
		good = r->watching != NULL && client_newer(r->watching, 0, &picture, err);
	} while (!good && client_is_lost(r->watching) && monotonic_ms() < until_ms);
	if (good)
		remote_publish(r, &picture, 0);
	return good;
}

static void end_threads(struct remote *r, bool with_poster)
{
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	client_interrupt(r->watching);
	client_interrupt(r->posting);
	pthread_cond_broadcast(&r->work);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->watcher, NULL);
	if (with_poster)
		pthread_join(r->poster, NULL);
}

/* Signals are handled by the console's thread. */
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
		err_set(err, "the console cannot create an event descriptor: %s", strerror(errno));
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
