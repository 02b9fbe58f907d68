/* SPDX-License-Identifier: MIT */
/*
 * fake.h - a simulated cluster on a virtual clock
 *
 * Jobs come from a source that the caller passes. A started job ends after its true run time, at its
 * wallclock limit if that is shorter, or with status FAKE_CANCELLED when it is cancelled. No call blocks:
 * next_s returns the time of the next event, and poll reports the events that are due. Used by demo, replay
 * and tests.
 */
#ifndef RM_FAKE_H
#define RM_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rm.h"

/* The exit status of a cancelled job, as if it had been ended by SIGTERM. */
#define FAKE_CANCELLED (256 + 15)

/*
 * The machine: `nodes` nodes, either as described by `node`, or all alike with node_procs processors each and
 * named n001, n002, ... (n0001 from 1000 nodes on).
 */
struct fake_cluster {
	uint32_t nodes, node_procs;
	int64_t node_mem_mb; /* memory of each node; 0 = unknown */
	const struct node_record *node;
};

int64_t fake_cluster_procs(const struct fake_cluster *cluster);

/*
 * A source of submissions (EVENT_SUBMIT). It reports them in the order of their submit times, all submissions
 * of one time together. The cluster does not know what the source is; see sched/host/arrivals.h.
 */
struct arrivals_ops {
	/* Returns the time of the next arrivals; TIME_NEVER if there are none. */
	int64_t (*next_s)(const void *self);

	/* Reports all arrivals at the time that next_s returns, and advances to the next time. */
	void (*report)(void *self, rm_report *report, void *to);

	/* Called after a state was restored: continues with the first job that s does not contain. */
	void (*adopt)(void *self, const struct snapshot *s);

	void (*close)(void *self);
};

struct arrivals {
	const struct arrivals_ops *ops;
	void *self;
};

/*
 * Creates the resource manager of a simulated cluster. The manager owns the source of arrivals and closes it.
 */
struct rm fake_new(const struct fake_cluster *cluster, struct arrivals arrivals);

/* --- ends of running jobs ------------------------------------------------------------------------------ */

/*
 * A queue of future ends, ordered by time and then by job ID. The order does not depend on the order of
 * insertion, so that a simulation that continues from a stored state reports ends in the same order. A zeroed
 * struct ends is an empty queue.
 */
struct ending {
	int64_t end_s;
	uint64_t job;
	int32_t status; /* exit status */
	bool at_limit;  /* the job will be stopped at its wallclock limit */
};

struct ends {
	struct ending *item; /* heap: no parent is later than its children */
	size_t count, cap;
};

void ends_add(struct ends *ends, const struct ending *added);

/* Returns the time of the next end; TIME_NEVER (sched/model/job.h) if the queue is empty. */
int64_t ends_next_s(const struct ends *ends);

/* Removes and returns the next end. The queue must not be empty. */
struct ending ends_take(struct ends *ends);

/* Removes the end of a job, for which it searches the whole queue. Returns false if there is none. */
bool ends_drop(struct ends *ends, uint64_t job);

/* Empties the queue and frees its memory. */
void ends_clear(struct ends *ends);

#endif
