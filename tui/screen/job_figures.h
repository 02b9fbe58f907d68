/* SPDX-License-Identifier: MIT */
/*
 * job_figures.h - computation of the numbers of a job
 *
 * Figures with the column titles of the queue and of the Priority screen, and sentences that explain them.
 */
#ifndef SCREEN_JOB_FIGURES_H
#define SCREEN_JOB_FIGURES_H

#include "tui/query/plan_query.h"
#include "tui/report/figure.h"
#include "tui/report/priority_report.h"
#include "whatif_sight.h"

/* PRIORITY and its factors, EST.START, IN, XF, QUEUED, PROC and WCLIMIT of the job in a slot. */
void job_figures(struct figures *out, const struct forecast *f, uint32_t slot, enum formula_form form);

/*
 * Single figures, for any projection. A start: what ends at that time, a reservation, or the time until then;
 * false if the job does not start. Why: the reason for waiting. A rank: among the idle jobs, otherwise
 * nothing. A change: nothing if a start is unknown or the same. A time: the text of at_s with its
 * computation, given by part.
 */
void job_figures_why(struct figures *out, const struct forecast *f, uint32_t slot);
bool job_figures_start(struct figures *out, const struct whatif_future *future, uint32_t slot,
		       const char *title);
void job_figures_rank(struct figures *out, const struct forecast *f, uint32_t slot, const char *title);
/* In the format of jobs_add_change with this width. */
void job_figures_change(struct figures *out, int64_t before_s, int64_t after_s, int cells);
void job_figures_moment(struct figures *out, const char *title, int64_t at_s, uint32_t part);

/* The figures that match the plan query; a sentence if the job is not in the queue. */
void job_figures_now(struct figures *out, const struct plan_query *o, uint64_t job, enum formula_form form);

#endif
