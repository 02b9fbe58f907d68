/* SPDX-License-Identifier: MIT */
/*
 * request_server_inside.h - parts of the request server that its files share
 *
 *     request_server.c           what comes to the door, turn by turn
 *     request_server.c    what is to be done
 *     request_answer.c  what is only asked
 */
#ifndef SERVE_REQUEST_SERVER_INSIDE_H
#define SERVE_REQUEST_SERVER_INSIDE_H

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "admission.h"
#include "allowance.h"
#include "ended_cache.h"
#include "past.h"
#include "publisher.h"
#include "request.h"
#include "request_server.h"
#include "sched/host/door.h"
#include "users.h"

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
	struct allowance_use *use;   /* who pays for it                    */
	const void *bytes;           /* of the request, until it is read; NULL: it has been */
	size_t size;
	bool large;       /* begins a turn */
	int64_t since_ms; /* by the monotonic clock: when it came */
};

struct porter {
	struct door *door;
	struct people *people;
	struct allowance *allowance;
	struct configured *configured;
	struct handout *handout;
	struct proxies *proxies; /* the caller's; NULL = none */
	bool everybody;
	int turn_ms; /* 0 = by default */
	const struct fates *fates;
	struct store *store;
	struct rewinder *rewinder; /* NULL: nobody has asked for the past yet */
	int fd;                    /* readable when the door or the rewinder has something */
	struct porter_site site;

	/* Of the turn at hand. */
	struct driver *driver;
	int64_t now_s, now_ms;
	struct asked **asked; /* of this turn, behind those of earlier ones that wait */
	size_t count, room;
	struct err failed; /* storage failed: the sentence */

	const struct driver *watched; /* between turns as well */
	bool questions_first;         /* of this turn, among users who have used the same */
};

static inline const struct person *porter_who(const struct porter *p, const struct asked *a)
{
	return people_find(p->people, driver_view(p->driver), a->peer.uid, a->peer.gid);
}

/* The guest has its turn when this can be read. */
static inline bool porter_listen_to(struct porter *p, int fd, struct err *err)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(p->fd, EPOLL_CTL_ADD, fd, &event) == 0 ||
	       err_set(err, "the door cannot be listened to: %s", strerror(errno));
}

/* --- request_server.c --------------------------------------------------------------------------- */

/* --- request_answer.c ------------------------------------------------------------------------- */

/* Has a moment that is past put together, beside the scheduler: a->rewinding, or it is refused. */
void porter_ask_moment(struct porter *p, struct asked *a);

/* Fills the answer. The descriptor that goes with it, or -1. */
int porter_answer_question(struct porter *p, struct asked *a);

#endif
