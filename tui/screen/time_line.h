/* SPDX-License-Identifier: MIT */
/*
 * time_line.h - a line of time from a past moment to now
 */
#ifndef SCREEN_TIME_LINE_H
#define SCREEN_TIME_LINE_H

#include <stdint.h>

#include "tui/draw/canvas.h"

#define TIME_LINE_H 2

/*
 * Draws the stretch of time up to now_s in which at_s lies, a line with ^ at its place and the hours or days
 * below it: 1 h, 4 h, 1 d, ... whichever is the first that is long enough.
 */
void time_line_draw(struct canvas *c, struct rect r, int64_t at_s, int64_t now_s);

#endif
