/* SPDX-License-Identifier: MIT */
/* drawn.h - comparison of a canvas with lines of text */
#ifndef TESTS_DRAWN_H
#define TESTS_DRAWN_H

#include "sched/base/str.h"
#include "tui/draw/canvas.h"

/* Compares all lines, without trailing blanks. Include cmocka.h first. */
static inline void assert_drawn(const struct canvas *c, const char *expected)
{
	struct str text = {0};

	canvas_dump(c, &text);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
}

#endif
