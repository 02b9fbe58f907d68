/* SPDX-License-Identifier: MIT */
/*
 * nodealloc.h - node allocation policies (NODEALLOCATIONPOLICY)
 *
 * The candidates are the nodes on which at least one task of the job fits. A policy sorts the candidates, or
 * selects a part of them. The job's tasks are then distributed over the candidates in that order: on each
 * node as many tasks as fit, in multiples of the job's tasks per node. A job that requests a number of nodes
 * gets exactly that number, and its tasks are spread evenly; if they do not divide evenly, some nodes get one
 * task (or one multiple) more than the others.
 *
 *  LASTAVAILABLE   the smallest gap between the end of the job and the next claim on the node; nodes
 *                  without a later claim come last; ties: the highest index (N-03, N-13)
 *  FIRSTAVAILABLE  the lowest index
 *  PRIORITY        the highest PRIORITYF, by default PRIORITY + 100 * PREF; ties: the lowest index
 *  CPULOAD         the most processors without load; nodes within 0.1 of the best are ties: the
 *                  highest index; only for immediate starts, MINRESOURCE for later starts
 *  MINRESOURCE     see below
 *  CONTIGUOUS      one block of adjacent nodes, see nodealloc.c
 *  MAXBALANCE      nodes of one speed, the slowest that suffice; otherwise the smallest range of speeds
 *  FASTEST         the highest speed; if all speeds are equal, a pseudorandom order of each job
 *  LOCAL           the order returned by the site's program; then MINRESOURCE
 *
 * The speed of a node is its relative speed; if all relative speeds of the machine are equal, it is the speed
 * of its processors. Nodes that a job prefers come first under every policy but PRIORITY, which has its own
 * term for the preference.
 *
 * MINRESOURCE: small nodes first, so that large nodes stay free for jobs that need them. The first key is the
 * class of configured memory; each class is twice the previous one, starting at 64 MB. The second key, if the
 * job requests swap, disk or generic resources, is the node's share of the machine's total of these. The
 * third key is the highest index. Among nodes with equal configuration, the best fit comes first: the node
 * with the least free resources, measured as the sum of the free share of each resource that the job
 * requests.
 *
 * Example: nodes a, b and c have the same configuration, 8 processors and 16 GB. On a, 6 processors and 4 GB
 * are free; on b, 4 processors and 12 GB are free; c is empty. A job of one task with 2 processors: b (4/8 =
 * 0.50) before a (0.75) before c (1.00). A job of one task with 2 processors and 2 GB: a (6/8 + 4/16 = 1.00)
 * before b (4/8 + 12/16 = 1.25) before c (2.00). So b keeps its memory for a job that needs it.
 *
 * Source: Maui Administrator's Guide 5.2; the order of ties was observed in Maui.
 */
#ifndef PLACEMENT_NODEALLOC_H
#define PLACEMENT_NODEALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/model/job.h"
#include "sched/model/node.h"

/* Kinds of resources that a task requests and a node provides. */
enum alloc_kind {
	ALLOC_PROCS,
	ALLOC_MEM, /* in MB, as are swap and disk; 0 on a node means that the amount is not known */
	ALLOC_SWAP,
	ALLOC_DISK,
	ALLOC_GRES, /* the first of GRES_MAX kinds */
	ALLOC_KIND_COUNT = ALLOC_GRES + GRES_MAX
};

/* Amounts, indexed by enum alloc_kind. */
struct alloc_amounts {
	int64_t of[ALLOC_KIND_COUNT];
};

/* Returns the amount of a kind that one task of the job requests. */
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

/* Returns the amount of a kind that a node has. */
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

/* The speed that the policies compare on a machine. */
enum alloc_speeds {
	SPEEDS_EQUAL,    /* no speed, because all nodes have the same speed */
	SPEEDS_RELATIVE, /* node.speed */
	SPEEDS_PROCS     /* node.procspeed, because all relative speeds are equal */
};

/* Returns which speed distinguishes `count` nodes. */
enum alloc_speeds nodealloc_speeds(const struct node *node, uint32_t count);

/*
 * Writes to `place` the rank of each of `count` nodes in the order by rack, then index, then configured
 * order.
 */
void nodealloc_line(const struct node *node, uint32_t count, uint32_t *place);

/* Input of an allocation: the job, the policy and the machine. */
struct alloc_input {
	const struct job *job;
	/* CPULOAD only for immediate starts, LOCAL only if the site's program has answered */
	enum allocation_policy policy;
	enum alloc_speeds speeds;
	struct alloc_amounts machine; /* total amounts of all nodes; 0 = not known */
	const struct node *node;      /* all nodes; candidates refer to them by index */
	uint32_t node_count;
	const uint32_t *line; /* CONTIGUOUS: rank of each node (nodealloc_line) */
	bool invited;         /* the job is a guest of an advance reservation, whose nodes are preferred */
};

/* A node on which at least one task of the job fits. */
struct alloc_candidate {
	uint32_t node;
	uint32_t tasks;  /* number of tasks that fit, > 0 */
	uint32_t give;   /* out: tasks allocated to the node */
	uint32_t order;  /* LOCAL: rank in the answer of the site's program; UINT32_MAX = not in the answer */
	int64_t until_s; /* start of the next claim on the node after the job; TIME_NEVER = none */
	double value;    /* PRIORITY: PRIORITYF; CPULOAD: processors without load; MINRESOURCE and LOCAL:
			    nodealloc_share */
	bool prefers;    /* the node has the features that the job prefers, or is reserved for the job */
	bool whole;      /* the job would hold the whole node */
};

/*
 * Returns the sum, over all resources that the job requests, of the free share (free / configured) on the
 * node.
 */
double nodealloc_share(const struct job *job, const struct node *node, const struct alloc_amounts *free);

/*
 * Selects nodes among the candidates and appends them to `out` as runs: adjacent nodes with equal numbers of
 * tasks form one run. Reorders the candidates. Returns false, and appends nothing, if the tasks do not fit.
 */
bool nodealloc_choose(const struct alloc_input *input, struct alloc_candidate *candidate, size_t count,
		      struct alloc_list *out);

/*
 * Returns the largest number of the job's tasks that fit on the candidates. The result equals the number of
 * the job's tasks only if nodealloc_choose succeeds.
 */
uint32_t nodealloc_most(const struct alloc_input *input, struct alloc_candidate *candidate, size_t count);

/*
 * Adds one node to the list: extends the last run if the index of this run is at least `first`, the node is
 * adjacent to the run, and the numbers of processors and tasks per node are the same; otherwise appends a
 * run.
 */
void nodealloc_add(struct alloc_list *out, size_t first, uint32_t node, uint32_t procs, uint32_t tasks);

#endif
