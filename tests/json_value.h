/* SPDX-License-Identifier: MIT */
/*
 * json_value.h - a reader of JSON for tests that look at the program from outside
 *
 * A text becomes a tree of values. A value that is asked for and not there is a null value, so that a path of
 * questions needs no checks on its way.
 */
#ifndef TESTS_JSON_VALUE_H
#define TESTS_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/arena.h"

enum json_kind {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_TEXT,
	JSON_LIST,
	JSON_OBJECT
};

struct json_value {
	enum json_kind kind;
	const char *name; /* of a member of an object, else NULL   */
	const char *text; /* of a text, and of a number as written */
	double number;
	struct json_value *first, *next; /* members, and the next of its list; NULL at the end */
};

/* The tree lives in the arena. NULL when the text is not JSON. */
const struct json_value *json_read(const char *text, struct arena *arena);

/* A member of an object, a null value when there is none. v may be NULL. */
const struct json_value *json_get(const struct json_value *v, const char *name);
/* The text of a member, "" when it is none. */
const char *json_text_of(const struct json_value *v, const char *name);
/* The number of a member, `none` when it is none. */
int64_t json_number_of(const struct json_value *v, const char *name, int64_t none);
bool json_is_true(const struct json_value *v, const char *name);
size_t json_count(const struct json_value *v);
/* Are both the same, member by member, in their order? */
bool json_same(const struct json_value *a, const struct json_value *b);

#endif
