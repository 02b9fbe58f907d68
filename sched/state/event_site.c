/* SPDX-License-Identifier: MIT */
/*
 * event_site.c - what happens when the site changes: its configuration, its nodes, its past?
 */
#include <math.h>
#include <string.h>

#include "event_inside.h"
#include "sched/base/duration.h"

bool event_check_config(const struct state *st, const struct event *ev, struct err *err)
{
	struct state *copy = state_from_snapshot(state_view(st));
	bool ok = state_set_config(copy, ev->config.file, ev->config.text, err);

	state_free(copy);
	return ok;
}

void event_apply_config(struct state *st, const struct event *ev)
{
	state_set_config(st, ev->config.file, ev->config.text, NULL);
}

bool event_check_node(const struct state *st, const struct event *ev, struct err *err)
{
	return state_check_report(st, &ev->node, err);
}

void event_apply_node(struct state *st, const struct event *ev)
{
	state_report_node(st, &ev->node);
}

bool event_check_load(const struct state *st, const struct event *ev, struct err *err)
{
	const char *name = ev->load.node == NULL ? "" : ev->load.node;

	if (state_find_node(st, name) == INDEX_NONE)
		return err_set(err, "the load of node %s was reported, which is not here", name);
	return (isfinite(ev->load.used.load) && isfinite(ev->load.used.procs)) ||
	       err_set(err, "the load of node %s was reported as what is no number", name);
}

void event_apply_load(struct state *st, const struct event *ev)
{
	state_set_load(st, state_find_node(st, ev->load.node), &ev->load.used, ev->load.by);
}

bool event_check_usage(const struct state *st, const struct event *ev, struct err *err)
{
	return state_check_usage(st, &ev->usage, err);
}

void event_apply_usage(struct state *st, const struct event *ev)
{
	state_set_usage(st, &ev->usage);
}

/* The moment by the clock as it was is not before the event before. */
bool event_check_clock(const struct state *st, const struct event *ev, struct err *err)
{
	int64_t now_s = state_view(st)->now_s, by_s = ev->clock.by_s;
	char back[DURATION_TEXT];

	if (by_s == 0 || by_s > EVENT_CLOCK_MOST || by_s < -EVENT_CLOCK_MOST)
		return err_set(err, "the clock cannot be set by %lld seconds", (long long)by_s);
	if (now_s == TIME_NONE || now_s + by_s <= ev->time_s)
		return true;
	return err_set(err, "the clock was set by %lld seconds, but this is %s before the previous event",
		       (long long)by_s, duration_text(back, now_s + by_s - ev->time_s));
}

void event_apply_clock(struct state *st, const struct event *ev)
{
	state_set_clock(st, ev->time_s, ev->clock.by_s);
	if (ev->clock.by_s < 0)
		state_header(st)->set_back = ev->seq;
}

/* That the scheduler counts down its last passes is nobody's change. */
static bool is_counted_down(const struct event *ev)
{
	return ev->who != NULL && strcmp(ev->who, "sched") == 0;
}

void event_apply_halt(struct state *st, const struct event *ev)
{
	struct change change = event_change(ev, CHANGE_HALT);

	if (is_counted_down(ev)) {
		state_count_halt(st, ev->halt.on, ev->halt.after);
		return;
	}
	change.on = ev->halt.on;
	change.number = ev->halt.on ? ev->halt.after : 0;
	state_add_change(st, &change, NULL, NULL, ev->time_s);
}

bool event_counts_pass(const struct snapshot *s, struct event *ev)
{
	if (s->halted == 0 || s->halt_after == 0)
		return false;
	ev->kind = EVENT_HALT;
	ev->job = 0;
	ev->halt.on = true;
	ev->halt.after = s->halt_after - 1;
	return true;
}

void event_apply_sim(struct state *st, const struct event *ev)
{
	state_header(st)->sim = ev->sim;
}
