/* SPDX-License-Identifier: MIT */
/*
 * table.h - list with columns, a cursor and marks
 *
 * The list does not know what a row is: it asks its source for the key of a row and for the
 * text of a cell, and for cells only of rows that are on the screen. The cursor is a *key*
 * (a job id), not a row number; it stays there when the rows are sorted, filtered or
 * replaced by those of a new snapshot.
 *
 *     table_update(&t, &src);            rows changed: cursor and scroll follow the key
 *     table_move(&t, +1);                a key of the operator
 *     table_draw(&t, canvas, rect);      header, visible rows, "+3 more"
 *
 * A frame costs the visible rows, whatever the number of all rows; table_update passes
 * once over the rows, for sections and for the cursor's key.
 *
 * A row looks like ">*text  text": the cursor's mark, the mark of marked rows, then the
 * columns, separated by one blank. A section row begins a part of the list: a label, a
 * rule, and its cells below the titles of their columns. The cursor skips sections.
 */
#ifndef DRAW_TABLE_H
#define DRAW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "canvas.h"

/* --- set of row keys, for marks ----------------------------------------------------------------------- */

/* A set of 64-bit keys in ascending order; {0} is empty. Release with keyset_free. A look-up is O(log n). */
struct keyset {
	uint64_t *key; /* ascending and unique */
	size_t count, cap;
};

bool keyset_has(const struct keyset *set, uint64_t key);

/* Adds the key, or removes it if the set has it. */
void keyset_toggle(struct keyset *set, uint64_t key);

/* Appends many keys; keyset_settle then sorts them once, before the set is used. */
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
	int min, max; /* in cells; grows from min to max if there is room; max 0 = min */
	enum text_align align;
	int drop;      /* order of omission on narrow screens, highest first; 0 = never */
	bool flexible; /* receives the remaining cells */
	bool hidden;   /* not selected by the user */
};

/* Source of rows. Pointers are borrowed until the next table_update. */
struct table_source {
	void *self;
	size_t rows;
	/* The key of a row; not called for sections. */
	uint64_t (*key)(void *self, size_t row);
	/* Is the row a section heading? Called once per row; NULL = no sections. */
	bool (*is_section)(void *self, size_t row);
	/*
	 * Appends the text of a cell to the empty *text and returns its role. For a section, also called with
	 * column TABLE_LABEL; empty cells show the rule.
	 */
	enum role (*cell)(void *self, size_t row, size_t column, struct str *text);
};

struct table {
	const struct table_column *column; /* borrowed */
	size_t columns;
	int sorted_by; /* column with the sort mark; -1 = none */
	bool descending;
	bool unfocused; /* another pane has the focus: the cursor is drawn as ROLE_CURSOR_OFF */
	bool no_header; /* no line of titles */

	struct table_source source;
	size_t *section; /* rows of section headings, ascending */
	size_t sections, section_cap;
	struct keyset marked;

	size_t cursor;       /* row; TABLE_NO_ROW if no row can have the cursor */
	uint64_t cursor_key; /* its key */
	size_t top;          /* first visible row */

	/* state of the last frame */
	int body;                     /* height of the rows */
	int body_y;                   /* canvas line of the first row */
	int width[TABLE_COLUMNS_MAX]; /* widths in cells; 0 = omitted. Also set by table_lay_out */
};

/* Columns are borrowed, at most TABLE_COLUMNS_MAX. Release with table_free. */
void table_init(struct table *t, const struct table_column *column, size_t columns);
void table_free(struct table *t);

/*
 * Updates the rows. If the cursor's key still exists, the cursor follows it and stays on the same line of the
 * screen; otherwise it stays on the same row number, or on the last row. Marks of keys without a row are
 * kept.
 */
void table_update(struct table *t, const struct table_source *source);

/* The cursor's key. False if no row can have the cursor. */
bool table_key(const struct table *t, uint64_t *key);

/* Moves by rows, not counting sections; by pages and half pages of the last frame; to the ends. */
void table_move(struct table *t, int rows);
void table_page(struct table *t, int half_pages);
void table_home(struct table *t);
void table_end(struct table *t);

/* Moves to a key. False, without moving, if there is no row for it. */
bool table_go(struct table *t, uint64_t key);

/* Moves to the next (dir 1) or previous (dir -1) matching row, wrapping around. False if there is none. */
bool table_search(struct table *t, int dir, bool (*match)(void *self, size_t row));

/* The row at canvas line y of the last frame (for the mouse), or TABLE_NO_ROW. */
size_t table_row_at(const struct table *t, int y);

/* Sets the cursor to a row, if the row can have it. */
void table_go_row(struct table *t, size_t row);

/*
 * Marks: toggle the cursor's row, mark all rows from one key to another (false if one does not exist), mark
 * all rows. To clear: keyset_clear(&t->marked).
 */
void table_mark_toggle(struct table *t);
bool table_mark_range(struct table *t, uint64_t from, uint64_t to);
void table_mark_all(struct table *t);

/* Is the row a section heading? */
bool table_is_section(const struct table *t, size_t row);

/* Computes the widths of the columns for a table of `width` cells. */
void table_lay_out(struct table *t, int width);

/* Draws into r. If rows are hidden below, the last line is "+3 more". */
void table_draw(struct table *t, struct canvas *c, struct rect r);

#endif
