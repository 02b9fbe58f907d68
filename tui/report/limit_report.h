/* SPDX-License-Identifier: MIT */
/*
 * limit_report.h - throttling limits with their current usage
 *
 * One row per limit and credential, or pair of credentials; limits that block the most jobs come first. The
 * usage of a limit on single jobs is the largest request of a job. Used by the verb and by the Limits screen.
 */
#ifndef REPORT_LIMIT_REPORT_H
#define REPORT_LIMIT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "field.h"
#include "forecast.h"
#include "sched/forecast/plan.h"

struct str; /* sched/base/str.h */

/* A limit, and the credentials whose usage counts against it. */
struct limit_row {
	uint8_t kind, scope; /* enum limit_kind, enum limit_scope      */
	uint8_t second_type; /* CRED_TYPE_COUNT = no second credential */
	uint32_t cred;       /* INDEX_NONE = the system                */
	uint32_t second;     /* INDEX_NONE = none, or none that uses the limit */
	int64_t used, soft, hard;
	uint32_t holds_back; /* number of jobs blocked by it */
	uint32_t order;      /* position in the order of the configuration */
};

struct limit_list {
	const struct snapshot *s;
	int64_t now_s;
	struct limit_row *row; /* most blocked jobs first */
	size_t count, room;

	/* private: limit whose rows are being added, and index of the first of them */
	const struct limit *of;
	size_t first;
};

/* Replaces the rows. plan: plan of s. Memory is kept between builds; limit_list_free frees it. */
void limit_list_build(struct limit_list *l, const struct snapshot *s, const struct plan *plan);
void limit_list_free(struct limit_list *l);

/* Returns the index of the row for the same limit and credentials; l->count if the list has none. */
size_t limit_list_find_row(const struct limit_list *l, const struct limit_row *row);

/* Returns the usage in percent of the soft limit; 0 without a soft limit. */
double limit_row_percent(const struct limit_row *row);

/* Does the row limit the request of a single job instead of total usage? */
bool limit_row_is_per_job(const struct limit_row *row);

/* Does the limit of a QOS override other limits? */
bool limit_row_is_override(const struct limit_row *row);

/*
 * Return the type and the name of the credential that the limit applies to: "user" and "eva"; "system" and
 * NULL for a limit of the system.
 */
const char *limit_row_owner_type(const struct snapshot *s, const struct limit_row *row);
const char *limit_row_owner(const struct snapshot *s, const struct limit_row *row);

/*
 * Appends the name of the limit: "MAXPS", "MAXPS[USER:eva]"; with "MAX." for a limit of a class:
 * "MAX.WCLIMIT".
 */
void limit_row_add_name(const struct snapshot *s, const struct limit_row *row, struct str *out);

/*
 * limit_row_add_option appends the option that sets the limit for this credential: "user[eva].maxps",
 * "class[fast].maxproc[user:eva]". limit_row_add_value appends its value: "2,8".
 */
void limit_row_add_option(const struct snapshot *s, const struct limit_row *row, struct str *out);
void limit_row_add_value(const struct limit_row *row, struct str *out);

/*
 * Append the label of the limit in a reason or row, as used in job filters: "MAXPS/user:eva",
 * "MAXNODE/class:fast/user:bob". Appends nothing for a reason that is not a limit.
 */
void limit_add_label(const struct snapshot *s, const struct job *job, const struct reason *reason,
		     struct str *out);

void limit_row_add_label(const struct snapshot *s, const struct limit_row *row, struct str *out);

/* Is this the limit that blocks an idle job for this reason? */
bool limit_row_holds(const struct snapshot *s, const struct limit_row *row, const struct job *job,
		     const struct reason *reason);

/* Does the job count against the limit? With `active`, the job is taken as running, otherwise as eligible. */
bool limit_row_counts(const struct snapshot *s, const struct limit_row *row, const struct job *job,
		      bool active);

/* --- fields ------------------------------------------------------------------------------------------- */

/* A row with its list. */
struct limit_item {
	const struct limit_list *list;
	const struct limit_row *row;
};

extern const struct field limit_fields[];          /* items are struct limit_item */
extern const struct field limit_document_fields[]; /* items are struct limit_list */

/* --- jobs that count against a limit ------------------------------------------------------------------ */

/*
 * The following jobs of a forecast count: running jobs, jobs that the next pass starts, and, for limits on
 * eligible jobs, all eligible jobs.
 */

typedef void limit_use_visit(void *self, uint32_t slot, const struct job *job);

/*
 * Visits these jobs: running jobs by due end, then waiting jobs by submission. A job that the next pass
 * starts is passed as running.
 */
void limit_use_each(const struct forecast *f, const struct limit_row *row, limit_use_visit *visit,
		    void *self);

/*
 * Returns the amount of the limit that one of these jobs will use at the time at_s if it runs to its
 * wallclock limit.
 */
int64_t limit_use_amount(const struct forecast *f, const struct limit_row *row, uint32_t slot,
			 const struct job *job, int64_t at_s);

/* Returns the number of processors that count against limits for this job, at the time of the forecast. */
int64_t limit_use_procs(const struct forecast *f, uint32_t slot, const struct job *job);

/* Does the amount of a running job decrease continuously, and not only when the job ends? */
bool limit_use_falls(const struct limit_row *row);

/* Total usage at a given time, without the jobs that are due to end by then. */
struct limit_use {
	const struct forecast *f;
	const struct limit_row *row;
	int64_t at_s;
	int64_t amount, procs; /* procs: processors of the running jobs only */
	uint32_t jobs, running;
	int64_t next_end_s; /* first due end after at_s of a job that counts */
};

struct limit_use limit_use_at(const struct forecast *f, const struct limit_row *row, int64_t at_s);

#endif
