/* SPDX-License-Identifier: MIT */
/*
 * workload.h - a busy cluster's jobs, from a seed
 *
 * Sizes, run times and the daily rhythm of arrivals follow Lublin and Feitelson, "The
 * workload on parallel supercomputers: modeling the characteristics of rigid jobs", JPDC
 * 63 (2003): two-stage log-uniform sizes with extra weight on powers of two, hyper-gamma
 * run times whose mix depends on the size, gamma gaps between arrivals modulated by the
 * hour of the day. One thing is not theirs: no job asks for more than half the machine,
 * as sites see to it that none blocks all the others. Wallclock limits follow the
 * observation of Tsafrir, Etsion and Feitelson, "Modeling user runtime estimates" (2005):
 * people choose few round values. Users, groups, accounts, classes and QOS are ours
 * (Zipf-like activity).
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
	int64_t machine_procs; /* 1 .. INT32_MAX; sizes are scaled to half of it */
	int64_t load_pct;      /* offered load, percent of the machine, > 0      */
};

/* A model with what follows from it. A plain value; workload_begin fills it. */
struct workload {
	struct workload_model model;
	double largest;                    /* size: half the machine, at least 1   */
	double log_low, log_mid, log_high; /* log2 of sizes: least, break, largest */
	double mean_gap_s;                 /* gives the load asked for             */
};

void workload_begin(struct workload *w, const struct workload_model *model);

struct workload_job {
	int64_t arrival_s;    /* >= previous_s                                     */
	int64_t run_s;        /* true run time; beyond wall_limit_s: stopped there */
	int64_t wall_limit_s; /* a round value                                     */
	int64_t mem_mb;       /* per processor                                     */
	int32_t procs;        /* 1 .. half the machine                             */
	int32_t user_number, group_number, class_number;              /* of the names, from 1 */
	const char *user, *group, *account, *qos, *class_name, *name; /* static storage; qos NULL = none */
};

/* Job number index (from 1). previous_s, >= 0, is the moment of the arrival before it: the daily rhythm. */
void workload_job(const struct workload *w, uint64_t index, int64_t previous_s, struct workload_job *out);

/* The first count jobs as a trace, the first after first_s: what tests and benches replay. */
void workload_trace(const struct workload_model *model, size_t count, int64_t first_s, struct trace *out);

#endif
