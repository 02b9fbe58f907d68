/* SPDX-License-Identifier: MIT */
/*
 * job_figures.h - where the numbers about a job come from
 *
 * Under the titles of the columns of the queue and of the Priority screen, and sentences that say
 * why it is so.
 */
#ifndef SCREEN_JOB_FIGURES_H
#define SCREEN_JOB_FIGURES_H

#include "tui/query/plan_query.h"
#include "tui/report/figure.h"
#include "tui/report/priority_report.h"
#include "whatif_sight.h"

/* PRIORITY and the factors, EST.START, IN, XF, QUEUED, PROC, WCLIMIT of a job in a slot. */
void job_figures(struct figures *out, const struct forecast *f, uint32_t slot, enum formula_form form);

/*
 * Single ones, of any future. A start: what ends then, a reservation, or how long it is until then; false,
 * and nothing, where it does not start. Why: the sentence on what keeps it now. A rank: among the idle,
 * nothing for who is not. A change: nothing where a start is not known, or stays. A moment: what stands in a
 * cell for at_s, which the part gives.
 */
void job_figures_why(struct figures *out, const struct forecast *f, uint32_t slot);
bool job_figures_start(struct figures *out, const struct whatif_future *future, uint32_t slot,
		       const char *title);
void job_figures_rank(struct figures *out, const struct forecast *f, uint32_t slot, const char *title);
/* As jobs_add_change shows it in so many cells. */
void job_figures_change(struct figures *out, int64_t before_s, int64_t after_s, int cells);
void job_figures_moment(struct figures *out, const char *title, int64_t at_s, uint32_t part);

/* Whichever fits the outlook; a sentence when the job is not there. */
void job_figures_now(struct figures *out, const struct plan_query *o, uint64_t job, enum formula_form form);

#endif
