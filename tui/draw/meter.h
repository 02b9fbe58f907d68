/* SPDX-License-Identifier: MIT */
/*
 * meter.h - bars, sliders and graphs
 *
 *     Procs [||||||||||||||||||||:::      3829/5080 75.4%]     meter_draw
 *     [-------|----------]                                     meter_slider
 *     .:+##+:.                                                 meter_spark
 *     fffffqqqxxxxxr                                           meter_share
 *
 * Blocks instead of signs on a canvas that is not ASCII. Values that are not finite or
 * negative count as 0, values beyond the total as the total. No information is shown by
 * colour alone: the parts of a bar have different characters, shares have letters.
 */
#ifndef DRAW_METER_H
#define DRAW_METER_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas.h"

#define METER_PARTS 3

/* A bar of up to METER_PARTS adjacent parts: in use, reserved, out of service. */
struct meter {
	const char *label;        /* before the bracket; "" = none                     */
	int label_width;          /* width of the label, for aligned brackets */
	double part[METER_PARTS]; /* drawn as ROLE_METER_USED, _RESERVED, _DOWN         */
	double total;             /* value of the full length */
	const char *text;         /* inside, right-aligned; omitted first on narrow bars */
};

/* Draws over row y of the rect, in its full width. Draws nothing below 4 cells. */
void meter_draw(struct canvas *c, struct rect r, int y, const struct meter *m);

/* Draws `width` cells with brackets, and the knob at value between min and max. Returns width. */
int meter_slider(struct canvas *c, struct rect r, int x, int y, int width, double value, double min,
		 double max);

/*
 * Draws one cell per value, oldest first, with heights relative to max (<= 0: the largest value). Returns
 * count.
 */
int meter_spark(struct canvas *c, struct rect r, int x, int y, const double *value, size_t count, double max);

/* One part of a share bar; its letter is the mark of the role. */
struct share_part {
	double value; /* its absolute value is used */
	enum role role;
};

/*
 * `width` letters divided by the sizes of the values: largest remainder, ties to the
 * earlier part, so the letters always fill the width unless all values are 0. Returns width.
 */
int meter_share(struct canvas *c, struct rect r, int x, int y, int width, const struct share_part *share,
		size_t count);

#endif
