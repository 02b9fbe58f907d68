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

/* A copy of the event whose strings and arrays live in the arena. */
struct event event_copy(struct arena *arena, const struct event *ev);

/* Does not copy the launch of a submission, which may have megabytes; the caller keeps it. */
struct event event_copy_without_launch(struct arena *arena, const struct event *ev);

/* A copy of a job record, likewise. */
struct job_record job_record_copy(struct arena *arena, const struct job_record *record);

/* A copy of the job in a slot of s, with its placement and strings. */
struct job_record job_record_of_slot(struct arena *arena, const struct snapshot *s, uint32_t slot);

/*
 * The history record of the job that this event removes, as the job is before the event. False if the event
 * removes none: a cancelled job that runs is removed when its end is reported.
 */
bool ended_job_of_event(struct arena *arena, const struct state *st, const struct event *ev,
			struct ended_job *out);

#endif
