/* SPDX-License-Identifier: MIT */
/* test_canvas.c - unit tests of drawing into a grid of character cells */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/drawn.h"
#include "tests/seed.h"
#include "tui/draw/canvas.h"

static struct canvas canvas;

static int teardown(void **state)
{
	(void)state;
	canvas_free(&canvas);
	return 0;
}

static struct rect resized(int w, int h)
{
	canvas_free(&canvas);
	canvas_resize(&canvas, w, h);
	return canvas_rect(&canvas);
}

static void text_is_clipped_at_the_rect(void **state)
{
	struct rect all = resized(10, 3);
	struct rect box = {2, 1, 5, 1};

	(void)state;
	assert_int_equal(canvas_put(&canvas, box, 0, 0, ROLE_TEXT, "abcdefgh"), 8);
	canvas_put(&canvas, box, 0, 1, ROLE_TEXT, "below");
	canvas_put(&canvas, box, 0, -1, ROLE_TEXT, "above");
	canvas_put(&canvas, box, -2, 0, ROLE_TEXT, "xyz");
	canvas_put(&canvas, all, 8, 2, ROLE_TEXT, "edge");
	assert_drawn(&canvas, "\n"
			      "  zbcde\n"
			      "        ed\n");
}

static void drawing_continues_at_the_end_of_a_text(void **state)
{
	struct rect all = resized(20, 1);
	int x = 0;

	(void)state;
	x += canvas_put(&canvas, all, x, 0, ROLE_TEXT, "日本");
	x += canvas_putf(&canvas, all, x, 0, ROLE_TEXT, " %d%%", 97);
	x += canvas_glyph(&canvas, all, x, 0, ROLE_RULE, GLYPH_VLINE);
	canvas_put_right(&canvas, all, 0, ROLE_TEXT, "right");
	assert_int_equal(x, 9);
	assert_drawn(&canvas, "日本 97%│      right\n");
}

static void wide_characters_are_never_cut_in_half(void **state)
{
	struct rect all = resized(6, 5);

	(void)state;
	for (int y = 0; y < 3; y++)
		canvas_put(&canvas, all, 0, y, ROLE_TEXT, "日本語");
	canvas_put(&canvas, all, 3, 0, ROLE_TEXT, "x");
	canvas_put(&canvas, all, 2, 1, ROLE_TEXT, "x");
	canvas_put(&canvas, all, 1, 2, ROLE_TEXT, "国");
	canvas_put(&canvas, all, 5, 3, ROLE_TEXT, "日");
	canvas_put(&canvas, all, -1, 4, ROLE_TEXT, "日a");
	assert_drawn(&canvas, "日 x語\n"
			      "日x 語\n"
			      " 国 語\n"
			      "\n"
			      " a\n");
}

static void cells_keep_their_role_under_an_overlay(void **state)
{
	struct rect all = resized(4, 2);

	(void)state;
	canvas_put(&canvas, all, 0, 0, ROLE_ERROR, "ab");
	canvas_overlay(&canvas, (struct rect){1, 0, 99, 1}, ROLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 0, 0)->over, CELL_NO_OVERLAY);
	assert_int_equal(canvas_at(&canvas, 1, 0)->role, ROLE_ERROR);
	assert_int_equal(canvas_at(&canvas, 1, 0)->over, ROLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 3, 0)->over, ROLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 1, 1)->over, CELL_NO_OVERLAY);
	assert_null(canvas_at(&canvas, 4, 0));
	assert_null(canvas_at(&canvas, 0, -1));
}

static void an_overlay_covers_a_wide_character_as_a_whole(void **state)
{
	struct rect all = resized(8, 1);

	(void)state;
	canvas_put(&canvas, all, 1, 0, ROLE_TEXT, "日本語");
	canvas_overlay(&canvas, (struct rect){2, 0, 2, 1}, ROLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 1, 0)->over, CELL_NO_OVERLAY);
	assert_int_equal(canvas_at(&canvas, 2, 0)->over, CELL_NO_OVERLAY);
	assert_int_equal(canvas_at(&canvas, 3, 0)->over, ROLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 4, 0)->over, ROLE_CURSOR);
	assert_int_equal(canvas_at(&canvas, 5, 0)->over, CELL_NO_OVERLAY);
}

static void an_ascii_canvas_holds_ascii_only(void **state)
{
	struct rect all = resized(12, 2);
	struct str text = {0};

	(void)state;
	canvas.ascii = true;
	canvas_put(&canvas, all, 0, 0, ROLE_TEXT, "größe 日");
	canvas_rule(&canvas, all, 2, 1, ROLE_RULE);
	for (int glyph = 0; glyph < GLYPH_COUNT; glyph++)
		str_add(&text, glyph_text((enum glyph)glyph, true));
	assert_drawn(&canvas, "gr??e ??\n  ----------\n");
	for (size_t i = 0; i < text.len; i++)
		assert_true((unsigned char)text.data[i] < 0x80);
	assert_int_equal(text.len, GLYPH_COUNT);
	str_free(&text);
}

static void every_glyph_takes_one_cell(void **state)
{
	(void)state;
	for (int glyph = 0; glyph < GLYPH_COUNT; glyph++)
		assert_int_equal(text_width(glyph_text((enum glyph)glyph, false)), 1);
}

static void rects_are_cut_from_all_sides(void **state)
{
	struct rect r = {0, 0, 10, 6};
	struct rect top = rect_take_top(&r, 1), bottom = rect_take_bottom(&r, 2);
	struct rect left = rect_take_left(&r, 4), right = rect_take_right(&r, 99);

	(void)state;
	assert_memory_equal(&top, (&(struct rect){0, 0, 10, 1}), sizeof top);
	assert_memory_equal(&bottom, (&(struct rect){0, 4, 10, 2}), sizeof bottom);
	assert_memory_equal(&left, (&(struct rect){0, 1, 4, 3}), sizeof left);
	assert_memory_equal(&right, (&(struct rect){4, 1, 6, 3}), sizeof right);
	assert_int_equal(r.w, 0);
}

static bool same(const struct canvas *a, const struct canvas *b)
{
	return a->w == b->w && a->h == b->h && a->caret_x == b->caret_x && a->caret_y == b->caret_y &&
	       memcmp(a->cell, b->cell, (size_t)(a->w * a->h) * sizeof *a->cell) == 0;
}

static void a_copy_is_the_same_until_something_changes(void **state)
{
	struct canvas copy = {0};
	struct rect all = resized(8, 2);

	(void)state;
	canvas_put(&canvas, all, 0, 0, ROLE_TEXT, "hello");
	canvas_copy(&copy, &canvas);
	assert_true(same(&copy, &canvas));
	canvas_put(&copy, all, 0, 0, ROLE_DIM, "h");
	assert_false(same(&copy, &canvas));
	canvas_copy(&copy, &canvas);
	copy.caret_x = 3;
	assert_false(same(&copy, &canvas));
	canvas_free(&copy);
}

/* Every cell of width 2 is followed by one of width 0 with the same role and overlay, and no other cell has
 * width 0. */
static void assert_whole(const struct canvas *c)
{
	for (int y = 0; y < c->h; y++) {
		for (int x = 0; x < c->w; x++) {
			const struct cell *cell = canvas_at(c, x, y);
			int width = cell->width;

			assert_true(width <= 2);
			if (width == 2) {
				assert_true(x + 1 < c->w && cell[1].width == 0);
				assert_true(cell[1].role == cell->role && cell[1].over == cell->over);
			}
			if (width == 0)
				assert_true(x > 0 && canvas_at(c, x - 1, y)->width == 2);
		}
	}
}

static void random_drawing_on_any_size_leaves_whole_characters(void **state)
{
	struct rng rng = seeded("random_drawing_on_any_size_leaves_whole_characters");
	static const char *const texts[] = {"plain", "日本語", "e\xCC\x81\033\xFF", "", "😀x😀"};

	(void)state;
	for (int round = 0; round < 300; round++) {
		resized((int)rng_below(&rng, 12), (int)rng_below(&rng, 4));
		for (int i = 0; i < 20; i++) {
			struct rect r = {(int)rng_below(&rng, 16) - 4, (int)rng_below(&rng, 8) - 2,
					 (int)rng_below(&rng, 16) - 2, (int)rng_below(&rng, 6) - 1};
			int x = (int)rng_below(&rng, 16) - 4, y = (int)rng_below(&rng, 6) - 1;

			canvas_put(&canvas, r, x, y, ROLE_TEXT, texts[rng_below(&rng, 5)]);
			if (rng_below(&rng, 4) == 0)
				canvas_fill(&canvas, r, ROLE_DIM);
			canvas_rule(&canvas, r, x, y + 1, ROLE_RULE);
			canvas_overlay(&canvas, (struct rect){x, y, r.w, r.h}, ROLE_CURSOR);
			assert_whole(&canvas);
		}
	}
}

static void extreme_positions_draw_nothing(void **state)
{
	struct rect far = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
	struct rect wide = {INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX};

	(void)state;
	resized(3, 1);
	canvas_put(&canvas, far, INT32_MAX, INT32_MAX, ROLE_TEXT, "x");
	canvas_put(&canvas, wide, INT32_MIN, 0, ROLE_TEXT, "x");
	canvas_fill(&canvas, far, ROLE_TEXT);
	canvas_rule(&canvas, wide, INT32_MIN, 0, ROLE_TEXT);
	assert_drawn(&canvas, "\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_clipped_at_the_rect),
		cmocka_unit_test(drawing_continues_at_the_end_of_a_text),
		cmocka_unit_test(wide_characters_are_never_cut_in_half),
		cmocka_unit_test(cells_keep_their_role_under_an_overlay),
		cmocka_unit_test(an_overlay_covers_a_wide_character_as_a_whole),
		cmocka_unit_test(an_ascii_canvas_holds_ascii_only),
		cmocka_unit_test(every_glyph_takes_one_cell),
		cmocka_unit_test(rects_are_cut_from_all_sides),
		cmocka_unit_test(a_copy_is_the_same_until_something_changes),
		cmocka_unit_test(random_drawing_on_any_size_leaves_whole_characters),
		cmocka_unit_test(extreme_positions_draw_nothing),
	};

	return cmocka_run_group_tests_name("canvas", tests, NULL, teardown);
}
