/* SPDX-License-Identifier: MIT */
/*
 * annals.h - where is the past read: in the store, or from the scheduler that holds it?
 *
 * Who cannot open the store asks at the door, and is told what he may see (porter.h).
 */
#ifndef REPORT_ANNALS_H
#define REPORT_ANNALS_H

#include "span.h"
#include "store/store.h"
#include "tui/serve/caller.h"

/* One of them; both are borrowed. */
struct annals {
	struct store *store;
	struct caller *caller; /* where store is NULL */
};

/* As store_journal. */
bool annals_journal(const struct annals *a, uint64_t from, bool backward, journal_visit *visit, void *self,
		    struct err *err);

/* As span_find. */
bool annals_range(const struct annals *a, struct journal_span *out, struct err *err);

/* The state right after an entry, the caller's to free; after entry 0 there is nothing. NULL with a sentence.
 */
struct state *annals_state(const struct annals *a, uint64_t seq, struct err *err);
/* The same of whatever it was at a second. */
struct state *annals_state_of_time(const struct annals *a, int64_t time_s, struct err *err);

#endif
