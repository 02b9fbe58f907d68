/* SPDX-License-Identifier: MIT */
/*
 * share_page.h - details of one share: its origin, and its projected course
 */
#ifndef SCREEN_SHARE_PAGE_H
#define SCREEN_SHARE_PAGE_H

#include "share_list.h"
#include "tui/report/figure.h"

struct lint_cache; /* tui/query/plan_query.h */
struct page;       /* page.h                 */

/*
 * About a row: the formula with its numbers, what the next rolls make of it, what other
 * settings would, and why it is off its target.
 */
void share_page_row(struct page *p, const struct forecast *f, const struct share_row *row, int width);

/* --- where the numbers about a share come from -------------------------------------------------------- */

/*
 * Under the titles of the columns of the list: TARGET, USAGE, DELTA, EFFECT and the windows, with the
 * settings they depend on and the lines that set those.
 */

/* Of a row as the list shows it: windows in hours or percent; with a draft before and AFTER it. */
void share_figures(struct figures *out, const struct share_list *l, const struct share_row *row);

/* "FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00 ...": settings, the next roll, the weights, and
 * what lint counts. */
void share_settings_line(struct page *p, const struct forecast *f, const struct lint_cache *lint_cache,
			 int width);

#endif
