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

#include "room_inside.h"
#include "sched/base/vec.h"

#define PREF_WORTH 100 /* of a preference, to a node without PRIORITYF */

/* The node's place in LOCAL's answer; UINT32_MAX = not named. */
static uint32_t local_order(const struct room *r, const struct job *job, uint32_t node)
{
	const char *name = snapshot_string(r->s, snapshot_nodes(r->s)[node].name);
	size_t len = strlen(name);
	uint32_t place = 0;

	for (const char *at = snapshot_string(r->s, job->order); *at != '\0'; at += strcspn(at, " ")) {
		at += strspn(at, " ");
		if (strcspn(at, " ") == len && strncasecmp(at, name, len) == 0)
			return place;
		place++;
	}
	return UINT32_MAX;
}

/* --- PRIORITYF ---------------------------------------------------------------------------------- */

/* The index of a function by its text, read at the first time. */
static uint32_t function_at(struct room *r, uint32_t text)
{
	struct room_function *f;
	struct err ignored;

	for (size_t i = 0; i < r->function_count; i++)
		if (r->function[i].text == text)
			return (uint32_t)i;
	r->function = vec_room(r->function, &r->function_room, r->function_count + 1, sizeof *r->function);
	f = &r->function[r->function_count];
	f->text = text;
	f->good = expr_read(snapshot_string(r->s, text), &f->expr, &ignored);
	return (uint32_t)r->function_count++;
}

/* Which function each node has; most have the same as the one before. */
static void need_functions(struct room *r)
{
	uint32_t nodes = snapshot_count(r->s, TABLE_NODES), before = 0, found = INDEX_NONE;

	room_need_machine(r);
	if (r->has_functions)
		return;
	r->has_functions = true;
	r->function_of = vec_room(r->function_of, &r->function_of_room, nodes, sizeof *r->function_of);
	for (uint32_t i = 0; i < nodes; i++) {
		const struct node *node = &snapshot_nodes(r->s)[i];
		uint32_t text = node->priorityf != 0 ? node->priorityf : r->s->priorityf;

		if (text != before)
			found = text == 0 ? INDEX_NONE : function_at(r, text);
		before = text;
		r->function_of[i] = found;
	}
}

/* Percent of the time since the statistics were begun. */
static double usage_of(const struct room *r, const struct node *node)
{
	int64_t active_s = node->active_s, all_s = r->now_s - r->s->stats_since_s;

	if (node->active_from_s != TIME_NONE)
		active_s += r->now_s - node->active_from_s;
	return all_s > 0 ? 100 * (double)active_s / (double)all_s : 0;
}

static double speed_of(const struct room *r, const struct node *node)
{
	return r->speeds == SPEEDS_RELATIVE || !(node->procspeed > 0) ? node->speed : node->procspeed;
}

static bool prefers(const struct job *job, const struct node *node)
{
	return job->prefer != 0 && job->unknown[UNKNOWN_PREFER] == 0 &&
	       (node->features & job->prefer) == job->prefer;
}

/* What is left of a resource when the job begins. */
static double available(struct room *r, uint32_t node, int kind, int64_t begin_s)
{
	return fmax((double)fit_left(r, node, kind, begin_s), 0);
}

/* Jobs on a node when another begins, and the processors that they hold. */
struct company {
	uint32_t jobs;
	int64_t procs;
};

static struct company company_of(const struct room *r, uint32_t node, int64_t begin_s)
{
	struct company company = {0};

	for (uint32_t i = r->spot[node].first; i != INDEX_NONE; i = r->claim[i].next) {
		const struct claim *claim = &r->claim[i];

		if (claim->begin_s > begin_s || claim->end_s <= begin_s)
			continue;
		company.jobs++;
		company.procs += claim->procs;
	}
	return company;
}

/* slot: of the job; INDEX_NONE = none in particular. */
static double function_value(struct room *r, const struct expr *expr, uint32_t index, int64_t begin_s,
			     uint32_t slot)
{
	const struct node *node = &snapshot_nodes(r->s)[index];
	struct company company = company_of(r, index, begin_s);
	const double component[EXPR_COMPONENT_COUNT] = {
		[EXPR_ADISK] = available(r, index, ALLOC_DISK, begin_s),
		[EXPR_AMEM] = available(r, index, ALLOC_MEM, begin_s),
		[EXPR_APROCS] = (double)(node->procs - company.procs),
		[EXPR_ASWAP] = available(r, index, ALLOC_SWAP, begin_s),
		[EXPR_CDISK] = (double)node->disk_mb,
		[EXPR_CMEM] = (double)node->mem_mb,
		[EXPR_CPROCS] = node->procs,
		[EXPR_CSWAP] = (double)node->swap_mb,
		[EXPR_JOBCOUNT] = company.jobs,
		[EXPR_LOAD] = fmax(node->used.load, 0),
		[EXPR_PREF] = slot != INDEX_NONE && prefers(room_job(r, slot), node),
		[EXPR_PRIORITY] = node->priority,
		[EXPR_RESAFFINITY] = slot != INDEX_NONE &&
				     guard_prefers(r, index, guard_guests(r, slot), begin_s, begin_s + 1),
		[EXPR_SPEED] = speed_of(r, node),
		[EXPR_USAGE] = usage_of(r, node),
	};

	return expr_value(expr, component);
}

static double priority_of(struct room *r, uint32_t index, int64_t begin_s, uint32_t slot)
{
	const struct node *node = &snapshot_nodes(r->s)[index];
	uint32_t f;

	need_functions(r);
	f = r->function_of[index];
	if (f != INDEX_NONE && r->function[f].good)
		return function_value(r, &r->function[f].expr, index, begin_s, slot);
	return node->priority + (slot != INDEX_NONE && prefers(room_job(r, slot), node) ? PREF_WORTH : 0);
}

double room_node_priority(struct room *r, uint32_t node, uint32_t slot)
{
	room_need_claims(r);
	return priority_of(r, node, r->now_s, slot);
}

/* --- candidates --------------------------------------------------------------------------------- */

/* Processors that neither jobs nor load keep at work. */
static double idle_procs(const struct room *r, uint32_t index)
{
	const struct node *node = &snapshot_nodes(r->s)[index];

	return (double)node->procs - fmax((double)company_of(r, index, r->now_s).procs, node->used.load);
}

/* What is free of all that the job asks for, as long as it runs. */
static double share_of(struct room *r, const struct want *want, uint32_t node, int64_t begin_s, int64_t end_s)
{
	struct alloc_amounts free = {{0}};

	for (unsigned i = 0; i < want->count; i++)
		free.of[want->ask[i].kind] = fit_least(r, node, want->ask[i].kind, begin_s, end_s);
	return nodealloc_share(want->job, &snapshot_nodes(r->s)[node], &free);
}

static double value_of(struct room *r, enum allocation_policy policy, const struct want *want, uint32_t node,
		       int64_t begin_s, int64_t end_s)
{
	if (policy == ALLOCATE_PRIORITY)
		return priority_of(r, node, begin_s, want->slot);
	if (policy == ALLOCATE_CPULOAD)
		return idle_procs(r, node);
	if (policy == ALLOCATE_MINRESOURCE || policy == ALLOCATE_LOCAL)
		return share_of(r, want, node, begin_s, end_s);
	return 0;
}

/* When the next claim begins after the job. */
static int64_t next_claim(struct room *r, uint32_t node, int64_t end_s)
{
	return r->spot[node].added == 0 ? TIME_NEVER : moment_next_begin(moment_course(r, node), end_s);
}

struct alloc_candidate room_candidate(struct room *r, enum allocation_policy policy, const struct want *want,
				      uint32_t node, uint32_t tasks, int64_t begin_s, int64_t end_s)
{
	const struct node *n = &snapshot_nodes(r->s)[node];

	return (struct alloc_candidate){
		.node = node,
		.tasks = tasks,
		.order = policy == ALLOCATE_LOCAL ? local_order(r, want->job, node) : UINT32_MAX,
		.until_s = policy == ALLOCATE_LASTAVAILABLE ? next_claim(r, node, end_s) : TIME_NEVER,
		.value = value_of(r, policy, want, node, begin_s, end_s),
		.prefers = prefers(want->job, n) ||
			   (guard_stands_on(r, node) && guard_prefers(r, node, want->guests, begin_s, end_s)),
		.whole = want_whole(want, n),
	};
}
