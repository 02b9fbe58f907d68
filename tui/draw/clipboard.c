/* SPDX-License-Identifier: MIT */
/*
 * clipboard.c - how does text reach the clipboard of the terminal, also over ssh?
 */
#include "clipboard.h"

#include <string.h>

#include "sched/base/str.h"

bool clipboard_is_known(const char *type)
{
	return strncmp(type, "linux", 5) != 0 && strncmp(type, "vt", 2) != 0 && strcmp(type, "ansi") != 0;
}

/* Up to three bytes as four digits. */
static void add_base64(struct str *out, const unsigned char *in, size_t have)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0;

	for (size_t i = 0; i < have; i++)
		bits |= (unsigned)in[i] << (16 - 8 * i);
	for (size_t i = 0; i < 4; i++)
		str_add_bytes(out, i <= have ? &digits[bits >> (18 - 6 * i) & 63] : "=", 1);
}

void clipboard_sequence(struct str *out, const char *text, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)text;

	str_add(out, "\033]52;c;");
	for (size_t i = 0; i < len; i += 3)
		add_base64(out, bytes + i, len - i < 3 ? len - i : 3);
	str_add_char(out, '\a');
}
