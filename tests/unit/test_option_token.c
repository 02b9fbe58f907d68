/* SPDX-License-Identifier: MIT */
/*
 * test_option_token.c - tokenizer for configuration files
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/option.h"
#include "sched/base/option_token.h"
#include "sched/base/str.h"

/* The tokens of a text as "kind:words@line ", or the error message. */
static struct str seen;

static int free_seen(void **state)
{
	(void)state;
	str_free(&seen);
	return 0;
}

static const char *tokens_of_bytes(const char *text, size_t len)
{
	struct err err = {""};
	struct tokens t = {.file = "f", .err = &err};
	bool good = token_begin(&t, text, len);

	str_clear(&seen);
	while (good && t.now.kind != TOKEN_END) {
		str_addf(&seen, "%c:%.*s@%d ", ".wts"[t.now.kind], (int)t.now.len, t.now.start, t.now.line);
		good = token_next(&t);
	}
	free(t.text);
	if (!good) {
		str_clear(&seen);
		str_add(&seen, err.text);
	}
	return str_text(&seen);
}

static const char *tokens_of(const char *text)
{
	return tokens_of_bytes(text, strlen(text));
}

static void words_texts_and_signs_are_distinguished(void **state)
{
	(void)state;
	assert_string_equal(tokens_of("a_b.c=-1.5e3 t=\"x y\",{8:00}"),
			    "w:a_b.c@1 s:=@1 w:-1.5e3@1 w:t@1 s:=@1 t:x y@1 s:,@1 s:{@1 w:8:00@1 s:}@1 ");
	assert_string_equal(tokens_of(""), "");
	assert_string_equal(tokens_of(" \t\r\n"), "");
	assert_string_equal(tokens_of("t=\"\""), "w:t@1 s:=@1 t:@1 ");
}

static void escapes_do_not_end_a_text(void **state)
{
	(void)state;
	assert_string_equal(tokens_of("\"a\\\"b\\\\\" c"), "t:a\\\"b\\\\@1 w:c@1 ");
}

static void comments_count_as_blanks(void **state)
{
	(void)state;
	assert_string_equal(tokens_of("a#b\nc//d\n/*e\nf*/g/**/h"), "w:a@1 w:c@2 w:g@4 w:h@4 ");
	assert_string_equal(tokens_of("a /* \" ' { */ b # \"\n\"# // /* \""), "w:a@1 w:b@1 t:# // /* @2 ");
	assert_string_equal(tokens_of("# end"), "");
}

static void lines_are_counted_with_every_line_ending(void **state)
{
	(void)state;
	assert_string_equal(tokens_of("a\r\nb\n\n\nc"), "w:a@1 w:b@2 w:c@5 ");
	assert_string_equal(tokens_of("\xef\xbb\xbf"
				      "a"),
			    "w:a@1 ");
}

static void error_suggests_quotes_where_needed(void **state)
{
	(void)state;
	assert_string_equal(tokens_of("a\nb = 25.0+"), "f:2: 25.0+ must be quoted: \"25.0+\"");
	assert_string_equal(tokens_of("b = 25.0 +"), "f:1: + must be quoted: \"+\"");
	assert_string_equal(tokens_of("b = /var/lib}"), "f:1: /var/lib must be quoted: \"/var/lib\"");
	assert_string_equal(tokens_of("b = n[01-04]"), "f:1: n[01-04] must be quoted: \"n[01-04]\"");
	assert_string_equal(tokens_of("b = a*b"), "f:1: a*b must be quoted: \"a*b\"");
	assert_string_equal(tokens_of("b = ${HOME}"), "f:1: $ must be quoted: \"$\"");
	assert_string_equal(tokens_of("b = J\xc3\xbcrgen"),
			    "f:1: J\xc3\xbcrgen must be quoted: \"J\xc3\xbcrgen\"");
}

static void libconfuse_extensions_are_rejected_by_name(void **state)
{
	(void)state;
	assert_non_null(strstr(tokens_of("a = 1; b"), "f:1: ';' is not allowed"));
	assert_non_null(strstr(tokens_of("a = 'x'"), "double quotes"));
	assert_non_null(strstr(tokens_of("a += {"), "+= is not available"));
	assert_non_null(strstr(tokens_of("include(\"x\")"), "functions"));
	assert_non_null(strstr(tokens_of("\n\"a${HOME}\""), "f:2: ${ is not available"));
	assert_non_null(strstr(tokens_of("\"\\x41\""), "must be followed by"));
	assert_non_null(strstr(tokens_of("\"\\n\""), "must be followed by"));
	assert_non_null(strstr(tokens_of("\"\\"), "must be followed by"));
}

static void unclosed_quote_or_comment_is_reported_with_its_line(void **state)
{
	static const char quote[] = "f:2: unterminated quote; a quoted text must end on the same line";

	(void)state;
	assert_string_equal(tokens_of("a\n\"b\n\"c"), quote);
	assert_string_equal(tokens_of("a\n\"b\r\n"), quote);
	assert_string_equal(tokens_of("a\n\"b"), quote);
	assert_string_equal(tokens_of("a\n/* b\n\n"), "f:2: the comment that begins here has no closing */");
	assert_non_null(strstr(tokens_of("/*/"), "no closing"));
}

static void invalid_bytes_are_rejected(void **state)
{
	(void)state;
	assert_string_equal(tokens_of_bytes("a\n\0b", 4),
			    "f:2: the control character 0x00 is not allowed in a configuration");
	assert_string_equal(tokens_of("# \x1b[2J"),
			    "f:1: the control character 0x1b is not allowed in a configuration");
	assert_string_equal(tokens_of("a\n\n\xff"), "f:3: the byte 0xff is not UTF-8 text");
	assert_string_equal(tokens_of("\"\xc3\""), "f:1: the byte 0xc3 is not UTF-8 text");
}

static void overlong_text_is_rejected(void **state)
{
	char *text = malloc(OPTION_TEXT_MAX + 1);

	(void)state;
	assert_non_null(text);
	memset(text, ' ', OPTION_TEXT_MAX + 1);
	assert_string_equal(tokens_of_bytes(text, OPTION_TEXT_MAX), "");
	assert_non_null(strstr(tokens_of_bytes(text, OPTION_TEXT_MAX + 1), "larger than 1048576 bytes"));
	free(text);
}

static void words_do_not_need_quotes(void **state)
{
	(void)state;
	assert_true(option_is_word("8:00:00"));
	assert_true(option_is_word("-1.5"));
	assert_false(option_is_word(""));
	assert_false(option_is_word("a b"));
	assert_false(option_is_word("25.0+"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_texts_and_signs_are_distinguished),
		cmocka_unit_test(escapes_do_not_end_a_text),
		cmocka_unit_test(comments_count_as_blanks),
		cmocka_unit_test(lines_are_counted_with_every_line_ending),
		cmocka_unit_test(error_suggests_quotes_where_needed),
		cmocka_unit_test(libconfuse_extensions_are_rejected_by_name),
		cmocka_unit_test(unclosed_quote_or_comment_is_reported_with_its_line),
		cmocka_unit_test(invalid_bytes_are_rejected),
		cmocka_unit_test(overlong_text_is_rejected),
		cmocka_unit_test(words_do_not_need_quotes),
	};

	return cmocka_run_group_tests_name("option_token", tests, NULL, free_seen);
}
