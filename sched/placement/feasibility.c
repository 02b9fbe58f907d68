/* SPDX-License-Identifier: MIT */
/*
 * feasibility.c - how much of a job fits, now or on the empty machine, and what is lacking
 *
 * Every pass tests whether each job that requests more than processors fits on the empty machine. For most
 * jobs a comparison with the minimum amounts over all nodes is sufficient. For the remaining jobs the sum
 * over all nodes is computed, once for all jobs with equal requests.
 */
#include "placement_state.h"

#include <stdlib.h>

#include "sched/base/vec.h"

/* --- what is lacking ------------------------------------------------------------------------------------ */

/*
 * The number of nodes by what they lack: none[] counts nodes on which no task fits, some[] nodes on which
 * some tasks fit.
 */
struct lacks {
	uint32_t none[LACK_COUNT], some[LACK_COUNT];
};

/* Does only the total number of tasks that fit matter, and not on which and how many nodes? */
static bool only_sum_counts(const struct snapshot *s, const struct job *job)
{
	return job->nodes == 0 && placement_policy(s, job, true) != ALLOCATE_CONTIGUOUS;
}

/* Returns the number of tasks, rounded down to a multiple of tasks_per_node. */
static uint32_t whole_units(const struct job *job, uint32_t tasks)
{
	return job->tasks_per_node > 1 ? tasks - tasks % job->tasks_per_node : tasks;
}

static void lacks_count(struct lacks *lacks, struct fit fit)
{
	if (fit.tasks == 0)
		lacks->none[fit.lack]++;
	else
		lacks->some[fit.lack]++;
}

static enum lack most_common(const uint32_t count[static LACK_COUNT])
{
	int most = LACK_NONE;

	for (int i = LACK_NONE + 1; i < LACK_COUNT; i++)
		if (count[i] > 0 && (most == LACK_NONE || count[i] > count[most]))
			most = i;
	return (enum lack)most;
}

/*
 * Returns the most common lack of the nodes on which no task fits; if there are no such nodes, of all other
 * nodes.
 */
static enum lack lacks_judge(const struct lacks *lacks)
{
	enum lack lack = most_common(lacks->none);

	if (lack == LACK_NONE)
		lack = most_common(lacks->some);
	return lack == LACK_NONE ? LACK_PROCS : lack;
}

/* --- given all claims ---------------------------------------------------------------------------------- */

/* An examination of nodes: the query, and the result for the nodes so far. */
struct look {
	struct placement *p;
	const struct request *request;
	int64_t begin_s, end_s, tasks;
	size_t closed; /* number of nodes without a free processor now */
	struct lacks lacks;
};

/* Examines one node and adds it to p->candidate if tasks fit on it. */
static void examine(struct look *look, uint32_t node)
{
	struct placement *p = look->p;
	const struct request *request = look->request;
	bool closed = look->begin_s == p->now_s && placement_free_on(p, node) == 0;
	struct fit fit = {0};

	if (!closed) {
		fit = fit_between(p, request, node, look->begin_s, look->end_s);
	} else {
		enum lack lack = request_lack_now(request, &snapshot_nodes(p->s)[node]);

		fit.lack = (uint8_t)(lack == LACK_NONE ? LACK_PROCS : lack);
	}
	look->closed += closed;
	lacks_count(&look->lacks, fit);
	look->tasks += whole_units(request->job, fit.tasks);
	if (fit.tasks > 0)
		p->candidate[p->candidate_count++] =
			(struct alloc_candidate){.node = node, .tasks = fit.tasks};
}

/*
 * Examines the nodes for a start now of a job that accepts any node. Nodes without a free processor are only
 * counted.
 */
static void examine_open(struct look *look)
{
	struct placement *p = look->p;
	uint32_t shut;

	placement_list_open(p);
	shut = snapshot_count(p->s, TABLE_NODES) - (uint32_t)p->open_listed;
	look->lacks.none[LACK_DRAINED] = p->shut_drained;
	look->lacks.none[LACK_PROCS] = shut - p->shut_drained;
	for (size_t i = 0; i < p->open_listed; i++)
		examine(look, p->open[i]);
	if (look->closed > p->open_listed / 2)
		p->has_open = false;
}

/*
 * Examines every node. Returns the total number of tasks that fit, and the nodes on which they fit in
 * p->candidate.
 */
static int64_t examine_all(struct placement *p, const struct request *request, int64_t begin_s, int64_t end_s,
			   enum lack *lack)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES);
	struct look look = {.p = p, .request = request, .begin_s = begin_s, .end_s = end_s};

	claims_build(p);
	p->candidate = vec_room(p->candidate, &p->candidate_cap, nodes, sizeof *p->candidate);
	p->candidate_count = 0;
	if (begin_s == p->now_s && !request->is_picky)
		examine_open(&look);
	for (uint32_t i = 0; i < nodes && (begin_s > p->now_s || request->is_picky); i++)
		examine(&look, i);
	*lack = lacks_judge(&look.lacks);
	return look.tasks;
}

/* Returns the number of tasks that fit throughout [begin_s, end_s) and sets *lack as placement_fit does. */
static int64_t tasks_between(struct placement *p, const struct request *request, int64_t begin_s,
			     int64_t end_s, enum lack *lack)
{
	bool cacheable =
		begin_s == p->now_s && !p->is_reserved[request->slot] && only_sum_counts(p->s, request->job);
	struct shape *shape = cacheable ? memo_shape(p, request) : NULL;
	struct alloc_input input;
	int64_t total;

	if (shape == NULL || !memo_total(p, shape, end_s, &total, lack)) {
		total = examine_all(p, request, begin_s, end_s, lack);
		if (shape != NULL)
			memo_note_total(p, shape, end_s, total, *lack);
	}
	if (only_sum_counts(p->s, request->job))
		return total;
	input = placement_alloc_input(p, request->job,
				      placement_policy(p->s, request->job, begin_s == p->now_s));
	return nodealloc_most(&input, p->candidate, p->candidate_count);
}

/* Like placement_fit, for any request. */
static int64_t fit_of(struct placement *p, const struct request *request, int64_t begin_s, int64_t end_s,
		      enum lack *lack)
{
	const struct job *job = request->job;
	struct holding *own = holding_lift(p, request->slot);
	int64_t tasks = tasks_between(p, request, begin_s, end_s, lack);
	int64_t most = whole_units(job, job->tasks);

	holding_restore(p, own);
	return (tasks < most ? tasks : most) * job->task_procs;
}

int64_t placement_fit(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s, enum lack *lack)
{
	struct request request = request_in(p, slot);

	return fit_of(p, &request, begin_s, end_s, lack);
}

int64_t placement_fit_unreserved(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s,
				 enum lack *lack)
{
	struct request request = request_in(p, slot);

	request.guests = GUEST_OF_ALL;
	return fit_of(p, &request, begin_s, end_s, lack);
}

uint32_t placement_reserved_by(struct placement *p, uint32_t slot, int64_t begin_s, int64_t end_s)
{
	const struct request request = request_in(p, slot);
	uint32_t best = INDEX_NONE;
	int64_t best_fit = -1;

	for (uint32_t g = 0; g < p->advance_count; g++) {
		const struct advance_reservation *advance = &p->advance[g];
		struct request invited = request;
		int64_t fit;

		if (advance->begin_s >= end_s || advance->end_s <= begin_s ||
		    advance_admits(p, request.guests, g))
			continue;
		invited.guests = guests_with(p, request.guests, g);
		fit = fit_of(p, &invited, begin_s, end_s, &(enum lack){LACK_NONE});
		if (fit > best_fit || (fit == best_fit && advance->begin_s < p->advance[best].begin_s)) {
			best = g;
			best_fit = fit;
		}
	}
	return best == INDEX_NONE ? INDEX_NONE : p->advance[best].index;
}

/* --- on the empty machine ------------------------------------------------------------------------------- */

/* An examination of empty nodes: the job, and the result for the nodes so far. */
struct empty {
	struct alloc_input input;
	struct alloc_candidate *candidate;
	size_t count, cap;
	struct lacks lacks;
};

/* Returns the number of the job's tasks that fit on empty nodes; stops when all fit. */
static int64_t sum_empty(struct empty *e, const struct request *request)
{
	int64_t asked = request->job->tasks, tasks = 0;

	for (uint32_t i = 0; i < e->input.node_count && tasks < asked; i++) {
		struct fit fit = fit_empty(request, &e->input.node[i]);

		lacks_count(&e->lacks, fit);
		tasks += whole_units(request->job, fit.tasks);
	}
	return tasks < whole_units(request->job, request->job->tasks)
		       ? tasks
		       : whole_units(request->job, request->job->tasks);
}

/*
 * Like sum_empty, for a job for which it matters on which nodes its tasks fit. Tests whether all fit whenever
 * the number of nodes has doubled.
 */
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

/*
 * Like placement_feasible; `line` contains the rank of each node (nodealloc_line) if the job's policy needs
 * it.
 */
static int64_t feasible_procs(const struct snapshot *s, const struct job *job, const uint32_t *line,
			      enum lack *lack)
{
	struct request request = request_of(s, job, INDEX_NONE);
	struct empty e = {.input = {.job = job,
				    .policy = placement_policy(s, job, true),
				    .node = snapshot_nodes(s),
				    .node_count = snapshot_count(s, TABLE_NODES),
				    .line = line}};
	int64_t tasks;

	if (only_sum_counts(s, job))
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
	procs = feasible_procs(s, job, line, lack);
	free(line);
	return procs;
}

/* --- minimum over all nodes ----------------------------------------------------------------------------- */

static void need_least(struct placement *p)
{
	const struct node *node = snapshot_nodes(p->s);

	if (p->knows_least)
		return;
	p->knows_least = true;
	p->kinds_least = has_trait(p->s, TRAIT_GRES) ? ALLOC_KIND_COUNT : ALLOC_GRES;
	p->classes_matter = has_trait(p->s, TRAIT_CLASS);
	for (int kind = 0; kind < p->kinds_least; kind++)
		p->least.of[kind] = INT64_MAX;
	for (uint32_t n = 0; n < snapshot_count(p->s, TABLE_NODES); n++)
		for (int kind = 0; kind < p->kinds_least; kind++)
			if (fit_is_known(&node[n], kind) &&
			    alloc_configured(&node[n], kind) < p->least.of[kind])
				p->least.of[kind] = alloc_configured(&node[n], kind);
}

/*
 * Would the tasks fit, evenly distributed, if every node had only the minimum of each amount? For nearly all
 * jobs the answer is yes, so that no node has to be examined.
 */
static bool fits_on_minimum(struct placement *p, const struct job *job)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES), each;

	need_least(p);
	/*
	 * This is not sufficient for a job that does not accept every node, or whose tasks must be on the
	 * same node.
	 */
	if (nodes == 0 || job->hosts != 0 || job->partition != 0 || job->features != 0 ||
	    job->tasks_per_node > 1 || job_requires_unknown(job) ||
	    (job->cred[CRED_CLASS] != INDEX_NONE && p->classes_matter))
		return false;
	each = job->tasks / nodes + (job->tasks % nodes > 0);
	for (int kind = 0; kind < p->kinds_least; kind++) {
		int64_t asked = alloc_requested(job, kind);

		if (asked > p->least.of[kind] || (asked > 0 && each > 1 && asked > p->least.of[kind] / each))
			return false;
	}
	return true;
}

/* --- queries of a pass ---------------------------------------------------------------------------------- */

/*
 * Like placement_feasible, cached for jobs with equal requests; only for jobs for which only_sum_counts is
 * true.
 */
static int64_t feasible_procs_cached(struct placement *p, uint32_t slot, enum lack *lack)
{
	const struct job *job = placement_job(p, slot);
	struct request request = request_of(p->s, job, slot);
	struct shape *shape = memo_shape(p, &request);
	struct empty_sum *sum;

	if (shape == NULL)
		return feasible_procs(p->s, job, placement_line(p, placement_policy(p->s, job, true)), lack);
	sum = &shape->empty;
	/*
	 * Continue with the node at which the last job of the shape stopped, until the tasks of this job fit.
	 */
	for (; sum->nodes < snapshot_count(p->s, TABLE_NODES) && sum->tasks < job->tasks; sum->nodes++)
		sum->tasks += whole_units(job, fit_empty(&request, &snapshot_nodes(p->s)[sum->nodes]).tasks);
	if (sum->tasks >= job->tasks)
		return (int64_t)whole_units(job, job->tasks) * job->task_procs;
	if (!sum->has_lack) {
		enum lack found;

		feasible_procs(p->s, job, NULL, &found);
		sum->lack = (uint8_t)found;
		sum->has_lack = true;
	}
	*lack = (enum lack)sum->lack;
	return sum->tasks * job->task_procs;
}

int64_t placement_feasible_in(struct placement *p, uint32_t slot, enum lack *lack)
{
	const struct job *job = placement_job(p, slot);

	if (!only_sum_counts(p->s, job))
		return feasible_procs(p->s, job, placement_line(p, placement_policy(p->s, job, true)), lack);
	if (fits_on_minimum(p, job))
		return job_procs(job);
	return feasible_procs_cached(p, slot, lack);
}

static struct single_node compute_single_node(const struct request *request)
{
	const struct node *node = snapshot_nodes(request->s);
	struct single_node single = {.procs = UINT32_MAX};

	for (uint32_t i = 0; i < snapshot_count(request->s, TABLE_NODES); i++) {
		uint32_t tasks = whole_units(request->job, fit_empty(request, &node[i]).tasks);

		if (tasks == 0)
			continue;
		single.tasks = tasks > single.tasks ? tasks : single.tasks;
		single.procs = node[i].procs < single.procs ? node[i].procs : single.procs;
	}
	return single;
}

/* Like compute_single_node, cached for jobs with equal requests. */
static struct single_node find_single_node(struct placement *p, uint32_t slot)
{
	struct request request = request_of(p->s, placement_job(p, slot), slot);
	struct shape *shape = memo_shape(p, &request);
	struct single_node *single;

	if (shape == NULL)
		return compute_single_node(&request);
	single = &shape->single;
	if (single->tasks == 0)
		*single = compute_single_node(&request);
	return *single;
}

struct job_least placement_least_held(struct placement *p, uint32_t slot)
{
	const struct job *job = placement_job(p, slot);
	struct job_least least = {.procs = job_procs(job), .nodes = job->nodes > 0 ? job->nodes : 1};
	bool is_whole = job->access >= ACCESS_SINGLEUSER;
	struct single_node single;

	if (job->nodes > 0 && !is_whole)
		return least;
	single = find_single_node(p, slot);
	if (single.tasks == 0)
		return least;
	if (job->nodes == 0)
		least.nodes = job->tasks / single.tasks + (job->tasks % single.tasks > 0);
	if (is_whole && least.nodes * single.procs > least.procs)
		least.procs = least.nodes * single.procs;
	return least;
}

bool placement_node_feasible(const struct snapshot *s, const struct job *job, uint32_t node)
{
	struct request request = request_of(s, job, INDEX_NONE);

	return fit_empty(&request, &snapshot_nodes(s)[node]).tasks > 0;
}
