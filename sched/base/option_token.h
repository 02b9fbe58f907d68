/* SPDX-License-Identifier: MIT */
/*
 * option_token.h - what is the next word of a configuration text?
 *
 * Used by option_scan.c alone. The cursor works in its own copy of the text, where it
 * turns comments into blanks as it passes them; the caller frees .text.
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
	const char *file; /* for sentences; set by the caller        */
	struct err *err;  /* likewise                                */
	char *text;       /* the copy; NULL when it was refused      */
	char *at;         /* behind the token at hand                */
	int line;         /* of .at                                  */
	struct token now; /* the token at hand                       */
};

/* Checks all bytes, makes the copy, takes the first token. False: err is set, as below. */
bool token_begin(struct tokens *t, const char *text, size_t len);

/* Takes the next token. After TOKEN_END comes TOKEN_END. */
bool token_next(struct tokens *t);

bool token_is_sign(const struct tokens *t, char sign);
bool token_is_value(const struct tokens *t); /* a word or a text */

/* Passes over a sign that must stand here; where is the rest of "expected } ...". */
bool token_expect(struct tokens *t, char sign, const char *where);

/* Sentences that begin with "file:line: ". Always false. */
bool token_refuse(const struct tokens *t, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* "expected ..., found the token at hand" */
bool token_refuse_now(const struct tokens *t, const char *expected, ...)
	__attribute__((format(printf, 2, 3)));

/* May text stand without quotes? */
bool option_is_word(const char *text);

#endif
