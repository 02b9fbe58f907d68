/* SPDX-License-Identifier: MIT */
/*
 * table.c - list with columns, a cursor and marks
 *
 * The cursor is a key; its row number is the row in which the key was last found.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"

/* --- set of row keys, for marks ----------------------------------------------------------------------- */

/* Returns the index of the key, or the index at which it would be inserted. */
static size_t find_place(const struct keyset *set, uint64_t key)
{
	size_t low = 0, high = set->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->key[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool keyset_has(const struct keyset *set, uint64_t key)
{
	size_t at = find_place(set, key);

	return at < set->count && set->key[at] == key;
}

void keyset_toggle(struct keyset *set, uint64_t key)
{
	size_t at = find_place(set, key);
	size_t behind = set->count - at;

	if (behind && set->key[at] == key) {
		memmove(&set->key[at], &set->key[at + 1], (behind - 1) * sizeof *set->key);
		set->count--;
		return;
	}
	set->key = vec_room(set->key, &set->cap, set->count + 1, sizeof *set->key);
	memmove(&set->key[at + 1], &set->key[at], behind * sizeof *set->key);
	set->key[at] = key;
	set->count++;
}

void keyset_append(struct keyset *set, uint64_t key)
{
	set->key = vec_room(set->key, &set->cap, set->count + 1, sizeof *set->key);
	set->key[set->count++] = key;
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

void keyset_settle(struct keyset *set)
{
	size_t kept = 0;

	if (set->count == 0)
		return;
	qsort(set->key, set->count, sizeof *set->key, compare_keys);
	for (size_t i = 0; i < set->count; i++)
		if (kept == 0 || set->key[kept - 1] != set->key[i])
			set->key[kept++] = set->key[i];
	set->count = kept;
}

void keyset_clear(struct keyset *set)
{
	set->count = 0;
}

void keyset_free(struct keyset *set)
{
	free(set->key);
	*set = (struct keyset){0};
}

/* --- rows and cursor ---------------------------------------------------------------------------------- */

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

/* Does the row exist, and can it have the cursor? */
static bool is_row(const struct table *t, size_t row)
{
	return row < t->source.rows && !table_is_section(t, row);
}

static uint64_t key_of(const struct table *t, size_t row)
{
	return t->source.key(t->source.self, row);
}

/* Returns the row with a key, searching outwards from the row `near`; TABLE_NO_ROW if there is none. */
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

/*
 * Returns the first row at or after `row` that can have the cursor, otherwise the last such row before it;
 * TABLE_NO_ROW if there is none.
 */
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

/*
 * Like place_cursor, but scrolls so that the cursor is in this line of the screen, if there are enough rows
 * above.
 */
static void place_cursor_on_line(struct table *t, size_t row, size_t line)
{
	place_cursor(t, row);
	t->top = row != TABLE_NO_ROW && row > line ? row - line : 0;
}

/* Returns the number of rows between the first visible row and the cursor. */
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

/* --- movement ----------------------------------------------------------------------------------------- */

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

/* Returns the row at this distance from the cursor, or the last row in that direction. */
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

#define LINES_FOR_MORE 3 /* minimum height for "+3 more" on the last line */

/* --- widths of columns -------------------------------------------------------------------------------- */

/*
 * Every column first gets its minimum width. While the sum is too large, the column with the highest `drop`
 * is omitted. The remaining cells are given to columns below their maximum width, lowest `drop` first, and
 * then to flexible columns. Widths do not depend on the rows, so columns do not move when rows change.
 */

static int least_width(const struct table_column *column)
{
	return column->min > 0 ? column->min : 1;
}

/* Returns the width of all visible columns with the blanks between them. */
static int total_width(const struct table *t)
{
	int total = -1;

	for (size_t i = 0; i < t->columns; i++)
		if (t->width[i])
			total += t->width[i] + 1;
	return total;
}

/* Returns the column to be omitted next; t->columns if no column can be omitted. */
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

/* Widens columns up to their maximum, lowest `drop` first. Returns the number of remaining cells. */
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

/*
 * Returns the number of visible rows. If there are more rows below, the last line is kept for their number.
 */
static size_t rows_shown(const struct table *t)
{
	size_t lines = t->body > 0 ? (size_t)t->body : 0;
	size_t left = t->top < t->source.rows ? t->source.rows - t->top : 0;

	if (left <= lines)
		return left;
	return lines >= LINES_FOR_MORE ? lines - 1 : lines;
}

/* Scrolls so that the cursor is visible and no line is unused. */
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

/* --- drawing ------------------------------------------------------------------------------------------ */

/* Appends the title of the sorted column, cut if necessary, and the sort mark. */
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

/* Draws the text of a cell over the horizontal line of a section heading, with a blank on both sides. */
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

/* Returns the number of rows from `row` on that are not section headings. */
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
