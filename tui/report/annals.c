/* SPDX-License-Identifier: MIT */
/*
 * annals.c - where is the past read: in the store, or from the scheduler that holds it?
 */
#include "annals.h"

#include "sched/rm/wallclock.h"
#include "sched/state/state.h"
#include "tui/serve/memory_file.h"

bool annals_journal(const struct annals *a, uint64_t from, bool backward, journal_visit *visit, void *self,
		    struct err *err)
{
	return a->store != NULL ? store_journal(a->store, from, backward, visit, self, err)
				: caller_journal(a->caller, from, backward, visit, self, err);
}

/* --- the ends ---------------------------------------------------------------------------------- */

struct end {
	uint64_t seq;
	int64_t time_s;
};

static bool take_one(void *self, const struct event *ev)
{
	*(struct end *)self = (struct end){.seq = ev->seq, .time_s = ev->time_s};
	return false;
}

bool annals_range(const struct annals *a, struct journal_span *out, struct err *err)
{
	struct end begin = {.seq = 0}, end = {.seq = 0};

	if (!annals_journal(a, 1, false, take_one, &begin, err) ||
	    !annals_journal(a, UINT64_MAX, true, take_one, &end, err))
		return false;
	*out = (struct journal_span){
		.first = begin.seq, .last = end.seq, .first_s = begin.time_s, .last_s = end.time_s};
	return true;
}

/* --- states ------------------------------------------------------------------------------------- */

static struct state *fetch(struct caller *c, const struct store_moment *moment, struct err *err)
{
	struct caller_picture picture;
	struct state *st;

	if (!caller_moment(c, moment, &picture, err))
		return NULL;
	st = state_from_snapshot(picture.s);
	memory_file_free(picture.s, picture.size);
	return st;
}

struct state *annals_state(const struct annals *a, uint64_t seq, struct err *err)
{
	struct store_moment moment = {.seq = seq};

	if (a->store != NULL)
		return store_state_after(a->store, seq, err);
	return seq > 0 ? fetch(a->caller, &moment, err) : state_new();
}

struct state *annals_state_of_time(const struct annals *a, int64_t time_s, struct err *err)
{
	struct store_moment moment = {.time_s = time_s};

	if (a->store == NULL)
		return fetch(a->caller, &moment, err);
	return store_moment_of_time(a->store, time_s, &moment, wallclock, err)
		       ? store_state_after(a->store, moment.seq, err)
		       : NULL;
}
