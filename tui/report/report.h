/* SPDX-License-Identifier: MIT */
/*
 * report.h - tables in plain text
 *
 * Cells are collected row by row, then printed with each column as wide as its widest
 * cell. Texts are made safe (tui/draw/text.h); lines have no blanks at their ends.
 *
 *     struct report r = {.column = columns, .columns = 3};
 *     report_cell(&r, "900991"); report_cellf(&r, "%d", 8); report_cell(&r, "");
 *     report_print(&r, 0, ascii, out);
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/str.h"
#include "tui/draw/text.h"

struct report_column {
	const char *title; /* "" = none */
	enum text_align align;
};

struct report {
	const struct report_column *column; /* borrowed */
	size_t columns;
	bool no_titles;
	const int *least; /* minimum width of each column in cells; borrowed, NULL = none */
	/*
	 * Maximum width of a line in cells, 0 = unlimited. If a line is wider, the columns with a number
	 * above 0 in `spare` (borrowed) are omitted, largest number first; then the last column is truncated.
	 */
	int width;
	const unsigned char *spare;
	size_t hidden;      /* number of a column that is not printed, counted from 1; 0 = none */
	struct str text;    /* all cells, each terminated by NUL */
	size_t *cell;       /* offset of each cell in text, row by row */
	size_t cells, room; /* number of cells */
};

/* Adds the next cell; after `columns` cells the next row begins. */
void report_cell(struct report *r, const char *text);
void report_cellf(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends the titles and all rows, each line indented by `indent` blanks. */
void report_print(const struct report *r, int indent, bool ascii, struct str *out);

/* Increases each width[column] to the width that this report needs, for aligning several reports. */
void report_widen(const struct report *r, int *width);

/* Removes the rows, but keeps the columns. */
void report_free(struct report *r);

/* Adds a row with a name and its value, in reports of two columns. */
void report_pair(struct report *r, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Appends an English word in capitals. */
void report_capitals(struct str *out, const char *word);

/* Appends "1 job" or "3 jobs". */
void report_count(struct str *out, unsigned long long count, const char *one, const char *many);

#endif
