/* SPDX-License-Identifier: MIT */
/*
 * whatif_totals.h - the effect of the draft on all jobs, and on each credential
 *
 * Means are of the jobs that start in both futures, so both columns speak of the same jobs.
 */
#ifndef SCREEN_WHATIF_TOTALS_H
#define SCREEN_WHATIF_TOTALS_H

#include "page.h"
#include "tui/draw/table.h"
#include "whatif_sight.h"

#define WHATIF_TOTALS_LINES 10

/* All jobs together, with a heading; `width` cells, of 30 at least. */
void whatif_totals_page(struct page *p, const struct whatif_sight *sight, int width);

struct whatif_groups {
	struct screen_host *host;
	const struct whatif_sight *sight; /* of the rows */
	struct table table;
	size_t *row; /* positions in sight->w->group; of a heading: of the first below it, and HEADING */
	size_t rows, room;
};

/* Release with whatif_groups_close. */
void whatif_groups_open(struct whatif_groups *g, struct screen_host *host);
void whatif_groups_close(struct whatif_groups *g);
/* Under the cursor; NULL: there is none. */
const struct whatif_group *whatif_groups_chosen(const struct whatif_groups *g);
/* Takes the rows, by the console's filter. The sight stays the caller's, until the next. */
void whatif_groups_update(struct whatif_groups *g, const struct whatif_sight *sight);

#endif
