/* SPDX-License-Identifier: MIT */
/*
 * node.h - node records: configured, dedicated and measured resources
 */
#ifndef MODEL_NODE_H
#define MODEL_NODE_H

#include <stdint.h>

#include "machine.h"

/* Measurements of a node by its resource manager; negative = not measured. */
struct node_used {
	double load;  /* one-minute load average          */
	double procs; /* busy processors */
	int64_t mem_mb, swap_mb, disk_mb;
};
/* A measurement expires after this many poll intervals unless it is renewed. */
#define NODE_MEASURED_POLLS 3
#define NODE_NOT_MEASURED   ((struct node_used){-1, -1, -1, -1, -1})

struct node {
	uint32_t name;       /* string of the snapshot                */
	uint32_t partition;  /* index; 0 = ALL                        */
	uint32_t procs;      /* configured                            */
	uint32_t procs_busy; /* dedicated to running jobs             */
	int64_t mem_mb;      /* configured; 0 = not known and ignored for placement */
	int64_t swap_mb;
	int64_t disk_mb;
	int64_t mem_busy_mb, swap_busy_mb, disk_busy_mb; /* dedicated to running jobs */
	uint32_t gres[GRES_MAX], gres_busy[GRES_MAX];    /* by bit of kind TRAIT_GRES */
	struct node_used used;
	uint32_t used_by;     /* string: largest user of the node outside the queue; 0 = not known */
	uint64_t features;    /* bits of kind TRAIT_FEATURE                                */
	uint64_t classes;     /* bits of kind TRAIT_CLASS; 0 = any class                   */
	double speed;         /* relative to other nodes; default 1 */
	double procspeed;     /* speed of its processors in any unit; 0 = not set */
	double priority;      /* PRIORITY of PRIORITYF (N-16)                              */
	uint32_t priorityf;   /* string: its own expression; 0 = that of node DEFAULT */
	uint32_t rack, index; /* position in the network topology (N-14); 0 = not set */
	uint32_t jobs;        /* running on this node */
	uint32_t user;        /* user of all jobs here; INDEX_NONE = none or several */
	uint32_t held_whole;  /* jobs here that do not share the node (0 or 1) */
	uint32_t held_user;   /* jobs here that share it only with jobs of the same user */
	uint8_t access;       /* enum node_access for all jobs on it; UNSET = the system's  */
	uint8_t drained;      /* 1: no job starts here; running jobs continue */
	uint8_t spare[2];
	/* Sums over the jobs here, from which state_run.c determines `user` again after a job has ended. */
	uint64_t users, users_mixed;
	int64_t active_s;      /* seconds with a job since statistics began, up to active_from_s */
	int64_t active_from_s; /* since when it has had a job; TIME_NONE = has none */
};

static inline uint32_t node_procs_free(const struct node *node)
{
	return node->procs - node->procs_busy;
}

#endif
