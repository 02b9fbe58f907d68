/* SPDX-License-Identifier: MIT */
/*
 * str.c - growing strings, and parsing of words and numbers
 *
 * Nothing here depends on the locale: a kahu.conf or a JSON report means the same in every country. Letters
 * are compared as ASCII; numbers are read and written in the C locale, which uselocale sets for the calling
 * thread only.
 */
#include "str.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vec.h"

/* Ensures capacity for n more bytes and the NUL. */
static void make_room(struct str *s, size_t n)
{
	s->data = vec_room(s->data, &s->cap, s->len + n + 1, 1);
}

void str_reserve(struct str *s, size_t len)
{
	make_room(s, len);
}

void str_add_bytes(struct str *s, const void *bytes, size_t len)
{
	make_room(s, len);
	if (len)
		memcpy(s->data + s->len, bytes, len);
	s->len += len;
	s->data[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_add_bytes(s, text, strlen(text));
}

void str_add_char(struct str *s, char c)
{
	str_add_bytes(s, &c, 1);
}

void str_addv(struct str *s, const char *format, va_list args)
{
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (len <= 0)
		return;
	make_room(s, (size_t)len);
	vsnprintf(s->data + s->len, (size_t)len + 1, format, args);
	s->len += (size_t)len;
}

static bool is_one_of(unsigned char c, const char *signs)
{
	return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c != '\0' && strchr(signs, c) != NULL);
}

bool str_has_only(const char *text, const char *signs)
{
	while (is_one_of((unsigned char)*text, signs))
		text++;
	return *text == '\0';
}

/*
 * Signs that need no quotes. Brackets are included: a shell leaves a word such as user[john].priority
 * unchanged, because no file has a matching name.
 */
#define LITERAL_SIGNS "_-.,+@%/:=[]^"

void str_add_word(struct str *s, const char *word)
{
	if (word[0] != '\0' && str_has_only(word, LITERAL_SIGNS)) {
		str_add(s, word);
		return;
	}
	str_add_char(s, '\'');
	for (; *word != '\0'; word++)
		if (*word == '\'')
			str_add(s, "'\\''");
		else
			str_add_char(s, *word);
	str_add_char(s, '\'');
}

void str_addf(struct str *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	str_addv(s, format, args);
	va_end(args);
}

const char *str_text(const struct str *s)
{
	return s->data ? s->data : "";
}

void str_clear(struct str *s)
{
	s->len = 0;
	if (s->data)
		s->data[0] = '\0';
}

void str_free(struct str *s)
{
	free(s->data);
	*s = (struct str){0};
}

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

int str_compare_word(const char *a, const char *b)
{
	while (*a && lower(*a) == lower(*b)) {
		a++;
		b++;
	}
	return lower(*a) - lower(*b);
}

bool str_same_word(const char *a, const char *b)
{
	return a == b || str_compare_word(a, b) == 0;
}

#define NAME_MAX_LEN 63 /* longer words are not compared; no option or verb is that long */

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Levenshtein distance by the algorithm of Wagner and Fischer (1974), with one row of the table at a time.
 * Both words have at most NAME_MAX_LEN letters. Returns `enough` as soon as the distance is known to be at
 * least that large.
 */
static size_t edit_distance(const char *a, const char *b, size_t enough)
{
	size_t row[NAME_MAX_LEN + 1];
	size_t width = strlen(b);

	for (size_t j = 0; j <= width; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];
		size_t least = i + 1;

		row[0] = i + 1;
		for (size_t j = 0; j < width; j++) {
			size_t changed = diagonal + (lower(a[i]) != lower(b[j]));

			diagonal = row[j + 1];
			row[j + 1] = smaller(changed, smaller(row[j], diagonal) + 1);
			least = smaller(least, row[j + 1]);
		}
		if (least >= enough)
			return enough;
	}
	return row[width];
}

const char *str_nearest(const char *word, const char *const *names, size_t count)
{
	const char *best = NULL;
	size_t len = strlen(word);
	size_t best_distance = smaller(len / 2, 2) + 1;

	if (len > NAME_MAX_LEN)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t width = strlen(names[i]), distance;

		if (width > NAME_MAX_LEN || width >= len + best_distance || len >= width + best_distance)
			continue;
		distance = edit_distance(word, names[i], best_distance);
		if (distance < best_distance) {
			best = names[i];
			best_distance = distance;
		}
	}
	return best;
}

/* Skips decimal digits and returns their count. */
static size_t skip_digits(const char **at)
{
	size_t n = strspn(*at, "0123456789");

	*at += n;
	return n;
}

bool str_read_whole(const char *text, int64_t *out)
{
	const char *at = text + (*text == '-');
	long long value;

	if (skip_digits(&at) == 0 || *at)
		return false;
	errno = 0;
	value = strtoll(text, NULL, 10);
	if (errno)
		return false;
	*out = value;
	return true;
}

/* Does the text have the form [-] digits [. digits] [e [+-] digits], with at least one digit before the e? */
static bool is_real(const char *text)
{
	const char *at = text + (*text == '-');
	size_t digits = skip_digits(&at);

	if (*at == '.') {
		at++;
		digits += skip_digits(&at);
	}
	if (digits == 0)
		return false;
	if (*at == 'e' || *at == 'E') {
		at++;
		at += *at == '-' || *at == '+';
		if (skip_digits(&at) == 0)
			return false;
	}
	return *at == '\0';
}

/*
 * Switches this thread to the C locale. Returns the previous locale; pass *c and this locale to
 * leave_c_locale.
 */
static locale_t enter_c_locale(locale_t *c)
{
	*c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return *c ? uselocale(*c) : (locale_t)0;
}

static void leave_c_locale(locale_t c, locale_t before)
{
	if (!c)
		return;
	uselocale(before);
	freelocale(c);
}

bool str_read_real(const char *text, double *out)
{
	locale_t c;
	locale_t before;
	double value;

	if (!is_real(text))
		return false;
	before = enter_c_locale(&c);
	value = strtod(text, NULL);
	leave_c_locale(c, before);
	if (!isfinite(value))
		return false;
	*out = value;
	return true;
}

void str_add_real(struct str *s, double value)
{
	char text[32];
	locale_t c;
	locale_t before = enter_c_locale(&c);

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	leave_c_locale(c, before);
	str_add(s, text);
}

/* Valid second bytes after a lead byte (Unicode 15.0, table 3-7); all later bytes are 80..BF. */
static bool is_second_byte(unsigned char lead, unsigned char second)
{
	unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;

	return second >= low && second <= high;
}

size_t str_utf8_len(const char *text, size_t len)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t need;

	if (len == 0)
		return 0;
	if (byte[0] < 0x80)
		return 1;
	if (byte[0] < 0xc2 || byte[0] > 0xf4)
		return 0;
	need = byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
	if (len < need || !is_second_byte(byte[0], byte[1]))
		return 0;
	for (size_t i = 2; i < need; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	return need;
}

uint32_t str_utf8_code(const char *text, size_t len)
{
	uint32_t code = len == 1 ? (unsigned char)text[0] : (unsigned char)text[0] & (0x7fU >> len);

	for (size_t i = 1; i < len; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3fU);
	return code;
}

/* Controls, invisible and directional format characters, surrogates, non-characters (Unicode 14). */
static const uint32_t hidden[][2] = {
	{0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},   {0x061C, 0x061C},   {0x115F, 0x1160},
	{0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},   {0x2800, 0x2800},
	{0x3164, 0x3164}, {0xD800, 0xDFFF}, {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
	{0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x13430, 0x1345F}, {0xE0000, 0xE00FF}, {0xE01F0, UINT32_MAX},
};

bool str_is_hidden(uint32_t code)
{
	size_t low = 0, high = sizeof hidden / sizeof hidden[0];

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (code > hidden[middle][1])
			low = middle + 1;
		else
			high = middle;
	}
	return low < sizeof hidden / sizeof hidden[0] && code >= hidden[low][0];
}
