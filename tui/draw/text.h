/* SPDX-License-Identifier: MIT */
/*
 * text.h - width of text in cells, cutting, and safe output
 *
 * Names, commands and reasons come from users; they are shown, never obeyed. Every text
 * is read as UTF-8 by a decoder of our own, so that nothing here depends on the locale,
 * and is walked in *pieces*. A piece is either a grapheme (a base character with the
 * marks that combine with it) or the visible form of something a terminal must not get:
 *
 *     byte 0x1b             \x1b      C0 controls and DEL; \n \t \r by their letters
 *     byte 0xe9, alone      <e9>      not UTF-8: overlong, surrogate, cut off, above U+10FFFF
 *     U+009B, U+202E        <U+202E>  C1 controls, direction and invisible format characters
 *     U+0301 with no base   <U+0301>
 *
 * Widths follow Unicode's East Asian Width (W and F are two cells, ambiguous is one) and
 * general category (Mn, Me: no cell of their own). Variation selectors are left out, as
 * terminals disagree about the width they give.
 *
 * `ascii` asks for ASCII only: each cell of a non-ASCII grapheme becomes '?', so that
 * widths stay what they were.
 */
#ifndef DRAW_TEXT_H
#define DRAW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str; /* sched/base/str.h */

#define TEXT_INVALID     UINT32_MAX /* what text_decode makes of a byte that is not UTF-8 */
#define TEXT_PIECE_BYTES 12         /* longest piece; further combining marks are left out */
#define TEXT_CUT_MARK    '~'        /* last cell of a text that was cut                    */

enum text_align {
	TEXT_LEFT,
	TEXT_RIGHT
};

struct text_piece {
	char bytes[TEXT_PIECE_BYTES]; /* not NUL-terminated                                     */
	uint8_t len;                  /* bytes used                                             */
	uint8_t cells;                /* cells on the screen, 1 or more                         */
	bool single;                  /* one grapheme; else ASCII, each byte in a cell of its own */
};

/* Reads one code point of s[0..len), len > 0. Returns the bytes it took (1 when invalid). */
size_t text_decode(const char *s, size_t len, uint32_t *code);

/* Writes a code point as UTF-8; returns 1..4 bytes. Not a code point: U+FFFD. */
size_t text_encode(char out[static 4], uint32_t code);

/*
 * Cells of a code point: 1 or 2; 0 if it combines with the character before it; -1 if it has to be replaced
 * by a visible form.
 */
int text_code_width(uint32_t code);

/* The next piece of s[0..len), len > 0. Returns the bytes of s it stands for. */
size_t text_next(const char *s, size_t len, bool ascii, struct text_piece *out);

/* For editing: offset in s of the grapheme after the one at `at`. text_step_back: of the one before it. */
size_t text_step(const char *s, size_t len, size_t at);
size_t text_step_back(const char *s, size_t at);

/* Cells the text takes in its visible form. */
int text_width(const char *s);
int text_width_bytes(const char *s, size_t len);

/* Appends the visible form: for cells and for plain output alike. One line, no controls. */
void text_safe(struct str *out, const char *s, bool ascii);

/*
 * Appends the visible form in exactly `width` cells: padded with blanks on the side away
 * from `align`, or cut with TEXT_CUT_MARK as its last cell. A wide character that would
 * be cut in half is left out. width <= 0 appends nothing.
 */
void text_fit(struct str *out, const char *s, int width, enum text_align align, bool ascii);

#endif
