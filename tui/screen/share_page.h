/* SPDX-License-Identifier: MIT */
/* share_page.h - details of one share: its computation and forecast */
#ifndef SCREEN_SHARE_PAGE_H
#define SCREEN_SHARE_PAGE_H

#include "share_list.h"
#include "tui/report/figure.h"

struct lint_cache; /* tui/query/plan_query.h */
struct page;       /* page.h                 */

/*
 * Writes the details of a row: the formula of the share, why it is off its target, its forecast for the next
 * rolls of the windows, and the share with other settings.
 */
void share_page_row(struct page *p, const struct forecast *f, const struct share_row *row, int width);

/* --- origin of the numbers of a share ----------------------------------------------------------------- */

/*
 * Figures (figure.h) with the column titles of the list: TARGET, USAGE, DELTA, EFFECT and the windows; then
 * the settings on which they depend, and where these are set.
 */

/*
 * Adds the figures of a row as the list shows it: the windows in hours or percent or, with a draft, the other
 * figures live and AFTER the draft.
 */
void share_figures(struct figures *out, const struct share_list *l, const struct share_row *row);

/*
 * Writes the settings, the time until the next roll, the weights, and the numbers of lint findings: "FSPOLICY
 * DEDICATEDPS (difference) FSINTERVAL 12:00:00 ...".
 */
void share_settings_line(struct page *p, const struct forecast *f, const struct lint_cache *lint_cache,
			 int width);

#endif
