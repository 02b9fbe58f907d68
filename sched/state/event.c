/* SPDX-License-Identifier: MIT */
/*
 * event.c - which kinds of happening are there, and what does each do?
 *
 * One row per kind: check says in a sentence why not, apply cannot fail after it. A new
 * kind of event is a new row here, a line in event_text.c, a new record in the store's codec.
 */
#include "event.h"

#include "event_inside.h"
#include "sched/base/duration.h"

static bool check_nothing(const struct state *st, const struct event *ev, struct err *err)
{
	(void)st;
	(void)ev;
	(void)err;
	return true;
}

static const struct event_row {
	const char *name;
	bool can_undo;
	bool frees; /* may leave earlier times to jobs with a promise */
	event_checker *check;
	event_applier *apply;
} event_rows[EVENT_KIND_COUNT] = {
	[EVENT_CONFIG] = {"config", false, true, event_check_config, event_apply_config},
	[EVENT_NODE] = {"node", false, true, event_check_node, event_apply_node},
	[EVENT_SIM] = {"workload", false, false, check_nothing, event_apply_sim},
	[EVENT_SUBMIT] = {"submit", false, false, event_check_submit, event_apply_submit},
	[EVENT_START] = {"start", false, false, event_check_start, event_apply_start},
	[EVENT_END] = {"end", false, true, event_check_end, event_apply_end},
	[EVENT_HOLD] = {"hold", true, true, event_check_hold, event_apply_hold},
	[EVENT_PRIORITY] = {"priority", true, true, event_check_priority, event_apply_priority},
	[EVENT_SETTING] = {"set", true, true, event_check_setting, event_apply_setting},
	[EVENT_UNDO] = {"undo", true, true, event_check_undo, event_apply_undo},
	[EVENT_PLAN] = {"plan", false, false, event_check_plan, event_apply_plan},
	[EVENT_ACCRUAL] = {"accrual", false, false, event_check_accrual, event_apply_accrual},
	[EVENT_BYPASS] = {"bypass", false, false, event_check_bypass, event_apply_bypass},
	[EVENT_PASS] = {"pass", false, false, check_nothing, event_apply_pass},
	[EVENT_CANCEL] = {"cancel", false, true, event_check_cancel, event_apply_cancel},
	[EVENT_DEFER] = {"defer", false, true, event_check_defer, event_apply_defer},
	[EVENT_MODIFY] = {"modify", true, true, event_check_modify, event_apply_modify},
	[EVENT_USAGE] = {"usage", false, false, event_check_usage, event_apply_usage},
	[EVENT_USED] = {"used", false, false, event_check_used, event_apply_used},
	[EVENT_LOAD] = {"load", false, false, event_check_load, event_apply_load},
	[EVENT_ORDER] = {"order", false, false, event_check_waits, event_apply_order},
	[EVENT_ELIGIBLE] = {"eligible", false, false, event_check_eligible, event_apply_eligible},
	[EVENT_SUSPEND] = {"suspend", true, false, event_check_suspend, event_apply_suspend},
	[EVENT_REQUEUE] = {"requeue", false, true, event_check_requeue, event_apply_requeue},
	[EVENT_RESERVE] = {"reserve", true, true, event_check_reserve, event_apply_reserve},
	[EVENT_KEEP] = {"keep", false, false, event_check_keep, event_apply_keep},
	[EVENT_UNRESERVE] = {"unreserve", true, true, event_check_unreserve, event_apply_unreserve},
	[EVENT_HALT] = {"halt", true, true, check_nothing, event_apply_halt},
	[EVENT_SIGNAL] = {"signal", false, false, event_check_signal, event_apply_signal},
	[EVENT_CLOCK] = {"clock", false, true, event_check_clock, event_apply_clock},
};

/* Kept promises are looked at again by the next pass, not at every pass. */
static void note_freed(struct snapshot *s)
{
	if (s->planned > 0 && s->policy.reservation == RESERVE_HIGHEST)
		s->ends_pending = 1;
}

static bool known_kind(enum event_kind kind)
{
	return kind > 0 && kind < EVENT_KIND_COUNT;
}

/* Only what can be taken back is done for a while. */
static bool check_until(const struct event *ev, struct err *err)
{
	if (ev->until_s == 0)
		return true;
	if (!event_rows[ev->kind].can_undo)
		return err_set(err, "'%s' cannot be taken back, and so not be done for a while",
			       event_rows[ev->kind].name);
	return ev->until_s > ev->time_s || err_set(err, "this is to be for a while that is over already");
}

bool event_check(const struct state *st, const struct event *ev, struct err *err)
{
	char back[DURATION_TEXT];

	if (!known_kind(ev->kind))
		return err_set(err, "an event of unknown kind %d", (int)ev->kind);
	if (ev->time_s < state_view(st)->now_s && ev->kind != EVENT_CLOCK)
		return err_set(err, "an event is %s earlier than the one before it; time does not go back",
			       duration_text(back, state_view(st)->now_s - ev->time_s));
	return check_until(ev, err) && event_rows[ev->kind].check(st, ev, err);
}

/* Statistics begin with the first thing that happens. */
static void move_on(struct snapshot *s, const struct event *ev)
{
	if (s->stats_since_s == TIME_NONE)
		s->stats_since_s = ev->time_s;
	s->seq = ev->seq;
	s->now_s = ev->time_s;
}

bool event_apply(struct state *st, struct event *ev, struct err *err)
{
	if (!event_check(st, ev, err))
		return false;
	ev->seq = state_view(st)->seq + 1;
	if (ev->kind == EVENT_SUBMIT && ev->job == 0)
		ev->job = state_next_id(st);
	if (ev->kind == EVENT_CLOCK)
		ev->clock.before = state_view(st)->set_back;
	event_rows[ev->kind].apply(st, ev);
	if (event_rows[ev->kind].frees)
		note_freed(state_header(st));
	move_on(state_header(st), ev);
	return true;
}

const char *event_kind_name(enum event_kind kind)
{
	return known_kind(kind) ? event_rows[kind].name : "unknown";
}

bool event_can_undo(enum event_kind kind)
{
	return known_kind(kind) && event_rows[kind].can_undo;
}
