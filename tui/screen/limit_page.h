/* SPDX-License-Identifier: MIT */
/*
 * limit_page.h - usage of one limit, how it falls, and the jobs that the limit blocks
 */
#ifndef SCREEN_LIMIT_PAGE_H
#define SCREEN_LIMIT_PAGE_H

#include "tui/query/plan_query.h"
#include "tui/report/figure.h"
#include "tui/report/limit_report.h"

struct headroom; /* tui/query/headroom.h */
struct page;     /* page.h */

/* The jobs that count, what becomes of the sum, what other values would do, and the jobs held back. row: of a
 * list for f. headroom: NULL = it is not known yet. */
void limit_page_row(struct page *p, const struct forecast *f, const struct limit_row *row,
		    const struct headroom *headroom, int width);

/* --- where the numbers about a limit come from -------------------------------------------------------- */

/*
 * Under the titles of the columns of the list: IN USE, SOFT, HARD, OF SOFT and HOLDS, with what is left,
 * when it falls, the line that sets it and why that one counts.
 */

/* row: of a list for f. */
void limit_figures(struct figures *out, const struct forecast *f, const struct limit_row *row);

/* The same of a draft's row; before: the limit as it is, NULL when the draft makes it. */
void limit_figures_draft(struct figures *out, const struct forecast *f, const struct limit_row *row,
			 const struct limit_row *before);

#endif
