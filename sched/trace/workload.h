/* SPDX-License-Identifier: MIT */
/*
 * workload.h - a busy cluster's jobs, from a seed
 *
 * Sizes, run times and the daily rhythm of arrivals follow Lublin and Feitelson, "The
 * workload on parallel supercomputers: modeling the characteristics of rigid jobs", JPDC
 * 63 (2003): two-stage log-uniform sizes with extra weight on powers of two, hyper-gamma
 * run times whose mix depends on the size, gamma gaps between arrivals modulated by the
 * hour of the day. Wallclock limits follow the observation of Tsafrir, Etsion and
 * Feitelson, "Modeling user runtime estimates" (2005): people choose few round values. Users,
 * groups, accounts, classes and QOS are ours (Zipf-like activity).
 *
 * Job `index` is a function of (model, seed, index) alone.
 */
#ifndef TRACE_WORKLOAD_H
#define TRACE_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

struct trace;

struct workload_model {
	uint64_t seed;
	int64_t machine_procs; /* sizes are scaled to it, > 0           */
	int64_t load_pct;      /* offered load, percent of the machine  */
};

#define WORKLOAD_NAME 32

struct workload_job {
	int64_t gap_s; /* since the previous arrival at hour_s's rate, >= 0 */
	int64_t run_s; /* true run time, <= wall_limit_s                    */
	int64_t wall_limit_s;
	int64_t mem_mb; /* per processor                                     */
	int32_t procs;
	char user[WORKLOAD_NAME], group[WORKLOAD_NAME], account[WORKLOAD_NAME], qos[WORKLOAD_NAME],
		class_name[WORKLOAD_NAME], name[WORKLOAD_NAME]; /* "" = none */
};

/* Job number index (from 1). previous_s is the moment of the arrival before it: the daily rhythm. */
void workload_job(const struct workload_model *model, uint64_t index, int64_t previous_s,
		  struct workload_job *out);

/* The first count jobs as a trace, starting at first_s: what tests and benches replay. */
void workload_trace(const struct workload_model *model, size_t count, int64_t first_s, struct trace *out);

#endif
