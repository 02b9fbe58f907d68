/* SPDX-License-Identifier: MIT */
/*
 * workload.h - generator for the workload of a busy cluster
 *
 * Sizes, run times and the daily cycle of arrivals follow Lublin and Feitelson, "The workload on parallel
 * supercomputers: modeling the characteristics of rigid jobs", JPDC 63 (2003): two-stage log-uniform sizes
 * with extra weight on powers of two, hyper-gamma run times whose mix depends on the size, gamma-distributed
 * interarrival times modulated by the hour of the day. One difference: no job requests more than half of the
 * machine, because sites do not let one job block all others. Wallclock limits follow Tsafrir, Etsion and
 * Feitelson, "Modeling user runtime estimates" (2005): users choose few round values. Users, groups,
 * accounts, classes and QOS are Kahu's own, with Zipf-like activity.
 *
 * A job depends only on the model (including its seed), on its index, and on the arrival of the previous job.
 */
#ifndef TRACE_WORKLOAD_H
#define TRACE_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

struct trace;

struct workload_model {
	uint64_t seed;
	int64_t machine_procs; /* 1 .. INT32_MAX; the largest job requests half of them */
	int64_t load_pct;      /* requested processor-seconds, in percent of those of the machine, > 0 */
};

/* A model and the values derived from it. Owns no memory; workload_begin initialises it. */
struct workload {
	struct workload_model model;
	double largest; /* processors of the largest job: half of the machine, at least 1 */
	double log_low, log_mid,
		log_high; /* log2 of the size of the smallest parallel job, of a job between the lower and the
			     upper part of the distribution, and of the largest job */
	double mean_gap_s; /* mean time between arrivals that results in load_pct */
};

/* Initialises *w for a model. */
void workload_begin(struct workload *w, const struct workload_model *model);

struct workload_job {
	int64_t arrival_s;                               /* submit time, >= previous_s */
	int64_t run_s;                                   /* true run time; may exceed wall_limit_s */
	int64_t wall_limit_s;                            /* requested wallclock limit, a round value */
	int64_t mem_mb;                                  /* requested memory per processor */
	int32_t procs;                                   /* requested processors: 1 .. half of the machine */
	int32_t user_number, group_number, class_number; /* numbers of user, group and class, from 1 */
	const char *user, *group, *account, *qos, *class_name, *name; /* static storage */
};

/*
 * Generates the job with number `index`, from 1. previous_s, >= 0, is the arrival time of the previous job:
 * the time until the next arrival depends on the hour of the day.
 */
void workload_job(const struct workload *w, uint64_t index, int64_t previous_s, struct workload_job *out);

/* Creates a trace of the first `count` jobs, which arrive after first_s; for tests and benchmarks. */
void workload_trace(const struct workload_model *model, size_t count, int64_t first_s, struct trace *out);

#endif
