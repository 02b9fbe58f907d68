/* SPDX-License-Identifier: MIT */
/*
 * report.c - tables in plain text
 */
#include "report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

static void begin_cell(struct report *r)
{
	r->cell = vec_room(r->cell, &r->room, r->cells + 1, sizeof *r->cell);
	r->cell[r->cells++] = r->text.len;
}

void report_cell(struct report *r, const char *text)
{
	begin_cell(r);
	str_add(&r->text, text);
	str_add_char(&r->text, '\0');
}

static void cell_of(struct report *r, const char *format, va_list args)
{
	begin_cell(r);
	str_addv(&r->text, format, args);
	str_add_char(&r->text, '\0');
}

void report_cellf(struct report *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	cell_of(r, format, args);
	va_end(args);
}

void report_pair(struct report *r, const char *name, const char *format, ...)
{
	va_list args;

	report_cell(r, name);
	va_start(args, format);
	cell_of(r, format, args);
	va_end(args);
}

static const char *cell_text(const struct report *r, size_t at)
{
	return r->text.data + r->cell[at];
}

static size_t next_column(const struct report *r, size_t column)
{
	return column + 1 < r->columns ? column + 1 : 0;
}

void report_widen(const struct report *r, int *width)
{
	for (size_t c = 0; c < r->columns && !r->no_titles; c++)
		if (text_width(r->column[c].title) > width[c])
			width[c] = text_width(r->column[c].title);
	for (size_t i = 0, column = 0; i < r->cells; i++, column = next_column(r, column)) {
		int cells = text_width(cell_text(r, i));

		if (cells > width[column])
			width[column] = cells;
	}
}

static void end_line(struct str *out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	str_add_char(out, '\n');
}

#define HIDDEN  (-1)
#define BETWEEN 2 /* blanks between columns */

static int line_width(const struct report *r, const int *width, int indent)
{
	int cells = indent - BETWEEN;

	for (size_t c = 0; c < r->columns; c++)
		if (width[c] != HIDDEN)
			cells += BETWEEN + width[c];
	return cells;
}

/* Returns the column to be omitted next; r->columns if no column may be omitted. */
static size_t most_spare(const struct report *r, const int *width)
{
	size_t most = r->columns;

	for (size_t c = 0; r->spare && c < r->columns; c++)
		if (width[c] != HIDDEN && r->spare[c] > (most < r->columns ? r->spare[most] : 0))
			most = c;
	return most;
}

/* Omits columns until a line fits, then truncates the last one. */
static void fit_width(const struct report *r, int *width, int indent)
{
	size_t last = r->columns - 1;
	int excess;

	while (line_width(r, width, indent) > r->width && most_spare(r, width) < r->columns)
		width[most_spare(r, width)] = HIDDEN;
	while (last > 0 && width[last] == HIDDEN)
		last--;
	excess = line_width(r, width, indent) - r->width;
	if (excess > 0 && width[last] > excess)
		width[last] -= excess;
}

static void put_cell(const struct report *r, size_t column, const char *text, const int *width, int indent,
		     bool ascii, struct str *out)
{
	if (width[column] != HIDDEN) {
		str_addf(out, "%*s", column == 0 ? indent : BETWEEN, "");
		text_fit(out, text, width[column], r->column[column].align, ascii);
	}
	if (column + 1 == r->columns)
		end_line(out);
}

void report_print(const struct report *r, int indent, bool ascii, struct str *out)
{
	int *width = mem_zero(r->columns, sizeof *width);

	for (size_t c = 0; c < r->columns && r->least; c++)
		width[c] = r->least[c];
	report_widen(r, width);
	if (r->hidden > 0)
		width[r->hidden - 1] = HIDDEN;
	if (r->width > 0)
		fit_width(r, width, indent);
	for (size_t c = 0; c < r->columns && !r->no_titles; c++)
		put_cell(r, c, r->column[c].title, width, indent, ascii, out);
	for (size_t i = 0, column = 0; i < r->cells; i++, column = next_column(r, column))
		put_cell(r, column, cell_text(r, i), width, indent, ascii, out);
	free(width);
}

void report_free(struct report *r)
{
	str_free(&r->text);
	free(r->cell);
	r->cell = NULL;
	r->cells = r->room = 0;
}

void report_capitals(struct str *out, const char *word)
{
	static const char small[] = "abcdefghijklmnopqrstuvwxyz", large[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	for (; *word; word++) {
		const char *at = strchr(small, *word);
		char letter = *word;

		if (at)
			letter = large[at - small];
		str_add_char(out, letter);
	}
}

void report_count(struct str *out, unsigned long long count, const char *one, const char *many)
{
	str_addf(out, "%llu %s", count, count == 1 ? one : many);
}
