/* SPDX-License-Identifier: MIT */
/*
 * test_clipboard.c - is text put on the terminal's clipboard as RFC 4648 writes it?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "tui/draw/clipboard.h"

static void the_examples_of_rfc_4648_are_written(void **state)
{
	static const char *const rows[][2] = {{"", ""},
					      {"f", "Zg=="},
					      {"fo", "Zm8="},
					      {"foo", "Zm9v"},
					      {"foob", "Zm9vYg=="},
					      {"fooba", "Zm9vYmE="},
					      {"foobar", "Zm9vYmFy"}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct str made = {0}, expected = {0};

		clipboard_sequence(&made, rows[i][0], strlen(rows[i][0]));
		str_addf(&expected, "\033]52;c;%s\a", rows[i][1]);
		assert_string_equal(str_text(&made), str_text(&expected));
		str_free(&made);
		str_free(&expected);
	}
}

static void bytes_of_any_value_are_taken(void **state)
{
	struct str made = {0};

	(void)state;
	clipboard_sequence(&made, "\xFF\x00\xFE", 3);
	assert_string_equal(str_text(&made), "\033]52;c;/wD+\a");
	str_free(&made);
}

static void terminals_that_would_print_it_are_known(void **state)
{
	(void)state;
	assert_true(clipboard_is_known("xterm-256color"));
	assert_true(clipboard_is_known("tmux"));
	assert_false(clipboard_is_known("linux"));
	assert_false(clipboard_is_known("vt100"));
	assert_false(clipboard_is_known("ansi"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_examples_of_rfc_4648_are_written),
		cmocka_unit_test(bytes_of_any_value_are_taken),
		cmocka_unit_test(terminals_that_would_print_it_are_known),
	};

	return cmocka_run_group_tests_name("clipboard", tests, NULL, NULL);
}
