/* SPDX-License-Identifier: MIT */
/*
 * json.h - how is JSON written?
 *
 * Output only, into a struct str. The writer places commas and closes what was opened;
 * it escapes control bytes and replaces invalid UTF-8 by U+FFFD, so that any job name
 * gives valid JSON. Keys are given in objects and must be NULL in arrays.
 *
 *     struct json j = {.out = &s};
 *     json_open(&j, NULL, '{');  json_int(&j, "jobs", 3);  json_close(&j);
 *
 * Numbers: NaN and infinities become null. Doubles are printed with the fewest digits
 * that read back the same.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

struct str; /* str.h */

#define JSON_DEPTH_MAX 32

struct json {
	struct str *out;            /* borrowed                        */
	int depth;                  /* 0 = nothing open                */
	char kind[JSON_DEPTH_MAX];  /* '{' or '[' for each open level  */
	bool begun[JSON_DEPTH_MAX]; /* something was written in it     */
};

void json_open(struct json *j, const char *key, char kind);         /* '{' or '[' */
void json_close(struct json *j);                                    /* the innermost open one */
void json_text(struct json *j, const char *key, const char *value); /* NULL gives null */
void json_int(struct json *j, const char *key, int64_t value);
void json_real(struct json *j, const char *key, double value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
/* A value that is JSON already; blanks and newlines at its end are left out. */
void json_raw(struct json *j, const char *key, const char *value);

/* For whole numbers that mean "absent" at a special value: null then. */
void json_int_or_null(struct json *j, const char *key, int64_t value, int64_t absent);

#endif
