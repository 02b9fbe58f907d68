/* SPDX-License-Identifier: MIT */
/*
 * test_prompt.c - line editor: keys, history, completion, pasted text, drawing
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/drawn.h"
#include "tests/seed.h"
#include "tui/draw/prompt.h"

static struct prompt prompt;
static struct prompt_history history;

static int begin(void **state)
{
	(void)state;
	prompt_open(&prompt, ":", "");
	prompt.history = &history;
	return 0;
}

static int end(void **state)
{
	(void)state;
	prompt_close(&prompt);
	prompt_history_free(&history);
	return 0;
}

/* Presses keys by their names. Returns the result of the last one. */
static enum prompt_result press(const char *keys)
{
	enum prompt_result result = PROMPT_MOVED;

	while (*keys) {
		struct key key = {.code = KBD_CHAR, .ch = ' '};
		struct err err = {""};

		if (*keys == ' ')
			keys++;
		else if (!key_read(&keys, &key, &err))
			fail_msg("%s", err.text);
		result = prompt_key(&prompt, key);
	}
	return result;
}

static void assert_line(const char *text, size_t cursor)
{
	assert_string_equal(prompt_line(&prompt), text);
	assert_int_equal(prompt.cursor, cursor);
}

static void characters_are_inserted_at_the_cursor(void **state)
{
	(void)state;
	assert_int_equal(press("hld"), PROMPT_CHANGED);
	assert_int_equal(press("<Left><Left>"), PROMPT_MOVED);
	press("o");
	assert_line("hold", 2);
	press("<Home>a <End> é");
	assert_line("a hold é", 9);
	assert_int_equal(press("<Enter>"), PROMPT_DONE);
	assert_line("a hold é", 9);
}

static void deleting_takes_whole_graphemes(void **state)
{
	(void)state;
	prompt_paste(&prompt, "ae\xCC\x81日", 7);
	press("<BS>");
	assert_line("ae\xCC\x81", 4);
	press("<BS>");
	assert_line("a", 1);
	press("<C-a><Del>");
	assert_line("", 0);
	assert_int_equal(press("<Del>"), PROMPT_MOVED);
	assert_int_equal(press("<BS>"), PROMPT_CANCELLED);
}

static void control_keys_delete_words_and_the_ends_of_the_line(void **state)
{
	(void)state;
	press("hold 12  34  <C-w>");
	assert_line("hold 12  ", 9);
	press("<C-w>");
	assert_line("hold ", 5);
	press("x<C-b><C-b><C-k>");
	assert_line("hold", 4);
	press("<Left><C-u>");
	assert_line("d", 0);
	press("<C-f><C-d>y<C-e>");
	assert_line("dy", 2);
}

static void escape_ctrl_c_and_ctrl_g_cancel(void **state)
{
	(void)state;
	press("x");
	assert_int_equal(press("<Esc>"), PROMPT_CANCELLED);
	assert_int_equal(press("<C-c>"), PROMPT_CANCELLED);
	assert_int_equal(press("<C-g>"), PROMPT_CANCELLED);
}

static void unassigned_keys_change_nothing(void **state)
{
	(void)state;
	press("abc");
	assert_int_equal(press("<F5><PgUp><C-t><A-x><Ins>"), PROMPT_MOVED);
	assert_line("abc", 3);
}

static void the_history_offers_lines_with_the_same_beginning(void **state)
{
	(void)state;
	prompt_history_add(&history, "hold 1");
	prompt_history_add(&history, "why 1");
	prompt_history_add(&history, "hold 2");
	prompt_history_add(&history, "hold 1");
	prompt_history_add(&history, "");
	assert_int_equal(history.count, 3);
	press("ho<Up>");
	assert_line("hold 1", 6);
	press("<Up>");
	assert_line("hold 2", 6);
	assert_int_equal(press("<Up>"), PROMPT_MOVED);
	press("<Down><Down>");
	assert_line("ho", 2);
	assert_int_equal(press("<Down>"), PROMPT_MOVED);
	press("<C-p>!");
	assert_line("hold 1!", 7);
	press("<C-u>w<C-p>");
	assert_line("why 1", 5);
}

static void the_history_drops_its_oldest_lines(void **state)
{
	char line[16];

	(void)state;
	for (int i = 0; i < PROMPT_HISTORY_MAX + 10; i++) {
		snprintf(line, sizeof line, "%d", i);
		prompt_history_add(&history, line);
	}
	assert_int_equal(history.count, PROMPT_HISTORY_MAX);
	assert_string_equal(history.line[0], "10");
}

static int complete_calls;

static void complete_job(void *self, const char *line, size_t cursor, struct prompt_choices *out)
{
	(void)self;
	complete_calls++;
	out->from = cursor;
	while (out->from > 0 && line[out->from - 1] != ' ')
		out->from--;
	if (line[out->from] == 'w')
		prompt_choice_add(out, "why");
	if (line[out->from] == 'p')
		prompt_choice_add(out, "priority=");
	if (line[out->from] == '9') {
		prompt_choice_add(out, "900991");
		prompt_choice_add(out, "900992");
	}
}

static void tab_cycles_through_the_candidates(void **state)
{
	(void)state;
	complete_calls = 0;
	prompt.complete = complete_job;
	press("why 9 now<Left><Left><Left><Left><Tab>");
	assert_line("why 900991 now", 10);
	press("<Tab>");
	assert_line("why 900992 now", 10);
	press("<Tab>");
	assert_line("why 9 now", 5);
	press("<S-Tab>");
	assert_line("why 900992 now", 10);
	assert_int_equal(complete_calls, 1);
	press("x");
	assert_line("why 900992x now", 11);
	assert_int_equal(press("<C-u>z<Tab>"), PROMPT_MOVED);
	assert_line("z now", 1);
}

static void a_single_candidate_is_inserted_with_a_blank(void **state)
{
	(void)state;
	prompt.complete = complete_job;
	press("w<Tab>");
	assert_line("why ", 4);
	press("9<Tab>");
	assert_line("why 900991", 10);
	press("<C-u>p<Tab>");
	assert_line("priority=", 9);
	press("<C-u>w 9<Left><Left><Tab>");
	assert_line("why 9", 3);
}

static void pasted_text_is_inserted_without_control_characters(void **state)
{
	static const char text[] = "hold 1\nquit\t\033[A\x01\xFF日";

	(void)state;
	press("<lt>><Left>");
	assert_int_equal(prompt_paste(&prompt, text, sizeof text - 1), PROMPT_CHANGED);
	assert_line("<hold 1 quit [A日>", 18);
	assert_int_equal(prompt_paste(&prompt, "\033", 1), PROMPT_MOVED);
}

static void input_that_makes_the_line_too_long_is_ignored(void **state)
{
	char text[PROMPT_TEXT_MAX];

	(void)state;
	memset(text, 'a', sizeof text);
	press("b");
	assert_int_equal(prompt_paste(&prompt, text, sizeof text), PROMPT_MOVED);
	assert_line("b", 1);
	prompt_paste(&prompt, text, sizeof text - 1);
	assert_int_equal(prompt.line.len, PROMPT_TEXT_MAX);
	press("c");
	assert_int_equal(prompt.line.len, PROMPT_TEXT_MAX);
}

static void the_line_scrolls_to_show_the_cursor(void **state)
{
	struct canvas canvas = {0};

	(void)state;
	canvas_resize(&canvas, 10, 1);
	press("0123456789日x");
	prompt_draw(&prompt, &canvas, canvas_rect(&canvas));
	assert_drawn(&canvas, ":56789日x\n");
	assert_int_equal(canvas.caret_x, 9);
	assert_int_equal(canvas.caret_y, 0);
	press("<Home>");
	prompt_draw(&prompt, &canvas, canvas_rect(&canvas));
	assert_drawn(&canvas, ":012345678\n");
	assert_int_equal(canvas.caret_x, 1);
	canvas_free(&canvas);
}

static void candidates_are_shown_above_the_line(void **state)
{
	struct canvas canvas = {0};

	(void)state;
	prompt.complete = complete_job;
	canvas_resize(&canvas, 20, 3);
	press("9<Tab><Tab>");
	prompt_draw(&prompt, &canvas, canvas_rect(&canvas));
	assert_drawn(&canvas, "\n"
			      "900991  900992\n"
			      ":900992\n");
	assert_int_equal(canvas_at(&canvas, 0, 1)->role, ROLE_CANDIDATE);
	assert_int_equal(canvas_at(&canvas, 8, 1)->role, ROLE_CANDIDATE_CHOSEN);
	canvas_resize(&canvas, 8, 2);
	prompt_draw(&prompt, &canvas, canvas_rect(&canvas));
	assert_drawn(&canvas, "900992\n:900992\n");
	canvas_free(&canvas);
}

static void random_keys_keep_the_cursor_in_the_line_on_any_size(void **state)
{
	static const char *const keys[] = {"a",      " ",     "日",    "<Left>", "<Right>", "<BS>",
					   "<Del>",  "<C-w>", "<Up>",  "<Down>", "<Tab>",   "<S-Tab>",
					   "<Home>", "<End>", "<C-k>", "9",      "\xCC\x81"};
	struct rng rng = seeded("random_keys_keep_the_cursor_in_the_line_on_any_size");
	struct canvas canvas = {0};

	(void)state;
	prompt.complete = complete_job;
	for (int i = 0; i < 5000; i++) {
		press(keys[rng_below(&rng, sizeof keys / sizeof keys[0])]);
		assert_true(prompt.cursor <= prompt.line.len);
		if (rng_below(&rng, 20) == 0)
			prompt_history_add(&history, prompt_line(&prompt));
		canvas_resize(&canvas, (int)rng_below(&rng, 12), (int)rng_below(&rng, 3));
		prompt_draw(&prompt, &canvas, canvas_rect(&canvas));
		assert_true(canvas.caret_x < canvas.w);
		assert_true(canvas.w < 2 || canvas.h < 1 || canvas.caret_x >= 1);
	}
	canvas_free(&canvas);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(characters_are_inserted_at_the_cursor),
		TEST(deleting_takes_whole_graphemes),
		TEST(control_keys_delete_words_and_the_ends_of_the_line),
		TEST(escape_ctrl_c_and_ctrl_g_cancel),
		TEST(unassigned_keys_change_nothing),
		TEST(the_history_offers_lines_with_the_same_beginning),
		TEST(the_history_drops_its_oldest_lines),
		TEST(tab_cycles_through_the_candidates),
		TEST(a_single_candidate_is_inserted_with_a_blank),
		TEST(pasted_text_is_inserted_without_control_characters),
		TEST(input_that_makes_the_line_too_long_is_ignored),
		TEST(the_line_scrolls_to_show_the_cursor),
		TEST(candidates_are_shown_above_the_line),
		TEST(random_keys_keep_the_cursor_in_the_line_on_any_size),
	};

	return cmocka_run_group_tests_name("prompt", tests, NULL, NULL);
}
