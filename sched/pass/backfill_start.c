/* SPDX-License-Identifier: MIT */
/*
 * backfill_start.c - may this job start now, and what is different once it does?
 *
 * It may when it keeps to its limits, when there is room for it, and when no reservation is in its
 * way for as long as it may run. What is cheap to ask is asked first.
 */
#include "backfill_inside.h"
#include "sched/base/vec.h"

struct decision *walk_decide(struct walk *w, enum decision_kind kind, uint32_t slot)
{
	struct decision *d;

	w->decision = vec_room(w->decision, &w->decision_room, w->decision_count + 1, sizeof *w->decision);
	d = &w->decision[w->decision_count++];
	*d = (struct decision){.kind = (uint8_t)kind, .slot = slot, .job = snapshot_jobs(w->s)[slot].id};
	return d;
}

bool walk_within(const struct walk *w, uint32_t slot, enum limit_level level)
{
	return w->by_submit || !throttle_any(w->queue.throttle) ||
	       throttle_active(w->queue.throttle, job_at(w, slot), level, NULL);
}

/* What must be free for a start now. */
static int64_t end_of_start_s(const struct walk *w, const struct job *job)
{
	return reservations_end_s(&w->reservations, job, w->now_s, snapshot_job_grace_s(w->s, job));
}

static bool fits_beside_reservations(struct walk *w, const struct job *job)
{
	if (w->reservations.count == 0)
		return true;
	return profile_first_below(placement_profile(w->placement), w->now_s, end_of_start_s(w, job),
				   job_procs(job)) == TIME_NEVER;
}

bool walk_is_too_large(const struct walk *w, uint32_t slot)
{
	return job_procs(job_at(w, slot)) > placement_procs_free(w->placement);
}

/* Finds nodes for a start now, appended to the walk's runs. */
static bool find_nodes(struct walk *w, uint32_t slot)
{
	const struct job *job = job_at(w, slot);

	if (!placement_is_plain(w->placement))
		return placement_find(w->placement, slot, w->now_s, end_of_start_s(w, job), &w->runs);
	return fits_beside_reservations(w, job) && placement_choose(w->placement, slot, &w->runs);
}

void walk_note_start(struct walk *w, uint32_t slot, size_t first)
{
	struct decision *d = walk_decide(w, DECIDE_START, slot);

	d->first_run = (uint32_t)first;
	d->run_count = (uint32_t)(w->runs.count - first);
	d->backfilled = w->waiting_ahead > 0;
	w->mark[slot] |= d->backfilled ? MARK_STARTS | MARK_BACKFILLED : MARK_STARTS;
	w->started++;
	w->backfilled += d->backfilled;
	placement_take(w->placement, slot, w->now_s, w->now_s + job_at(w, slot)->wall_limit_s,
		       &w->runs.item[first], d->run_count);
	if (!w->by_submit && throttle_any(w->queue.throttle))
		throttle_count_start(w->queue.throttle, slot);
}

bool walk_fits(struct walk *w, uint32_t slot, enum limit_level level)
{
	size_t first = w->runs.count;
	bool fits = !walk_is_too_large(w, slot) && walk_within(w, slot, level) && find_nodes(w, slot);

	w->runs.count = first;
	return fits;
}

bool walk_start_if_room(struct walk *w, uint32_t slot)
{
	size_t first = w->runs.count;

	if (walk_is_too_large(w, slot) || !find_nodes(w, slot))
		return false;
	walk_note_start(w, slot, first);
	return true;
}

bool walk_try_start(struct walk *w, uint32_t slot, enum limit_level level)
{
	return !walk_is_too_large(w, slot) && walk_within(w, slot, level) && walk_start_if_room(w, slot);
}
