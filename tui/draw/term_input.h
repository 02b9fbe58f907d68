/* SPDX-License-Identifier: MIT */
/*
 * term_input.h - decoder of the bytes from a terminal
 *
 * Curses recognizes the function keys of the terminal. All other input is decoded here byte by byte:
 * characters of several bytes, Alt (sent as ESC before a key), unknown control sequences (skipped completely,
 * so that their letters are not taken for keys), and pasted text. The decoder uses no terminal and no clock.
 * A zeroed struct is its initial state.
 */
#ifndef DRAW_TERM_INPUT_H
#define DRAW_TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/str.h"
#include "term.h"

#define PASTE_MAX (64 * 1024) /* maximum bytes of a paste; the rest is discarded */

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
	char partial[4]; /* bytes of this character */
	size_t partial_len;
	bool pasting;
	struct str paste;
};

void term_input_free(struct term_input *in);

/* Decodes one byte. This function and the next two return true if an event is complete. */
bool term_input_byte(struct term_input *in, unsigned char byte, struct term_event *out);
/* Processes a key that curses has recognized. KBD_NONE discards an incomplete character or sequence. */
bool term_input_key(struct term_input *in, struct key key, struct term_event *out);
/* Called when there are no more bytes now: a pending ESC is the Esc key. */
bool term_input_idle(struct term_input *in, struct term_event *out);

/*
 * Returns the key with a name in terminfo, which includes modifiers: "kUP5" is <C-Up>. KBD_NONE for NULL and
 * unknown names.
 */
struct key term_input_named(const char *name);

/*
 * Begin and end a paste. term_input_paste_end returns true with the event, whose text is valid until the next
 * paste begins.
 */
void term_input_paste_begin(struct term_input *in);
bool term_input_paste_end(struct term_input *in, struct term_event *out);

#endif
