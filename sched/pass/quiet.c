/* SPDX-License-Identifier: MIT */
/*
 * quiet.c - would a pass at a later moment decide nothing, as the one before it?
 *
 * What a pass decides follows from the state, from which jobs each gate stops and from the order of those
 * that are left. Of the gates only two change without being known to: fairshare caps, and a priority below 0
 * where such jobs are rejected. Where limits or arrays count jobs, who comes first may keep out the next, so
 * the order of all candidates counts; else that of the idle alone: who is stopped has no place. Of them the
 * last that has a promise closes the row: whoever stands behind it found no room among what runs and is
 * promised, and would find none in any other order.
 */
#include "quiet.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/policy/priority.h"

static const struct job *job_at(const struct quiet *q, uint32_t slot)
{
	return &snapshot_jobs(q->s)[slot];
}

/* --- whose order counts --------------------------------------------------------------------------- */

/* Up to the last that has a promise. A pass that decided nothing left the promises as it made them. */
static uint32_t count_ordered(const struct quiet *q, bool counted)
{
	const struct policy *policy = &q->s->policy;
	uint32_t ordered = q->ranked_count;

	if (counted || policy->backfill == BACKFILL_NONE || policy->backfill_depth > 0)
		return ordered;
	while (ordered > 0 && job_at(q, q->ranked[ordered - 1].slot)->planned_s == TIME_NEVER)
		ordered--;
	return ordered;
}

static void find_ranked(struct quiet *q)
{
	const struct queue *queue = q->queue;
	bool counted = throttle_any(queue->throttle) || queue->array_throttle.any;

	q->ranked_count = counted ? queue->candidate_count : queue->idle_count;
	q->ranked = vec_room(q->ranked, &q->ranked_room, q->ranked_count, sizeof *q->ranked);
	if (q->ranked_count > 0)
		memcpy(q->ranked, counted ? queue->candidate : queue->idle,
		       q->ranked_count * sizeof *q->ranked);
	q->ordered = count_ordered(q, counted);
	q->shares_rank = snapshot_weighs_shares(q->s);
}

/* Still one behind the other, or behind the last of those whose order counts. */
static bool order_is_the_same(struct quiet *q, const struct prio_world *world)
{
	struct prio_terms terms = {.weights = NULL};

	for (uint32_t i = 0; i < q->ranked_count; i++) {
		const struct queued *ahead =
			i > 0 && q->ordered > 0 ? &q->ranked[(i < q->ordered ? i : q->ordered) - 1] : NULL;
		struct queued *one = &q->ranked[i];

		one->rank = queue_rank_next(q->s, job_at(q, one->slot), world, &q->shares, &terms);
		if (ahead != NULL && queue_compare(ahead, one) > 0)
			return false;
	}
	return true;
}

/* Below 0 or not, as in the pass. */
static bool rejected_are_the_same(const struct quiet *q, const struct prio_world *world)
{
	const struct waiting *waiting = snapshot_waiting(q->s);

	for (uint32_t i = 0; i < q->queue->candidate_count; i++)
		if (queue_rank(q->s, job_at(q, q->queue->candidate[i].slot), world, &q->shares) < 0)
			return false;
	for (uint32_t i = 0; i < snapshot_count(q->s, TABLE_WAITING); i++)
		if (q->queue->failed[i] == GATE_NEGATIVE &&
		    queue_rank(q->s, job_at(q, waiting[i].slot), world, &q->shares) >= 0)
			return false;
	return true;
}

/* --- caps ------------------------------------------------------------------------------------------- */

/* From the shares at hand on. */
static void look_ahead(struct quiet *q, const struct fairshare *shares)
{
	const struct machine machine = snapshot_machine(q->s);

	q->steady_s = INT64_MAX;
	for (uint32_t i = 0; i < q->cap_count && q->steady_s > shares->now_s; i++) {
		int64_t until_s =
			fairshare_caps_steady_until(shares, &q->pace, job_at(q, q->cap[i].slot), &machine);

		q->steady_s = until_s < q->steady_s ? until_s : q->steady_s;
	}
}

static void find_caps(struct quiet *q)
{
	const struct machine machine = snapshot_machine(q->s);
	const struct queue *queue = q->queue;
	struct fs_world usage;

	q->cap = vec_room(q->cap, &q->cap_room, queue->candidate_count, sizeof *q->cap);
	q->cap_count = 0;
	for (uint32_t i = 0; i < queue->candidate_count; i++) {
		uint32_t slot = queue->candidate[i].slot;
		const struct job *job = job_at(q, slot);

		if (fairshare_has_cap(&queue->shares, job))
			q->cap[q->cap_count++] =
				(struct quiet_cap){slot, fairshare_keeps_caps(&queue->shares, job, &machine)};
	}
	if (q->cap_count > 0) {
		snapshot_fs_world(q->s, queue->shares.now_s, &usage);
		fs_pace_find(&q->pace, &usage);
	}
	look_ahead(q, &queue->shares);
}

static bool caps_are_the_same(struct quiet *q)
{
	const struct machine machine = snapshot_machine(q->s);

	for (uint32_t i = 0; i < q->cap_count; i++)
		if (fairshare_keeps_caps(&q->shares, job_at(q, q->cap[i].slot), &machine) != q->cap[i].keeps)
			return false;
	look_ahead(q, &q->shares);
	return true;
}

/* --- the whole ---------------------------------------------------------------------------------------- */

void quiet_begin(struct quiet *q, const struct snapshot *s, const struct queue *queue)
{
	q->s = s;
	q->queue = queue;
	find_ranked(q);
	find_caps(q);
}

bool quiet_at(struct quiet *q, int64_t at_s)
{
	bool steady = at_s < q->steady_s;
	struct fs_world usage;
	struct prio_world world;

	if (!steady || q->shares_rank) {
		snapshot_fs_world(q->s, at_s, &usage);
		fairshare_build(&q->shares, &usage);
	}
	snapshot_world(q->s, at_s, &world);
	return (steady || caps_are_the_same(q)) && order_is_the_same(q, &world) &&
	       (!q->s->policy.reject_negative || rejected_are_the_same(q, &world));
}

void quiet_clear(struct quiet *q)
{
	fairshare_clear(&q->shares);
	fs_pace_clear(&q->pace);
	free(q->ranked);
	free(q->cap);
	*q = (struct quiet){.s = NULL};
}
