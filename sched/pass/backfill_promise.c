/* SPDX-License-Identifier: MIT */
/*
 * backfill_promise.c - who of those that cannot start now is promised a start, and when?
 *
 * The first RESERVATIONDEPTH of each level. Where any processor is like another a promise floats:
 * so many of them; elsewhere it names its nodes.
 */
#include "backfill_inside.h"

static bool promises_at_all(const struct walk *w)
{
	return w->s->policy.reservation != RESERVE_NEVER && w->s->policy.backfill != BACKFILL_NONE;
}

static bool level_has_room(const struct walk *w, unsigned level)
{
	return level < RESERVATION_LEVELS &&
	       (int64_t)w->level_count[level] < w->s->policy.reservation_depth[level];
}

bool walk_can_promise(const struct walk *w)
{
	for (unsigned level = 0; promises_at_all(w) && level < RESERVATION_LEVELS; level++)
		if (level_has_room(w, level))
			return true;
	return false;
}

/*
 * A reservation that begins now does not count toward the depth: its job starts in this pass, or a start of
 * this pass has taken it over a soft limit and the next pass drops the reservation.
 */
void walk_count_promise(struct walk *w, const struct reservation *r)
{
	unsigned level = snapshot_job_level(w->s, job_at(w, r->slot));

	w->mark[r->slot] |= MARK_PROMISED;
	if (level < RESERVATION_LEVELS && r->begin_s > w->now_s)
		w->level_count[level]++;
}

/* Adds a reservation of named nodes: the runs from first_run on. */
static void add_named(struct walk *w, struct reservation r)
{
	r.run_count = (uint32_t)(w->reservations.runs.count - r.first_run);
	placement_take(w->placement, r.slot, r.begin_s, r.end_s, &w->reservations.runs.item[r.first_run],
		       r.run_count);
	reservation_add(&w->reservations, r);
	walk_count_promise(w, &r);
}

static bool promise_named(struct walk *w, struct reservation r, int64_t from_s)
{
	r.first_run = (uint32_t)w->reservations.runs.count;
	r.begin_s = placement_earliest(w->placement, r.slot, from_s, &w->reservations.runs);
	if (r.begin_s == TIME_NEVER)
		return false;
	r.end_s = r.begin_s + job_at(w, r.slot)->wall_limit_s;
	add_named(w, r);
	return true;
}

static bool promise_floating(struct walk *w, struct reservation r, int64_t from_s)
{
	if (reservation_make(&w->reservations, placement_profile(w->placement), r, from_s,
			     job_at(w, r.slot)->wall_limit_s) == TIME_NEVER)
		return false;
	walk_count_promise(w, &w->reservations.item[w->reservations.count - 1]);
	return true;
}

struct reservation walk_reservation(const struct walk *w, uint32_t slot)
{
	const struct job *job = job_at(w, slot);

	return (struct reservation){.job = job->id, .slot = slot, .procs = job_procs(job)};
}

/* Which level it has is asked of the site's lists, so not while all are full. */
bool walk_promise(struct walk *w, uint32_t slot)
{
	int64_t from_s;

	if (!walk_can_promise(w) || !level_has_room(w, snapshot_job_level(w->s, job_at(w, slot))))
		return false;
	/* Not now: it has just been found that it cannot. */
	from_s = placement_next_change(w->placement, w->now_s);
	if (from_s == TIME_NEVER)
		return false;
	return placement_is_plain(w->placement) ? promise_floating(w, walk_reservation(w, slot), from_s)
						: promise_named(w, walk_reservation(w, slot), from_s);
}
