/* SPDX-License-Identifier: MIT */
/*
 * event_inside.h - declarations shared by the files that implement events
 */
#ifndef STATE_EVENT_INSIDE_H
#define STATE_EVENT_INSIDE_H

#include "event.h"

/* Checks whether the event is allowed. If not, returns false with the reason in err. */
typedef bool event_checker(const struct state *st, const struct event *ev, struct err *err);

/* Applies a checked event; cannot fail. */
typedef void event_applier(struct state *st, const struct event *ev);

event_checker event_check_config, event_check_node, event_check_load, event_check_usage;
event_applier event_apply_config, event_apply_node, event_apply_load, event_apply_usage, event_apply_sim,
	event_apply_halt;

event_checker event_check_clock;
event_applier event_apply_clock;

event_checker event_check_submit, event_check_describe, event_check_start, event_check_end,
	event_check_cancel, event_check_used, event_check_suspend, event_check_requeue, event_check_signal;
event_applier event_apply_submit, event_apply_describe, event_apply_start, event_apply_end,
	event_apply_cancel, event_apply_used, event_apply_suspend, event_apply_requeue, event_apply_signal;

event_checker event_check_hold, event_check_priority, event_check_setting, event_check_modify,
	event_check_undo, event_check_keep;
event_applier event_apply_hold, event_apply_priority, event_apply_setting, event_apply_modify,
	event_apply_undo, event_apply_keep;

event_checker event_check_reserve, event_check_unreserve;
event_applier event_apply_reserve, event_apply_unreserve;

event_checker event_check_waits, event_check_plan, event_check_accrual, event_check_eligible,
	event_check_bypass, event_check_defer;
event_applier event_apply_plan, event_apply_accrual, event_apply_eligible, event_apply_bypass,
	event_apply_defer, event_apply_order, event_apply_pass;

/* Returns the change that an event leaves; the caller sets the fields specific to its kind. */
static inline struct change event_change(const struct event *ev, enum change_kind kind)
{
	return (struct change){.seq = ev->seq, .job = ev->job, .kind = kind, .until_s = ev->until_s};
}

/*
 * Returns the slot of the event's job if the job's state allows the action; otherwise INDEX_NONE with err
 * set. `what` names the action in err.
 */
uint32_t event_job_slot(const struct state *st, const struct event *ev, enum job_action action,
			const char *what, struct err *err);

#endif
