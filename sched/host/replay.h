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
 * Means and percentiles are over the jobs that have started; 0 when there are none. When
 * the replay was cut, makespan and utilization are up to the last end so far.
 */
struct replay_summary {
	uint64_t jobs, rejected, bad_lines;
	uint64_t not_started; /* of jobs: never, or not before the replay was cut */
	int64_t first_submit_s;
	int64_t makespan_s; /* last end - first submit                           */
	double utilization; /* sum of run * procs / (machine * makespan)         */
	double mean_wait_s;
	double median_wait_s;         /* between the two in the middle: their mean         */
	double p95_wait_s;            /* nearest rank                                      */
	double mean_bounded_slowdown; /* of max(1, (wait + run) / max(run, 10))            */
	double mean_xfactor;          /* of 1 + wait / estimate                            */
	uint64_t backfilled;          /* started while an earlier-ranked eligible job waited */
	uint64_t cycles;              /* passes                                            */
	uint64_t decisions_hash;
};

/* The sums behind it. Start with zero; free wait_s. */
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

/* Writes the fields about waiting and leaves the rest of *out alone. Sorts the waits. */
void replay_sums_tell(struct replay_sums *sums, struct replay_summary *out);

struct replay_record {                 /* one accepted job, by position in the trace */
	int64_t start_s;               /* TIME_NONE: not started by the end       */
	int64_t end_s;                 /* TIME_NONE: not ended by the end         */
	uint32_t first_run, run_count; /* placement, into replay.runs */
	bool backfilled;
};

struct replay; /* opaque */

/*
 * All borrowed, the trace until the driver is freed. config_text, set: the configuration and
 * then NAME=VALUE overrides, in order. For the first N jobs alone, give a trace with a smaller count.
 */
struct replay_setup {
	const struct trace *trace;
	struct fake_cluster cluster;
	const char *barred; /* why programs of the configuration are not run; NULL or "": they are */
	const char *who;    /* author of the events; NULL = "sched"                               */
	const char *config_file, *config_text; /* text NULL: the defaults    */
	const char *const *set_name;           /* with set_value, set_count entries */
	const char *const *set_value;
	size_t set_count;
	const struct fsfile *window; /* usage before the first moment; of the configuration's FSINTERVAL
					when it does not say              */
	size_t window_count;
	int64_t poll_s;  /* see driver_set_poll; 0 = passes whenever something happens */
	bool keep_runs;  /* record placements                              */
	int64_t until_s; /* the last moment that is run; TIME_NEVER = to the end */
};

/* The driver alone, ready for its first step: for a console. NULL as below. */
struct driver *replay_driver_new(const struct replay_setup *setup, struct ledger ledger, struct err *err);

/* NULL: the configuration, an override or a usage window is invalid, or the store failed; err says why. */
struct replay *replay_new(const struct replay_setup *setup, struct ledger ledger, struct err *err);
void replay_free(struct replay *r);

/* Runs all steps up to and including until_s (and the setup's); false: storage failed, free the replay. */
bool replay_run(struct replay *r, int64_t until_s, struct err *err);
bool replay_done(const struct replay *r);           /* nothing left to happen */
uint64_t replay_jobs_ended(const struct replay *r); /* for a progress bar */

struct driver *replay_driver(struct replay *r);
const struct trace *replay_trace(const struct replay *r);
/* One for each job of the trace, and the runs that the records point into. */
const struct replay_record *replay_records(const struct replay *r);
/* Jobs that left without an end in the records, in that order: jobs that are not from the trace, and jobs
 * that were cancelled while they waited. Valid until the next step. */
const struct ended_job *replay_others(const struct replay *r, size_t *count);
const struct alloc_run *replay_runs(const struct replay *r);
void replay_summarise(const struct replay *r, struct replay_summary *out);

/* The presets as configuration text: "fcfs", "easy", "conservative" (any case); NULL if none. */
const char *replay_preset(const char *name);

#endif
