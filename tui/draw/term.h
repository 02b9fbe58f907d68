/* SPDX-License-Identifier: MIT */
/*
 * term.h - how do canvases reach a terminal, and keys come from it?
 *
 * The only door to curses. One terminal at a time; all calls from one thread, the
 * console's. main() has called setlocale(LC_CTYPE, "") before.
 *
 * Drawing never clears: rows that changed go to curses, which sends what differs. Keys
 * are read without waiting: poll() term_fd() for input, then call term_read until it
 * says there is nothing. A bare Esc is told from a sequence after 50 ms (ESCDELAY in the
 * environment changes that).
 *
 * The terminal is given back on close, on exit, and before the process dies of a signal
 * (SEGV, BUS, ABRT, FPE, ILL; TERM, HUP, INT where nobody else handles them).
 * Keyboard signals are off: ^C, ^Z and ^S arrive as keys.
 */
#ifndef DRAW_TERM_H
#define DRAW_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "canvas.h"
#include "key.h"
#include "theme.h"

struct term;

struct term_options {
	const char *type; /* NULL = $TERM                                         */
	FILE *in, *out;   /* NULL = stdin, stdout                                 */
	bool no_colour;   /* --no-color; NO_COLOR (non-empty) does the same       */
	bool mouse;       /* report the mouse; takes text selection from the user */
};

enum term_event_kind {
	TERM_KEY,    /* .key                                                    */
	TERM_PASTE,  /* .text, .len: one whole paste; never to be read as keys  */
	TERM_RESIZE, /* the size changed: ask term_size, draw again             */
	TERM_MOUSE   /* .x .y and .key: <Up> <Down> for the wheel, <Enter> for a click */
};

struct term_event {
	enum term_event_kind kind;
	struct key key;
	int x, y;
	const char *text; /* UTF-8 as it came; valid until the next term_read */
	size_t len;
};

/*
 * Opens the terminal. Tries $TERM, then what is like it (xterm-256color for xterm...),
 * then ansi and vt100. NULL with a sentence when it is not a terminal, or is one that
 * cannot place its cursor ("dumb"). Release with term_close.
 */
struct term *term_open(const struct term_options *options, struct err *err);
/* Gives the terminal back as it was. NULL is allowed. */
void term_close(struct term *t);

void term_size(const struct term *t, int *w, int *h);
enum colour_depth term_depth(const struct term *t);
/* Can it show more than ASCII? Asked of the locale. If not: draw with canvas.ascii set. */
bool term_is_utf8(const struct term *t);

/* The theme is copied. Call before the first term_show. */
void term_use_theme(struct term *t, const struct theme *theme);
void term_use_mouse(struct term *t, bool on);

/*
 * Shows a canvas. False when nothing was written because the terminal takes no output
 * now (^S, a dead line) or is gone: try again later.
 */
bool term_show(struct term *t, const struct canvas *c);
/* Forgets what is on the screen: the next term_show paints all of it (^L, foreign output). */
void term_repaint(struct term *t);

/* For poll(): POLLIN. */
int term_fd(const struct term *t);
/*
 * The next event; false when there is none now. Call it also when a signal interrupted
 * the wait: that is how a new size is noticed (so block SIGWINCH in all other threads).
 */
bool term_read(struct term *t, struct term_event *out);
/* Has the terminal gone (hang-up, closed)? Nothing is drawn or read any more. */
bool term_lost(const struct term *t);

/* Hands text to the terminal's clipboard (OSC 52). False when it is too long or the terminal has none. */
bool term_copy(struct term *t, const char *text, size_t len);

#endif
