/* SPDX-License-Identifier: MIT */
/*
 * room_find.c - where is room for a job, now and later? Where it can stand, and from when.
 *
 * A plain room that is asked for a start now takes the first or the last nodes that have something
 * free, and looks no further. Everybody else is given all nodes on which something fits as
 * candidates, of which the policy chooses.
 */
#include <assert.h>

#include "room_inside.h"
#include "sched/base/vec.h"

/* --- a plain job that starts now ---------------------------------------------------------------- */

static uint32_t free_on(const struct room *r, uint32_t node)
{
	return node_procs_free(&snapshot_nodes(r->s)[node]) - r->taken[node];
}

/* Puts what fits of the tasks on a node; how many are left. */
static uint32_t place_on(const struct room *r, uint32_t node, uint32_t tasks, size_t first,
			 struct alloc_list *out)
{
	uint32_t fits = free_on(r, node);

	if (fits > tasks)
		fits = tasks;
	if (fits > 0)
		nodealloc_add(out, first, node, fits, fits);
	return tasks - fits;
}

static bool choose_first(struct room *r, uint32_t tasks, struct alloc_list *out)
{
	uint32_t count = snapshot_count(r->s, TABLE_NODES);
	size_t first = out->count;

	while (r->lowest < count && free_on(r, r->lowest) == 0)
		r->lowest++;
	for (uint32_t i = r->lowest; i < count && tasks > 0; i++)
		tasks = place_on(r, i, tasks, first, out);
	return tasks == 0;
}

static bool choose_last(struct room *r, uint32_t tasks, struct alloc_list *out)
{
	size_t first = out->count;

	while (r->highest > 0 && free_on(r, r->highest - 1) == 0)
		r->highest--;
	for (uint32_t i = r->highest; i > 0 && tasks > 0; i--)
		tasks = place_on(r, i - 1, tasks, first, out);
	return tasks == 0;
}

/* --- candidates ----------------------------------------------------------------------------------- */

struct alloc_ask room_ask(struct room *r, const struct job *job, enum allocation_policy policy)
{
	room_need_machine(r);
	return (struct alloc_ask){.job = job,
				  .policy = policy,
				  .speeds = r->speeds,
				  .machine = r->machine,
				  .node = snapshot_nodes(r->s),
				  .node_count = snapshot_count(r->s, TABLE_NODES)};
}

static void count_lack(struct lacks *lacks, const struct fit *fit)
{
	if (fit->tasks == 0)
		lacks->none[fit->lack]++;
	else
		lacks->some[fit->lack]++;
}

size_t room_candidates(struct room *r, const struct alloc_ask *ask, uint32_t slot, int64_t begin_s,
		       int64_t end_s, struct lacks *lacks)
{
	struct want want = want_of(r->s, ask->job, slot);
	size_t count = 0;

	room_need_claims(r);
	r->candidate = vec_room(r->candidate, &r->candidate_room, ask->node_count, sizeof *r->candidate);
	for (uint32_t i = 0; i < ask->node_count; i++) {
		struct fit fit = fit_between(r, &want, i, begin_s, end_s);

		if (lacks != NULL)
			count_lack(lacks, &fit);
		if (fit.tasks > 0)
			r->candidate[count++] = room_candidate(r, ask->policy, ask->job, i, &fit);
	}
	return count;
}

static bool find_by(struct room *r, uint32_t slot, enum allocation_policy policy, int64_t begin_s,
		    int64_t end_s, struct alloc_list *out)
{
	struct alloc_ask ask = room_ask(r, room_job(r, slot), policy);
	size_t count = room_candidates(r, &ask, slot, begin_s, end_s, NULL);

	return nodealloc_choose(&ask, r->candidate, count, out);
}

/* --- finding ----------------------------------------------------------------------------------------- */

/* Enough processors throughout: what must be so anyway, and is quickly seen. */
static bool has_procs(struct room *r, const struct job *job, int64_t begin_s, int64_t end_s)
{
	return profile_first_below(room_profile(r), begin_s, end_s, job_procs(job)) == TIME_NEVER;
}

bool room_choose(struct room *r, uint32_t slot, struct alloc_list *out)
{
	const struct job *job = room_job(r, slot);
	enum allocation_policy policy = room_policy(r->s, job, true);

	assert(r->plain);
	if (job_procs(job) > r->procs_free)
		return false;
	if (job->prefer == 0 && policy == ALLOCATE_FIRSTAVAILABLE)
		return choose_first(r, job->tasks, out);
	if (job->prefer == 0 && policy == ALLOCATE_LASTAVAILABLE)
		return choose_last(r, job->tasks, out);
	return find_by(r, slot, policy, r->now_s, r->now_s + job->wall_limit_s, out);
}

bool room_find(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, struct alloc_list *out)
{
	const struct job *job = room_job(r, slot);

	if (!has_procs(r, job, begin_s, end_s))
		return false;
	if (r->plain)
		return begin_s > r->now_s || room_choose(r, slot, out);
	return find_by(r, slot, room_policy(r->s, job, begin_s == r->now_s), begin_s, end_s, out);
}

int64_t room_earliest(struct room *r, uint32_t slot, int64_t from_s, struct alloc_list *out)
{
	const struct job *job = room_job(r, slot);
	const struct profile *profile = room_profile(r);
	int64_t at_s = from_s;

	while (at_s != TIME_NEVER) {
		at_s = profile_earliest(profile, at_s, job_procs(job), job->wall_limit_s);
		if (at_s == TIME_NEVER || room_find(r, slot, at_s, at_s + job->wall_limit_s, out))
			break;
		at_s = profile_next(profile, at_s);
	}
	return at_s;
}

bool room_holds(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, const struct alloc_run *runs,
		uint32_t count)
{
	struct want want = want_of(r->s, room_job(r, slot), slot);

	if (r->plain)
		return has_procs(r, want.job, begin_s, end_s);
	room_need_claims(r);
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t n = runs[i].node; n < runs[i].node + runs[i].nodes; n++) {
			struct fit fit = fit_between(r, &want, n, begin_s, end_s);

			if (fit.tasks < runs[i].tasks || fit.free.procs < runs[i].procs)
				return false;
		}
	}
	return true;
}

bool room_find_with(struct room *r, uint32_t slot, enum allocation_policy policy, struct alloc_list *out)
{
	struct job job = *room_job(r, slot);

	job.allocation = (uint8_t)(policy + 1);
	return find_by(r, slot, room_policy(r->s, &job, true), r->now_s, r->now_s + job.wall_limit_s, out);
}
