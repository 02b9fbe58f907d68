/* SPDX-License-Identifier: MIT */
/*
 * share_figures.h - where the numbers about a share come from
 *
 * Under the titles of the columns of the list: TARGET, USAGE, DELTA, EFFECT and the windows, with the
 * settings they depend on and the lines that set those.
 */
#ifndef SCREEN_SHARE_FIGURES_H
#define SCREEN_SHARE_FIGURES_H

#include "share_list.h"
#include "tui/report/figure.h"

/* Of a row as the list shows it: windows in hours or percent; with a draft before and AFTER it. */
void share_figures(struct figures *out, const struct share_list *l, const struct share_row *row);

#endif
