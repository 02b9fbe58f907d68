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
	const char *start; /* first character, after the quote of a TOKEN_TEXT; escapes are not decoded */
	size_t len;
	int line;
};

struct tokens {
	const char *file; /* name of the file for messages; set by the caller */
	struct err *err;  /* receives messages; set by the caller */
	char *text;       /* copy of the text; NULL if its bytes were rejected */
	char *at;         /* position after the current token */
	int line;         /* line number of .at */
	struct token now; /* the current token                       */
};

/*
 * Checks all bytes, copies the text and reads the first token. Returns false with t->err set if the text is
 * invalid.
 */
bool token_begin(struct tokens *t, const char *text, size_t len);

/*
 * Reads the next token; at the end of the text, TOKEN_END each time. Returns false with t->err set if the
 * text is invalid.
 */
bool token_next(struct tokens *t);

bool token_is_sign(const struct tokens *t, char sign);
bool token_is_value(const struct tokens *t); /* a word or a text */

/*
 * Skips the current token if it is this sign. Otherwise sets the message "expected SIGN WHERE, found ..." and
 * returns false.
 */
bool token_expect(struct tokens *t, char sign, const char *where);

/* Sets a message that begins with "file:line: ". Always returns false. */
bool token_refuse(const struct tokens *t, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Sets the message "expected ..., found TOKEN" for the current token. Always returns false. */
bool token_refuse_now(const struct tokens *t, const char *expected, ...)
	__attribute__((format(printf, 2, 3)));

/* Can the text be written without quotes? */
bool option_is_word(const char *text);

#endif
