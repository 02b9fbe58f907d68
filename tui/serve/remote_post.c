/* SPDX-License-Identifier: MIT */
/*
 * remote_post.c - how does an attached console have something changed without waiting for it?
 *
 * A thread takes orders one after the other, each over a connection of its own: one that is kept may be a
 * dead scheduler's the next time.
 */
#include <stdio.h>
#include <stdlib.h>

#include "remote_inside.h"
#include "sched/base/vec.h"
#include "sched/host/keep.h"
#include "store/codec.h"

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
	struct caller *c = remote_connect(r, &r->posting, &files.err);
	const struct fate_name name = {.job = o->job};
	struct fate fate;

	if (c != NULL && caller_fates(c, &name, 1, true, &fate, &files.err)) {
		snprintf(files.user, sizeof files.user, "%s", fate.user != NULL ? fate.user : "");
		snprintf(files.output, sizeof files.output, "%s", fate.output != NULL ? fate.output : "");
		snprintf(files.errors, sizeof files.errors, "%s", fate.errors != NULL ? fate.errors : "");
		if (fate.phase != FATE_UNKNOWN && fate.user == NULL)
			err_set(&files.err, "it is somebody else's; its owner or an administrator sees it");
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
	const struct history_wish wish = ended_span_wish(&o->span);
	struct finding_ended found = {.newest = o->span.newest};
	struct caller *c = remote_connect(r, &r->posting, &found.list.err);

	if (c != NULL)
		(void)caller_history(c, &wish, false, add_ended, &found, &found.list.err);
	remote_set_connection(r, &r->posting, NULL);
	pthread_mutex_lock(&r->lock);
	str_free(&r->ended.bytes);
	r->ended = found.list;
	r->ended_found = true;
	pthread_mutex_unlock(&r->lock);
	remote_ring(r);
}

/*
 * All or nothing. More changes than the site allows this user in one request are made in several, as verbs
 * do; then *made of them, which come first, have happened.
 */
static enum driver_outcome post(struct remote *r, struct caller *c, struct order *o, size_t *made,
				struct err *err)
{
	enum driver_outcome outcome = caller_post(c, o->event, o->count, err);
	const struct shared_snapshot *seen;
	uint8_t *was;
	size_t most;

	*made = outcome == DRIVER_DONE ? o->count : 0;
	if (outcome != DRIVER_REFUSED)
		return outcome;
	seen = remote_hold(r);
	most = (size_t)seen->s->policy.site.request_events;
	if (o->count > most) {
		was = caller_states(seen->s, o->event, o->count);
		*made = o->count;
		outcome = caller_post_parts(c, o->event, made, was, most, err);
		free(was);
	}
	remote_release(r, seen);
	return outcome;
}

/* How many of the last entries follow one another without one of somebody else between them. */
static size_t count_together(const struct event *ev, size_t count)
{
	size_t together = count > 0;

	while (together > 0 && together < count &&
	       ev[count - together - 1].seq + 1 == ev[count - together].seq)
		together++;
	return together;
}

/* Fetched before the answer is given: who reads it finds its effect in the picture. */
static void deliver(struct remote *r, struct order *o)
{
	struct host_answer answer = {.ticket = o->ticket, .outcome = DRIVER_FAILED};
	struct caller *c = remote_connect(r, &r->posting, &answer.err);
	struct caller_picture picture;
	size_t made = 0;

	if (c == NULL)
		err_prefix(&answer.err, "the scheduler is gone, so nothing was done");
	else
		answer.outcome = post(r, c, o, &made, &answer.err);
	if (made > 0) {
		answer.seq = o->event[made - 1].seq;
		answer.together = count_together(o->event, made);
		if (caller_newer(c, 0, &picture, NULL))
			remote_publish(r, &picture, 0);
	}
	if (answer.outcome == DRIVER_DONE)
		answer.left_out = o->count - made;
	remote_set_connection(r, &r->posting,
			      NULL); /* one that is kept may be a dead scheduler's the next time */
	put_reply(r, &answer);
}

void *remote_carry(void *self)
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

void remote_ask_files(void *self, uint64_t job)
{
	struct order *o = mem_zero(1, sizeof *o);

	o->job = job;
	(void)send_order(self, o);
}

bool remote_take_files(void *self, struct job_files *out)
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

void remote_ask_ended(void *self, const struct ended_span *span)
{
	struct order *o = mem_zero(1, sizeof *o);

	o->span = *span;
	(void)send_order(self, o);
}

bool remote_take_ended(void *self, struct ended_list *out)
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

uint64_t remote_post(void *self, const struct event *ev, size_t count)
{
	struct order *o = mem_zero(1, sizeof *o);

	o->count = count;
	o->event = arena_take(&o->arena, (count + 1) * sizeof *o->event);
	for (size_t i = 0; i < count; i++)
		o->event[i] = keep_event(&o->arena, &ev[i]);
	return send_order(self, o);
}

bool remote_take_answer(void *self, struct host_answer *out)
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

void remote_forget_orders(struct remote *r)
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
