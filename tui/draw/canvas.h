/* SPDX-License-Identifier: MIT */
/*
 * canvas.h - grid of cells that a frame is drawn on
 *
 * A grid of cells, each with one grapheme and its role. Views draw to (canvas, rect);
 * term.c puts a canvas on a terminal, tests and scripts read it as text. Nothing here
 * knows curses, colours or the locale.
 *
 * Positions are 0-based, x to the right, y down. Those given together with a rect count
 * from the rect's corner. Whatever falls outside the rect or the canvas is not drawn;
 * every function takes any numbers, also on a canvas of 1x1 or 0x0.
 *
 * A wide grapheme has width 2 in its first cell and a second cell of width 0. Drawing
 * over one half blanks the other, so no half is ever left.
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
	char bytes[TEXT_PIECE_BYTES]; /* the grapheme, not NUL-terminated; rest zero */
	uint8_t len;                  /* bytes used; 0 in the second cell of a wide one */
	uint8_t width;                /* 1, 2, or 0 = second cell of a wide one */
	uint8_t role;                 /* enum role */
	uint8_t over;                 /* enum role laid over it (cursor row), or CELL_NO_OVERLAY */
};

struct canvas {
	int w, h;
	bool ascii;           /* ASCII only: glyphs and text (see text.h)        */
	int caret_x, caret_y; /* position of the terminal's cursor; -1 = hidden */
	struct cell *cell;    /* w * h, row by row                               */
	size_t cap;
};

struct rect {
	int x, y, w, h;
};

/* Lines, bars and arrows, with an ASCII form each. */
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
	GLYPH_SPARK_1,    /* ▁ . eight heights, ascending: . . : : + + # # */
	GLYPH_SPARK_8 = GLYPH_SPARK_1 + 7,
	GLYPH_COUNT
};

/* {0} is an empty canvas. resize gives blanks of ROLE_TEXT and no caret; negative sizes count as 0. */
void canvas_resize(struct canvas *c, int w, int h);
void canvas_free(struct canvas *c);
/* All blanks, no caret. */
void canvas_clear(struct canvas *c);
/* Makes dst the same as src, ascii flag and caret too. */
void canvas_copy(struct canvas *dst, const struct canvas *src);

/* The cell at x, y of the canvas; NULL outside. */
const struct cell *canvas_at(const struct canvas *c, int x, int y);

/* All of the canvas. */
struct rect canvas_rect(const struct canvas *c);
/* Cuts n rows or columns off a side of *r and returns them; as many as there are when fewer. */
struct rect rect_take_top(struct rect *r, int n);
struct rect rect_take_bottom(struct rect *r, int n);
struct rect rect_take_left(struct rect *r, int n);
struct rect rect_take_right(struct rect *r, int n);

/*
 * Draws text in its visible form (text.h) from x, y of the rect to the right. Returns the
 * cells drawn, counting from x even where they lay outside, so that x += canvas_put(...)
 * goes on after it. A text that does not fit is clipped at the rect's edge, without a mark.
 */
int canvas_put(struct canvas *c, struct rect r, int x, int y, enum role role, const char *text);
int canvas_putf(struct canvas *c, struct rect r, int x, int y, enum role role, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
/* In exactly `width` cells: padded or cut with a mark, see text_fit. Returns width. */
int canvas_put_fit(struct canvas *c, struct rect r, int x, int y, int width, enum text_align align,
		   enum role role, const char *text);
/* So that its last cell is the last of the rect's row y. Returns the x it begins at. */
int canvas_put_right(struct canvas *c, struct rect r, int y, enum role role, const char *text);

/* One cell. Returns 1. */
int canvas_glyph(struct canvas *c, struct rect r, int x, int y, enum role role, enum glyph glyph);
/* The glyph as text: for those who build strings. */
const char *glyph_text(enum glyph glyph, bool ascii);

/* Blanks of a role. */
void canvas_fill(struct canvas *c, struct rect r, enum role role);
/* A rule over row y from x to the rect's edge. */
void canvas_rule(struct canvas *c, struct rect r, int x, int y, enum role role);
/*
 * Lays a role over what is drawn: the cursor's row, a match. The cells keep their own roles. Both cells of a
 * wide character always look the same: they are covered if the first of them is in r.
 */
void canvas_overlay(struct canvas *c, struct rect r, enum role role);

/* Appends the canvas as lines, blanks at their ends cut, each ended by a newline. */
void canvas_dump(const struct canvas *c, struct str *out);

#endif
