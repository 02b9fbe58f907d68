/* SPDX-License-Identifier: MIT */
/*
 * whatif_time.c - projected utilization over time, live and with the draft
 */
#include "whatif_time.h"

#include <stdlib.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/forecast/occupancy.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/meter.h"

#define LABEL_W 7
#define TICK_W  14 /* cells from one moment that is named to the next, at least */

static void put_bars(const struct whatif_future *future, const char *label, enum role role, int64_t end_s,
		     struct canvas *canvas, struct rect r, int y)
{
	size_t count = (size_t)(r.w - LABEL_W - 1);
	double *procs = mem_zero(count, sizeof *procs);

	occupancy(future->f->s, future->start_s, future->end_s, future->f->plan.now_s, end_s, procs, count);
	canvas_put(canvas, r, 1, y, role, label);
	meter_spark(canvas, r, LABEL_W, y, procs, count, (double)future->f->s->procs_total);
	free(procs);
}

static void put_hours(const char *begin, int64_t from_s, int64_t end_s, struct canvas *canvas, struct rect r,
		      int y)
{
	int width = r.w - LABEL_W - 1, ticks = width / TICK_W > 0 ? width / TICK_W : 1;
	char when[MOMENT_TEXT];

	canvas_put(canvas, r, LABEL_W, y, ROLE_DIM, begin);
	for (int i = 1; i < ticks; i++)
		canvas_put(canvas, r, LABEL_W + width * i / ticks, y, ROLE_DIM,
			   wallclock_short(when, from_s + (end_s - from_s) * i / ticks, from_s));
}

void whatif_time_draw(const struct whatif_sight *sight, struct canvas *canvas, struct rect r)
{
	int64_t end_s = whatif_sight_end_s(sight);
	bool past = whatif_sight_is_past(sight);
	char when[MOMENT_TEXT];
	int y = 0;

	if (r.w <= LABEL_W + TICK_W || end_s <= sight->o->now_s)
		return;
	if (sight->comparing)
		put_bars(&sight->draft, "draft", ROLE_DRAFT, end_s, canvas, r, y++);
	put_bars(&sight->live, past ? "then" : "live", ROLE_TEXT, end_s, canvas, r, y++);
	put_hours(past ? wallclock_short(when, sight->o->now_s, sight->o->now_s) : "now", sight->o->now_s,
		  end_s, canvas, r, y);
}
