/* SPDX-License-Identifier: MIT */
/*
 * console_limit.c - what does the console know of other values of the limit under the cursor?
 *
 * While a screen of limits is in front they are tried. Another limit, or another draft, hurries; time that
 * passes does not, as with the ways to start a job.
 */
#include "console_inside.h"
#include "sched/rm/monotonic.h"

static void forget(struct console *c, struct headroom *h)
{
	if (!h)
		return;
	if (h == c->measuring)
		c->measuring = NULL;
	console_let_go(c, h->outlook);
	h->outlook = NULL;
	headroom_free(h);
}

static void collect(struct console *c)
{
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_LIMITS); work; work = next) {
		struct headroom *h = (struct headroom *)work, *before = c->measured;

		next = work->next;
		if (h == c->measuring && h->whole) {
			c->measured = h;
			c->measuring = NULL;
			h = before;
			c->dirty = true;
		}
		forget(c, h);
	}
}

/* Of the queue as it is shown; NULL: there is nothing to ask. */
static const struct limit_row *asked(const struct console *c)
{
	const struct view_ops *v = console_view(c);
	const struct limit_row *row = v->limit && c->shown ? v->limit(console_view_memory(c)) : NULL;

	return row && headroom_is_asked(row) ? row : NULL;
}

static enum want want(const struct console *c)
{
	const struct headroom *h = c->measuring ? c->measuring : c->measured;
	const struct limit_row *row = asked(c);

	if (!row)
		return WANT_NOTHING;
	if (!h || !headroom_same(&h->row, row) || h->outlook->proposal != c->shown->proposal)
		return WANT_NOW;
	if (h->outlook->picture == c->shown->picture && h->outlook->now_s == c->shown->now_s)
		return WANT_NOTHING;
	return c->scripted ? WANT_NOW : WANT_LATER;
}

static void ask(struct console *c, bool hurry)
{
	struct headroom *h = headroom_new(c->shown, asked(c));
	struct work *replaced = worker_ask(c->worker, LANE_LIMITS, &h->work, hurry);

	c->measuring = h;
	c->measured_ms = monotonic_ms();
	forget(c, (struct headroom *)replaced);
}

static int64_t due_ms(const struct console *c)
{
	return c->measured_ms + work_interval_ms(c->measured ? &c->measured->work : NULL);
}

void console_measure_limit(struct console *c)
{
	collect(c);
	if (console_view(c)->limit)
		console_freshen(c);
	switch (want(c)) {
	case WANT_NOW:
		ask(c, true);
		break;
	case WANT_LATER:
		if (!c->measuring && monotonic_ms() >= due_ms(c))
			ask(c, false);
		break;
	case WANT_NOTHING:
		if (c->measuring && !asked(c))
			worker_cancel(c->worker, LANE_LIMITS);
		break;
	}
}

int console_limit_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t left_ms = due_ms(c) - now_ms;

	if (c->measuring || want(c) != WANT_LATER)
		return next;
	if (left_ms < 0)
		left_ms = 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

const struct headroom *console_headroom(const struct console *c, const struct limit_row *row)
{
	const struct headroom *h = c->measured;

	return h && headroom_same(&h->row, row) && h->outlook->proposal == c->shown->proposal ? h : NULL;
}
