/* SPDX-License-Identifier: MIT */
/*
 * job_figures.h - computation of the numbers of a job
 *
 * Figures (figure.h) with the column titles of the Queue and Priority screens, and sentences that explain
 * them. Every function appends to a list of figures.
 */
#ifndef SCREEN_JOB_FIGURES_H
#define SCREEN_JOB_FIGURES_H

#include "tui/query/plan_query.h"
#include "tui/report/figure.h"
#include "tui/report/priority_report.h"
#include "whatif_sight.h"

/* Adds PRIORITY and its factors, EST.START, IN, XF, QUEUED, PROC and WCLIMIT of the job in a slot. */
void job_figures(struct figures *out, const struct forecast *f, uint32_t slot, enum formula_form form);

/* Adds the sentence that gives the reason why the job waits. */
void job_figures_why(struct figures *out, const struct forecast *f, uint32_t slot);
/*
 * Adds the estimated start, computed from the event at that time (a job or an advance reservation ends) or as
 * the present time plus a duration. Adds nothing and returns false if the job does not start.
 */
bool job_figures_start(struct figures *out, const struct whatif_future *future, uint32_t slot,
		       const char *title);
/* Adds the rank of the job among the idle jobs; nothing if the job is not idle. */
void job_figures_rank(struct figures *out, const struct forecast *f, uint32_t slot, const char *title);
/*
 * Adds the change of a start, in the format of jobs_add_change with this width. Adds nothing if a start is
 * unknown or the starts are the same.
 */
void job_figures_change(struct figures *out, int64_t before_s, int64_t after_s, int cells);
/* Adds the time at_s; `part` is the expression that computes it. */
void job_figures_moment(struct figures *out, const char *title, int64_t at_s, uint32_t part);

/*
 * Adds the figures of a job: live and with the draft if there is a draft, otherwise those of job_figures. If
 * the job is not in the queue, adds a sentence that says so.
 */
void job_figures_now(struct figures *out, const struct plan_query *o, uint64_t job, enum formula_form form);

#endif
