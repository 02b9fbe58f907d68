/* SPDX-License-Identifier: MIT */
/*
 * share_cells.h - columns and cells of the list of shares
 *
 * Without a draft a credential stands with its target, share, effect and windows; with one,
 * targets, shares and effects before and after.
 */
#ifndef SCREEN_SHARE_CELLS_H
#define SCREEN_SHARE_CELLS_H

#include "share_list.h"

/* The table, and the columns that stay. */
void share_init_columns(struct share_list *l);

/* Sets l->comparing, and the table's columns for that. */
void share_set_columns(struct share_list *l);

/* What stands in a column of row `at`; for the table. self is the list. */
enum role share_cell(void *self, size_t at, size_t column, struct str *out);

const char *share_cred_name(const struct share_list *l, uint32_t cred);

/* What a row used in a window, in FS_UNITs. */
int64_t share_amount(const struct share_list *l, const struct share_row *row, uint32_t window);

#endif
