/* SPDX-License-Identifier: MIT */
/*
 * formula.h - where does the priority of a job come from?
 *
 * The breakdown of a priority as figures: the sum, then each factor down to what was measured,
 * with its caps and the line of the configuration or the journal entry that set a weight.
 */
#ifndef REPORT_FORMULA_H
#define REPORT_FORMULA_H

#include <stdbool.h>

#include "figure.h"
#include "forecast.h"

/*
 * The points that each factor gives, through the weight and the cap of its component. They
 * add up to r->sum. w: of the job that r is of.
 */
void formula_points(const struct prio_weights *w, const struct prio_result *r,
		    double points[static PRIO_FACTOR_COUNT]);

/* On one line: "4957 = queuetime 10 * 373 min + xfactor 1000 * 7.2167 + proc 100 * 8". */
void formula_line(const struct forecast *f, const struct job *job, struct str *out);

/* How a screen shows factors. */
enum formula_form {
	FORMULA_POINTS,
	FORMULA_PERCENT,  /* of the points of all factors together     */
	FORMULA_MEASURED, /* in points, and what was measured beside   */
};

/* The same as a figure; and what each of its factors gives. */
void formula_sum(struct figures *out, const struct forecast *f, const struct job *job, const char *title);
void formula_factors(struct figures *out, const struct forecast *f, const struct job *job,
		     enum formula_form form);

/* The same of those that give this job nothing, but have a weight. */
void formula_idle_factors(struct figures *out, const struct forecast *f, const struct job *job,
			  enum formula_form form);
/* XF: its expansion factor. */
void formula_xfactor(struct figures *out, const struct forecast *f, const struct job *job);

#endif
