/* SPDX-License-Identifier: MIT */
/*
 * rerun_policy.c - under which policy is the journal run again?
 *
 * Under the one of then, or another configuration in its place, from the beginning on; settings may stand
 * over either.
 */
#include "rerun_inside.h"

static bool apply(struct rerun *r, struct event ev, struct err *err)
{
	ev.time_s = r->now_s;
	ev.who = "sched";
	return event_apply(r->st, &ev, err);
}

/* The newest first, so that each is still there to be undone. */
static bool undo_settings(struct rerun *r, struct err *err)
{
	for (uint32_t i = snapshot_count(state_view(r->st), TABLE_CHANGES); i-- > 0;) {
		const struct change *change = &snapshot_changes(state_view(r->st))[i];

		if (change->kind == CHANGE_SETTING && change->dead == 0 &&
		    !apply(r, (struct event){.kind = EVENT_UNDO, .undo = {.seq = change->seq}}, err))
			return false;
	}
	return true;
}

bool rerun_configure(struct rerun *r, const struct rerun_setup *setup, struct err *err)
{
	if (setup->config_text != NULL &&
	    (!undo_settings(r, err) ||
	     !apply(r,
		    (struct event){.kind = EVENT_CONFIG,
				   .config = {.file = setup->config_file, .text = setup->config_text}},
		    err)))
		return false;
	for (size_t i = 0; i < setup->set_count; i++)
		if (!apply(r,
			   (struct event){
				   .kind = EVENT_SETTING,
				   .setting = {.name = setup->set_name[i], .value = setup->set_value[i]}},
			   err))
			return false;
	return true;
}
