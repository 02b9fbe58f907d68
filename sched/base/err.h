/* SPDX-License-Identifier: MIT */
/*
 * err.h - error messages for the administrator
 *
 * A function reports a failure in two ways: its return value (false, or NULL) is for the caller's code, and
 * the message in a caller-owned struct err is for people. A message names the operation that failed, the
 * object, the reason and the remedy:
 *
 *     return err_set(err, "kahu.conf:12: xfactorcap must be >= 0, got -3");
 *
 * A function that fails sets the message exactly once; a caller that adds context uses err_prefix. Every
 * function accepts NULL for err and then discards the message.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stddef.h>

struct err {
	char text[512]; /* NUL-terminated UTF-8, shortened if too long; control
			 * characters and invalid UTF-8 in quoted values become '?' */
};

/* Sets the message. Always returns false, so that "return err_set(...)" fits on one line. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Inserts the formatted text and ": " before the message. Always returns false. */
bool err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Copies a message into a buffer of size bytes, at least 8. A message that is too long keeps its beginning
 * and its end, with "..." in between and no partial characters: the end contains the reason, however long the
 * path before it is.
 */
void err_shorten(char *out, size_t size, const char *sentence);

#endif
