/* SPDX-License-Identifier: MIT */
/*
 * test_term_line.c - do only agreed characters go over the line, and is its end noticed?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <pty.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "tui/draw/term_line.h"

static struct canvas canvas;
static struct str run;

static int end(void **state)
{
	(void)state;
	canvas_free(&canvas);
	str_free(&run);
	return 0;
}

static void a_run_ends_where_the_look_changes(void **state)
{
	struct rect all;

	(void)state;
	canvas_resize(&canvas, 10, 1);
	all = canvas_rect(&canvas);
	canvas_put(&canvas, all, 0, 0, ROLE_TEXT, "abc");
	canvas_put(&canvas, all, 3, 0, ROLE_ERROR, "defg");
	canvas_overlay(&canvas, (struct rect){5, 0, 1, 1}, ROLE_MATCH);
	assert_int_equal(line_next_run(&canvas, 0, 0, 10, true, &run), 3);
	assert_string_equal(str_text(&run), "abc");
	assert_int_equal(line_next_run(&canvas, 3, 0, 10, true, &run), 5);
	assert_string_equal(str_text(&run), "de");
	assert_int_equal(line_next_run(&canvas, 5, 0, 10, true, &run), 6);
	assert_int_equal(line_next_run(&canvas, 6, 0, 7, true, &run), 7);
	assert_int_equal(line_next_run(&canvas, 7, 0, 9, true, &run), 9);
	assert_string_equal(str_text(&run), "  ");
}

/* Curses would put it at the beginning of the next line. */
static void half_of_a_wide_character_at_the_edge_becomes_a_question_mark(void **state)
{
	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	canvas_resize(&canvas, 6, 1);
	canvas_put(&canvas, canvas_rect(&canvas), 0, 0, ROLE_TEXT, "a日本");
	assert_int_equal(line_next_run(&canvas, 0, 0, 5, true, &run), 5);
	assert_string_equal(str_text(&run), "a日本");
	assert_int_equal(line_next_run(&canvas, 0, 0, 4, true, &run), 4);
	assert_string_equal(str_text(&run), "a日?");
	setlocale(LC_CTYPE, "C");
}

static void what_the_locale_does_not_know_becomes_question_marks(void **state)
{
	(void)state;
	canvas_resize(&canvas, 6, 1);
	canvas_put(&canvas, canvas_rect(&canvas), 0, 0, ROLE_TEXT, "aé日─");
	assert_int_equal(line_next_run(&canvas, 0, 0, 6, false, &run), 6);
	assert_string_equal(str_text(&run), "a???? ");
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	line_next_run(&canvas, 0, 0, 6, true, &run);
	assert_string_equal(str_text(&run), "aé日─ ");
	setlocale(LC_CTYPE, "C");
}

static void the_end_of_a_line_is_noticed(void **state)
{
	int master, slave;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	assert_true(line_takes_output(slave));
	assert_false(line_is_gone(slave));
	line_write(slave, "hello", 5);
	close(master);
	assert_true(line_is_gone(slave));
	assert_false(line_takes_output(slave));
	close(slave);
}

static void a_full_line_takes_no_output(void **state)
{
	char block[4096] = {0};
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	for (int i = 0; i < 1000 && line_takes_output(ends[1]); i++)
		assert_int_equal(write(ends[1], block, sizeof block), sizeof block);
	assert_false(line_takes_output(ends[1]));
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_ends_where_the_look_changes),
		cmocka_unit_test(half_of_a_wide_character_at_the_edge_becomes_a_question_mark),
		cmocka_unit_test(what_the_locale_does_not_know_becomes_question_marks),
		cmocka_unit_test(the_end_of_a_line_is_noticed),
		cmocka_unit_test(a_full_line_takes_no_output),
	};

	return cmocka_run_group_tests_name("term_line", tests, NULL, end);
}
