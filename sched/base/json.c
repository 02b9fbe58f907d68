/* SPDX-License-Identifier: MIT */
/*
 * json.c - JSON writer
 *
 * One rule places all commas: a value is preceded by a comma if its level already has a value. Grammar and
 * escapes: RFC 8259.
 */
#include "json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "str.h"

/* Appends one ASCII character, escaped if necessary; c must not be NUL. */
static void add_escaped(struct str *out, char c)
{
	static const char plain[] = "\"\\\b\f\n\r\t";
	static const char letter[] = "\"\\bfnrt";
	const char *found = strchr(plain, c);

	if (found) {
		str_add_char(out, '\\');
		str_add_char(out, letter[found - plain]);
	} else if ((unsigned char)c < ' ' || c == '\x7f') {
		str_addf(out, "\\u%04x", (unsigned char)c);
	} else {
		str_add_char(out, c);
	}
}

/* Appends a character of n bytes; escapes hidden ones, which would change how a terminal shows the text. */
static void add_character(struct str *out, const char *text, size_t n)
{
	uint32_t code = str_utf8_code(text, n);

	if (!str_is_hidden(code))
		str_add_bytes(out, text, n);
	else if (code < 0x10000)
		str_addf(out, "\\u%04" PRIx32, code);
	else /* a surrogate pair */
		str_addf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd800 + ((code - 0x10000) >> 10),
			 0xdc00 + ((code - 0x10000) & 0x3ff));
}

static void add_quoted(struct str *out, const char *text)
{
	size_t len = strlen(text);

	str_add_char(out, '"');
	for (size_t i = 0; i < len;) {
		size_t n = str_utf8_len(text + i, len - i);

		if (n == 0)
			str_add(out, "\xef\xbf\xbd"); /* U+FFFD */
		else if (n == 1)
			add_escaped(out, text[i]);
		else
			add_character(out, text + i, n);
		i += n ? n : 1;
	}
	str_add_char(out, '"');
}

/* Writes what precedes every value: the comma and the key. */
static void begin_value(struct json *j, const char *key)
{
	if (j->depth > 0) {
		bool *begun = &j->begun[j->depth - 1];

		assert((key != NULL) == (j->kind[j->depth - 1] == '{'));
		if (*begun)
			str_add_char(j->out, ',');
		*begun = true;
	}
	if (key) {
		add_quoted(j->out, key);
		str_add_char(j->out, ':');
	}
}

void json_open(struct json *j, const char *key, char kind)
{
	assert(kind == '{' || kind == '[');
	assert(j->depth < JSON_DEPTH_MAX);
	begin_value(j, key);
	str_add_char(j->out, kind);
	j->kind[j->depth] = kind;
	j->begun[j->depth] = false;
	j->depth++;
}

void json_close(struct json *j)
{
	assert(j->depth > 0);
	j->depth--;
	str_add_char(j->out, j->kind[j->depth] == '{' ? '}' : ']');
}

void json_text(struct json *j, const char *key, const char *value)
{
	begin_value(j, key);
	if (value)
		add_quoted(j->out, value);
	else
		str_add(j->out, "null");
}

void json_int(struct json *j, const char *key, int64_t value)
{
	begin_value(j, key);
	str_addf(j->out, "%" PRId64, value);
}

void json_real(struct json *j, const char *key, double value)
{
	begin_value(j, key);
	if (isfinite(value))
		str_add_real(j->out, value);
	else
		str_add(j->out, "null");
}

void json_bool(struct json *j, const char *key, bool value)
{
	begin_value(j, key);
	str_add(j->out, value ? "true" : "false");
}

void json_raw(struct json *j, const char *key, const char *value)
{
	size_t len = strlen(value);

	while (len > 0 && (value[len - 1] == '\n' || value[len - 1] == ' '))
		len--;
	begin_value(j, key);
	str_add_bytes(j->out, value, len);
}

void json_null(struct json *j, const char *key)
{
	begin_value(j, key);
	str_add(j->out, "null");
}

void json_int_or_null(struct json *j, const char *key, int64_t value, int64_t absent)
{
	if (value == absent)
		json_null(j, key);
	else
		json_int(j, key, value);
}
