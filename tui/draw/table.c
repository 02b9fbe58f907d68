/* SPDX-License-Identifier: MIT */
/*
 * table.c - on which row does the cursor stand, and which rows are marked?
 *
 * The cursor is a key; its row number is only where that key was found last. Drawing
 * and scrolling are in table_draw.c.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

void table_init(struct table *t, const struct table_column *column, size_t columns)
{
	*t = (struct table){
		.column = column,
		.columns = columns < TABLE_COLUMNS_MAX ? columns : TABLE_COLUMNS_MAX,
		.sorted_by = -1,
		.cursor = TABLE_NO_ROW,
	};
}

void table_free(struct table *t)
{
	free(t->section);
	keyset_free(&t->marked);
	*t = (struct table){.cursor = TABLE_NO_ROW};
}

static int compare_rows(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

bool table_is_section(const struct table *t, size_t row)
{
	return t->sections > 0 && bsearch(&row, t->section, t->sections, sizeof row, compare_rows) != NULL;
}

static void find_sections(struct table *t)
{
	t->sections = 0;
	if (!t->source.is_section)
		return;
	for (size_t row = 0; row < t->source.rows; row++) {
		if (!t->source.is_section(t->source.self, row))
			continue;
		t->section = vec_room(t->section, &t->section_cap, t->sections + 1, sizeof *t->section);
		t->section[t->sections++] = row;
	}
}

static bool is_row(const struct table *t, size_t row)
{
	return row < t->source.rows && !table_is_section(t, row);
}

static uint64_t key_of(const struct table *t, size_t row)
{
	return t->source.key(t->source.self, row);
}

/* The row of a key, looking outwards from `near`. */
static size_t find_key(const struct table *t, uint64_t key, size_t near)
{
	size_t rows = t->source.rows;

	if (near >= rows)
		near = rows ? rows - 1 : 0;
	for (size_t d = 0; d <= near || near + d < rows; d++) {
		if (is_row(t, near + d) && key_of(t, near + d) == key)
			return near + d;
		if (d > 0 && d <= near && is_row(t, near - d) && key_of(t, near - d) == key)
			return near - d;
	}
	return TABLE_NO_ROW;
}

/* The first row that can have the cursor, at `row` or behind it, else before it. */
static size_t nearest_row(const struct table *t, size_t row)
{
	size_t rows = t->source.rows;
	size_t start = row < rows ? row : rows ? rows - 1 : 0;

	for (size_t at = start; at < rows; at++)
		if (is_row(t, at))
			return at;
	for (size_t at = start; at-- > 0;)
		if (is_row(t, at))
			return at;
	return TABLE_NO_ROW;
}

static void place_cursor(struct table *t, size_t row)
{
	t->cursor = row;
	if (row != TABLE_NO_ROW)
		t->cursor_key = key_of(t, row);
}

/* The same with the cursor on its line of the screen, as far as there are rows above. */
static void place_cursor_on_line(struct table *t, size_t row, size_t line)
{
	place_cursor(t, row);
	t->top = row != TABLE_NO_ROW && row > line ? row - line : 0;
}

/* How far below the first row on the screen the cursor stands. */
static size_t cursor_line(const struct table *t)
{
	return t->cursor != TABLE_NO_ROW && t->cursor > t->top ? t->cursor - t->top : 0;
}

void table_update(struct table *t, const struct table_source *source)
{
	size_t line = cursor_line(t);
	size_t row = TABLE_NO_ROW, old = t->cursor;

	t->source = *source;
	find_sections(t);
	if (old != TABLE_NO_ROW)
		row = find_key(t, t->cursor_key, old);
	if (row == TABLE_NO_ROW)
		row = nearest_row(t, old == TABLE_NO_ROW ? 0 : old);
	place_cursor_on_line(t, row, line);
}

bool table_key(const struct table *t, uint64_t *key)
{
	if (t->cursor == TABLE_NO_ROW)
		return false;
	*key = t->cursor_key;
	return true;
}

/* ---- moving ---- */

static size_t next_row(const struct table *t, size_t row)
{
	while (++row < t->source.rows)
		if (is_row(t, row))
			return row;
	return TABLE_NO_ROW;
}

static size_t previous_row(const struct table *t, size_t row)
{
	while (row-- > 0)
		if (is_row(t, row))
			return row;
	return TABLE_NO_ROW;
}

/* The row so many rows away, or the last one in that direction. */
static size_t row_away(const struct table *t, int rows)
{
	size_t row = t->cursor;

	for (int left = rows; left != 0 && row != TABLE_NO_ROW; left += left < 0 ? 1 : -1) {
		size_t to = left < 0 ? previous_row(t, row) : next_row(t, row);

		if (to == TABLE_NO_ROW)
			break;
		row = to;
	}
	return row;
}

void table_move(struct table *t, int rows)
{
	place_cursor(t, row_away(t, rows));
}

void table_page(struct table *t, int half_pages)
{
	int half = t->body > 2 ? (t->body - 1) / 2 : 1;

	place_cursor_on_line(t, row_away(t, half * half_pages), cursor_line(t));
}

void table_home(struct table *t)
{
	place_cursor(t, nearest_row(t, 0));
	t->top = 0;
}

void table_end(struct table *t)
{
	size_t last = previous_row(t, t->source.rows);

	if (last != TABLE_NO_ROW)
		place_cursor(t, last);
}

bool table_go(struct table *t, uint64_t key)
{
	size_t row = find_key(t, key, t->cursor == TABLE_NO_ROW ? 0 : t->cursor);

	if (row == TABLE_NO_ROW)
		return false;
	place_cursor(t, row);
	return true;
}

void table_go_row(struct table *t, size_t row)
{
	if (is_row(t, row))
		place_cursor(t, row);
}

bool table_search(struct table *t, int dir, bool (*match)(void *self, size_t row))
{
	size_t rows = t->source.rows, row = t->cursor;

	if (row == TABLE_NO_ROW)
		return false;
	for (size_t left = rows; left > 0; left--) {
		row = dir < 0 ? (row + rows - 1) % rows : (row + 1) % rows;
		if (is_row(t, row) && match(t->source.self, row)) {
			place_cursor(t, row);
			return true;
		}
	}
	return false;
}

/* ---- marks ---- */

void table_mark_toggle(struct table *t)
{
	if (t->cursor != TABLE_NO_ROW)
		keyset_toggle(&t->marked, t->cursor_key);
}

static void mark_rows(struct table *t, size_t first, size_t end)
{
	for (size_t row = first; row < end; row++)
		if (is_row(t, row))
			keyset_append(&t->marked, key_of(t, row));
	keyset_settle(&t->marked);
}

bool table_mark_range(struct table *t, uint64_t from, uint64_t to)
{
	size_t near = t->cursor == TABLE_NO_ROW ? 0 : t->cursor;
	size_t a = find_key(t, from, near), b = find_key(t, to, near);

	if (a == TABLE_NO_ROW || b == TABLE_NO_ROW)
		return false;
	mark_rows(t, a < b ? a : b, (a < b ? b : a) + 1);
	return true;
}

void table_mark_all(struct table *t)
{
	mark_rows(t, 0, t->source.rows);
}
