/* SPDX-License-Identifier: MIT */
/*
 * run_client.h - the client side of kahu run
 *
 * The shepherd of the job connects to a socket of this process and receives descriptors for standard input,
 * output and error (waiter.h): those of this process, or with --pty those of a pseudo terminal that is shown
 * in the user's terminal. This process forwards its signals to the shepherd, which reports how the job ended.
 * While the job is still waiting, SIGINT cancels it.
 */
#ifndef COMMAND_RUN_CLIENT_H
#define COMMAND_RUN_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "pty.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/rm/spool.h"
#include "sched/rm/waiter.h"

struct client; /* client.h */

/*
 * A line that says why the job waits, on standard error if that is a terminal. It is removed when the job
 * starts.
 */
struct status_line {
	bool wanted; /* standard error is a terminal, and --quiet is not given */
	bool ascii;
	struct str line; /* the text that is shown; "" = none */
};

struct run_options {
	const char *store; /* value of --store; borrowed */
	bool pty, quiet, ascii;
};

struct run_client {
	const char *store;
	bool pty, ascii;
	struct client *scheduler; /* NULL: not connected to a scheduler at present */
	uint64_t job;
	char dir[64], path[80]; /* folder and path of the socket */
	char key[WAITER_KEY + 1];
	bool may_come; /* the job may still be in the queue, so its shepherd may still connect */
	int listening, connection, signals;
	struct pty terminal;
	struct status_line line;
	int64_t ask_at_ms, reason_at_ms, give_up_at_ms;
	int ask_pause_ms, reason_pause_ms;
	bool told; /* the shepherd has reported `ended` */
	struct spool_ended ended;
	bool over;
	int status; /* exit status of the program, set together with over */
};

/*
 * Opens the socket at c->path, and blocks the signals that run_client_wait handles. The caller submits the
 * job with c->path and c->key. Returns false with err set on failure. Call run_client_close in either case.
 */
bool run_client_open(struct run_client *c, const struct run_options *options, struct err *err);

/*
 * Waits until the submitted job has ended, and returns the exit status of the program. Takes ownership of
 * scheduler.
 */
int run_client_wait(struct run_client *c, struct client *scheduler, uint64_t job);
void run_client_close(struct run_client *c);

#endif
