/* SPDX-License-Identifier: MIT */
/*
 * placement_find.c - where is room for a job, now and later? Where it can stand.
 *
 * A plain room that is asked for a start now takes the first or the last nodes that have something
 * free, and looks no further. Everybody else is given all nodes on which something fits as
 * candidates, of which the policy chooses.
 */
#include <assert.h>

#include "placement_state.h"
#include "sched/base/vec.h"

/* --- a plain job that starts now ---------------------------------------------------------------- */

/* Puts what fits of the tasks on a node; how many are left. */
static uint32_t place_on(const struct placement *p, uint32_t node, uint32_t tasks, size_t first,
			 struct alloc_list *out)
{
	uint32_t fits = placement_free_on(p, node);

	if (fits > tasks)
		fits = tasks;
	if (fits > 0)
		nodealloc_add(out, first, node, fits, fits);
	return tasks - fits;
}

static bool choose_first(struct placement *p, uint32_t tasks, struct alloc_list *out)
{
	uint32_t count = snapshot_count(p->s, TABLE_NODES);
	size_t first = out->count;

	while (p->lowest < count && placement_free_on(p, p->lowest) == 0)
		p->lowest++;
	for (uint32_t i = p->lowest; i < count && tasks > 0; i++)
		tasks = place_on(p, i, tasks, first, out);
	return tasks == 0;
}

static bool choose_last(struct placement *p, uint32_t tasks, struct alloc_list *out)
{
	size_t first = out->count;

	while (p->highest > 0 && placement_free_on(p, p->highest - 1) == 0)
		p->highest--;
	for (uint32_t i = p->highest; i > 0 && tasks > 0; i--)
		tasks = place_on(p, i - 1, tasks, first, out);
	return tasks == 0;
}

/* --- candidates ----------------------------------------------------------------------------------- */

struct alloc_input placement_alloc_input(struct placement *p, const struct job *job,
					 enum allocation_policy policy)
{
	placement_need_machine(p);
	return (struct alloc_input){.job = job,
				    .policy = policy,
				    .speeds = p->speeds,
				    .machine = p->machine,
				    .node = snapshot_nodes(p->s),
				    .node_count = snapshot_count(p->s, TABLE_NODES),
				    .line = placement_line(p, policy)};
}

void placement_list_open(struct placement *p)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES);

	if (p->has_open)
		return;
	p->open = vec_room(p->open, &p->open_cap, nodes, sizeof *p->open);
	p->open_first = p->open_listed = 0;
	p->shut_drained = 0;
	for (uint32_t i = 0; i < nodes; i++)
		if (placement_free_on(p, i) > 0)
			p->open[p->open_listed++] = i;
		else
			p->shut_drained += snapshot_nodes(p->s)[i].drained != 0;
	p->open_end = p->open_listed;
	p->has_open = true;
}

/* Starts fill the machine from one end; what they have filled leaves the list there. */
static void trim_open(struct placement *p)
{
	while (p->open_first < p->open_end && placement_free_on(p, p->open[p->open_first]) == 0)
		p->open_first++;
	while (p->open_first < p->open_end && placement_free_on(p, p->open[p->open_end - 1]) == 0)
		p->open_end--;
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

static struct scan scan_of(struct placement *p, const struct alloc_input *input, int64_t begin_s, bool down)
{
	struct scan scan = {.count = input->node_count, .down = down};

	if (begin_s > p->now_s)
		return scan;
	placement_list_open(p);
	trim_open(p);
	scan.node = p->open + p->open_first;
	scan.count = p->open_end - p->open_first;
	return scan;
}

/* Is the order of the scan that of the policy, so that what was found first is taken? */
static bool is_in_order(const struct placement *p, const struct alloc_input *input)
{
	if (input->job->nodes > 0 || input->job->prefer != 0 || input->invited)
		return false;
	return input->policy == ALLOCATE_FIRSTAVAILABLE ||
	       (input->policy == ALLOCATE_LASTAVAILABLE && p->future_begin_count == 0);
}

/* Adds a node on which so many tasks fit; in multiples of those that stay together. */
static uint32_t add_candidate(struct placement *p, const struct alloc_input *input,
			      const struct request *request, uint32_t node, uint32_t tasks, int64_t begin_s,
			      int64_t end_s)
{
	if (tasks > 0)
		p->candidate[p->candidate_count++] =
			candidate_make(p, input->policy, request, node, tasks, begin_s, end_s);
	return request->job->tasks_per_node > 1 ? tasks - tasks % request->job->tasks_per_node : tasks;
}

/* The nodes on which something of the job fits throughout: all, or as many as will be taken. */
static void find_candidates(struct placement *p, const struct alloc_input *input,
			    const struct request *request, int64_t begin_s, int64_t end_s)
{
	bool in_order = is_in_order(p, input);
	struct scan scan = scan_of(p, input, begin_s, in_order && input->policy == ALLOCATE_LASTAVAILABLE);
	int64_t wanted = in_order ? input->job->tasks : INT64_MAX, found = 0;
	size_t closed = 0;

	for (size_t i = 0; i < scan.count && found < wanted; i++) {
		uint32_t node = scanned(&scan, i);

		if (scan.node != NULL && placement_free_on(p, node) == 0)
			closed++;
		else
			found += add_candidate(p, input, request, node,
					       fit_between(p, request, node, begin_s, end_s).tasks, begin_s,
					       end_s);
	}
	if (closed > scan.count / 2)
		p->has_open = false;
}

/* fits: tasks by node, NULL = to be found out. */
static bool find_by(struct placement *p, const struct request *request, enum allocation_policy policy,
		    int64_t begin_s, int64_t end_s, const uint32_t *fits, struct alloc_list *out)
{
	struct alloc_input input = placement_alloc_input(p, request->job, policy);

	input.invited = advance_prefers_any(p, request->guests, begin_s, end_s);
	claims_build(p);
	p->candidate = vec_room(p->candidate, &p->candidate_cap, input.node_count, sizeof *p->candidate);
	p->candidate_count = 0;
	if (fits == NULL)
		find_candidates(p, &input, request, begin_s, end_s);
	for (uint32_t n = 0; n < input.node_count && fits != NULL; n++)
		add_candidate(p, &input, request, n, fits[n], begin_s, end_s);
	return nodealloc_choose(&input, p->candidate, p->candidate_count, out);
}

/* --- finding ----------------------------------------------------------------------------------------- */

/* Enough processors throughout: what must be so anyway, and is quickly seen. */
static bool has_procs(struct placement *p, const struct job *job, int64_t begin_s, int64_t end_s)
{
	return profile_first_below(placement_profile(p), begin_s, end_s, job_procs(job)) == TIME_NEVER;
}

bool placement_choose(struct placement *p, uint32_t slot, struct alloc_list *out)
{
	const struct job *job = placement_job(p, slot);
	enum allocation_policy policy = placement_policy(p->s, job, true);
	struct request request;

	assert(p->plain);
	if (job_procs(job) > p->procs_free)
		return false;
	if (job->prefer == 0 && policy == ALLOCATE_FIRSTAVAILABLE)
		return choose_first(p, job->tasks, out);
	if (job->prefer == 0 && policy == ALLOCATE_LASTAVAILABLE)
		return choose_last(p, job->tasks, out);
	request = request_of(p->s, job, slot);
	return find_by(p, &request, policy, p->now_s, p->now_s + job->wall_limit_s, NULL, out);
}

/* Beside a reservation of its own a job is a case by itself. */
struct shape *placement_shape(struct placement *p, const struct request *request)
{
	return p->is_reserved[request->slot] ? NULL : memo_shape(p, request);
}

/* The job does not fit: how many tasks would, at most. */
static int64_t at_most(const struct placement *p, const struct job *job)
{
	int64_t tasks = 0;

	/* All candidates are still there, in whatever order. */
	for (size_t i = 0; i < p->candidate_count; i++)
		tasks += p->candidate[i].tasks;
	return tasks < job->tasks ? tasks : job->tasks - 1;
}

bool placement_find_now(struct placement *p, const struct request *request, int64_t end_s,
			struct alloc_list *out)
{
	enum allocation_policy policy = placement_policy(p->s, request->job, true);
	struct shape *shape = placement_shape(p, request);

	if (shape != NULL && memo_hopeless(shape, request->job->tasks, end_s))
		return false;
	if (!has_procs(p, request->job, p->now_s, end_s))
		return false;
	if (find_by(p, request, policy, p->now_s, end_s, NULL, out))
		return true;
	/* Who can never be dealt out whole says nothing about others. */
	if (shape != NULL &&
	    (request->job->tasks_per_node <= 1 || request->job->tasks % request->job->tasks_per_node == 0))
		memo_note_total(p, shape, end_s, at_most(p, request->job), LACK_COUNT);
	return false;
}

bool placement_find_later(struct placement *p, const struct request *request, int64_t begin_s, int64_t end_s,
			  const uint32_t *fits, struct alloc_list *out)
{
	return find_by(p, request, placement_policy(p->s, request->job, false), begin_s, end_s, fits, out);
}

bool placement_find(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
		    struct alloc_list *out)
{
	const struct job *job = placement_job(p, slot);
	struct holding *own;
	struct request request;
	bool found;

	if (p->plain)
		return has_procs(p, job, begin_s, end_s) &&
		       (begin_s > p->now_s || placement_choose(p, slot, out));
	request = request_in(p, slot);
	own = holding_lift(p, slot);
	found = begin_s == p->now_s ? placement_find_now(p, &request, end_s, out)
				    : has_procs(p, job, begin_s, end_s) &&
					      placement_find_later(p, &request, begin_s, end_s, NULL, out);
	holding_restore(p, own);
	return found;
}

/* Are these runs as the job would have them, and do they fit? */
static bool holds(struct placement *p, const struct request *request, int64_t begin_s, int64_t end_s,
		  const struct alloc_run *runs, uint32_t count)
{
	const struct node *node = snapshot_nodes(p->s);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t procs = runs[i].tasks * request->job->task_procs;

		for (uint32_t n = runs[i].node; n < runs[i].node + runs[i].nodes; n++)
			if (runs[i].procs != (request_whole(request, &node[n]) ? node[n].procs : procs) ||
			    fit_between(p, request, n, begin_s, end_s).tasks < runs[i].tasks)
				return false;
	}
	return true;
}

bool placement_can_take(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
			const struct alloc_run *runs, uint32_t count)
{
	struct request request = request_in(p, slot);
	struct holding *own;
	bool good;

	if (p->plain)
		return has_procs(p, request.job, begin_s, end_s);
	claims_build(p);
	own = holding_lift(p, slot);
	good = holds(p, &request, begin_s, end_s, runs, count);
	holding_restore(p, own);
	return good;
}
