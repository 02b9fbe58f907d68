/* SPDX-License-Identifier: MIT */
/*
 * job_figures.h - what do the numbers about a job come from?
 *
 * Under the titles of the columns of the queue and of the Priority screen, and sentences that say
 * why it is so.
 */
#ifndef VIEWS_JOB_FIGURES_H
#define VIEWS_JOB_FIGURES_H

#include "tui/figure.h"
#include "tui/formula.h"
#include "tui/outlook.h"

/* PRIORITY and the factors, EST.START, IN, XF, QUEUED, PROC, WCLIMIT of a job in a slot. */
void job_figures(struct figures *out, const struct forecast *f, uint32_t slot, enum formula_form form);

/* PRIORITY and START, each as it is and AFTER the draft, and the CHANGE of the start. There is a draft. */
void job_figures_draft(struct figures *out, const struct outlook *o, uint64_t job);

/* Whichever fits the outlook; a sentence when the job is not there. */
void job_figures_now(struct figures *out, const struct outlook *o, uint64_t job, enum formula_form form);

#endif
