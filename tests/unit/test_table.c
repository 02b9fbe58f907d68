/* SPDX-License-Identifier: MIT */
/*
 * test_table.c - lists: rows, cursor, marks
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "tests/drawn.h"
#include "tests/seed.h"
#include "tui/draw/table.h"

/* --- sets of row keys --------------------------------------------------------------------------------- */

static void a_key_toggled_twice_is_removed(void **state)
{
	struct keyset set = {0};

	(void)state;
	keyset_toggle(&set, 7);
	keyset_toggle(&set, 3);
	assert_true(keyset_has(&set, 7) && keyset_has(&set, 3));
	keyset_toggle(&set, 7);
	assert_false(keyset_has(&set, 7));
	assert_int_equal(set.count, 1);
	keyset_free(&set);
}

static void appended_keys_are_sorted_without_duplicates(void **state)
{
	static const uint64_t given[] = {5, UINT64_MAX, 0, 5, 2, 0};
	static const uint64_t sorted[] = {0, 2, 5, UINT64_MAX};
	struct keyset set = {0};

	(void)state;
	for (size_t i = 0; i < 6; i++)
		keyset_append(&set, given[i]);
	keyset_settle(&set);
	assert_int_equal(set.count, 4);
	assert_memory_equal(set.key, sorted, sizeof sorted);
	keyset_clear(&set);
	assert_false(keyset_has(&set, 5));
	keyset_free(&set);
}

static void random_toggling_agrees_with_a_plain_array(void **state)
{
	struct rng rng = seeded("random_toggling_agrees_with_a_plain_array");
	bool in[64] = {false};
	struct keyset set = {0};

	(void)state;
	for (int i = 0; i < 2000; i++) {
		uint64_t key = rng_below(&rng, 64);

		in[key] = !in[key];
		keyset_toggle(&set, key);
		for (uint64_t k = 0; k < 64; k++)
			assert_int_equal(keyset_has(&set, k), in[k]);
	}
	keyset_free(&set);
}

/* --- lists: rows, cursor, marks ----------------------------------------------------------------------- */

/* Rows of a table, one for each key; a key of 0 is the heading of a section. */
struct rows {
	uint64_t key[64];
	size_t count;
	size_t cells_requested; /* number of cells requested */
};

static uint64_t key_of(void *self, size_t row)
{
	return ((struct rows *)self)->key[row];
}

static bool is_section(void *self, size_t row)
{
	return ((struct rows *)self)->key[row] == 0;
}

static enum role cell_of(void *self, size_t row, size_t column, struct str *text)
{
	struct rows *rows = self;

	rows->cells_requested++;
	if (rows->key[row] == 0) {
		if (column == TABLE_LABEL)
			str_add(text, "IDLE");
		else if (column == 2)
			str_add(text, "LEFT");
		return ROLE_SECTION;
	}
	if (column == 0)
		str_addf(text, "%d", (int)rows->key[row]);
	else
		str_addf(text, column == 1 ? "user%d" : "why %d", (int)rows->key[row]);
	return ROLE_TEXT;
}

static const struct table_column columns[] = {
	{.title = "JOB", .min = 4, .align = TEXT_RIGHT},
	{.title = "USER", .min = 5, .max = 8, .drop = 2},
	{.title = "WHY", .min = 6, .flexible = true, .drop = 1},
};

static struct table table;

static struct canvas canvas;

static struct rows rows;

static int begin(void **state)
{
	(void)state;
	table_init(&table, columns, 3);
	rows = (struct rows){.count = 0};
	return 0;
}

static int end(void **state)
{
	(void)state;
	table_free(&table);
	canvas_free(&canvas);
	return 0;
}

static void set_rows(size_t count, const uint64_t *keys)
{
	struct table_source source = {
		.self = &rows, .rows = count, .key = key_of, .is_section = is_section, .cell = cell_of};

	memcpy(rows.key, keys, count * sizeof *keys);
	rows.count = count;
	table_update(&table, &source);
}

#define SET_ROWS(...)                                                                                        \
	set_rows(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (const uint64_t[]){__VA_ARGS__})

static void draw(int w, int h)
{
	canvas_free(&canvas);
	canvas_resize(&canvas, w, h);
	canvas.ascii = true;
	table_draw(&table, &canvas, canvas_rect(&canvas));
}

static uint64_t cursor_key(void)
{
	uint64_t key = 0;

	assert_true(table_key(&table, &key));
	return key;
}

static void header_sections_rows_and_hidden_row_count_are_drawn(void **state)
{
	(void)state;
	SET_ROWS(0, 11, 12, 0, 13, 14, 15, 16);
	table_move(&table, 1);
	table_mark_toggle(&table);
	table_move(&table, -1);
	draw(30, 7);
	assert_drawn(&canvas, "   JOB USER     WHY\n"
			      "IDLE ---------- LEFT ---------\n"
			      ">   11 user11   why 11\n"
			      " *  12 user12   why 12\n"
			      "IDLE ---------- LEFT ---------\n"
			      "    13 user13   why 13\n"
			      "  +3 more\n");
	assert_int_equal(canvas_at(&canvas, 10, 2)->over, ROLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 10, 3)->over, ROLE_MARK);
	assert_int_equal(canvas_at(&canvas, 10, 5)->over, CELL_NO_OVERLAY);
}

static void columns_are_dropped_in_order_on_narrow_screens(void **state)
{
	(void)state;
	SET_ROWS(11);
	table.sorted_by = 0;
	table.descending = true;
	draw(19, 2);
	assert_drawn(&canvas, "  JOBv USER  WHY\n>   11 user~ why 11\n");
	draw(18, 2);
	assert_drawn(&canvas, "  JOBv WHY\n>   11 why 11\n");
	draw(10, 2);
	assert_drawn(&canvas, "  JOBv\n>   11\n");
	draw(4, 2);
	assert_drawn(&canvas, "  JO\n>\n");
}

static void the_sort_mark_cuts_a_title_that_fills_its_column(void **state)
{
	static const struct table_column narrow[] = {{.title = "ABCD", .min = 4}, {.title = "E", .min = 4}};

	(void)state;
	table_init(&table, narrow, 2);
	SET_ROWS(1);
	table.sorted_by = 0;
	draw(12, 2);
	assert_drawn(&canvas, "  AB~^ E\n> 1    use~\n");
}

static void the_cursor_stays_on_its_key_and_line(void **state)
{
	(void)state;
	SET_ROWS(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
	draw(30, 6);
	table_move(&table, 5);
	draw(30, 6);
	assert_int_equal(cursor_key(), 6);
	assert_int_equal(table.cursor - table.top, 3);
	SET_ROWS(0, 9, 8, 7, 6, 5, 0, 4, 3, 2, 1);
	draw(30, 6);
	assert_int_equal(cursor_key(), 6);
	assert_int_equal(table.cursor, 4);
	assert_int_equal(table.cursor - table.top, 3);
}

static void the_cursor_keeps_its_row_number_if_its_key_is_removed(void **state)
{
	(void)state;
	SET_ROWS(1, 2, 3, 4);
	table_move(&table, 2);
	SET_ROWS(1, 2, 4, 5);
	assert_int_equal(cursor_key(), 4);
	SET_ROWS(1, 2);
	assert_int_equal(cursor_key(), 2);
	SET_ROWS(0, 7, 0);
	assert_int_equal(cursor_key(), 7);
	SET_ROWS(0);
	assert_false(table_key(&table, &(uint64_t){0}));
	set_rows(0, (const uint64_t[]){0});
	assert_false(table_key(&table, &(uint64_t){0}));
	draw(20, 5);
	SET_ROWS(0, 5);
	assert_int_equal(cursor_key(), 5);
}

static void moving_skips_sections_and_stops_at_the_ends(void **state)
{
	(void)state;
	SET_ROWS(0, 1, 0, 0, 2, 3);
	assert_int_equal(cursor_key(), 1);
	table_move(&table, -1);
	assert_int_equal(cursor_key(), 1);
	table_move(&table, 1);
	assert_int_equal(cursor_key(), 2);
	table_move(&table, 100);
	assert_int_equal(cursor_key(), 3);
	table_home(&table);
	assert_int_equal(cursor_key(), 1);
	table_end(&table);
	assert_int_equal(cursor_key(), 3);
}

static void pages_keep_the_cursor_on_its_line(void **state)
{
	uint64_t keys[60];

	(void)state;
	for (size_t i = 0; i < 60; i++)
		keys[i] = i + 1;
	set_rows(60, keys);
	draw(20, 12); /* 11 lines, the last of which shows the number of rows below */
	table_move(&table, 3);
	table_page(&table, 2);
	draw(20, 12);
	assert_int_equal(cursor_key(), 14);
	assert_int_equal(table.cursor - table.top, 3);
	table_page(&table, -1);
	assert_int_equal(cursor_key(), 9);
	table_page(&table, -9);
	draw(20, 12);
	assert_int_equal(cursor_key(), 1);
	assert_int_equal(table.top, 0);
}

static void the_last_rows_fill_the_screen(void **state)
{
	(void)state;
	SET_ROWS(1, 2, 3, 4, 5, 6, 7);
	table_end(&table);
	draw(17, 5);
	assert_drawn(&canvas, "   JOB WHY\n     4 why 4\n     5 why 5\n     6 why 6\n>    7 why 7\n");
	draw(20, 20);
	assert_int_equal(table.top, 0);
}

static void the_heading_above_the_first_row_is_scrolled_into_view(void **state)
{
	(void)state;
	SET_ROWS(0, 1, 2, 3, 4, 5, 6, 7);
	table_end(&table);
	draw(20, 5);
	table_home(&table);
	draw(20, 5);
	assert_int_equal(table.top, 0);
	table_end(&table);
	draw(20, 5);
	table_move(&table, -6);
	draw(20, 5);
	assert_int_equal(table.top, 0);
}

static bool is_even(void *self, size_t row)
{
	return key_of(self, row) % 2 == 0;
}

static bool never(void *self, size_t row)
{
	(void)self;
	(void)row;
	return false;
}

static void a_search_wraps_around(void **state)
{
	(void)state;
	SET_ROWS(0, 1, 2, 3, 4, 5);
	assert_true(table_search(&table, 1, is_even));
	assert_int_equal(cursor_key(), 2);
	assert_true(table_search(&table, 1, is_even));
	assert_int_equal(cursor_key(), 4);
	assert_true(table_search(&table, 1, is_even));
	assert_int_equal(cursor_key(), 2);
	assert_true(table_search(&table, -1, is_even));
	assert_int_equal(cursor_key(), 4);
	assert_false(table_search(&table, 1, never));
	assert_int_equal(cursor_key(), 4);
	assert_true(table_go(&table, 5));
	assert_false(table_go(&table, 77));
	assert_int_equal(cursor_key(), 5);
}

static void marks_are_kept_by_key_when_rows_change(void **state)
{
	(void)state;
	SET_ROWS(0, 1, 2, 3, 0, 4, 5);
	assert_true(table_mark_range(&table, 5, 3));
	assert_int_equal(table.marked.count, 3);
	assert_false(table_mark_range(&table, 5, 99));
	SET_ROWS(5, 1);
	assert_true(keyset_has(&table.marked, 4));
	table_mark_all(&table);
	assert_int_equal(table.marked.count, 4);
	table_go(&table, 5);
	table_mark_toggle(&table);
	assert_false(keyset_has(&table.marked, 5));
}

static void table_row_at_finds_rows_by_line(void **state)
{
	(void)state;
	SET_ROWS(0, 1, 2, 3, 4, 5);
	draw(20, 5);
	assert_int_equal(table_row_at(&table, 0), TABLE_NO_ROW);
	assert_int_equal(table_row_at(&table, 1), 0);
	assert_int_equal(table_row_at(&table, 3), 2);
	assert_int_equal(table_row_at(&table, 4), TABLE_NO_ROW);
	table_go_row(&table, 0);
	assert_int_equal(cursor_key(), 1);
	table_go_row(&table, 2);
	assert_int_equal(cursor_key(), 2);
}

static uint64_t row_number(void *self, size_t row)
{
	(void)self;
	return row + 1;
}

static enum role count_cells(void *self, size_t row, size_t column, struct str *text)
{
	(void)row;
	(void)column;
	++*(size_t *)self;
	str_add(text, "x");
	return ROLE_TEXT;
}

static void a_frame_requests_visible_cells_only(void **state)
{
	size_t cells_requested = 0;
	struct table_source source = {
		.self = &cells_requested, .rows = 100000, .key = row_number, .cell = count_cells};

	(void)state;
	table_update(&table, &source);
	table_go(&table, 50000);
	draw(60, 21);
	assert_int_equal(cells_requested, 19 * 3);
	assert_int_equal(cursor_key(), 50000);
}

/* The row of the cursor is always visible, and a scrolled table fills the screen. */
static void random_keys_on_any_size_keep_the_cursor_in_view(void **state)
{
	struct rng rng = seeded("random_keys_on_any_size_keep_the_cursor_in_view");

	(void)state;
	for (int i = 0; i < 3000; i++) {
		uint64_t keys[64];
		size_t count = (size_t)rng_below(&rng, 60);

		for (size_t k = 0; k < count; k++)
			keys[k] = rng_below(&rng, 5) == 0 ? 0 : k + 1 + rng_below(&rng, 3);
		if (rng_below(&rng, 3) == 0)
			set_rows(count, keys);
		table_move(&table, (int)rng_below(&rng, 9) - 4);
		if (rng_below(&rng, 4) == 0)
			table_page(&table, (int)rng_below(&rng, 5) - 2);
		draw((int)rng_below(&rng, 50), (int)rng_below(&rng, 20));
		if (table.body > 0 && table.cursor != TABLE_NO_ROW)
			assert_int_equal(table_row_at(&table, table.body_y + (int)(table.cursor - table.top)),
					 table.cursor);
		if (table.top > 0)
			assert_true(table.top + (size_t)table.body <= table.source.rows);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_toggled_twice_is_removed),
		cmocka_unit_test(appended_keys_are_sorted_without_duplicates),
		cmocka_unit_test(random_toggling_agrees_with_a_plain_array),
		cmocka_unit_test_setup_teardown(header_sections_rows_and_hidden_row_count_are_drawn, begin,
						end),
		cmocka_unit_test_setup_teardown(columns_are_dropped_in_order_on_narrow_screens, begin, end),
		cmocka_unit_test_setup_teardown(the_sort_mark_cuts_a_title_that_fills_its_column, begin, end),
		cmocka_unit_test_setup_teardown(the_cursor_stays_on_its_key_and_line, begin, end),
		cmocka_unit_test_setup_teardown(the_cursor_keeps_its_row_number_if_its_key_is_removed, begin,
						end),
		cmocka_unit_test_setup_teardown(moving_skips_sections_and_stops_at_the_ends, begin, end),
		cmocka_unit_test_setup_teardown(pages_keep_the_cursor_on_its_line, begin, end),
		cmocka_unit_test_setup_teardown(the_last_rows_fill_the_screen, begin, end),
		cmocka_unit_test_setup_teardown(the_heading_above_the_first_row_is_scrolled_into_view, begin,
						end),
		cmocka_unit_test_setup_teardown(a_search_wraps_around, begin, end),
		cmocka_unit_test_setup_teardown(marks_are_kept_by_key_when_rows_change, begin, end),
		cmocka_unit_test_setup_teardown(table_row_at_finds_rows_by_line, begin, end),
		cmocka_unit_test_setup_teardown(a_frame_requests_visible_cells_only, begin, end),
		cmocka_unit_test_setup_teardown(random_keys_on_any_size_keep_the_cursor_in_view, begin, end),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
