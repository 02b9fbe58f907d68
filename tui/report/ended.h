/* SPDX-License-Identifier: MIT */
/*
 * ended.h - jobs that have ended
 *
 * A store has them; a replay without one has its records. Names in a record are texts, as no
 * state knows these jobs any more.
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

typedef void ended_visit(void *self, const struct ended_job *ended); /* valid during the call only */

/*
 * Which ended jobs a report needs. Those who have the records find them, so that jobs which are not wanted
 * cost the asking user little; a replay gives all jobs, and its reports choose by themselves.
 */
struct ended_wish {
	struct history_filter jobs;
	uint64_t newest; /* no more than so many, the last one first; 0: all */
	bool own;        /* asked of the scheduler: only the asking user's, who is no administrator */
};

/*
 * Of how many jobs the past is judged where a report estimates something (waits, run times): the error of a
 * median of 10 000 jobs is below one percent of the jobs, and what users ended before is not read.
 */
#define ENDED_SAMPLE 10000

/* Makes the wish as narrow as a filter allows; the filter still decides. */
void ended_narrow(struct ended_wish *wish, const struct job_filter *filter);

/*
 * The numbers that the jobs of a word can have; false where the word does not say. The tasks of an array have
 * numbers from the array's on. The scheduler knows jobs by their numbers; other labels are in the stores of
 * simulations.
 */
bool ended_ids(const char *word, struct history_ids *out);

/* Each of the wanted jobs once; nothing where nobody remembers. False: env->err says why. */
bool ended_find(struct cmd_env *env, const struct ended_wish *wish, ended_visit *each, void *self);

/* The newest ENDED_SAMPLE jobs that ran and ended at or after since_s, the last one first. */
bool ended_sample(struct cmd_env *env, int64_t since_s, ended_visit *each, void *self);

/* Each that has ended at or after since_s, once; nothing where nobody remembers. False: env->err says why. */
bool ended_each(struct cmd_env *env, int64_t since_s, ended_visit *each, void *self);

/* What people know the job by. */
#define ENDED_LABEL_TEXT 24
const char *ended_label(const struct job_record *record, char buf[static ENDED_LABEL_TEXT]);

/* Seconds it ran; 0 when it never started. */
int64_t ended_run_s(const struct ended_job *ended);

/* Seconds it waited: until its start, or until it was taken away. */
int64_t ended_wait_s(const struct ended_job *ended);

/* "Completed", "Failed", "AtLimit", "Removed", "NotRun", "Lost"; static storage. */
const char *ended_outcome(const struct ended_job *ended);

/* Its exit status as people know it: "0", "7", "TERM" when a signal ended it, "?" when nobody knows. */
#define ENDED_STATUS_TEXT 16
const char *ended_status(const struct ended_job *ended, char buf[static ENDED_STATUS_TEXT]);

/* Processor time that it used, of what it held: 0 to 1 or a little more; -1 when nobody measured it. */
double ended_efficiency(const struct ended_job *ended);

/* --- fields ------------------------------------------------------------------------------------------- */

/* What the fields of an ended job need. */
struct ended_row {
	const struct ended_job *ended;
	int64_t now_s;
};

/* Items are struct ended_row. */
extern const struct field ended_fields[];

/* Its end with the date, for tables. */
enum role ended_cell_end(const void *item, struct str *out);

/* As job_filter_match, for a job that has ended. */
bool ended_matches(const struct job_filter *filter, const struct ended_job *ended);

#endif
