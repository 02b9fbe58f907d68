/* SPDX-License-Identifier: MIT */
/*
 * page.h - text with roles: building, scrolling, drawing
 *
 * Lines of pieces, each with its role and its column. For screens with text instead of a list: a job, the
 * help, messages.
 */
#ifndef SCREEN_PAGE_H
#define SCREEN_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/str.h"
#include "tui/draw/canvas.h"
#include "tui/report/figure.h"

struct page_piece {
	size_t line;
	int x;
	enum role role;
	size_t at; /* offset in text */
};

/* {0} is an empty page. Free with page_free. */
struct page {
	struct str text; /* pieces, each terminated by NUL */
	struct page_piece *piece;
	size_t pieces, cap;
	size_t lines; /* number of lines */
	int x;        /* column of the next piece */
	bool ascii;   /* for text widths */
	size_t top;   /* first visible line */
	size_t found; /* line of the last match, from 1; 0 = none */
	int body;     /* height of the last frame */
	bool at_end;  /* scrolled to the end */
	bool follows; /* follows the end when lines are added or the height changes */
};

/* Removes all lines, but keeps the scroll position. */
void page_clear(struct page *p);
void page_free(struct page *p);

/* Begins a line. */
void page_line(struct page *p);

/* Moves to column x, or one blank after the last piece if that is further right. */
void page_at(struct page *p, int x);
void page_add(struct page *p, enum role role, const char *text);
void page_addf(struct page *p, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds a sentence, wrapped to width cells from column x. */
void page_wrap(struct page *p, enum role role, int x, int width, const char *text);

/* The same, starting after the last piece. */
void page_wrap_on(struct page *p, enum role role, int x, int width, const char *text);

/* Adds a remark at column x of the line, or on separate lines if it would exceed width. */
void page_beside(struct page *p, enum role role, int x, int width, const char *text);

/* Adds a heading on a separate line. */
void page_heading(struct page *p, const char *text);

/* Scrolls until a line is visible; lines count from 1. */
void page_show(struct page *p, size_t line);

/* Goes to the next (dir 1) or previous (dir -1) matching line and wraps around. False if there is none. */
bool page_search(struct page *p, int dir, bool (*match)(const void *self, const char *text),
		 const void *self);

void page_move(struct page *p, int lines);
void page_home(struct page *p);
void page_end(struct page *p);

/* Draws the visible lines; the last one shows how many are hidden below. Longer lines are cut with a mark. */
void page_draw(struct page *p, struct canvas *c, struct rect r);

/* --- explanations of figures, as text on a page ------------------------------------------------------- */

struct page; /* page.h */

/* Adds all figures, each starting on a new line. */
void figure_page_put(struct page *p, const struct figures *f, int width);

#endif
