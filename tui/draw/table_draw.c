/* SPDX-License-Identifier: MIT */
/*
 * table_draw.c - which rows and columns of a list are on the screen, and how do they look?
 *
 * Columns first get their least width; those that matter least go while that is too much;
 * what is left over lets columns grow, the important ones first, and the rest goes to
 * the flexible ones. No width depends on the rows, so nothing jumps when they change.
 */
#include "table.h"

#include "sched/base/str.h"

#define LINES_FOR_MORE 3 /* from so many lines on the last one may say "+3 more" */

/* ---- columns ---- */

static int least_width(const struct table_column *column)
{
	return column->min > 0 ? column->min : 1;
}

/* Cells of all columns that are shown, with the blanks between them. */
static int total_width(const struct table *t)
{
	int total = -1;

	for (size_t i = 0; i < t->columns; i++)
		if (t->width[i])
			total += t->width[i] + 1;
	return total;
}

/* The column that goes first when there is no room; t->columns if none may go. */
static size_t least_important(const struct table *t)
{
	size_t found = t->columns;
	int highest = 0;

	for (size_t i = 0; i < t->columns; i++) {
		if (t->width[i] && t->column[i].drop > 0 && t->column[i].drop >= highest) {
			highest = t->column[i].drop;
			found = i;
		}
	}
	return found;
}

/* Lets columns grow to their max, those with a low drop first. Returns the cells left. */
static int grow_columns(struct table *t, int spare)
{
	int highest = 0;

	for (size_t i = 0; i < t->columns; i++)
		if (t->column[i].drop > highest)
			highest = t->column[i].drop;
	for (int drop = 0; drop <= highest && spare > 0; drop++) {
		for (size_t i = 0; i < t->columns; i++) {
			int more = t->column[i].max - t->width[i];

			if (!t->width[i] || t->column[i].drop != drop || more <= 0)
				continue;
			more = more < spare ? more : spare;
			t->width[i] += more;
			spare -= more;
		}
	}
	return spare;
}

static void stretch_flexible(struct table *t, int spare)
{
	int flexible = 0;

	for (size_t i = 0; i < t->columns; i++)
		flexible += t->width[i] && t->column[i].flexible;
	for (size_t i = 0; i < t->columns && spare > 0; i++) {
		if (t->width[i] && t->column[i].flexible) {
			t->width[i] += spare / flexible;
			spare -= spare / flexible;
			flexible--;
		}
	}
}

void table_lay_out(struct table *t, int width)
{
	int room = width - TABLE_GUTTER, spare;
	size_t victim;

	for (size_t i = 0; i < t->columns; i++)
		t->width[i] = t->column[i].hidden ? 0 : least_width(&t->column[i]);
	while (total_width(t) > room && (victim = least_important(t)) < t->columns)
		t->width[victim] = 0;
	spare = grow_columns(t, room - total_width(t));
	stretch_flexible(t, spare);
}

/* ---- scrolling ---- */

/* Rows on the screen; the last line is not for a row when more rows are below. */
static size_t rows_shown(const struct table *t)
{
	size_t lines = t->body > 0 ? (size_t)t->body : 0;
	size_t left = t->top < t->source.rows ? t->source.rows - t->top : 0;

	if (left <= lines)
		return left;
	return lines >= LINES_FOR_MORE ? lines - 1 : lines;
}

/* Moves the window over the rows so that the cursor is in it and no line is wasted. */
static void scroll_to_cursor(struct table *t)
{
	size_t rows = t->source.rows, lines = t->body > 0 ? (size_t)t->body : 0;
	size_t cursor = t->cursor == TABLE_NO_ROW ? 0 : t->cursor;

	if (t->top > cursor)
		t->top = cursor;
	if (t->top == cursor && cursor > 0 && lines >= LINES_FOR_MORE && table_is_section(t, cursor - 1))
		t->top--;
	if (lines > 0 && cursor >= t->top + rows_shown(t))
		t->top = cursor + 1 - rows_shown(t);
	if (t->top + lines > rows)
		t->top = rows > lines ? rows - lines : 0;
}

size_t table_row_at(const struct table *t, int y)
{
	if (y < t->body_y || (size_t)(y - t->body_y) >= rows_shown(t))
		return TABLE_NO_ROW;
	return t->top + (size_t)(y - t->body_y);
}

/* ---- lines ---- */

/* A title with the sort mark behind it, the title cut to make room. */
static void add_sorted_title(struct str *out, const struct table *t, size_t column, bool ascii)
{
	const char *title = t->column[column].title;
	int width = t->width[column];

	if (text_width(title) < width)
		text_safe(out, title, ascii);
	else
		text_fit(out, title, width - 1, TEXT_LEFT, ascii);
	str_add(out, glyph_text(t->descending ? GLYPH_SORT_DOWN : GLYPH_SORT_UP, ascii));
}

static void draw_header(const struct table *t, struct canvas *c, struct rect line)
{
	struct str title = {0};
	int x = TABLE_GUTTER;

	canvas_fill(c, line, ROLE_HEADER);
	for (size_t i = 0; i < t->columns; i++) {
		bool sorted = t->sorted_by >= 0 && (size_t)t->sorted_by == i;

		if (!t->width[i])
			continue;
		str_clear(&title);
		if (sorted)
			add_sorted_title(&title, t, i, c->ascii);
		else
			str_add(&title, t->column[i].title);
		x += canvas_put_fit(c, line, x, 0, t->width[i], t->column[i].align,
				    sorted ? ROLE_HEADER_SORT : ROLE_HEADER, str_text(&title)) +
		     1;
	}
	str_free(&title);
}

/* A text over the rule, in the place of a column, with a blank on either side. */
static void put_over_rule(struct canvas *c, struct rect line, int x, int width, enum text_align align,
			  enum role role, const char *text)
{
	int used = text_width(text);

	if (used > width)
		used = width;
	if (align == TEXT_RIGHT)
		x += width - used;
	canvas_put(c, line, x - 1, 0, ROLE_RULE, " ");
	canvas_put_fit(c, line, x, 0, used, TEXT_LEFT, role, text);
	canvas_put(c, line, x + used, 0, ROLE_RULE, " ");
}

static void draw_section(const struct table *t, struct canvas *c, struct rect line, size_t row,
			 struct str *text)
{
	enum role role = t->source.cell(t->source.self, row, TABLE_LABEL, text);
	int label = canvas_put(c, line, 0, 0, role, str_text(text));
	int x = TABLE_GUTTER;

	canvas_rule(c, line, label ? label + 1 : 0, 0, ROLE_RULE);
	for (size_t i = 0; i < t->columns && x < line.w; i++) {
		if (!t->width[i])
			continue;
		str_clear(text);
		role = t->source.cell(t->source.self, row, i, text);
		if (text->len && x > label + 1)
			put_over_rule(c, line, x, t->width[i], t->column[i].align, role, str_text(text));
		x += t->width[i] + 1;
	}
}

static void draw_cells(const struct table *t, struct canvas *c, struct rect line, size_t row,
		       struct str *text)
{
	int x = TABLE_GUTTER;

	for (size_t i = 0; i < t->columns && x < line.w; i++) {
		enum role role;

		if (!t->width[i])
			continue;
		str_clear(text);
		role = t->source.cell(t->source.self, row, i, text);
		x += canvas_put_fit(c, line, x, 0, t->width[i], t->column[i].align, role, str_text(text)) + 1;
	}
}

static void draw_row(const struct table *t, struct canvas *c, struct rect line, size_t row, struct str *text)
{
	enum role cursor = t->unfocused ? ROLE_CURSOR_OFF : ROLE_CURSOR;
	bool marked;

	str_clear(text);
	if (table_is_section(t, row)) {
		draw_section(t, c, line, row, text);
		return;
	}
	marked = t->marked.count && keyset_has(&t->marked, t->source.key(t->source.self, row));
	if (row == t->cursor)
		canvas_glyph(c, line, 0, 0, cursor, GLYPH_CURSOR);
	if (marked)
		canvas_glyph(c, line, 1, 0, ROLE_MARK, GLYPH_MARK);
	draw_cells(t, c, line, row, text);
	if (row == t->cursor)
		canvas_overlay(c, line, cursor);
	else if (marked)
		canvas_overlay(c, line, ROLE_MARK);
}

/* Rows from `row` on that are not sections. */
static size_t rows_from(const struct table *t, size_t row)
{
	size_t count = t->source.rows - row;

	for (size_t i = t->sections; i-- > 0 && t->section[i] >= row;)
		count--;
	return count;
}

void table_draw(struct table *t, struct canvas *c, struct rect r)
{
	struct str text = {0};
	size_t shown, hidden;

	canvas_fill(c, r, ROLE_TEXT);
	table_lay_out(t, r.w);
	if (!t->no_header && r.h >= 2)
		draw_header(t, c, rect_take_top(&r, 1));
	t->body = r.h;
	t->body_y = r.y;
	scroll_to_cursor(t);
	shown = rows_shown(t);
	for (size_t i = 0; i < shown; i++)
		draw_row(t, c, rect_take_top(&r, 1), t->top + i, &text);
	hidden = rows_from(t, t->top + shown);
	if (hidden)
		canvas_putf(c, r, TABLE_GUTTER, 0, ROLE_MORE, "+%zu more", hidden);
	str_free(&text);
}
