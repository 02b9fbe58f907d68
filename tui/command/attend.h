/* SPDX-License-Identifier: MIT */
/*
 * attend.h - what is done here from when a job is handed in until it has ended?
 *
 * The job finds us at a socket of our own and has our standard input, output and errors (waiter.h), or a
 * terminal that is shown in ours. Signals go to its shepherd, and from there comes how it ended; while it
 * waits ^C cancels it.
 */
#ifndef COMMAND_ATTEND_H
#define COMMAND_ATTEND_H

#include <stdbool.h>
#include <stdint.h>

#include "pair.h"
#include "queued_line.h"
#include "sched/base/err.h"
#include "sched/rm/spool.h"
#include "sched/rm/waiter.h"

struct caller; /* caller.h */

struct attend_wish {
	const char *store; /* where the scheduler is found again; borrowed */
	bool pty, quiet, ascii;
};

struct attend {
	const char *store;
	bool pty, ascii;
	struct caller *caller; /* NULL: the scheduler is gone, for a while */
	uint64_t job;
	char dir[64], path[80]; /* of our socket */
	char key[WAITER_KEY + 1];
	bool may_come; /* the job is, or may be, in the queue, and will look for us */
	int listening, connection, signals;
	struct pair pair;
	struct queued_line line;
	int64_t ask_at_ms, reason_at_ms, give_up_at_ms;
	int ask_pause_ms, reason_pause_ms;
	bool told; /* how it ended */
	struct spool_ended ended;
	bool over;
	int status; /* when it is over */
};

/*
 * Listens at a->path, which the job is to be told with a->key, and hears our signals from now on. False with
 * a sentence; release with attend_close in either case.
 */
bool attend_open(struct attend *a, const struct attend_wish *wish, struct err *err);

/* Stays with a job that was handed in; takes the caller. What the program ends with. */
int attend_job(struct attend *a, struct caller *caller, uint64_t job);

void attend_close(struct attend *a);

#endif
