/* SPDX-License-Identifier: MIT */
/*
 * text.h - width of text in cells, cutting, and safe output
 *
 * Names, commands and reasons come from users: the terminal must show them and never execute sequences in
 * them. A text is decoded as UTF-8 here, independent of the locale, and divided into pieces. A piece is
 * either a grapheme (a base character with its combining marks) or the visible form of something that must
 * not be sent to a terminal:
 *
 *     byte 0x1b             \x1b      C0 controls and DEL; \n \t \r by their letters
 *     byte 0xe9, alone      <e9>      not UTF-8: overlong, surrogate, cut off, above U+10FFFF
 *     U+009B, U+202E        <U+202E>  C1 controls, direction and invisible format characters
 *     U+0301 with no base   <U+0301>
 *
 * Widths follow Unicode's East Asian Width (W and F are two cells, ambiguous is one) and
 * general category (Mn, Me: no cell of their own). Variation selectors are left out, because
 * terminals disagree about the resulting width.
 *
 * With `ascii`, the output is ASCII only: each cell of a non-ASCII grapheme becomes '?', so that widths do
 * not change.
 */
#ifndef DRAW_TEXT_H
#define DRAW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str; /* sched/base/str.h */

#define TEXT_INVALID     UINT32_MAX /* result of text_decode for a byte that is not UTF-8 */
#define TEXT_PIECE_BYTES 12         /* maximum bytes of a piece; further combining marks are left out */
#define TEXT_CUT_MARK    '~'        /* last cell of a text that was cut                    */

enum text_align {
	TEXT_LEFT,
	TEXT_RIGHT
};

struct text_piece {
	char bytes[TEXT_PIECE_BYTES]; /* not NUL-terminated                                     */
	uint8_t len;                  /* bytes used                                             */
	uint8_t cells;                /* cells on the screen, 1 or more                         */
	bool single;                  /* true: one grapheme; false: ASCII characters, one per cell */
};

/*
 * Decodes the first code point of s[0..len), len > 0. Returns the number of its bytes; 1, with TEXT_INVALID,
 * if it is invalid.
 */
size_t text_decode(const char *s, size_t len, uint32_t *code);

/* Writes a code point as UTF-8, U+FFFD for an invalid one; returns the number of bytes, 1 to 4. */
size_t text_encode(char out[static 4], uint32_t code);

/*
 * Returns the number of cells of a code point: 1 or 2; 0 if it combines with the character before it; -1 if
 * it must be replaced by a visible form.
 */
int text_code_width(uint32_t code);

/*
 * Sets *out to the first piece of s[0..len), len > 0. Returns the number of bytes of s that the piece
 * represents.
 */
size_t text_next(const char *s, size_t len, bool ascii, struct text_piece *out);

/* Returns the offset in s of the piece after the one at `at`. For editing. */
size_t text_step(const char *s, size_t len, size_t at);
/* Returns the offset in s of the piece before the one at `at`. */
size_t text_step_back(const char *s, size_t at);

/* Return the number of cells of a text in its visible form. */
int text_width(const char *s);
int text_width_bytes(const char *s, size_t len);

/* Appends the visible form of a text: one line without control characters. */
void text_safe(struct str *out, const char *s, bool ascii);

/*
 * Appends the visible form of a text in exactly `width` cells: aligned and padded with blanks, or cut with
 * TEXT_CUT_MARK in the last cell. A wide character of which only half would fit is left out. width <= 0
 * appends nothing.
 */
void text_fit(struct str *out, const char *s, int width, enum text_align align, bool ascii);

#endif
