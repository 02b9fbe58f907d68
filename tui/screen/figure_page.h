/* SPDX-License-Identifier: MIT */
/*
 * figure_page.h - explanations of figures, as text on a page
 */
#ifndef SCREEN_FIGURE_PAGE_H
#define SCREEN_FIGURE_PAGE_H

#include "tui/report/figure.h"

struct page; /* page.h */

/* All of them, each from a line of its own on. */
void figure_page_put(struct page *p, const struct figures *f, int width);

#endif
