/* SPDX-License-Identifier: MIT */
/*
 * why_report.h - explanation of why a job does not run
 *
 * The verb and the page of the console say the same: one line with the verdict, one with the estimated start.
 */
#ifndef REPORT_WHY_REPORT_H
#define REPORT_WHY_REPORT_H

#include "changes.h"
#include "sched/forecast/future.h"
#include "sched/forecast/unblock.h"

struct str;

/* What is known of one job. */
struct why_known {
	const struct snapshot *s;
	int64_t now_s;
	uint32_t slot;
	const struct plan *plan;    /* of s at now_s                                */
	struct why why;             /* of explain_dated                             */
	const struct unblock *ways; /* NULL: changes were not looked for            */
	struct future_start start;  /* the estimated start                          */
};

/* "Job 12 does not start now: it needs 8 processors and 4 are free: 4 short." */
void why_text_verdict(const struct why_known *k, struct str *out);

/* "Estimated start: Mon Jan  5 00:55:00 (in 0:53:20); until then it ...; job 3 ends then.", without an end of
 * line; nothing of a job that runs. */
void why_text_start(const struct why_known *k, struct str *out);

/* "Counted are jobs 12 and 14 (over a soft limit).": those that an idle limit counts; nothing without one. */
void why_text_counted(const struct why_known *k, struct str *out);

/* The failing checks, each with its numbers, and with `all` also those that are passed, as rows of a table:
 * see cmd_why.c. */
bool why_text_shows(const struct check *check, bool all);

/* --- changes that would start a job ------------------------------------------------------------------- */

struct json;

/* What a person would type to make the change: "tune user[eva].maxps 98696,1080000", "hold -s 901023". */
void remedy_line(const struct snapshot *s, const struct event *ev, struct str *out);

/* May whoever sees this snapshot make the change, or ask for it? Where names are hidden nothing is offered
 * that is done to jobs of others. self: the remedy_view of who asks. */
struct remedy_view {
	const struct snapshot *s;
	uint64_t job;
};

bool remedy_may(void *self, const struct event *ev);

/* "its owner", "administrator 2": who may make the change for the job. Static storage. */
const char *remedy_who(const struct snapshot *s, uint64_t job, const struct event *ev);

/* Appends what happens without any change: when it starts by itself and what it waits for until then, or that
 * it never does. */
void remedy_itself(const struct snapshot *s, const struct job *job, const struct unblock *u, int64_t now_s,
		   struct str *out);

/* "2 jobs delayed, 17 by 0:10:00": what a change costs others. Appended. */
void remedy_cost(const struct snapshot *s, const struct unblock_change *c, struct str *out);

/* "Single changes that start it now (simulated, not made):": the line above the list. */
void remedies_heading(const struct unblock *u, int64_t by_s, int64_t now_s, struct str *out);

/* What was not searched, and up to when delays were looked at; nothing when all was. */
void remedies_unsearched(const struct unblock *u, int64_t now_s, struct str *out);

/* The list, best first; what each costs others stands behind it. */
void remedies_print(const struct cmd_env *env, uint64_t job, const struct unblock *u, int64_t by_s);

/* The fields "changes", "search" and "not_searched" of the open object. */
void remedies_json(struct json *j, const struct snapshot *s, uint64_t job, const struct unblock *u);

#endif
