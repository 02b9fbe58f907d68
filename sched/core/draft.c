/* SPDX-License-Identifier: MIT */
/*
 * draft.c - what would the state be with these events?
 */
#include "draft.h"

/* An event about the past would be refused: what a draft does, it does now. */
static bool apply(struct state *st, const struct event *event, struct err *err)
{
	struct event ev = *event;

	if (ev.time_s < state_view(st)->now_s)
		ev.time_s = state_view(st)->now_s;
	return event_apply(st, &ev, err);
}

struct state *draft_make(const struct snapshot *s, const struct event *ev, size_t count, const bool *skip,
			 struct err *err)
{
	struct state *st = state_from_snapshot(s);

	for (size_t i = 0; i < count; i++) {
		if ((skip && skip[i]) || apply(st, &ev[i], err))
			continue;
		if (count > 1)
			err_prefix(err, "edit %zu of %zu", i + 1, count);
		state_free(st);
		return NULL;
	}
	return st;
}

struct state *draft_make_willing(const struct snapshot *s, const struct event *ev, size_t count,
				 const bool *skip)
{
	struct state *st = state_from_snapshot(s);

	for (size_t i = 0; i < count; i++)
		if (!skip || !skip[i])
			(void)apply(st, &ev[i], NULL);
	return st;
}
