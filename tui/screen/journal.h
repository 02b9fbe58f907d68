/* SPDX-License-Identifier: MIT */
/*
 * journal.h - journal entries for screens
 *
 * Read once from the end backward, and then only new entries, so following a busy journal costs only what was
 * written since.
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
	uint64_t job; /* only entries of this job; 0 = all */
	bool quiet;   /* include entries that scheduling passes and the simulation write for themselves */
};

/* {0} is empty. Free with journal_clear. */
struct journal {
	struct journal_entry *entry; /* oldest first */
	size_t count, cap;
	uint64_t seen;   /* last entry read */
	uint64_t oldest; /* first entry read */
	struct journal_filter filter;
};

void journal_clear(struct journal *j);
/*
 * Reads new entries; a changed filter reads all of them again. NULL store: stays empty. s: the present state.
 */
bool journal_follow(struct journal *j, struct store *store, const struct snapshot *s,
		    struct journal_filter filter, struct err *err);

/* Reads older entries. False: there are none, or (with err set) they cannot be read. */
bool journal_read_older(struct journal *j, struct store *store, const struct snapshot *s, struct err *err);

/* Matches user, what, kind, job and seq. */
bool journal_entry_passes(const struct journal_entry *e, const struct filter *filter);

#endif
