/* SPDX-License-Identifier: MIT */
/*
 * term_type.h - terminal type (terminfo)
 */
#ifndef DRAW_TERM_TYPE_H
#define DRAW_TERM_TYPE_H

#include <stdbool.h>

#define RESCUE_SEQUENCE_MAX 256

struct term_type {
	char name[64];                    /* a name that terminfo knows */
	bool places_cursor;               /* can the cursor be moved? if not, no screen can be drawn */
	int colours;                      /* number of colours; 0 = none */
	char rescue[RESCUE_SEQUENCE_MAX]; /* sequence that makes the terminal usable when the process dies */
};

/*
 * Looks up the type `wanted`, then a similar type (xterm-256color for names that begin with xterm or contain
 * 256color), then xterm and vt100, whose sequences nearly every terminal understands. fd is the terminal.
 * Returns false if terminfo has none of these types.
 */
bool term_type_find(const char *wanted, int fd, struct term_type *out);

#endif
