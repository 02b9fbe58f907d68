/* SPDX-License-Identifier: MIT */
/*
 * maui_text.h - what do Maui's two kinds of trace have in common?
 *
 * A first line "VERSION n", which some leave out, then lines of words; "[NONE]" where there is nothing; lists
 * as
 * "[fast][tape]", "[batch:4][fast:2]" or "n001:n002".
 *
 * Source: Maui Administrator's Guide 16.2, 16.3.
 */
#ifndef TRACE_MAUI_TEXT_H
#define TRACE_MAUI_TEXT_H

#include "line.h"
#include "sched/base/arena.h"

/* Does the text begin as Maui's traces do? What follows cannot be mistaken for another format. */
bool maui_begins(const char *text, size_t len);

/* A line that says something: not empty, no comment behind '#', not the version. */
bool maui_line_counts(struct span line);

/* "[NONE]", "NONE" and "-" stand for nothing. */
bool maui_is_none(struct span word);

/* Can it name a person, node or class: at most MAUI_NAME bytes, without control characters? */
#define MAUI_NAME 64
bool maui_is_name(struct span word);

/* The first name of a list, or of "asked:delivered"; empty for none. */
struct span maui_first(struct span word);

/* A copy that ends with a NUL; NULL for nothing. */
const char *maui_name(struct arena *arena, struct span word);

/*
 * The names of a list, blank between them; NULL for none. counted: what stands behind a colon is
 * the number of them, not one more name.
 */
const char *maui_names(struct arena *arena, struct span word, bool counted);

/* --- a line in fields, by their number in the guide ---------------------------------- */

#define MAUI_FIELDS 44 /* the most a line has */

struct maui_line {
	uint32_t number;                   /* of the line, from 1      */
	struct bad_lines *bad;             /* borrowed                 */
	struct span word[MAUI_FIELDS + 1]; /* empty when missing       */
	int64_t value[MAUI_FIELDS + 1];    /* of fields with a row     */
};

/* A field that is a number: how large it may be, and what it is when it is missing or nothing. */
struct maui_number {
	uint8_t field;
	const char *name;
	int64_t most, missing;
};

/* Cuts it into words; a line with fewer than `needed` of them is noted as bad: "a job needs ...". */
bool maui_line_cut(struct maui_line *line, struct span text, unsigned fields, unsigned needed,
		   const char *what);

/* Reads the fields that are numbers; may be negative. False: one is wrong and noted. */
bool maui_line_numbers(struct maui_line *line, const struct maui_number *row, size_t rows);

/* Notes the line as bad; always false. */
bool maui_line_refuse(struct maui_line *line, unsigned field, const char *name, const char *why);

/* --- writing ----------------------------------------------------------------------------- */

struct str;
/* Appends names, blank between them, in brackets each; "[NONE]" for NULL. tail stands behind each. */
void maui_add_list(struct str *out, const char *names, const char *tail);

#endif
