/* SPDX-License-Identifier: MIT */
/*
 * limit_cells.h - columns and cells of the list of limits
 *
 * Without a draft a limit stands with what is in use of it and how many jobs it holds back; with one,
 * values and jobs held back before and after.
 */
#ifndef SCREEN_LIMIT_CELLS_H
#define SCREEN_LIMIT_CELLS_H

#include "tui/draw/table.h"
#include "tui/report/limit_report.h"

#define LIMIT_METER   5           /* the column that a meter is drawn over */
#define LIMIT_COLUMNS ((size_t)9) /* with a draft and without              */

extern const struct table_column limit_columns[LIMIT_COLUMNS];
extern const struct table_column limit_draft_columns[LIMIT_COLUMNS];

/* What stands in a column; s is the state the row is of. */
enum role limit_cell(const struct snapshot *s, const struct limit_row *row, size_t column, struct str *out);
/* The same of a draft's row; live has the rows as they are. */
enum role limit_draft_cell(const struct snapshot *s, const struct limit_row *row,
			   const struct limit_list *live, size_t column, struct str *out);

/* Is most of the soft value in use, or all of it; or does it hold a job back? */
bool limit_is_near(const struct limit_row *row);
bool limit_is_over(const struct limit_row *row);

#endif
