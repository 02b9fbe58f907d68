/* SPDX-License-Identifier: MIT */
/*
 * console_trust.c - what does the console know of how past estimates came true?
 *
 * While a screen that tells of it is in front it is brought up to date when jobs have started since, and at
 * most so often that it takes a tenth of the time.
 */
#include "console_inside.h"
#include "sched/rm/monotonic.h"

#define SHORTEST_MS 10000 /* between two */

static void collect(struct console *c)
{
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_TRUST); work; work = next) {
		struct trust *before = c->trust;

		next = work->next;
		c->trust = (struct trust *)work;
		c->trusting = NULL;
		trust_free(before);
		for (size_t i = 0; i < views_count; i++)
			c->stale[i] = c->stale[i] || views_all[i]->trusts;
		console_freshen(c);
		c->dirty = true;
	}
}

static int64_t due_ms(const struct console *c)
{
	int64_t cost_ms = c->trust->work.took_us / 1000;

	return c->trust_ms + (cost_ms * 10 > SHORTEST_MS ? cost_ms * 10 : SHORTEST_MS);
}

/* Has a job started that is not in what is known? */
static bool is_behind(const struct console *c)
{
	if (c->trusting || !console_view(c)->trusts || !console_store(c))
		return false;
	return !c->trust || trust_last_start_s(c->latest->s) > c->trust->last_start_s;
}

void console_keep_trust(struct console *c)
{
	collect(c);
	c->trust_behind = is_behind(c);
	if (!c->trust_behind || (c->trust && !c->scripted && monotonic_ms() < due_ms(c)))
		return;
	c->trusting = trust_new(console_store(c), c->latest->s);
	c->trust_ms = monotonic_ms();
	c->trust_behind = false;
	(void)worker_ask(c->worker, LANE_TRUST, &c->trusting->work, false);
}

int console_trust_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t left_ms;

	if (!c->trust_behind)
		return next;
	left_ms = due_ms(c) > now_ms ? due_ms(c) - now_ms : 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

const struct trust *console_trust(const struct console *c)
{
	return c->trust;
}
