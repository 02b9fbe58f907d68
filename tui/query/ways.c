/* SPDX-License-Identifier: MIT */
/*
 * ways.c - which changes would start the job that somebody looks at?
 */
#include "ways.h"

#include <stdlib.h>

#include "sched/base/vec.h"
#include "tui/report/why_report.h"

struct asking {
	struct remedy_view view;
	struct ways *ways;
};

static bool go_on(void *self)
{
	return !work_is_unwanted(&((struct asking *)self)->ways->work);
}

static bool may(void *self, const struct event *ev)
{
	struct asking *asking = self;

	if (!remedy_may(&asking->view, ev))
		return false;
	atomic_fetch_add_explicit(&asking->ways->tried, 1, memory_order_relaxed);
	return true;
}

int64_t ways_due_s(const struct ways *w)
{
	return w->by_s > w->outlook->now_s ? w->by_s : w->outlook->now_s;
}

static void run(struct work *self)
{
	struct ways *w = (struct ways *)self;
	const struct forecast *f = &w->outlook->live;
	struct asking asking = {.view = {f->s, w->job}, .ways = w};
	struct unblock_setup setup = {.now_s = w->outlook->now_s,
				      .by_s = ways_due_s(w),
				      .most_work = UNBLOCK_WORK,
				      .go_on = go_on,
				      .accuracy = w->usual ? &w->usual->accuracy : NULL,
				      .may = may,
				      .self = &asking};
	uint32_t slot;

	w->whole = forecast_job(f, w->job, &slot) != NULL && unblock_find(&w->found, f->s, slot, &setup);
}

static void drop(struct work *self)
{
	ways_free((struct ways *)self);
}

static const struct work_ops ways_work = {.run = run, .drop = drop};

struct ways *ways_new(struct outlook *o, uint64_t job, int64_t by_s, struct habits *usual)
{
	struct ways *w = mem_zero(1, sizeof *w);

	w->work.ops = &ways_work;
	w->outlook = o;
	w->job = job;
	w->by_s = by_s;
	w->usual = usual ? habits_hold(usual) : NULL;
	o->holders++;
	return w;
}

void ways_free(struct ways *w)
{
	if (!w)
		return;
	outlook_drop(w->outlook);
	habits_drop(w->usual);
	unblock_clear(&w->found);
	free(w);
}
