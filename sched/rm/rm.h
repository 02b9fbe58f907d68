/* SPDX-License-Identifier: MIT */
/*
 * rm.h - interface of a resource manager
 *
 * A resource manager reports what happened (a job was submitted, a job ended) and receives requests to start
 * and end jobs. All calls return at once. The manager tells the caller when to poll it next. Only resource
 * managers start processes.
 */
#ifndef RM_RM_H
#define RM_RM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/state/event.h"

/*
 * Receives the reports of a manager: events without seq, ordered by time; of events at the same time, ends
 * come before arrivals. Pointers in an event are valid during the call.
 */
typedef void rm_report(void *self, const struct event *ev);

/* A job start, with everything that a manager may need. The pointers are borrowed for the call. */
struct rm_start {
	const struct snapshot *s; /* contains the names of the job and the nodes */
	const struct job *job;
	const struct alloc_run *runs;
	uint32_t run_count;
	const void *launch; /* the encoded launch (launch.h); NULL = none */
	size_t launch_size;
	const char *barred; /* why programs named in the configuration may not be run; NULL = they may */
	bool *passes;       /* set on failure: the reason is a lack of memory, descriptors or processes */
};

struct rm_ops {
	const char *name; /* such as "fake" and "local" */

	/*
	 * Reports the nodes of the manager, as the configuration in s allows. Called at the beginning and
	 * after each change of the configuration. s is valid only until the first report.
	 */
	void (*nodes)(void *self, const struct snapshot *s, rm_report *report, void *to);

	/* Called after a poll: must nodes() be called again? NULL = never. */
	bool (*nodes_changed)(const void *self);

	/*
	 * Returns the next time at which the manager will have something to report; TIME_NEVER if it will
	 * report nothing before the next start.
	 */
	int64_t (*next_s)(const void *self);

	/* Reports everything that happened up to and including now_s. */
	void (*poll)(void *self, int64_t now_s, rm_report *report, void *to);

	/*
	 * For a manager that decides by itself and is only watched. compare() is called after each poll: it
	 * compares what the manager has read with st and reports the differences. Each report is applied to
	 * st at once; if it is refused, st is unchanged and note_refused() is called. NULL: this scheduler
	 * decides.
	 */
	void (*compare)(void *self, const struct state *st, int64_t now_s, rm_report *report, void *to);
	void (*note_refused)(void *self, const struct event *ev, const struct err *why);

	/*
	 * Called after the system clock was set by by_s seconds: moves all stored times by by_s. NULL = no
	 * times are stored.
	 */
	void (*set_clock)(void *self, int64_t by_s);

	/*
	 * Starts a job on its allocation. Returns false with the reason on failure: then the job is deferred,
	 * or retried after some seconds if the reason is transient.
	 */
	bool (*start)(void *self, const struct rm_start *start, int64_t now_s, struct err *err);

	/* Ends a running job; its end is reported like any other end. Returns false on failure. */
	bool (*cancel)(void *self, const struct job *job, int64_t now_s, struct err *err);

	/* Suspends (`on`) or resumes a running job. Returns false on failure. */
	bool (*suspend)(void *self, const struct job *job, bool on, struct err *err);

	/* Sends a signal to all processes of a running job. Returns false on failure. */
	bool (*signal)(void *self, const struct job *job, int number, int64_t now_s, struct err *err);

	/*
	 * Returns a descriptor that is readable when the manager has something to report or work to continue;
	 * -1: none, only next_s() counts.
	 */
	int (*fd)(const void *self);

	/*
	 * Called after a state was restored: takes over the running jobs of s, and reports again the events
	 * that were reported but are not included in s.
	 */
	bool (*adopt)(void *self, const struct snapshot *s, struct err *err);
	bool adopts_again; /* adopt() may also be called later, after the store has rolled back a step */

	void (*close)(void *self);
};

struct rm {
	const struct rm_ops *ops;
	void *self;
};

#endif
