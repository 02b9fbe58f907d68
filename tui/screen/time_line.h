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
 * Draws a time line up to now_s that contains at_s, with ^ at its position and hours or days below. The
 * length is the first of 1 h, 4 h, 1 d, ... that is sufficient.
 */
void time_line_draw(struct canvas *c, struct rect r, int64_t at_s, int64_t now_s);

#endif
