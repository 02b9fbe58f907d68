/* SPDX-License-Identifier: MIT */
/*
 * report.c - how does a report stand in columns on plain paper?
 */
#include "report.h"

#include <stdarg.h>
#include <stdlib.h>

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

void report_cellf(struct report *r, const char *format, ...)
{
	va_list args;

	begin_cell(r);
	va_start(args, format);
	str_addv(&r->text, format, args);
	va_end(args);
	str_add_char(&r->text, '\0');
}

static const char *cell_text(const struct report *r, size_t at)
{
	return r->text.data + r->cell[at];
}

static size_t next_column(const struct report *r, size_t column)
{
	return column + 1 < r->columns ? column + 1 : 0;
}

static int *measure(const struct report *r)
{
	int *width = mem_zero(r->columns, sizeof *width);

	for (size_t c = 0; c < r->columns && !r->no_titles; c++)
		width[c] = text_width(r->column[c].title);
	for (size_t i = 0, column = 0; i < r->cells; i++, column = next_column(r, column)) {
		int cells = text_width(cell_text(r, i));

		if (cells > width[column])
			width[column] = cells;
	}
	return width;
}

static void end_line(struct str *out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	str_add_char(out, '\n');
}

static void put_cell(const struct report *r, size_t column, const char *text, const int *width, int indent,
		     bool ascii, struct str *out)
{
	str_addf(out, "%*s", column == 0 ? indent : 2, "");
	text_fit(out, text, width[column], r->column[column].align, ascii);
	if (column + 1 == r->columns)
		end_line(out);
}

void report_print(const struct report *r, int indent, bool ascii, struct str *out)
{
	int *width = measure(r);

	for (size_t c = 0; c < r->columns && !r->no_titles; c++)
		put_cell(r, c, r->column[c].title, width, indent, ascii, out);
	for (size_t i = 0, column = 0; i < r->cells; i++, column = next_column(r, column))
		put_cell(r, column, cell_text(r, i), width, indent, ascii, out);
	free(width);
}

void report_clear(struct report *r)
{
	str_clear(&r->text);
	r->cells = 0;
}

void report_free(struct report *r)
{
	str_free(&r->text);
	free(r->cell);
	r->cell = NULL;
	r->cells = r->room = 0;
}

void report_count(struct str *out, unsigned long long count, const char *one, const char *many)
{
	str_addf(out, "%llu %s", count, count == 1 ? one : many);
}
