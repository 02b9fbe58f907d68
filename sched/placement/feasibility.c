/* SPDX-License-Identifier: MIT */
/*
 * feasibility.c - how much of a job fits, now or on the empty machine, and what is lacking
 *
 * The feasibility on the empty machine is queried in every pass for every job that requests more than
 * processors. For most jobs the minimum over all nodes answers it; for the others the sum over all nodes is
 * computed once for all jobs with equal requests.
 *
 * Results are cached. Thousands of idle jobs have equal requests per node (a shape) and differ only in the
 * number of tasks and in time. While claims are only added, free resources only decrease: what did not fit
 * still does not fit, and no job with at least as many tasks and at least as long a limit begins before a job
 * of the shape that was just placed. The number of tasks that fit from now on depends on the end of the job
 * only through the reservations that begin before it.
 */
#include "placement_state.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

#define SHAPES_MOST  1024 /* nothing is cached for further shapes */
#define TABLE_SIZE   4096
#define RESULTS_MOST 4 /* results of each kind for each shape */

/* Common properties of the jobs of a shape. No padding: compared and hashed as bytes. */
struct shape_key {
	int64_t amount[ALLOC_KIND_COUNT];
	uint64_t features, classes;
	uint32_t hosts, partition;
	uint32_t tasks_per_node, nodes;
	uint32_t user; /* INDEX_NONE where the user does not matter */
	uint32_t rest; /* set of invitations, unknown names, access, has_class, contiguous */
};

/*
 * `tasks` tasks fit throughout [now, end_s) at this version of the claims; with lack LACK_COUNT, at most
 * `tasks`.
 */
struct total {
	uint64_t version;
	int64_t end_s, tasks;
	enum lack lack;
};

/* A job with at least as many tasks and as long a limit does not begin in [from_s, begin_s). */
struct begin {
	uint32_t tasks;
	int64_t wall_s, from_s, begin_s;
};

/* The shape's tasks on the empty machine: the sum over the nodes below index `nodes`. */
struct empty_sum {
	uint32_t nodes;
	bool has_lack;
	uint8_t lack; /* enum lack, of all nodes */
	int64_t tasks;
};

/*
 * Over all empty nodes on which at least one task of the job fits: the largest number of tasks on a node, in
 * whole units, and the smallest number of processors of a node. tasks 0: not computed yet, or no node fits.
 */
struct single_node {
	uint32_t tasks, procs;
};

struct shape {
	struct shape_key key;
	struct total total[RESULTS_MOST];
	struct begin begin[RESULTS_MOST];
	unsigned total_count, begin_count; /* ever noted; the oldest result is replaced */
	struct empty_sum empty;
	struct single_node single;
};

/* --- shapes --------------------------------------------------------------------------------------------- */

static struct shape_key key_of(const struct placement *p, const struct request *request)
{
	const struct job *job = request->job;
	bool contiguous = placement_policy(p->s, job, true) == ALLOCATE_CONTIGUOUS;
	struct shape_key key = {
		.features = job->features,
		.classes = request->classes,
		.hosts = job->hosts,
		.partition = job->partition,
		.tasks_per_node = job->tasks_per_node,
		.nodes = job->nodes,
		.user = INDEX_NONE,
		.rest = request->guests << 8 | (uint32_t)(job->unknown[UNKNOWN_GRES] != 0) << 7 |
			(uint32_t)(job->unknown[UNKNOWN_FEATURES] != 0) << 6 |
			(uint32_t)request->access << 2 | (uint32_t)request->has_class << 1 | contiguous};

	for (unsigned i = 0; i < request->count; i++)
		key.amount[request->resource[i].kind] = request->resource[i].amount;
	if (p->users_matter || request->access == ACCESS_SINGLEUSER)
		key.user = job->cred[CRED_USER];
	return key;
}

static uint32_t hash_of(const struct shape_key *key)
{
	uint64_t word[sizeof *key / sizeof(uint64_t)], hash = 0;

	memcpy(word, key, sizeof word);
	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
		hash = (hash ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return (uint32_t)(hash >> 20);
}

struct shape *memo_shape(struct placement *p, const struct request *request)
{
	struct shape_key key = key_of(p, request);
	uint32_t at = hash_of(&key) % TABLE_SIZE;

	if (p->shape_at == NULL)
		p->shape_at = mem_zero(TABLE_SIZE, sizeof *p->shape_at);
	for (; p->shape_at[at] != 0; at = (at + 1) % TABLE_SIZE) {
		struct shape *shape = &p->shape[p->shape_at[at] - 1];

		if (memcmp(&shape->key, &key, sizeof key) == 0)
			return shape;
	}
	if (p->shape_count == SHAPES_MOST)
		return NULL;
	p->shape = vec_room(p->shape, &p->shape_cap, p->shape_count + 1, sizeof *p->shape);
	p->shape[p->shape_count] = (struct shape){.key = key};
	p->shape_at[at] = (uint32_t)++p->shape_count;
	return &p->shape[p->shape_count - 1];
}

void memo_forget(struct placement *p)
{
	if (p->shape_count > 0)
		memset(p->shape_at, 0, TABLE_SIZE * sizeof *p->shape_at);
	p->shape_count = 0;
}

/* --- cached totals -------------------------------------------------------------------------------------- */

static unsigned cached(unsigned noted)
{
	return noted < RESULTS_MOST ? noted : RESULTS_MOST;
}

bool memo_hopeless(const struct shape *shape, uint32_t tasks, int64_t end_s)
{
	for (unsigned i = 0; i < cached(shape->total_count); i++)
		if (shape->total[i].end_s <= end_s && shape->total[i].tasks < tasks)
			return true;
	return false;
}

/* True if the same reservations begin before both times. */
static bool same_reservations(const struct placement *p, int64_t a_s, int64_t b_s)
{
	size_t low = 0, high = p->future_begin_count;

	/* Binary search for the first that begins at or after the earlier time. */
	if (a_s > b_s)
		return same_reservations(p, b_s, a_s);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->future_begin_s[middle] < a_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low == p->future_begin_count || p->future_begin_s[low] >= b_s;
}

/* Looks up the number of tasks that fit and what other nodes lack; false if they are not cached. */
static bool memo_total(const struct placement *p, const struct shape *shape, int64_t end_s, int64_t *tasks,
		       enum lack *lack)
{
	for (unsigned i = 0; i < cached(shape->total_count); i++) {
		const struct total *total = &shape->total[i];

		if (total->lack == LACK_COUNT || total->version != p->version ||
		    !same_reservations(p, total->end_s, end_s))
			continue;
		*tasks = total->tasks;
		*lack = total->lack;
		return true;
	}
	return false;
}

void memo_note_total(const struct placement *p, struct shape *shape, int64_t end_s, int64_t tasks,
		     enum lack lack)
{
	shape->total[shape->total_count++ % RESULTS_MOST] =
		(struct total){.version = p->version, .end_s = end_s, .tasks = tasks, .lack = lack};
}

/* --- cached start times --------------------------------------------------------------------------------- */

int64_t memo_not_before(const struct shape *shape, const struct job *job, int64_t from_s)
{
	for (unsigned i = 0; i < cached(shape->begin_count); i++) {
		const struct begin *begin = &shape->begin[i];

		if (begin->tasks <= job->tasks && begin->wall_s <= job->wall_limit_s &&
		    begin->from_s <= from_s && begin->begin_s > from_s)
			from_s = begin->begin_s;
	}
	return from_s;
}

void memo_note_begin(struct shape *shape, const struct job *job, int64_t from_s, int64_t begin_s)
{
	shape->begin[shape->begin_count++ % RESULTS_MOST] = (struct begin){
		.tasks = job->tasks, .wall_s = job->wall_limit_s, .from_s = from_s, .begin_s = begin_s};
}

/* --- what is lacking ------------------------------------------------------------------------------------ */

/* Counts of what nodes lack; `none`: of the nodes on which nothing fits. */
struct lacks {
	uint32_t none[LACK_COUNT], some[LACK_COUNT];
};

/* True if only the total number of tasks matters, not how many nodes there are and which. */
static bool only_sum_counts(const struct snapshot *s, const struct job *job)
{
	return job->nodes == 0 && placement_policy(s, job, true) != ALLOCATE_CONTIGUOUS;
}

/* The number of tasks in whole units of tasks_per_node. */
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

/* The commonest lack of the nodes on which nothing fits; if there are none, of the other nodes. */
static enum lack lacks_judge(const struct lacks *lacks)
{
	enum lack lack = most_common(lacks->none);

	if (lack == LACK_NONE)
		lack = most_common(lacks->some);
	return lack == LACK_NONE ? LACK_PROCS : lack;
}

/* --- beside all claims ---------------------------------------------------------------------------------- */

/* Result of the nodes examined so far. */
struct look {
	struct placement *p;
	const struct request *request;
	int64_t begin_s, end_s, tasks;
	size_t closed; /* number of nodes without a free processor now */
	struct lacks lacks;
};

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

/* For a start now of a job that accepts any node: all nodes without a free processor are equal. */
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

/* Examines every node; returns the total number of tasks that fit, and the nodes in p->candidate. */
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

/* The nodes examined so far. */
struct empty {
	struct alloc_input input;
	struct alloc_candidate *candidate;
	size_t count, cap;
	struct lacks lacks;
};

/* The total number of tasks that fit on empty nodes; stops when it suffices. */
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
 * As sum_empty, if it matters which nodes they are. Whether the nodes so far suffice is tested after each
 * doubling of their number.
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

/* line: rank of the nodes among their neighbours, if the job's policy needs it. */
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
 * Tests whether an even distribution of the tasks fits on nodes that all have only the minimum of every
 * amount. This answers nearly all jobs without examining a node.
 */
static bool fits_on_minimum(struct placement *p, const struct job *job)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES), each;

	need_least(p);
	/* Only for a job that accepts every node with enough resources, and whose tasks are independent. */
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

static int64_t feasible_procs_cached(struct placement *p, uint32_t slot, enum lack *lack)
{
	const struct job *job = placement_job(p, slot);
	struct request request = request_of(p->s, job, slot);
	struct shape *shape = memo_shape(p, &request);
	struct empty_sum *sum;

	if (shape == NULL)
		return feasible_procs(p->s, job, placement_line(p, placement_policy(p->s, job, true)), lack);
	sum = &shape->empty;
	/* Continue where the last job of the shape stopped, until the sum suffices. */
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

/* As compute_single_node, cached for jobs with equal requests. */
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
