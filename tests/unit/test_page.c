/* SPDX-License-Identifier: MIT */
/*
 * test_page.c - pages: building, scrolling, drawing
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/screen/page.h"

static void assert_drawn(struct page *p, int w, int h, const char *expected)
{
	struct canvas c = {.ascii = true};
	struct str text = {0};

	canvas_resize(&c, w, h);
	page_draw(p, &c, canvas_rect(&c));
	canvas_dump(&c, &text);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
	canvas_free(&c);
}

static struct page make_page(int lines)
{
	struct page p = {0};

	for (int i = 1; i <= lines; i++) {
		page_line(&p);
		page_addf(&p, ROLE_TEXT, "line %d", i);
	}
	return p;
}

static void text_is_placed_in_its_column(void **state)
{
	struct page p = {0};

	(void)state;
	page_line(&p);
	page_add(&p, ROLE_TEXT, "ab");
	page_at(&p, 5);
	page_add(&p, ROLE_DIM, "cd");
	page_line(&p);
	page_add(&p, ROLE_TEXT, "longer than");
	page_at(&p, 5);
	page_add(&p, ROLE_TEXT, "it");
	assert_drawn(&p, 20, 2, "ab   cd\nlonger than it\n");
	page_free(&p);
}

static void hidden_lines_below_are_counted(void **state)
{
	struct page p = make_page(5);

	(void)state;
	assert_drawn(&p, 16, 3, "line 1\nline 2\nline 3   +2 more\n");
	page_free(&p);
}

static void scrolling_stops_at_the_ends(void **state)
{
	struct page p = make_page(5);

	(void)state;
	assert_drawn(&p, 16, 3, "line 1\nline 2\nline 3   +2 more\n");
	page_move(&p, 1);
	assert_int_equal(p.top, 1);
	page_move(&p, 100);
	assert_drawn(&p, 16, 3, "line 3\nline 4\nline 5\n");
	page_move(&p, -100);
	assert_int_equal(p.top, 0);
	page_end(&p);
	assert_int_equal(p.top, 2);
	page_home(&p);
	assert_int_equal(p.top, 0);
	page_free(&p);
}

static void scrolling_is_reset_for_a_shorter_text(void **state)
{
	struct page p = make_page(9);

	(void)state;
	assert_drawn(&p, 8, 3, "line 1\nline 2\n +6 more\n");
	page_end(&p);
	page_clear(&p);
	page_line(&p);
	page_add(&p, ROLE_TEXT, "all");
	assert_drawn(&p, 8, 2, "all\n\n");
	page_free(&p);
}

static void a_page_that_follows_stays_at_its_end(void **state)
{
	struct page p = make_page(5);

	(void)state;
	p.follows = true;
	page_end(&p);
	assert_drawn(&p, 8, 3, "line 3\nline 4\nline 5\n");
	assert_drawn(&p, 8, 2, "line 4\nline 5\n");
	page_line(&p);
	page_add(&p, ROLE_TEXT, "line 6");
	assert_drawn(&p, 8, 3, "line 4\nline 5\nline 6\n");
	page_free(&p);
}

static void a_page_that_was_scrolled_up_does_not_follow_its_end(void **state)
{
	struct page p = make_page(5);

	(void)state;
	p.follows = true;
	page_end(&p);
	assert_drawn(&p, 16, 3, "line 3\nline 4\nline 5\n");
	page_move(&p, -1);
	assert_drawn(&p, 16, 3, "line 2\nline 3\nline 4   +1 more\n");
	assert_drawn(&p, 16, 2, "line 2\nline 3         ~\n");
	page_move(&p, 100);
	assert_drawn(&p, 16, 1, "line 5\n");
	page_free(&p);
}

static void sentences_break_at_blanks(void **state)
{
	struct page p = {0};

	(void)state;
	page_wrap(&p, ROLE_TEXT, 1, 10, "needs 12 processors and 4 are free");
	assert_drawn(&p, 12, 4, " needs 12\n processors\n and 4 are\n free\n");
	page_free(&p);
}

static void a_word_too_long_is_cut_into_pieces(void **state)
{
	struct page p = {0};

	(void)state;
	page_wrap(&p, ROLE_TEXT, 0, 4, "abcdefghij");
	assert_drawn(&p, 6, 3, "abcd\nefgh\nij\n");
	page_clear(&p);
	page_wrap(&p, ROLE_TEXT, 0, 0, "ab");
	assert_int_equal(p.lines, 2);
	page_free(&p);
}

static void an_area_without_room_is_empty_or_a_mark(void **state)
{
	struct page p = make_page(3);

	(void)state;
	assert_drawn(&p, 0, 0, "");
	assert_drawn(&p, 1, 1, "~\n");
	page_free(&p);
}

static void a_line_that_is_too_long_is_truncated_with_a_mark(void **state)
{
	struct page p = {0};

	(void)state;
	page_add(&p, ROLE_TEXT, "a long line");
	assert_drawn(&p, 8, 1, "a long ~\n");
	assert_drawn(&p, 11, 1, "a long line\n");
	page_free(&p);
}

static void text_covered_by_the_count_of_hidden_lines_is_marked(void **state)
{
	struct page p = make_page(5);

	(void)state;
	assert_drawn(&p, 13, 3, "line 1\nline 2\nline~ +2 more\n");
	page_free(&p);
}

static void with_less_than_three_rows_a_mark_shows_that_lines_are_hidden(void **state)
{
	struct page p = make_page(3);

	(void)state;
	assert_drawn(&p, 12, 2, "line 1\nline 2     ~\n");
	assert_drawn(&p, 12, 3, "line 1\nline 2\nline 3\n");
	page_free(&p);
}

static void a_remark_is_placed_beside_its_subject_or_below(void **state)
{
	struct page p = {0};

	(void)state;
	page_add(&p, ROLE_TEXT, "2 * 3 = 6");
	page_beside(&p, ROLE_DIM, 12, 24, "weight: line 9");
	assert_drawn(&p, 30, 2, "2 * 3 = 6\n     weight: line 9\n");
	page_clear(&p);
	page_add(&p, ROLE_TEXT, "2 * 3 = 6");
	page_beside(&p, ROLE_DIM, 12, 26, "weight: line 9");
	assert_drawn(&p, 30, 2, "2 * 3 = 6   weight: line 9\n\n");
	page_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_placed_in_its_column),
		cmocka_unit_test(hidden_lines_below_are_counted),
		cmocka_unit_test(scrolling_stops_at_the_ends),
		cmocka_unit_test(scrolling_is_reset_for_a_shorter_text),
		cmocka_unit_test(a_page_that_follows_stays_at_its_end),
		cmocka_unit_test(a_page_that_was_scrolled_up_does_not_follow_its_end),
		cmocka_unit_test(sentences_break_at_blanks),
		cmocka_unit_test(a_word_too_long_is_cut_into_pieces),
		cmocka_unit_test(an_area_without_room_is_empty_or_a_mark),
		cmocka_unit_test(a_line_that_is_too_long_is_truncated_with_a_mark),
		cmocka_unit_test(text_covered_by_the_count_of_hidden_lines_is_marked),
		cmocka_unit_test(with_less_than_three_rows_a_mark_shows_that_lines_are_hidden),
		cmocka_unit_test(a_remark_is_placed_beside_its_subject_or_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
