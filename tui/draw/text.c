/* SPDX-License-Identifier: MIT */
/*
 * text.c - how many cells does a text take on the screen, and what of it is safe to show?
 *
 * Everything goes through text_next: width, cutting, plain output and the canvas see the
 * same pieces, so what was measured is what is drawn. Bytes below 0x80 take a short way,
 * as nearly all text is made of them.
 */
#include "text.h"

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"

/* How long a sequence is by its first byte; 0 = cannot be first. 0xC0, 0xC1 would be overlong. */
static size_t sequence_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xC2)
		return 0;
	if (first < 0xE0)
		return 2;
	if (first < 0xF0)
		return 3;
	return first < 0xF5 ? 4 : 0;
}

size_t text_decode(const char *s, size_t len, uint32_t *code)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char first = (unsigned char)s[0];
	size_t n = sequence_length(first);
	uint32_t value = n <= 1 ? first : first & (0x7Fu >> n);

	*code = TEXT_INVALID;
	if (n == 0 || n > len)
		return 1;
	for (size_t i = 1; i < n; i++) {
		unsigned char next = (unsigned char)s[i];

		if ((next & 0xC0) != 0x80)
			return 1;
		value = value << 6 | (next & 0x3Fu);
	}
	if (value < smallest[n] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
		return 1;
	*code = value;
	return n;
}

size_t text_encode(char out[static 4], uint32_t code)
{
	if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
		code = 0xFFFD;
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xC0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3F));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xE0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3F));
		out[2] = (char)(0x80 | (code & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3F));
	out[2] = (char)(0x80 | (code >> 6 & 0x3F));
	out[3] = (char)(0x80 | (code & 0x3F));
	return 4;
}

/* The form a terminal may get of what it must not get. */
static void make_visible(struct text_piece *out, unsigned char byte, uint32_t code)
{
	char form[16];
	int len;

	if (code == TEXT_INVALID)
		len = snprintf(form, sizeof form, "<%02x>", byte);
	else if (code == '\n' || code == '\t' || code == '\r')
		len = snprintf(form, sizeof form, "\\%c", code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
	else if (code < 0x80)
		len = snprintf(form, sizeof form, "\\x%02x", (unsigned)code);
	else
		len = snprintf(form, sizeof form, "<U+%04X>", (unsigned)code);
	memcpy(out->bytes, form, (size_t)len);
	out->len = out->cells = (uint8_t)len;
	out->single = false;
}

static bool is_variation_selector(uint32_t code)
{
	return (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF);
}

/* Takes the marks that combine with the piece. Returns the bytes they stand for. */
static size_t add_marks(struct text_piece *out, const char *s, size_t len)
{
	size_t used = 0;

	while (used < len && (unsigned char)s[used] >= 0x80) {
		uint32_t code;
		size_t n = text_decode(s + used, len - used, &code);

		if (code == TEXT_INVALID || text_code_width(code) != 0)
			break;
		if (!is_variation_selector(code) && out->len + n <= TEXT_PIECE_BYTES) {
			memcpy(out->bytes + out->len, s + used, n);
			out->len = (uint8_t)(out->len + n);
		}
		used += n;
	}
	return used;
}

/* The short way: a printable ASCII character that nothing combines with. */
static bool is_plain(const char *s, size_t len)
{
	unsigned char first = (unsigned char)s[0];

	return first >= 0x20 && first < 0x7F && (len == 1 || (unsigned char)s[1] < 0x80);
}

size_t text_next(const char *s, size_t len, bool ascii, struct text_piece *out)
{
	uint32_t code;
	size_t used;
	int width;

	if (is_plain(s, len)) {
		out->bytes[0] = s[0];
		out->len = out->cells = 1;
		out->single = true;
		return 1;
	}
	used = text_decode(s, len, &code);
	width = code == TEXT_INVALID ? -1 : text_code_width(code);
	if (width <= 0) {
		make_visible(out, (unsigned char)s[0], code);
		return used;
	}
	memcpy(out->bytes, s, used);
	out->len = (uint8_t)used;
	out->cells = (uint8_t)width;
	out->single = true;
	used += add_marks(out, s + used, len - used);
	if (ascii && (out->len > 1 || code >= 0x80)) {
		out->len = out->cells;
		out->single = false;
		memset(out->bytes, '?', out->len);
	}
	return used;
}

size_t text_step(const char *s, size_t len, size_t at)
{
	struct text_piece piece;

	return at >= len ? len : at + text_next(s + at, len - at, false, &piece);
}

size_t text_step_back(const char *s, size_t at)
{
	size_t before = 0;

	for (size_t next = 0; next < at; next = text_step(s, at, next))
		before = next;
	return before;
}

int text_width_bytes(const char *s, size_t len)
{
	struct text_piece piece;
	int width = 0;

	for (size_t i = 0; i < len;) {
		i += text_next(s + i, len - i, false, &piece);
		width += piece.cells;
	}
	return width;
}

int text_width(const char *s)
{
	return text_width_bytes(s, strlen(s));
}

void text_safe(struct str *out, const char *s, bool ascii)
{
	struct text_piece piece;
	size_t len = strlen(s);

	for (size_t i = 0; i < len;) {
		i += text_next(s + i, len - i, ascii, &piece);
		str_add_bytes(out, piece.bytes, piece.len);
	}
}

static void add_blanks(struct str *out, int count)
{
	while (count-- > 0)
		str_add_char(out, ' ');
}

/* Appends what fits whole into `width` cells; a visible form may be cut anywhere. */
static void add_cut(struct str *out, const char *s, int width, bool ascii)
{
	struct text_piece piece;
	size_t len = strlen(s);
	int left = width;

	for (size_t i = 0; i < len && left > 0;) {
		i += text_next(s + i, len - i, ascii, &piece);
		if (piece.cells <= left)
			str_add_bytes(out, piece.bytes, piece.len);
		else if (!piece.single)
			str_add_bytes(out, piece.bytes, (size_t)left);
		else
			break;
		left -= piece.cells;
	}
	add_blanks(out, left);
}

void text_fit(struct str *out, const char *s, int width, enum text_align align, bool ascii)
{
	int have = text_width(s);

	if (width <= 0)
		return;
	if (have > width) {
		add_cut(out, s, width - 1, ascii);
		str_add_char(out, TEXT_CUT_MARK);
		return;
	}
	if (align == TEXT_RIGHT)
		add_blanks(out, width - have);
	text_safe(out, s, ascii);
	if (align == TEXT_LEFT)
		add_blanks(out, width - have);
}
