/* SPDX-License-Identifier: MIT */
/*
 * may.h - what may who do to the running scheduler?
 *
 * Who asks is a user whom the kernel named. Level 1 may do everything, 2 acts on all jobs, 3 only sees
 * all (Maui's ADMIN1 to ADMIN3, requirements M-20); everybody acts on their own jobs, within what is
 * theirs: their own hold, not the system's. They suspend their own jobs where the site lets them.
 */
#ifndef TUI_SERVE_MAY_H
#define TUI_SERVE_MAY_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "sched/state/event.h"

enum admin_level {
	ADMIN_ALL = 1,  /* ADMIN1: policy, nodes, the scheduler itself */
	ADMIN_JOBS = 2, /* ADMIN2: all jobs                            */
	ADMIN_SEES = 3, /* ADMIN3: sees everything                     */
	ADMIN_NONE = 4  /* a user                                      */
};

struct asker {
	const char *user; /* the name by which jobs are theirs */
	enum admin_level level;
};

/* May this happen because they ask for it? False: a sentence that says who could. */
bool may_ask(const struct asker *asker, const struct state *st, const struct event *ev, struct err *err);

/* How many more seconds the owner of a running job may suspend it; 0 = not at all, TIME_NEVER = no limit. */
int64_t may_suspend_s(const struct snapshot *s, const struct job *job);

/* Who may at least ask for this; ADMIN_NONE: the owner of the job, which it is about. */
enum admin_level may_least(const struct snapshot *s, uint64_t job, const struct event *ev);

#endif
