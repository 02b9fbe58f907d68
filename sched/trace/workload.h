/* SPDX-License-Identifier: MIT */
/*
 * workload.h - generator for the workload of a busy cluster
 *
 * Sizes, run times and the daily cycle of arrivals follow Lublin and Feitelson, "The workload on parallel
 * supercomputers: modeling the characteristics of rigid jobs", JPDC 63 (2003): two-stage log-uniform sizes
 * with extra weight on powers of two, hyper-gamma run times whose mix depends on the size, gamma-distributed
 * interarrival times modulated by the hour of the day. One difference: no job requests more than half of the
 * machine, as sites do not let one job block all others. Wallclock limits follow Tsafrir, Etsion and
 * Feitelson, "Modeling user runtime estimates" (2005): users choose few round values. Users, groups,
 * accounts, classes and QOS are Kahu's own, with Zipf-like activity.
 *
 * Job `index` is a function of (model, seed, index) only.
 */
#ifndef TRACE_WORKLOAD_H
#define TRACE_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

struct trace;

struct workload_model {
	uint64_t seed;
	int64_t machine_procs; /* 1 .. INT32_MAX; sizes are scaled to half of it */
	int64_t load_pct;      /* offered load, percent of the machine, > 0      */
};

/* A model and the values derived from it. Owns no memory; workload_begin initialises it. */
struct workload {
	struct workload_model model;
	double largest;                    /* size: half the machine, at least 1   */
	double log_low, log_mid, log_high; /* log2 of sizes: smallest, break, largest */
	double mean_gap_s;                 /* results in the requested load        */
};

void workload_begin(struct workload *w, const struct workload_model *model);

struct workload_job {
	int64_t arrival_s;    /* >= previous_s                                     */
	int64_t run_s;        /* true run time; may exceed wall_limit_s */
	int64_t wall_limit_s; /* a round value                                     */
	int64_t mem_mb;       /* per processor                                     */
	int32_t procs;        /* 1 .. half the machine                             */
	int32_t user_number, group_number, class_number;              /* numbers of the names, from 1 */
	const char *user, *group, *account, *qos, *class_name, *name; /* static storage; qos NULL = none */
};

/* Job number index (from 1). previous_s, >= 0, is the arrival time of the previous job, needed for the daily
 * cycle. */
void workload_job(const struct workload *w, uint64_t index, int64_t previous_s, struct workload_job *out);

/* The first count jobs as a trace, arriving after first_s; for tests and benchmarks. */
void workload_trace(const struct workload_model *model, size_t count, int64_t first_s, struct trace *out);

#endif
