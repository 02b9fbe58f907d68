/* SPDX-License-Identifier: MIT */
/*
 * str.h - growing strings, and parsing of words and numbers
 *
 * A struct str owns a growing buffer that is always NUL-terminated. A zeroed struct is a valid empty string:
 * struct str s = {0};  ...  str_free(&s).
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
	char *data; /* NULL until text is added; read it with str_text      */
	size_t len; /* bytes, without the NUL                               */
	size_t cap;
};

void str_add(struct str *s, const char *text);
void str_reserve(struct str *s, size_t len); /* capacity for len more bytes: saves growing step by step */
void str_add_bytes(struct str *s, const void *bytes, size_t len);
void str_add_char(struct str *s, char c);
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_addv(struct str *s, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Does the text consist of ASCII letters, digits, non-ASCII characters and the given signs only? */
bool str_has_only(const char *text, const char *signs);

/*
 * Appends a word of a command line for a person to type or paste: quoted with single quotes if a shell or
 * this program would interpret any of its characters.
 */
void str_add_word(struct str *s, const char *word);

/* The text so far, "" if there is none. Valid until the next change. */
const char *str_text(const struct str *s);

void str_clear(struct str *s); /* empties it, keeps the memory */
void str_free(struct str *s);  /* empties it, frees the memory */

/* ASCII only, independent of the locale: option names, credentials, key names. */
bool str_same_word(const char *a, const char *b); /* equal, ignoring case    */
int str_compare_word(const char *a, const char *b);

/*
 * The name most similar to `word`, ignoring case, if it is at most two single-letter edits away and at most
 * half of the word is edited. The first of equally similar names; NULL if none is similar enough.
 */
const char *str_nearest(const char *word, const char *const *names, size_t count);

/*
 * Numbers with '.' in every locale. The readers accept the whole text or nothing (they return false and leave
 * *out unchanged): no blanks, no leading '+', no hexadecimal; "010" is ten.
 */
bool str_read_whole(const char *text, int64_t *out);
bool str_read_real(const char *text, double *out); /* finite; "2" "-.5" "1e3" */
/* Appends the fewest digits that read back as the same value, which must be finite. */
void str_add_real(struct str *s, double value);

/* Length in bytes of the UTF-8 character at text[0]; 0 if it is not valid UTF-8 or len is 0. */
size_t str_utf8_len(const char *text, size_t len);

#endif
