/* SPDX-License-Identifier: MIT */
/*
 * page.h - text with roles: building, scrolling, drawing
 *
 * A page has lines, and a line has pieces of text, each with a role and a column. For screens that show text
 * instead of a list: a job, the help, messages.
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
	size_t at; /* offset of the piece in page.text */
};

/* {0} is an empty page. Free with page_free. */
struct page {
	struct str text; /* pieces, each terminated by NUL */
	struct page_piece *piece;
	size_t pieces, cap;
	size_t lines; /* number of lines */
	int x;        /* column of the next piece */
	bool ascii;   /* canvas->ascii, for code that cuts text before it adds it to the page */
	size_t top;   /* first visible line */
	size_t found; /* line of the last match, from 1; 0 = none */
	int body;     /* height of the last frame */
	bool at_end;  /* scrolled to the end */
	bool follows; /* stays at the end when lines are added or the height changes */
};

/* Removes all lines, but keeps the scroll position. */
void page_clear(struct page *p);
void page_free(struct page *p);

/* Begins a new line. */
void page_line(struct page *p);

/*
 * Sets the column of the next piece to x, or, if the last piece reaches x, to the column one blank after that
 * piece.
 */
void page_at(struct page *p, int x);
void page_add(struct page *p, enum role role, const char *text);
void page_addf(struct page *p, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds text on new lines from column x, wrapped to width cells. Adds nothing for "". */
void page_wrap(struct page *p, enum role role, int x, int width, const char *text);

/* Like page_wrap, but the first line of the text is added to the current line, after the last piece. */
void page_wrap_on(struct page *p, enum role role, int x, int width, const char *text);

/*
 * Adds a remark to the current line from column x, or on separate lines if it does not fit into width cells.
 */
void page_beside(struct page *p, enum role role, int x, int width, const char *text);

/* Adds a heading on a new line, below an empty line unless it is the first. */
void page_heading(struct page *p, const char *text);

/* Scrolls until a line is visible; the first line is 1. */
void page_show(struct page *p, size_t line);

/*
 * Scrolls to the next (dir 1) or previous (dir -1) line that matches, and wraps around. Returns false if no
 * line matches.
 */
bool page_search(struct page *p, int dir, bool (*match)(const void *self, const char *text),
		 const void *self);

void page_move(struct page *p, int lines);
void page_home(struct page *p);
void page_end(struct page *p);

/*
 * Draws the visible lines. The last visible line ends with the number of lines hidden below. Lines that are
 * too long are cut, with a mark at the end.
 */
void page_draw(struct page *p, struct canvas *c, struct rect r);

/* --- explanations of figures, as text on a page ------------------------------------------------------- */

struct page; /* page.h */

/* Adds all figures, each on a new line, with its note beside or below it. */
void figure_page_put(struct page *p, const struct figures *f, int width);

#endif
