/* SPDX-License-Identifier: MIT */
/*
 * fuzz_filter.c - typed filters
 *
 * The first line is the filter, the next three are the fields of a row. A filter keeps its
 * text, can be set again from it with the same result, and a single word matches
 * a row if and only if the word with ! before it does not.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "tui/report/filter.h"

#define FIELDS 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Terminates the line that begins at text; returns the next line, or the end. */
static char *cut_line(char *text)
{
	char *newline = strchr(text, '\n');

	if (!newline)
		return text + strlen(text);
	*newline = '\0';
	return newline + 1;
}

static void check_opposite(const char *word, const struct named_text *field, bool matches)
{
	char *opposite = mem_alloc(strlen(word) + 2);
	struct filter f = {0};

	opposite[0] = '!';
	memcpy(opposite + 1, word, strlen(word) + 1);
	filter_set(&f, opposite);
	require(filter_match(&f, field, FIELDS) == !matches);
	filter_clear(&f);
	free(opposite);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct named_text field[FIELDS] = {{.name = "job"}, {.name = "user"}, {.name = "state"}};
	char *text = mem_alloc(size + 1), *at;
	struct filter f = {0};
	bool matches;

	memcpy(text, data, size);
	text[size] = '\0';
	at = cut_line(text);
	for (size_t i = 0; i < FIELDS && *at; i++) {
		field[i].value = at;
		at = cut_line(at);
	}
	filter_set(&f, text);
	require(f.count == 0 ? filter_text(&f)[0] == '\0' : strcmp(filter_text(&f), text) == 0);
	matches = filter_match(&f, field, FIELDS);
	require(matches || f.count > 0);
	filter_set(&f, filter_text(&f));
	require(filter_match(&f, field, FIELDS) == matches);
	if (f.count == 1 && text[0] != '!' && text[0] != ' ')
		check_opposite(text, field, matches);
	filter_clear(&f);
	require(filter_match(&f, field, FIELDS));
	free(text);
	return 0;
}
