/* SPDX-License-Identifier: MIT */
/*
 * rivals_line.h - how is it told on one line when two jobs change places?
 *
 * Of a tie it is said what decides.
 */
#ifndef QUERY_RIVALS_LINE_H
#define QUERY_RIVALS_LINE_H

#include "rivals.h"
#include "tui/draw/theme.h"

/*
 * "Swaps with 1224 if: xfactor < 143 (fragile: -4.7%) | queuetime > 3 | never by qos proc", as much of
 * it as has room, or that nobody is there. How it is to be shown.
 */
enum role rivals_line(const struct rivals *r, enum rival_side side, int width, struct str *out);

/* "In 1 h: 4957 -> 6557 (queuetime +600, xfactor +1000), already first" */
void rivals_hour_line(const struct rivals *r, int width, struct str *out);

#endif
