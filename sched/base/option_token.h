/* SPDX-License-Identifier: MIT */
/*
 * option_token.h - tokenizer for configuration files
 *
 * Used by option_scan.c only. The tokenizer works in its own copy of the text, where it overwrites comments
 * with blanks; the caller frees .text.
 */
#ifndef BASE_OPTION_TOKEN_H
#define BASE_OPTION_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_TEXT, /* in quotes */
	TOKEN_SIGN  /* = { } ,   */
};

struct token {
	enum token_kind kind;
	const char *start; /* without the quotes; escapes are left as written */
	size_t len;
	int line;
};

struct tokens {
	const char *file; /* for messages; set by the caller         */
	struct err *err;  /* likewise                                */
	char *text;       /* the copy; NULL if it was rejected       */
	char *at;         /* after the current token                 */
	int line;         /* of .at                                  */
	struct token now; /* the current token                       */
};

/* Checks all bytes, makes the copy and reads the first token. False: err is set, as below. */
bool token_begin(struct tokens *t, const char *text, size_t len);

/* Reads the next token. After TOKEN_END comes TOKEN_END. */
bool token_next(struct tokens *t);

bool token_is_sign(const struct tokens *t, char sign);
bool token_is_value(const struct tokens *t); /* a word or a text */

/* Skips a sign that is required here; `where` is the rest of "expected } ...". */
bool token_expect(struct tokens *t, char sign, const char *where);

/* Sets a message that begins with "file:line: ". Always returns false. */
bool token_refuse(const struct tokens *t, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Sets the message "expected ..., found TOKEN" for the current token. */
bool token_refuse_now(const struct tokens *t, const char *expected, ...)
	__attribute__((format(printf, 2, 3)));

/* Can the text be written without quotes? */
bool option_is_word(const char *text);

#endif
