/* SPDX-License-Identifier: MIT */
/*
 * rm.h - what does the scheduler ask of a resource manager?
 *
 * A manager reports what happened (a job was submitted, a job ended) and is told what to
 * start and what to end. All calls return at once; a manager that works on its own says when it wants to
 * be polled next. Only managers start processes.
 */
#ifndef RM_RM_H
#define RM_RM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/state/event.h"

/*
 * Where a manager puts its reports, as events without seq, in the order in which they
 * count: at one moment all ends, then all arrivals. What an event points at is valid during
 * the call.
 */
typedef void rm_report(void *self, const struct event *ev);

/* A start: all that a manager may want to know of it. Borrowed for the call. */
struct rm_start {
	const struct snapshot *s; /* where the job's names and the nodes stand     */
	const struct job *job;
	const struct alloc_run *runs;
	uint32_t run_count;
	const void *launch; /* what is to be run, in the form of launch.h; NULL = nothing was said */
	size_t launch_size;
	const char *barred; /* why no program of the configuration is run; NULL = they are */
	bool *passes; /* set when it fails: does the reason pass by itself (memory, descriptors, processes)?
		       */
};

struct rm_ops {
	const char *name; /* "fake" */

	/* The nodes it has, as the configuration in s lets it: asked for at the start, and after each change
	 * of what the site says. s is borrowed until the first report. */
	void (*nodes)(void *self, const struct snapshot *s, rm_report *report, void *to);

	/* Are the nodes to be asked for again, after a poll? NULL = never. */
	bool (*nodes_changed)(const void *self);

	/* The next moment at which it will have something to report; TIME_NEVER when only a start can. */
	int64_t (*next_s)(const void *self);

	/* Reports everything that happened up to and including now_s. */
	void (*poll)(void *self, int64_t now_s, rm_report *report, void *to);

	/* The system's clock was set by so much: what it remembers of moments moves with it. NULL = nothing.
	 */
	void (*set_clock)(void *self, int64_t by_s);

	/* Starts a job on its runs. False: it could not, with the reason; the job goes back to the queue, for
	 * seconds when the reason passes by itself. */
	bool (*start)(void *self, const struct rm_start *start, int64_t now_s, struct err *err);

	/* Makes a running job end; that it has ended is reported like every end. False: it could not. */
	bool (*cancel)(void *self, const struct job *job, int64_t now_s, struct err *err);

	/* Makes a running job stand still, or go on. False: it could not. */
	bool (*suspend)(void *self, const struct job *job, bool on, struct err *err);

	/* Sends a signal to all processes of a running job. False: it could not. */
	bool (*signal)(void *self, const struct job *job, int number, int64_t now_s, struct err *err);

	/* A descriptor that is readable when poll has something to report, or to go on with; -1 = next_s says
	 * it all. */
	int (*fd)(const void *self);

	/* A state was restored: running jobs of s are its own again. What was reported and is not in s, is
	 * reported once more. */
	bool (*adopt)(void *self, const struct snapshot *s, struct err *err);
	bool adopts_again; /* also when it has worked already, for a store that took a step back */

	void (*close)(void *self);
};

struct rm {
	const struct rm_ops *ops;
	void *self;
};

#endif
