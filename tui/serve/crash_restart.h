/* SPDX-License-Identifier: MIT */
/*
 * crash_restart.h - restart in place after a crash while a request is handled
 *
 * A trap or a failed assertion (SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT) while a client's request
 * is handled does not end the service. The signal handler executes `kahu serve` again in the same process,
 * with the lock of the store and the listening socket under fixed numbers. What the turn
 * had accepted but not committed is lost, and nobody had an answer to it; what was acknowledged is in the
 * store. Jobs continue under their shepherds and are adopted. Requests of the users whose requests were being
 * handled are refused for CRASH_REFUSED_S, so that a client that repeats its request does not crash the
 * scheduler again.
 *
 * A crash at any other time, and one too many within CRASH_PERIOD_S, ends the process as without this file:
 * the service manager starts it again.
 *
 * The state is the process's, as signal handlers are. Only `kahu serve` arms it; elsewhere, and under
 * AddressSanitizer, which reports such signals itself, everything here does nothing.
 */
#ifndef TUI_SERVE_CRASH_RESTART_H
#define TUI_SERVE_CRASH_RESTART_H

#include <stdbool.h>
#include <sys/types.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

#define CRASH_REFUSED_S         60 /* a user whose request crashed the scheduler   */
#define CRASH_REFUSED_TRUSTED_S 5  /* root, and the scheduler's own user           */
#define CRASH_PERIOD_S          60
#define CRASH_RESTARTS_MAX      10 /* within CRASH_PERIOD_S */

struct shell; /* tui/serve/shell.h */

/* How a new process is given the lock and the socket of the one before: an entry of its environment, and two
 * descriptors. */
#define HANDOVER_ENTRY   "KAHU_HANDOVER"
#define HANDOVER_LOCK_FD 3
#define HANDOVER_DOOR_FD 4

/*
 * First in `kahu serve`: learns from the environment whether this is such a restart, and keeps the
 * program's path, the words and the environment for the next one.
 */
void crash_prepare(const struct shell *shell, const char *program);

/* From now on the handler is active. The descriptors stay the caller's; -1 for one disarms. */
void crash_arm(int lock, int listening);
void crash_disarm(void);

/* What this thread does until crash_end is done for this user, and those named before. */
void crash_begin(uid_t uid);
void crash_end(void);

/* Is the user refused, because the scheduler crashed while it handled a request of theirs? A sentence. */
bool crash_refuses(uid_t uid, struct err *err);

/* After a restart: appends a sentence that says what happened. False: this is an ordinary start. */
bool crash_describe(struct str *out);

#endif
