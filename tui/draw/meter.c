/* SPDX-License-Identifier: MIT */
/*
 * meter.c - bars, sliders and graphs
 *
 * The number of cells is value / total * cells, rounded half up. For adjacent parts, the positions of the
 * common ends are rounded instead of the sizes, so that a full bar has no empty cells.
 */
#include "meter.h"

#include <math.h>

/* Returns value / total, limited to the range from 0 to 1. */
static double part_of(double value, double total)
{
	if (!isfinite(value) || !isfinite(total) || value <= 0 || total <= 0)
		return 0;
	return value < total ? value / total : 1;
}

static int cells_of(double part, int cells)
{
	return (int)floor(part * cells + 0.5);
}

/* ---- bars ---- */

static const struct {
	enum role role;
	enum glyph glyph;
} parts[METER_PARTS] = {
	{ROLE_METER_USED, GLYPH_BAR_FULL},
	{ROLE_METER_RESERVED, GLYPH_BAR_SECOND},
	{ROLE_METER_DOWN, GLYPH_BAR_THIRD},
};

static void draw_parts(struct canvas *c, struct rect inside, const struct meter *m)
{
	double sum = 0;
	int at = 0;

	for (int i = 0; i < METER_PARTS; i++) {
		int end;

		if (isfinite(m->part[i]) && m->part[i] > 0)
			sum += m->part[i];
		end = cells_of(part_of(sum, m->total), inside.w);
		while (at < end)
			at += canvas_glyph(c, inside, at, 0, parts[i].role, parts[i].glyph);
	}
}

void meter_draw(struct canvas *c, struct rect r, int y, const struct meter *m)
{
	struct rect line = {r.x, r.y + y, r.w, 1};
	int width = text_width(m->text);

	if (y < 0 || y >= r.h)
		return;
	if (m->label[0] && m->label_width > 0 && line.w > m->label_width + 4) {
		canvas_put_fit(c, line, 0, 0, m->label_width, TEXT_LEFT, ROLE_METER_LABEL, m->label);
		rect_take_left(&line, m->label_width + 1);
	}
	if (line.w < 4)
		return;
	canvas_put(c, rect_take_left(&line, 1), 0, 0, ROLE_METER_LABEL, "[");
	canvas_put(c, rect_take_right(&line, 1), 0, 0, ROLE_METER_LABEL, "]");
	canvas_fill(c, line, ROLE_METER_TEXT);
	draw_parts(c, line, m);
	if (width > 0 && width <= line.w) {
		canvas_put(c, line, line.w - width - 1, 0, ROLE_METER_TEXT, " ");
		canvas_put_right(c, line, 0, ROLE_METER_TEXT, m->text);
	}
}

/* ---- sliders ---- */

int meter_slider(struct canvas *c, struct rect r, int x, int y, int width, double value, double min,
		 double max)
{
	int track = width - 2;
	int knob = cells_of(part_of(value - min, max - min), track - 1);

	if (track < 1)
		return width;
	canvas_put(c, r, x, y, ROLE_METER_LABEL, "[");
	for (int i = 0; i < track; i++)
		canvas_glyph(c, r, x + 1 + i, y, i == knob ? ROLE_SLIDER_KNOB : ROLE_SLIDER,
			     i == knob ? GLYPH_KNOB : GLYPH_TRACK);
	canvas_put(c, r, x + 1 + track, y, ROLE_METER_LABEL, "]");
	return width;
}

/* ---- graphs ---- */

int meter_spark(struct canvas *c, struct rect r, int x, int y, const double *value, size_t count, double max)
{
	double top = max;

	if (!(max > 0)) {
		top = 0;
		for (size_t i = 0; i < count; i++)
			if (isfinite(value[i]) && value[i] > top)
				top = value[i];
	}
	for (size_t i = 0; i < count; i++) {
		int height = (int)ceil(part_of(value[i], top) * 8);

		if (height > 0)
			canvas_glyph(c, r, x + (int)i, y, ROLE_SPARK,
				     (enum glyph)((int)GLYPH_SPARK_1 + height - 1));
		else
			canvas_put(c, r, x + (int)i, y, ROLE_SPARK, " ");
	}
	return (int)count;
}

static double size_of(const struct share_part *share)
{
	return isfinite(share->value) ? fabs(share->value) : 0;
}

/* Returns the part whose exact number of cells exceeds its present number by the most. */
static size_t largest_remainder(const struct share_part *share, size_t count, const int *cells,
				double cell_size)
{
	size_t best = 0;
	double most = -1;

	for (size_t i = 0; i < count; i++) {
		double lost = size_of(&share[i]) / cell_size - cells[i];

		if (lost > most) {
			most = lost;
			best = i;
		}
	}
	return best;
}

int meter_share(struct canvas *c, struct rect r, int x, int y, int width, const struct share_part *share,
		size_t count)
{
	int cells[ROLE_COUNT] = {0};
	double sum = 0;
	int given = 0, at = 0;

	if (count > ROLE_COUNT)
		count = ROLE_COUNT;
	for (size_t i = 0; i < count; i++)
		sum += size_of(&share[i]);
	if (!(sum > 0) || !isfinite(sum) || width <= 0)
		return width > 0 ? width : 0;
	for (size_t i = 0; i < count; i++)
		given += cells[i] = (int)floor(size_of(&share[i]) / sum * width);
	for (; given < width; given++)
		cells[largest_remainder(share, count, cells, sum / width)]++;
	for (size_t i = 0; i < count; i++)
		for (int n = cells[i]; n > 0 && at < width; n--)
			at += canvas_put(c, r, x + at, y, share[i].role, role_info(share[i].role)->mark);
	return width;
}
