/* SPDX-License-Identifier: MIT */
/*
 * hostlist.c - which nodes does a word name?
 *
 * A pattern is matched against each node there is, so nothing that is written makes it longer than the
 * machine is.
 */
#include "hostlist.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"

#define DIGITS_MOST 9

static size_t digits_at(const char *text)
{
	return strspn(text, "0123456789");
}

/* A number of so many digits; -1 when these are none, or too many. */
static long number(const char *text, size_t digits)
{
	char copy[DIGITS_MOST + 1];

	if (digits == 0 || digits > DIGITS_MOST)
		return -1;
	memcpy(copy, text, digits);
	copy[digits] = '\0';
	return strtol(copy, NULL, 10);
}

/* Is a number written with so many digits of this width: filled up with zeros, or without any in front? */
static bool has_width(const char *name, size_t digits, const char *first, size_t width)
{
	if (first[0] == '0' && width > 1)
		return digits == width;
	return digits == 1 || name[0] != '0';
}

/* "01-04" or "07" at *at, which moves behind it; does it hold the digits at name? */
static bool in_range(const char **at, const char *name, size_t digits)
{
	const char *first = *at;
	size_t width = digits_at(first);
	long low = number(first, width), high = low, is = number(name, digits);

	*at += width;
	if (**at == '-') {
		++*at;
		high = number(*at, digits_at(*at));
		*at += digits_at(*at);
	}
	return low >= 0 && is >= low && is <= high && has_width(name, digits, first, width);
}

/* One of the ranges between the brackets; *at is behind the opening one, and moves behind the other. */
static bool in_brackets(const char **at, const char *name, size_t digits)
{
	bool in = false;

	while (**at != ']' && **at != '\0') {
		const char *before = *at;

		in = in_range(at, name, digits) || in;
		if (**at == ',' || *at == before)
			++*at;
	}
	*at += **at == ']';
	return in && digits > 0;
}

/* Stars are tried from short to long; each pattern has few of them. */
bool hostlist_match(const char *pattern, const char *name)
{
	const char *star = NULL, *from = NULL;

	while (*name != '\0') {
		const char *next = pattern;
		size_t digits = digits_at(name);

		if (*pattern == '*') {
			star = ++pattern;
			from = name;
		} else if (*pattern == '[' && (next++, in_brackets(&next, name, digits))) {
			pattern = next;
			name += digits;
		} else if (*pattern == '?' || (*pattern != '[' && tolower((unsigned char)*pattern) ==
									  tolower((unsigned char)*name))) {
			pattern++;
			name++;
		} else if (star != NULL) {
			pattern = star;
			name = ++from;
		} else {
			return false;
		}
	}
	return pattern[strspn(pattern, "*")] == '\0';
}

/* Where the pattern at text ends: at a comma outside brackets. */
static size_t pattern_length(const char *text)
{
	size_t i = 0;

	for (bool inside = false; text[i] != '\0' && (inside || text[i] != ','); i++)
		inside = text[i] == '[' || (inside && text[i] != ']');
	return i;
}

static bool mark_pattern(const struct snapshot *s, const char *pattern, bool *marked, struct err *err)
{
	bool found = false;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		if (hostlist_match(pattern, snapshot_string(s, snapshot_nodes(s)[i].name)))
			found = marked[i] = true;
	return found || err_set(err, "there is no node '%s'; 'kahu node' lists them", pattern);
}

bool hostlist_mark(const struct snapshot *s, const char *word, bool *marked, struct err *err)
{
	bool good = true;

	while (good) {
		size_t len = pattern_length(word);
		struct str pattern = {0};

		str_add_bytes(&pattern, word, len);
		good = mark_pattern(s, str_text(&pattern), marked, err);
		str_free(&pattern);
		if (word[len] == '\0')
			break;
		word += len + 1;
	}
	return good;
}
