/* SPDX-License-Identifier: MIT */
/*
 * draft.h - what would the state be with these events?
 *
 * A draft is a list of events that nobody has made. What it is tried on is a copy, so that leaving it alone
 * is all that is needed to drop it. Running jobs that it asks to stop have ended in it, or wait again, as
 * their managers will report: else nothing that waits for what they hold would seem to gain by it.
 */
#ifndef STATE_DRAFT_H
#define STATE_DRAFT_H

#include <stdbool.h>
#include <stddef.h>

#include "event.h"

/*
 * A copy of s with the events applied in their order, none of them before s->now_s. skip[i]: event i is left
 * out; NULL = none is. state_free the copy. NULL: the state would refuse one; the sentence says which, "edit
 * 2 of 3: ...", when there are several.
 */
struct state *draft_make(const struct snapshot *s, const struct event *ev, size_t count, const bool *skip,
			 struct err *err);

/* The same, where an event that would be refused is left out. Never NULL. */
struct state *draft_make_willing(const struct snapshot *s, const struct event *ev, size_t count,
				 const bool *skip);

#endif
