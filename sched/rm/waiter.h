/* SPDX-License-Identifier: MIT */
/*
 * waiter.h - how does a job get the descriptors of one who waits for it (`kahu run`)?
 *
 * The client listens on a socket (SOCK_SEQPACKET, in a folder that only its user can use) and writes
 * the path and a random key into the launch. The shepherd, as the user, connects to it, names the job and
 * gets three descriptors: input, output, errors (SCM_RIGHTS); with a pty they are its other end, which
 * becomes the job's terminal. The client passes on the signals that it gets. At the end the shepherd sends
 * how the job ended. From the start of the job on a process that runs as the user, the relay, is between the
 * two. So neither a byte nor a signal goes through the scheduler, which may die meanwhile. A client that
 * closes the connection before the end wants the job no more.
 *
 *     shepherd -> client   "job 12.1 HALF"                  the first half of the key
 *     client -> shepherd   "go HALF"                        the second one, with three descriptors
 *     client -> shepherd   "signal NUMBER"                  as often as it likes
 *     shepherd -> client   "ended REASON STATUS SENTENCE"   as spool.h has them
 *
 * A job may start long after its client has ended, when any user can listen at that path. So the shepherd
 * first checks that the folder and the listening process belong to the user; the key distinguishes the client
 * from other processes of that user. Launches of earlier versions have no key, and their clients expect none:
 * the messages are then without it.
 */
#ifndef RM_WAITER_H
#define RM_WAITER_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "spool.h"

/* --- for the shepherd ---------------------------------------------------------------------- */

#define WAITER_KEY 64 /* hexadecimal digits */

/* Is it as waiter_make_key makes one? */
bool waiter_is_key(const char *key);

/* What a launch says of its client. */
struct waiter_call {
	const char *path, *key; /* key: NULL of an earlier version */
	uint64_t job;
	uint32_t attempt;
};

/*
 * Connects, asks and gets in[0..2]; the answer is the connection, -1 with a sentence. Waits 10 s at most.
 * Only for a process that runs as the user: nobody but this user may listen there, and to close the
 * connection may take long (fd_passing.h), so one that carries more stays open.
 */
int waiter_ask(const struct waiter_call *call, int in[static 3], struct err *err);

enum waiter_word {
	WAITER_SILENT, /* nothing more for now                   */
	WAITER_SIGNAL, /* the job is to get this signal          */
	WAITER_GONE    /* the client is gone, or has sent nonsense */
};
/* What the client has said since the last call; does not block. Here and below the connection is the one to
 * the relay. */
enum waiter_word waiter_listen_to(int connection, int *signal_number);

/* Ends the connection, which stays open. */
void waiter_leave(int connection);

/* Says how it ended and leaves; nobody may be there any more. */
void waiter_tell(int connection, const struct spool_ended *ended);

/* --- for who waits --------------------------------------------------------------------------- */

/* A new key. False with a sentence. */
bool waiter_make_key(char out[static WAITER_KEY + 1], struct err *err);
/* Listens at path. -1 with a sentence. */
int waiter_listen(const char *path, struct err *err);
/* Takes the connection that is there, checks that it names this job, and passes the descriptors; else -1. */
int waiter_accept(int listening, const char *key, uint64_t job, const int out[static 3], struct err *err);
/* Passes a signal on to the job; false: the shepherd is gone. */
bool waiter_signal(int connection, int signal_number);
/* Waits for how it ended: reason, status and text of *out. False: the shepherd is gone without a word. */
bool waiter_hear(int connection, struct spool_ended *out);

#endif
