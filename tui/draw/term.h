/* SPDX-License-Identifier: MIT */
/*
 * term.h - terminal: output of canvases, input of keys (curses)
 *
 * The only file that uses curses. There is one terminal at a time; only one thread, the
 * console's, calls these functions. main() has called setlocale(LC_CTYPE, "") before.
 *
 * Drawing never clears the screen: changed rows go to curses, which sends the differences.
 * Reading never blocks: poll() term_fd() for input, then call term_read until it returns
 * false. A bare Esc is recognized after 50 ms (ESCDELAY in the environment changes that).
 *
 * The terminal is restored on close, on exit, and before the process dies of a signal
 * (SEGV, BUS, ABRT, FPE, ILL; TERM, HUP, INT where the program has no handler for them).
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
	TERM_PASTE,  /* .text, .len: one whole paste, which is not keys         */
	TERM_RESIZE, /* the size changed: ask term_size, draw again             */
	TERM_MOUSE   /* .x .y and .key: <Up> <Down> for the wheel, <Enter> for a click */
};

struct term_event {
	enum term_event_kind kind;
	struct key key;
	int x, y;
	const char *text; /* the bytes as they were pasted; valid until the next term_read */
	size_t len;
};

/*
 * Opens the terminal; term_type_find chooses the type. NULL with a sentence when it is no
 * terminal, or one that cannot place its cursor ("dumb"). Release with term_close.
 */
struct term *term_open(const struct term_options *options, struct err *err);

/* Restores the terminal. NULL is allowed. */
void term_close(struct term *t);
void term_size(const struct term *t, int *w, int *h);
enum colour_depth term_depth(const struct term *t);

/* Is the locale's encoding UTF-8? If not, draw with canvas.ascii set. */
bool term_is_utf8(const struct term *t);

/* The theme is copied. Call before the first term_show. */
void term_use_theme(struct term *t, const struct theme *theme);
void term_use_mouse(struct term *t, bool on);

/*
 * Shows a canvas. False when nothing was written because the terminal takes no output
 * now (^S, a dead line) or was hung up: try again later.
 */
bool term_show(struct term *t, const struct canvas *c);

/* The next term_show draws the whole screen again (^L, output of other programs). */
void term_repaint(struct term *t);

/* For poll(): POLLIN. */
int term_fd(const struct term *t);

/*
 * The next event; false when there is none now. Call it also when a signal interrupts the
 * wait, which is how a new size is noticed (so block SIGWINCH in all other threads).
 */
bool term_read(struct term *t, struct term_event *out);

/* Was the terminal hung up or closed? Nothing is drawn or read any more. */
bool term_lost(const struct term *t);

/* Copies text to the terminal's clipboard. False when the text is too long, or the terminal has none. */
bool term_copy(struct term *t, const char *text, size_t len);

/* --- the line to the terminal ------------------------------------------------------------------------- */

/* What term.c needs of file descriptors and of the locale, without curses. */

struct str; /* sched/base/str.h */

/* Would a write succeed now? Not after ^S, on a full line, or on a line that was hung up. */
bool line_takes_output(int fd);
/* Is the line hung up, closed or at end of file? Call only when there is nothing to read. */
bool line_is_gone(int fd);
/* Writes all bytes, or those before the first error. */
void line_write(int fd, const char *bytes, size_t len);

/*
 * Replaces *out with the bytes of the run of cells from x on that have the same role and overlay. Returns the
 * x after the run, at most `width`. A character whose width the C library measures differently, and without
 * utf8 every non-ASCII character, is written as '?', so that the rest of the line keeps its position.
 */
int line_next_run(const struct canvas *c, int x, int y, int width, bool utf8, struct str *out);

/* --- the terminal's clipboard (OSC 52) ---------------------------------------------------------------- */

#define CLIPBOARD_MAX 56000 /* bytes of text; terminals refuse longer sequences */

/* False for terminal types that print the sequence instead of obeying it. */
bool clipboard_is_known(const char *type);
/* Appends the sequence that puts text[0..len) on the clipboard, in base64 (RFC 4648); len at most
 * CLIPBOARD_MAX. */
void clipboard_sequence(struct str *out, const char *text, size_t len);

#endif
