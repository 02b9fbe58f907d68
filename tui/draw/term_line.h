/* SPDX-License-Identifier: MIT */
/*
 * term_line.h - is the line to the terminal alive, and which bytes may go over it?
 *
 * What term.c needs of file descriptors and of the locale, without curses.
 */
#ifndef DRAW_TERM_LINE_H
#define DRAW_TERM_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas.h"

struct str; /* sched/base/str.h */

/* Would a write be taken now? Not after ^S, on a dead or full line, or when it is gone. */
bool line_takes_output(int fd);
/* Is there an end of the line: hung up, closed, at its end? Ask only when nothing can be read. */
bool line_is_gone(int fd);
/* Writes all, or what the line takes before it fails. */
void line_write(int fd, const char *bytes, size_t len);

/*
 * Puts the bytes of the cells from x on that look the same into *out (replaced) and returns
 * the x behind them, at most `width`. What the C library measures otherwise than we do,
 * and without utf8 all that is not ASCII, becomes '?', so that no line is ever displaced.
 */
int line_next_run(const struct canvas *c, int x, int y, int width, bool utf8, struct str *out);

#endif
