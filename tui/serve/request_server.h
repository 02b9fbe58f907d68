/* SPDX-License-Identifier: MIT */
/*
 * request_server.h - server of the requests of clients
 *
 * Lives as a guest in the scheduler's thread (host.h): takes requests from the door, says who is behind each,
 * asks whether they may (users.h), posts what they want, and answers when it is durable.
 */
#ifndef SERVE_REQUEST_SERVER_H
#define SERVE_REQUEST_SERVER_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "sched/host/host.h"

struct fates;
struct store;
struct porter; /* opaque */

/* Called in the scheduler's thread. */
struct porter_site {
	/* Reads the configuration again and posts it. False with a sentence. NULL: there is none. */
	enum driver_outcome (*reload)(void *self, struct driver *driver, struct err *err);
	/* Is to end soon. NULL: it does not end like that. */
	void (*stop)(void *self);
	void *self;
};

struct porter_setup {
	const char *dir;           /* folder of the socket                                       */
	const struct fates *fates; /* what has become of jobs; NULL = of those that are here alone */
	struct store *store;       /* where the past is; NULL = nobody is told        */
	struct porter_site site;   /* what an administrator asks of the scheduler itself */
	struct proxies *proxies;   /* of other users; outlive the porter; NULL = none (door.h) */
	int listening;             /* > 0: the socket that another process handed over (door_adopt)    */
	bool everybody; /* jobs run as who submits them, so everybody may come; else only we ourselves */
	int turn_ms;    /* time for the requests of one turn; 0 = 2 ms of the processor, 50 ms of the clock */
};

/* setup->listening is taken in every case. */
struct porter *porter_open(const struct porter_setup *setup, struct err *err);

/* As a guest for host_setup; the porter must live until the host has stopped. */
struct host_guest porter_guest(struct porter *porter);

/* As driver_toll; self is the porter. What a retry adds to the journal is the job's user's, as with a
 * request. */
bool porter_take_toll(void *self, const struct snapshot *s, const struct job *job, int64_t bytes);
void porter_close(struct porter *porter);

/* The listening socket; it stays the porter's. */
int porter_listening(const struct porter *porter);

/* The socket for another process, as door_hand_over; once the host has stopped. */
int porter_hand_over(struct porter *porter);

#endif
