/* SPDX-License-Identifier: MIT */
/*
 * undo_plan.h - preview of undoing journal entries
 *
 * The plan lists which entries can be undone and with what result. The entries are undone together, newest
 * first, on a copy of the state, so that the plan shows the combined result of undoing several changes of the
 * same setting. The caller selects single entries, or all changes by operators and users after an entry. A
 * caller with access to the journal passes its entries to undo_plan_note_event: then the plan includes events
 * that left no change (a cancellation, a change of a job that has ended) and counts the jobs that have
 * started and ended since.
 */
#ifndef STATE_UNDO_PLAN_H
#define STATE_UNDO_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "sched/base/arena.h"
#include "sched/base/err.h"

enum undo_plan_result {
	UNDO_PLAN_CANNOT,  /* cannot be undone; text: the reason */
	UNDO_PLAN_NOTHING, /* undone without an effect on the current state */
	UNDO_PLAN_DONE     /* undone; text: the effect: "xfactorweight: 600 -> 1000" */
};

struct undo_plan_item {
	uint64_t seq;
	enum undo_plan_result end;
	const char *text; /* valid as long as the plan */
};

/* A zeroed struct is a valid empty plan; undo_plan_clear frees it. */
struct undo_plan {
	struct undo_plan_item *item; /* entries that cannot be undone first, then newest first */
	size_t count, room;
	size_t cannot;
	moment_clock *clock;     /* clock for times in texts; NULL: UTC */
	uint64_t started, ended; /* number of jobs that started, or ended, since the first entry of the plan,
				    in the journal entries passed so far */
	uint64_t stopped;        /* how often the queue time of a job was reset, by JOBPRIOACCRUALPOLICY */
	/* private */
	uint64_t *wanted;
	size_t wanted_count, wanted_room;
	uint64_t after; /* with has_point: everything after this entry is selected */
	bool has_point;
	struct event *seen;
	size_t seen_count, seen_room;
	struct arena arena;
};

/*
 * undo_plan_add selects single entries to undo, in addition to those selected before. undo_plan_add_after
 * selects all changes by operators and users after an entry; of several calls the last one counts.
 */
void undo_plan_add(struct undo_plan *t, const uint64_t *seq, size_t count);
void undo_plan_add_after(struct undo_plan *t, uint64_t seq);

/* Returns the number of the first journal entry that the plan needs. */
uint64_t undo_plan_first_seq(const struct undo_plan *t);

/* Passes an entry of the journal, in any order, each once. */
void undo_plan_note_event(struct undo_plan *t, const struct event *ev);

/* Builds the plan for a state. */
void undo_plan_build(struct undo_plan *t, const struct snapshot *s);
void undo_plan_clear(struct undo_plan *t);

/* Would setting the option to this value change nothing, because it already has this value permanently? */
bool undo_plan_is_same_setting(const struct snapshot *s, const char *name, const char *value);

#endif
