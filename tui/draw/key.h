/* SPDX-License-Identifier: MIT */
/*
 * key.h - names of keys
 *
 * Bindings, scripts and help use the same names. A key is written as a character, or as a name in angle
 * brackets:
 *
 *     j  J  ?  é        characters
 *     <Enter> <Esc> <Tab> <BS> <Space> <lt>
 *     <Up> <Down> <Left> <Right> <Home> <End> <PgUp> <PgDn> <Ins> <Del>  <F1> .. <F12>
 *     <C-d> <A-x> <S-Tab> <C-Left>   with Ctrl, Alt or Shift; several in this order
 *
 * The case of names is ignored. Keys that a terminal cannot distinguish are the same key: <C-i> is <Tab>,
 * <C-m> and <C-j> are <Enter>, <C-[> is <Esc>, <C-h> is <BS>, <S-a> is A. key_read accepts every name that
 * key_text returns.
 */
#ifndef DRAW_KEY_H
#define DRAW_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"

/* The prefix is KBD_ because curses uses KEY_. */
enum kbd {
	KBD_NONE, /* no key: an unknown sequence */
	KBD_CHAR, /* a character, in .ch */
	KBD_ENTER,
	KBD_ESC,
	KBD_TAB,
	KBD_BACKSPACE,
	KBD_UP,
	KBD_DOWN,
	KBD_LEFT,
	KBD_RIGHT,
	KBD_HOME,
	KBD_END,
	KBD_PAGE_UP,
	KBD_PAGE_DOWN,
	KBD_INSERT,
	KBD_DELETE,
	KBD_F1,
	KBD_F12 = KBD_F1 + 11,
	KBD_COUNT
};

enum kbd_mod {
	KBD_CTRL = 1,
	KBD_ALT = 2,
	KBD_SHIFT = 4
};

struct key {
	enum kbd code;
	unsigned mods; /* bits of enum kbd_mod; KBD_SHIFT never occurs with KBD_CHAR */
	uint32_t ch;   /* KBD_CHAR: code point, with Ctrl that of the lower-case letter; other keys: 0 */
};

/* Buffer size for the longest name with its NUL. */
#define KEY_TEXT 24

/*
 * Returns the key for a character. A control character gives the key that sends it; any other invisible
 * character gives KBD_NONE.
 */
struct key key_of_char(uint32_t code);

bool key_same(struct key a, struct key b);

/*
 * Reads one key name at *text and moves *text past it. A blank is not a key name; it is written <Space>. On
 * failure *text and *out are unchanged.
 */
bool key_read(const char **text, struct key *out, struct err *err);
/* Reads a text that consists of exactly one key name. */
bool key_parse(const char *text, struct key *out, struct err *err);

/* Writes the name of a key, as key_read accepts it, to buf and returns it. */
const char *key_text(char buf[static KEY_TEXT], struct key key);

#endif
