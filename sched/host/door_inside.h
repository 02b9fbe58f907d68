/* SPDX-License-Identifier: MIT */
/*
 * door_inside.h - what do the files of the door share?
 *
 * door.c has the socket and the turns, door_connection.c one connection, door_user.c what one user has
 * taken. A connection that is lost is GONE at once and freed by the door at the end of its turn, so whoever
 * is at work on it or on a list of connections can go on.
 */
#ifndef HOST_DOOR_INSIDE_H
#define HOST_DOOR_INSIDE_H

#include <sys/resource.h>

#include "door.h"
#include "proxy.h"
#include "sched/rm/carried.h"

enum doing {
	IDLE,
	READS,
	WAITS, /* for its answer */
	WRITES,
	GONE
};

/* What one user has taken. */
struct door_user {
	uid_t uid;
	bool trusted;       /* root and the scheduler's own user: without limits */
	size_t connections; /* those that are not GONE                           */
	size_t parked;      /* accepted, and let in by a later turn              */
	uint64_t turn;      /* the last in which any was let in ...              */
	unsigned let_in;    /* ... and how many were                             */
	size_t held;        /* bytes of its requests and answers                 */
	double requests;    /* it may still ask at at_ms; limits.requests more a second */
	int64_t at_ms;
};

struct door_request {
	struct connection *of;
};

struct connection {
	struct door *door;
	int fd;
	bool by_proxy; /* fd leads to the proxy of its user */
	enum doing doing;
	uint32_t wanted; /* events that epoll tells of */
	struct peer peer;
	struct door_user *user;
	struct str in, out;
	size_t sent;                  /* of out                                                    */
	int out_fd;                   /* goes with the first packet of the answer; -1 = none       */
	bool asked;                   /* it has had a request                                      */
	bool refused;                 /* out is a sentence of the door; then it closes             */
	int64_t since_ms;             /* in this state                                             */
	int64_t until_ms;             /* patience; INT64_MAX: it waits, and not for its own doing  */
	int64_t paused_ms;            /* nothing is done for it until then; 0 = it is not paused   */
	unsigned small;               /* packets of the request that are small and not the last    */
	struct door_request *request; /* NULL unless it waits                                      */
};

/* An accepted connection whose user has used up the turn; a later turn opens it. */
struct parked {
	int fd;
	struct peer peer;
	int64_t until_ms; /* its user has to wait; 0 = not so */
};

struct door {
	struct door_handler handler;
	int folder, listening, epoll;
	bool handed_over;
	int64_t again_ms; /* it does not listen until then, for want of descriptors; 0 = it listens */
	struct connection **connection; /* the oldest first */
	size_t count, room, gone;       /* gone: how many of them are */
	struct door_user **user;
	size_t users, user_room;
	struct parked *parked; /* the oldest first */
	size_t parked_count, parked_room;
	size_t paused;        /* connections that are */
	int64_t charged_ns;   /* of the thread's processor time in this turn, up to here */
	uint64_t turn;        /* the number of this one                                   */
	struct rlimit before; /* without the reserve of descriptors, if it is withheld    */
	bool withheld;        /* the reserve; kept during a turn to save system calls     */
	/* Limits, as in door.h; tests have less of each. */
	struct door_limits limits;
	int64_t patience_ms;
	size_t most; /* connections of all */
	struct carried carried;
};

/* New connections of one user that a turn opens, which bounds the share of a flood. */
#define TURN_USER_NEW 16

/* --- door_user.c ----------------------------------------------------------------------------- */

/* The user's record; it is there until it has no connection, parked or not, and might ask in full again. */
struct door_user *user_of(struct door *door, uid_t uid);

/* Root and the scheduler's own user. */
bool user_is_trusted(uid_t uid);

/* Takes one request off what it may ask; false: it asks too fast. */
bool user_may_ask(const struct door *door, struct door_user *user, int64_t now_ms);

/* --- door_connection.c ------------------------------------------------------------------------- */

/* Whose descriptor is the door's from now on. NULL: it cannot be watched, and is closed. */
struct connection *connection_new(struct door *door, int fd, bool by_proxy, const struct peer *peer);

/* Says a sentence, then closes. */
void connection_refuse(struct connection *c, const char *sentence);

/* Does what these events of epoll allow to a connection that has not gone: a few packets, one request. */
void connection_serve(struct connection *c, uint32_t events);

/* Does nothing for it until then, and then is as patient as at first. */
void connection_pause(struct connection *c, int64_t until_ms);
void connection_resume(struct connection *c);

/* It is GONE; who has its request is told. */
void connection_drop(struct connection *c);

#endif
