/* SPDX-License-Identifier: MIT */
/*
 * json.h - JSON writer
 *
 * Writes into a struct str. The writer inserts commas and matches closing brackets; it escapes control
 * characters and replaces invalid UTF-8 with U+FFFD, so that every job name results in valid JSON. Values in
 * objects need a key; values in arrays must have the key NULL.
 *
 *     struct json j = {.out = &s};
 *     json_open(&j, NULL, '{');  json_int(&j, "jobs", 3);  json_close(&j);
 *
 * NaN and infinities are written as null. Doubles are printed with the fewest digits that read back as the
 * same value.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

struct str; /* str.h */

#define JSON_DEPTH_MAX 32

struct json {
	struct str *out;            /* borrowed                        */
	int depth;                  /* number of open levels */
	char kind[JSON_DEPTH_MAX];  /* '{' or '[' of each open level   */
	bool begun[JSON_DEPTH_MAX]; /* the level has a value            */
};

void json_open(struct json *j, const char *key, char kind);         /* '{' or '[' */
void json_close(struct json *j);                                    /* the innermost open level */
void json_text(struct json *j, const char *key, const char *value); /* NULL is written as null */
void json_int(struct json *j, const char *key, int64_t value);
void json_real(struct json *j, const char *key, double value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
/* Writes text that is already JSON as the value; trailing blanks and newlines are removed. */
void json_raw(struct json *j, const char *key, const char *value);

/* Writes a number, or null if it equals `absent`. */
void json_int_or_null(struct json *j, const char *key, int64_t value, int64_t absent);

#endif
