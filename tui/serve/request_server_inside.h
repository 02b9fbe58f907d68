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

/* A request of the current turn. */
struct asked {
	struct door_request *request; /* NULL: the client has disconnected */
	struct peer peer;
	struct request_text text;
	struct arena arena; /* owner of the memory to which text points */
	size_t events;      /* CHANGE: number of requested events */
	size_t *place;      /* CHANGE, if events were left out: original position of each remaining event */
	struct answer_text answer;
	struct str kept;   /* CHANGE: the answer as remembered with the change; empty = use answer */
	bool accepted;     /* happens if the turn is committed */
	bool asked_before; /* was made before, or is made in this turn by the same cookie */
	bool refused;      /* the reason is in answer */
	struct past_request *past_request; /* MOMENT: in progress; NULL otherwise */
	struct allowance_use *use;         /* record of the user who is charged */
	const void *bytes;                 /* undecoded request; NULL: decoded */
	size_t size;
	bool large;       /* begins a turn */
	bool reads;       /* a question that changes nothing, as its head says */
	int64_t since_ms; /* time of arrival, monotonic clock */
};

struct request_server {
	struct door *door;
	struct users *users;
	struct allowance *allowance;
	struct configured *configured;
	struct publisher *publisher;
	struct proxies *proxies; /* the caller's; NULL = none */
	bool everybody;
	int turn_ms; /* 0 = default */
	const struct ended_cache *ended_cache;
	struct store *store;
	struct past_worker *past_worker; /* NULL: no past state requested yet */
	int fd; /* readable when the door or the thread for past states has something */
	struct request_server_site site;

	/* Of the current turn. */
	struct driver *driver;
	int64_t now_s, now_ms;
	struct asked **asked; /* the requests of this turn, after those of earlier turns that wait */
	size_t count, room;
	struct err failed; /* storage failed: the reason */

	const struct driver *watched; /* also valid between turns */
	bool questions_first;         /* in this turn, for users who have used the same */
};

static inline const struct person *request_server_person(const struct request_server *p,
							 const struct asked *a)
{
	return users_find(p->users, driver_view(p->driver), a->peer.uid, a->peer.gid);
}

/* Makes the guest's descriptor readable whenever fd is. */
static inline bool request_server_listen_to(struct request_server *p, int fd, struct err *err)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(p->fd, EPOLL_CTL_ADD, fd, &event) == 0 ||
	       err_set(err, "the door cannot be listened to: %s", strerror(errno));
}

/* Starts making a past state in the background: sets a->past_request or refuses the request. */
void request_server_ask_moment(struct request_server *p, struct asked *a);

/* Fills the answer. Returns the descriptor to send with it, or -1. */
int request_server_answer(struct request_server *p, struct asked *a);

#endif
