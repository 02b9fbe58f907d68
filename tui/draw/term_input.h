/* SPDX-License-Identifier: MIT */
/*
 * term_input.h - decoder of the bytes from a terminal
 *
 * Curses recognizes the function keys of the terminal; everything else is decoded here byte
 * by byte: characters of several bytes, Alt as ESC before a key, unknown control sequences
 * (dropped whole, so that their letters are never taken for keys), and pasted text. Pure: no
 * terminal, no clock; {0} is the initial state.
 */
#ifndef DRAW_TERM_INPUT_H
#define DRAW_TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/str.h"
#include "term.h"

#define PASTE_MAX (64 * 1024) /* bytes; the rest of a longer paste is dropped */

enum term_input_state {
	INPUT_PLAIN,
	INPUT_ESCAPE,   /* after ESC                                   */
	INPUT_SEQUENCE, /* after ESC [, until its final byte           */
	INPUT_SINGLE,   /* after ESC O: one byte                       */
	INPUT_STRING,   /* after ESC ] and such, until BEL or ESC \    */
};

struct term_input {
	enum term_input_state state;
	bool alt;        /* ESC precedes the character that is being assembled */
	char partial[4]; /* its bytes                                               */
	size_t partial_len;
	bool pasting;
	struct str paste;
};

void term_input_free(struct term_input *in);

/* All three: true when an event is complete. */
bool term_input_byte(struct term_input *in, unsigned char byte, struct term_event *out);
/* A key that curses has recognized. KBD_NONE drops what was begun. */
bool term_input_key(struct term_input *in, struct key key, struct term_event *out);
/* No more bytes for now: a pending ESC was the Esc key. */
bool term_input_idle(struct term_input *in, struct term_event *out);

/* A key by its name in terminfo, with modifiers: "kUP5" is <C-Up>. KBD_NONE for NULL and unknown names. */
struct key term_input_named(const char *name);

/* The brackets around a paste. The event's text is valid until the next paste begins. */
void term_input_paste_begin(struct term_input *in);
bool term_input_paste_end(struct term_input *in, struct term_event *out);

#endif
