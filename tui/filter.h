/* SPDX-License-Identifier: MIT */
/*
 * filter.h - which rows does a typed filter let through?
 *
 * Words, all of which must hold: "eva" is found in any field, "!eva" in none, "user=eva"
 * is a field as a whole (with * and ? as in file names), "^90.*1$" is an extended regular
 * expression (any word with one of its signs in it, but no { or \ and at most four +;
 * when it cannot be read as one, it is text). Case does not matter.
 */
#ifndef TUI_FILTER_H
#define TUI_FILTER_H

#include <stdbool.h>
#include <stddef.h>

/* What a row says: a name that a filter can ask for, and its value (NULL = none). */
struct field {
	const char *name;
	const char *value;
};

struct filter_word; /* opaque */

/* {0} lets everything through. */
struct filter {
	char *text; /* as typed; NULL when empty */
	struct filter_word *word;
	size_t count;
};

/* Release with filter_clear. */
void filter_set(struct filter *f, const char *text);
void filter_clear(struct filter *f);
const char *filter_text(const struct filter *f);

bool filter_match(const struct filter *f, const struct field *field, size_t count);

#endif
