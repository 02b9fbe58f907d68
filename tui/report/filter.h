/* SPDX-License-Identifier: MIT */
/*
 * filter.h - typed filters of rows
 *
 * A filter is a list of words separated by blanks; a row must match all of them:
 *
 *     eva  !eva           the text is found in any field; in no field
 *     ^90.*1$             an extended regular expression is found in any field
 *     user=eva  user!=eva the whole field matches, with * and ? as in file names; does not match
 *     user=eva,bob        the field matches one item of a list
 *     user=^e.*a$ name~fit  a regular expression is found in the field
 *     procs>8  walltime<=2h  the field is compared with a number or a duration; also < and >=
 *
 * Case does not matter. A word without a field is a regular expression if it contains one of
 * ^ $ . * + ? [ ] ( ) |; the value of a field is one if it contains one of ^ $ + ( ) | or follows ~.
 * A regular expression must not contain { or \, or more than four +, because matching it could be slow.
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

/* Replaces the filter with the one in the text. Free with filter_clear. */
void filter_set(struct filter *f, const char *text);
void filter_clear(struct filter *f);
const char *filter_text(const struct filter *f);

/*
 * Are all fields of the filter among these names (separated by blanks; NULL: any name), and its patterns and
 * numbers valid? Returns false with err set for the first word that is not. Such a word is still applied: it
 * is searched for as text, or matches nothing if its number is invalid.
 */
bool filter_check(const struct filter *f, const char *fields, struct err *err);

/* Does the filter refer to this field? */
bool filter_names(const struct filter *f, const char *name);

bool filter_match(const struct filter *f, const struct named_text *field, size_t count);
/* Like filter_match, but words without a field name are searched for only in the first `first` fields. */
bool filter_match_named(const struct filter *f, const struct named_text *field, size_t first, size_t count);

#endif
