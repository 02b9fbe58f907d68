/* SPDX-License-Identifier: MIT */
/*
 * time_line.c - time line from a past time to now
 *
 *      1 d [.....:.....:.....:.....:.....^.....:.....] now
 *              00:00       04:00       08:00
 */
#include "time_line.h"

#include <string.h>

#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"

#define NAME_W   7 /* width of the text before the line ("1 d"), and of the text after it ("now") */
#define LABEL_W  7 /* width of a label with its blanks */
#define MINUTE_S 60
#define HOUR_S   3600
#define DAY_S    86400

static const struct stretch {
	const char *name;
	int64_t length_s;
} stretches[] = {
	{"1 h", HOUR_S},       {"4 h", 4 * HOUR_S},    {"12 h", 12 * HOUR_S}, {"1 d", DAY_S},
	{"4 d", 4 * DAY_S},    {"14 d", 14 * DAY_S},   {"60 d", 60 * DAY_S},  {"1 y", 366 * DAY_S},
	{"5 y", 1830 * DAY_S}, {"20 y", 7320 * DAY_S},
};

/* Distances between ticks. Ticks are at multiples of their distance in local time. */
static const int64_t steps[] = {
	5 * MINUTE_S, 10 * MINUTE_S, 30 * MINUTE_S, HOUR_S,     2 * HOUR_S,  4 * HOUR_S,  12 * HOUR_S,
	DAY_S,        2 * DAY_S,     7 * DAY_S,     30 * DAY_S, 120 * DAY_S, 366 * DAY_S, 1830 * DAY_S,
};

struct scale {
	int64_t begin_s, length_s, step_s;
	int width; /* cells between the brackets */
};

static const struct stretch *choose_stretch(int64_t back_s)
{
	size_t i = 0;

	while (i + 1 < sizeof stretches / sizeof stretches[0] && stretches[i].length_s < back_s)
		i++;
	return &stretches[i];
}

static int64_t choose_step(const struct scale *scale)
{
	size_t i = 0;

	while (i + 1 < sizeof steps / sizeof steps[0] && steps[i] * scale->width < LABEL_W * scale->length_s)
		i++;
	return steps[i];
}

/* Returns the cell of a time on the line; the first or last cell for times outside of it. */
static int cell_of(const struct scale *scale, int64_t at_s)
{
	int64_t cell = (at_s - scale->begin_s) * scale->width / scale->length_s;

	if (cell < 0)
		return 0;
	return cell < scale->width ? (int)cell : scale->width - 1;
}

/* Writes the label of a tick: "14:00", or "03-24" if ticks are a day or more apart. */
static void put_label(struct canvas *c, struct rect r, const struct scale *scale, int64_t at_s)
{
	char when[MOMENT_TEXT];
	const char *text = wallclock_iso(when, at_s) + (scale->step_s < DAY_S ? 11 : 5);
	int x = NAME_W + cell_of(scale, at_s) - 2;

	if (x + 5 <= r.w - NAME_W + 3)
		canvas_putf(c, r, x, 1, ROLE_DIM, "%.5s", text);
}

static void put_ticks(struct canvas *c, struct rect r, const struct scale *scale, int64_t now_s)
{
	int64_t shown_s = wallclock(scale->begin_s), tick_s;

	for (shown_s += scale->step_s - shown_s % scale->step_s; (tick_s = wallclock_moment(shown_s)) < now_s;
	     shown_s += scale->step_s) {
		canvas_put(c, r, NAME_W + cell_of(scale, tick_s), 0, ROLE_RULE, ":");
		put_label(c, r, scale, tick_s);
	}
}

void time_line_draw(struct canvas *c, struct rect r, int64_t at_s, int64_t now_s)
{
	const struct stretch *stretch = choose_stretch(now_s - at_s);
	struct scale scale = {.begin_s = now_s - stretch->length_s,
			      .length_s = stretch->length_s,
			      .width = r.w - 2 * NAME_W};

	if (scale.width < LABEL_W)
		return;
	scale.step_s = choose_step(&scale);
	canvas_put(c, r, NAME_W - 2 - (int)strlen(stretch->name), 0, ROLE_DIM, stretch->name);
	canvas_put(c, r, NAME_W - 1, 0, ROLE_RULE, "[");
	for (int x = 0; x < scale.width; x++)
		canvas_put(c, r, NAME_W + x, 0, ROLE_RULE, ".");
	put_ticks(c, r, &scale, now_s);
	canvas_put(c, r, NAME_W + cell_of(&scale, at_s), 0, ROLE_STRONG, "^");
	canvas_put(c, r, NAME_W + scale.width, 0, ROLE_RULE, "] now");
}
