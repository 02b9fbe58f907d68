/* SPDX-License-Identifier: MIT */
/*
 * test_meter.c - lengths of bars and graphs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "tests/drawn.h"
#include "tests/seed.h"
#include "tui/draw/meter.h"

static struct canvas canvas;

static int free_canvas(void **state)
{
	(void)state;
	canvas_free(&canvas);
	return 0;
}

static struct rect make_line(int w, bool ascii)
{
	canvas_free(&canvas);
	canvas_resize(&canvas, w, 1);
	canvas.ascii = ascii;
	return canvas_rect(&canvas);
}

static void draw_bar(int w, bool ascii, const struct meter *meter)
{
	struct rect line = make_line(w, ascii);

	meter_draw(&canvas, line, 0, meter);
}

static void a_bar_has_its_label_parts_and_number(void **state)
{
	struct meter meter = {
		.label = "Procs", .label_width = 5, .part = {50, 25, 25}, .total = 200, .text = "50/200"};

	(void)state;
	draw_bar(28, true, &meter);
	assert_drawn(&canvas, "Procs [|||||:::xx    50/200]\n");
	assert_int_equal(canvas_at(&canvas, 7, 0)->role, ROLE_METER_USED);
	assert_int_equal(canvas_at(&canvas, 12, 0)->role, ROLE_METER_RESERVED);
	assert_int_equal(canvas_at(&canvas, 15, 0)->role, ROLE_METER_DOWN);
	draw_bar(28, false, &meter);
	assert_drawn(&canvas, "Procs [█████▒▒▒××    50/200]\n");
}

static void a_narrow_bar_omits_its_number_and_then_its_label(void **state)
{
	struct meter meter = {.label = "Procs", .label_width = 5, .part = {1}, .total = 2, .text = "1/2"};

	(void)state;
	draw_bar(10, true, &meter);
	assert_drawn(&canvas, "Procs [| ]\n");
	draw_bar(9, true, &meter);
	assert_drawn(&canvas, "[||| 1/2]\n");
	draw_bar(4, true, &meter);
	assert_drawn(&canvas, "[| ]\n");
	draw_bar(3, true, &meter);
	assert_drawn(&canvas, "\n");
}

static void a_full_bar_has_no_gap_and_any_number_can_be_drawn(void **state)
{
	static const double numbers[] = {0, -5, 1e300, NAN, INFINITY, -INFINITY, 0.5};

	(void)state;
	draw_bar(12, true, &(struct meter){.label = "", .part = {1, 1, 1}, .total = 3, .text = ""});
	assert_drawn(&canvas, "[|||::::xxx]\n");
	for (size_t a = 0; a < 7; a++)
		for (size_t b = 0; b < 7; b++)
			draw_bar(12, true,
				 &(struct meter){.label = "",
						 .part = {numbers[a], numbers[b]},
						 .total = numbers[a],
						 .text = ""});
}

static void the_knob_of_a_slider_is_in_proportion_to_its_value(void **state)
{
	struct rect line = make_line(20, true);

	(void)state;
	assert_int_equal(meter_slider(&canvas, line, 0, 0, 20, 0, 0, 50), 20);
	assert_drawn(&canvas, "[|-----------------]\n");
	meter_slider(&canvas, line, 0, 0, 20, 50, 0, 50);
	assert_drawn(&canvas, "[-----------------|]\n");
	meter_slider(&canvas, line, 0, 0, 20, 10, 0, 24);
	assert_drawn(&canvas, "[-------|----------]\n");
	meter_slider(&canvas, line, 0, 0, 20, 1e9, 0, 24);
	assert_drawn(&canvas, "[-----------------|]\n");
	meter_slider(&canvas, line, 0, 0, 20, NAN, 5, 5);
	assert_drawn(&canvas, "[|-----------------]\n");
	line = make_line(5, false);
	meter_slider(&canvas, line, 0, 0, 5, 1, 0, 2);
	assert_drawn(&canvas, "[─┃─]\n");
}

static void a_graph_has_eight_heights(void **state)
{
	static const double values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, -1, NAN};
	struct rect line = make_line(12, false);

	(void)state;
	assert_int_equal(meter_spark(&canvas, line, 0, 0, values, 11, 0), 11);
	assert_drawn(&canvas, " ▁▂▃▄▅▆▇█\n");
	line = make_line(12, true);
	meter_spark(&canvas, line, 0, 0, values, 9, 16);
	assert_drawn(&canvas, " ....::::\n");
}

static void shares_fill_the_width_by_largest_remainder(void **state)
{
	/* parts as on the priority screen: fairshare, queue time, xfactor, resources */
	struct share_part parts[] = {{-6790, ROLE_SHARE_FS},
				     {3730, ROLE_SHARE_QUEUETIME},
				     {7217, ROLE_SHARE_XFACTOR},
				     {800, ROLE_SHARE_RES}};
	struct rect line = make_line(20, true);

	(void)state;
	assert_int_equal(meter_share(&canvas, line, 0, 0, 14, parts, 4), 14);
	assert_drawn(&canvas, "fffffqqqxxxxxr\n");
	assert_int_equal(canvas_at(&canvas, 5, 0)->role, ROLE_SHARE_QUEUETIME);
	line = make_line(20, true);
	assert_int_equal(meter_share(&canvas, line, 0, 0, 5, (struct share_part[]){{0, ROLE_SHARE_FS}}, 1),
			 5);
	assert_drawn(&canvas, "\n");
}

static void any_shares_fill_any_width(void **state)
{
	struct rng rng = seeded("any_shares_fill_any_width");

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct share_part parts[5];
		int width = (int)rng_below(&rng, 60);
		struct rect line = make_line(60, true);
		struct str text = {0};

		for (size_t k = 0; k < 5; k++)
			parts[k] = (struct share_part){1 + rng_unit(&rng) * 1000, ROLE_SHARE_FS};
		meter_share(&canvas, line, 0, 0, width, parts, 5);
		canvas_dump(&canvas, &text);
		assert_int_equal(strspn(str_text(&text), "f"), width);
		str_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bar_has_its_label_parts_and_number),
		cmocka_unit_test(a_narrow_bar_omits_its_number_and_then_its_label),
		cmocka_unit_test(a_full_bar_has_no_gap_and_any_number_can_be_drawn),
		cmocka_unit_test(the_knob_of_a_slider_is_in_proportion_to_its_value),
		cmocka_unit_test(a_graph_has_eight_heights),
		cmocka_unit_test(shares_fill_the_width_by_largest_remainder),
		cmocka_unit_test(any_shares_fill_any_width),
	};

	return cmocka_run_group_tests_name("meter", tests, NULL, free_canvas);
}
