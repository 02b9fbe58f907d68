/* SPDX-License-Identifier: MIT */
/*
 * replay.h - replay of a workload on a simulated cluster
 *
 * At each time all ends come first, then all arrivals in file order, then one pass. The result is a record
 * per job and a summary, both identical on every run.
 */
#ifndef HOST_REPLAY_H
#define HOST_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver.h"
#include "sched/rm/fake.h"
#include "sched/trace/fsfile.h"
#include "sched/trace/trace.h"

/*
 * The result of a replay. Means and percentiles cover the jobs that have started and are 0 if there are
 * none. If the replay was cut short, makespan and utilization cover the time until the last end so far.
 */
struct replay_summary {
	uint64_t jobs, rejected, bad_lines;
	uint64_t not_started; /* jobs that never started, or not before the replay was cut short */
	int64_t first_submit_s;
	int64_t makespan_s; /* last end - first submit */
	double utilization; /* (sum of run * procs) / (processors of the machine * makespan) */
	double mean_wait_s;
	double median_wait_s;         /* of an even number of jobs: the mean of the two middle waits */
	double p95_wait_s;            /* 95th percentile by nearest rank */
	double mean_bounded_slowdown; /* mean of max(1, (wait + run) / max(run, 10)) */
	double mean_xfactor;          /* mean of 1 + wait / wallclock limit */
	uint64_t backfilled;          /* jobs started while an eligible job with a higher rank waited */
	uint64_t cycles;              /* number of passes */
	uint64_t decisions_hash;
};

/*
 * Sums over started jobs, from which a summary is computed. Begin with a zeroed struct; the caller frees
 * wait_s.
 */
struct replay_sums {
	int64_t *wait_s;
	size_t started, cap;
	double wait, slowdown, xfactor;
	uint64_t backfilled;
};

/* max(1, (wait + run) / max(run, 10)) */
double replay_bounded_slowdown(int64_t wait_s, int64_t run_s);

/* Adds a job that has started. The last digits of the sums depend on the order of the jobs. */
void replay_sum_job(struct replay_sums *sums, int64_t wait_s, int64_t run_s, int64_t wall_limit_s,
		    bool backfilled);

/* Sorts the waits, and sets the fields of *out that are about waiting; the other fields stay the same. */
void replay_sums_tell(struct replay_sums *sums, struct replay_summary *out);

struct replay_record {                 /* the result for one job, by its position in the trace */
	int64_t start_s;               /* TIME_NONE: it did not start in the replay */
	int64_t end_s;                 /* TIME_NONE: it did not end in the replay */
	uint32_t first_run, run_count; /* its placement in replay_runs() */
	bool backfilled;
};

struct replay; /* opaque */

/*
 * All pointers are borrowed, the trace until the driver is freed. The configuration (config_text) is applied
 * first, then the settings NAME=VALUE in their order. To replay only the first N jobs, give a trace with a
 * smaller count.
 */
struct replay_setup {
	const struct trace *trace;
	struct fake_cluster cluster;
	const char *barred; /* reason not to run programs of the configuration; NULL or "": they are run */
	const char *who;    /* author of the events; NULL = "sched" */
	const char *config_file, *config_text; /* text NULL: default values */
	const char *const *set_name; /* names of settings; set_value: their values; set_count: their number */
	const char *const *set_value;
	size_t set_count;
	const struct fsfile *window; /* fairshare usage before the replay; a window without a length gets that
					of the option FSINTERVAL */
	size_t window_count;
	int64_t poll_s;  /* see driver_set_poll; 0 = passes whenever something happens */
	bool keep_runs;  /* record the placements of jobs */
	int64_t until_s; /* time of the last possible step; TIME_NEVER = until nothing is left */
};

/*
 * Makes only the driver, ready for its first step; for the console. Returns NULL in the same cases as
 * replay_new.
 */
struct driver *replay_driver_new(const struct replay_setup *setup, struct ledger ledger, struct err *err);

/*
 * Makes a replay. Returns NULL with err set if the configuration, a setting or a usage window is invalid, or
 * if the store failed.
 */
struct replay *replay_new(const struct replay_setup *setup, struct ledger ledger, struct err *err);
void replay_free(struct replay *r);

/*
 * Runs all steps up to and including until_s, or until_s of the setup if that is earlier. Returns false if
 * storage failed; the replay must then be freed.
 */
bool replay_run(struct replay *r, int64_t until_s, struct err *err);
bool replay_done(const struct replay *r);           /* no step is left */
uint64_t replay_jobs_ended(const struct replay *r); /* for a progress bar */

struct driver *replay_driver(struct replay *r);
const struct trace *replay_trace(const struct replay *r);
/* Returns the results: one for each job of the trace, in the order of the trace. */
const struct replay_record *replay_records(const struct replay *r);
/*
 * Returns the jobs that left the queue without an end in the records: jobs that are not in the trace, and
 * jobs that were cancelled while idle. They are in the order in which they left, and valid until the next
 * step.
 */
const struct ended_job *replay_others(const struct replay *r, size_t *count);
const struct alloc_run *replay_runs(const struct replay *r);
void replay_summarise(const struct replay *r, struct replay_summary *out);

/*
 * Returns a preset as configuration text: "fcfs", "easy" or "conservative" (any case); NULL if there is no
 * preset of this name.
 */
const char *replay_preset(const char *name);

#endif
