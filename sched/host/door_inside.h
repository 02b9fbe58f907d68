/* SPDX-License-Identifier: MIT */
/*
 * door_inside.h - private interface of the door's files
 *
 * door.c has the socket, the limits of users and the turns; door_connection.c serves one connection. A lost
 * connection becomes GONE at once, but is freed only at the end of the turn, so that code that is using the
 * connection, or a list of connections, can continue.
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
	WAITS, /* the handler has the request; the answer is pending */
	WRITES,
	GONE
};

/* What one user uses. */
struct door_user {
	uid_t uid;
	bool trusted;       /* root or the scheduler's own user: no limits apply */
	size_t connections; /* open connections, not counting GONE ones */
	size_t parked;      /* accepted connections that wait for a later turn */
	uint64_t turn;      /* last turn in which connections of the user were let in */
	unsigned let_in;    /* number of connections let in during that turn */
	uint64_t served;    /* the last turn that served a connection of the user */
	size_t held;        /* bytes of the user's pending requests and answers */
	double requests;    /* tokens at at_ms; limits.requests tokens are added per second */
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
	size_t sent;       /* number of bytes of `out` that have been sent */
	int out_fd;        /* sent with the first packet of the answer; -1 = none */
	bool asked;        /* the client has sent a request */
	bool refused;      /* out is a refusal; the connection closes after it */
	int64_t since_ms;  /* time at which `doing` last changed */
	int64_t until_ms;  /* end of the time limit; INT64_MAX in state WAITS */
	int64_t paused_ms; /* time until which the connection is not served; 0 = not paused */
	uint64_t served;   /* the last turn in which the connection was served */
	unsigned small;    /* number of small packets of the request, not counting its last packet */
	struct door_request *request; /* NULL except in state WAITS */
};

/*
 * An accepted connection that will be served in a later turn, because its user has used up this turn's share
 * or has to wait.
 */
struct parked {
	int fd;
	struct peer peer;
	int64_t until_ms; /* time until which its user has to wait; 0 = no need to wait */
};

struct door {
	struct door_handler handler;
	int folder, listening, epoll;
	bool handed_over;
	int64_t again_ms; /* time to listen again after descriptors ran out; 0 = the door is listening */
	struct connection **connection; /* the oldest first */
	size_t count, cap, gone;        /* gone: number of connections that are GONE */
	struct door_user **user;
	size_t users, user_cap;
	struct parked *parked; /* the oldest first */
	size_t parked_count, parked_cap;
	size_t held;          /* bytes of pending requests and answers of all users */
	size_t paused;        /* number of paused connections */
	int64_t charged_ns;   /* the thread's processor time at the last charge */
	uint64_t turn;        /* number of the current turn */
	struct rlimit before; /* the limit on descriptors to restore when the reserve is no longer withheld */
	bool withheld; /* the reserve is withheld; this changes as rarely as possible, to save system calls */
	/* Limits as in door.h; tests set smaller ones. */
	struct door_limits limits;
	int64_t elapsed_ms; /* time limit of a turn for new connections, and again for open ones */
	int64_t accepts_ns; /* processor time of a turn for new connections */
	int64_t served_ns;  /* processor time of a turn for open connections */
	int64_t patience_ms;
	size_t most; /* maximum number of connections of all users */
	struct deferred_closes deferred;
};

/* Maximum number of new connections of one user that are let in per turn; it bounds the cost of a flood. */
#define TURN_USER_NEW 16

/*
 * Returns the record of a user, and creates it if necessary. A record exists while the user has open or
 * parked connections, or a token bucket that is not full.
 */
struct door_user *user_of(struct door *door, uid_t uid);

/* Takes a token for a request. Returns false if the user has exceeded the request rate. */
bool user_may_ask(const struct door *door, struct door_user *user, int64_t now_ms);

/* Adds a connection, which owns fd. Returns NULL if fd cannot be watched; fd is then closed. */
struct connection *connection_new(struct door *door, int fd, bool by_proxy, const struct peer *peer);

/* Sends the sentence as a refusal, then closes the connection. */
void connection_refuse(struct connection *c, const char *sentence);

/*
 * Handles these epoll events of a connection that is not GONE: reads or writes a few packets, and passes on
 * at most one request.
 */
void connection_serve(struct connection *c, uint32_t events);

/* Suspends service of the connection until until_ms. Its time limit starts again in connection_resume. */
void connection_pause(struct connection *c, int64_t until_ms);
void connection_resume(struct connection *c);

/* Closes the connection, which becomes GONE. If it has a pending request, the handler's `gone` is called. */
void connection_drop(struct connection *c);

#endif
