/* SPDX-License-Identifier: MIT */
/*
 * room_find.c - where is room for a job, now and later? Where it can stand.
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
				  .node_count = snapshot_count(r->s, TABLE_NODES),
				  .line = room_line(r, policy)};
}

void room_list_open(struct room *r)
{
	uint32_t nodes = snapshot_count(r->s, TABLE_NODES);

	if (r->has_open)
		return;
	r->open = vec_room(r->open, &r->open_room, nodes, sizeof *r->open);
	r->open_first = r->open_listed = 0;
	r->shut_drained = 0;
	for (uint32_t i = 0; i < nodes; i++)
		if (room_free_on(r, i) > 0)
			r->open[r->open_listed++] = i;
		else
			r->shut_drained += snapshot_nodes(r->s)[i].drained != 0;
	r->open_end = r->open_listed;
	r->has_open = true;
}

/* Starts fill the machine from one end; what they have filled leaves the list there. */
static void trim_open(struct room *r)
{
	while (r->open_first < r->open_end && room_free_on(r, r->open[r->open_first]) == 0)
		r->open_first++;
	while (r->open_first < r->open_end && room_free_on(r, r->open[r->open_end - 1]) == 0)
		r->open_end--;
}

/* Nodes one after the other: those of a list, or all. */
struct scan {
	const uint32_t *node; /* NULL = all */
	size_t count;
	bool down; /* from the last on */
};

static uint32_t scanned(const struct scan *scan, size_t i)
{
	size_t at = scan->down ? scan->count - 1 - i : i;

	return scan->node == NULL ? (uint32_t)at : scan->node[at];
}

static struct scan scan_of(struct room *r, const struct alloc_ask *ask, int64_t begin_s, bool down)
{
	struct scan scan = {.count = ask->node_count, .down = down};

	if (begin_s > r->now_s)
		return scan;
	room_list_open(r);
	trim_open(r);
	scan.node = r->open + r->open_first;
	scan.count = r->open_end - r->open_first;
	return scan;
}

/* Is the order of the scan that of the policy, so that what was found first is taken? */
static bool is_in_order(const struct room *r, const struct alloc_ask *ask)
{
	if (ask->job->nodes > 0 || ask->job->prefer != 0 || ask->invited)
		return false;
	return ask->policy == ALLOCATE_FIRSTAVAILABLE ||
	       (ask->policy == ALLOCATE_LASTAVAILABLE && r->later_count == 0);
}

/* Adds a node on which so many tasks fit; in multiples of those that stay together. */
static uint32_t add_candidate(struct room *r, const struct alloc_ask *ask, const struct want *want,
			      uint32_t node, uint32_t tasks, int64_t begin_s, int64_t end_s)
{
	if (tasks > 0)
		r->candidate[r->candidate_count++] =
			room_candidate(r, ask->policy, want, node, tasks, begin_s, end_s);
	return want->job->tasks_per_node > 1 ? tasks - tasks % want->job->tasks_per_node : tasks;
}

/* The nodes on which something of the job fits throughout: all, or as many as will be taken. */
static void find_candidates(struct room *r, const struct alloc_ask *ask, const struct want *want,
			    int64_t begin_s, int64_t end_s)
{
	bool in_order = is_in_order(r, ask);
	struct scan scan = scan_of(r, ask, begin_s, in_order && ask->policy == ALLOCATE_LASTAVAILABLE);
	int64_t wanted = in_order ? ask->job->tasks : INT64_MAX, found = 0;
	size_t closed = 0;

	for (size_t i = 0; i < scan.count && found < wanted; i++) {
		uint32_t node = scanned(&scan, i);

		if (scan.node != NULL && room_free_on(r, node) == 0)
			closed++;
		else
			found += add_candidate(r, ask, want, node,
					       fit_between(r, want, node, begin_s, end_s).tasks, begin_s,
					       end_s);
	}
	if (closed > scan.count / 2)
		r->has_open = false;
}

/* fits: tasks by node, NULL = to be found out. */
static bool find_by(struct room *r, const struct want *want, enum allocation_policy policy, int64_t begin_s,
		    int64_t end_s, const uint32_t *fits, struct alloc_list *out)
{
	struct alloc_ask ask = room_ask(r, want->job, policy);

	ask.invited = guard_prefers_some(r, want->guests, begin_s, end_s);
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

/* The job does not fit: how many tasks would, at most. */
static int64_t at_most(const struct room *r, const struct job *job)
{
	int64_t tasks = 0;

	/* All candidates are still there, in whatever order. */
	for (size_t i = 0; i < r->candidate_count; i++)
		tasks += r->candidate[i].tasks;
	return tasks < job->tasks ? tasks : job->tasks - 1;
}

bool room_find_now(struct room *r, const struct want *want, int64_t end_s, struct alloc_list *out)
{
	enum allocation_policy policy = room_policy(r->s, want->job, true);
	struct shape *shape = room_shape(r, want);

	if (shape != NULL && memo_hopeless(shape, want->job->tasks, end_s))
		return false;
	if (!has_procs(r, want->job, r->now_s, end_s))
		return false;
	if (find_by(r, want, policy, r->now_s, end_s, NULL, out))
		return true;
	/* Who can never be dealt out whole says nothing about others. */
	if (shape != NULL &&
	    (want->job->tasks_per_node <= 1 || want->job->tasks % want->job->tasks_per_node == 0))
		memo_note_total(r, shape, end_s, at_most(r, want->job), LACK_COUNT);
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
	want = want_in(r, slot);
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
	struct want want = want_in(r, slot);
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
