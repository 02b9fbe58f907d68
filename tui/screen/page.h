/* SPDX-License-Identifier: MIT */
/*
 * page.h - text with roles: building, scrolling, drawing
 *
 * Lines of pieces, each with its role and the column it begins at. For screens that are
 * read rather than walked through: a job, the help, messages.
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
	size_t at; /* in text */
};

/* {0} is an empty page. Release with page_free. */
struct page {
	struct str text; /* pieces, each with its NUL */
	struct page_piece *piece;
	size_t pieces, cap;
	size_t lines; /* begun so far                     */
	int x;        /* where the next piece begins      */
	bool ascii;   /* for measuring                    */
	size_t top;   /* first line on the screen         */
	size_t found; /* the line that was searched for last, from 1; 0 = none */
	int body;     /* lines of the last draw           */
	bool at_end;  /* it was last moved to its end     */
	bool follows; /* at its end it stays there when lines are added or the height changes */
};

/* Forgets the lines, keeps the place. */
void page_clear(struct page *p);
void page_free(struct page *p);

/* Begins a line. */
void page_line(struct page *p);

/* Goes on at column x, or one blank behind the last piece when that reaches further. */
void page_at(struct page *p, int x);
void page_add(struct page *p, enum role role, const char *text);
void page_addf(struct page *p, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Lines of a sentence, broken at blanks to fit `width` cells from column x on. */
void page_wrap(struct page *p, enum role role, int x, int width, const char *text);

/* The same, its first line going on where the last piece ended. */
void page_wrap_on(struct page *p, enum role role, int x, int width, const char *text);

/* A remark from column x of the line on, or on lines of its own where it would pass column `width`. */
void page_beside(struct page *p, enum role role, int x, int width, const char *text);

/* A heading on a line of its own. */
void page_heading(struct page *p, const char *text);

/* Scrolls until a line is on the screen, as far as needed; lines count from 1. */
void page_show(struct page *p, size_t line);

/* Goes to the next line (dir 1) or previous one (dir -1) that matches, around the ends. False: none does. */
bool page_search(struct page *p, int dir, bool (*match)(const void *self, const char *text),
		 const void *self);

void page_move(struct page *p, int lines);
void page_home(struct page *p);
void page_end(struct page *p);

/*
 * Draws from the first line on the screen; the last says how many are hidden below. What is
 * too long for its line is cut with a mark.
 */
void page_draw(struct page *p, struct canvas *c, struct rect r);

/* --- explanations of figures, as text on a page ------------------------------------------------------- */

struct page; /* page.h */

/* All of them, each from a line of its own on. */
void figure_page_put(struct page *p, const struct figures *f, int width);

#endif
