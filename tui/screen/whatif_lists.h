/* SPDX-License-Identifier: MIT */
/*
 * whatif_lists.h - the effect of the draft on all jobs, on each credential and on each idle job
 */
#ifndef SCREEN_WHATIF_LISTS_H
#define SCREEN_WHATIF_LISTS_H

#include <stdbool.h>
#include <stddef.h>

#include "page.h"
#include "tui/draw/table.h"
#include "whatif_sight.h"

#define WHATIF_TOTALS_LINES 10

struct whatif_groups {
	struct screen_host *host;
	const struct whatif_sight *sight; /* source of the rows; NULL before the first update */
	struct table table;
	/* By row: index in sight->w->group; for a heading, HEADING + index of the first group below it. */
	size_t *row;
	size_t rows, room;
};

#define JOB_COLUMNS_MAX 8

struct whatif_jobs {
	struct screen_host *host;
	const struct whatif_sight *sight; /* source of the rows; NULL before the first update */
	struct table table;
	struct table_column column[JOB_COLUMNS_MAX];
	size_t *row; /* by row: index in sight->w->job */
	size_t rows, room;
};

/* Writes the totals with a heading. They are `width` cells wide, which must be at least 30. */
void whatif_write_totals(struct page *p, const struct whatif_sight *sight, int width);

/* Free with whatif_groups_close. */
void whatif_groups_open(struct whatif_groups *g, struct screen_host *host);
void whatif_groups_close(struct whatif_groups *g);
/* Updates the rows from the sight, with the filter of the screen. Borrows the sight until the next update. */
void whatif_groups_update(struct whatif_groups *g, const struct whatif_sight *sight);
/* Returns the group under the cursor; NULL if there is none. */
const struct whatif_group *whatif_groups_chosen(const struct whatif_groups *g);

/* Free with whatif_jobs_close. */
void whatif_jobs_open(struct whatif_jobs *l, struct screen_host *host);
void whatif_jobs_close(struct whatif_jobs *l);
/* Updates the rows from the sight, with the filter of the screen. Borrows the sight until the next update. */
void whatif_jobs_update(struct whatif_jobs *l, const struct whatif_sight *sight);
/* Returns the width of column CHANGE in the last layout. */
int whatif_jobs_change_cells(const struct whatif_jobs *l);
/* Does a row match the search? Callback of table_search; `self` is the list. */
bool whatif_jobs_match(void *self, size_t row);

#endif
