/* SPDX-License-Identifier: MIT */
/*
 * undo_plan.h - what does it mean to undo these entries: what can be, what not, and what comes of it?
 *
 * Entries are undone together, the newest first, on a copy of the state: so one that stands behind another of
 * the same setting says what both lead to. Either single entries are named, or all that people did after one
 * entry. Who has the journal shows its entries (undo_plan_note_event): with them it is known what was done
 * that leaves no change behind (a cancellation, a change of a job that has ended), and how many jobs have
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

enum undo_plan_end {
	UNDO_PLAN_CANNOT,  /* text: why not, as a sentence                            */
	UNDO_PLAN_NOTHING, /* it is undone, and nothing changes by it now             */
	UNDO_PLAN_DONE     /* text: what becomes of what it changed: "xfactorweight: 600 -> 1000" */
};

struct undo_plan_item {
	uint64_t seq;
	enum undo_plan_end end;
	const char *text; /* lives as long as the list */
};

/* Zero is a valid empty one; undo_plan_clear frees. */
struct undo_plan {
	struct undo_plan_item *item; /* what cannot be undone first, then the newest first */
	size_t count, room;
	size_t cannot;
	moment_clock *clock;     /* of what texts tell the time by; NULL: UTC */
	uint64_t started, ended; /* jobs, after the first of the entries, as far as the journal was shown */
	uint64_t stopped;        /* how often queue time was, which begins anew then (P-50) */
	/* private */
	uint64_t *wanted;
	size_t wanted_count, wanted_room;
	uint64_t after; /* with has_point: everything later is wanted */
	bool has_point;
	struct event *seen;
	size_t seen_count, seen_room;
	struct arena arena;
};

/* What is to be undone: some entries, and all that people did after one, in any order of calls. Named entries
 * add up; of several points the last one counts. */
void undo_plan_add(struct undo_plan *t, const uint64_t *seq, size_t count);
void undo_plan_add_after(struct undo_plan *t, uint64_t seq);

/* The first entry of the journal that is of interest. */
uint64_t undo_plan_first_seq(const struct undo_plan *t);

/* An entry of the journal, in any order, each once. */
void undo_plan_note_event(struct undo_plan *t, const struct event *ev);

/* Makes the list for a state. */
void undo_plan_build(struct undo_plan *t, const struct snapshot *s);
void undo_plan_clear(struct undo_plan *t);

/* Does the change of a setting leave it as it is? It has this value already, and not for a while alone. */
bool undo_plan_is_same_setting(const struct snapshot *s, const char *name, const char *value);

#endif
