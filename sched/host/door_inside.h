/* SPDX-License-Identifier: MIT */
/*
 * door_inside.h - private interface of the door's files
 *
 * door.c has the socket, the limits of users and the turns; door_connection.c serves one connection. A
 * connection that is lost becomes GONE at once and is freed at the end of the turn, so that code that works
 * on it or on a list of connections can continue.
 */
#ifndef HOST_DOOR_INSIDE_H
#define HOST_DOOR_INSIDE_H

#include <sys/resource.h>

#include "door.h"
#include "proxy.h"
#include "sched/rm/fd_passing.h"

enum doing {
	IDLE,
	READS,
	WAITS, /* for its answer */
	WRITES,
	GONE
};

/* Use by one user. */
struct door_user {
	uid_t uid;
	bool trusted;       /* root and the scheduler's own user: without limits     */
	size_t connections; /* without those that are GONE                           */
	size_t parked;      /* accepted connections that a later turn opens          */
	uint64_t turn;      /* the last turn that opened connections of the user ... */
	unsigned let_in;    /* ... and how many                                      */
	uint64_t served;    /* the last turn that served a connection of the user    */
	size_t held;        /* bytes of its requests and answers                     */
	double requests;    /* tokens at at_ms; limits.requests are added per second */
	int64_t at_ms;
};

struct door_request {
	struct connection *of;
};

struct connection {
	struct door *door;
	int fd;
	bool by_proxy; /* fd is connected to the proxy of the user */
	enum doing doing;
	uint32_t wanted; /* epoll events */
	struct peer peer;
	struct door_user *user;
	struct str in, out;
	size_t sent;                  /* of out                                                    */
	int out_fd;                   /* goes with the first packet of the answer; -1 = none       */
	bool asked;                   /* it has sent a request                                     */
	bool refused;                 /* out is a refusal; the connection closes after it          */
	int64_t since_ms;             /* start of this state                                       */
	int64_t until_ms;             /* timeout; INT64_MAX while it waits for its answer          */
	int64_t paused_ms;            /* not served until then; 0 = not paused                     */
	uint64_t served;              /* the last turn that served it                              */
	unsigned small;               /* packets of the request that are small and not the last    */
	struct door_request *request; /* NULL unless it waits for its answer                       */
};

/*
 * An accepted connection that will be served in a later turn, because its user has used up this turn's share
 * or has to wait.
 */
struct parked {
	int fd;
	struct peer peer;
	int64_t until_ms; /* its user has to wait until then; 0 = no */
};

struct door {
	struct door_handler handler;
	int folder, listening, epoll;
	bool handed_over;
	int64_t again_ms; /* it does not listen until then for lack of descriptors; 0 = it listens */
	struct connection **connection; /* the oldest first */
	size_t count, cap, gone;        /* gone: number of GONE ones */
	struct door_user **user;
	size_t users, user_cap;
	struct parked *parked; /* the oldest first */
	size_t parked_count, parked_cap;
	size_t paused;        /* number of paused connections                            */
	int64_t charged_ns;   /* the thread's processor time at the last charge          */
	uint64_t turn;        /* number of this turn                                     */
	struct rlimit before; /* the limit of descriptors while the reserve is withheld  */
	bool withheld;        /* the reserve; kept during a turn to save system calls    */
	/* Limits as in door.h; tests use smaller ones. */
	struct door_limits limits;
	int64_t elapsed_ms; /* of a turn, for new connections and for others: each */
	int64_t accepts_ns; /* of the processor, in a turn, for new connections    */
	int64_t served_ns;  /* likewise, for others                                */
	int64_t patience_ms;
	size_t most; /* connections of all users */
	struct deferred_closes deferred;
};

/* New connections of one user that a turn opens; it bounds the cost of a flood. */
#define TURN_USER_NEW 16

/* The user's record, which exists while the user has connections, parked or open, or the bucket is not full.
 */
struct door_user *user_of(struct door *door, uid_t uid);

/* Takes a token for a request; false: the user exceeds the request rate. */
bool user_may_ask(const struct door *door, struct door_user *user, int64_t now_ms);

/* Takes ownership of the descriptor. NULL: it cannot be watched, and is closed. */
struct connection *connection_new(struct door *door, int fd, bool by_proxy, const struct peer *peer);

/* Sends a refusal, then closes. */
void connection_refuse(struct connection *c, const char *sentence);

/* Handles these epoll events of a connection that is not GONE: a few packets, at most one request. */
void connection_serve(struct connection *c, uint32_t events);

/* Stops serving it until then; the timeout starts again when it is resumed. */
void connection_pause(struct connection *c, int64_t until_ms);
void connection_resume(struct connection *c);

/* Makes it GONE and informs the holder of its request. */
void connection_drop(struct connection *c);

#endif
