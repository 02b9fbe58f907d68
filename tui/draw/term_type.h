/* SPDX-License-Identifier: MIT */
/*
 * term_type.h - terminal type (terminfo)
 */
#ifndef DRAW_TERM_TYPE_H
#define DRAW_TERM_TYPE_H

#include <stdbool.h>

#define RESCUE_SEQUENCE_MAX 256

struct term_type {
	char name[64];                    /* a name that terminfo has                      */
	bool places_cursor;               /* false: no screen can be drawn on it           */
	int colours;                      /* 0 = none                                      */
	char rescue[RESCUE_SEQUENCE_MAX]; /* makes the terminal usable when the process dies */
};

/*
 * Looks up `wanted`, then a similar type (xterm-256color for xterm... and for names that contain
 * 256color), then xterm and vt100, which nearly every terminal understands. fd is the
 * terminal. False when terminfo has none of them.
 */
bool term_type_find(const char *wanted, int fd, struct term_type *out);

#endif
