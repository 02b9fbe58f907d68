/* SPDX-License-Identifier: MIT */
/*
 * term_type.h - what kind of terminal is it, by terminfo?
 */
#ifndef DRAW_TERM_TYPE_H
#define DRAW_TERM_TYPE_H

#include <stdbool.h>

#include "term_rescue.h"

struct term_type {
	char name[64];                    /* a name that terminfo has            */
	bool places_cursor;               /* false: no screen can be drawn on it */
	int colours;                      /* 0 = none                            */
	char rescue[RESCUE_SEQUENCE_MAX]; /* gives the terminal back, see term_rescue.h */
};

/*
 * Looks for `wanted`, then for what is like it (xterm-256color for xterm... and for what says
 * 256color), then for xterm and vt100, which nearly every terminal understands. fd is the
 * terminal. False when terminfo has none of them.
 */
bool term_type_find(const char *wanted, int fd, struct term_type *out);

#endif
