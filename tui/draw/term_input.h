/* SPDX-License-Identifier: MIT */
/*
 * term_input.h - which keys and pastes do the bytes from a terminal make?
 *
 * Curses knows the function keys of the terminal; everything else comes here byte by
 * byte: characters of several bytes, Alt as ESC with a key, control sequences nobody
 * knows (dropped whole, so that their letters never act), and pasted text. Pure: no
 * terminal, no clock; {0} is the start.
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
	bool alt;        /* the character that is being put together came after ESC */
	char partial[4]; /* its bytes                                               */
	size_t partial_len;
	bool pasting;
	struct str paste;
};

void term_input_free(struct term_input *in);

/* All three: true when an event is complete. */
bool term_input_byte(struct term_input *in, unsigned char byte, struct term_event *out);
/* A key that curses has recognised. KBD_NONE ends what was begun. */
bool term_input_key(struct term_input *in, struct key key, struct term_event *out);
/* No more bytes for now: an ESC that still waits was the key. */
bool term_input_idle(struct term_input *in, struct term_event *out);

/* A key by terminfo's name for it with modifiers: "kUP5" is <C-Up>. NULL and unknown: KBD_NONE. */
struct key term_input_named(const char *name);

/* The brackets around a paste. The event's text is valid until the next paste begins. */
void term_input_paste_begin(struct term_input *in);
bool term_input_paste_end(struct term_input *in, struct term_event *out);

#endif
