/* SPDX-License-Identifier: MIT */
/*
 * waiter.h - how does a job get the descriptors of one who waits for it (`kahu run`)?
 *
 * Who waits listens on a socket of their own (SOCK_SEQPACKET, in a folder only they can use) and
 * writes its path into the launch. The shepherd, as the user, connects to it, names the job
 * and gets three descriptors: input, output, errors (SCM_RIGHTS); with a pty they are its other end,
 * which becomes the job's terminal. At the end it sends how the job ended. So no byte of a job goes
 * through the scheduler, which may die meanwhile.
 *
 *     shepherd -> waiter   "job 12.1"
 *     waiter -> shepherd   "go", with three descriptors
 *     shepherd -> waiter   "ended REASON STATUS"   numbers of spool.h
 */
#ifndef RM_WAITER_H
#define RM_WAITER_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/err.h"

/* --- for the shepherd ---------------------------------------------------------------------- */

/* Connects, asks and gets in[0..2]; the answer is the connection, -1 with a sentence. Waits 10 s at most. */
int waiter_ask(const char *path, uint64_t job, uint32_t attempt, int in[static 3], struct err *err);
/* Says how it ended and closes the connection; nobody may be there any more. */
void waiter_tell(int connection, uint32_t reason, int32_t status);

/* --- for who waits --------------------------------------------------------------------------- */

/* Listens at path. -1 with a sentence. */
int waiter_listen(const char *path, struct err *err);
/* Takes the connection that is there, checks that it names this job, and passes the descriptors; else -1. */
int waiter_accept(int listening, uint64_t job, const int out[static 3], struct err *err);
/* Reads how it ended; false: the shepherd is gone without a word. */
bool waiter_hear(int connection, uint32_t *reason, int32_t *status);

#endif
