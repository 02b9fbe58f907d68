/* SPDX-License-Identifier: MIT */
/*
 * span.c - from where to where does a journal reach, and what was so before one of its moments?
 */
#include "span.h"
#include "sched/rm/wallclock.h"

static bool moment_of(struct store *store, uint64_t seq, int64_t *out_s, struct err *err)
{
	struct store_moment moment;

	if (!store_moment_of_entry(store, seq, &moment, wallclock, err))
		return false;
	*out_s = moment.time_s;
	return true;
}

bool span_find(struct store *store, struct journal_span *out, struct err *err)
{
	*out = (struct journal_span){.last = 0};
	if (!store_journal_range(store, &out->first, &out->last, err))
		return false;
	return out->last == 0 || (moment_of(store, out->first, &out->first_s, err) &&
				  moment_of(store, out->last, &out->last_s, err));
}

bool span_before(struct store *store, const struct journal_span *span, int64_t at_s, uint64_t *seq,
		 struct err *err)
{
	struct store_moment moment;

	*seq = span->first == 0 ? 0 : span->first - 1;
	if (span->last == 0 || at_s <= span->first_s)
		return true;
	if (!store_moment_of_time(store, at_s - 1, &moment, wallclock, err))
		return false;
	*seq = moment.seq;
	return true;
}
