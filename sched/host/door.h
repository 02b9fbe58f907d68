/* SPDX-License-Identifier: MIT */
/*
 * door.h - the socket of the scheduler
 *
 * The socket is of type SOCK_SEQPACKET. A request, like an answer, consists of one or more packets of at most
 * DOOR_PACKET bytes, of which the last one is marked. The kernel identifies the client (SO_PEERCRED); nothing
 * in a message does. A handler, which the caller provides, processes the requests. The door manages
 * connections and enforces limits on message sizes, on time, and on each user. Nothing here blocks; the
 * host's thread calls the door when poll() reports its descriptor. A client that sends half a message, reads
 * slowly or stays idle loses its connection after DOOR_PATIENCE_MS and does not delay other clients. There is
 * no time limit for waiting for an answer. When the door refuses a request or a connection, it sends a
 * sentence, which door_ask returns to its caller, and closes the connection.
 *
 *     packet = u32 magic "KHD1", u8 kind (0 data, 1 the door's refusal), u8 last (0 1), u16 zero, then bytes
 */
#ifndef HOST_DOOR_H
#define HOST_DOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

#define DOOR_SOCKET      "sock" /* name of the socket in its folder */
#define DOOR_PACKET      32768u
#define DOOR_REQUEST_MAX ((size_t)5 << 20) /* maximum bytes; enough for the largest launch (launch.h) */
#define DOOR_PATIENCE_MS 5000

/* Default limits on users other than root and the scheduler's own user; door_set_limits replaces them. */
#define DOOR_PER_USER 64                 /* maximum number of connections of one user */
#define DOOR_ALL      1024               /* maximum number of connections; at most half of all descriptors */
#define DOOR_HELD     ((size_t)32 << 20) /* maximum bytes of a user's pending requests and answers */
#define DOOR_RATE     200                /* requests per second of one user, and the maximum burst */

/*
 * While other users together hold more than DOOR_CROWDED bytes of pending requests and answers, a user may
 * hold at most DOOR_CROWDED_EACH, so that the memory of all requests does not grow with the number of users.
 */
#define DOOR_CROWDED      ((size_t)4 << 20)
#define DOOR_CROWDED_EACH ((size_t)5 << 18) /* more than a new submission with its script may have */

/* The process at the other end of a connection. */
struct peer {
	uid_t uid;
	gid_t gid;
	pid_t pid;
};

/* An answer: bytes, and at most one descriptor. */
struct door_answer {
	struct str bytes;
	int fd; /* -1 = none */
};

struct door_request; /* opaque: a request that waits for its answer */

/*
 * Callbacks of the door. None of them may call door_turn or door_close.
 *
 * handle: processes a complete request. It calls door_answer() at once or later; requests may be answered in
 * any order. The request and its bytes stay valid until it is answered or `gone` has returned.
 *
 * gone: the connection was lost before the request was answered.
 *
 * admits: may this peer connect? If it returns false, err is sent to the client. NULL: every peer may
 * connect. Root and the scheduler's own user are always admitted, without a call.
 *
 * charge: the connections of this user have used this much processor time of the thread in door_turn. NULL:
 * no user is charged.
 *
 * wait_ms: for how many milliseconds the user has to wait; 0: not at all. In this time no connection of the
 * user is accepted, read or written. NULL: no user has to wait. charge and wait_ms are not called for root
 * and the scheduler's own user.
 *
 * proxies: connections of other users are read and written by their proxies (proxy.h), so that no user can
 * make system calls of this process slow. NULL: this process reads and writes them.
 */
struct door_handler {
	void (*handle)(void *self, struct door_request *request, const struct peer *peer, const void *bytes,
		       size_t size);
	void (*gone)(void *self, struct door_request *request);
	void *self;
	bool (*admits)(void *self, const struct peer *peer, struct err *err);
	void (*charge)(void *self, const struct peer *peer, int64_t ns);
	int64_t (*wait_ms)(void *self, const struct peer *peer);
	struct proxies *proxies;
};

struct door; /* opaque */

/*
 * Listens on dir/sock, with mode 0666 if `everybody` is set, else 0600. The folder must be owned by the user
 * of this process and must not be writable by group or others. The caller holds the lock of the store, so an
 * existing socket belongs to a scheduler that has exited; it is replaced. Returns NULL with err set on
 * failure.
 */
struct door *door_open(const char *dir, bool everybody, struct door_handler handler, struct err *err);
/*
 * Closes the door. Waiting requests are not answered (`gone` is called for each). Removes the socket unless
 * it was handed over.
 */
void door_close(struct door *door);

/* Limits on one user, from the options maxuserconnections, maxuserrequests and maxuserrequestmemory. */
struct door_limits {
	size_t connections;
	size_t held;     /* bytes of pending requests and answers */
	double requests; /* requests per second, and the maximum burst */
};
void door_set_limits(struct door *door, const struct door_limits *limits);
/* Returns what a user currently uses of each limit; `requests` is the used part of the burst. */
struct door_limits door_use_of(struct door *door, uid_t uid);

/* Returns a descriptor for poll() that is readable when door_turn has something to do. */
int door_fd(const struct door *door);
/*
 * Returns the milliseconds until door_turn is due because a time limit expires, even if door_fd stays
 * unreadable; -1 = never.
 */
int door_wait_ms(const struct door *door);
/*
 * Accepts connections, reads requests, writes answers, and drops connections whose time limit has expired.
 * The work of one call is bounded.
 */
void door_turn(struct door *door);

/* Sets the time that each part of a turn may take, instead of a few milliseconds. */
void door_set_turn(struct door *door, int64_t ms);

/* Answers a request. The door takes over the bytes and the descriptor; *answer is empty afterwards. */
void door_answer(struct door_request *request, struct door_answer *answer);

/* Returns the listening socket, which the door continues to own. */
int door_listening(const struct door *door);

/*
 * Returns a copy of the listening socket that stays open across exec, for a handover to a new program; -1
 * with errno set on failure. Clients that connect during the handover wait in the backlog; clients that are
 * already connected lose their connections and must repeat their requests. The door continues to work, and
 * door_close then leaves the socket in its folder. In the new program, door_adopt takes over the descriptor,
 * even if it fails (NULL).
 */
int door_hand_over(struct door *door);
struct door *door_adopt(int listening, const char *dir, struct door_handler handler, struct err *err);

/* --- client side ------------------------------------------------------------------------ */

/*
 * Connects to the scheduler at dir. On failure returns -1 with err and errno set (ECONNREFUSED: the socket
 * exists, but no scheduler listens). The scheduler must run as root or as the user of this process.
 */
int door_knock(const char *dir, struct err *err);
/*
 * Sends one request and appends its answer. *fd becomes the descriptor that came with the answer, or -1.
 * wait_ms < 0: waits without a limit. On failure returns false with err and errno set, and shuts down the
 * connection, so that a late answer is not taken for that of the next request. EACCES: the door refused the
 * request, and nothing was done. With any other error it is unknown whether the request was carried out.
 */
bool door_ask(int connection, const void *bytes, size_t size, struct str *answer, int *fd, int wait_ms,
	      struct err *err);

#endif
