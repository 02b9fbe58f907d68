/* SPDX-License-Identifier: MIT */
/*
 * backfill.c - the walk: who starts now, and who is promised a start?
 *
 * Jobs are visited in the order of rank (backfill_order.c). Kept promises come due in their
 * turn (backfill_kept.c); the others start (backfill_start.c), are promised a start
 * (backfill_promise.c), or become candidates for backfill (backfill_choose.c). This file knows the
 * order of these steps and none of them knows this file.
 */
#include "backfill_inside.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

/* --- memory and marks ---------------------------------------------------------------------- */

void walk_wipe(struct walk *w)
{
	for (size_t i = 0; i < w->decision_count; i++)
		if (w->decision[i].kind == DECIDE_START)
			w->mark[w->decision[i].slot] = 0;
	for (size_t i = 0; i < w->reservations.count; i++)
		w->mark[w->reservations.item[i].slot] = 0;
	w->decision_count = 0;
	w->runs.count = 0;
	reservations_reset(&w->reservations);
	memset(w->level_count, 0, sizeof w->level_count);
	w->started = w->backfilled = w->waiting_ahead = 0;
	w->strict_head = 0;
	w->cut = false;
	w->next_date_s = TIME_NEVER;
}

void walk_free(struct walk *w)
{
	queue_clear(&w->queue);
	placement_free(w->placement);
	reservations_free(&w->reservations);
	free(w->decision);
	free(w->runs.item);
	free(w->mark);
	free(w->candidate);
}

/* --- what starts shut out ------------------------------------------------------------------ */

static bool is_shut(const struct walk *w, uint32_t slot, enum limit_level level)
{
	return (w->mark[slot] & MARK_STARTS) == 0 && !walk_within(w, slot, level);
}

static bool any_is_shut(const struct walk *w, const struct queued *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_shut(w, list[i].slot, LEVEL_HARD))
			return true;
	return false;
}

bool walk_keeps_hard_limits(const struct walk *w, uint32_t slot)
{
	return walk_within(w, slot, LEVEL_HARD);
}

bool walk_shut_others(const struct walk *w)
{
	if (w->started == 0 || w->by_submit || !throttle_any(w->queue.throttle))
		return false;
	for (size_t i = 0; i < w->reservations.count; i++)
		if (is_shut(w, w->reservations.item[i].slot, LEVEL_SOFT))
			return true;
	return any_is_shut(w, w->queue.idle, w->queue.idle_count) ||
	       any_is_shut(w, w->queue.second, w->queue.second_count);
}

/* --- the walk ------------------------------------------------------------------------------------------ */

/* What becomes of the visit of a job. */
enum visited {
	VISIT_STARTED,
	VISIT_WAITS,  /* with a promise, or nothing can be said yet */
	VISIT_BLOCKS, /* neither a start nor a promise: from here on jobs start by backfill */
	VISIT_LEAVES  /* over its soft limit by now: it has its turn later                  */
};

static bool is_first_fit(const struct snapshot *s)
{
	return s->policy.backfill == BACKFILL_FIRSTFIT && s->policy.backfill_depth == 0;
}

/* Neither a start nor a promise, whatever its limits say: then they need not be asked. */
static bool is_hopeless(const struct walk *w, uint32_t slot)
{
	return walk_is_too_large(w, slot) && !walk_can_promise(w);
}

/* A job without a kept promise. */
static enum visited visit_fresh(struct walk *w, uint32_t slot)
{
	if (w->waiting_ahead > 0 && is_first_fit(w->s) && is_hopeless(w, slot))
		return VISIT_BLOCKS;
	if (!walk_within(w, slot, LEVEL_SOFT))
		return VISIT_LEAVES;
	if (walk_start_if_room(w, slot))
		return VISIT_STARTED;
	w->waiting_ahead++;
	return walk_promise(w, slot) ? VISIT_WAITS : VISIT_BLOCKS;
}

/*
 * Jobs that cannot start matter only while the first of them or a promise is looked for; where another way to
 * choose needs all that are left, the walk ends then anyway. Along WAITING it is not known who has a promise.
 */
static bool may_sieve(const struct walk *w, size_t kept)
{
	return w->waiting_ahead > 0 && is_first_fit(w->s) && (!w->by_submit || kept == 0) &&
	       !walk_can_promise(w);
}

/* A job with a kept promise. */
static void visit_kept(struct walk *w, uint32_t slot, const struct reservation *r)
{
	if (walk_start_promised(w, slot, r))
		return;
	w->waiting_ahead++;
	walk_count_promise(w, r);
}

static bool is_strict(const struct walk *w)
{
	return w->s->policy.backfill == BACKFILL_NONE;
}

/* The rest of the queue: kept promises first come due, the others are candidates. */
static void backfill_rest(struct walk *w, struct visit *v)
{
	uint32_t count = 0;

	w->candidate = vec_room(w->candidate, &w->candidate_room, w->queue.idle_count, sizeof *w->candidate);
	for (uint32_t i = v->at; i < w->queue.idle_count; i++) {
		const struct queued *one = &w->queue.idle[i];

		if (walk_is_kept(w, v, one->slot))
			walk_start_promised(w, one->slot, &w->reservations.item[v->kept_at++]);
		else
			w->candidate[count++] = *one;
	}
	walk_backfill(w, w->candidate, count, LEVEL_SOFT);
}

/*
 * Visits everybody in order. First fit goes on as it began; another way to choose needs all that
 * are left at once.
 */
static void visit_all(struct walk *w)
{
	struct visit v = {.kept = w->reservations.count};
	bool first_fit = is_first_fit(w->s);
	uint32_t slot;

	while (walk_next_eligible(w, &v, &slot)) {
		uint32_t started = w->started;
		bool was_narrow = walk_sieve_is_narrow(w);
		enum visited visited;

		if (walk_is_kept(w, &v, slot)) {
			visit_kept(w, slot, &w->reservations.item[v.kept_at++]);
			visited = VISIT_WAITS;
		} else {
			visited = visit_fresh(w, slot);
		}
		if (visited == VISIT_BLOCKS && is_strict(w)) {
			w->strict_head = job_at(w, slot)->id;
			return;
		}
		if (visited == VISIT_BLOCKS && !first_fit && !walk_can_promise(w)) {
			backfill_rest(w, &v);
			return;
		}
		if (!may_sieve(w, v.kept))
			continue;
		if (placement_procs_free(w->placement) == 0 && v.kept_at == v.kept)
			return;
		if (!was_narrow || w->started != started)
			walk_sieve_narrow(w);
	}
}

/* Does a job that keeps to its soft limits still wait for a start? */
static bool soft_clean_waits(struct walk *w)
{
	for (uint32_t i = 0; i < w->queue.idle_count; i++) {
		uint32_t slot = w->queue.idle[i].slot;

		if ((w->mark[slot] & MARK_STARTS) == 0 && walk_within(w, slot, LEVEL_SOFT))
			return true;
	}
	return false;
}

/*
 * The turn of those between their soft and hard limits (T-28, H-09): by backfill, so never with
 * backfill off, unless they are the only ones.
 */
static void visit_second(struct walk *w)
{
	bool idle_only = w->s->policy.hard_pass == HARD_IDLEONLY;
	const struct waiting *waiting = snapshot_waiting(w->s);
	uint32_t idle = 0, second = 0, count = 0;
	const struct queued *one;

	if (w->by_submit || !throttle_any(w->queue.throttle) || (is_strict(w) && !idle_only) ||
	    (idle_only && soft_clean_waits(w)))
		return;
	w->candidate = vec_room(w->candidate, &w->candidate_room, w->queue.idle_count + w->queue.second_count,
				sizeof *w->candidate);
	/* WAITING has what most of them ask for, so that few jobs are looked at. */
	while ((one = walk_next_ranked(&w->queue, &idle, &second)) != NULL)
		if (w->mark[one->slot] == 0 &&
		    waiting[one->order].procs <= placement_procs_free(w->placement) &&
		    !walk_within(w, one->slot, LEVEL_SOFT))
			w->candidate[count++] = *one;
	walk_backfill(w, w->candidate, count, LEVEL_HARD);
}

/* Is the order that of WAITING, with gates that look at a job alone, and any processor like another? */
static bool order_is_by_submit(const struct snapshot *s)
{
	const struct policy *p = &s->policy;

	return s->ranks_equal && s->adjusted == 0 && s->throttled == 0 && p->accrual != ACCRUAL_FULL &&
	       p->fs_policy == FS_NONE && snapshot_count(s, TABLE_LIMITS) == 0 && p->max_job_procs == 0 &&
	       p->max_job_wall_s == 0 && p->max_job_ps == 0 &&
	       (is_first_fit(s) || p->backfill == BACKFILL_NONE);
}

static void prepare(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue)
{
	w->s = s;
	w->now_s = now_s;
	w->next_date_s = TIME_NEVER;
	walk_sieve_open(w);
	if (w->placement == NULL)
		w->placement = placement_new();
	placement_begin(w->placement, s, now_s);
	w->mark = vec_zeroed(w->mark, &w->mark_room, snapshot_count(s, TABLE_JOBS), sizeof *w->mark);
	w->queue.brief = !with_queue;
	w->by_submit = !with_queue && order_is_by_submit(s) && placement_is_plain(w->placement);
	if (w->by_submit)
		queue_begin(&w->queue, s, now_s);
	else
		queue_build(&w->queue, s, now_s);
}

/* Suspended jobs come first: the placement has their claims already. */
static void resume_jobs(struct walk *w)
{
	size_t count;
	const struct resume_claim *resume = placement_resumes(w->placement, &count);

	for (size_t i = 0; i < count; i++)
		if (resume[i].begin_s == w->now_s && job_awaits_resume(job_at(w, resume[i].slot)))
			walk_decide(w, DECIDE_RESUME, resume[i].slot);
}

void walk_run(struct walk *w, const struct snapshot *s, int64_t now_s, bool with_queue)
{
	walk_wipe(w);
	prepare(w, s, now_s, with_queue);
	resume_jobs(w);
	if (s->policy.reservation == RESERVE_HIGHEST && s->policy.backfill != BACKFILL_NONE)
		walk_keep_promises(w);
	visit_all(w);
	visit_second(w);
}
