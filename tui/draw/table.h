/* SPDX-License-Identifier: MIT */
/*
 * table.h - list with columns, a cursor and marks
 *
 * The list does not know what its rows mean: it asks its source for the key of a row and for the texts of
 * cells, the latter only for visible rows. The cursor is a key, such as a job ID, and not a row number, so
 * that it stays on its job when the rows are sorted, filtered or replaced by those of a new snapshot.
 *
 *     table_update(&t, &src);            rows changed: cursor and scroll follow the key
 *     table_move(&t, +1);                the operator has pressed a key
 *     table_draw(&t, canvas, rect);      header, visible rows, "+3 more"
 *
 * The cost of a frame depends only on the number of visible rows. table_update visits all rows once, to find
 * the sections and the cursor's key.
 *
 * A row is drawn as ">*text  text": the mark of the cursor, the mark of marked rows, then the columns,
 * separated by one blank. A section heading begins a part of the list: it has a label, a horizontal line, and
 * cells in its columns. The cursor skips section headings.
 */
#ifndef DRAW_TABLE_H
#define DRAW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "canvas.h"

/* --- set of row keys, for marks ----------------------------------------------------------------------- */

/*
 * A set of 64-bit keys in ascending order. A zeroed struct is empty. Release with keyset_free. A look-up
 * takes O(log n).
 */
struct keyset {
	uint64_t *key; /* ascending and unique */
	size_t count, cap;
};

bool keyset_has(const struct keyset *set, uint64_t key);

/* Adds the key, or removes it if it is in the set. */
void keyset_toggle(struct keyset *set, uint64_t key);

/*
 * Appends a key without sorting. After all keys are appended, keyset_settle must be called, which sorts the
 * set.
 */
void keyset_append(struct keyset *set, uint64_t key);
void keyset_settle(struct keyset *set);
void keyset_clear(struct keyset *set);
void keyset_free(struct keyset *set);

/* --- the list ----------------------------------------------------------------------------------------- */

#define TABLE_COLUMNS_MAX 32
#define TABLE_GUTTER      2        /* cells before the first column   */
#define TABLE_LABEL       SIZE_MAX /* the "column" of a section's label */
#define TABLE_NO_ROW      SIZE_MAX

struct table_column {
	const char *title;
	int min, max; /* width in cells; grows from min to max if there is room; max 0 = min */
	enum text_align align;
	int drop;      /* order of omission on narrow screens, highest first; 0 = never */
	bool flexible; /* receives the remaining cells */
	bool hidden;   /* not selected by the user */
};

/* Source of rows. Pointers are borrowed until the next table_update. */
struct table_source {
	void *self;
	size_t rows;
	/* Returns the key of a row; not called for section headings. */
	uint64_t (*key)(void *self, size_t row);
	/* Is the row a section heading? Called once per row; NULL = there are no sections. */
	bool (*is_section)(void *self, size_t row);
	/*
	 * Appends the text of a cell to the empty *text and returns its role. For a section heading, also
	 * called with column TABLE_LABEL; its empty cells show the horizontal line.
	 */
	enum role (*cell)(void *self, size_t row, size_t column, struct str *text);
};

struct table {
	const struct table_column *column; /* borrowed */
	size_t columns;
	int sorted_by; /* column with the sort mark; -1 = none */
	bool descending;
	bool unfocused; /* does another pane have the focus? the cursor is then drawn as ROLE_CURSOR_OFF */
	bool no_header; /* no line with the titles of columns */

	struct table_source source;
	size_t *section; /* rows of section headings, ascending */
	size_t sections, section_cap;
	struct keyset marked;

	size_t cursor;       /* row; TABLE_NO_ROW if no row can have the cursor */
	uint64_t cursor_key; /* key of the cursor's row */
	size_t top;          /* first visible row */

	/* state of the last frame */
	int body;                     /* number of lines for rows */
	int body_y;                   /* canvas line of the first row */
	int width[TABLE_COLUMNS_MAX]; /* widths of the columns in cells; 0 = omitted. Also set by
					 table_lay_out */
};

/* Initialises a table; the columns are borrowed, at most TABLE_COLUMNS_MAX. Release with table_free. */
void table_init(struct table *t, const struct table_column *column, size_t columns);
void table_free(struct table *t);

/*
 * Updates the rows. If the cursor's key still exists, the cursor follows it and stays on the same line of the
 * screen; otherwise it stays on the same row number, or on the last row. Marks of keys without a row are
 * kept.
 */
void table_update(struct table *t, const struct table_source *source);

/* Sets *key to the cursor's key. Returns false if no row can have the cursor. */
bool table_key(const struct table *t, uint64_t *key);

/* Moves the cursor by a number of rows, not counting section headings. */
void table_move(struct table *t, int rows);
/* Moves the cursor by a number of half pages; a page is as high as the last frame. */
void table_page(struct table *t, int half_pages);
/* Move the cursor to the first or the last row. */
void table_home(struct table *t);
void table_end(struct table *t);

/* Moves the cursor to the row with this key. Returns false, without moving, if there is none. */
bool table_go(struct table *t, uint64_t key);

/*
 * Moves the cursor to the next (dir 1) or previous (dir -1) row for which match() is true, wrapping around at
 * the end of the list. Returns false if there is none.
 */
bool table_search(struct table *t, int dir, bool (*match)(void *self, size_t row));

/* Returns the row in line y of the canvas in the last frame, for the mouse; TABLE_NO_ROW if there is none. */
size_t table_row_at(const struct table *t, int y);

/* Sets the cursor to a row, if the row can have it. */
void table_go_row(struct table *t, size_t row);

/* Marks the cursor's row, or removes its mark. To remove all marks: keyset_clear(&t->marked). */
void table_mark_toggle(struct table *t);
/* Marks all rows between the rows with two keys, inclusive. Returns false if a key has no row. */
bool table_mark_range(struct table *t, uint64_t from, uint64_t to);
void table_mark_all(struct table *t);

/* Is the row a section heading? */
bool table_is_section(const struct table *t, size_t row);

/* Computes the widths of the columns for a table of `width` cells. */
void table_lay_out(struct table *t, int width);

/* Draws the table in r. If not all rows fit, the last line shows the number of rows below, "+3 more". */
void table_draw(struct table *t, struct canvas *c, struct rect r);

#endif
