/* SPDX-License-Identifier: MIT */
/*
 * str.h - how is text of unknown length put together?
 *
 * A struct str owns a growing, always NUL-terminated buffer. Zero is a valid empty
 * value:  struct str s = {0};  ...  str_free(&s).
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
	char *data; /* NULL until something was added; use str_text to read */
	size_t len; /* bytes, without the NUL                               */
	size_t cap;
};

void str_add(struct str *s, const char *text);
void str_add_bytes(struct str *s, const void *bytes, size_t len);
void str_add_char(struct str *s, char c);
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_addv(struct str *s, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Has the text nothing but ASCII letters and digits, characters beyond ASCII, and the given signs? "" has. */
bool str_has_only(const char *text, const char *signs);

/*
 * A word of a command line, for a person to type or paste: as it is where neither a shell nor this program
 * reads anything but letters from it, else between single quotes.
 */
void str_add_word(struct str *s, const char *word);

/* The text so far, "" when nothing was added. Valid until the next change. */
const char *str_text(const struct str *s);

void str_clear(struct str *s); /* empty, keeps the memory */
void str_free(struct str *s);  /* empty, gives it back    */

/* ASCII only, independent of the locale: option names, credentials, key names. */
bool str_same_word(const char *a, const char *b); /* equal, ignoring case    */
int str_compare_word(const char *a, const char *b);

/*
 * The name that was probably meant: the nearest of `count` names, ignoring case, when it
 * is at most two single-letter edits away and at most half of the word is edited. The
 * first of equals; NULL when none is near.
 */
const char *str_nearest(const char *word, const char *const *names, size_t count);

/*
 * Numbers, with '.' whatever the locale. Readers take the whole text or nothing (false,
 * *out untouched): no blanks, no '+' in front, no hexadecimal, "010" is ten.
 */
bool str_read_whole(const char *text, int64_t *out);
bool str_read_real(const char *text, double *out); /* finite; "2" "-.5" "1e3" */
/* The fewest digits that read back the same; value must be finite. */
void str_add_real(struct str *s, double value);

/* Bytes of the UTF-8 character that begins at text[0], 0 when it is not valid UTF-8 or len is 0. */
size_t str_utf8_len(const char *text, size_t len);

#endif
