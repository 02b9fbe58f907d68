/* SPDX-License-Identifier: MIT */
/*
 * meter.h - bars, sliders and graphs
 *
 *     Procs [||||||||||||||||||||:::      3829/5080 75.4%]     meter_draw
 *     [-------|----------]                                     meter_slider
 *     .:+##+:.                                                 meter_spark
 *     fffffqqqxxxxxr                                           meter_share
 *
 * On a canvas that is not ASCII, blocks are drawn instead of these characters. Values that are negative or
 * not finite count as 0, values above the total as the total. No information is shown by colour alone: the
 * parts of a bar have different characters, and shares have letters.
 */
#ifndef DRAW_METER_H
#define DRAW_METER_H

#include <stdbool.h>
#include <stddef.h>

#include "canvas.h"

#define METER_PARTS 3

/* A bar of up to METER_PARTS adjacent parts: in use, reserved, out of service. */
struct meter {
	const char *label;        /* text before the bracket; "" = none */
	int label_width;          /* cells for the label, so that the brackets of several bars are aligned */
	double part[METER_PARTS]; /* values of the parts, drawn as ROLE_METER_USED, _RESERVED, _DOWN */
	double total;             /* value of a full bar */
	const char *text;         /* text inside the bar, right-aligned; omitted if it does not fit */
};

/* Draws a bar in row y of the rect, over its full width. Draws nothing in less than 4 cells. */
void meter_draw(struct canvas *c, struct rect r, int y, const struct meter *m);

/* Draws a slider of `width` cells, with its knob at `value` in the range from min to max. Returns width. */
int meter_slider(struct canvas *c, struct rect r, int x, int y, int width, double value, double min,
		 double max);

/*
 * Draws a graph of one cell per value, oldest first. Heights are relative to max; max <= 0 means the largest
 * value. Returns count.
 */
int meter_spark(struct canvas *c, struct rect r, int x, int y, const double *value, size_t count, double max);

/* One part of a share bar; its letter is the mark of the role. */
struct share_part {
	double value; /* its absolute value is used */
	enum role role;
};

/*
 * Draws `width` letters; the number of letters of each part is proportional to its value. The numbers are
 * rounded by the largest remainder method (the earlier part wins ties), so that the letters always fill the
 * width; if all values are 0, nothing is drawn. Returns width.
 */
int meter_share(struct canvas *c, struct rect r, int x, int y, int width, const struct share_part *share,
		size_t count);

#endif
