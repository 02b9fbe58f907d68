/* SPDX-License-Identifier: MIT */
/*
 * crash_restart.h - restart in place after a crash while a request is handled
 *
 * A trap or a failed assertion (SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT) while a client's request
 * is handled does not end the service. The signal handler executes `kahu serve` again in the same process and
 * passes the lock of the store and the listening socket as descriptors with fixed numbers. Changes accepted
 * in the turn but not yet committed are lost; no client has received an answer about them, and everything
 * acknowledged is in the store. Jobs continue under their shepherds and are adopted. Requests of the users
 * whose requests were being handled are refused for CRASH_REFUSED_S, so that a client that repeats its
 * request does not crash the scheduler again.
 *
 * A crash at any other time, and more than CRASH_RESTARTS_MAX crashes within CRASH_PERIOD_S, end the process;
 * the service manager then restarts it.
 *
 * The state here is global, because signal handlers belong to the process. Only `kahu serve` arms the
 * handler; otherwise, and under AddressSanitizer, which reports such signals itself, the functions do
 * nothing.
 */
#ifndef TUI_SERVE_CRASH_RESTART_H
#define TUI_SERVE_CRASH_RESTART_H

#include <stdbool.h>
#include <sys/types.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

#define CRASH_REFUSED_S         60 /* seconds; for users whose request was handled during the crash */
#define CRASH_REFUSED_TRUSTED_S 5  /* seconds; for root and the scheduler's own user */
#define CRASH_PERIOD_S          60
#define CRASH_RESTARTS_MAX      10 /* within CRASH_PERIOD_S */

struct shell; /* tui/serve/shell.h */

/* The lock and the socket are passed to the new process as two descriptors with fixed numbers. An environment
 * entry announces them. */
#define HANDOVER_ENTRY   "KAHU_HANDOVER"
#define HANDOVER_LOCK_FD 3
#define HANDOVER_DOOR_FD 4

/*
 * To be called first in `kahu serve`: detects from the environment whether this is a restart after a crash,
 * and stores the program's path, arguments and environment for the next restart.
 */
void crash_prepare(const struct shell *shell, const char *program);

/* Activates the handler. The caller keeps the descriptors. Does nothing if one of them is -1. */
void crash_arm(int lock, int listening);
void crash_disarm(void);

/*
 * Until crash_end, a crash of this thread is attributed to this user, and to the users of all earlier calls
 * since the last crash_end.
 */
void crash_begin(uid_t uid);
void crash_end(void);

/*
 * Are requests of this user refused, because the scheduler crashed while it handled one of them? If so, sets
 * the error.
 */
bool crash_refuses(uid_t uid, struct err *err);

/*
 * After a restart because of a crash, appends a sentence that describes the crash. Returns false after an
 * ordinary start.
 */
bool crash_describe(struct str *out);

#endif
