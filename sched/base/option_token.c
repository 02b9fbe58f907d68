/* SPDX-License-Identifier: MIT */
/*
 * option_token.c - tokenizer for configuration files
 *
 * libconfuse reads every accepted token in the same way. Words use fewer characters than libconfuse allows,
 * and quoted texts stay on one line and use only the escapes \" and \\. Comments, which libconfuse accepts
 * only between options, are overwritten with blanks in the copy. Input that would make libconfuse exit, that
 * it would silently ignore, or for which it would read the environment is rejected here.
 */
#include "option_token.h"

#include <stdarg.h>
#include <string.h>

#include "option.h"
#include "str.h"
#include "vec.h"

#define WORD_CHARS                                                                                           \
	"abcdefghijklmnopqrstuvwxyz"                                                                         \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ"                                                                         \
	"0123456789_.:-@%"
#define BLANKS " \t\r\n"

bool option_is_word(const char *text)
{
	return *text && text[strspn(text, WORD_CHARS)] == '\0';
}

bool token_refuse(const struct tokens *t, int line, const char *format, ...)
{
	struct str sentence = {0};
	va_list args;

	va_start(args, format);
	str_addv(&sentence, format, args);
	va_end(args);
	err_set(t->err, "%s:%d: %s", t->file, line, str_text(&sentence));
	str_free(&sentence);
	return false;
}

/* ---- bytes ---- */

static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && !strchr(BLANKS, c)) || c == '\0' || c == '\x7f';
}

static bool check_bytes(const struct tokens *t, const char *text, size_t len)
{
	int line = 1;

	if (len > OPTION_TEXT_MAX)
		return token_refuse(t, 1, "the text is larger than %zu bytes", OPTION_TEXT_MAX);
	for (size_t i = 0; i < len;) {
		size_t n = str_utf8_len(text + i, len - i);

		if (n == 0)
			return token_refuse(t, line, "the byte 0x%02x is not UTF-8 text",
					    (unsigned char)text[i]);
		if (is_control(text[i]))
			return token_refuse(t, line,
					    "the control character 0x%02x is not allowed in a configuration",
					    (unsigned char)text[i]);
		line += text[i] == '\n';
		i += n;
	}
	return true;
}

/* Copies the text; a byte order mark becomes blanks. */
static char *copy_of(const char *text, size_t len)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";
	char *copy = mem_alloc(len + 1);

	if (len)
		memcpy(copy, text, len);
	copy[len] = '\0';
	if (strncmp(copy, byte_order_mark, 3) == 0)
		memset(copy, ' ', 3);
	return copy;
}

/* ---- tokens ---- */

static void blank_until(struct tokens *t, const char *end)
{
	for (; t->at < end; t->at++) {
		if (*t->at == '\n')
			t->line++;
		else
			*t->at = ' ';
	}
}

static bool skip_comment_block(struct tokens *t)
{
	const char *end = strstr(t->at + 2, "*/");

	if (!end)
		return token_refuse(t, t->line, "the comment that begins here has no closing */");
	blank_until(t, end + 2);
	return true;
}

static bool is_line_comment(const char *at)
{
	return at[0] == '#' || (at[0] == '/' && at[1] == '/');
}

static bool is_block_comment(const char *at)
{
	return at[0] == '/' && at[1] == '*';
}

static bool skip_blanks(struct tokens *t)
{
	for (;;) {
		if (is_line_comment(t->at)) {
			blank_until(t, t->at + strcspn(t->at, "\n"));
		} else if (is_block_comment(t->at)) {
			if (!skip_comment_block(t))
				return false;
		} else if (*t->at && strchr(BLANKS, *t->at)) {
			t->line += *t->at == '\n';
			t->at++;
		} else {
			return true;
		}
	}
}

/* Rejects the byte at t->at, which can neither begin a token nor continue the word at `start`. */
static bool refuse_byte(const struct tokens *t, const char *start)
{
	int len = (int)strcspn(start, BLANKS "\"{},=#");

	if (*t->at == ';')
		return token_refuse(t, t->line,
				    "';' is not allowed; an option ends at a blank or a new line");
	if (*t->at == '\'')
		return token_refuse(t, t->line, "use double quotes instead of single quotes");
	if (*t->at == '(' || *t->at == ')')
		return token_refuse(t, t->line, "functions, such as include(...), are not available");
	if (t->at[0] == '+' && t->at[1] == '=')
		return token_refuse(t, t->line, "+= is not available; write the whole list after =");
	return token_refuse(t, t->line, "%.*s must be quoted: \"%.*s\"", len, start, len, start);
}

static bool take_word(struct tokens *t)
{
	const char *start = t->at;

	t->at += strspn(t->at, WORD_CHARS);
	if (*t->at && !strchr(BLANKS "\"{},=", *t->at) && !is_line_comment(t->at) && !is_block_comment(t->at))
		return refuse_byte(t, start);
	t->now.kind = TOKEN_WORD;
	t->now.len = (size_t)(t->at - start);
	return true;
}

static bool take_text(struct tokens *t)
{
	const char *start = ++t->at;

	for (; *t->at != '"'; t->at++) {
		if (*t->at == '\0' || *t->at == '\n' || *t->at == '\r')
			return token_refuse(t, t->line,
					    "unterminated quote; a quoted text must end on the same line");
		if (t->at[0] == '$' && t->at[1] == '{')
			return token_refuse(t, t->line, "${ is not available; the environment is not read");
		if (*t->at != '\\')
			continue;
		t->at++;
		if (*t->at != '"' && *t->at != '\\')
			return token_refuse(t, t->line, "in a quoted text \\ must be followed by \" or \\");
	}
	t->now.kind = TOKEN_TEXT;
	t->now.start = start;
	t->now.len = (size_t)(t->at - start);
	t->at++;
	return true;
}

bool token_next(struct tokens *t)
{
	if (!skip_blanks(t))
		return false;
	t->now = (struct token){.kind = TOKEN_END, .start = t->at, .line = t->line};
	if (*t->at == '\0')
		return true;
	if (*t->at == '"')
		return take_text(t);
	if (strchr(WORD_CHARS, *t->at))
		return take_word(t);
	if (!strchr("={},", *t->at))
		return refuse_byte(t, t->at);
	t->now.kind = TOKEN_SIGN;
	t->now.len = 1;
	t->at++;
	return true;
}

bool token_is_sign(const struct tokens *t, char sign)
{
	return t->now.kind == TOKEN_SIGN && *t->now.start == sign;
}

bool token_is_value(const struct tokens *t)
{
	return t->now.kind == TOKEN_WORD || t->now.kind == TOKEN_TEXT;
}

bool token_refuse_now(const struct tokens *t, const char *format, ...)
{
	struct str expected = {0};
	va_list args;

	va_start(args, format);
	str_addv(&expected, format, args);
	va_end(args);
	if (t->now.kind == TOKEN_END)
		token_refuse(t, t->now.line, "expected %s, found the end of the file", str_text(&expected));
	else
		token_refuse(t, t->now.line, "expected %s, found \"%.*s\"", str_text(&expected),
			     (int)t->now.len, t->now.start);
	str_free(&expected);
	return false;
}

bool token_expect(struct tokens *t, char sign, const char *where)
{
	return token_is_sign(t, sign) ? token_next(t) : token_refuse_now(t, "%c %s", sign, where);
}

bool token_begin(struct tokens *t, const char *text, size_t len)
{
	t->line = 1;
	if (!check_bytes(t, text, len))
		return false;
	t->text = copy_of(text, len);
	t->at = t->text;
	return token_next(t);
}
