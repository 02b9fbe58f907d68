/* SPDX-License-Identifier: MIT */
/*
 * remote.h - a console attached to a scheduler in another process
 *
 * Snapshots and answers are fetched through the socket by background threads, so that a slow scheduler never
 * blocks the terminal. A snapshot is requested only when the console wants one, and the request waits in the
 * scheduler until there is a change, so an idle console causes no work. When the scheduler is lost, the last
 * snapshot stays on screen and the connection is retried until it succeeds.
 */
#ifndef SERVE_REMOTE_H
#define SERVE_REMOTE_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "session.h"

struct remote; /* opaque */

/*
 * Attaches to the scheduler that client_find finds. NULL and *runs false: no scheduler runs there. NULL and
 * *runs true: the scheduler does not answer or refuses; err contains the reason.
 */
struct remote *remote_open(const char *store, bool *runs, struct err *err);

/* All snapshots must have been released. r may be NULL. */
void remote_close(struct remote *r);
struct source source_of_remote(struct remote *r);

#endif
