/* SPDX-License-Identifier: MIT */
/*
 * worker.h - who builds outlooks while the console goes on taking keys?
 *
 * One thread with one place for work: what is asked newest wins, so a slider that moves
 * ten times while a plan is made costs two plans. The console asks and collects; all
 * counting of holders stays with it.
 */
#ifndef TUI_WORKER_H
#define TUI_WORKER_H

#include <stdbool.h>

#include "outlook.h"

struct worker; /* opaque */

/* NULL with a sentence when the thread cannot be had. */
struct worker *worker_start(struct err *err);
/* Waits for the plan being made. NULL is allowed. */
void worker_stop(struct worker *w);

/* Readable when something was built. */
int worker_fd(const struct worker *w);

/* Hands over an outlook to build. Returns the one it replaces, which was not begun, or NULL. */
struct outlook *worker_ask(struct worker *w, struct outlook *o);

/* What was built since the last call, newest first, linked by .next; NULL when nothing. */
struct outlook *worker_take(struct worker *w);

/* Is something waiting, being built or not collected yet? */
bool worker_busy(struct worker *w);

#endif
