/* SPDX-License-Identifier: MIT */
/*
 * err.c - error messages
 *
 * Messages quote input and end up on terminals, so all of the text is made printable, and shortening never
 * splits a character.
 */
#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "str.h"

/* Replaces hidden characters (str_is_hidden) and invalid UTF-8 with '?'; removes a character that is cut off
 * at the end. */
static void make_printable(char *text, bool was_cut)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len;) {
		size_t n = str_utf8_len(text + i, len - i);

		if (n == 0 && was_cut && len - i < 4) {
			text[i] = '\0';
			return;
		}
		n = n == 0 ? 1 : n;
		if (n == 1 && (unsigned char)text[i] >= 0x80)
			text[i] = '?';
		if (str_is_hidden(str_utf8_code(text + i, n)))
			memset(text + i, '?', n);
		i += n;
	}
}

#define MARK "..."

static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Invalid bytes were replaced, so a character begins at most three bytes away. */
void err_shorten(char *out, size_t size, const char *sentence)
{
	size_t len = strlen(sentence), left = size - sizeof MARK, head = left / 2, tail = len - (left - head);

	if (len < size) {
		memcpy(out, sentence, len + 1);
		return;
	}
	for (int i = 0; i < 3 && head > 0 && is_inside(sentence[head]); i++)
		head--;
	for (int i = 0; i < 3 && is_inside(sentence[tail]); i++)
		tail++;
	snprintf(out, size, "%.*s%s%s", (int)head, sentence, MARK, sentence + tail);
}

/*
 * Maximum size of a message before it is shortened, enough for two paths of PATH_MAX bytes. The end of a
 * longer message is lost.
 */
#define LONGEST 8704

static void write_sentence(struct err *err, const char *format, va_list args)
{
	char sentence[LONGEST];
	int len = vsnprintf(sentence, sizeof sentence, format, args);

	if (len < 0)
		sentence[0] = '\0';
	make_printable(sentence, len >= (int)sizeof sentence);
	err_shorten(err->text, sizeof err->text, sentence);
}

/* The function names are in parentheses because `make coverage` defines macros of these names. */
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
