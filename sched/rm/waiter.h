/* SPDX-License-Identifier: MIT */
/*
 * waiter.h - connection between a job and the client that waits for it (`kahu run`)
 *
 * The client listens on a SOCK_SEQPACKET socket in a folder that only its user can access, and writes the
 * path and a random key into the launch. A child of the shepherd connects to the socket as the submitting
 * user, identifies the job and receives three descriptors (SCM_RIGHTS): standard input, output and error.
 * With a pty, all three are its slave side, which becomes the job's controlling terminal. The client forwards
 * the signals that it receives to the shepherd, and at the end the shepherd reports how the job ended. From
 * the start of the job on, a process that runs as the user, the relay, forwards the messages between shepherd
 * and client. Neither data nor signals pass through the scheduler, which may be restarted meanwhile. A client
 * that closes the connection before the job has ended cancels the job.
 *
 *     shepherd -> client   "job 12.1 HALF"                  the first half of the key
 *     client -> shepherd   "go HALF"                        the second half, with three descriptors
 *     client -> shepherd   "signal NUMBER"                  any number of times
 *     shepherd -> client   "ended REASON STATUS SENTENCE"   as in spool.h
 *
 * A job may start long after its client has exited, and by then any user may be listening at the path. So the
 * shepherd's side first checks that the folder and the listening process belong to the user; the key
 * distinguishes the client from other processes of this user. Launches of earlier versions have no key, and
 * the messages to and from their clients contain none.
 */
#ifndef RM_WAITER_H
#define RM_WAITER_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "spool.h"

/* --- for the shepherd ---------------------------------------------------------------------- */

#define WAITER_KEY 64 /* number of hexadecimal digits of a key */

/* Does the text have the format of a key from waiter_make_key()? */
bool waiter_is_key(const char *key);

/* The client that a launch names, and the job that calls it. */
struct waiter_call {
	const char *path, *key; /* key: NULL in a launch of an earlier version */
	uint64_t job;
	uint32_t attempt;
};

/*
 * Connects to the client, identifies the job and receives in[0..2]. Returns the connection, or -1 with a
 * message. Waits at most 10 s. The calling process must run as the job's user: only a process of its own user
 * may listen at the path. If the client has sent further descriptors, the connection stays open after a
 * failure, because closing it may take long (fd_passing.h).
 */
int waiter_ask(const struct waiter_call *call, int in[static 3], struct err *err);

enum waiter_word {
	WAITER_SILENT, /* no message */
	WAITER_SIGNAL, /* the client requests a signal for the job */
	WAITER_GONE    /* the client has closed the connection or sent an invalid message */
};
/*
 * Reads the next message of the client without blocking, and returns its kind. For this function and the next
 * two, `connection` is the shepherd's connection to the relay.
 */
enum waiter_word waiter_listen_to(int connection, int *signal_number);

/* Shuts down the connection; the descriptor stays open. */
void waiter_leave(int connection);

/* Reports how the job ended, and shuts down the connection. The client may already be gone. */
void waiter_tell(int connection, const struct spool_ended *ended);

/* --- for the waiting client ------------------------------------------------------------------ */

/* Creates a random key. Returns false with a message on failure. */
bool waiter_make_key(char out[static WAITER_KEY + 1], struct err *err);
/* Listens on a socket at `path`. Returns its descriptor, or -1 with a message. */
int waiter_listen(const char *path, struct err *err);
/*
 * Accepts a connection, checks that it comes from this job, and passes the descriptors. Returns the
 * connection, or -1 with a message.
 */
int waiter_accept(int listening, const char *key, uint64_t job, const int out[static 3], struct err *err);
/* Forwards a signal to the job. Returns false if the connection is closed. */
bool waiter_signal(int connection, int signal_number);
/*
 * Waits until the job has ended and sets reason, status and text of *out. Returns false if the connection is
 * closed before the end is reported.
 */
bool waiter_hear(int connection, struct spool_ended *out);

#endif
