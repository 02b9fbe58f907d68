/* SPDX-License-Identifier: MIT */
/*
 * journal.h - journal entries for screens
 *
 * The last entries are read once, from the end backward; after that only new entries are read. Following a
 * busy journal therefore costs only the entries written since the last call.
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
	/* Also keep entries of passes and of the simulation: plans, queue time, bypass counts, speed. */
	bool quiet;
};

/* {0} is empty. Free with journal_clear. */
struct journal {
	struct journal_entry *entry; /* oldest first */
	size_t count, cap;
	uint64_t seen;   /* number of the last entry read; 0 = none was read */
	uint64_t oldest; /* number of the first entry read; older ones may exist */
	struct journal_filter filter;
};

void journal_clear(struct journal *j);
/*
 * Reads new entries. If the filter has changed, drops all entries and reads the last ones that pass the new
 * filter. With store NULL, the journal stays empty. `s` is the present state. Returns false with err set if
 * entries cannot be read.
 */
bool journal_follow(struct journal *j, struct store *store, const struct snapshot *s,
		    struct journal_filter filter, struct err *err);

/*
 * Reads entries that are older than those in j. Returns false if there are none or, with err set, if they
 * cannot be read.
 */
bool journal_read_older(struct journal *j, struct store *store, const struct snapshot *s, struct err *err);

/*
 * Does an entry match the filter? The filter can name the fields who (also called user), what, kind, job and
 * seq.
 */
bool journal_entry_passes(const struct journal_entry *e, const struct filter *filter);

#endif
