/* SPDX-License-Identifier: MIT */
/*
 * replay_summary.h - summary of a replay
 */
#ifndef HOST_REPLAY_SUMMARY_H
#define HOST_REPLAY_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The sums behind it. Zero is none; free(wait_s). */
struct replay_sums {
	int64_t *wait_s;
	size_t started, room;
	double wait, slowdown, xfactor;
	uint64_t backfilled;
};

/* max(1, (wait + run) / max(run, 10)) */
double replay_bounded_slowdown(int64_t wait_s, int64_t run_s);

/* A job that has started. Sums depend on the order of the jobs in their last digits. */
void replay_sum_job(struct replay_sums *sums, int64_t wait_s, int64_t run_s, int64_t wall_limit_s,
		    bool backfilled);

/* Writes what they say of waiting; the rest of *out is the caller's. Puts the waits in order. */
void replay_sums_tell(struct replay_sums *sums, struct replay_summary *out);

#endif
