/* SPDX-License-Identifier: MIT */
/*
 * driver_recover.c - recovery after a failed commit
 *
 * A commit that failed (the disk is full) left the store as it was before the step. So the state is read from
 * it again and the manager adopts that state, as after a crash: what it had reported and lost, it finds and
 * reports once more. Until RETRY_S later nothing is tried; requests are refused with the store's sentence.
 * Only a manager that keeps its own record of what happened can be asked twice: with another one the
 * scheduler stops.
 */
#include "driver_inside.h"

#define RETRY_S 2

static bool load_again(struct driver *d, struct err *err)
{
	struct state *st = state_new();

	if (!d->ledger.ops->load(d->ledger.self, st, err)) {
		state_free(st);
		return false;
	}
	state_free(d->st);
	d->st = st;
	cycle_free(d->cycle);
	d->cycle = cycle_new();
	return true;
}

bool driver_recover(struct driver *d, int64_t now_s, struct err *err)
{
	if (!d->stall.refused || d->rm.ops == NULL || !d->rm.ops->adopts_again)
		return false;
	d->stall.refused = false;
	if (!d->stall.told)
		driver_say(d, "nothing is done until the store can be written: %s", err->text);
	d->stall.why = *err;
	driver_forget_step(d);
	d->action_count = 0;
	if (!load_again(d, err) || !d->rm.ops->adopt(d->rm.self, state_view(d->st), err))
		return false;
	d->stall.stands = d->stall.told = true;
	d->stall.until_s = now_s + RETRY_S;
	d->dirty = true;
	return true;
}

/* What must be written fits all the same: space is kept for it. */
bool driver_has_room(struct driver *d, struct err *err)
{
	struct err why;
	bool room = d->ledger.ops == NULL || d->ledger.ops->has_room == NULL ||
		    d->ledger.ops->has_room(d->ledger.self, &why);

	state_set_no_room(d->st, !room);
	if (!room && !d->room_told)
		driver_say(d, "no job is started: %s", why.text);
	else if (room && d->room_told)
		driver_say(d, "the store has room again: jobs are started");
	d->room_told = !room;
	return room || err_set(err, "%s", why.text);
}

bool driver_is_stalled(const struct driver *d, int64_t now_s)
{
	return d->stall.stands && now_s < d->stall.until_s;
}
