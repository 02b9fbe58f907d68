/* SPDX-License-Identifier: MIT */
/*
 * arrivals.h - job arrivals in a simulation
 *
 * Two sources for sched/rm/fake.h: a workload log, and the seeded generator. And what else
 * a log says of its cluster: the machine, and the ids of the jobs.
 */
#ifndef HOST_ARRIVALS_H
#define HOST_ARRIVALS_H

#include <stdbool.h>

#include "sched/model/snapshot.h"
#include "sched/rm/fake.h"
#include "sched/trace/trace.h"

/*
 * The jobs of a trace, which must outlive the source.
 *
 * A job's id is its number in the trace when those serve as ids (trace_numbers_are_ids), else
 * its position + 1, with the number as label. Names of credentials are u12, g3 and q1 after
 * the numbers in the trace. A job with a record is submitted as that says.
 */
struct arrivals arrivals_from_trace(const struct trace *trace);

/*
 * The jobs of the generator, for a machine of so many processors at origin->load_pct: job
 * number index is the same however often the demo was stopped. A state that is adopted and
 * has a generator of its own goes on with that one.
 */
struct arrivals arrivals_from_workload(int64_t machine_procs, const struct sim_origin *origin);

/* The manager of a simulated cluster to which these jobs come. */
struct rm fake_from_trace(const struct fake_cluster *cluster, const struct trace *trace);
struct rm fake_from_workload(const struct fake_cluster *cluster, const struct sim_origin *origin);

/*
 * Do the trace's numbers serve as job ids? They are positive, ascend from job to job and leave
 * few gaps: a table from the first to the last of them has at most TRACE_ID_GAPS entries a job.
 */
#define TRACE_ID_GAPS 8
bool trace_numbers_are_ids(const struct trace *trace);

/* The largest number or id of its jobs; 0 = it has none. */
uint64_t trace_last_id(const struct trace *trace);

/*
 * The machine that a log's header describes: MaxProcs processors (else MaxNodes) on MaxNodes
 * nodes when they divide evenly, else each processor is a node. Of a machine with more than
 * TRACE_NODES_MAX nodes the nodes are made larger until there are no more than that: in a
 * log all processors are equal, so no start depends on it. False: the header has neither.
 */
#define TRACE_NODES_MAX 1024
bool cluster_of_trace(const struct trace *trace, struct fake_cluster *out);

#endif
