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
#include "tui/serve/crash_restart.h"

struct shell; /* tui/serve/shell.h */
struct site;  /* site.h */

/* Closes the site in every case. False with a sentence: the scheduler does not go on. */
bool handover(struct site *site, const struct shell *shell, struct err *err);

/* The program to execute: the one at the path this one was started from. Static storage. */
const char *handover_program(void);

/* What this process was given, taken once; -1 = nothing. */
struct handed {
	int lock, door;
};
struct handed handover_take(void);

#endif
