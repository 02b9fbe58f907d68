/* SPDX-License-Identifier: MIT */
/*
 * run_client.h - the client side of kahu run
 *
 * The shepherd of the job connects to a socket of this process and receives standard input, output and error
 * (waiter.h), or with --pty a pseudo terminal that is shown in the user's terminal. Signals are forwarded to
 * the shepherd, which reports how the job ended. SIGINT cancels a job that is still waiting.
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

/* A line on the terminal at standard error that says why the job waits; removed when the job starts. */
struct status_line {
	bool wanted; /* standard error is a terminal, without --quiet */
	bool ascii;
	struct str line; /* the text shown; "" = none */
};

struct run_options {
	const char *store; /* of --store; borrowed */
	bool pty, quiet, ascii;
};

struct run_client {
	const char *store;
	bool pty, ascii;
	struct client *scheduler; /* NULL: no scheduler is running at present */
	uint64_t job;
	char dir[64], path[80]; /* of the socket */
	char key[WAITER_KEY + 1];
	bool may_come; /* the job may be in the queue, and its shepherd may still connect */
	int listening, connection, signals;
	struct pty terminal;
	struct status_line line;
	int64_t ask_at_ms, reason_at_ms, give_up_at_ms;
	int ask_pause_ms, reason_pause_ms;
	bool told; /* ended is set */
	struct spool_ended ended;
	bool over;
	int status; /* exit status, set when over */
};

/*
 * Listens at c->path, which is submitted with c->key, and handles signals from then on. False sets err.
 * Release with run_client_close in either case.
 */
bool run_client_open(struct run_client *c, const struct run_options *options, struct err *err);

/* Waits until a submitted job has ended. Takes ownership of caller. Returns the exit status of the program.
 */
int run_client_wait(struct run_client *c, struct client *scheduler, uint64_t job);
void run_client_close(struct run_client *c);

#endif
