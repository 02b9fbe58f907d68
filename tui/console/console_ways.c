/* SPDX-License-Identifier: MIT */
/*
 * console_ways.c - what does the console know of changes that would start the job under the cursor?
 *
 * While a screen that asks for them is in front they are looked for. Another job, or another time, hurries:
 * the search before it is told to stop. Time that passes does not: a list that is a little old is worth more
 * than none, so the next follows after ten times of what one costs.
 */
#include "console_inside.h"
#include "sched/rm/monotonic.h"
#include "tui/report/accuracy.h"

static const struct ways *newest(const struct console *c)
{
	return c->seeking ? c->seeking : c->sought;
}

static void forget(struct console *c, struct ways *w)
{
	if (!w)
		return;
	if (w == c->seeking)
		c->seeking = NULL;
	console_let_go(c, w->outlook);
	w->outlook = NULL;
	ways_free(w);
}

static void show(struct console *c, struct ways *w)
{
	struct ways *before = c->sought;

	c->sought = w;
	if (w == c->seeking)
		c->seeking = NULL;
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = c->stale[i] || views_all[i]->seeks;
	console_freshen(c);
	forget(c, before);
	c->dirty = true;
}

static void collect(struct console *c)
{
	bool shown = false;
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_WAYS); work; work = next) {
		struct ways *w = (struct ways *)work;

		next = work->next;
		if (!w->whole || shown) {
			forget(c, w);
			continue;
		}
		show(c, w);
		shown = true;
	}
}

static int64_t interval_ms(const struct console *c)
{
	return work_interval_ms(c->sought ? &c->sought->work : NULL);
}

/* A time was named for one job alone. */
static int64_t by_s(const struct console *c)
{
	return c->seek_job == c->job ? c->seek_by_s : TIME_NONE;
}

static bool waits(const struct console *c)
{
	const struct job *job = c->shown ? forecast_job(&c->shown->live, c->job, NULL) : NULL;

	return job && job->state == JOB_IDLE;
}

static enum want want(const struct console *c)
{
	const struct ways *w = newest(c);

	if (!console_view(c)->seeks || !waits(c))
		return WANT_NOTHING;
	if (!w || w->job != c->job || w->by_s != by_s(c))
		return WANT_NOW;
	if (w->outlook->picture == c->shown->picture && w->outlook->now_s == c->shown->now_s)
		return WANT_NOTHING;
	return c->scripted ? WANT_NOW : WANT_LATER;
}

#define USUAL_KEPT_MS (10 * 60 * INT64_C(1000))

/* What is remembered of jobs changes little. Where it cannot be read, nothing is known. */
static struct habits *read_usual(struct console *c)
{
	struct cmd_changes changes = {0};
	struct str out = {0};
	struct cmd_env env = console_env(c, c->latest->s, &changes, &out);

	if (c->usual && monotonic_ms() - c->usual_ms < USUAL_KEPT_MS)
		return c->usual;
	habits_drop(c->usual);
	c->usual = habits_new(ASSUME_HISTORY);
	c->usual_ms = monotonic_ms();
	(void)accuracy_gather(&env, &c->usual->accuracy);
	str_free(&out);
	return c->usual;
}

static void ask(struct console *c, bool hurry)
{
	struct ways *w = ways_new(c->shown, c->job, by_s(c), read_usual(c));
	struct work *replaced = worker_ask(c->worker, LANE_WAYS, &w->work, hurry);

	c->seeking = w;
	c->sought_ms = monotonic_ms();
	forget(c, (struct ways *)replaced);
}

/* Nobody has an answer yet, and somebody waits for it. */
static bool is_awaited(const struct console *c)
{
	return c->seeking && console_view(c)->seeks && !console_ways(c);
}

static void tell_progress(struct console *c)
{
	if (!is_awaited(c) || monotonic_ms() - c->drawn_ms < PROGRESS_MS)
		return;
	c->stale[c->current] = true;
	console_freshen(c);
	c->dirty = true;
}

void console_look_for_ways(struct console *c)
{
	collect(c);
	switch (want(c)) {
	case WANT_NOW:
		ask(c, true);
		break;
	case WANT_LATER:
		if (!c->seeking && monotonic_ms() - c->sought_ms >= interval_ms(c))
			ask(c, false);
		break;
	case WANT_NOTHING:
		if (!console_view(c)->seeks && c->seeking)
			worker_cancel(c->worker, LANE_WAYS);
		break;
	}
	tell_progress(c);
}

int console_ways_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t left_ms;

	if (is_awaited(c))
		left_ms = c->drawn_ms + PROGRESS_MS - now_ms;
	else if (!c->seeking && want(c) == WANT_LATER)
		left_ms = c->sought_ms + interval_ms(c) - now_ms;
	else
		return next;
	if (left_ms < 0)
		left_ms = 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

const struct ways *console_ways(const struct console *c)
{
	const struct ways *w = c->sought;

	return w && w->job == c->job && w->by_s == by_s(c) ? w : NULL;
}

void console_seek(struct console *c, uint64_t job, int64_t to_start_by_s)
{
	c->seek_job = job;
	c->seek_by_s = to_start_by_s;
	if (job != c->job)
		console_go_job(c, job);
	if (!console_view(c)->seeks)
		console_go(c, "job");
	console_recalc(c);
}

bool console_seeks_ways(const struct console *c, size_t *tried)
{
	const struct ways *w = c->seeking;

	*tried = w && w->job == c->job ? atomic_load_explicit(&w->tried, memory_order_relaxed) : 0;
	return waits(c) && !console_ways(c);
}
