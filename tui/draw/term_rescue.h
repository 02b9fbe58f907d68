/* SPDX-License-Identifier: MIT */
/*
 * term_rescue.h - who gives the terminal back when the program dies?
 *
 * While armed, a signal that ends the process first writes a prepared sequence to the
 * terminal and restores its modes, with calls that are allowed in a signal handler; then
 * the signal takes the course it had before. The same happens on exit().
 *
 * One terminal at a time.
 */
#ifndef DRAW_TERM_RESCUE_H
#define DRAW_TERM_RESCUE_H

#include <stdbool.h>

#define RESCUE_SEQUENCE_MAX 256

/* Remembers the modes of the terminal fd and takes the signals. False when it is none. */
bool term_rescue_open(int fd);
/* From now on, or no more, the terminal needs rescue; sequence makes it usable (cut to the maximum). */
void term_rescue_arm(const char *sequence);
void term_rescue_disarm(void);
/* Restores the modes and gives the signals back. */
void term_rescue_close(void);

#endif
