/* SPDX-License-Identifier: MIT */
/*
 * remote.h - a console attached to a scheduler in another process
 *
 * Attached: pictures and answers come through the door, fetched by threads of their own, so that a slow
 * scheduler never holds up the terminal. A picture is asked for only when the console wants one and waits at
 * the scheduler until there is news: who looks at an idle machine costs nobody anything. When the scheduler
 * is gone the last picture stays, and it is looked for until it is back.
 */
#ifndef SERVE_REMOTE_H
#define SERVE_REMOTE_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "session.h"

struct remote; /* opaque */

/*
 * Attaches to the scheduler that caller_find finds. NULL and *runs false: none runs there. NULL and *runs
 * true: it does not answer, or refuses, with the sentence.
 */
struct remote *remote_open(const char *store, bool *runs, struct err *err);

/* Every snapshot must have been given back. NULL is allowed. */
void remote_close(struct remote *r);
struct source source_of_remote(struct remote *r);

#endif
