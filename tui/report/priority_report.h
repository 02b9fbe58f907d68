/* SPDX-License-Identifier: MIT */
/*
 * priority_report.h - the formula of a job's priority
 *
 * The breakdown of a priority as figures: the sum, then each factor down to what was measured,
 * with its caps and the line of the configuration or the journal entry that set a weight.
 */
#ifndef REPORT_PRIORITY_REPORT_H
#define REPORT_PRIORITY_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd_env.h"
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

/* --- the parts of a job's priority, as expressions ---------------------------------------------------- */

/*
 * Each part is an expression among figures (figure.h): a weight times what was measured, with the cap where
 * it acts. FIGURE_NONE where there is nothing to tell.
 */

/* What all parts are read off. Borrows what it is made from. */
struct breakdown {
	struct figures *out;
	const struct forecast *f;
	const struct job *job;
	const struct prio_weights *w;
	struct prio_creds creds;
	struct prio_result r;
};

/* "target 25 - usage 31.79": the delta of a share that has a target. */
uint32_t breakdown_delta(struct figures *out, const struct fs_share *share, bool as_part);

/* --- crossover values of weights and caps ------------------------------------------------------------- */

/* pair: "A,B", two waiting jobs as people name them. */
enum cmd_status crossover_print(struct cmd_env *env, const char *pair);

#endif
