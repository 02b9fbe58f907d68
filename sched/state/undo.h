/* SPDX-License-Identifier: MIT */
/*
 * undo.h - whether a journal entry can still be undone, and the reason if not
 *
 * A change made by an operator can be undone as long as it can still matter: a change of an idle job until
 * the job starts, of a running job until it ends, of an advance reservation or its release until the
 * reservation is over or many others have been released since, all others at any time. Events of other kinds
 * can never be undone.
 */
#ifndef STATE_UNDO_H
#define STATE_UNDO_H

#include <stdint.h>

#include "sched/model/snapshot.h"

enum undo_bar {
	UNDO_OPEN,    /* can be undone */
	UNDO_UNKNOWN, /* no change is kept: there was none, or its object is gone */
	UNDO_DONE,    /* it has been undone already                                 */
	UNDO_STARTED, /* its job has started since */
	UNDO_STOPPED, /* its job is no longer running */
	UNDO_OVER,    /* it would restore a temporary change that is over */
	UNDO_BAR_COUNT
};

/*
 * Tests whether a change can be undone. slot: the slot of the change's job; INDEX_NONE if there is no job. If
 * `change` is NULL, returns UNDO_UNKNOWN.
 */
enum undo_bar undo_bar(const struct snapshot *s, const struct change *change, uint32_t slot);

/*
 * Tests whether the entry with number seq can be undone. For single entries, because it has to search for
 * the job.
 */
enum undo_bar undo_bar_of(const struct snapshot *s, uint64_t seq);

/* Returns the reason in a few words, such as "job started"; "" for UNDO_OPEN. Static storage. */
const char *undo_bar_text(enum undo_bar bar);

#endif
