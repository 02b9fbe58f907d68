/* SPDX-License-Identifier: MIT */
/*
 * nodealloc.h - of the nodes that fit, which are taken?
 *
 * A policy puts the nodes that fit (candidates) in an order, or picks a part of them; tasks
 * are then dealt out along that order, on each node as many as fit, in multiples of the
 * job's tasks per node. A job that asks for a number of nodes gets exactly so many, with its
 * tasks spread evenly: if they do not divide, some nodes have one share more.
 *
 *  LASTAVAILABLE   the smallest gap between the job's end and the next claim on the node; nodes
 *                  without one last; then the highest index (N-03, N-13)
 *  FIRSTAVAILABLE  the lowest index
 *  PRIORITY        the highest PRIORITYF, else PRIORITY + 100 * PREF; then the lowest index
 *  CPULOAD         the most processors free of load; of those within 0.1 of the most the highest
 *                  index first; for starts now, later MINRESOURCE (N-05)
 *  MINRESOURCE     see below
 *  CONTIGUOUS      one block of neighbours, see nodealloc.c
 *  MAXBALANCE      equal speeds, the slowest that suffice, else the smallest span of speeds
 *  FASTEST         the highest speed; where none differ, by chance, the same for the same job
 *  LOCAL           the order that the site's program has answered; then MINRESOURCE
 *
 * The speed of a node is its relative speed; on a machine where no relative speeds differ, the
 * speed of its processors. Nodes that a job prefers come first under every policy but PRIORITY,
 * which has its own term for that.
 *
 * MINRESOURCE (N-06, N-11, N-12): small nodes first, so that the large ones stay free for those who
 * need them. First by class of configured memory, each class twice the one before, up from
 * 64 MB. Then, where the job asks for swap, disk or generic resources, by how much of these the
 * node has, as shares of the machine. Then the highest index. Where several nodes are
 * configured alike, best fit decides which of them comes at the first of their places: the one on
 * which least is free, added up over everything the job asks for, as shares of the node.
 *
 * Example: a, b, c are alike, 8 processors and 16 GB; of a 6 processors and 4 GB are free, of
 * b 4 and 12 GB, c is empty. A job of one task with 2 processors: b (4/8 = 0.50) before a (0.75)
 * before c (1.00). A job of one task with 2 processors and 2 GB: a (6/8 + 4/16 = 1.00) before
 * b (4/8 + 12/16 = 1.25) before c (2.00). So b keeps its memory for a job that needs it.
 *
 * Source: Maui Administrator's Guide 5.2; the orders of ties as the original was seen to have
 * them.
 */
#ifndef PLACEMENT_NODEALLOC_H
#define PLACEMENT_NODEALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model/job.h"
#include "sched/model/node.h"

/* What a task asks for and a node has so much of. */
enum alloc_kind {
	ALLOC_PROCS,
	ALLOC_MEM, /* MB, like the next two; a node that has 0 of it has not said how much */
	ALLOC_SWAP,
	ALLOC_DISK,
	ALLOC_GRES, /* the first of GRES_MAX kinds */
	ALLOC_KIND_COUNT = ALLOC_GRES + GRES_MAX
};

/* Amounts by enum alloc_kind. */
struct alloc_amounts {
	int64_t of[ALLOC_KIND_COUNT];
};

static inline int64_t alloc_requested(const struct job *job, int kind)
{
	if (kind >= ALLOC_GRES)
		return job->gres[kind - ALLOC_GRES];
	switch (kind) {
	case ALLOC_PROCS:
		return job->task_procs;
	case ALLOC_MEM:
		return job->mem_mb;
	case ALLOC_SWAP:
		return job->swap_mb;
	case ALLOC_DISK:
		return job->disk_mb;
	default:
		return 0;
	}
}

static inline int64_t alloc_configured(const struct node *node, int kind)
{
	if (kind >= ALLOC_GRES)
		return node->gres[kind - ALLOC_GRES];
	switch (kind) {
	case ALLOC_PROCS:
		return node->procs;
	case ALLOC_MEM:
		return node->mem_mb;
	case ALLOC_SWAP:
		return node->swap_mb;
	case ALLOC_DISK:
		return node->disk_mb;
	default:
		return 0;
	}
}

/* Which speed counts on a machine? */
enum alloc_speeds {
	SPEEDS_EQUAL,    /* none: all nodes are alike                       */
	SPEEDS_RELATIVE, /* node.speed                                      */
	SPEEDS_PROCS     /* node.procspeed: the relative speeds do not differ */
};

enum alloc_speeds nodealloc_speeds(const struct node *node, uint32_t count);

/* Where each of count nodes stands among its neighbours: by rank of (rack, index, configured order). */
void nodealloc_line(const struct node *node, uint32_t count, uint32_t *place);

/* What a job asks for, and how. */
struct alloc_input {
	const struct job *job;
	enum allocation_policy policy; /* CPULOAD only for starts now, LOCAL only answered */
	enum alloc_speeds speeds;
	struct alloc_amounts machine; /* what it has altogether; 0 = nobody said         */
	const struct node *node;      /* all of them; candidates name their indexes     */
	uint32_t node_count;
	const uint32_t *line; /* CONTIGUOUS: by node, its place among neighbours (nodealloc_line) */
	bool invited;         /* candidates may be preferred because they are kept for the job    */
};

/* A node on which something of the job fits. */
struct alloc_candidate {
	uint32_t node;
	uint32_t tasks;  /* that fit, > 0                                              */
	uint32_t give;   /* out: tasks dealt to it                                     */
	uint32_t order;  /* LOCAL: its place in the answer; UINT32_MAX = not named     */
	int64_t until_s; /* when the next claim on it begins after the job; TIME_NEVER = none */
	double value;    /* PRIORITY: PRIORITYF; CPULOAD: processors free of load; MINRESOURCE and
			    LOCAL: nodealloc_share                                     */
	bool prefers;    /* it has what the job prefers, or is kept for it             */
	bool whole;      /* the job holds it whole                                     */
};

/* What is free on a node of what a job asks for, added up as shares of what is configured there. */
double nodealloc_share(const struct job *job, const struct node *node, const struct alloc_amounts *free);

/*
 * Chooses among candidates, which are moved about. Appends the job's runs, neighbours with equal shares
 * in one; false, with nothing appended, when its tasks do not fit.
 */
bool nodealloc_choose(const struct alloc_input *input, struct alloc_candidate *candidate, size_t count,
		      struct alloc_list *out);

/* How many of the job's tasks candidates could take; all of them only if nodealloc_choose succeeds. */
uint32_t nodealloc_most(const struct alloc_input *input, struct alloc_candidate *candidate, size_t count);

/* Adds one node to the runs from `first` on: to the last run when it goes on with the same shares. */
void nodealloc_add(struct alloc_list *out, size_t first, uint32_t node, uint32_t procs, uint32_t tasks);

#endif
