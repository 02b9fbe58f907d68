/* SPDX-License-Identifier: MIT */
/*
 * err.h - how does a function say what went wrong, in words for the administrator?
 *
 * Two channels: the return value (false, or NULL) is for the program; the sentence in
 * a caller-owned struct err is for the person. A sentence names what failed, which
 * object, why, and what to do:
 *
 *     return err_set(err, "kahu.conf:12: xfactorcap must be >= 0, got -3");
 *
 * A callee that fails always sets the sentence once; a caller that adds context uses
 * err_prefix. Passing NULL for err is allowed everywhere and discards the sentence.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

struct err {
	char text[512]; /* NUL-terminated UTF-8, shortened when too long; a control
			 * byte or invalid UTF-8 that came in with a value shows as '?' */
};

/* Writes the sentence. Always returns false, so that "return err_set(...)" is one line. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts words and ": " before the sentence that is there. Always returns false. */
bool err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Copies a sentence into size bytes, at least 8. One that is too long keeps its beginning and its end, with
 * "..." between, and no half of a character: the end says why, behind a path of any length.
 */
void err_shorten(char *out, size_t size, const char *sentence);

#endif
