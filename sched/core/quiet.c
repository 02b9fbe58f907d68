/* SPDX-License-Identifier: MIT */
/*
 * quiet.c - would a pass at a later moment decide nothing, as the one before it?
 *
 * What a pass decides follows from the state, from which jobs each gate stops and from the order of those
 * that are left. Of the gates only two change without being known to: fairshare caps, and a priority below 0.
 */
#include "quiet.h"

#include <stdlib.h>

#include "priority.h"
#include "sched/base/vec.h"

static const struct job *job_at(const struct quiet *q, uint32_t slot)
{
	return &snapshot_jobs(q->s)[slot];
}

void quiet_begin(struct quiet *q, const struct snapshot *s, const struct queue *queue)
{
	const struct machine machine = snapshot_machine(s);

	q->s = s;
	q->queue = queue;
	q->ranked = vec_room(q->ranked, &q->ranked_room, queue->candidate_count, sizeof *q->ranked);
	q->keeps = vec_room(q->keeps, &q->keeps_room, queue->candidate_count, sizeof *q->keeps);
	for (uint32_t i = 0; i < queue->candidate_count; i++)
		q->keeps[i] =
			fairshare_keeps_caps(&queue->shares, job_at(q, queue->candidate[i].slot), &machine);
}

static bool caps_are_the_same(const struct quiet *q)
{
	const struct machine machine = snapshot_machine(q->s);

	for (uint32_t i = 0; i < q->queue->candidate_count; i++)
		if (fairshare_keeps_caps(&q->shares, job_at(q, q->queue->candidate[i].slot), &machine) !=
		    q->keeps[i])
			return false;
	return true;
}

/* Still one behind the other, and on the same side of 0. */
static bool order_is_the_same(const struct quiet *q, const struct prio_world *world)
{
	struct prio_terms terms = {.weights = NULL};

	for (uint32_t i = 0; i < q->queue->candidate_count; i++) {
		struct queued *one = &q->ranked[i];

		*one = q->queue->candidate[i];
		one->rank = queue_rank_next(q->s, job_at(q, one->slot), world, &q->shares, &terms);
		if ((i > 0 && queue_compare(one - 1, one) > 0) ||
		    (one->rank < 0) != (q->queue->candidate[i].rank < 0))
			return false;
	}
	return true;
}

static bool rejected_are_the_same(const struct quiet *q, const struct prio_world *world)
{
	for (uint32_t i = 0; i < snapshot_count(q->s, TABLE_WAITING); i++)
		if (q->queue->failed[i] == GATE_NEGATIVE &&
		    queue_rank(q->s, job_at(q, snapshot_waiting(q->s)[i].slot), world, &q->shares) >= 0)
			return false;
	return true;
}

bool quiet_at(struct quiet *q, int64_t at_s)
{
	struct fs_world usage;
	struct prio_world world;

	snapshot_fs_world(q->s, at_s, &usage);
	fairshare_build(&q->shares, &usage);
	snapshot_world(q->s, at_s, &world);
	return caps_are_the_same(q) && order_is_the_same(q, &world) && rejected_are_the_same(q, &world);
}

void quiet_clear(struct quiet *q)
{
	fairshare_clear(&q->shares);
	free(q->ranked);
	free(q->keeps);
	*q = (struct quiet){.s = NULL};
}
