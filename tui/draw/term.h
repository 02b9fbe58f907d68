/* SPDX-License-Identifier: MIT */
/*
 * term.h - terminal: output of canvases, input of keys (curses)
 *
 * Only term.c uses curses. There is one terminal at a time, and only one thread, that of the console, may
 * call these functions. main() must have called setlocale(LC_CTYPE, "").
 *
 * Drawing never clears the screen: changed rows are passed to curses, which sends the differences. Reading
 * never blocks: poll() term_fd() for input, then call term_read until it returns false. The Esc key is
 * recognized if no other byte follows within 50 ms (or within ESCDELAY of the environment).
 *
 * The terminal is restored by term_close, at exit, and before a signal ends the process: SEGV, BUS, ABRT, FPE
 * and ILL; also TERM, HUP and INT if the program has no handlers for them. The terminal sends no signals: ^C,
 * ^Z and ^S are ordinary keys.
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
	bool no_colour;   /* --no-color; a non-empty NO_COLOR in the environment has the same effect */
	bool mouse;       /* report mouse events; the user then cannot select text */
};

enum term_event_kind {
	TERM_KEY,    /* a key: .key */
	TERM_PASTE,  /* pasted text as a whole, which is not reported as keys: .text, .len */
	TERM_RESIZE, /* the size has changed: call term_size and draw again */
	TERM_MOUSE   /* a mouse event at .x .y: .key is <Up> or <Down> for the wheel, <Enter> for a click */
};

struct term_event {
	enum term_event_kind kind;
	struct key key;
	int x, y;
	const char *text; /* the pasted bytes, unchanged; valid until the next term_read */
	size_t len;
};

/*
 * Opens the terminal; term_type_find chooses its type. Returns NULL with err set if it is not a terminal, or
 * is a terminal that cannot move its cursor (type "dumb"). Release with term_close.
 */
struct term *term_open(const struct term_options *options, struct err *err);

/* Restores the terminal. NULL is allowed. */
void term_close(struct term *t);
void term_size(const struct term *t, int *w, int *h);
enum colour_depth term_depth(const struct term *t);

/* Is the locale's encoding UTF-8? If not, draw with canvas.ascii set. */
bool term_is_utf8(const struct term *t);

/* Sets the theme, which is copied. Must be called before the first term_show. */
void term_use_theme(struct term *t, const struct theme *theme);
void term_use_mouse(struct term *t, bool on);

/*
 * Shows a canvas. Returns false, with nothing written, if the terminal accepts no output now (stopped, or the
 * connection is blocked) or was hung up: call it again later.
 */
bool term_show(struct term *t, const struct canvas *c);

/* The next term_show draws the whole screen again (^L, output of other programs). */
void term_repaint(struct term *t);

/* Returns the file descriptor on which poll() reports input (POLLIN). */
int term_fd(const struct term *t);

/*
 * Returns the next event in *out; false if there is none now. Must also be called when a signal interrupts
 * poll(), because SIGWINCH reports a new size this way. So SIGWINCH must be blocked in all other threads.
 */
bool term_read(struct term *t, struct term_event *out);

/* Was the terminal hung up or closed? If so, nothing is drawn or read any more. */
bool term_lost(const struct term *t);

/*
 * Copies text to the clipboard of the terminal. Returns false if the text is too long, or the terminal has no
 * clipboard or accepts no output now.
 */
bool term_copy(struct term *t, const char *text, size_t len);

/* --- the line to the terminal ------------------------------------------------------------------------- */

/* The parts of term.c that use file descriptors and the locale but not curses, declared here for tests. */

struct str; /* sched/base/str.h */

/*
 * Would a write succeed now? Returns false if output is stopped, the buffer of the line is full, or the line
 * was hung up.
 */
bool line_takes_output(int fd);
/* Is the line hung up, closed or at end of file? May be called only if there is nothing to read. */
bool line_is_gone(int fd);
/* Writes all bytes, or the bytes before the first error. */
void line_write(int fd, const char *bytes, size_t len);

/*
 * Replaces *out with the bytes of the run of cells from x on that have the same role and overlay. Returns the
 * x after the run, at most `width`. A character whose width the C library measures differently, and without
 * utf8 every non-ASCII character, is written as '?', so that the rest of the line keeps its position.
 */
int line_next_run(const struct canvas *c, int x, int y, int width, bool utf8, struct str *out);

/* --- the terminal's clipboard (OSC 52) ---------------------------------------------------------------- */

#define CLIPBOARD_MAX 56000 /* bytes of text; terminals refuse longer sequences */

/* Does this terminal type accept the sequence? False for types that would print it. */
bool clipboard_is_known(const char *type);
/*
 * Appends the sequence that copies text[0..len) to the clipboard, with the text in base64 (RFC 4648); len is
 * at most CLIPBOARD_MAX.
 */
void clipboard_sequence(struct str *out, const char *text, size_t len);

#endif
