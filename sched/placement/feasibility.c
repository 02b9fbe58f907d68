/* SPDX-License-Identifier: MIT */
/*
 * placement_feasible.c - where is room for a job, now and later? What it could have on an empty machine.
 *
 * Asked in every pass for every job that wants more than processors. What every node has at least answers it
 * for most of them; the others are summed up node by node, once for all that ask the same.
 */
#include <stdlib.h>

#include "placement_state.h"
#include "sched/base/vec.h"

/* The nodes looked at so far. */
struct empty {
	struct alloc_input input;
	struct alloc_candidate *candidate;
	size_t count, cap;
	struct lacks lacks;
};

/* How many could ever stand anywhere; looks no further once there are enough. */
static int64_t sum_empty(struct empty *e, const struct request *request)
{
	int64_t asked = request->job->tasks, tasks = 0;

	for (uint32_t i = 0; i < e->input.node_count && tasks < asked; i++) {
		struct fit fit = fit_empty(request, &e->input.node[i]);

		lacks_count(&e->lacks, fit);
		tasks += placement_whole_units(request->job, fit.tasks);
	}
	return tasks < placement_whole_units(request->job, request->job->tasks)
		       ? tasks
		       : placement_whole_units(request->job, request->job->tasks);
}

/* The same where it matters on which nodes: whether those so far do is asked now and then, twice as many
 * apart each time. */
static int64_t most_empty(struct empty *e, const struct request *request)
{
	uint32_t asked = request->job->tasks;
	size_t next_look = request->job->nodes;

	for (uint32_t i = 0; i < e->input.node_count; i++) {
		struct fit fit = fit_empty(request, &e->input.node[i]);

		lacks_count(&e->lacks, fit);
		if (fit.tasks == 0)
			continue;
		e->candidate = vec_room(e->candidate, &e->cap, e->count + 1, sizeof *e->candidate);
		e->candidate[e->count++] = (struct alloc_candidate){.node = i, .tasks = fit.tasks};
		if (e->count < next_look)
			continue;
		next_look = 2 * e->count;
		if (nodealloc_most(&e->input, e->candidate, e->count) == asked)
			return asked;
	}
	return nodealloc_most(&e->input, e->candidate, e->count);
}

/* line: of the nodes, where the job's policy looks at it. */
static int64_t ever(const struct snapshot *s, const struct job *job, const uint32_t *line, enum lack *lack)
{
	struct request request = request_of(s, job, INDEX_NONE);
	struct empty e = {.input = {.job = job,
				    .policy = placement_policy(s, job, true),
				    .node = snapshot_nodes(s),
				    .node_count = snapshot_count(s, TABLE_NODES),
				    .line = line}};
	int64_t tasks;

	if (placement_only_sum_counts(s, job))
		tasks = sum_empty(&e, &request);
	else
		tasks = most_empty(&e, &request);
	free(e.candidate);
	*lack = lacks_judge(&e.lacks);
	return tasks * job->task_procs;
}

int64_t placement_feasible(const struct snapshot *s, const struct job *job, enum lack *lack)
{
	uint32_t nodes = snapshot_count(s, TABLE_NODES);
	uint32_t *line = mem_alloc(nodes * sizeof *line);
	int64_t procs;

	nodealloc_line(snapshot_nodes(s), nodes, line);
	procs = ever(s, job, line, lack);
	free(line);
	return procs;
}

/* Goes on where the last job of the shape stopped, until there is enough. */
static void go_on(struct empty_sum *sum, const struct request *request)
{
	uint32_t nodes = snapshot_count(request->s, TABLE_NODES);

	for (; sum->nodes < nodes && sum->tasks < request->job->tasks; sum->nodes++)
		sum->tasks += placement_whole_units(
			request->job, fit_empty(request, &snapshot_nodes(request->s)[sum->nodes]).tasks);
}

/* --- what every node has ---------------------------------------------------------------------------- */

static bool has_gres(const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		if (snapshot_traits(s)[i].kind == TRAIT_GRES)
			return true;
	return false;
}

static void need_least(struct placement *p)
{
	const struct node *node = snapshot_nodes(p->s);

	if (p->knows_least)
		return;
	p->knows_least = true;
	p->kinds_least = has_gres(p->s) ? ALLOC_KIND_COUNT : ALLOC_GRES;
	p->classes_matter = request_classes_matter(p->s);
	for (int kind = 0; kind < p->kinds_least; kind++)
		p->least.of[kind] = INT64_MAX;
	for (uint32_t n = 0; n < snapshot_count(p->s, TABLE_NODES); n++)
		for (int kind = 0; kind < p->kinds_least; kind++)
			if (fit_is_known(&node[n], kind) &&
			    alloc_configured(&node[n], kind) < p->least.of[kind])
				p->least.of[kind] = alloc_configured(&node[n], kind);
}

/* Any node is good for it that has enough (want.is_picky), and each of its tasks stands for itself. */
static bool takes_any_node(const struct placement *p, const struct job *job)
{
	return job->hosts == 0 && job->partition == 0 && job->features == 0 && job->tasks_per_node <= 1 &&
	       !job_requires_unknown(job) && (job->cred[CRED_CLASS] == INDEX_NONE || !p->classes_matter);
}

/* Would as many tasks as each node gets, dealt out evenly, fit on the least of all nodes? Nearly all jobs
 * are answered by this, and no node is looked at for them. */
static bool fits_on_the_least(struct placement *p, const struct job *job)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES), each;

	need_least(p);
	if (nodes == 0 || !takes_any_node(p, job))
		return false;
	each = job->tasks / nodes + (job->tasks % nodes > 0);
	for (int kind = 0; kind < p->kinds_least; kind++) {
		int64_t asked = alloc_requested(job, kind);

		if (asked > p->least.of[kind] || (asked > 0 && each > 1 && asked > p->least.of[kind] / each))
			return false;
	}
	return true;
}

/* --- for a pass -------------------------------------------------------------------------------------- */

static int64_t ever_remembered(struct placement *p, uint32_t slot, enum lack *lack)
{
	const struct job *job = placement_job(p, slot);
	struct request request = request_of(p->s, job, slot);
	struct shape *shape = memo_shape(p, &request);
	struct empty_sum *sum;

	if (shape == NULL)
		return ever(p->s, job, placement_line(p, placement_policy(p->s, job, true)), lack);
	sum = memo_empty(shape);
	go_on(sum, &request);
	if (sum->tasks >= job->tasks)
		return (int64_t)placement_whole_units(job, job->tasks) * job->task_procs;
	if (!sum->has_lack) {
		enum lack found;

		ever(p->s, job, NULL, &found);
		sum->lack = (uint8_t)found;
		sum->has_lack = true;
	}
	*lack = (enum lack)sum->lack;
	return sum->tasks * job->task_procs;
}

int64_t placement_feasible_in(struct placement *p, uint32_t slot, enum lack *lack)
{
	const struct job *job = placement_job(p, slot);

	if (!placement_only_sum_counts(p->s, job))
		return ever(p->s, job, placement_line(p, placement_policy(p->s, job, true)), lack);
	if (fits_on_the_least(p, job))
		return job_procs(job);
	return ever_remembered(p, slot, lack);
}

static struct alone look_alone(const struct request *request)
{
	const struct node *node = snapshot_nodes(request->s);
	struct alone alone = {.procs = UINT32_MAX};

	for (uint32_t i = 0; i < snapshot_count(request->s, TABLE_NODES); i++) {
		uint32_t tasks = placement_whole_units(request->job, fit_empty(request, &node[i]).tasks);

		if (tasks == 0)
			continue;
		alone.tasks = tasks > alone.tasks ? tasks : alone.tasks;
		alone.procs = node[i].procs < alone.procs ? node[i].procs : alone.procs;
	}
	return alone;
}

/* Of jobs that want the same of each node. tasks 0: no node fits. */
static struct alone find_alone(struct placement *p, uint32_t slot)
{
	struct request request = request_of(p->s, placement_job(p, slot), slot);
	struct shape *shape = memo_shape(p, &request);
	struct alone *alone;

	if (shape == NULL)
		return look_alone(&request);
	alone = memo_alone(shape);
	if (alone->tasks == 0)
		*alone = look_alone(&request);
	return *alone;
}

struct job_least placement_least_held(struct placement *p, uint32_t slot)
{
	const struct job *job = placement_job(p, slot);
	struct job_least least = {.procs = job_procs(job), .nodes = job->nodes > 0 ? job->nodes : 1};
	bool is_whole = job->access >= ACCESS_SINGLEUSER;
	struct alone alone;

	if (job->nodes > 0 && !is_whole)
		return least;
	alone = find_alone(p, slot);
	if (alone.tasks == 0)
		return least;
	if (job->nodes == 0)
		least.nodes = job->tasks / alone.tasks + (job->tasks % alone.tasks > 0);
	if (is_whole && least.nodes * alone.procs > least.procs)
		least.procs = least.nodes * alone.procs;
	return least;
}

bool placement_node_feasible(const struct snapshot *s, const struct job *job, uint32_t node)
{
	struct request request = request_of(s, job, INDEX_NONE);

	return fit_empty(&request, &snapshot_nodes(s)[node]).tasks > 0;
}
