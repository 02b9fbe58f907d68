/* SPDX-License-Identifier: MIT */
/*
 * draft.h - the state with hypothetical events applied
 *
 * A draft is a list of events that are not applied to the live state. They are applied to a copy, so that a
 * draft is discarded by freeing the copy. Running jobs that the draft cancels or requeues have ended in the
 * copy, or are idle again, as their resource manager would report: otherwise jobs that wait for their
 * resources would not benefit.
 */
#ifndef STATE_DRAFT_H
#define STATE_DRAFT_H

#include <stdbool.h>
#include <stddef.h>

#include "event.h"

/*
 * Copies s and applies the events in their order; an event with an earlier time than that of s is applied at
 * the time of s. skip[i]: event i is skipped; skip NULL: no event is. Release the copy with state_free.
 * Returns NULL if the state would reject an event; with several events the message says which one: "edit 2 of
 * 3: ...".
 */
struct state *draft_make(const struct snapshot *s, const struct event *ev, size_t count, const bool *skip,
			 struct err *err);

/* Like draft_make, but skips events that would be rejected. Never returns NULL. */
struct state *draft_make_willing(const struct snapshot *s, const struct event *ev, size_t count,
				 const bool *skip);

#endif
