/* SPDX-License-Identifier: MIT */
/*
 * difference.h - what has changed between a past moment and now
 */
#ifndef SCREEN_DIFFERENCE_H
#define SCREEN_DIFFERENCE_H

#include <stdint.h>

#include "page.h"
#include "tui/query/plan_query.h"

/* Writes it, for lines of width cells: jobs that came, started and went, the order, settings, nodes. */
void difference_page(struct page *p, const struct forecast *then, const struct snapshot *now, int64_t now_s,
		     int width);

#endif
