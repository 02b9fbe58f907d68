/* SPDX-License-Identifier: MIT */
/*
 * request_server_inside.h - data shared by request_server.c and request_answer.c
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

/* A request that has been received and not answered yet. */
struct asked {
	struct door_request *request; /* NULL: the client has disconnected */
	struct peer peer;
	struct request_text text;
	struct arena arena; /* owns the memory to which text points */
	size_t events;      /* CHANGE: number of requested events */
	size_t *place; /* CHANGE, if events were left out: index in the request of each remaining event */
	struct answer_text answer;
	struct str kept; /* CHANGE: the encoded answer, remembered with the change; empty = encode `answer` */
	bool accepted;   /* the changes are made if the turn is committed */
	bool asked_before; /* a request with this cookie was accepted before, or in this turn */
	bool refused;      /* the request is refused; the reason is in answer */
	struct past_request *past_request; /* MOMENT: the request to the worker; NULL otherwise */
	struct allowance_use *use;         /* allowance record of the user who is charged */
	const void *bytes;                 /* the undecoded request; NULL: decoded, refused or disconnected */
	size_t size;
	bool large;       /* the request begins a turn */
	bool reads;       /* the request changes nothing, according to the part before its events */
	int64_t since_ms; /* time of arrival, monotonic clock */
};

struct request_server {
	struct door *door;
	struct users *users;
	struct allowance *allowance;
	struct configured *configured;
	struct publisher *publisher;
	struct proxies *proxies; /* owned by the caller; NULL = none */
	bool everybody;
	int turn_ms; /* see struct request_server_setup */
	const struct ended_cache *ended_cache;
	struct store *store;
	struct past_worker *past_worker; /* NULL: no past state requested yet */
	int fd;                          /* readable when the door or the worker for past states has news */
	struct request_server_site site;

	/* These belong to the current turn. */
	struct driver *driver;
	int64_t now_s, now_ms;
	struct asked **asked; /* waiting requests of earlier turns, then the requests of this turn */
	size_t count, room;
	struct err failed;           /* the reason, if storage failed; else empty */
	struct allowance_use *large; /* the user of the large request of this turn; NULL = there is none */
	int64_t large_ns;            /* monotonic clock at its beginning */

	const struct driver *watched; /* the driver, also between turns */
	bool questions_first; /* in this turn, answerable requests come before undecoded ones of equal rank */
};

static inline const struct person *request_server_person(const struct request_server *p,
							 const struct asked *a)
{
	return users_find(p->users, driver_view(p->driver), a->peer.uid, a->peer.gid);
}

/* Makes p->fd readable whenever fd is readable. Returns false with err set on failure. */
static inline bool request_server_listen_to(struct request_server *p, int fd, struct err *err)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(p->fd, EPOLL_CTL_ADD, fd, &event) == 0 ||
	       err_set(err, "cannot listen for requests: %s", strerror(errno));
}

/* Requests a past state from the worker: sets a->past_request, or refuses the request. */
void request_server_ask_moment(struct request_server *p, struct asked *a);

/* Sets a->answer. Returns the descriptor to send with the answer; -1: none. */
int request_server_answer(struct request_server *p, struct asked *a);

#endif
