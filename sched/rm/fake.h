/* SPDX-License-Identifier: MIT */
/*
 * fake.h - a simulated cluster on a virtual clock
 *
 * Jobs come from a list (a trace) or from the seeded generator; a started job ends after
 * its true run time, cut at its wallclock limit. Nothing waits: next_s says when the next
 * thing happens and poll makes it happen. For demo, replay and tests.
 */
#ifndef RM_FAKE_H
#define RM_FAKE_H

#include "rm.h"

struct trace; /* sched/trace/swf.h */

/* The machine: `nodes` nodes of node_procs processors, named n001, n002, ... (n0001 from 1000 nodes on). */
struct fake_cluster {
	uint32_t nodes, node_procs;
	int64_t node_mem_mb; /* 0 = not said */
};

/*
 * The machine that a log's header describes: MaxProcs processors (else MaxNodes) on MaxNodes
 * nodes when they divide evenly, else each processor is a node. Of a machine with more than
 * FAKE_NODES_MAX nodes the nodes are made larger until there are at most so many: in a
 * log all processors are equal, so no start depends on it. False: the header has neither.
 */
#define FAKE_NODES_MAX 1024
bool fake_cluster_of(const struct trace *trace, struct fake_cluster *out);

/*
 * Arrivals from a trace, which must outlive the manager. Never NULL.
 *
 * A job's id is its number in the trace when those are positive, ascend from job to job and
 * leave few gaps (fake_numbers_are_ids), else its position + 1, with the number as label.
 * Names of credentials are u12, g3 and q1 after the numbers in the trace.
 */
struct rm fake_from_trace(const struct fake_cluster *cluster, const struct trace *trace);

/*
 * Do the trace's numbers serve as job ids? Then a table from the first to the last of them has
 * at most FAKE_ID_GAPS entries a job.
 */
#define FAKE_ID_GAPS 8
bool fake_numbers_are_ids(const struct trace *trace);

/*
 * Arrivals from the generator, for this machine at origin->load_pct: job number index is the
 * same however often the demo was stopped. A state that is adopted and has a generator of
 * its own goes on with that one.
 */
struct rm fake_from_workload(const struct fake_cluster *cluster, const struct sim_origin *origin);

#endif
