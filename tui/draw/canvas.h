/* SPDX-License-Identifier: MIT */
/*
 * canvas.h - grid of cells that a frame is drawn on
 *
 * Each cell contains one grapheme and its role. Screens draw into a rect of a canvas; term.c shows a canvas
 * on a terminal, and tests and scripts read it as text. Nothing here depends on curses, colours or the
 * locale.
 *
 * Positions are 0-based, x to the right, y down. Positions given together with a rect are relative to its top
 * left corner. Cells outside the rect or the canvas are not drawn, so that every function accepts any
 * numbers, even for a canvas of 1x1 or 0x0.
 *
 * A wide grapheme takes two cells, the first of width 2 and the second of width 0. If one of the two is
 * overwritten, the other becomes a blank.
 */
#ifndef DRAW_CANVAS_H
#define DRAW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"
#include "theme.h"

struct str; /* sched/base/str.h */

#define CELL_NO_OVERLAY UINT8_MAX

struct cell {
	char bytes[TEXT_PIECE_BYTES]; /* the grapheme, not NUL-terminated; the remaining bytes are zero */
	uint8_t len;                  /* number of bytes used; 0 in the second cell of a wide grapheme */
	uint8_t width;                /* 1, 2, or 0 = second cell of a wide grapheme */
	uint8_t role;                 /* enum role */
	uint8_t over; /* enum role laid over the cell, such as that of the cursor row, or CELL_NO_OVERLAY */
};

struct canvas {
	int w, h;
	bool ascii;           /* draw glyphs and text in ASCII only (see text.h) */
	int caret_x, caret_y; /* position of the terminal's cursor; -1 = hidden */
	struct cell *cell;    /* w * h, row by row                               */
	size_t cap;
};

struct rect {
	int x, y, w, h;
};

/* Lines, bars and arrows. The comments show their UTF-8 and ASCII forms. */
enum glyph {
	GLYPH_HLINE,    /* ─ - */
	GLYPH_VLINE,    /* │ | */
	GLYPH_TOP_LEFT, /* ┌ + */
	GLYPH_TOP_RIGHT,
	GLYPH_BOTTOM_LEFT,
	GLYPH_BOTTOM_RIGHT,
	GLYPH_CURSOR,     /* > > */
	GLYPH_MARK,       /* * * */
	GLYPH_SORT_DOWN,  /* ▾ v */
	GLYPH_SORT_UP,    /* ▴ ^ */
	GLYPH_BAR_FULL,   /* █ | */
	GLYPH_BAR_HALF,   /* ▌ | */
	GLYPH_BAR_SECOND, /* ▒ : */
	GLYPH_BAR_THIRD,  /* × x */
	GLYPH_TRACK,      /* ─ - */
	GLYPH_KNOB,       /* ┃ | */
	GLYPH_SPARK_1,    /* ▁ to █ in eight ascending heights, . . : : + + # # in ASCII */
	GLYPH_SPARK_8 = GLYPH_SPARK_1 + 7,
	GLYPH_COUNT
};

/*
 * Sets the size of a canvas, fills it with blanks of ROLE_TEXT and hides the caret. Negative sizes count as
 * 0. A zeroed struct is a valid empty canvas.
 */
void canvas_resize(struct canvas *c, int w, int h);
void canvas_free(struct canvas *c);
/* Fills the canvas with blanks of ROLE_TEXT and hides the caret. */
void canvas_clear(struct canvas *c);
/* Makes dst a copy of src, including its size, the ascii flag and the caret. */
void canvas_copy(struct canvas *dst, const struct canvas *src);

/* Returns the cell at x, y of the canvas; NULL if there is none. */
const struct cell *canvas_at(const struct canvas *c, int x, int y);

/* Returns a rect that covers the whole canvas. */
struct rect canvas_rect(const struct canvas *c);
/* Cut n rows or columns (or all if there are fewer) off one side of *r and return them as a rect. */
struct rect rect_take_top(struct rect *r, int n);
struct rect rect_take_bottom(struct rect *r, int n);
struct rect rect_take_left(struct rect *r, int n);
struct rect rect_take_right(struct rect *r, int n);

/*
 * Draws text in its visible form (text.h) from x, y of the rect to the right. Text beyond the edge of the
 * rect is clipped, without a mark. Returns the width of the text in cells, including clipped cells, so that x
 * += canvas_put(...) is the position after it.
 */
int canvas_put(struct canvas *c, struct rect r, int x, int y, enum role role, const char *text);
int canvas_putf(struct canvas *c, struct rect r, int x, int y, enum role role, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
/* Draws text in exactly `width` cells, padded or cut as by text_fit. Returns width. */
int canvas_put_fit(struct canvas *c, struct rect r, int x, int y, int width, enum text_align align,
		   enum role role, const char *text);
/* Draws text at the right edge of row y of the rect. Returns the x of its first cell. */
int canvas_put_right(struct canvas *c, struct rect r, int y, enum role role, const char *text);

/* Draws a glyph in one cell. Returns 1. */
int canvas_glyph(struct canvas *c, struct rect r, int x, int y, enum role role, enum glyph glyph);
/* Returns the glyph as a string; static storage. */
const char *glyph_text(enum glyph glyph, bool ascii);

/* Fills a rect of the canvas with blanks of a role. */
void canvas_fill(struct canvas *c, struct rect r, enum role role);
/* Draws a horizontal line in row y from x to the edge of the rect. */
void canvas_rule(struct canvas *c, struct rect r, int x, int y, enum role role);
/*
 * Lays a role, such as that of the cursor row or of a match, over the cells of a rect. The cells keep their
 * own roles. Both cells of a wide character always look the same: they get the overlay if the first of them
 * is in the rect.
 */
void canvas_overlay(struct canvas *c, struct rect r, enum role role);

/* Appends the canvas as text: one line for each row, without blanks at its end. */
void canvas_dump(const struct canvas *c, struct str *out);

#endif
