/* SPDX-License-Identifier: MIT */
/*
 * rm.h - interface of a resource manager
 *
 * A resource manager reports what happened (a job was submitted, a job ended) and is told which jobs to start
 * and to end. All calls return at once; a manager that works by itself says when to poll it next. Only
 * resource managers start processes.
 */
#ifndef RM_RM_H
#define RM_RM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/state/event.h"

/*
 * Receives the reports of a manager, as events without seq, in order: at the same time all ends, then all
 * arrivals. Pointers of an event are valid during the call.
 */
typedef void rm_report(void *self, const struct event *ev);

/* A start, with everything that a manager may need. Borrowed for the call. */
struct rm_start {
	const struct snapshot *s; /* contains the names of the job and the nodes */
	const struct job *job;
	const struct alloc_run *runs;
	uint32_t run_count;
	const void *launch; /* the launch (launch.h); NULL = none */
	size_t launch_size;
	const char *barred; /* why programs of the configuration are not run; NULL = they are */
	bool *passes;       /* set on failure: is the reason transient (memory, descriptors, processes)? */
};

struct rm_ops {
	const char *name; /* "fake" */

	/* Reports its nodes, as the configuration in s allows: called at the beginning and after each change
	 * of the configuration. s is borrowed until the first report. */
	void (*nodes)(void *self, const struct snapshot *s, rm_report *report, void *to);

	/* After a poll: must nodes() be called again? NULL = never. */
	bool (*nodes_changed)(const void *self);

	/* The next time at which it will have something to report; TIME_NEVER if only after a start. */
	int64_t (*next_s)(const void *self);

	/* Reports everything that happened up to and including now_s. */
	void (*poll)(void *self, int64_t now_s, rm_report *report, void *to);

	/* The system's clock was set by by_s seconds: moves all stored times. NULL = there are none. */
	void (*set_clock)(void *self, int64_t by_s);

	/* Starts a job on its allocation. False with the reason: the job returns to the queue, for seconds if
	 * the reason is transient. */
	bool (*start)(void *self, const struct rm_start *start, int64_t now_s, struct err *err);

	/* Ends a running job; the end is reported like any other. False on failure. */
	bool (*cancel)(void *self, const struct job *job, int64_t now_s, struct err *err);

	/* Suspends or resumes a running job. False on failure. */
	bool (*suspend)(void *self, const struct job *job, bool on, struct err *err);

	/* Sends a signal to all processes of a running job. False on failure. */
	bool (*signal)(void *self, const struct job *job, int number, int64_t now_s, struct err *err);

	/* A descriptor that is readable when poll() has something to report or to continue; -1 = only
	 * next_s() counts. */
	int (*fd)(const void *self);

	/* A state was restored: takes over the running jobs of s, and reports again what was reported and is
	 * not in s. */
	bool (*adopt)(void *self, const struct snapshot *s, struct err *err);
	bool adopts_again; /* also later, for a store that has rolled back a step */

	void (*close)(void *self);
};

struct rm {
	const struct rm_ops *ops;
	void *self;
};

#endif
