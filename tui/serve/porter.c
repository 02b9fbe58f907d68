/* SPDX-License-Identifier: MIT */
/*
 * porter.c - who answers at the door of the running scheduler?
 *
 * All that are accepted in a turn become durable in one commit, and nobody hears anything before it: a turn
 * first takes what it finds at the door, then settles with the driver, then answers.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "porter_inside.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"

/* Of one turn, for questions; then the scheduler has its turn. A change is answered in the turn it was made.
 */
#define TURN_MS 20

/* --- requests ----------------------------------------------------------------------------------- */

static void drop(struct porter *p, struct asked *a)
{
	rewinder_forget(p->rewinder, a->rewinding);
	str_free(&a->kept);
	free(a->answer.applied);
	free(a->answer.fate);
	arena_free(&a->arena);
	free(a);
}

static void answer(struct porter *p, struct asked *a)
{
	struct door_answer reply = {.fd = -1};

	a->answer.now_s = p->now_s;
	if (a->request != NULL) {
		if (a->kept.len == 0 && !a->refused)
			reply.fd = porter_answer_question(p, a);
		if (a->kept.len > 0)
			str_add_bytes(&reply.bytes, a->kept.data, a->kept.len);
		else
			answer_write(&a->answer, &reply.bytes);
		door_answer(a->request, &reply);
	}
	str_free(&reply.bytes);
	drop(p, a);
}

/* Wants a state that is another than the one it has, and there is none yet. */
static bool waits_for_news(const struct porter *p, const struct asked *a)
{
	return a->request != NULL && !a->refused && a->text.kind == ASK_STATE && a->text.past.from != 0 &&
	       a->text.past.from == driver_view(p->watched)->seq;
}

static bool waits(const struct porter *p, const struct asked *a)
{
	if (a->rewinding != NULL)
		return a->request != NULL && !rewinder_is_done(p->rewinder, a->rewinding);
	return waits_for_news(p, a);
}

/* Only those that want something changed are looked at before the turn is settled. */
static void handle(void *self, struct door_request *request, const struct peer *peer, const void *bytes,
		   size_t size)
{
	struct porter *p = self;
	struct asked *a = mem_zero(1, sizeof *a);

	a->request = request;
	a->peer = *peer;
	a->answer = (struct answer_text){.outcome = DRIVER_REFUSED, .now_s = p->now_s};
	p->asked = vec_room(p->asked, &p->room, p->count + 1, sizeof(struct asked *));
	p->asked[p->count++] = a;
	if (!p->everybody && peer->uid != geteuid() && peer->uid != 0) {
		a->refused = true;
		err_set(&a->answer.err,
			"this scheduler is its user's own; jobs of others run where root runs it");
	} else if (!request_read(bytes, size, &a->arena, &a->text, &a->answer.err)) {
		a->refused = true;
	} else if (a->text.kind == ASK_CHANGE) {
		fail_at(FAIL_SUB_AFTER_RECV);
		porter_take_change(p, a);
	} else if (a->text.kind == ASK_MOMENT) {
		porter_ask_moment(p, a);
	}
}

/* What it asked for happens all the same. */
static void gone(void *self, struct door_request *request)
{
	struct porter *p = self;

	for (size_t i = 0; i < p->count; i++)
		if (p->asked[i]->request == request)
			p->asked[i]->request = NULL;
}

/* --- the guest ---------------------------------------------------------------------------------- */

static int guest_fd(const void *self)
{
	return ((const struct porter *)self)->fd;
}

/* Those that are left from earlier turns waited for news, for a moment that is past, or for their turn. */
static int guest_wait_ms(const void *self)
{
	const struct porter *p = self;

	for (size_t i = 0; i < p->count; i++)
		if (!waits(p, p->asked[i]))
			return 0;
	return door_wait_ms(p->door);
}

static bool is_question(const struct asked *a)
{
	return a->request != NULL && !a->refused && a->text.kind != ASK_CHANGE;
}

/* However much is asked, and whatever it costs: what is due is done in between. */
static void answer_all(struct porter *p)
{
	int64_t until_ms = monotonic_ms() + TURN_MS;
	size_t waiting = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct asked *a = p->asked[i];

		if (waits(p, a) || (is_question(a) && monotonic_ms() >= until_ms))
			p->asked[waiting++] = a;
		else
			answer(p, a);
	}
	p->count = waiting;
}

static bool guest_turn(void *self, struct driver *driver, int64_t now_s, struct err *err)
{
	struct porter *p = self;

	p->watched = p->driver = driver;
	p->now_s = now_s;
	if (p->rewinder != NULL)
		rewinder_clear(p->rewinder);
	door_turn(p->door);
	porter_settle(p);
	answer_all(p);
	p->driver = NULL;
	return p->failed.text[0] == '\0' || err_set(err, "%s", p->failed.text);
}

struct host_guest porter_guest(struct porter *porter)
{
	static const struct host_guest_ops ops = {
		.fd = guest_fd, .wait_ms = guest_wait_ms, .turn = guest_turn};

	return (struct host_guest){.ops = &ops, .self = porter};
}

struct porter *porter_open(const struct porter_setup *setup, struct err *err)
{
	struct porter *p = mem_zero(1, sizeof *p);
	struct door_handler handler = {.handle = handle, .gone = gone, .self = p};

	p->people = people_new();
	p->handout = handout_new();
	p->everybody = setup->everybody;
	p->fates = setup->fates;
	p->store = setup->store;
	p->site = setup->site;
	p->door = setup->listening > 0 ? door_adopt(setup->listening, setup->dir, handler, err)
				       : door_open(setup->dir, setup->everybody, handler, err);
	p->fd = p->door != NULL ? epoll_create1(EPOLL_CLOEXEC) : -1;
	if (p->fd >= 0 && porter_listen_to(p, door_fd(p->door), err))
		return p;
	if (p->door != NULL && p->fd < 0)
		err_set(err, "the door cannot be listened to: %s", strerror(errno));
	porter_close(p);
	return NULL;
}

void porter_close(struct porter *porter)
{
	if (porter == NULL)
		return;
	if (porter->door != NULL)
		door_close(porter->door);
	for (size_t i = 0; i < porter->count; i++)
		drop(porter, porter->asked[i]);
	rewinder_free(porter->rewinder);
	if (porter->fd >= 0)
		close(porter->fd);
	people_free(porter->people);
	handout_free(porter->handout);
	free(porter->asked);
	free(porter);
}

int porter_hand_over(struct porter *porter)
{
	return door_hand_over(porter->door);
}
