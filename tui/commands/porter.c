/* SPDX-License-Identifier: MIT */
/*
 * porter.c - who answers at the door of the running scheduler?
 *
 * One request is one batch: all of it happens, or nothing. What a client says of who it is, is thrown
 * away: the person of an event, and the user and group of a job, are those of the peer.
 */
#include "porter.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fates.h"
#include "may.h"
#include "memory_file.h"
#include "request.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "sched/host/door.h"
#include "sched/rm/launch.h"

#define NAME_TEXT 64

struct porter {
	struct door *door;
	bool everybody;
	const struct fates *fates;
	struct store *store;
	struct porter_site site;

	/* Of the turn at hand. */
	struct driver *driver;
	int64_t now_s;
	struct err failed; /* storage failed: the sentence */
};

/* --- who it is --------------------------------------------------------------------------------- */

/* A name that the system does not know is the number. */
static void name_user(uid_t uid, char out[static NAME_TEXT])
{
	const struct passwd *pw = getpwuid(uid);

	if (pw != NULL)
		snprintf(out, NAME_TEXT, "%s", pw->pw_name);
	else
		snprintf(out, NAME_TEXT, "%lu", (unsigned long)uid);
}

static void name_group(gid_t gid, char out[static NAME_TEXT])
{
	const struct group *gr = getgrgid(gid);

	if (gr != NULL)
		snprintf(out, NAME_TEXT, "%s", gr->gr_name);
	else
		snprintf(out, NAME_TEXT, "%lu", (unsigned long)gid);
}

static enum admin_level level_of(const struct peer *peer)
{
	return peer->uid == 0 || peer->uid == geteuid() ? ADMIN_ALL : ADMIN_NONE;
}

/* --- changes ------------------------------------------------------------------------------------ */

/* What is to be run is run as the peer, whoever the launch says. */
static bool sign_launch(struct event *ev, const struct peer *peer, struct arena *arena, struct err *err)
{
	struct launch launch;
	struct str bytes = {0};
	void *room = NULL;
	bool good = launch_read(ev->submit.launch, ev->submit.launch_size, &launch, &room, err);

	if (good) {
		launch.uid = peer->uid;
		launch.gid = peer->gid;
		launch_write(&launch, &bytes);
		ev->submit.launch = arena_copy(arena, bytes.data, bytes.len);
		ev->submit.launch_size = (uint32_t)bytes.len;
	}
	free(room);
	str_free(&bytes);
	return good;
}

/* Texts of the names live as long as the arena. */
static bool sign_submit(struct event *ev, const struct peer *peer, const char *user, struct arena *arena,
			struct err *err)
{
	char group[NAME_TEXT];

	if (ev->submit.launch == NULL)
		return err_set(err, "the submission does not say what is to be run");
	name_group(peer->gid, group);
	ev->job = 0;
	ev->submit.cred[CRED_USER] = user;
	ev->submit.cred[CRED_GROUP] = arena_string(arena, group);
	return sign_launch(ev, peer, arena, err);
}

static bool sign(struct porter *p, const struct asker *asker, const struct peer *peer, struct event *ev,
		 struct arena *arena, struct err *err)
{
	ev->time_s = p->now_s;
	ev->who = asker->user;
	if (!may_ask(asker, driver_state(p->driver), ev, err))
		return false;
	if (ev->kind != EVENT_SUBMIT)
		return true;
	if (peer->uid == 0 && !driver_view(p->driver)->policy.site.allow_root)
		return err_set(err, "root's jobs are not taken here; allowroot = true takes them");
	ev->submit.job.submit_s = p->now_s;
	return sign_submit(ev, peer, asker->user, arena, err);
}

static void note_applied(const struct request_text *request, struct answer_text *answer)
{
	answer->count = request->count;
	answer->applied = mem_zero(request->count + 1, sizeof *answer->applied);
	for (size_t i = 0; i < request->count; i++)
		answer->applied[i] = (struct applied){request->event[i].seq, request->event[i].job};
}

static void change(struct porter *p, struct request_text *request, const struct peer *peer,
		   struct arena *arena, struct answer_text *answer)
{
	char name[NAME_TEXT];
	struct asker asker = {.user = name, .level = level_of(peer)};

	name_user(peer->uid, name);
	asker.user = arena_string(arena, name);
	answer->outcome = DRIVER_REFUSED;
	for (size_t i = 0; i < request->count; i++)
		if (!sign(p, &asker, peer, &request->event[i], arena, &answer->err))
			return;
	answer->outcome = driver_post(p->driver, request->event, request->count, &answer->err);
	if (answer->outcome == DRIVER_DONE)
		note_applied(request, answer);
	else if (answer->outcome == DRIVER_FAILED)
		p->failed = answer->err;
}

/* --- the state ---------------------------------------------------------------------------------- */

/* The snapshot as a sealed file in memory; -1 with a sentence. */
static int state_file(const struct snapshot *s, struct err *err)
{
	size_t size = snapshot_copy_size(s), used = size;
	void *at;
	int fd = memory_file_begin("kahu-state", size, &at, err);

	if (fd >= 0)
		snapshot_copy_into(s, at, &used);
	return fd >= 0 ? memory_file_seal(fd, at, size, err) : -1;
}

/* --- what has happened --------------------------------------------------------------------------- */

static int past_of(const struct porter *p, const struct past_wish *wish, struct answer_text *answer)
{
	size_t rows = 0;
	int fd = -1;

	if (p->store == NULL)
		err_set(&answer->err, "this scheduler keeps no journal");
	else
		fd = past_file(p->store, wish, &rows, &answer->err);
	answer->rows = rows;
	answer->outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
	return fd;
}

/* --- the scheduler itself ------------------------------------------------------------------------ */

static void ask_site(struct porter *p, enum request_kind_of kind, const struct peer *peer,
		     struct answer_text *answer)
{
	bool reload = kind == ASK_RELOAD;

	answer->outcome = DRIVER_REFUSED;
	if (level_of(peer) > ADMIN_ALL) {
		err_set(&answer->err, "an administrator of level %d may do this", ADMIN_ALL);
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
static void keep_private(struct fate *fate, const struct asker *asker)
{
	if (asker->level <= ADMIN_SEES || (fate->user != NULL && strcmp(fate->user, asker->user) == 0))
		return;
	fate->user = fate->why = fate->output = fate->errors = NULL;
}

static void tell_fates(const struct porter *p, const struct request_text *request, const struct peer *peer,
		       struct arena *arena, struct answer_text *answer)
{
	char name[NAME_TEXT];
	const struct asker asker = {.user = name, .level = level_of(peer)};

	name_user(peer->uid, name);
	answer->outcome = DRIVER_DONE;
	answer->fate_count = request->name_count;
	answer->fate = mem_zero(request->name_count + 1, sizeof *answer->fate);
	for (size_t i = 0; i < request->name_count; i++) {
		answer->fate[i] = fates_find(p->fates, driver_state(p->driver), &request->name[i],
					     request->outputs, arena);
		keep_private(&answer->fate[i], &asker);
	}
}

/* --- requests ----------------------------------------------------------------------------------- */

/* The descriptor that goes with the answer, or -1. */
static int answer_request(struct porter *p, struct request_text *request, const struct peer *peer,
			  struct arena *arena, struct answer_text *answer)
{
	int fd = -1;

	switch (request->kind) {
	case ASK_STATE:
		fd = state_file(driver_view(p->driver), &answer->err);
		answer->outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
		break;
	case ASK_CHANGE:
		fail_at(FAIL_SUB_AFTER_RECV);
		change(p, request, peer, arena, answer);
		break;
	case ASK_FATES:
		tell_fates(p, request, peer, arena, answer);
		break;
	case ASK_PAST:
		fd = past_of(p, &request->past, answer);
		break;
	case ASK_RELOAD:
	case ASK_STOP:
		ask_site(p, request->kind, peer, answer);
		break;
	case ASK_KIND_COUNT:
		break;
	}
	return fd;
}

static void handle(void *self, struct door_request *asked, const struct peer *peer, const void *bytes,
		   size_t size)
{
	struct porter *p = self;
	struct answer_text answer = {.outcome = DRIVER_REFUSED, .now_s = p->now_s};
	struct door_answer reply = {.fd = -1};
	struct request_text request;
	struct arena arena = {0};

	if (!p->everybody && peer->uid != geteuid() && peer->uid != 0) {
		err_set(&answer.err,
			"this scheduler is its user's own; jobs of others run where root runs it");
	} else if (request_read(bytes, size, &arena, &request, &answer.err)) {
		reply.fd = answer_request(p, &request, peer, &arena, &answer);
	}
	answer_write(&answer, &reply.bytes);
	door_answer(asked, &reply);
	str_free(&reply.bytes);
	free(answer.applied);
	free(answer.fate);
	arena_free(&arena);
}

/* All is answered at once, so nobody can leave before. */
static void gone(void *self, struct door_request *asked)
{
	(void)self;
	(void)asked;
}

/* --- the guest ---------------------------------------------------------------------------------- */

static int guest_fd(const void *self)
{
	return door_fd(((const struct porter *)self)->door);
}

static int guest_wait_ms(const void *self)
{
	return door_wait_ms(((const struct porter *)self)->door);
}

static bool guest_turn(void *self, struct driver *driver, int64_t now_s, struct err *err)
{
	struct porter *p = self;

	p->driver = driver;
	p->now_s = now_s;
	door_turn(p->door);
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

	p->everybody = setup->everybody;
	p->fates = setup->fates;
	p->store = setup->store;
	p->site = setup->site;
	p->door = door_open(setup->dir, setup->everybody, handler, err);
	if (p->door != NULL)
		return p;
	free(p);
	return NULL;
}

void porter_close(struct porter *porter)
{
	if (porter == NULL)
		return;
	door_close(porter->door);
	free(porter);
}
