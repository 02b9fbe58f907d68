/* SPDX-License-Identifier: MIT */
/*
 * err.c - how does a function say what went wrong, in words for the administrator?
 *
 * Sentences quote what people and files wrote, and end on terminals: so whatever is
 * written here is made printable, and a cut never leaves half a character behind.
 */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "str.h"

/* Moves a terminal's cursor or turns its text around: controls, the second set of them (U+0080 to U+009F),
 * and signs for the direction of writing (U+202A to U+202E, U+2066 to U+2069). */
static bool is_control(const unsigned char *c, size_t len)
{
	if (len == 1)
		return c[0] < ' ' || c[0] == 0x7f;
	if (len == 2)
		return c[0] == 0xc2 && c[1] < 0xa0;
	return len == 3 && c[0] == 0xe2 &&
	       ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
		(c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

/* Controls and what is not UTF-8 become '?'; a character cut by the end goes. */
static void make_printable(struct err *err, bool was_cut)
{
	size_t len = strlen(err->text);

	for (size_t i = 0; i < len;) {
		size_t n = str_utf8_len(err->text + i, len - i);

		if (n == 0 && was_cut && len - i < 4) {
			err->text[i] = '\0';
			return;
		}
		n = n == 0 ? 1 : n;
		if (n == 1 && (unsigned char)err->text[i] >= 0x80)
			err->text[i] = '?';
		if (is_control((const unsigned char *)err->text + i, n))
			memset(err->text + i, '?', n);
		i += n;
	}
}

static void write_sentence(struct err *err, const char *format, va_list args)
{
	int len = vsnprintf(err->text, sizeof err->text, format, args);

	make_printable(err, len >= (int)sizeof err->text);
}

/* The names of both stand in parentheses because the build of make coverage has macros of these names. */
bool(err_set)(struct err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return false;
	va_start(args, format);
	write_sentence(err, format, args);
	va_end(args);
	return false;
}

bool(err_prefix)(struct err *err, const char *format, ...)
{
	struct err front = {""};
	struct err old;
	va_list args;

	if (!err)
		return false;
	va_start(args, format);
	write_sentence(&front, format, args);
	va_end(args);
	old = *err;
	return err_set(err, "%s: %s", front.text, old.text);
}
