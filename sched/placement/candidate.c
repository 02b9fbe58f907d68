/* SPDX-License-Identifier: MIT */
/*
 * candidate.c - nodes as candidates for a job: tasks that fit on them, and values that allocation policies
 * compare
 *
 * The amount held on a node increases only where a claim begins. So the number of tasks that fit is computed
 * for the start of the job and for each claim that begins while the job would run; the minimum counts. On a
 * node to which this pass has added no claim, resources that are free now stay free, because its running jobs
 * only end.
 *
 * For a start now, NODEAVAILABILITYPOLICY determines which resources are left. With UTILIZED, memory, swap
 * and disk that running jobs do not use can be dedicated a second time, except what a reservation needs.
 * Processors are never dedicated twice.
 *
 * PRIORITYF: AMEM, ADISK, APROCS and ASWAP are the amounts left at the start of the job, after all other
 * starts of the pass; JOBCOUNT includes these starts. A node's own function replaces that of DEFAULT; without
 * a function the value is PRIORITY + 100 * PREF.
 *
 * Source: Maui Administrator's Guide 5.2.1, 5.2.2; the value of a node without a function was observed in
 * Maui.
 */
#include "placement_state.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "sched/base/vec.h"

/* NODEUNTRACKEDLOADFACTOR: processors per unit of load that no job causes */
#define UNTRACKED_LOAD_FACTOR 1.2
#define PREF_WORTH            100 /* value of a preference on a node without PRIORITYF */

/* --- allocation policy ---------------------------------------------------------------------------------- */

enum allocation_policy placement_policy(const struct snapshot *s, const struct job *job, bool now)
{
	unsigned policy = job->allocation > 0 ? job->allocation - 1u : s->policy.allocation;

	if (policy == ALLOCATE_CPULOAD && !now)
		return ALLOCATE_MINRESOURCE;
	if (policy == ALLOCATE_LOCAL &&
	    (job->order == 0 || strcmp(snapshot_string(s, job->order), JOB_NO_ANSWER) == 0))
		return ALLOCATE_MINRESOURCE;
	return (enum allocation_policy)policy;
}

const uint32_t *placement_line(struct placement *p, enum allocation_policy policy)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES);

	if (policy != ALLOCATE_CONTIGUOUS)
		return NULL;
	if (!p->has_line) {
		p->line = vec_room(p->line, &p->line_cap, nodes, sizeof *p->line);
		nodealloc_line(snapshot_nodes(p->s), nodes, p->line);
		p->has_line = true;
	}
	return p->line;
}

/* --- request of a job ----------------------------------------------------------------------------------- */

/* Returns the enum lack for too little of a kind. */
static uint8_t lack_of(int kind)
{
	static const uint8_t lack[] = {[ALLOC_PROCS] = LACK_PROCS,
				       [ALLOC_MEM] = LACK_MEMORY,
				       [ALLOC_SWAP] = LACK_SWAP,
				       [ALLOC_DISK] = LACK_DISK};

	return kind < ALLOC_GRES ? lack[kind] : LACK_GRES;
}

bool has_trait(const struct snapshot *s, enum trait_kind kind)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		if (snapshot_traits(s)[i].kind == kind)
			return true;
	return false;
}

struct request request_of(const struct snapshot *s, const struct job *job, uint32_t slot)
{
	struct request request = {.s = s, .job = job, .slot = slot, .access = snapshot_job_access(s, job)};
	const char *class_name = snapshot_job_cred(s, job, CRED_CLASS);
	int bit = class_name == NULL ? -1 : snapshot_find_trait(s, TRAIT_CLASS, class_name);

	request.has_class = class_name != NULL;
	request.classes = bit < 0 ? 0 : UINT64_C(1) << bit;
	request.hosts = job->hosts == 0 ? NULL : snapshot_string(s, job->hosts);
	request.is_picky = request.hosts != NULL || job->partition != 0 || job->features != 0 ||
			   job_requires_unknown(job) || (request.has_class && has_trait(s, TRAIT_CLASS));
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		int64_t asked = alloc_requested(job, kind);

		if (asked == 0)
			continue;
		request.resource[request.count].kind = (uint8_t)kind;
		request.resource[request.count].lack = lack_of(kind);
		request.resource[request.count++].amount = asked;
	}
	return request;
}

struct request request_in(struct placement *p, uint32_t slot)
{
	struct request request = request_of(p->s, placement_job(p, slot), slot);

	if (p->advance_count > 0)
		request.guests = advance_guests(p, slot);
	return request;
}

/*
 * Returns the index of a name among the words of a text, ignoring case; UINT32_MAX if it is not one of the
 * words.
 */
static uint32_t word_index(const char *words, const char *name)
{
	size_t len = strlen(name);
	uint32_t index = 0;

	for (const char *at = words; *at != '\0'; at += strcspn(at, " ")) {
		at += strspn(at, " ");
		if (strcspn(at, " ") == len && strncasecmp(at, name, len) == 0)
			return index;
		index++;
	}
	return UINT32_MAX;
}

/*
 * Returns why the node is not suitable for the job even if it is empty and not drained; LACK_NONE if it is
 * suitable.
 */
static enum lack request_lack(const struct request *request, const struct node *node)
{
	const struct job *job = request->job;

	if (!request->is_picky)
		return LACK_NONE;
	if (job->partition != 0 && node->partition != 0 && job->partition != node->partition)
		return LACK_PARTITION;
	if (request->hosts != NULL &&
	    word_index(request->hosts, snapshot_string(request->s, node->name)) == UINT32_MAX)
		return LACK_HOST;
	if (request->has_class && node->classes != 0 && (node->classes & request->classes) == 0)
		return LACK_CLASS;
	if ((node->features & job->features) != job->features || job->unknown[UNKNOWN_FEATURES] != 0)
		return LACK_FEATURE;
	return job->unknown[UNKNOWN_GRES] != 0 ? LACK_GRES : LACK_NONE;
}

static enum node_access access_on(const struct request *request, const struct node *node)
{
	return request->access > node->access ? request->access : (enum node_access)node->access;
}

enum lack request_lack_now(const struct request *request, const struct node *node)
{
	return node->drained ? LACK_DRAINED : request_lack(request, node);
}

bool request_whole(const struct request *request, const struct node *node)
{
	return access_on(request, node) >= ACCESS_SINGLEJOB;
}

/* --- number of tasks ------------------------------------------------------------------------------------ */

/* Limits the number of tasks by resource i of the request, of which the amount `free` is free. */
static void narrow(struct fit *fit, const struct request *request, unsigned i, int64_t free)
{
	int64_t tasks = free > 0 ? free / request->resource[i].amount : 0;

	if (tasks < (int64_t)fit->tasks)
		*fit = (struct fit){.tasks = (uint32_t)tasks, .lack = request->resource[i].lack};
}

/* Reduces the number of tasks to 0 if it is less than the number that must be on the same node. */
static struct fit settle(struct fit fit, const struct job *job)
{
	if (fit.tasks > 0 && fit.tasks < job->tasks_per_node)
		return (struct fit){.lack = LACK_TASKS};
	return fit;
}

struct fit fit_empty(const struct request *request, const struct node *node)
{
	struct fit fit = {.tasks = UINT32_MAX};
	enum lack lack = request_lack(request, node);

	if (lack != LACK_NONE)
		return (struct fit){.lack = (uint8_t)lack};
	for (unsigned i = 0; i < request->count; i++)
		if (fit_is_known(node, request->resource[i].kind))
			narrow(&fit, request, i, alloc_configured(node, request->resource[i].kind));
	return settle(fit, request->job);
}

/* --- what is left now, by NODEAVAILABILITYPOLICY -------------------------------------------------------- */

/* Returns the amount of a kind that is dedicated to running jobs on a node. */
static int64_t dedicated_on(const struct node *node, int kind)
{
	if (kind >= ALLOC_GRES)
		return node->gres_busy[kind - ALLOC_GRES];
	switch (kind) {
	case ALLOC_PROCS:
		return node->procs_busy;
	case ALLOC_MEM:
		return node->mem_busy_mb;
	case ALLOC_SWAP:
		return node->swap_busy_mb;
	case ALLOC_DISK:
		return node->disk_busy_mb;
	default:
		return 0;
	}
}

/*
 * Returns the measured number of processors in use, including load that no job causes; negative = not
 * measured.
 */
static int64_t procs_used(const struct node *node)
{
	double used = node->used.procs, load = node->used.load;

	if (used < 0)
		return -1;
	if (load > used)
		used += UNTRACKED_LOAD_FACTOR * (load - used);
	return llround(fmin(used, (double)node->procs));
}

int64_t placement_outside_procs(const struct snapshot *s, uint32_t node)
{
	const struct node *n = &snapshot_nodes(s)[node];
	int64_t used = procs_used(n);

	if (s->policy.available[AVAILABLE_PROCS] == AVAILABLE_DEDICATED || used < n->procs_busy)
		return 0;
	return used - n->procs_busy;
}

/* Returns the measured amount of a kind in use on a node; negative = not measured. */
static int64_t used_on(const struct node *node, int kind)
{
	const int64_t amount[ALLOC_GRES] = {0, node->used.mem_mb, node->used.swap_mb, node->used.disk_mb};

	if (kind == ALLOC_PROCS)
		return procs_used(node);
	return kind >= ALLOC_GRES ? -1 : amount[kind];
}

static enum availability availability_of(const struct placement *p, int kind)
{
	static const uint8_t resource[] = {[ALLOC_PROCS] = AVAILABLE_PROCS,
					   [ALLOC_MEM] = AVAILABLE_MEM,
					   [ALLOC_SWAP] = AVAILABLE_SWAP,
					   [ALLOC_DISK] = AVAILABLE_DISK};

	if (kind >= ALLOC_GRES)
		return AVAILABLE_DEDICATED;
	return (enum availability)p->s->policy.available[resource[kind]];
}

/*
 * Does the measured use of a kind of resource replace the amount dedicated to running jobs? Returns false for
 * processors.
 */
static bool counts_use(const struct placement *p, const struct node *node, int kind)
{
	return kind != ALLOC_PROCS && availability_of(p, kind) == AVAILABLE_UTILIZED &&
	       used_on(node, kind) >= 0;
}

/* Returns the amount of a kind that running jobs leave on a node now. */
static int64_t left_now(const struct placement *p, const struct node *node, int kind)
{
	int64_t dedicated = dedicated_on(node, kind), used = used_on(node, kind);

	if (availability_of(p, kind) == AVAILABLE_DEDICATED)
		used = -1;
	if (!counts_use(p, node, kind) && dedicated > used)
		used = dedicated;
	return alloc_configured(node, kind) - used;
}

/* --- number of tasks given all claims ------------------------------------------------------------- */

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the amount of a kind that is left for a job in a step of the node's timeline; `now`: the job starts
 * now.
 */
static int64_t left_from(const struct placement *p, const struct node *n, const struct timeline *c,
			 uint32_t step, int kind, bool now)
{
	int64_t held = timeline_held(p, c, step, kind), left = alloc_configured(n, kind) - held;

	if (!now)
		return left;
	if (counts_use(p, n, kind) && c->step[step].reservations == 0)
		left = INT64_MAX;
	/*
	 * Step 0 is now: running jobs hold the dedicated part of `held`, and starts of this pass hold the
	 * rest.
	 */
	if (step == 0)
		left = smaller(left, left_now(p, n, kind) - (held - dedicated_on(n, kind)));
	return left;
}

int64_t fit_left(struct placement *p, uint32_t node, int kind, int64_t begin_s)
{
	const struct timeline *c = timeline_of(p, node);

	return left_from(p, &snapshot_nodes(p->s)[node], c, timeline_at(c, begin_s), kind,
			 begin_s == p->now_s);
}

int64_t fit_least(struct placement *p, uint32_t node, int kind, int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(p->s)[node];
	bool now = begin_s == p->now_s;
	const struct timeline *c;
	int64_t least = INT64_MAX;

	if (now && p->node_claims[node].added == 0)
		return left_now(p, n, kind);
	c = timeline_of(p, node);
	for (uint32_t i = timeline_at(c, begin_s); i < c->count && c->step[i].at_s < end_s; i++)
		least = smaller(least, left_from(p, n, c, i, kind, now));
	return least;
}

/* Do the access policies of the job and of a claim allow both jobs on one node at the same time? */
static bool access_allows(const struct placement *p, const struct request *request, enum node_access access,
			  const struct claim *claim)
{
	if (access >= ACCESS_SINGLEJOB || claim->access >= ACCESS_SINGLEJOB)
		return false;
	if (access != ACCESS_SINGLEUSER && claim->access != ACCESS_SINGLEUSER)
		return true;
	return placement_job(p, claim->slot)->cred[CRED_USER] == request->job->cred[CRED_USER];
}

static bool access_allows_all(const struct placement *p, const struct request *request, uint32_t node,
			      int64_t begin_s, int64_t end_s)
{
	enum node_access access = access_on(request, &snapshot_nodes(p->s)[node]);

	if (access <= ACCESS_SHARED && !p->users_matter)
		return true;
	for (uint32_t i = p->node_claims[node].first; i != INDEX_NONE; i = p->claim[i].next) {
		const struct claim *claim = &p->claim[i];

		if (claim->begin_s < end_s && claim->end_s > begin_s &&
		    !access_allows(p, request, access, claim))
			return false;
	}
	return true;
}

/* Returns the number of tasks that fit now on a node to which this pass has added no claim. */
static struct fit fit_untouched(const struct placement *p, const struct request *request,
				const struct node *node)
{
	struct fit fit = {.tasks = UINT32_MAX};

	for (unsigned i = 0; i < request->count; i++)
		if (fit_is_known(node, request->resource[i].kind))
			narrow(&fit, request, i, left_now(p, node, request->resource[i].kind));
	return fit;
}

/*
 * Limits the number of tasks to those that fit on the processors without a claim (`free`) that are not
 * reserved for other jobs. A job that holds the whole node would also hold reserved processors, so it fits
 * only if none are reserved.
 */
static void narrow_by_advances(struct fit *fit, struct placement *p, const struct request *request,
			       uint32_t node, int64_t at_s, int64_t free)
{
	int64_t kept = advance_kept(p, node, request->guests, at_s), tasks;

	if (kept == 0)
		return;
	tasks = free > kept && !request_whole(request, &snapshot_nodes(p->s)[node])
			? (free - kept) / request->job->task_procs
			: 0;
	if (tasks < (int64_t)fit->tasks)
		*fit = (struct fit){.tasks = (uint32_t)tasks, .lack = LACK_RESERVED};
}

/*
 * Returns the number of tasks that fit on a node given all claims: the minimum over the steps of its
 * timeline. A step at which no claim begins can be skipped, because resources can only become free there.
 */
static struct fit fit_beside(struct placement *p, const struct request *request, uint32_t node,
			     int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(p->s)[node];
	const struct timeline *c = timeline_of(p, node);
	struct fit fit = {.tasks = UINT32_MAX};
	bool now = begin_s == p->now_s, reserved = advances_on_node(p, node);
	uint32_t first = timeline_at(c, begin_s);

	for (uint32_t at = first; at < c->count && c->step[at].at_s < end_s; at++) {
		if (at > first && !reserved && c->step[at].at_s > c->last_begin_s)
			break;
		if (at > first && !reserved && c->step[at].begins == 0)
			continue;
		for (unsigned i = 0; i < request->count; i++)
			if (fit_is_known(n, request->resource[i].kind))
				narrow(&fit, request, i,
				       left_from(p, n, c, at, request->resource[i].kind, now));
		if (reserved)
			narrow_by_advances(&fit, p, request, node, c->step[at].at_s,
					   left_from(p, n, c, at, ALLOC_PROCS, now));
		if (fit.tasks == 0)
			break;
	}
	return fit;
}

struct fit fit_between(struct placement *p, const struct request *request, uint32_t node, int64_t begin_s,
		       int64_t end_s)
{
	const struct node *n = &snapshot_nodes(p->s)[node];
	enum lack lack = request_lack_now(request, n);
	struct fit fit;

	if (lack != LACK_NONE)
		return (struct fit){.lack = (uint8_t)lack};
	if (begin_s == p->now_s && p->node_claims[node].added == 0)
		fit = fit_untouched(p, request, n);
	else
		fit = fit_beside(p, request, node, begin_s, end_s);
	if (fit.tasks > 0 && !access_allows_all(p, request, node, begin_s, end_s))
		return (struct fit){.lack = LACK_ACCESS};
	return settle(fit, request->job);
}

/* --- PRIORITYF ------------------------------------------------------------------------------------------ */

/* Returns the index of the PRIORITYF function with this text; parses the text on first use. */
static uint32_t function_at(struct placement *p, uint32_t text)
{
	struct priority_function *f;
	struct err ignored;

	for (size_t i = 0; i < p->function_count; i++)
		if (p->function[i].text == text)
			return (uint32_t)i;
	p->function = vec_room(p->function, &p->function_cap, p->function_count + 1, sizeof *p->function);
	f = &p->function[p->function_count];
	f->text = text;
	f->good = expr_read(snapshot_string(p->s, text), &f->expr, &ignored);
	return (uint32_t)p->function_count++;
}

/*
 * Determines the PRIORITYF function of each node on first use. Most nodes have the same function as the
 * previous node.
 */
static void need_functions(struct placement *p)
{
	uint32_t nodes = snapshot_count(p->s, TABLE_NODES), before = 0, found = INDEX_NONE;

	placement_need_machine(p);
	if (p->has_functions)
		return;
	p->has_functions = true;
	p->function_of = vec_room(p->function_of, &p->function_of_cap, nodes, sizeof *p->function_of);
	for (uint32_t i = 0; i < nodes; i++) {
		const struct node *node = &snapshot_nodes(p->s)[i];
		uint32_t text = node->priorityf != 0 ? node->priorityf : p->s->priorityf;

		if (text != before)
			found = text == 0 ? INDEX_NONE : function_at(p, text);
		before = text;
		p->function_of[i] = found;
	}
}

/* Returns the percentage of the time since the statistics began in which the node had a job. */
static double usage_of(const struct placement *p, const struct node *node)
{
	int64_t active_s = node->active_s, all_s = p->now_s - p->s->stats_since_s;

	if (node->active_from_s != TIME_NONE)
		active_s += p->now_s - node->active_from_s;
	return all_s > 0 ? 100 * (double)active_s / (double)all_s : 0;
}

/* Returns the speed of a node as PRIORITYF uses it. */
static double speed_of(const struct placement *p, const struct node *node)
{
	return p->speeds == SPEEDS_RELATIVE || !(node->procspeed > 0) ? node->speed : node->procspeed;
}

static bool prefers(const struct job *job, const struct node *node)
{
	return job->prefer != 0 && job->unknown[UNKNOWN_PREFER] == 0 &&
	       (node->features & job->prefer) == job->prefer;
}

/* Returns the amount of a kind that is left on a node at the start of the job, at least 0. */
static double available(struct placement *p, uint32_t node, int kind, int64_t begin_s)
{
	return fmax((double)fit_left(p, node, kind, begin_s), 0);
}

/* The number of jobs on a node at some time, and the processors that they hold. */
struct held_jobs {
	uint32_t jobs;
	int64_t procs;
};

static struct held_jobs held_jobs_at(const struct placement *p, uint32_t node, int64_t begin_s)
{
	struct held_jobs held_jobs = {0};

	for (uint32_t i = p->node_claims[node].first; i != INDEX_NONE; i = p->claim[i].next) {
		const struct claim *claim = &p->claim[i];

		if (claim->begin_s > begin_s || claim->end_s <= begin_s)
			continue;
		held_jobs.jobs++;
		held_jobs.procs += claim->procs;
	}
	return held_jobs;
}

/* Returns the value of a node's function for the job in a slot; slot INDEX_NONE = no particular job. */
static double function_value(struct placement *p, const struct expr *expr, uint32_t index, int64_t begin_s,
			     uint32_t slot)
{
	const struct node *node = &snapshot_nodes(p->s)[index];
	struct held_jobs held_jobs = held_jobs_at(p, index, begin_s);
	const double component[EXPR_COMPONENT_COUNT] = {
		[EXPR_ADISK] = available(p, index, ALLOC_DISK, begin_s),
		[EXPR_AMEM] = available(p, index, ALLOC_MEM, begin_s),
		[EXPR_APROCS] = (double)(node->procs - held_jobs.procs),
		[EXPR_ASWAP] = available(p, index, ALLOC_SWAP, begin_s),
		[EXPR_CDISK] = (double)node->disk_mb,
		[EXPR_CMEM] = (double)node->mem_mb,
		[EXPR_CPROCS] = node->procs,
		[EXPR_CSWAP] = (double)node->swap_mb,
		[EXPR_JOBCOUNT] = held_jobs.jobs,
		[EXPR_LOAD] = fmax(node->used.load, 0),
		[EXPR_PREF] = slot != INDEX_NONE && prefers(placement_job(p, slot), node),
		[EXPR_PRIORITY] = node->priority,
		[EXPR_RESAFFINITY] = slot != INDEX_NONE &&
				     advance_prefers(p, index, advance_guests(p, slot), begin_s, begin_s + 1),
		[EXPR_SPEED] = speed_of(p, node),
		[EXPR_USAGE] = usage_of(p, node),
	};

	return expr_value(expr, component);
}

static double priority_of(struct placement *p, uint32_t index, int64_t begin_s, uint32_t slot)
{
	const struct node *node = &snapshot_nodes(p->s)[index];
	uint32_t f;

	need_functions(p);
	f = p->function_of[index];
	if (f != INDEX_NONE && p->function[f].good)
		return function_value(p, &p->function[f].expr, index, begin_s, slot);
	return node->priority +
	       (slot != INDEX_NONE && prefers(placement_job(p, slot), node) ? PREF_WORTH : 0);
}

double placement_node_priority(struct placement *p, uint32_t node, uint32_t slot)
{
	claims_build(p);
	return priority_of(p, node, p->now_s, slot);
}

/* --- values for the allocation policies ----------------------------------------------------------------- */

/*
 * Returns the value that the allocation policy compares for a node and a job over [begin_s, end_s); 0 if the
 * policy compares no value.
 */
static double value_of(struct placement *p, enum allocation_policy policy, const struct request *request,
		       uint32_t node, int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(p->s)[node];

	if (policy == ALLOCATE_PRIORITY)
		return priority_of(p, node, begin_s, request->slot);
	/* CPULOAD compares processors that are neither held by jobs nor loaded. */
	if (policy == ALLOCATE_CPULOAD)
		return (double)n->procs - fmax((double)held_jobs_at(p, node, p->now_s).procs, n->used.load);
	if (policy == ALLOCATE_MINRESOURCE || policy == ALLOCATE_LOCAL) {
		struct alloc_amounts free = {{0}};

		for (unsigned i = 0; i < request->count; i++)
			free.of[request->resource[i].kind] =
				fit_least(p, node, request->resource[i].kind, begin_s, end_s);
		return nodealloc_share(request->job, n, &free);
	}
	return 0;
}

struct alloc_candidate candidate_make(struct placement *p, enum allocation_policy policy,
				      const struct request *request, uint32_t node, uint32_t tasks,
				      int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(p->s)[node];

	return (struct alloc_candidate){
		.node = node,
		.tasks = tasks,
		.order = policy == ALLOCATE_LOCAL ? word_index(snapshot_string(p->s, request->job->order),
							       snapshot_string(p->s, n->name))
						  : UINT32_MAX,
		.until_s = policy == ALLOCATE_LASTAVAILABLE && p->node_claims[node].added > 0
				   ? timeline_next_begin(timeline_of(p, node), end_s)
				   : TIME_NEVER,
		.value = value_of(p, policy, request, node, begin_s, end_s),
		.prefers = prefers(request->job, n) ||
			   (advances_on_node(p, node) &&
			    advance_prefers(p, node, request->guests, begin_s, end_s)),
		.whole = request_whole(request, n),
	};
}
