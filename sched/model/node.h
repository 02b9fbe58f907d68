/* SPDX-License-Identifier: MIT */
/*
 * node.h - what does a node offer, and what is left of it?
 */
#ifndef MODEL_NODE_H
#define MODEL_NODE_H

#include <stdint.h>

#include "machine.h"

/* What a manager measures on a node; negative = not measured. */
struct node_used {
	double load;  /* one-minute load average          */
	double procs; /* processors at work               */
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
	int64_t mem_mb;      /* configured; 0 = unknown: not looked at when jobs are placed */
	int64_t swap_mb;
	int64_t disk_mb;
	int64_t mem_busy_mb, swap_busy_mb, disk_busy_mb; /* dedicated to running jobs */
	uint32_t gres[GRES_MAX], gres_busy[GRES_MAX];    /* by bit of kind TRAIT_GRES */
	struct node_used used;
	uint32_t used_by;     /* string: who is measured to use most of it outside the queue; 0 = not known */
	uint64_t features;    /* bits of kind TRAIT_FEATURE                                */
	uint64_t classes;     /* bits of kind TRAIT_CLASS; 0 = any class                   */
	double speed;         /* relative to the others; 1 when not set                    */
	double procspeed;     /* of its processors, any unit; 0 = not set                  */
	double priority;      /* PRIORITY of PRIORITYF (N-16)                              */
	uint32_t priorityf;   /* string: its own expression; 0 = that of DEFAULT           */
	uint32_t rack, index; /* place in a network that is not flat (N-14); 0 = not set */
	uint32_t jobs;        /* running here                                              */
	uint32_t user;        /* credential of the only user here; INDEX_NONE = none or several */
	uint32_t held_whole;  /* jobs here that share it with nobody (0 or 1)              */
	uint32_t held_user;   /* jobs here that share it with their own user alone         */
	uint8_t access;       /* enum node_access for all jobs on it; UNSET = the system's  */
	uint8_t drained;      /* 1: nothing starts here; what runs goes on                  */
	uint8_t spare[2];
	/* From which state_run.c knows `user` again when others leave: sums over the jobs here. */
	uint64_t users, users_mixed;
	int64_t active_s;      /* seconds with a job, since the statistics were begun: up to active_from_s */
	int64_t active_from_s; /* since when it has a job now; TIME_NONE = it has none    */
};

static inline uint32_t node_procs_free(const struct node *node)
{
	return node->procs - node->procs_busy;
}

#endif
