/* SPDX-License-Identifier: MIT */
/*
 * queue_cells.h - columns and cells of the queue
 */
#ifndef SCREEN_QUEUE_CELLS_H
#define SCREEN_QUEUE_CELLS_H

#include "queue_list.h"

/* The table, and the columns that are shown at first. */
void queue_cells_init(struct queue_list *l);

/* Makes room for what the jobs of the rows are called: tasks of arrays have longer names. */
void queue_cells_fit(struct queue_list *l);

/* The title of the column that sorts; NULL = the order of the queue. */
const char *queue_cells_sorted_by(const struct queue_list *l);

/* Asks which columns are to be shown. */
void queue_cells_ask(struct queue_list *l);

/* What stands in a column of a row; for the table. self is the list. */
enum role queue_cell(void *self, size_t row, size_t column, struct str *out);

#endif
