/* SPDX-License-Identifier: MIT */
/*
 * priority_report.h - formula of a job's priority
 *
 * The components of a priority as figures: the sum, then each factor with its measured values, its caps, and
 * the configuration line or journal entry that set its weight.
 */
#ifndef REPORT_PRIORITY_REPORT_H
#define REPORT_PRIORITY_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd_env.h"
#include "figure.h"
#include "forecast.h"

/*
 * Points of each factor, including the weight and the cap of its component. Their sum is r->sum. w: weights
 * for the job of r.
 */
void formula_points(const struct prio_weights *w, const struct prio_result *r,
		    double points[static PRIO_FACTOR_COUNT]);

/* On one line: "4957 = queuetime 10 * 373 min + xfactor 1000 * 7.2167 + proc 100 * 8". */
void formula_line(const struct forecast *f, const struct job *job, struct str *out);

/* Form in which a screen shows factors. */
enum formula_form {
	FORMULA_POINTS,
	FORMULA_PERCENT,  /* percentage of the points of all factors */
	FORMULA_MEASURED, /* points, with measured values beside them */
};

/* The same as a figure, followed by the contribution of each factor. */
void formula_sum(struct figures *out, const struct forecast *f, const struct job *job, const char *title);
void formula_factors(struct figures *out, const struct forecast *f, const struct job *job,
		     enum formula_form form);

/* The same for factors that have a weight but contribute nothing to this job. */
void formula_idle_factors(struct figures *out, const struct forecast *f, const struct job *job,
			  enum formula_form form);

/* XF: the expansion factor. */
void formula_xfactor(struct figures *out, const struct forecast *f, const struct job *job);

/* --- components as expressions ------------------------------------------------------------------------ */

/*
 * Each component is an expression of figures (figure.h): a weight times a measured value, with the cap if it
 * applies. FIGURE_NONE if there is none.
 */

/* Input of all components; borrows its sources. */
struct breakdown {
	struct figures *out;
	const struct forecast *f;
	const struct job *job;
	const struct prio_weights *w;
	struct prio_creds creds;
	struct prio_result r;
};

/* "target 25 - usage 31.79": the delta of a share with a target. */
uint32_t breakdown_delta(struct figures *out, const struct fs_share *share, bool as_part);

/* --- crossover values of weights and caps ------------------------------------------------------------- */

/* pair: "A,B", the labels of two waiting jobs. */
enum cmd_status crossover_print(struct cmd_env *env, const char *pair);

#endif
