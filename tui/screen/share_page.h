/* SPDX-License-Identifier: MIT */
/* share_page.h - details of one share: its computation and forecast */
#ifndef SCREEN_SHARE_PAGE_H
#define SCREEN_SHARE_PAGE_H

#include "share_list.h"
#include "tui/report/figure.h"

struct lint_cache; /* tui/query/plan_query.h */
struct page;       /* page.h                 */

/*
 * Details of a row: its formula, the forecast for the next rolls, the share with other settings, and why it
 * is off its target.
 */
void share_page_row(struct page *p, const struct forecast *f, const struct share_row *row, int width);

/* --- origin of the numbers of a share ----------------------------------------------------------------- */

/*
 * Figures with the column titles of the list: TARGET, USAGE, DELTA, EFFECT and the windows, with the settings
 * they depend on and where those are set.
 */

/* As the list shows the row: windows in hours or percent; with a draft, live and AFTER. */
void share_figures(struct figures *out, const struct share_list *l, const struct share_row *row);

/*
 * "FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00 ...": settings, next roll, weights, and lint
 * counts.
 */
void share_settings_line(struct page *p, const struct forecast *f, const struct lint_cache *lint_cache,
			 int width);

#endif
