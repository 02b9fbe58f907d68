/* SPDX-License-Identifier: MIT */
/*
 * keep.h - copies of events that own their strings
 *
 * The steps of the scheduler borrow strings from managers, snapshots and callers; what must
 * last until a commit, or cross to another thread, is copied into an arena.
 */
#ifndef HOST_KEEP_H
#define HOST_KEEP_H

#include "ledger.h"
#include "sched/base/arena.h"
#include "sched/state/event.h"

/* A copy of the event whose strings and arrays live in the arena. */
struct event keep_event(struct arena *arena, const struct event *ev);

/* Without a copy of what a submission is to run, which may be megabytes: the caller keeps that. */
struct event keep_event_but_launch(struct arena *arena, const struct event *ev);

/* A copy of the record, likewise. */
struct job_record keep_record(struct arena *arena, const struct job_record *record);

/* The job in a slot of s, runs and strings included. */
struct job_record keep_job(struct arena *arena, const struct snapshot *s, uint32_t slot);

/*
 * The job that leaves by this event, as it is before it: for history. False when none does: a running job
 * that is cancelled leaves when its end is reported.
 */
bool keep_ended(struct arena *arena, const struct state *st, const struct event *ev, struct ended_job *out);

#endif
