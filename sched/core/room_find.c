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

/* Puts what fits of the tasks on a node; how many are left. */
static uint32_t place_on(const struct room *r, uint32_t node, uint32_t tasks, size_t first,
			 struct alloc_list *out)
{
	uint32_t fits = room_free_on(r, node);

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

	while (r->lowest < count && room_free_on(r, r->lowest) == 0)
		r->lowest++;
	for (uint32_t i = r->lowest; i < count && tasks > 0; i++)
		tasks = place_on(r, i, tasks, first, out);
	return tasks == 0;
}

static bool choose_last(struct room *r, uint32_t tasks, struct alloc_list *out)
{
	size_t first = out->count;

	while (r->highest > 0 && room_free_on(r, r->highest - 1) == 0)
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

void room_list_open(struct room *r)
{
	uint32_t nodes = snapshot_count(r->s, TABLE_NODES);
	size_t left = 0;

	r->open = vec_room(r->open, &r->open_room, nodes, sizeof *r->open);
	if (!r->has_open) {
		for (uint32_t i = 0; i < nodes; i++)
			r->open[i] = i;
		r->open_count = nodes;
		r->has_open = true;
	}
	for (size_t i = 0; i < r->open_count; i++)
		if (room_free_on(r, r->open[i]) > 0)
			r->open[left++] = r->open[i];
	r->open_count = left;
}

static void add_candidate(struct room *r, const struct alloc_ask *ask, const struct want *want, uint32_t node,
			  uint32_t tasks, int64_t begin_s, int64_t end_s)
{
	if (tasks > 0)
		r->candidate[r->candidate_count++] =
			room_candidate(r, ask->policy, want, node, tasks, begin_s, end_s);
}

/* All nodes on which something of the job fits throughout. */
static void find_candidates(struct room *r, const struct alloc_ask *ask, const struct want *want,
			    int64_t begin_s, int64_t end_s)
{
	bool now = begin_s == r->now_s;
	size_t nodes = ask->node_count;

	if (now) {
		room_list_open(r);
		nodes = r->open_count;
	}
	for (size_t i = 0; i < nodes; i++) {
		uint32_t node = now ? r->open[i] : (uint32_t)i;

		add_candidate(r, ask, want, node, fit_between(r, want, node, begin_s, end_s).tasks, begin_s,
			      end_s);
	}
}

/* fits: tasks by node, NULL = to be found out. */
static bool find_by(struct room *r, const struct want *want, enum allocation_policy policy, int64_t begin_s,
		    int64_t end_s, const uint32_t *fits, struct alloc_list *out)
{
	struct alloc_ask ask = room_ask(r, want->job, policy);

	room_need_claims(r);
	r->candidate = vec_room(r->candidate, &r->candidate_room, ask.node_count, sizeof *r->candidate);
	r->candidate_count = 0;
	if (fits == NULL)
		find_candidates(r, &ask, want, begin_s, end_s);
	for (uint32_t n = 0; n < ask.node_count && fits != NULL; n++)
		add_candidate(r, &ask, want, n, fits[n], begin_s, end_s);
	return nodealloc_choose(&ask, r->candidate, r->candidate_count, out);
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
	struct want want;

	assert(r->plain);
	if (job_procs(job) > r->procs_free)
		return false;
	if (job->prefer == 0 && policy == ALLOCATE_FIRSTAVAILABLE)
		return choose_first(r, job->tasks, out);
	if (job->prefer == 0 && policy == ALLOCATE_LASTAVAILABLE)
		return choose_last(r, job->tasks, out);
	want = want_of(r->s, job, slot);
	return find_by(r, &want, policy, r->now_s, r->now_s + job->wall_limit_s, NULL, out);
}

/* Beside a reservation of its own a job is a case by itself. */
struct shape *room_shape(struct room *r, const struct want *want)
{
	return r->promised[want->slot] ? NULL : memo_shape(r, want);
}

bool room_find_now(struct room *r, const struct want *want, int64_t end_s, struct alloc_list *out)
{
	enum allocation_policy policy = room_policy(r->s, want->job, true);
	struct shape *shape = room_shape(r, want);
	int64_t tasks = 0;

	if (shape != NULL && memo_hopeless(shape, want->job->tasks, end_s))
		return false;
	if (!has_procs(r, want->job, r->now_s, end_s))
		return false;
	if (find_by(r, want, policy, r->now_s, end_s, NULL, out))
		return true;
	/* All candidates are still there, in whatever order. */
	for (size_t i = 0; i < r->candidate_count; i++)
		tasks += r->candidate[i].tasks;
	if (shape != NULL)
		memo_note_total(r, shape, end_s, tasks, LACK_COUNT);
	return false;
}

bool room_find_later(struct room *r, const struct want *want, int64_t begin_s, int64_t end_s,
		     const uint32_t *fits, struct alloc_list *out)
{
	return find_by(r, want, room_policy(r->s, want->job, false), begin_s, end_s, fits, out);
}

bool room_find(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, struct alloc_list *out)
{
	const struct job *job = room_job(r, slot);
	struct holding *own;
	struct want want;
	bool found;

	if (r->plain)
		return has_procs(r, job, begin_s, end_s) && (begin_s > r->now_s || room_choose(r, slot, out));
	want = want_of(r->s, job, slot);
	own = room_lift(r, slot);
	found = begin_s == r->now_s ? room_find_now(r, &want, end_s, out)
				    : has_procs(r, job, begin_s, end_s) &&
					      room_find_later(r, &want, begin_s, end_s, NULL, out);
	room_lower(r, own);
	return found;
}

/* Are these runs as the job would have them, and do they fit? */
static bool holds(struct room *r, const struct want *want, int64_t begin_s, int64_t end_s,
		  const struct alloc_run *runs, uint32_t count)
{
	const struct node *node = snapshot_nodes(r->s);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t procs = runs[i].tasks * want->job->task_procs;

		for (uint32_t n = runs[i].node; n < runs[i].node + runs[i].nodes; n++)
			if (runs[i].procs != (want_whole(want, &node[n]) ? node[n].procs : procs) ||
			    fit_between(r, want, n, begin_s, end_s).tasks < runs[i].tasks)
				return false;
	}
	return true;
}

bool room_holds(struct room *r, uint32_t slot, int64_t begin_s, int64_t end_s, const struct alloc_run *runs,
		uint32_t count)
{
	struct want want = want_of(r->s, room_job(r, slot), slot);
	struct holding *own;
	bool good;

	if (r->plain)
		return has_procs(r, want.job, begin_s, end_s);
	room_need_claims(r);
	own = room_lift(r, slot);
	good = holds(r, &want, begin_s, end_s, runs, count);
	room_lower(r, own);
	return good;
}

bool room_find_with(struct room *r, uint32_t slot, enum allocation_policy policy, struct alloc_list *out)
{
	struct job job = *room_job(r, slot);
	struct want want = want_of(r->s, &job, slot);

	job.allocation = (uint8_t)(policy + 1);
	return find_by(r, &want, room_policy(r->s, &job, true), r->now_s, r->now_s + job.wall_limit_s, NULL,
		       out);
}
