/* SPDX-License-Identifier: MIT */
/*
 * request_server.h - server of client requests
 *
 * Runs as a guest in the scheduler's thread (host.h): receives requests from the door, identifies the user of
 * each, checks permissions (users.h), posts the changes, and answers when they are durable.
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
	/* Reads the configuration again and posts it. False with a sentence. NULL: no configuration file. */
	enum driver_outcome (*reload)(void *self, struct driver *driver, struct err *err);
	/* Ends the scheduler soon. NULL: not supported. */
	void (*stop)(void *self);
	void *self;
};

struct porter_setup {
	const char *dir;           /* folder of the socket */
	const struct fates *fates; /* outcomes of ended jobs; NULL = only jobs in the state are known */
	struct store *store;       /* source of journal and history; NULL = not available */
	struct porter_site site;   /* reload and stop for administrators */
	struct proxies *proxies;   /* processes of other users; outlive the server; NULL = none (door.h) */
	int listening;             /* > 0: the socket handed over by another process (door_adopt) */
	bool everybody;            /* jobs run as the submitting user, so all users may connect; else only the
				      scheduler's own user */
	int turn_ms; /* time limit of one turn; 0 = 2 ms of processor time, 50 ms of elapsed time */
};

/* Takes ownership of setup->listening, even on failure. */
struct porter *porter_open(const struct porter_setup *setup, struct err *err);

/* The server as a guest for host_setup; it must live until the host has stopped. */
struct host_guest porter_guest(struct porter *porter);

/*
 * As driver_toll; self is the server. The journal bytes of a retry are charged to the job's user, as for a
 * request.
 */
bool porter_take_toll(void *self, const struct snapshot *s, const struct job *job, int64_t bytes);
void porter_close(struct porter *porter);

/* The listening socket, which the server continues to own. */
int porter_listening(const struct porter *porter);

/* Releases the socket to another process, as door_hand_over; once the host has stopped. */
int porter_hand_over(struct porter *porter);

#endif
