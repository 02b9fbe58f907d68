/* SPDX-License-Identifier: MIT */
/*
 * handover.h - how does this host's scheduler go on when the console that ran it is left?
 *
 * As `kahu serve`, in a process of its own, which is given the lock of the store and the socket: nobody gets
 * between, who asks meanwhile waits a moment, and jobs go on under their shepherds. The program is the one
 * that stands where this one was started from: also one that was built since.
 */
#ifndef COMMAND_HANDOVER_H
#define COMMAND_HANDOVER_H

#include <stdbool.h>

#include "sched/base/err.h"

struct shell; /* tui/line.h */
struct site;  /* site.h */

/* Closes the site in every case. False with a sentence: the scheduler does not go on. */
bool handover(struct site *site, const struct shell *shell, struct err *err);

/* How the new process finds them: an entry of its environment, and two descriptors. */
#define HANDOVER_ENTRY   "KAHU_HANDOVER"
#define HANDOVER_LOCK_FD 3
#define HANDOVER_DOOR_FD 4

/* The program to execute: the one at the path this one was started from. Static storage. */
const char *handover_program(void);

/* What this process was given, taken once; -1 = nothing. */
struct handed {
	int lock, door;
};
struct handed handover_take(void);

#endif
