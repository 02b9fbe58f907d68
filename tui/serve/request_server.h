/* SPDX-License-Identifier: MIT */
/*
 * request_server.h - server of client requests
 *
 * Runs as a guest in the scheduler's thread (host.h): receives requests from the door, identifies the user of
 * each request, checks permissions (users.h), posts the changes, and answers when the changes are durable.
 */
#ifndef SERVE_REQUEST_SERVER_H
#define SERVE_REQUEST_SERVER_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "sched/host/host.h"

struct ended_cache;
struct store;
struct request_server; /* opaque */

/* Operations that the program provides. They are called in the scheduler's thread. */
struct request_server_site {
	/* Reads the configuration again and posts it; sets err unless it returns DRIVER_DONE. NULL: there is
	 * no configuration file. */
	enum driver_outcome (*reload)(void *self, struct driver *driver, struct err *err);
	/* Requests the end of the scheduler. NULL: not supported. */
	void (*stop)(void *self);
	void *self;
};

struct request_server_setup {
	const char *dir; /* folder of the socket */
	const struct ended_cache
		*ended_cache;            /* outcomes of ended jobs; NULL = only jobs in the state are known */
	struct store *store;             /* source of journal and history; NULL = not available */
	struct request_server_site site; /* reload and stop for administrators */
	struct proxies *proxies; /* processes of other users (door.h); outlive the server; NULL = none */
	int listening;           /* > 0: socket handed over by another process (door_adopt) */
	bool everybody;          /* all users may connect; otherwise only the scheduler's own user may */
	int turn_ms;      /* time to answer in one turn; 0 = 2 ms of processor, 50 ms of elapsed time */
	int door_turn_ms; /* time to collect requests in one turn (door_set_turn); 0 = the door's default */
};

/* Takes ownership of setup->listening, even on failure. */
struct request_server *request_server_open(const struct request_server_setup *setup, struct err *err);

/* Returns the server as a guest for host_setup; it must live until the host has stopped. */
struct host_guest request_server_guest(struct request_server *server);

/*
 * A driver_toll; self is the server. Charges the journal bytes of a retry to the job's user, as for a
 * request. Returns false if the user has too few bytes left.
 */
bool request_server_take_toll(void *self, const struct snapshot *s, const struct job *job, int64_t bytes);
void request_server_close(struct request_server *server);

/* Returns the listening socket, which the server still owns. */
int request_server_listening(const struct request_server *server);

/* Hands the socket over to another process, as door_hand_over. To be called after the host has stopped. */
int request_server_hand_over(struct request_server *server);

#endif
