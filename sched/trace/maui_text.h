/* SPDX-License-Identifier: MIT */
/*
 * maui_text.h - syntax common to Maui's resource and workload traces
 *
 * An optional first line "VERSION n" is followed by lines of words separated by blanks. "[NONE]" is an empty
 * value. Lists are written as "[fast][tape]", "[batch:4][fast:2]" or "n001:n002".
 *
 * Source: Maui Administrator's Guide 16.2, 16.3.
 */
#ifndef TRACE_MAUI_TEXT_H
#define TRACE_MAUI_TEXT_H

#include "line.h"
#include "sched/base/arena.h"

/* Is the first line that of a Maui trace? No other format that Kahu reads can begin like this. */
bool maui_begins(const char *text, size_t len);

/* Does the line contain data? It does not if it is empty, a comment ('#') or the version line. */
bool maui_line_counts(struct span line);

/* Is it an empty value: nothing, "[NONE]", "NONE" or "-"? */
bool maui_is_none(struct span word);

/* Is it a valid name of a user, node or class: at most MAUI_NAME bytes, without control characters? */
#define MAUI_NAME 64
bool maui_is_name(struct span word);

/* Returns the first name of a list, or of a pair "asked:delivered"; an empty span if there is none. */
struct span maui_first(struct span word);

/* Returns a NUL-terminated copy of the word; NULL for an empty value. */
const char *maui_name(struct arena *arena, struct span word);

/*
 * Returns the names of a list, separated by blanks; NULL for an empty value. With `counted`, the text after a
 * colon is a count and not another name.
 */
const char *maui_names(struct arena *arena, struct span word, bool counted);

/* --- a line of fields, numbered as in the guide ---------------------------------- */

#define MAUI_FIELDS 44 /* maximum number of fields in a line */

struct maui_line {
	uint32_t number;                   /* line number, from 1 */
	struct bad_lines *bad;             /* receives bad lines; borrowed */
	struct span word[MAUI_FIELDS + 1]; /* fields from index 1; empty if missing */
	int64_t value[MAUI_FIELDS + 1];    /* values of the fields that have a struct maui_number */
};

/* A numeric field: its number and name, its maximum, and the value it gets if it is missing or empty. */
struct maui_number {
	uint8_t field;
	const char *name;
	int64_t most, missing;
};

/*
 * Splits the text into at most `fields` fields. If there are fewer than `needed`, records the line as bad ("a
 * job needs ...", where `what` is "job") and returns false.
 */
bool maui_line_cut(struct maui_line *line, struct span text, unsigned fields, unsigned needed,
		   const char *what);

/*
 * Parses the numeric fields, which may be negative. If one is invalid, records the line as bad and returns
 * false.
 */
bool maui_line_numbers(struct maui_line *line, const struct maui_number *row, size_t rows);

/* Records the line as bad: "field NUMBER (NAME) WHY". Always returns false. */
bool maui_line_refuse(struct maui_line *line, unsigned field, const char *name, const char *why);

/* --- writing ----------------------------------------------------------------------------- */

struct str;
/*
 * Appends each name of a blank-separated list as "[NAME]", with `tail` before the bracket; "[NONE]" if names
 * is NULL.
 */
void maui_add_list(struct str *out, const char *names, const char *tail);

#endif
