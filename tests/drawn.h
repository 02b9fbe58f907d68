/* SPDX-License-Identifier: MIT */
/*
 * drawn.h - does a canvas look as the test has drawn it?
 */
#ifndef TESTS_DRAWN_H
#define TESTS_DRAWN_H

#include "sched/base/str.h"
#include "tui/draw/canvas.h"

/* Compares all lines, blanks at their ends left out, with a text of lines. Needs cmocka.h before. */
static inline void assert_drawn(const struct canvas *c, const char *expected)
{
	struct str text = {0};

	canvas_dump(c, &text);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
}

#endif
