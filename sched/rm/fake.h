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

#endif
