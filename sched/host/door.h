/* SPDX-License-Identifier: MIT */
/*
 * door.h - the socket of the scheduler
 *
 * A socket (SOCK_SEQPACKET): a request is one or more packets of at most DOOR_PACKET bytes, the
 * last marked; so is an answer. Who asks is who the kernel says (SO_PEERCRED), never what the message
 * says. What a request means is the business of a handler that is given in; the door owns
 * connections, sizes, time limits and the limits of one user. All is non-blocking and is driven by the host
 * thread's poll(): a client that sends half a message, reads slowly or does nothing loses its
 * connection after DOOR_PATIENCE_MS and costs nobody else anything. Who only waits for an answer is not
 * hurried. What the door will not do it says in a sentence, which door_ask hands on, then it closes.
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

#define DOOR_SOCKET      "sock" /* its name in the folder */
#define DOOR_PACKET      32768u
#define DOOR_REQUEST_MAX ((size_t)5 << 20) /* a submission with a script of 2 MB and its environment */
#define DOOR_PATIENCE_MS 5000

/* What others than root and the scheduler's own user may take, until door_set_limits says otherwise. */
#define DOOR_PER_USER 64                 /* connections of one user                                 */
#define DOOR_ALL      1024               /* of all; at most half of the descriptors, to leave some  */
#define DOOR_HELD     ((size_t)32 << 20) /* bytes of a user's requests and answers that are under way */
#define DOOR_RATE     200                /* requests a second of one user, also the largest burst     */

/* Who asks. */
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

struct door_request; /* opaque: one that waits for its answer */

/*
 * The meaning of requests. handle is called with a whole request; it answers at once or later with
 * door_answer(), in any order. The request and its bytes stay valid until it is answered or `gone` has
 * returned, which is called when the connection is lost first. admits decides whether a new connection is
 * taken at all; false with a sentence, which the client gets. It is not asked about root and the scheduler's
 * own user, who always are; NULL: everybody is. None of them may call door_turn or door_close.
 *
 * What the connections of a user take of the thread's processor time in door_turn is charged; while wait_ms
 * says that the user has to wait, nothing is read of the user's connections, written to them or let in. It
 * returns milliseconds, 0: no need to wait. Neither concerns root and the scheduler's own user; NULL: nobody
 * is charged.
 *
 * proxies: connections of other users are read and written by their proxies (proxy.h), so that no user
 * decides what a system call costs here. NULL: they are read and written here.
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
 * Listens at dir/sock: `everybody` 0666, else 0600. The folder must be ours and nobody else may write to it.
 * The caller holds the lock of the store: a socket that is there is a dead one's and goes.
 */
struct door *door_open(const char *dir, bool everybody, struct door_handler handler, struct err *err);
/* Answers nothing more (`gone` is called for what waits); takes the socket away unless it was handed over. */
void door_close(struct door *door);

/* What one user may take: options maxuserconnections, maxuserrequests, maxuserrequestmemory. */
struct door_limits {
	size_t connections;
	size_t held;     /* bytes of requests and answers under way */
	double requests; /* requests per second, and the maximum burst */
};
void door_set_limits(struct door *door, const struct door_limits *limits);
/* What a user has taken of each; requests: of those it may make in a burst. */
struct door_limits door_use_of(struct door *door, uid_t uid);

/* One descriptor for poll() that is readable when door_turn has something to do. */
int door_fd(const struct door *door);
/* Milliseconds until door_turn is due all the same, since somebody will have taken too long; -1 = never. */
int door_wait_ms(const struct door *door);
/* Takes new connections, reads, writes, drops; returns soon: a bounded amount of work. */
void door_turn(struct door *door);

/* The time that each part of a turn may take, instead of a few milliseconds. */
void door_set_turn(struct door *door, int64_t ms);

/* Bytes and descriptor become the door's; *answer is empty afterwards. */
void door_answer(struct door_request *request, struct door_answer *answer);

/* The listening socket; it stays the door's. */
int door_listening(const struct door *door);

/*
 * The listening socket for an exec handover, as another descriptor that stays open across it; -1 with errno.
 * Who comes in between waits in its queue; who was let in is not, and asks again. The door goes on as before
 * and leaves the socket where it is when it is closed. door_adopt takes the descriptor in the new program,
 * also when it fails.
 */
int door_hand_over(struct door *door);
struct door *door_adopt(int listening, const char *dir, struct door_handler handler, struct err *err);

/* --- the other side ------------------------------------------------------------------------ */

/*
 * Connects; -1 with a sentence and errno (ECONNREFUSED: the socket is left over, nobody runs). Who listens
 * must be root, or the same user; root goes to anybody.
 */
int door_knock(const char *dir, struct err *err);
/*
 * One request and its answer; *fd a descriptor that came along or -1. wait_ms < 0 = for ever. False with a
 * sentence and errno: the connection is shut, so that no late answer is taken for the next one's. EACCES: the
 * door refused it, nothing was done; ECONNRESET: it was lost first, whether the request was done is not
 * known, nor with any other.
 */
bool door_ask(int connection, const void *bytes, size_t size, struct str *answer, int *fd, int wait_ms,
	      struct err *err);

#endif
