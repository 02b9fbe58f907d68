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

/* What events ask to stop has stopped; an event that was left out, or refused, has asked for nothing. */
static void report_ends(struct state *st, const struct event *ev, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool stops = ev[i].kind == EVENT_CANCEL || ev[i].kind == EVENT_REQUEUE;
		uint32_t slot = stops ? state_find(st, ev[i].job) : INDEX_NONE;
		struct event end = event_of_stop(ev[i].job);

		end.time_s = state_view(st)->now_s;
		end.who = "sched";
		if (slot != INDEX_NONE && job_is_leaving(&snapshot_jobs(state_view(st))[slot]))
			(void)event_apply(st, &end, NULL);
	}
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
	report_ends(st, ev, count);
	return st;
}

struct state *draft_make_willing(const struct snapshot *s, const struct event *ev, size_t count,
				 const bool *skip)
{
	struct state *st = state_from_snapshot(s);

	for (size_t i = 0; i < count; i++)
		if (!skip || !skip[i])
			(void)apply(st, &ev[i], NULL);
	report_ends(st, ev, count);
	return st;
}
