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
 * The jobs that count, the forecast of the usage, the effect of larger values, and the blocked jobs. row: of
 * a list for f. headroom: NULL if not known yet.
 */
void limit_page_row(struct page *p, const struct forecast *f, const struct limit_row *row,
		    const struct headroom *headroom, int width);

/* --- origin of the numbers of a limit ----------------------------------------------------------------- */

/*
 * Figures with the column titles of the list: IN USE, SOFT, HARD, OF SOFT and HOLDS; with the remaining
 * amount, the next decrease, the line that sets the limit, and why that setting applies.
 */

/* row: of a list for f. */
void limit_figures(struct figures *out, const struct forecast *f, const struct limit_row *row);

/* The same for a row of the draft; before: the live limit, NULL if only the draft sets one. */
void limit_figures_draft(struct figures *out, const struct forecast *f, const struct limit_row *row,
			 const struct limit_row *before);

#endif
