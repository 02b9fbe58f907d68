/* SPDX-License-Identifier: MIT */
/*
 * console_ahead.c - what does the console see of times to come?
 *
 * While a screen that foresees is in front, what is shown is run ahead. Another draft hurries: what is being
 * made for the one before is told to stop. Time that passes does not: a projection that is a little old is
 * worth more than one that is never finished, so the next follows after ten times of what one costs.
 */
#include "console_inside.h"

#define SHORTEST_MS 1000 /* between two, when nothing but time has moved */
#define PROGRESS_MS 100  /* between two looks at how far one is        */

/* The newest, whether it is made or on its way. */
static const struct foresight *newest(const struct console *c)
{
	return c->foreseeing ? c->foreseeing : c->foreseen;
}

static void forget(struct console *c, struct foresight *f)
{
	if (!f)
		return;
	if (f == c->foreseeing)
		c->foreseeing = NULL;
	console_let_go(c, f->outlook);
	f->outlook = NULL;
	foresight_free(f);
}

static void show(struct console *c, struct foresight *f)
{
	struct foresight *before = c->foreseen;

	c->foreseen = f;
	if (f == c->foreseeing)
		c->foreseeing = NULL;
	for (size_t i = 0; i < views_count; i++)
		c->stale[i] = c->stale[i] || views_all[i]->foresees;
	console_freshen(c);
	forget(c, before);
	c->dirty = true;
}

static void collect(struct console *c)
{
	bool shown = false;
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_FAR); work; work = next) {
		struct foresight *f = (struct foresight *)work;

		next = work->next;
		if (!f->whole || shown) {
			forget(c, f);
			continue;
		}
		show(c, f);
		shown = true;
	}
}

static int64_t interval_ms(const struct console *c)
{
	int64_t cost_ms = c->foreseen ? c->foreseen->work.took_us / 1000 : 0;

	return cost_ms * 10 > SHORTEST_MS ? cost_ms * 10 : SHORTEST_MS;
}

enum want {
	WANT_NOTHING,
	WANT_LATER, /* only time has moved on */
	WANT_NOW
};

static enum want want(const struct console *c)
{
	const struct foresight *f = newest(c);

	if (!console_view(c)->foresees || !c->shown)
		return WANT_NOTHING;
	if (!f || !foresight_same_draft(f, c->shown))
		return WANT_NOW;
	if (foresight_same_queue(f, c->shown))
		return WANT_NOTHING;
	return c->scripted ? WANT_NOW : WANT_LATER;
}

static void ask(struct console *c, bool hurry)
{
	struct foresight *f = foresight_new(c->shown, newest(c));
	struct work *replaced = worker_ask(c->worker, LANE_FAR, &f->work, hurry);

	c->foreseeing = f;
	c->foresaw_ms = console_clock_ms();
	forget(c, (struct foresight *)replaced);
}

void console_look_ahead(struct console *c)
{
	int64_t now_ms = console_clock_ms();

	collect(c);
	switch (want(c)) {
	case WANT_NOW:
		ask(c, true);
		break;
	case WANT_LATER:
		if (!c->foreseeing && now_ms - c->foresaw_ms >= interval_ms(c))
			ask(c, false);
		break;
	case WANT_NOTHING:
		if (!console_view(c)->foresees && c->foreseeing)
			worker_cancel(c->worker, LANE_FAR);
		break;
	}
	if (c->foreseeing && console_view(c)->foresees && now_ms - c->drawn_ms >= PROGRESS_MS)
		c->dirty = true;
}

int console_ahead_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t due_ms = -1, left_ms;

	if (c->foreseeing && console_view(c)->foresees)
		due_ms = c->drawn_ms + PROGRESS_MS;
	else if (want(c) == WANT_LATER)
		due_ms = c->foresaw_ms + interval_ms(c);
	if (due_ms < 0)
		return next;
	left_ms = due_ms > now_ms ? due_ms - now_ms : 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

const struct foresight *console_foresight(const struct console *c)
{
	return c->foreseen;
}

bool console_foresees(const struct console *c, uint32_t *started, uint32_t *waiting)
{
	if (!c->foreseeing)
		return false;
	*started = atomic_load_explicit(&c->foreseeing->started, memory_order_relaxed);
	*waiting = atomic_load_explicit(&c->foreseeing->waiting, memory_order_relaxed);
	return true;
}
