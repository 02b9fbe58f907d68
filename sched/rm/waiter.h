/* SPDX-License-Identifier: MIT */
/*
 * waiter.h - connection between a job and the client that waits for it (`kahu run`)
 *
 * The client listens on a SOCK_SEQPACKET socket in a folder that only its user can access, and writes the
 * path and a random key into the launch. The shepherd connects to it as the submitting user, identifies the
 * job and receives three descriptors (SCM_RIGHTS): standard input, output and error. With a pty they are its
 * slave side, which becomes the job's controlling terminal. The client forwards the signals that it receives,
 * and at the end the shepherd sends how the job ended. From the start of the job on, a process that runs as
 * the user, the relay, is between the two. Neither data nor signals pass through the scheduler, which may
 * stop meanwhile. A client that closes the connection before the end cancels the job.
 *
 *     shepherd -> client   "job 12.1 HALF"                  the first half of the key
 *     client -> shepherd   "go HALF"                        the second half, with three descriptors
 *     client -> shepherd   "signal NUMBER"                  any number of times
 *     shepherd -> client   "ended REASON STATUS SENTENCE"   as in spool.h
 *
 * A job may start long after its client has ended, when any user can listen at that path. So the shepherd
 * first checks that the folder and the listening process belong to the user; the key distinguishes the client
 * from other processes of that user. Launches of earlier versions have no key, and the messages to their
 * clients contain none.
 */
#ifndef RM_WAITER_H
#define RM_WAITER_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "spool.h"

/* --- for the shepherd ---------------------------------------------------------------------- */

#define WAITER_KEY 64 /* hexadecimal digits */

/* Does it have the format of waiter_make_key()? */
bool waiter_is_key(const char *key);

/* The client, as named in a launch. */
struct waiter_call {
	const char *path, *key; /* key: NULL in a launch of an earlier version */
	uint64_t job;
	uint32_t attempt;
};

/*
 * Connects, identifies the job and receives in[0..2]. Returns the connection, or -1 with a message. Waits at
 * most 10 s. Only for a process that runs as the user: nobody but this user may listen there, and closing the
 * connection may take long (fd_passing.h), so a connection with further descriptors stays open.
 */
int waiter_ask(const struct waiter_call *call, int in[static 3], struct err *err);

enum waiter_word {
	WAITER_SILENT, /* no message */
	WAITER_SIGNAL, /* a signal for the job */
	WAITER_GONE    /* the client has closed or sent an invalid message */
};
/* Returns the next message of the client without blocking. Here and below the connection is the one to the
 * relay. */
enum waiter_word waiter_listen_to(int connection, int *signal_number);

/* Shuts down the connection; the descriptor stays open. */
void waiter_leave(int connection);

/* Sends how the job ended and shuts down. The client may be gone. */
void waiter_tell(int connection, const struct spool_ended *ended);

/* --- for who waits --------------------------------------------------------------------------- */

/* Creates a new key. False with a message. */
bool waiter_make_key(char out[static WAITER_KEY + 1], struct err *err);
/* Listens at path. Returns a descriptor, or -1 with a message. */
int waiter_listen(const char *path, struct err *err);
/* Accepts a connection, checks that it identifies this job, and passes the descriptors. Returns the
 * connection, or -1 with a message. */
int waiter_accept(int listening, const char *key, uint64_t job, const int out[static 3], struct err *err);
/* Forwards a signal to the job; false: the shepherd is gone. */
bool waiter_signal(int connection, int signal_number);
/* Waits until the job has ended and sets reason, status and text of *out. False: the shepherd is gone without
 * reporting it. */
bool waiter_hear(int connection, struct spool_ended *out);

#endif
