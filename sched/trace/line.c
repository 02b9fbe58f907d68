/* SPDX-License-Identifier: MIT */
/*
 * line.c - splitting of trace files into lines, words and numbers
 *
 * Only ASCII blanks and digits are recognized, in every locale.
 */
#include "line.h"

#include <stdio.h>
#include <string.h>

#define DIGITS_MAX 19 /* 19 digits always fit into 64 bits */

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool span_is(struct span s, const char *word)
{
	size_t len = strlen(word);

	return span_len(s) == len && memcmp(s.at, word, len) == 0;
}

void line_skip_mark(struct span *text)
{
	static const char mark[] = "\xef\xbb\xbf"; /* U+FEFF */

	if (span_len(*text) >= 3 && memcmp(text->at, mark, 3) == 0)
		text->at += 3;
}

bool line_next(struct span *text, struct span *line)
{
	const char *newline;

	if (text->at >= text->end)
		return false;
	newline = memchr(text->at, '\n', span_len(*text));
	*line = (struct span){text->at, newline ? newline : text->end};
	text->at = newline ? newline + 1 : text->end;
	return true;
}

void line_skip_blanks(struct span *line)
{
	while (line->at < line->end && is_blank(*line->at))
		line->at++;
}

size_t line_words(struct span line, struct span *word, size_t room)
{
	size_t count = 0;

	for (line_skip_blanks(&line); line.at < line.end; line_skip_blanks(&line)) {
		const char *first = line.at;

		while (line.at < line.end && !is_blank(*line.at))
			line.at++;
		if (count < room)
			word[count] = (struct span){first, line.at};
		count++;
	}
	return count;
}

bool line_digits(struct span *line, int64_t *out)
{
	const char *first = line->at;
	const char *at = first;
	uint64_t value = 0;

	for (; at < line->end && is_digit(*at); at++)
		value = value * 10 + (uint64_t)(*at - '0');
	line->at = at;
	*out = (int64_t)value;
	while (at - first > DIGITS_MAX && *first == '0')
		first++;
	return at - first <= DIGITS_MAX && value <= INT64_MAX;
}

enum scan line_number(struct span *line, int64_t *out)
{
	bool negative = line->at < line->end && *line->at == '-';
	const char *first = line->at += negative;
	bool fits = line_digits(line, out);
	bool has_digits = line->at > first;

	if (line->at < line->end && *line->at == '.') {
		const char *fraction = ++line->at;

		while (line->at < line->end && is_digit(*line->at))
			line->at++;
		has_digits = has_digits || line->at > fraction;
	}
	if (!has_digits || (line->at < line->end && !is_blank(*line->at)))
		return SCAN_TEXT;
	if (!fits)
		return SCAN_TOO_LARGE;
	if (negative)
		*out = -*out;
	return SCAN_OK;
}

/* Copies a word up to its first blank; characters that are not printable ASCII become '?'. */
static void quote(struct span word, char *text, size_t room)
{
	size_t len = 0;

	for (; word.at < word.end && !is_blank(*word.at) && len < room - 1; word.at++) {
		bool is_plain = *word.at >= ' ' && *word.at <= '~';

		text[len] = '?';
		if (is_plain)
			text[len] = *word.at;
		len++;
	}
	text[len] = '\0';
}

void bad_lines_note(struct bad_lines *bad, uint32_t line, const char *why, struct span word)
{
	struct bad_line *noted;
	char text[33];

	bad->count++;
	if (bad->shown_count == BAD_LINES_SHOWN)
		return;
	noted = &bad->shown[bad->shown_count++];
	noted->line = line;
	quote(word, text, sizeof text);
	if (text[0] != '\0')
		snprintf(noted->why, sizeof noted->why, "%s: '%s'", why, text);
	else
		snprintf(noted->why, sizeof noted->why, "%s", why);
}
