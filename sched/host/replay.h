/* SPDX-License-Identifier: MIT */
/*
 * replay.h - a whole workload on a virtual clock, as fast as it goes
 *
 * At one moment: all ends, then all arrivals in file order, then one pass. The result is
 * a record per job and a summary (design contract of `kahu replay`).
 */
#ifndef HOST_REPLAY_H
#define HOST_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver.h"
#include "sched/rm/fake.h"
#include "sched/trace/swf.h"

struct replay_record {                 /* one accepted job, by position in the trace */
	int64_t start_s;               /* TIME_NONE: not started by the end       */
	int64_t end_s;                 /* TIME_NONE: not ended by the end         */
	uint32_t first_run, run_count; /* placement, into replay.runs */
	bool backfilled;
};

struct replay_summary {
	uint64_t jobs, rejected, bad_lines;
	int64_t first_submit_s, makespan_s;
	double utilization, mean_wait_s, median_wait_s, p95_wait_s, mean_bounded_slowdown, mean_xfactor;
	uint64_t backfilled, cycles;
	uint64_t decisions_hash;
};

struct replay; /* opaque */

/*
 * ids: job id = its number in the trace when those are unique and ascending and > 0, else its
 * position + 1 with the number as label. keep_runs: record placements. The trace is borrowed.
 * config_text, set: the configuration and then NAME=VALUE overrides, in order.
 */
struct replay_setup {
	const struct trace *trace;
	struct fake_cluster cluster;
	const char *config_file, *config_text;
	const char *const *set_name; /* with set_value, set_count entries */
	const char *const *set_value;
	size_t set_count;
	bool keep_runs;
	int64_t until_s; /* the last moment that is run; TIME_NEVER = to the end */
};
struct replay *replay_new(const struct replay_setup *setup, struct ledger ledger, struct err *err);
void replay_free(struct replay *r);

/* Runs every moment up to and including until_s (and the setup's); false: failed. */
bool replay_run(struct replay *r, int64_t until_s, struct err *err);
bool replay_done(const struct replay *r);           /* nothing left to happen */
uint64_t replay_jobs_ended(const struct replay *r); /* for a progress bar */

struct driver *replay_driver(struct replay *r);
const struct replay_record *replay_records(const struct replay *r);
const struct alloc_run *replay_runs(const struct replay *r);
void replay_summarise(const struct replay *r, struct replay_summary *out);

/* The presets as configuration text: "fcfs", "easy", "conservative"; NULL if none. */
const char *replay_preset(const char *name);

#endif
