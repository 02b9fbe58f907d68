/* SPDX-License-Identifier: MIT */
/*
 * why_report.h - explanation of why a job does not run, as text and JSON
 *
 * The verb and the Job screen print the same text: a line with the verdict and a line with the estimated
 * start.
 */
#ifndef REPORT_WHY_REPORT_H
#define REPORT_WHY_REPORT_H

#include "changes.h"
#include "sched/forecast/future.h"
#include "sched/forecast/remedies.h"

struct str;

/* Facts about one job. */
struct why_known {
	const struct snapshot *s;
	int64_t now_s;
	uint32_t slot;
	const struct plan *plan;         /* plan of s at now_s */
	struct why why;                  /* result of explain_dated */
	const struct remedies *remedies; /* NULL: changes were not searched for */
	struct future_start start;       /* estimated start */
};

/* Appends the verdict: "Job 12 does not start now: it needs 8 processors and 4 are free: 4 short." */
void why_text_verdict(const struct why_known *k, struct str *out);

/*
 * Appends "Estimated start: Mon Jan 5 00:55:00 (in 0:53:20); until then the job ...; job 3 ends then.",
 * without a newline; nothing for a running job.
 */
void why_text_start(const struct why_known *k, struct str *out);

/*
 * Appends the jobs that count against an idle limit: "Counted against MAXIJOB: 12 and 14 (over a soft
 * limit)."; nothing if the job is not blocked by an idle limit.
 */
void why_text_counted(const struct why_known *k, struct str *out);

/* The whole explanation. All pointers are borrowed. */
struct why_report {
	struct why_known known;
	const struct future *future; /* the future that contains the estimated start */
	int64_t by_s;                /* the time by which the suggested changes were to start the job */
	int width;                   /* width of the terminal; 0 = unlimited */
	bool ascii;
	bool all; /* also show the checks that pass */
};

void why_report_json(const struct why_report *r, struct str *out);
void why_report_text(const struct why_report *r, struct str *out);

/* --- changes that would start a job ------------------------------------------------------------------- */

/* Appends the command line for a change: "tune user[eva].maxps 98696,1080000", "hold -s 901023". */
void remedy_line(const struct snapshot *s, const struct event *ev, struct str *out);

/* The state and the job to which remedy_may refers. */
struct remedy_view {
	const struct snapshot *s;
	uint64_t job;
};

/*
 * Is the viewer permitted to make or request the change? If names are hidden, changes of other users' jobs
 * are not suggested. self: a struct remedy_view.
 */
bool remedy_may(void *self, const struct event *ev);

/*
 * Returns who may make the change to the job: "its owner", "admin level 1", "admin level 2". Static storage.
 */
const char *remedy_who(const struct snapshot *s, uint64_t job, const struct event *ev);

/*
 * Appends what happens without a change: when the job starts and what it waits for until then, or that it
 * never starts.
 */
void remedy_itself(const struct snapshot *s, const struct job *job, const struct remedies *u, int64_t now_s,
		   struct str *out);

/* Appends the cost of a change for other jobs: "2 jobs delayed, 17 by 0:10:00". */
void remedy_cost(const struct snapshot *s, const struct remedy *c, struct str *out);

/*
 * Appends the heading of the list of changes: "Single changes that start the job now (simulated only):".
 */
void remedies_heading(const struct remedies *u, int64_t by_s, int64_t now_s, struct str *out);

/*
 * Appends which changes were not tried, and the time up to which delays were examined; nothing if the search
 * was complete.
 */
void remedies_unsearched(const struct remedies *u, int64_t now_s, struct str *out);

#endif
