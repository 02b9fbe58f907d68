/* SPDX-License-Identifier: MIT */
/*
 * whatif_jobs.h - the effect of the draft on each idle job
 *
 * In the order of the queue as it is: place and priority before and after, both starts and what is between
 * them. Without a draft: when each starts, and how long it will have waited.
 */
#ifndef SCREEN_WHATIF_JOBS_H
#define SCREEN_WHATIF_JOBS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/draw/table.h"
#include "whatif_sight.h"

#define WHATIF_JOBS_COLUMNS 8

struct whatif_jobs {
	struct screen_host *host;
	const struct whatif_sight *sight; /* of the rows; NULL before the first */
	struct table table;
	struct table_column column[WHATIF_JOBS_COLUMNS];
	size_t *row; /* positions in sight->w->job */
	size_t rows, room;
};

/* Release with whatif_jobs_close. */
void whatif_jobs_open(struct whatif_jobs *l, struct screen_host *host);
void whatif_jobs_close(struct whatif_jobs *l);

/* Takes the rows, by the console's filter. The sight stays the caller's, until the next. */
void whatif_jobs_update(struct whatif_jobs *l, const struct whatif_sight *sight);

/* Cells of the column of changes, as last drawn. */
int whatif_jobs_change_cells(const struct whatif_jobs *l);

/* Does a row match what is searched for? For table_search; self is the list. */
bool whatif_jobs_match(void *self, size_t row);

#endif
