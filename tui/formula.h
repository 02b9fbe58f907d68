/* SPDX-License-Identifier: MIT */
/*
 * formula.h - where does this number come from?
 *
 * The breakdown of a priority and the making of an estimated start, written out with their
 * values, down to the line of the configuration or the journal entry that set a weight.
 */
#ifndef TUI_FORMULA_H
#define TUI_FORMULA_H

#include <stdint.h>

#include "outlook.h"

struct page; /* views/page.h */

/* At most two digits behind the point, and no zeros at the end: "373.5"; small ones in full. */
void formula_number(struct str *out, double value);
/* With both digits: "4.50". */
void formula_fixed(struct str *out, double value);

/*
 * A factor of a product, with so many digits that what is written, times the weight, is within
 * `error` of the product: 7.2168 for a weight of 1000 and an error of 0.05.
 */
void formula_factor(struct str *out, double value, double weight, double error);

/*
 * The points that each factor gives, through the weight and the cap of its component. They
 * add up to r->sum. w: of the job that r is of.
 */
void formula_points(const struct prio_weights *w, const struct prio_result *r,
		    double points[static PRIO_FACTOR_COUNT]);

/* On one line: "4957 = queuetime 10 * 373 min + xfactor 1000 * 7.2167 + proc 100 * 8". */
void formula_line(const struct forecast *f, const struct job *job, struct str *out);

/* Appends both numbers of a job, with the origin of each weight. */
void formula_page(struct page *p, const struct outlook *o, uint64_t id, int width);

#endif
