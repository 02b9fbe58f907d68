/* SPDX-License-Identifier: MIT */
/*
 * remote_share.c - what do the threads of an attached console hand each other?
 *
 * A picture, which lives as long as anybody holds it; and each of the two its own connection, to be broken
 * off by who ends them. The version of a picture is the last entry of its journal.
 */
#include <stdlib.h>
#include <unistd.h>

#include "remote_inside.h"
#include "sched/base/vec.h"
#include "tui/serve/memory_file.h"

void remote_ring(const struct remote *r)
{
	uint64_t one = 1;

	/* It can only fail when the counter is full, and then it is readable already. */
	if (write(r->wake_fd, &one, sizeof one) < 0)
		return;
}

/* --- pictures ---------------------------------------------------------------------------------- */

/* Under the lock: one holder less; what is returned has none left, to be freed after the lock. */
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

/* Under the lock. What is dropped is still wanted: who looks has the newer one already, and waits for
 * another. */
static bool is_overtaken(const struct remote *r, const struct fetched *fresh, uint64_t since)
{
	return since != 0 && r->latest->shared.version != since &&
	       r->latest->shared.version >= fresh->shared.version;
}

void remote_publish(struct remote *r, const struct caller_picture *picture, uint64_t since)
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

void remote_forget_picture(struct remote *r)
{
	free_fetched(let_go(r->latest));
}

const struct shared_snapshot *remote_hold(void *self)
{
	struct remote *r = self;
	struct fetched *f;

	pthread_mutex_lock(&r->lock);
	f = r->latest;
	f->holders++;
	pthread_mutex_unlock(&r->lock);
	return &f->shared;
}

void remote_release(void *self, const struct shared_snapshot *shared)
{
	struct remote *r = self;
	struct fetched *old;

	pthread_mutex_lock(&r->lock);
	old = let_go((struct fetched *)(uintptr_t)shared);
	pthread_mutex_unlock(&r->lock);
	free_fetched(old);
}

void remote_ask(void *self)
{
	struct remote *r = self;

	pthread_mutex_lock(&r->lock);
	r->wanted = true;
	pthread_cond_broadcast(&r->work);
	pthread_mutex_unlock(&r->lock);
}

bool remote_is_newer(void *self, uint64_t version)
{
	struct remote *r = self;
	bool newer;

	pthread_mutex_lock(&r->lock);
	newer = r->latest->shared.version != version;
	pthread_mutex_unlock(&r->lock);
	return newer;
}

/* --- connections ------------------------------------------------------------------------------- */

bool remote_set_connection(struct remote *r, struct caller **place, struct caller *c)
{
	struct caller *old;
	bool go_on;

	pthread_mutex_lock(&r->lock);
	old = *place;
	*place = c;
	go_on = !r->stop;
	pthread_mutex_unlock(&r->lock);
	caller_close(old);
	return go_on;
}

struct caller *remote_connect(struct remote *r, struct caller **place, struct err *err)
{
	bool runs = true;

	if (*place == NULL) {
		struct caller *c = caller_find(r->store, &runs, err);

		if (c == NULL && !runs)
			err_set(err, "nobody runs it");
		if (c != NULL && !remote_set_connection(r, place, c))
			return NULL;
	}
	return *place;
}
