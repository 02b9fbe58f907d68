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

/* Control bytes and what is not UTF-8 become '?'; a character cut by the end goes. */
static void make_printable(struct err *err, bool was_cut)
{
	size_t len = strlen(err->text);

	for (size_t i = 0; i < len;) {
		size_t n = str_utf8_len(err->text + i, len - i);

		if (n == 0 && was_cut && len - i < 4) {
			err->text[i] = '\0';
			return;
		}
		if (n == 0 || (unsigned char)err->text[i] < ' ' || err->text[i] == '\x7f')
			err->text[i] = '?';
		i += n ? n : 1;
	}
}

static void write_sentence(struct err *err, const char *format, va_list args)
{
	int len = vsnprintf(err->text, sizeof err->text, format, args);

	make_printable(err, len >= (int)sizeof err->text);
}

bool err_set(struct err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return false;
	va_start(args, format);
	write_sentence(err, format, args);
	va_end(args);
	return false;
}

bool err_prefix(struct err *err, const char *format, ...)
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
