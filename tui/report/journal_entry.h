/* SPDX-License-Identifier: MIT */
/*
 * journal_entry.h - report of one journal entry
 *
 * What it did to the queue at once, what undoing it would do now, and, where that is asked for, what has
 * happened since because of it.
 */
#ifndef REPORT_JOURNAL_ENTRY_H
#define REPORT_JOURNAL_ENTRY_H

#include "cmd_env.h"
#include "sched/state/event.h"

/* Reports on the entry whose number that is; because: also with it and without it. */
enum cmd_status journal_entry(struct cmd_env *env, const char *number, bool because);

/* What became of an operator's change: "yes", "undone", "job started"; "" for other entries. */
const char *journal_undo_state(const struct snapshot *s, enum event_kind kind, uint64_t seq);

#endif
