/* SPDX-License-Identifier: MIT */
/*
 * journal_entry.h - report of one journal entry
 *
 * The immediate effect of the entry on the queue, the effect of undoing it now, and on request its later
 * consequences.
 */
#ifndef REPORT_JOURNAL_ENTRY_H
#define REPORT_JOURNAL_ENTRY_H

#include "cmd_env.h"
#include "sched/state/event.h"

/* Reports on the entry with the given number; with its later consequences if `because` is true. */
enum cmd_status journal_entry(struct cmd_env *env, const char *number, bool because);

/* Can an operator's change be undone? "yes", or why not: "undone", "job started". "" for other entries. */
const char *journal_undo_state(const struct snapshot *s, enum event_kind kind, uint64_t seq);

#endif
