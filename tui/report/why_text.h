/* SPDX-License-Identifier: MIT */
/*
 * why_text.h - the answer to "why is this job not running?" in sentences
 *
 * The verb and the page of the console say the same: one line with the verdict, one with the estimated start.
 */
#ifndef REPORT_WHY_TEXT_H
#define REPORT_WHY_TEXT_H

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

#endif
