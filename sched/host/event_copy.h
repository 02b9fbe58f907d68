/* SPDX-License-Identifier: MIT */
/*
 * event_copy.h - copies of events that own their strings
 *
 * Events borrow strings from resource managers, snapshots and callers. What must last until a commit, or is
 * passed to another thread, is copied into an arena.
 */
#ifndef HOST_EVENT_COPY_H
#define HOST_EVENT_COPY_H

#include "ledger.h"
#include "sched/base/arena.h"
#include "sched/state/event.h"

/* Returns a copy of the event whose strings and arrays are in the arena. */
struct event event_copy(struct arena *arena, const struct event *ev);

/*
 * Like event_copy, but does not copy the launch data of a submission, which may have megabytes; the caller
 * keeps the data.
 */
struct event event_copy_without_launch(struct arena *arena, const struct event *ev);

/* Returns a copy of a job record whose strings and arrays are in the arena. */
struct job_record job_record_copy(struct arena *arena, const struct job_record *record);

/* Returns the record of the job in a slot of s, with copies of its placement and strings in the arena. */
struct job_record job_record_of_slot(struct arena *arena, const struct snapshot *s, uint32_t slot);

/*
 * Makes the history record of the job that this event removes; st is the state before the event. Returns
 * false if the event removes no job: a running job that is cancelled is removed when its end is reported.
 */
bool ended_job_of_event(struct arena *arena, const struct state *st, const struct event *ev,
			struct ended_job *out);

#endif
