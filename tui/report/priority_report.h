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
 * Sets the points of each factor, including the weight and the cap of its component. Their sum is r->sum. `w`
 * has the weights for the job whose priority is `r`.
 */
void formula_points(const struct prio_weights *w, const struct prio_result *r,
		    double points[static PRIO_FACTOR_COUNT]);

/*
 * Appends the priority on one line: "4957 = queuetime 10 * 373 min + xfactor 1000 * 7.2167 + proc 100 * 8".
 */
void formula_line(const struct forecast *f, const struct job *job, struct str *out);

/* Form in which a screen shows factors. */
enum formula_form {
	FORMULA_POINTS,
	FORMULA_PERCENT,  /* percentage of the points of all factors */
	FORMULA_MEASURED, /* points, with measured values beside them */
};

/*
 * formula_sum adds the priority as a figure, formula_factors adds a figure for each factor that contributes
 * to it.
 */
void formula_sum(struct figures *out, const struct forecast *f, const struct job *job, const char *title);
void formula_factors(struct figures *out, const struct forecast *f, const struct job *job,
		     enum formula_form form);

/* Like formula_factors, for factors that have a weight but contribute nothing to this job. */
void formula_idle_factors(struct figures *out, const struct forecast *f, const struct job *job,
			  enum formula_form form);

/* Adds the expansion factor, with the title XF. */
void formula_xfactor(struct figures *out, const struct forecast *f, const struct job *job);

/* --- components as expressions ------------------------------------------------------------------------ */

/*
 * Each component is an expression of figures (figure.h): a weight times a measured value, with the cap if it
 * applies. A component that contributes nothing is FIGURE_NONE.
 */

/* The data from which the components are computed. All pointers are borrowed. */
struct breakdown {
	struct figures *out;
	const struct forecast *f;
	const struct job *job;
	const struct prio_weights *w;
	struct prio_creds creds;
	struct prio_result r;
};

/*
 * Adds the difference between target and usage of a share: "target 25 - usage 31.79"; as_part: "1 - usage
 * 31.79 / target 25".
 */
uint32_t breakdown_delta(struct figures *out, const struct fs_share *share, bool as_part);

/* --- crossover values of weights and caps ------------------------------------------------------------- */

/*
 * Prints the values of weights and caps at which two waiting jobs change places. pair: "A,B", the labels of
 * the jobs.
 */
enum cmd_status crossover_print(struct cmd_env *env, const char *pair);

#endif
