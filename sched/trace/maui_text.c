/* SPDX-License-Identifier: MIT */
/*
 * maui_text.c - syntax common to Maui's resource and workload traces
 *
 * In take_piece, strchr also finds the NUL at the end of the separators, so that a NUL separates names, too.
 */
#include "maui_text.h"

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"

#define MOST_OF_SWF 18 /* number of fields of a job in the Standard Workload Format */
#define STATE       7  /* number of the field with the state of a job in a Maui trace */

static bool is_version(struct span line)
{
	struct span word[2];
	int64_t number;

	return line_words(line, word, 2) == 2 && span_is(word[0], "VERSION") &&
	       line_number(&word[1], &number) == SCAN_OK;
}

/*
 * Does the line describe a node, or a job? A job has more fields than in the Standard Workload Format, and
 * its state is not a number.
 */
static bool is_record(struct span line)
{
	struct span word[MOST_OF_SWF + 1];
	int64_t number;
	size_t words = line_words(line, word, MOST_OF_SWF + 1);

	return (words > 0 && span_is(word[0], "COMPUTENODE")) ||
	       (words > MOST_OF_SWF && line_number(&word[STATE - 1], &number) == SCAN_TEXT);
}

bool maui_begins(const char *text, size_t len)
{
	struct span all = {text, text + len}, line;

	line_skip_mark(&all);
	while (line_next(&all, &line)) {
		line_skip_blanks(&line);
		if (line.at < line.end && *line.at != '#')
			return is_version(line) || is_record(line);
	}
	return false;
}

bool maui_line_counts(struct span line)
{
	line_skip_blanks(&line);
	return line.at < line.end && *line.at != '#' && !is_version(line);
}

bool maui_is_none(struct span word)
{
	return span_len(word) == 0 || span_is(word, "[NONE]") || span_is(word, "NONE") || span_is(word, "-");
}

bool maui_is_name(struct span word)
{
	if (span_len(word) > MAUI_NAME)
		return false;
	for (; word.at < word.end; word.at++)
		if ((unsigned char)*word.at <= ' ' || *word.at == 0x7f)
			return false;
	return true;
}

static char *copy(struct arena *arena, struct span word)
{
	char *text = arena_take(arena, span_len(word) + 1);

	memcpy(text, word.at, span_len(word));
	text[span_len(word)] = '\0';
	return text;
}

const char *maui_name(struct arena *arena, struct span word)
{
	return maui_is_none(word) ? NULL : copy(arena, word);
}

/*
 * Removes the next name from a list and returns it, possibly empty. With `counted`, also removes the count
 * after a colon.
 */
static struct span take_piece(struct span *list, bool counted)
{
	struct span piece = {list->at, list->at};

	while (piece.end < list->end && !strchr("[],:", *piece.end))
		piece.end++;
	list->at = piece.end;
	while (counted && list->at < list->end && *list->at != ']' && *list->at != '[')
		list->at++;
	while (list->at < list->end && strchr("[],:", *list->at))
		list->at++;
	return piece;
}

struct span maui_first(struct span word)
{
	while (!maui_is_none(word)) {
		struct span piece = take_piece(&word, false);

		if (!maui_is_none(piece))
			return piece;
	}
	return (struct span){0};
}

const char *maui_names(struct arena *arena, struct span word, bool counted)
{
	char *text, *at;

	if (maui_is_none(word))
		return NULL;
	text = at = copy(arena, word); /* the copy is at least as long as all names together */
	while (word.at < word.end) {
		struct span piece = take_piece(&word, counted);

		if (maui_is_none(piece))
			continue;
		if (at > text)
			*at++ = ' ';
		memcpy(at, piece.at, span_len(piece));
		at += span_len(piece);
	}
	*at = '\0';
	return at > text ? text : NULL;
}

/* --- a line of fields --------------------------------------------------------------- */

bool maui_line_cut(struct maui_line *line, struct span text, unsigned fields, unsigned needed,
		   const char *what)
{
	char why[80];
	size_t count;

	memset(line->word, 0, sizeof line->word);
	count = line_words(text, line->word + 1, fields);
	if (count >= needed)
		return true;
	snprintf(why, sizeof why, "it has %zu field%s, but a %s needs at least %u", count,
		 count == 1 ? "" : "s", what, needed);
	bad_lines_note(line->bad, line->number, why, (struct span){0});
	return false;
}

bool maui_line_refuse(struct maui_line *line, unsigned field, const char *name, const char *why)
{
	char text[80];

	snprintf(text, sizeof text, "field %u (%s) %s", field, name, why);
	bad_lines_note(line->bad, line->number, text, line->word[field]);
	return false;
}

static bool read_number(struct maui_line *line, const struct maui_number *row)
{
	struct span word = line->word[row->field];
	int64_t *out = &line->value[row->field];

	*out = row->missing;
	if (maui_is_none(word))
		return true;
	switch (line_number(&word, out)) {
	case SCAN_OK:
		break;
	case SCAN_TEXT:
		return maui_line_refuse(line, row->field, row->name, "is not a number");
	case SCAN_TOO_LARGE:
		return maui_line_refuse(line, row->field, row->name, "is too large");
	}
	return *out <= row->most || maui_line_refuse(line, row->field, row->name, "is too large");
}

bool maui_line_numbers(struct maui_line *line, const struct maui_number *row, size_t rows)
{
	for (size_t i = 0; i < rows; i++)
		if (!read_number(line, &row[i]))
			return false;
	return true;
}

/* --- writing ------------------------------------------------------------------------ */

void maui_add_list(struct str *out, const char *names, const char *tail)
{
	if (names == NULL)
		str_add(out, "[NONE]");
	while (names != NULL && *names != '\0') {
		size_t len = strcspn(names, " ");

		str_add_char(out, '[');
		str_add_bytes(out, names, len);
		str_add(out, tail);
		str_add_char(out, ']');
		names += len + (names[len] == ' ');
	}
}
