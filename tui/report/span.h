/* SPDX-License-Identifier: MIT */
/*
 * span.h - from where to where does a journal reach, and what was so before one of its moments?
 */
#ifndef REPORT_SPAN_H
#define REPORT_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

/* The entries of a journal, and the moments of the first and the last. last 0: there is none. */
struct journal_span {
	uint64_t first, last;
	int64_t first_s, last_s;
};

/* False with a sentence: the store cannot be read. */
bool span_find(struct store *store, struct journal_span *out, struct err *err);

/* The last entry before a moment, first - 1 where there is none: for store_state_after. */
bool span_before(struct store *store, const struct journal_span *span, int64_t at_s, uint64_t *seq,
		 struct err *err);

#endif
