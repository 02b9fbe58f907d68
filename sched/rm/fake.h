/* SPDX-License-Identifier: MIT */
/*
 * fake.h - a simulated cluster on a virtual clock
 *
 * Jobs come from a source that is given to it; a started job ends after its true run time,
 * cut at its wallclock limit, or with FAKE_CANCELLED when it is cancelled. Nothing waits: next_s says when
 * the next thing happens and poll makes it happen. For demo, replay and tests.
 */
#ifndef RM_FAKE_H
#define RM_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rm.h"

/* The exit status of a cancelled job: as if a TERM signal had ended it. */
#define FAKE_CANCELLED (256 + 15)

/*
 * The machine: `nodes` nodes, either as node describes each, or all alike, with node_procs processors each,
 * named n001, n002, ... (n0001 from 1000 nodes on).
 */
struct fake_cluster {
	uint32_t nodes, node_procs;
	int64_t node_mem_mb; /* 0 = not said */
	const struct node_record *node;
};

int64_t fake_cluster_procs(const struct fake_cluster *cluster);

/*
 * Who submits jobs: a source of EVENT_SUBMIT, moment by moment. What the sources are, the
 * cluster does not know; sched/host/arrivals.h has them.
 */
struct arrivals_ops {
	/* The moment of the next arrivals; TIME_NEVER when no more come. */
	int64_t (*next_s)(const void *self);

	/* Reports all arrivals of that moment, and goes on to a later one. */
	void (*report)(void *self, rm_report *report, void *to);

	/* A state was restored: goes on behind what s has seen. */
	void (*adopt)(void *self, const struct snapshot *s);

	void (*close)(void *self);
};

struct arrivals {
	const struct arrivals_ops *ops;
	void *self;
};

/* The manager of a simulated cluster. Takes the source over and closes it with itself. */
struct rm fake_new(const struct fake_cluster *cluster, struct arrivals arrivals);

/* --- ends of running jobs ------------------------------------------------------------------------------ */

/*
 * A queue of future ends, ordered by time and then by job ID, so that the order does not depend on the order
 * of insertion: an adopted state continues with the same ends. Zero is a valid empty queue.
 */
struct ending {
	int64_t end_s;
	uint64_t job;
	int32_t status; /* with which it will end */
	bool at_limit;  /* it will be stopped at its wallclock limit */
};

struct ends {
	struct ending *item; /* heap: no parent is later than its children */
	size_t count, room;
};

void ends_add(struct ends *ends, const struct ending *added);

/* The moment of the next one; TIME_NEVER (sched/model/job.h) when there is none. */
int64_t ends_next_s(const struct ends *ends);

/* Takes the next one out; there must be one. */
struct ending ends_take(struct ends *ends);

/* Takes the one of a job out; false when there is none. Looks at all of them. */
bool ends_drop(struct ends *ends, uint64_t job);

/* Empties it and gives the memory back. */
void ends_clear(struct ends *ends);

#endif
