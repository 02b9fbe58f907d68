/* SPDX-License-Identifier: MIT */
/*
 * event_copy.h - copies of events that own their strings
 *
 * The steps of the scheduler borrow strings from managers, snapshots and callers; what must
 * last until a commit, or cross to another thread, is copied into an arena.
 */
#ifndef HOST_EVENT_COPY_H
#define HOST_EVENT_COPY_H

#include "ledger.h"
#include "sched/base/arena.h"
#include "sched/state/event.h"

/* A copy of the event whose strings and arrays live in the arena. */
struct event event_copy(struct arena *arena, const struct event *ev);

/* Without a copy of what a submission is to run, which may be megabytes: the caller keeps that. */
struct event event_copy_without_launch(struct arena *arena, const struct event *ev);

/* A copy of the record, likewise. */
struct job_record job_record_copy(struct arena *arena, const struct job_record *record);

/* The job in a slot of s, runs and strings included. */
struct job_record job_record_of_slot(struct arena *arena, const struct snapshot *s, uint32_t slot);

/*
 * The job that leaves by this event, as it is before it: for history. False when none does: a running job
 * that is cancelled leaves when its end is reported.
 */
bool ended_job_of_event(struct arena *arena, const struct state *st, const struct event *ev,
			struct ended_job *out);

#endif
