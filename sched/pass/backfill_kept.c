/* SPDX-License-Identifier: MIT */
/*
 * backfill_kept.c - what becomes of promises made in earlier passes? (RESERVATIONPOLICY HIGHEST)
 *
 * A kept promise never moves to a later time by what the walk does: all are in the placement before
 * anybody else is looked at. It moves up when time has become free. It takes a place of its level's
 * depth only when the walk comes to its job: a higher one that came later gets its own.
 */
#include "backfill_inside.h"
#include "sched/base/vec.h"

/* The nodes that a promise named when it was made. */
static void copy_planned_runs(struct walk *w, const struct job *job, struct reservation *r)
{
	struct alloc_list *runs = &w->reservations.runs;

	r->first_run = (uint32_t)runs->count;
	for (uint32_t at = job->run; at != INDEX_NONE; at = snapshot_runs(w->s)[at].next) {
		runs->item = vec_room(runs->item, &runs->room, runs->count + 1, sizeof *runs->item);
		runs->item[runs->count++] = snapshot_runs(w->s)[at];
	}
	r->run_count = (uint32_t)runs->count - r->first_run;
}

/*
 * Has a reservation begun whose job is over a soft limit? Such a job has its turn after all others
 * (HARDPASS), so nothing is kept free for it.
 */
static bool has_lapsed(const struct walk *w, uint32_t slot)
{
	return job_at(w, slot)->planned_s <= w->now_s && !walk_within(w, slot, LEVEL_SOFT);
}

static void collect_kept(struct walk *w)
{
	struct visit v = {0};
	uint32_t slot;

	while (walk_next_eligible(w, &v, &slot)) {
		const struct job *job = job_at(w, slot);
		struct reservation r = walk_reservation(w, slot);

		if (job->planned_s == TIME_NEVER || has_lapsed(w, slot))
			continue;
		r.begin_s = job->planned_s;
		r.end_s = job->planned_s + job->wall_limit_s;
		copy_planned_runs(w, job, &r);
		reservation_add(&w->reservations, r);
	}
}

/* All kept promises into the profile at once. False: together they do not fit any more. */
static bool kept_fit_at_once(struct walk *w)
{
	for (size_t i = 0; i < w->reservations.count; i++)
		if (w->reservations.item[i].begin_s < w->now_s)
			return false;
	return placement_claim_all(w->placement, w->reservations.item, w->reservations.count);
}

/* The reserved start has passed, because no pass ran then or the resources were not free. */
static bool is_late(const struct walk *w, const struct reservation *r)
{
	return r->begin_s < w->now_s;
}

/* Reserves what a kept reservation needs, at its own time or else at the earliest that is free; False: never.
 */
static bool remake_floating(struct walk *w, struct reservation *r)
{
	struct profile *profile = placement_profile(w->placement);
	int64_t duration_s = r->end_s - r->begin_s;

	if (is_late(w, r) || profile_first_below(profile, r->begin_s, r->end_s, r->procs) != TIME_NEVER) {
		r->begin_s = profile_earliest(profile, w->now_s, r->procs, duration_s);
		if (r->begin_s == TIME_NEVER) /* a suspended job keeps what it needs */
			return false;
		r->end_s = r->begin_s + duration_s;
	}
	profile_take(profile, r->begin_s, r->end_s, r->procs);
	r->placed = 1;
	return true;
}

/*
 * Reserves for one kept reservation after the other; what no longer fits is made anew, or given up. Late ones
 * come first and delay the others: if a late reservation were placed after those that still hold, two jobs
 * could push each other back indefinitely, each pass a second too late for one of them.
 */
static void remake_kept(struct walk *w)
{
	size_t left = 0;

	for (size_t i = 0; i < w->reservations.count; i++)
		if (is_late(w, &w->reservations.item[i]))
			remake_floating(w, &w->reservations.item[i]);
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];

		if (r->placed || (r->begin_s != TIME_NEVER && remake_floating(w, r)))
			w->reservations.item[left++] = *r;
	}
	w->reservations.count = left;
}

/*
 * When time has become free: each in the order of rank moves to the earliest begin. Most have
 * none before their own, and what they hold from there on does not stand in their way; so
 * only those that move are taken out and put back.
 */
static void move_kept_up(struct walk *w)
{
	struct profile *profile = placement_profile(w->placement);

	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];
		int64_t duration_s = r->end_s - r->begin_s;
		int64_t begin_s = profile_earlier(profile, w->now_s, r->begin_s, r->procs, duration_s);

		if (begin_s == TIME_NEVER)
			continue;
		profile_take(profile, r->begin_s, r->end_s, -r->procs);
		r->begin_s = begin_s;
		r->end_s = begin_s + duration_s;
		profile_take(profile, r->begin_s, r->end_s, r->procs);
	}
}

/* A promise that is made anew, or that a job now blocked gives up, leaves time to others. */
static void keep_floating(struct walk *w)
{
	bool fit = kept_fit_at_once(w);

	if (!fit)
		remake_kept(w);
	if (!fit || w->s->ends_pending || w->reservations.count < w->s->planned)
		move_kept_up(w);
	for (size_t i = 0; i < w->reservations.count; i++)
		w->mark[w->reservations.item[i].slot] |= MARK_PROMISED;
}

static struct alloc_run *runs_of(struct walk *w, const struct reservation *r)
{
	return &w->reservations.runs.item[r->first_run];
}

/* Are the nodes of a reservation that is not late still free for it? */
static bool named_holds(struct walk *w, const struct reservation *r)
{
	return r->run_count > 0 &&
	       placement_can_take(w->placement, r->slot, r->begin_s, r->end_s, runs_of(w, r), r->run_count);
}

static void take_named(struct walk *w, const struct reservation *r)
{
	placement_take(w->placement, r->slot, r->begin_s, r->end_s, runs_of(w, r), r->run_count);
}

/* The earliest begin it can have now, and its nodes. False: none; it stays without. */
static bool place_named(struct walk *w, struct reservation *r)
{
	uint32_t first = (uint32_t)w->reservations.runs.count;
	int64_t begin_s = placement_earliest(w->placement, r->slot, w->now_s, &w->reservations.runs);

	if (begin_s == TIME_NEVER)
		return false;
	r->end_s += begin_s - r->begin_s;
	r->begin_s = begin_s;
	r->first_run = first;
	r->run_count = (uint32_t)w->reservations.runs.count - first;
	return true;
}

/* First the late ones, as in remake_kept; then what still holds; the others have no nodes until they are
 * placed. */
static void keep_what_holds(struct walk *w)
{
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];

		if (!is_late(w, r))
			continue;
		r->run_count = 0;
		r->placed = place_named(w, r);
		if (r->placed)
			take_named(w, r);
	}
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation *r = &w->reservations.item[i];

		if (r->placed || is_late(w, r))
			continue;
		if (named_holds(w, r))
			take_named(w, r);
		else
			r->run_count = 0;
	}
}

/* If time has become free, each moves up. */
static void keep_named(struct walk *w)
{
	bool move_up = w->s->ends_pending || w->reservations.count < w->s->planned;
	size_t left = 0;

	keep_what_holds(w);
	for (size_t i = 0; i < w->reservations.count; i++) {
		struct reservation r = w->reservations.item[i];
		bool held = r.run_count > 0;

		if (held && move_up)
			placement_give_back(w->placement, r.slot, r.begin_s, r.end_s, runs_of(w, &r),
					    r.run_count);
		if (!held || move_up) {
			struct reservation moved = r;

			if (place_named(w, &moved) && (!held || moved.begin_s < r.begin_s))
				r = moved;
			if (r.run_count == 0)
				continue;
			take_named(w, &r);
		}
		w->reservations.item[left++] = r;
		w->mark[r.slot] |= MARK_PROMISED;
	}
	w->reservations.count = left;
}

void walk_keep_promises(struct walk *w)
{
	collect_kept(w);
	if (placement_is_plain(w->placement))
		keep_floating(w);
	else
		keep_named(w);
}

/* Gives back what the promise holds, so that the start can take it. */
static void release_promise(struct walk *w, const struct reservation *r)
{
	if (placement_is_plain(w->placement))
		profile_take(placement_profile(w->placement), r->begin_s, r->end_s, -r->procs);
	else
		placement_give_back(w->placement, r->slot, r->begin_s, r->end_s, runs_of(w, r), r->run_count);
}

static void restore_promise(struct walk *w, const struct reservation *r)
{
	if (placement_is_plain(w->placement))
		profile_take(placement_profile(w->placement), r->begin_s, r->end_s, r->procs);
	else
		take_named(w, r);
}

bool walk_start_promised(struct walk *w, uint32_t slot, const struct reservation *r)
{
	size_t first = w->runs.count;

	if (r->begin_s > w->now_s || !walk_within(w, slot, LEVEL_SOFT))
		return false;
	release_promise(w, r);
	if (placement_is_plain(w->placement)
		    ? placement_choose(w->placement, slot, &w->runs)
		    : placement_find(w->placement, slot, r->begin_s, r->end_s, &w->runs)) {
		walk_note_start(w, slot, first);
		return true;
	}
	restore_promise(w, r);
	return false;
}
