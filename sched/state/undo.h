/* SPDX-License-Identifier: MIT */
/*
 * undo.h - can an entry of the journal still be undone, and if not, why?
 *
 * What an operator changed can be taken back as long as it may still matter: what was asked of a waiting job
 * until the job starts, what was asked of a running one until it ends, a reservation and its release until it
 * is over or many others were released since, everything else always. What others did can never be.
 */
#ifndef STATE_UNDO_H
#define STATE_UNDO_H

#include <stdint.h>

#include "sched/model/snapshot.h"

enum undo_bar {
	UNDO_OPEN,    /* nothing stands against it                                  */
	UNDO_UNKNOWN, /* no change that is still kept: never one, or what it was about has ended */
	UNDO_DONE,    /* it has been undone already                                 */
	UNDO_STARTED, /* its job has started since then                             */
	UNDO_STOPPED, /* its job does not run any more                              */
	UNDO_OVER,    /* it would bring back what was for a while that is over      */
	UNDO_BAR_COUNT
};

/* slot: of the change's job, INDEX_NONE if there is none. change may be NULL. */
enum undo_bar undo_bar(const struct snapshot *s, const struct change *change, uint32_t slot);

/* The same by number, for who looks at few: the job is searched for. */
enum undo_bar undo_bar_of(const struct snapshot *s, uint64_t seq);

/* "job started", "undone", ...; "" for UNDO_OPEN. Static storage. */
const char *undo_bar_text(enum undo_bar bar);

#endif
