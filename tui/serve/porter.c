/* SPDX-License-Identifier: MIT */
/*
 * porter.c - who answers at the door of the running scheduler?
 *
 * One request is one batch: all of it happens, or nothing; but for what is about jobs that have moved on
 * since they were chosen, where who asks has said how they were. All that are accepted in a turn become
 * durable in one commit, and nobody hears anything before it: a turn first takes what it finds at the door,
 * then settles with the driver, then answers. A change whose cookie is known is not made again but answered
 * as it was.
 */
#include "porter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "fates.h"
#include "handout.h"
#include "may.h"
#include "petition.h"
#include "request.h"
#include "rewinder.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "sched/host/door.h"
#include "sched/rm/monotonic.h"

/* Of one turn, for questions; then the scheduler has its turn. A change is answered in the turn it was made.
 */
#define TURN_MS 20

/* One request of the turn at hand. */
struct asked {
	struct door_request *request; /* NULL: who asked has gone         */
	struct peer peer;
	struct request_text text;
	struct arena arena; /* what the text points at          */
	size_t events;      /* CHANGE: as many as it asked for  */
	size_t *place;      /* CHANGE: of those that are left when some are left out: where each stood */
	struct answer_text answer;
	struct str kept;   /* CHANGE: the answer as it is or was remembered; empty = answer says it */
	bool accepted;     /* it happens if the turn settles           */
	bool asked_before; /* it has happened, or does with the turn    */
	bool refused;      /* answer says why                           */
	struct rewinding *rewinding; /* MOMENT: on its way; NULL otherwise */
};

struct porter {
	struct door *door;
	struct people *people;
	struct handout *handout;
	bool everybody;
	const struct fates *fates;
	struct store *store;
	struct rewinder *rewinder; /* NULL: nobody has asked for the past yet */
	int fd;                    /* readable when the door or the rewinder has something */
	struct porter_site site;

	/* Of the turn at hand. */
	struct driver *driver;
	int64_t now_s;
	struct asked **asked; /* of this turn, behind those of earlier ones that wait */
	size_t count, room;
	struct err failed; /* storage failed: the sentence */

	const struct driver *watched; /* between turns as well */
};

static const struct person *who(const struct porter *p, const struct asked *a)
{
	return people_find(p->people, driver_view(p->driver), a->peer.uid, a->peer.gid);
}

/* --- changes ------------------------------------------------------------------------------------ */

/* Is the job of an event another than it was when it was chosen? One that has ended is in no state. */
static bool has_moved(const struct state *st, const struct request_text *text, size_t i)
{
	uint32_t slot;

	if (text->was == NULL || text->was[i] == JOB_NONE)
		return false;
	slot = state_find(st, text->event[i].job);
	return slot == INDEX_NONE || snapshot_jobs(state_view(st))[slot].state != text->was[i];
}

/* Leaves out what is about jobs that have moved on. False: nothing is, or nothing would be left. */
static bool leave_moved(const struct porter *p, struct asked *a)
{
	struct request_text *text = &a->text;
	size_t kept = 0;

	a->place = arena_take(&a->arena, (text->count + 1) * sizeof *a->place);
	for (size_t i = 0; i < text->count; i++)
		if (!has_moved(driver_state(p->driver), text, i))
			a->place[kept++] = i;
	if (kept == 0 || kept == text->count)
		return false;
	for (size_t i = 0; i < kept; i++)
		text->event[i] = text->event[a->place[i]];
	text->count = kept;
	return true;
}

/* Each at the place where it stood in the request. */
static void note_applied(struct asked *a)
{
	const struct request_text *text = &a->text;

	a->answer.count = a->events;
	a->answer.applied = mem_zero(a->events + 1, sizeof *a->answer.applied);
	for (size_t i = 0; i < text->count; i++)
		a->answer.applied[text->count < a->events ? a->place[i] : i] =
			(struct applied){text->event[i].seq, text->event[i].job};
}

/* All zero: who asks does not want to be remembered. */
static bool has_cookie(const struct asked *a)
{
	static const unsigned char none[COOKIE_BYTES];

	return memcmp(a->text.cookie, none, COOKIE_BYTES) != 0;
}

static struct cookie cookie_of(const struct asked *a)
{
	struct cookie cookie = {.uid = (uint32_t)a->peer.uid};

	memcpy(cookie.bytes, a->text.cookie, COOKIE_BYTES);
	return cookie;
}

/* False with a sentence: it is not known whether it was made. */
static bool recall(const struct porter *p, struct asked *a, struct err *err)
{
	struct cookie cookie = cookie_of(a);

	a->asked_before = false;
	str_clear(&a->kept);
	return !has_cookie(a) || driver_recall(p->driver, &cookie, &a->asked_before, &a->kept, err);
}

static enum driver_outcome accept_all(struct porter *p, struct asked *a, struct err *err)
{
	const struct petition petition = {
		.by = who(p, a), .st = driver_state(p->driver), .fates = p->fates, .now_s = p->now_s};

	if (!petition_sign(&petition, a->text.event, a->text.count, &a->arena, err))
		return DRIVER_REFUSED;
	return driver_accept(p->driver, a->text.event, a->text.count, err);
}

/*
 * Of many jobs that were chosen together some may end or start before it is heard here: that is no reason to
 * leave the others.
 */
static enum driver_outcome accept_events(struct porter *p, struct asked *a, struct err *err)
{
	enum driver_outcome outcome;

	a->events = a->text.count;
	outcome = accept_all(p, a, err);
	return outcome == DRIVER_REFUSED && leave_moved(p, a) ? accept_all(p, a, err) : outcome;
}

static void take_change(struct porter *p, struct asked *a)
{
	struct cookie cookie = cookie_of(a);

	if (!recall(p, a, &a->answer.err)) {
		a->refused = true;
		return;
	}
	if (a->asked_before)
		return;
	a->answer.outcome = accept_events(p, a, &a->answer.err);
	a->accepted = a->answer.outcome == DRIVER_DONE;
	a->refused = !a->accepted;
	if (a->answer.outcome == DRIVER_FAILED)
		p->failed = a->answer.err;
	if (!a->accepted)
		return;
	note_applied(a);
	answer_write(&a->answer, &a->kept);
	if (has_cookie(a) && a->text.count > 0)
		driver_remember(p->driver, &cookie, a->kept.data, a->kept.len);
}

/* The store could not be written: of what was accepted in this turn nothing is true any more. */
static void take_back(struct porter *p, struct asked *a, enum driver_outcome outcome, const struct err *why)
{
	struct err err;

	if (a->asked_before && recall(p, a, &err) && a->asked_before)
		return;
	str_clear(&a->kept);
	free(a->answer.applied);
	a->answer = (struct answer_text){.outcome = outcome, .now_s = p->now_s, .err = *why};
	a->refused = true;
}

/* All that was accepted becomes durable; or nothing of it has happened. */
static void settle(struct porter *p)
{
	enum driver_outcome outcome = DRIVER_FAILED;
	struct err err = p->failed;
	bool any = false;

	for (size_t i = 0; i < p->count; i++)
		any = any || p->asked[i]->accepted;
	if (!any)
		return;
	if (p->failed.text[0] == '\0')
		outcome = driver_settle(p->driver, p->now_s, &err);
	if (outcome == DRIVER_FAILED)
		p->failed = err;
	for (size_t i = 0; i < p->count && outcome != DRIVER_DONE; i++)
		if (p->asked[i]->accepted || p->asked[i]->asked_before)
			take_back(p, p->asked[i], outcome, &err);
}

/* --- what has happened --------------------------------------------------------------------------- */

static int past_of(const struct porter *p, struct asked *a)
{
	struct answer_text *answer = &a->answer;
	const struct person *by = who(p, a);
	const struct past_reader reader = {.user = by->level <= ADMIN_SEES ? NULL : by->user,
					   .names = handout_shows_names(driver_view(p->driver), by)};
	size_t rows = 0;
	int fd = -1;

	if (p->store == NULL)
		err_set(&answer->err, "this scheduler keeps no journal");
	else if (a->text.past.journal && !reader.names)
		err_set(&answer->err,
			"what others did is hidden here (hidenames); an administrator of level %d sees it",
			ADMIN_SEES);
	else
		fd = past_file(p->store, &a->text.past, &reader, &rows, &answer->err);
	answer->rows = rows;
	answer->outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
	return fd;
}

/* --- what was so --------------------------------------------------------------------------------- */

static bool listen_to(struct porter *p, int fd, struct err *err)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(p->fd, EPOLL_CTL_ADD, fd, &event) == 0 ||
	       err_set(err, "the door cannot be listened to: %s", strerror(errno));
}

static bool begin_rewinder(struct porter *p, struct err *err)
{
	if (p->store == NULL)
		return err_set(err, "this scheduler keeps no journal");
	p->rewinder = rewinder_new(p->store, err);
	if (p->rewinder == NULL || listen_to(p, rewinder_fd(p->rewinder), err))
		return p->rewinder != NULL;
	rewinder_free(p->rewinder);
	p->rewinder = NULL;
	return false;
}

/* As today's state is shown: what is hidden now was so then, too. */
static void ask_moment(struct porter *p, struct asked *a)
{
	struct store_moment moment = {.seq = a->text.past.from, .time_s = a->text.past.since_s};
	const struct person *to = who(p, a);
	bool whole = handout_shows_names(driver_view(p->driver), to);

	if (p->rewinder != NULL || begin_rewinder(p, &a->answer.err))
		a->rewinding = rewinder_ask(p->rewinder, to, whole, moment, &a->answer.err);
	a->refused = a->rewinding == NULL;
}

static int moment_of(struct asked *a)
{
	struct answer_text *answer = &a->answer;
	struct store_moment moment;
	int fd = rewinder_take(a->rewinding, &moment, &answer->err);

	if (fd >= 0)
		answer->now_s = moment.time_s;
	answer->outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
	return fd;
}

/* --- the scheduler itself ------------------------------------------------------------------------ */

static void ask_site(struct porter *p, struct asked *a)
{
	bool reload = a->text.kind == ASK_RELOAD;
	struct answer_text *answer = &a->answer;

	if (who(p, a)->level > ADMIN_ALL) {
		err_set(&answer->err, "%s may not do this; an administrator of level %d may", who(p, a)->user,
			ADMIN_ALL);
	} else if (reload ? p->site.reload == NULL : p->site.stop == NULL) {
		err_set(&answer->err, "this scheduler %s",
			reload ? "has no configuration to read" : "is ended where it was started");
	} else if (reload) {
		answer->outcome = p->site.reload(p->site.self, p->driver, &answer->err);
		if (answer->outcome == DRIVER_FAILED)
			p->failed = answer->err;
	} else {
		p->site.stop(p->site.self);
		answer->outcome = DRIVER_DONE;
	}
}

/* --- what has become of jobs -------------------------------------------------------------------- */

/* Where the words are, and what went wrong, is the owner's business, and of those who see everything. */
static void keep_private(struct fate *fate, const struct person *by)
{
	if (by->level <= ADMIN_SEES || (fate->user != NULL && strcmp(fate->user, by->user) == 0))
		return;
	fate->user = fate->why = fate->output = fate->errors = NULL;
}

static void tell_fates(const struct porter *p, struct asked *a)
{
	const struct person *by = who(p, a);
	size_t count = a->text.name_count;

	a->answer.outcome = DRIVER_DONE;
	a->answer.fate_count = count;
	a->answer.fate = mem_zero(count + 1, sizeof *a->answer.fate);
	for (size_t i = 0; i < count; i++) {
		a->answer.fate[i] = fates_find(p->fates, driver_state(p->driver), &a->text.name[i],
					       a->text.outputs, &a->arena);
		keep_private(&a->answer.fate[i], by);
	}
}

/* --- requests ----------------------------------------------------------------------------------- */

/* The descriptor that goes with the answer, or -1. */
static int answer_question(struct porter *p, struct asked *a)
{
	int fd = -1;

	switch (a->text.kind) {
	case ASK_STATE:
		fd = handout_state(p->handout, driver_view(p->driver), who(p, a), &a->answer.err);
		a->answer.outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
		break;
	case ASK_FATES:
		tell_fates(p, a);
		break;
	case ASK_PAST:
		fd = past_of(p, a);
		break;
	case ASK_MOMENT:
		fd = moment_of(a);
		break;
	case ASK_RELOAD:
	case ASK_STOP:
		ask_site(p, a);
		break;
	case ASK_CHANGE:
	case ASK_KIND_COUNT:
		break;
	}
	return fd;
}

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
			reply.fd = answer_question(p, a);
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
		take_change(p, a);
	} else if (a->text.kind == ASK_MOMENT) {
		ask_moment(p, a);
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
	settle(p);
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
	if (p->fd >= 0 && listen_to(p, door_fd(p->door), err))
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
