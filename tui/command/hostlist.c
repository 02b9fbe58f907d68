/* SPDX-License-Identifier: MIT */
/*
 * hostlist.c - lists of hosts with ranges and wildcards
 *
 * The name of each node is matched against the pattern; ranges are not expanded, so that large ones cost
 * nothing.
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

/* Returns the number that these digits form; -1 if there are none or too many. */
static long number(const char *text, size_t digits)
{
	char copy[DIGITS_MOST + 1];

	if (digits == 0 || digits > DIGITS_MOST)
		return -1;
	memcpy(copy, text, digits);
	copy[digits] = '\0';
	return strtol(copy, NULL, 10);
}

/*
 * Tests the digits of a name against the first number of a range: if it has leading zeros, the digits must
 * have the same width; else they must have no leading zero.
 */
static bool has_width(const char *name, size_t digits, const char *first, size_t width)
{
	if (first[0] == '0' && width > 1)
		return digits == width;
	return digits == 1 || name[0] != '0';
}

/*
 * Reads "01-04" or "07" at *at and moves *at past it. Returns true if the digits at `name` are in this range.
 */
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

/* Returns true if one of the ranges in brackets matches. *at points after '[' and is moved past ']'. */
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

/* Tries the shortest text for '*' first. Patterns have few '*', so trying longer ones costs little. */
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

/* Returns the length of the first pattern of a list: up to a comma outside brackets. */
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
