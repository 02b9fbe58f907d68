/* SPDX-License-Identifier: MIT */
/*
 * arrivals.h - job arrivals in a simulation
 *
 * Two sources of jobs for the simulated cluster (sched/rm/fake.h): a workload log and the seeded generator.
 * Also the machine and the job IDs that a log describes.
 */
#ifndef HOST_ARRIVALS_H
#define HOST_ARRIVALS_H

#include <stdbool.h>

#include "sched/model/snapshot.h"
#include "sched/rm/fake.h"
#include "sched/trace/trace.h"

/*
 * Returns a source of the jobs of a trace. The trace must outlive the source.
 *
 * The ID of a job is its number in the trace if these numbers can serve as IDs (trace_numbers_are_ids), else
 * its position + 1, with the number as label. Credentials are named u12, g3 and q1 after the numbers in the
 * trace. A job with a record is submitted as the record says.
 */
struct arrivals arrivals_from_trace(const struct trace *trace);

/*
 * Returns a source of generated jobs, for a machine with machine_procs processors at a load of
 * origin->load_pct percent. The job with a given index is always the same, even if the simulation was stopped
 * and started again. If the adopted state contains a generator, that generator continues instead.
 */
struct arrivals arrivals_from_workload(int64_t machine_procs, const struct sim_origin *origin);

/*
 * Returns the resource manager of a simulated cluster at which the jobs of the trace or of the generator
 * arrive.
 */
struct rm fake_from_trace(const struct fake_cluster *cluster, const struct trace *trace);
struct rm fake_from_workload(const struct fake_cluster *cluster, const struct sim_origin *origin);

/*
 * Can the numbers of the trace serve as job IDs? They must be positive, ascend from job to job and leave few
 * gaps: a table from the first to the last has at most TRACE_ID_GAPS entries per job.
 */
#define TRACE_ID_GAPS 8
bool trace_numbers_are_ids(const struct trace *trace);

/* Returns the largest number or ID of a job in the trace; 0 = the trace has no jobs. */
uint64_t trace_last_id(const struct trace *trace);

/*
 * Sets *out to the machine that the header of a log describes: MaxProcs processors (else MaxNodes) on
 * MaxNodes nodes if they divide evenly, else one node per processor. If that would be more than
 * TRACE_NODES_MAX nodes, the machine gets fewer, larger ones: in a log all processors are equal, so no start
 * depends on the number of nodes. Returns false if the header contains no number of processors, or one that
 * is too large.
 */
#define TRACE_NODES_MAX 1024
bool cluster_of_trace(const struct trace *trace, struct fake_cluster *out);

#endif
