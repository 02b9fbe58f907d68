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
#include "sched/trace/workload.h"

struct trace; /* sched/trace/swf.h */

/* The machine: `nodes` nodes of node_procs processors, named n001, n002, ... */
struct fake_cluster {
	uint32_t nodes, node_procs;
	int64_t node_mem_mb; /* 0 = not said */
};

/* Arrivals from a trace, which must outlive the manager. Never NULL. */
struct rm fake_from_trace(const struct fake_cluster *cluster, const struct trace *trace);

/*
 * Arrivals from the generator: job number index of (seed, model) is the same however often the
 * demo was stopped. origin says where it stands; first_s is the moment before the first
 * arrival when origin->next_index is 1, else adopt finds it in the state.
 */
struct rm fake_from_workload(const struct fake_cluster *cluster, const struct workload_model *model,
			     const struct sim_origin *origin, int64_t first_s);

#endif
