/* SPDX-License-Identifier: MIT */
/*
 * pass_skip.c - skipping passes that would decide nothing
 *
 * The decisions of a pass follow from the state, from the jobs that each gate stops, and from the order of
 * the remaining jobs. Only two gates can change at a time that is not known in advance: fairshare caps, and
 * negative priorities under REJECTNEGPRIOJOBS.
 *
 * If a limit or an array counts jobs, an earlier job may keep out a later one, so the order of all candidates
 * matters. Otherwise only the order of the idle jobs matters, and only down to the last job with a
 * reservation: no job behind it fits without delaying running jobs or reservations, whatever their order.
 */
#include "pass_skip.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/policy/priority.h"

static const struct job *job_at(const struct pass_skip *p, uint32_t slot)
{
	return &snapshot_jobs(p->s)[slot];
}

/* --- ranks ------------------------------------------------------------------------------------------- */

/*
 * Number of jobs whose order matters: up to the last job with a reservation. A pass that decided nothing left
 * all reservations unchanged, so planned_s is still valid.
 */
static uint32_t count_ordered(const struct pass_skip *p, bool counted)
{
	const struct policy *policy = &p->s->policy;
	uint32_t ordered = p->ranked_count;

	if (counted || policy->backfill == BACKFILL_NONE || policy->backfill_depth > 0)
		return ordered;
	while (ordered > 0 && job_at(p, p->ranked[ordered - 1].slot)->planned_s == TIME_NEVER)
		ordered--;
	return ordered;
}

static void list_ranked(struct pass_skip *p)
{
	const struct queue *queue = p->queue;
	bool counted = throttle_any(queue->throttle) || queue->array_throttle.any;

	p->ranked_count = counted ? queue->candidate_count : queue->idle_count;
	p->ranked = vec_room(p->ranked, &p->ranked_room, p->ranked_count, sizeof *p->ranked);
	if (p->ranked_count > 0)
		memcpy(p->ranked, counted ? queue->candidate : queue->idle,
		       p->ranked_count * sizeof *p->ranked);
	p->ordered = count_ordered(p, counted);
	p->shares_rank = snapshot_weighs_shares(p->s);
}

/*
 * Ranks the jobs at the time of `world`. True if each ordered job is still ahead of the next one, and the
 * last ordered job is ahead of all other jobs.
 */
static bool is_same_order(struct pass_skip *p, const struct prio_world *world)
{
	struct prio_terms terms = {.weights = NULL};

	for (uint32_t i = 0; i < p->ranked_count; i++) {
		const struct queued *ahead =
			i > 0 && p->ordered > 0 ? &p->ranked[(i < p->ordered ? i : p->ordered) - 1] : NULL;
		struct queued *one = &p->ranked[i];

		one->rank = queue_rank_next(p->s, job_at(p, one->slot), world, &p->shares, &terms);
		if (ahead != NULL && queue_compare(ahead, one) > 0)
			return false;
	}
	return true;
}

/* True if the same candidates and blocked jobs have a negative priority as in the pass. */
static bool are_same_rejected(const struct pass_skip *p, const struct prio_world *world)
{
	const struct waiting *waiting = snapshot_waiting(p->s);

	for (uint32_t i = 0; i < p->queue->candidate_count; i++)
		if (queue_rank(p->s, job_at(p, p->queue->candidate[i].slot), world, &p->shares) < 0)
			return false;
	for (uint32_t i = 0; i < snapshot_count(p->s, TABLE_WAITING); i++)
		if (p->queue->failed[i] == GATE_NEGATIVE &&
		    queue_rank(p->s, job_at(p, waiting[i].slot), world, &p->shares) >= 0)
			return false;
	return true;
}

/* --- fairshare caps ---------------------------------------------------------------------------------- */

/* Sets steady_s: before this time, according to these shares, no candidate crosses a cap. */
static void find_steady(struct pass_skip *p, const struct fairshare *shares)
{
	const struct machine machine = snapshot_machine(p->s);

	p->steady_s = INT64_MAX;
	for (uint32_t i = 0; i < p->cap_count && p->steady_s > shares->now_s; i++) {
		int64_t until_s =
			fairshare_caps_steady_until(shares, &p->pace, job_at(p, p->cap[i].slot), &machine);

		p->steady_s = until_s < p->steady_s ? until_s : p->steady_s;
	}
}

static void list_caps(struct pass_skip *p)
{
	const struct machine machine = snapshot_machine(p->s);
	const struct queue *queue = p->queue;
	struct fs_world usage;

	p->cap = vec_room(p->cap, &p->cap_room, queue->candidate_count, sizeof *p->cap);
	p->cap_count = 0;
	for (uint32_t i = 0; i < queue->candidate_count; i++) {
		uint32_t slot = queue->candidate[i].slot;
		const struct job *job = job_at(p, slot);

		if (fairshare_has_cap(&queue->shares, job))
			p->cap[p->cap_count++] = (struct capped_job){
				slot, fairshare_keeps_caps(&queue->shares, job, &machine)};
	}
	if (p->cap_count > 0) {
		snapshot_fs_world(p->s, queue->shares.now_s, &usage);
		fs_pace_find(&p->pace, &usage);
	}
	find_steady(p, &queue->shares);
}

static bool are_same_caps(struct pass_skip *p)
{
	const struct machine machine = snapshot_machine(p->s);

	for (uint32_t i = 0; i < p->cap_count; i++)
		if (fairshare_keeps_caps(&p->shares, job_at(p, p->cap[i].slot), &machine) != p->cap[i].within)
			return false;
	find_steady(p, &p->shares);
	return true;
}

/* --- the interface ------------------------------------------------------------------------------------ */

void pass_skip_begin(struct pass_skip *p, const struct snapshot *s, const struct queue *queue)
{
	p->s = s;
	p->queue = queue;
	list_ranked(p);
	list_caps(p);
}

bool pass_skip_allowed(struct pass_skip *p, int64_t at_s)
{
	bool steady = at_s < p->steady_s;
	struct fs_world usage;
	struct prio_world world;

	if (!steady || p->shares_rank) {
		snapshot_fs_world(p->s, at_s, &usage);
		fairshare_build(&p->shares, &usage);
	}
	snapshot_world(p->s, at_s, &world);
	return (steady || are_same_caps(p)) && is_same_order(p, &world) &&
	       (!p->s->policy.reject_negative || are_same_rejected(p, &world));
}

void pass_skip_clear(struct pass_skip *p)
{
	fairshare_clear(&p->shares);
	fs_pace_clear(&p->pace);
	free(p->ranked);
	free(p->cap);
	*p = (struct pass_skip){.s = NULL};
}
