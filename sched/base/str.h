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
void str_reserve(struct str *s, size_t len); /* ensures capacity for len more bytes */
void str_add_bytes(struct str *s, const void *bytes, size_t len);
void str_add_char(struct str *s, char c);
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_addv(struct str *s, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Does the text consist only of ASCII letters, digits, non-ASCII characters and the given signs? */
bool str_has_only(const char *text, const char *signs);

/*
 * Appends a word of a command line that a user can type or paste: in single quotes if a shell or Kahu would
 * interpret any of its characters.
 */
void str_add_word(struct str *s, const char *word);

/* Returns the text, "" if none was added. The pointer is valid until the next change. */
const char *str_text(const struct str *s);

void str_clear(struct str *s); /* empties the string and keeps its memory */
void str_free(struct str *s);  /* empties the string and frees its memory */

/*
 * Compare words (option names, credentials, key names), ignoring the case of ASCII letters in every locale.
 */
bool str_same_word(const char *a, const char *b);   /* are they equal? */
int str_compare_word(const char *a, const char *b); /* < 0, 0 or > 0, like strcasecmp() */

/*
 * Returns the name most similar to `word`, ignoring case, the first of equally similar names. NULL if no name
 * is similar enough: at most two letters, and at most half of the word, may be inserted, deleted or replaced.
 */
const char *str_nearest(const char *word, const char *const *names, size_t count);

/*
 * Read numbers, with '.' in every locale. The whole text must be a number: no blanks, no leading '+', no
 * hexadecimal; "010" is ten. Otherwise they return false and leave *out unchanged.
 */
bool str_read_whole(const char *text, int64_t *out);
bool str_read_real(const char *text, double *out); /* finite; "2" "-.5" "1e3" */
/* Appends the fewest digits that read back as the same value, which must be finite. */
void str_add_real(struct str *s, double value);

/* Returns the length in bytes of the UTF-8 character at text[0]; 0 if it is not valid UTF-8 or len is 0. */
size_t str_utf8_len(const char *text, size_t len);

/* Returns the code point of a valid UTF-8 character of len bytes. */
uint32_t str_utf8_code(const char *text, size_t len);

/*
 * Is the code point a control character, or one that is invisible or changes the direction of the text around
 * it? Shown as it is, it would let a user forge what an operator reads.
 */
bool str_is_hidden(uint32_t code);

#endif
