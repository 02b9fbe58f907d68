/* SPDX-License-Identifier: MIT */
/*
 * filter.h - typed filters of rows
 *
 * Words separated by blanks, all of which must hold:
 *
 *     eva  !eva           found in any field; in none
 *     ^90.*1$             an extended regular expression, found in any field
 *     user=eva  user!=eva a field as a whole, with * and ? as in file names
 *     user=eva,bob        one of a list
 *     user=^e.*a$ name~fit  a regular expression found in one field
 *     procs>8  walltime<=2h  a number or a duration; also < and >=
 *
 * Case does not matter. A regular expression has one of ^ $ . * + ? [ ] ( ) |, in a field one of ^ $ + ( ) |
 * or the sign ~; it has no { or \ and at most four +, so that it is matched at once.
 */
#ifndef REPORT_FILTER_H
#define REPORT_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "sched/base/err.h"

/* A field of a row: its name in filters, and its value (NULL = none). */
struct named_text {
	const char *name;
	const char *value;
};

struct filter_word; /* opaque */

/* {0} matches every row. */
struct filter {
	char *text; /* as typed; NULL if empty */
	struct filter_word *word;
	size_t count;
};

/* Free with filter_clear. */
void filter_set(struct filter *f, const char *text);
void filter_clear(struct filter *f);
const char *filter_text(const struct filter *f);

/*
 * Are all fields of the filter among these names (separated by blanks; NULL: any name), and its patterns and
 * numbers valid? False with a sentence about the first word that is not; that word is then searched for as
 * text, or matches nothing.
 */
bool filter_check(const struct filter *f, const char *fields, struct err *err);

/* Does the filter refer to this field? */
bool filter_names(const struct filter *f, const char *name);

bool filter_match(const struct filter *f, const struct named_text *field, size_t count);
/* Words without a field are searched for only in the first fields. */
bool filter_match_named(const struct filter *f, const struct named_text *field, size_t first, size_t count);

#endif
