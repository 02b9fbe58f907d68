/* SPDX-License-Identifier: MIT */
/*
 * console_past.c - how do all screens show a moment that is past?
 *
 * A picture out of the journal takes the place of the newest one, and outlooks are built from it as always,
 * so no screen knows the difference. Steps go through what the journal's screen lists, wherever they are
 * made. It is read by the worker, with its first outlook; until then what is shown stays. The scheduler goes
 * on meanwhile, and is followed, but not shown.
 */
#include <string.h>

#include "console_inside.h"
#include "sched/base/duration.h"
#include "tui/command/at.h"

static void look_at(struct console *c, struct picture *past)
{
	picture_drop(c->past);
	c->past = past;
	console_want_outlook(c);
	c->dirty = true;
}

/* A draft is about what is so now. */
static bool can_leave(struct console *c, struct err *err)
{
	if (!c->session->store && !c->source.ops->fetch_past)
		return err_set(err, "this session keeps no journal to look back in");
	return !console_shown_draft(c)->proposal ||
	       err_set(err, "a draft is open: A applies it, D discards it; then the past can be looked at");
}

void console_show_past(struct console *c, struct store_moment moment)
{
	struct err err;

	if (can_leave(c, &err))
		look_at(c, picture_of_past(&c->source, c->session->store, moment));
	else
		console_say(c, ROLE_ERROR, "%s", err.text);
}

void console_show_now(struct console *c)
{
	if (c->past)
		look_at(c, NULL);
	else
		console_say(c, ROLE_MESSAGE, "This is what is so now; [ goes back through the journal.");
}

/* The source says whether it is kept when it is asked for it. */
static bool read_moment(const struct console *c, const char *text, struct store_moment *out, struct err *err)
{
	if (c->session->store)
		return at_moment(c->session->store, text, console_now_s(c), out, err);
	return at_wish(text, console_now_s(c), out, err);
}

bool console_show_at(struct console *c, const char *text, struct err *err)
{
	struct store_moment moment;

	if (strcmp(text, "now") == 0) {
		console_show_now(c);
		return true;
	}
	if (!can_leave(c, err) || !read_moment(c, text, &moment, err))
		return false;
	look_at(c, picture_of_past(&c->source, c->session->store, moment));
	return true;
}

int64_t console_moment_s(const struct console *c)
{
	return c->past ? c->past->moment.time_s : console_now_s(c);
}

bool console_moment(const struct console *c, struct store_moment *out)
{
	if (c->past)
		*out = c->past->moment;
	return c->past != NULL;
}

void console_step_past(struct console *c, enum action action)
{
	size_t journal = views_find(view_journal.name);

	if (!c->shown)
		return;
	view_journal.recalc(c->memory[journal]);
	(void)view_journal.act(c->memory[journal], action, 0);
}

bool console_past_came(struct console *c, const struct outlook *o)
{
	if (!o->lost) {
		if (c->past && c->past == o->picture)
			c->past->moment.time_s = o->now_s;
		return true;
	}
	console_say(c, ROLE_ERROR, "%s", o->err.text);
	if (c->past == o->picture) {
		picture_drop(c->past);
		c->past = c->shown && outlook_is_past(c->shown) ? picture_hold(c->shown->picture) : NULL;
	}
	return false;
}

bool console_past_bars(enum action action)
{
	switch (action) {
	case ACTION_OPEN:
	case ACTION_WHY:
	case ACTION_PRIORITY:
	case ACTION_OUTPUT:
		return false;
	case ACTION_UNDO:
	case ACTION_UNDO_TO:
	case ACTION_APPLY:
	case ACTION_DISCARD:
	case ACTION_APPLY_FOR:
	case ACTION_KEEP:
	case ACTION_REPEAT:
	case ACTION_EDIT:
	case ACTION_TEN_LESS:
	case ACTION_TEN_MORE:
	case ACTION_DEFAULT:
	case ACTION_SWITCH:
	case ACTION_REMOVE:
		return true;
	default:
		return action_row(action)->set == SET_ACTING;
	}
}

bool console_past_stays(struct console *c, enum action action)
{
	if (!c->past || !console_past_bars(action))
		return false;
	console_say(c, ROLE_WARNING, "%s", CONSOLE_PAST_STAYS);
	return true;
}
