/* SPDX-License-Identifier: MIT */
/*
 * console_entries.c - what does the console know of what entries of the journal did?
 *
 * While a screen that shows it is in front it is looked up: first of the entry under the cursor, with what
 * undoing it would do now, then of those around it. What an entry did never changes, so it is kept; what
 * undoing would do changes with the queue, and is found anew now and then. What has happened because of an
 * entry is found when somebody asks for it.
 */
#include <stdlib.h>
#include <string.h>

#include "console_inside.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"

#define KEPT_MAX 512  /* entries of which it is known what they did */
#define AGAIN_MS 1000 /* between two looks at what undoing would do  */

/* --- what is known --------------------------------------------------------------------------- */

const struct impact *console_impact(const struct console *c, uint64_t seq)
{
	for (size_t i = 0; i < c->impacts; i++)
		if (c->impact[i].seq == seq)
			return &c->impact[i];
	return NULL;
}

const char *console_undo_now(const struct console *c, uint64_t seq)
{
	return c->undo_of == seq ? str_text(&c->undo_now) : NULL;
}

const struct hindsight *console_hindsight(const struct console *c, uint64_t seq, bool *making)
{
	const struct hindsight *h = c->hindseeing ? c->hindseeing : c->hindsight;

	*making = h && h == c->hindseeing;
	return h && h->because.seq == seq ? h : NULL;
}

static void forget_impacts(struct console *c)
{
	for (size_t i = 0; i < c->impacts; i++)
		impact_clear(&c->impact[i]);
	c->impacts = 0;
}

void console_free_entries(struct console *c)
{
	forget_impacts(c);
	free(c->impact);
	str_free(&c->undo_now);
	hindsight_free(c->hindsight);
}

/* --- what was found -------------------------------------------------------------------------- */

static void forget(struct console *c, struct glance *g)
{
	if (!g)
		return;
	if (g == c->glancing)
		c->glancing = NULL;
	if (g->outlook)
		console_let_go(c, g->outlook);
	g->outlook = NULL;
	glance_free(g);
}

/* Of entries that could not be read nothing is known for good: they would be asked for again and again. */
static void keep(struct console *c, struct glance *g)
{
	if (c->impacts + g->count > KEPT_MAX)
		forget_impacts(c);
	c->impact = vec_room(c->impact, &c->impact_room, c->impacts + g->count, sizeof *c->impact);
	for (size_t i = 0; i < g->count; i++) {
		if (console_impact(c, g->seq[i]))
			continue;
		g->impact[i].seq = g->seq[i];
		c->impact[c->impacts++] = g->impact[i];
		g->impact[i] = (struct impact){0};
	}
	if (g->outlook) {
		c->undo_of = g->seq[0];
		c->undo_as_of = g->outlook->live.s->seq;
		str_clear(&c->undo_now);
		str_add(&c->undo_now, str_text(&g->undo));
	}
	if (g->err.text[0])
		console_say(c, ROLE_ERROR, "%s", g->err.text);
	c->dirty = true;
}

static void collect_glances(struct console *c)
{
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_ENTRIES); work; work = next) {
		struct glance *g = (struct glance *)work;

		next = work->next;
		if (g->whole)
			keep(c, g);
		forget(c, g);
	}
}

static void collect_hindsights(struct console *c)
{
	struct work *next;

	for (struct work *work = worker_take(c->worker, LANE_AGAIN); work; work = next) {
		struct hindsight *h = (struct hindsight *)work;

		next = work->next;
		if (h == c->hindseeing)
			c->hindseeing = NULL;
		if (h->whole && h->err.text[0] == '\0') {
			hindsight_free(c->hindsight);
			c->hindsight = h;
		} else {
			if (h->whole)
				console_say(c, ROLE_ERROR, "%s", h->err.text);
			hindsight_free(h);
		}
		c->dirty = true;
	}
}

/* --- what is to be found --------------------------------------------------------------------- */

static void ask(struct console *c, struct outlook *o, const uint64_t *seq, size_t count, bool hurry)
{
	struct glance *g = glance_new(c->session->store, o, seq, count);
	struct work *replaced = worker_ask(c->worker, LANE_ENTRIES, &g->work, hurry);

	c->glancing = g;
	c->glanced_ms = monotonic_ms();
	forget(c, (struct glance *)replaced);
}

/* Leaves those of which it is not known what they did. */
static size_t drop_known(const struct console *c, uint64_t *seq, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		if (!console_impact(c, seq[i]))
			seq[left++] = seq[i];
	return left;
}

static bool is_stale(const struct console *c)
{
	return c->undo_as_of != c->shown->live.s->seq &&
	       (c->scripted || monotonic_ms() - c->glanced_ms >= AGAIN_MS);
}

/* The entry under the cursor comes first: what is on its way for others gives way. */
static bool wants_first(const struct console *c, uint64_t first)
{
	bool is_on_its_way = c->glancing && c->glancing->count == 1 && c->glancing->seq[0] == first;

	if (first == 0 || is_on_its_way)
		return false;
	if (!console_impact(c, first))
		return true;
	return !outlook_is_past(c->shown) && (c->undo_of != first || is_stale(c));
}

static void look(struct console *c)
{
	uint64_t seq[GLANCE_MAX];
	size_t count = console_view(c)->asks(console_view_memory(c), seq, GLANCE_MAX);

	if (count == 0)
		return;
	if (wants_first(c, seq[0])) {
		ask(c, outlook_is_past(c->shown) ? NULL : c->shown, seq, 1, true);
		return;
	}
	if (c->glancing)
		return;
	count = drop_known(c, seq + 1, count - 1);
	if (count > 0)
		ask(c, NULL, seq + 1, count, false);
}

void console_look_at_entries(struct console *c)
{
	collect_glances(c);
	collect_hindsights(c);
	if (c->shown && c->session->store && console_view(c)->asks)
		look(c);
	else if (c->glancing)
		worker_cancel(c->worker, LANE_ENTRIES);
	if (c->hindseeing && monotonic_ms() - c->drawn_ms >= PROGRESS_MS)
		c->dirty = true;
}

int console_entries_timeout_ms(const struct console *c, int64_t now_ms, int next)
{
	int64_t due_ms = c->drawn_ms + PROGRESS_MS, left_ms;

	if (!c->hindseeing)
		return next;
	left_ms = due_ms > now_ms ? due_ms - now_ms : 0;
	return next < 0 || left_ms < next ? (int)left_ms : next;
}

void console_turn_because(struct console *c, uint64_t seq)
{
	struct hindsight *before = c->hindseeing;

	if (before) {
		worker_cancel(c->worker, LANE_AGAIN);
		console_say(c, ROLE_MESSAGE, "It was running entry %llu again, and is told to stop.",
			    (unsigned long long)before->because.seq);
		return;
	}
	c->hindseeing = hindsight_new(c->session->store, seq);
	hindsight_free((struct hindsight *)worker_ask(c->worker, LANE_AGAIN, &c->hindseeing->work, true));
	c->dirty = true;
}
