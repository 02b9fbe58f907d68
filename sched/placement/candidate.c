/* SPDX-License-Identifier: MIT */
/*
 * room_value.c - where is room for a job, now and later? What policies look at of a node.
 *
 * PRIORITYF (N-15, N-16): A... is what is left when the job begins, so nothing that another start
 * of the pass has taken; JOBCOUNT counts those starts. A node's own function
 * replaces that of DEFAULT; without any it is PRIORITY + 100 * PREF.
 *
 * Source: Maui Administrator's Guide 5.2.1, 5.2.2; what a node without a function is worth is as the
 * original was seen to do.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "placement_state.h"
#include "sched/base/vec.h"

#define PREF_WORTH 100 /* of a preference, to a node without PRIORITYF */

/* The node's place in LOCAL's answer; UINT32_MAX = not named. */
static uint32_t local_order(const struct placement *p, const struct job *job, uint32_t node)
{
	const char *name = snapshot_string(p->s, snapshot_nodes(p->s)[node].name);
	size_t len = strlen(name);
	uint32_t place = 0;

	for (const char *at = snapshot_string(p->s, job->order); *at != '\0'; at += strcspn(at, " ")) {
		at += strspn(at, " ");
		if (strcspn(at, " ") == len && strncasecmp(at, name, len) == 0)
			return place;
		place++;
	}
	return UINT32_MAX;
}

/* --- PRIORITYF ---------------------------------------------------------------------------------- */

/* The index of a function by its text, read at the first time. */
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

/* Which function each node has; most have the same as the one before. */
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

/* Percent of the time since the statistics were begun. */
static double usage_of(const struct placement *p, const struct node *node)
{
	int64_t active_s = node->active_s, all_s = p->now_s - p->s->stats_since_s;

	if (node->active_from_s != TIME_NONE)
		active_s += p->now_s - node->active_from_s;
	return all_s > 0 ? 100 * (double)active_s / (double)all_s : 0;
}

static double speed_of(const struct placement *p, const struct node *node)
{
	return p->speeds == SPEEDS_RELATIVE || !(node->procspeed > 0) ? node->speed : node->procspeed;
}

static bool prefers(const struct job *job, const struct node *node)
{
	return job->prefer != 0 && job->unknown[UNKNOWN_PREFER] == 0 &&
	       (node->features & job->prefer) == job->prefer;
}

/* What is left of a resource when the job begins. */
static double available(struct placement *p, uint32_t node, int kind, int64_t begin_s)
{
	return fmax((double)fit_left(p, node, kind, begin_s), 0);
}

/* Jobs on a node when another begins, and the processors that they hold. */
struct company {
	uint32_t jobs;
	int64_t procs;
};

static struct company company_of(const struct placement *p, uint32_t node, int64_t begin_s)
{
	struct company company = {0};

	for (uint32_t i = p->node_claims[node].first; i != INDEX_NONE; i = p->claim[i].next) {
		const struct claim *claim = &p->claim[i];

		if (claim->begin_s > begin_s || claim->end_s <= begin_s)
			continue;
		company.jobs++;
		company.procs += claim->procs;
	}
	return company;
}

/* slot: of the job; INDEX_NONE = none in particular. */
static double function_value(struct placement *p, const struct expr *expr, uint32_t index, int64_t begin_s,
			     uint32_t slot)
{
	const struct node *node = &snapshot_nodes(p->s)[index];
	struct company company = company_of(p, index, begin_s);
	const double component[EXPR_COMPONENT_COUNT] = {
		[EXPR_ADISK] = available(p, index, ALLOC_DISK, begin_s),
		[EXPR_AMEM] = available(p, index, ALLOC_MEM, begin_s),
		[EXPR_APROCS] = (double)(node->procs - company.procs),
		[EXPR_ASWAP] = available(p, index, ALLOC_SWAP, begin_s),
		[EXPR_CDISK] = (double)node->disk_mb,
		[EXPR_CMEM] = (double)node->mem_mb,
		[EXPR_CPROCS] = node->procs,
		[EXPR_CSWAP] = (double)node->swap_mb,
		[EXPR_JOBCOUNT] = company.jobs,
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

/* --- candidates --------------------------------------------------------------------------------- */

/* Processors that neither jobs nor load keep at work. */
static double idle_procs(const struct placement *p, uint32_t index)
{
	const struct node *node = &snapshot_nodes(p->s)[index];

	return (double)node->procs - fmax((double)company_of(p, index, p->now_s).procs, node->used.load);
}

/* What is free of all that the job asks for, as long as it runs. */
static double share_of(struct placement *p, const struct request *request, uint32_t node, int64_t begin_s,
		       int64_t end_s)
{
	struct alloc_amounts free = {{0}};

	for (unsigned i = 0; i < request->count; i++)
		free.of[request->resource[i].kind] =
			fit_least(p, node, request->resource[i].kind, begin_s, end_s);
	return nodealloc_share(request->job, &snapshot_nodes(p->s)[node], &free);
}

static double value_of(struct placement *p, enum allocation_policy policy, const struct request *request,
		       uint32_t node, int64_t begin_s, int64_t end_s)
{
	if (policy == ALLOCATE_PRIORITY)
		return priority_of(p, node, begin_s, request->slot);
	if (policy == ALLOCATE_CPULOAD)
		return idle_procs(p, node);
	if (policy == ALLOCATE_MINRESOURCE || policy == ALLOCATE_LOCAL)
		return share_of(p, request, node, begin_s, end_s);
	return 0;
}

/* When the next claim begins after the job. */
static int64_t next_claim(struct placement *p, uint32_t node, int64_t end_s)
{
	return p->node_claims[node].added == 0 ? TIME_NEVER
					       : timeline_next_begin(timeline_of(p, node), end_s);
}

struct alloc_candidate candidate_make(struct placement *p, enum allocation_policy policy,
				      const struct request *request, uint32_t node, uint32_t tasks,
				      int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(p->s)[node];

	return (struct alloc_candidate){
		.node = node,
		.tasks = tasks,
		.order = policy == ALLOCATE_LOCAL ? local_order(p, request->job, node) : UINT32_MAX,
		.until_s = policy == ALLOCATE_LASTAVAILABLE ? next_claim(p, node, end_s) : TIME_NEVER,
		.value = value_of(p, policy, request, node, begin_s, end_s),
		.prefers = prefers(request->job, n) ||
			   (advances_on_node(p, node) &&
			    advance_prefers(p, node, request->guests, begin_s, end_s)),
		.whole = request_whole(request, n),
	};
}
