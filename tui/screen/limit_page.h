/* SPDX-License-Identifier: MIT */
/* limit_page.h - details of one limit: usage, forecast and blocked jobs */
#ifndef SCREEN_LIMIT_PAGE_H
#define SCREEN_LIMIT_PAGE_H

#include "tui/query/plan_query.h"
#include "tui/report/figure.h"
#include "tui/report/limit_report.h"

struct headroom; /* tui/query/headroom.h */
struct page;     /* page.h */

/*
 * Writes the details of a limit: the jobs that count against it, the forecast of its usage, the jobs that it
 * blocks, and the effect of larger values. `row` must be from a list for `f`. headroom: NULL while the effect
 * of larger values is not known.
 */
void limit_page_row(struct page *p, const struct forecast *f, const struct limit_row *row,
		    const struct headroom *headroom, int width);

/* --- origin of the numbers of a limit ----------------------------------------------------------------- */

/*
 * Figures (figure.h) with the column titles of the list (IN USE, SOFT, HARD, OF SOFT and HOLDS), and LEFT,
 * the remaining amount. They also show the next decrease of the usage, the configuration line or journal
 * entry that sets the limit, and why this setting applies.
 */

/* Adds the figures of a live limit. `row` must be from a list for `f`. */
void limit_figures(struct figures *out, const struct forecast *f, const struct limit_row *row);

/*
 * Adds the figures of a limit with the draft, and of the live limit `before`, which is NULL if only the draft
 * sets the limit.
 */
void limit_figures_draft(struct figures *out, const struct forecast *f, const struct limit_row *row,
			 const struct limit_row *before);

#endif
