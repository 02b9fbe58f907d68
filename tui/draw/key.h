/* SPDX-License-Identifier: MIT */
/*
 * key.h - names of keys
 *
 * One table of names for bindings, scripts and help. A key is written as the character
 * itself, or between angle brackets:
 *
 *     j  J  ?  é        characters
 *     <Enter> <Esc> <Tab> <BS> <Space> <lt>
 *     <Up> <Down> <Left> <Right> <Home> <End> <PgUp> <PgDn> <Ins> <Del>  <F1> .. <F12>
 *     <C-d> <A-x> <S-Tab> <C-Left>   with Ctrl, Alt, Shift, in this order
 *
 * Names are read in any case. Keys that a terminal cannot distinguish are one key: <C-i> is
 * <Tab>, <C-m> and <C-j> are <Enter>, <C-[> is <Esc>, <C-h> is <BS>, <S-a> is A.
 * key_read reads what key_text prints as the same key.
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
	KBD_CHAR, /* a character: see .ch            */
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
	unsigned mods; /* of enum kbd_mod; Shift never with KBD_CHAR           */
	uint32_t ch;   /* KBD_CHAR: its code point, lower case with Ctrl; else 0 */
};

/* Longest name with its NUL. */
#define KEY_TEXT 24

/* A character as a key; control characters become the keys that send them, invisible ones KBD_NONE. */
struct key key_of_char(uint32_t code);

bool key_same(struct key a, struct key b);

/*
 * Reads one key name at *text and moves *text behind it. A blank is refused: <Space>
 * must be written out. On failure *text and *out are untouched.
 */
bool key_read(const char **text, struct key *out, struct err *err);
/* Reads a text that is one key and nothing else. */
bool key_parse(const char *text, struct key *out, struct err *err);

/* The name, as key_read takes it. */
const char *key_text(char buf[static KEY_TEXT], struct key key);

#endif
