/* SPDX-License-Identifier: MIT */
/*
 * job_fields.h - fields of a job in the queue, and cells of job lists
 *
 * A new field of a job is one row of job_fields. It is then part of the JSON of queue and job, and, if the
 * row says so, a column of the Queue screen, a name in filters and a sort key.
 */
#ifndef REPORT_JOB_FIELDS_H
#define REPORT_JOB_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "field.h"
#include "filter.h"
#include "forecast.h"
#include "tui/draw/theme.h"

struct job_report; /* job_report.h */

/* A job with the data that its fields need. All pointers are borrowed. */
struct job_row {
	const struct snapshot *s;
	const struct job *job;
	uint32_t slot;
	int64_t now_s;
	/* Source of starts and reasons: one of `future` and `forecast` is set. */
	const struct future *future;
	const struct forecast *forecast;
	const struct job_report *page; /* report of a single job; otherwise NULL */
	const char *label;             /* label of its line, such as "12[4-9] x6"; NULL = label of the job */
	bool blocked, over_soft;
};

/* Documents that carry a field. */
enum job_set {
	JOB_ACTIVE = 1,  /* queue: a running job          */
	JOB_WAITING = 2, /* queue: an idle or blocked job */
	JOB_PAGE = 4     /* report of a single job */
};

extern const struct field job_fields[];

/* Returns the row of a job of a forecast. */
struct job_row job_row_of(const struct forecast *f, uint32_t slot);

/* Return the rank of the job by priority, and its estimated start. */
int64_t job_row_rank(const struct job_row *r);
struct future_start job_row_start(const struct job_row *r);

/* Returns the role of a job in lists: running, held, reserved, ... */
enum role jobs_role(const struct forecast *f, uint32_t slot);

/*
 * Does the job match the filter? Filters use the filter names of job_fields; the field `limit` contains the
 * limit that blocks the job: "MAXPS/user:eva".
 */
bool jobs_match(const struct forecast *f, uint32_t slot, const struct filter *filter);

/*
 * Append common cells of job lists, and return their role: the label, the mark, and a credential ("-" if
 * none).
 */
enum role jobs_add_label(const struct forecast *f, uint32_t slot, struct str *out);
enum role jobs_add_mark(const struct forecast *f, uint32_t slot, struct str *out);
enum role jobs_add_cred(const struct forecast *f, uint32_t slot, enum cred_type type, struct str *out);

/*
 * Appends the estimated start of a waiting job, " 19:44:39 +3:42h", "now" or "-", and returns its role. ~
 * marks a placeholder, > an estimated start later than the reserved one.
 */
enum role jobs_add_start(const struct forecast *f, uint32_t slot, struct str *out);
/*
 * Appends "reserved 15:22:53, expected 15:37:53". Returns false if the job has no reservation, or is expected
 * to start by the reserved time.
 */
bool jobs_add_slip(const struct forecast *f, uint32_t slot, struct str *out);

/* If the resource manager decides: appends what it says about an idle job, after "; " or "would start; ". */
void jobs_add_manager(const struct snapshot *s, const struct job *job, int64_t now_s, struct str *out);

/* Appends a start: "19:44:39", "~19:44:39", "now", or "-" if there is none. */
enum role jobs_add_when(int64_t start_s, int64_t now_s, bool placeholder, struct str *out);
/*
 * Appends the change of a start: "-3:42:28", "+0:11:00", "starts", "no start"; nothing if unchanged.
 * Abbreviated to "-1d00h" if it is wider than `cells`.
 */
enum role jobs_add_change(int64_t before_s, int64_t after_s, int cells, struct str *out);
/* Appends the change of a rank: "3 -> 1". Ranks count from 1; 0 means no rank and is shown as "-". */
enum role jobs_add_rank(uint32_t before, uint32_t after, struct str *out);

/* Appends a time with its distance from now: "19:44:39 +3:42h". */
void jobs_add_moment(struct str *out, int64_t at_s, int64_t now_s);

#endif
