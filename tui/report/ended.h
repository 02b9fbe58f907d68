/* SPDX-License-Identifier: MIT */
/*
 * ended.h - ended jobs
 *
 * Ended jobs are read from the store or through the scheduler; a replay without a store keeps its own
 * records. Names in a record are strings, because ended jobs are no longer part of a state.
 */
#ifndef REPORT_ENDED_H
#define REPORT_ENDED_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd_env.h"
#include "field.h"
#include "sched/host/ledger.h"
#include "store/store.h"

struct job_filter;

/* `ended` is valid during the call only */
typedef void ended_visit(void *self, const struct ended_job *ended);

/*
 * The ended jobs that a report needs. The store or the scheduler applies the filter, so that jobs outside of
 * it cost the requesting user little; a replay returns all jobs, and reports filter them again.
 */
struct ended_wish {
	struct history_filter jobs;
	/* 0 = all jobs, earliest end first; else the maximum number of jobs, latest end first */
	uint64_t newest;
	bool own; /* when read from the scheduler: only jobs of the requesting user, unless that user is an
		     administrator */
};

/*
 * Number of past jobs used for estimates (waits, run times). The median of 10 000 jobs is accurate to one
 * percentile, so older jobs are not read.
 */
#define ENDED_SAMPLE 10000

/*
 * Restricts the request to jobs that the filter may match. The caller must still apply the filter to each
 * job.
 */
void ended_narrow(struct ended_wish *wish, const struct job_filter *filter);

/*
 * Sets *out to the range of job IDs that a word can match; returns false if the word is not a number. The
 * tasks of an array have consecutive IDs, beginning with the ID of the array. The scheduler finds jobs by ID;
 * other labels exist only in the stores of simulations.
 */
bool ended_ids(const char *word, struct history_ids *out);

/*
 * Visits each requested job once; no job if there is no history. Returns false with env->err set on failure.
 */
bool ended_find(struct cmd_env *env, const struct ended_wish *wish, ended_visit *each, void *self);

/* Visits the newest ENDED_SAMPLE jobs that ran and ended at or after since_s, last end first. */
bool ended_sample(struct cmd_env *env, int64_t since_s, ended_visit *each, void *self);

/*
 * Visits each job that ended at or after since_s; no job if there is no history. Returns false with env->err
 * set on failure.
 */
bool ended_each(struct cmd_env *env, int64_t since_s, ended_visit *each, void *self);

/* The label of the job, or its ID if it has none; the result may point to buf. */
#define ENDED_LABEL_TEXT 24
const char *ended_label(const struct job_record *record, char buf[static ENDED_LABEL_TEXT]);

/* Returns the run time in seconds; 0 for a job that never started. */
int64_t ended_run_s(const struct ended_job *ended);

/* Returns the wait in seconds, until the start or until the job was cancelled. */
int64_t ended_wait_s(const struct ended_job *ended);

/* "Completed", "Failed", "AtLimit", "Removed", "NotRun", "DependFailed", "Lost"; static storage. */
const char *ended_outcome(const struct ended_job *ended);

/*
 * Exit status as displayed: "0", "7", "TERM" for a job ended by a signal, "?" if unknown, "-" for a job that
 * never started.
 */
#define ENDED_STATUS_TEXT 16
const char *ended_status(const struct ended_job *ended, char buf[static ENDED_STATUS_TEXT]);

/*
 * Returns the used processor time divided by allocated processor time: 0 to 1 or slightly more; -1 if not
 * measured.
 */
double ended_efficiency(const struct ended_job *ended);

/* --- fields ------------------------------------------------------------------------------------------- */

/* Item of ended_fields. */
struct ended_row {
	const struct ended_job *ended;
	int64_t now_s;
};

/* Items are struct ended_row. */
extern const struct field ended_fields[];

/* Appends the date and time of the end, for a table cell. */
enum role ended_cell_end(const void *item, struct str *out);

/* Like job_filter_match, for an ended job. */
bool ended_matches(const struct job_filter *filter, const struct ended_job *ended);

#endif
