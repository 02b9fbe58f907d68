/* SPDX-License-Identifier: MIT */
/*
 * journal.h - entries of the journal, as screens keep them
 *
 * Read once from the end backward, then only what is new: following a busy journal costs
 * what was written since the last look.
 */
#ifndef SCREEN_JOURNAL_H
#define SCREEN_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/state/event.h"

struct filter; /* tui/report/filter.h */
struct snapshot;
struct store; /* store/store.h */

struct journal_entry {
	uint64_t seq, job;
	int64_t time_s;
	enum event_kind kind;
	char *who, *what; /* owned */
};

/* Which entries are kept. */
struct journal_filter {
	uint64_t job; /* only of this job; 0 = of all             */
	bool quiet;   /* also what passes and the simulation note for themselves */
};

/* {0} is empty. Release with journal_clear. */
struct journal {
	struct journal_entry *entry; /* oldest first */
	size_t count, cap;
	uint64_t seen;   /* last entry looked at  */
	uint64_t oldest; /* first entry looked at */
	struct journal_filter filter;
};

void journal_clear(struct journal *j);
/* Brings it up to date; a change of filter reads anew. NULL store: stays empty. s: the present state. */
bool journal_follow(struct journal *j, struct store *store, const struct snapshot *s,
		    struct journal_filter filter, struct err *err);

/* Reads on before the oldest. False: there is nothing more, or (with a sentence) it cannot be read. */
bool journal_read_older(struct journal *j, struct store *store, const struct snapshot *s, struct err *err);

/* By who, what, kind, job and seq. */
bool journal_entry_passes(const struct journal_entry *e, const struct filter *filter);

#endif
