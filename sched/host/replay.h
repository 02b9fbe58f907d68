/* SPDX-License-Identifier: MIT */
/*
 * replay.h - a whole workload on a virtual clock, as fast as it goes
 *
 * At one moment: all ends, then all arrivals in file order, then one pass. The result is
 * a record per job and a summary, the same to the last bit on every run.
 */
#ifndef HOST_REPLAY_H
#define HOST_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver.h"
#include "replay_summary.h"
#include "sched/rm/fake.h"
#include "sched/trace/fsfile.h"
#include "sched/trace/trace.h"

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
	const char *barred; /* why no program of the configuration is run; NULL or "": they are */
	const char *who;    /* whose doing this is; NULL = "sched"    */
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

/* The driver alone, ready for its first step: for a console. NULL with a sentence, as below. */
struct driver *replay_driver_new(const struct replay_setup *setup, struct ledger ledger, struct err *err);

/* NULL with a sentence: the configuration, an override or a window is wrong, or the store failed. */
struct replay *replay_new(const struct replay_setup *setup, struct ledger ledger, struct err *err);
void replay_free(struct replay *r);

/* Runs every moment up to and including until_s (and the setup's); false: storage failed, free it. */
bool replay_run(struct replay *r, int64_t until_s, struct err *err);
bool replay_done(const struct replay *r);           /* nothing left to happen */
uint64_t replay_jobs_ended(const struct replay *r); /* for a progress bar */

struct driver *replay_driver(struct replay *r);
const struct trace *replay_trace(const struct replay *r);
/* One for each job of the trace, and the runs that the records point into. */
const struct replay_record *replay_records(const struct replay *r);
/* Jobs that have left and have no end there, in that order: those that are not of the trace, and those that
 * were cancelled while they waited. Until the next step. */
const struct ended_job *replay_others(const struct replay *r, size_t *count);
const struct alloc_run *replay_runs(const struct replay *r);
void replay_summarise(const struct replay *r, struct replay_summary *out);

/* The presets as configuration text: "fcfs", "easy", "conservative" (any case); NULL if none. */
const char *replay_preset(const char *name);

#endif
