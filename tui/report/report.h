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
	const int *least; /* cells that each column takes at least; borrowed, NULL = none */
	/*
	 * Cells a line may take, 0 = as many as it wants. Where that is less, columns are left out: of
	 * those with a number above 0 in spare (borrowed) the largest first; then the last is cut.
	 */
	int width;
	const unsigned char *spare;
	size_t hidden;      /* a column that is not printed, from 1; 0 = all are */
	struct str text;    /* all cells, each with its NUL */
	size_t *cell;       /* where each begins            */
	size_t cells, room; /* row by row                   */
};

/* Adds the next cell; after `columns` of them the next row begins. */
void report_cell(struct report *r, const char *text);
void report_cellf(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends the titles and all rows, each line behind `indent` blanks. */
void report_print(const struct report *r, int indent, bool ascii, struct str *out);

/* Makes each width[column] as large as the report needs: so several reports can stand under each other. */
void report_widen(const struct report *r, int *width);

/* Forgets the rows, keeps the columns. */
void report_free(struct report *r);

/* A name and what it says, for reports of two columns. */
void report_pair(struct report *r, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* An English word in capitals. */
void report_capitals(struct str *out, const char *word);

/* "1 job", "3 jobs". */
void report_count(struct str *out, unsigned long long count, const char *one, const char *many);

#endif
