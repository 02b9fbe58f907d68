/* SPDX-License-Identifier: MIT */
/*
 * maui_text.h - syntax common to Maui's resource and workload traces
 *
 * An optional first line "VERSION n", then lines of words; "[NONE]" for an empty value; lists such as
 * "[fast][tape]",
 * "[batch:4][fast:2]" or "n001:n002".
 *
 * Source: Maui Administrator's Guide 16.2, 16.3.
 */
#ifndef TRACE_MAUI_TEXT_H
#define TRACE_MAUI_TEXT_H

#include "line.h"
#include "sched/base/arena.h"

/* Does the text begin like a Maui trace? Such a beginning cannot be that of another format. */
bool maui_begins(const char *text, size_t len);

/* Is it a data line: not empty, not a comment with '#', not the version? */
bool maui_line_counts(struct span line);

/* "[NONE]", "NONE" and "-" are empty values. */
bool maui_is_none(struct span word);

/* Is it a valid name of a user, node or class: at most MAUI_NAME bytes, without control characters? */
#define MAUI_NAME 64
bool maui_is_name(struct span word);

/* The first name of a list, or of "asked:delivered"; empty if there is none. */
struct span maui_first(struct span word);

/* A NUL-terminated copy; NULL for an empty value. */
const char *maui_name(struct arena *arena, struct span word);

/*
 * The names of a list, separated by blanks; NULL for an empty value. counted: the text after a colon is a
 * count, not another name.
 */
const char *maui_names(struct arena *arena, struct span word, bool counted);

/* --- a line of fields, numbered as in the guide ---------------------------------- */

#define MAUI_FIELDS 44 /* maximum number of fields in a line */

struct maui_line {
	uint32_t number;                   /* of the line, from 1      */
	struct bad_lines *bad;             /* borrowed                 */
	struct span word[MAUI_FIELDS + 1]; /* empty if missing       */
	int64_t value[MAUI_FIELDS + 1];    /* of fields with a row in the table of numbers */
};

/* A numeric field: its maximum, and its value if it is missing or empty. */
struct maui_number {
	uint8_t field;
	const char *name;
	int64_t most, missing;
};

/* Splits the text into fields; a line with fewer than `needed` fields is recorded as bad: "a job needs ...".
 */
bool maui_line_cut(struct maui_line *line, struct span text, unsigned fields, unsigned needed,
		   const char *what);

/* Parses the numeric fields; they may be negative. False: one is invalid, and the line was recorded as bad.
 */
bool maui_line_numbers(struct maui_line *line, const struct maui_number *row, size_t rows);

/* Records the line as bad; always returns false. */
bool maui_line_refuse(struct maui_line *line, unsigned field, const char *name, const char *why);

/* --- writing ----------------------------------------------------------------------------- */

struct str;
/* Appends names separated by blanks, each in brackets and followed by tail; "[NONE]" for NULL. */
void maui_add_list(struct str *out, const char *names, const char *tail);

#endif
