/* SPDX-License-Identifier: MIT */
/*
 * driver_pass.c - the scheduling pass of a step
 */

#include "driver_inside.h"
#include "fingerprint.h"
#include "sched/rm/monotonic.h"

/* Only for the statistics: no decision depends on it. */
static uint64_t clock_ns(void)
{
	return (uint64_t)monotonic_ns();
}

/*
 * Undoes temporary changes that are over before the pass decides anything. Many may be over in the same
 * second: the next step continues after DRIVER_RETURNS_MOST of them, so that requests are answered in between
 * and a kill loses nothing that has been undone. *all is false if some are left: the pass waits for the last.
 */
static bool take_back(struct driver *d, int64_t now_s, bool *all, struct err *err)
{
	struct event ev = {.time_s = now_s, .who = "sched"};
	uint32_t at = UINT32_MAX;

	for (unsigned taken = 0; event_returns(d->st, now_s, &at, &ev); taken++) {
		*all = taken < DRIVER_RETURNS_MOST;
		if (!*all)
			return true;
		if (!driver_apply(d, &ev, err))
			return false;
		driver_note_action(d, &ev);
	}
	return true;
}

/* Jobs whose dependency can no longer be met leave; many of them like changes above. */
static bool drop(struct driver *d, int64_t now_s, bool *all, struct err *err)
{
	struct event ev = {.time_s = now_s, .who = "sched"};
	char cause[EVENT_CAUSE_TEXT];
	uint32_t at = 0;

	for (unsigned taken = 0; event_drops(d->st, &at, &ev, cause); taken++) {
		if (taken == DRIVER_RETURNS_MOST)
			return !(*all = false);
		if (!driver_apply(d, &ev, err))
			return false;
	}
	return true;
}

bool driver_pass(struct driver *d, int64_t now_s, struct err *err)
{
	struct event ev = {.time_s = now_s, .who = "sched"};
	struct cycle_result result;
	uint64_t began_ns = clock_ns();
	bool all = true;

	if (!take_back(d, now_s, &all, err) || !drop(d, now_s, &all, err))
		return false;
	if (!all) {
		d->dirty = true;
		return true;
	}
	cycle_run(d->cycle, state_view(d->st), now_s, false, &result);
	d->stats.passes++;
	d->stats.pass_ns += clock_ns() - began_ns;
	d->due_s = result.next_due_s;
	d->dirty = false;
	d->enact.result = &result;
	d->enact.at = 0;
	while (enact_next(&d->enact, &ev)) {
		if (!driver_apply(d, &ev, err))
			return err_prefix(err, "the scheduler's own decision was refused");
		fingerprint_add(&d->stats.decisions_hash, &ev);
		driver_note_action(d, &ev);
	}
	return !event_counts_pass(state_view(d->st), &ev) || driver_apply(d, &ev, err);
}
