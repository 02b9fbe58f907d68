/* SPDX-License-Identifier: MIT */
/*
 * limit_page.h - usage of one limit, how it falls, and the jobs that the limit blocks
 */
#ifndef SCREEN_LIMIT_PAGE_H
#define SCREEN_LIMIT_PAGE_H

#include "tui/query/plan_query.h"
#include "tui/report/limit_report.h"

struct headroom; /* tui/query/headroom.h */
struct page;     /* page.h */

/* The jobs that count, what becomes of the sum, what other values would do, and the jobs held back. row: of a
 * list for f. headroom: NULL = it is not known yet. */
void limit_page_row(struct page *p, const struct forecast *f, const struct limit_row *row,
		    const struct headroom *headroom, int width);

#endif
