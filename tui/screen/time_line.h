/* SPDX-License-Identifier: MIT */
/*
 * time_line.h - time line from a past time to now
 */
#ifndef SCREEN_TIME_LINE_H
#define SCREEN_TIME_LINE_H

#include <stdint.h>

#include "tui/draw/canvas.h"

#define TIME_LINE_H 2

/*
 * Draws a time line that ends at now_s, with ^ at the position of at_s and labels of hours or days below. Its
 * length is the shortest of 1 h, 4 h, 12 h, ... that reaches back to at_s.
 */
void time_line_draw(struct canvas *c, struct rect r, int64_t at_s, int64_t now_s);

#endif
