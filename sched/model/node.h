/* SPDX-License-Identifier: MIT */
/*
 * node.h - node records: configured, dedicated and measured resources
 */
#ifndef MODEL_NODE_H
#define MODEL_NODE_H

#include <stdint.h>

#include "machine.h"

/* Resources in use on a node, measured by its resource manager; negative = not measured. */
struct node_used {
	double load;  /* one-minute load average          */
	double procs; /* busy processors */
	int64_t mem_mb, swap_mb, disk_mb;
};
/* Poll intervals after which a measurement expires unless it is renewed. */
#define NODE_MEASURED_POLLS 3
#define NODE_NOT_MEASURED   ((struct node_used){-1, -1, -1, -1, -1})

struct node {
	uint32_t name;       /* name: string of the snapshot */
	uint32_t partition;  /* index of the partition; 0 = ALL */
	uint32_t procs;      /* configured processors */
	uint32_t procs_busy; /* processors dedicated to running jobs */
	int64_t mem_mb;      /* configured memory; 0 = not known, and ignored for placement */
	int64_t swap_mb;
	int64_t disk_mb;
	int64_t mem_busy_mb, swap_busy_mb, disk_busy_mb; /* amounts dedicated to running jobs */
	uint32_t gres[GRES_MAX],
		gres_busy[GRES_MAX]; /* configured and dedicated, by bit of kind TRAIT_GRES */
	struct node_used used;
	uint32_t used_by;  /* string: the process outside jobs that uses the node most; 0 = not known */
	uint32_t said;     /* string: state of the node in the words of its resource manager; 0 = not known */
	uint64_t features; /* features of the node: bits of kind TRAIT_FEATURE */
	uint64_t classes;  /* classes whose jobs may run on it: bits of kind TRAIT_CLASS; 0 = all classes */
	double speed;      /* relative to the other nodes; default 1 */
	double procspeed;  /* speed of its processors in any unit; 0 = not set */
	double priority;   /* component PRIORITY of PRIORITYF expressions (N-16) */
	uint32_t priorityf;   /* string: PRIORITYF expression of this node; 0 = that of node DEFAULT */
	uint32_t rack, index; /* position in the network topology (N-14); 0 = not set */
	uint32_t jobs;        /* number of jobs running on this node */
	uint32_t user; /* user of all jobs on this node; INDEX_NONE = no jobs, or jobs of several users */
	uint32_t held_whole; /* number of jobs that do not share the node (0 or 1) */
	uint32_t held_user;  /* number of jobs that share the node only with jobs of the same user */
	uint8_t access;  /* enum node_access for all jobs on the node; ACCESS_UNSET = that of the system */
	uint8_t drained; /* 1: no job starts on the node; running jobs continue */
	uint8_t shut;    /* 1: drained by its resource manager, whatever the settings say */
	uint8_t set_drained; /* 1: drained by the settings */
	/* Sums over the jobs on the node, from which state_run.c determines `user` after a job has ended. */
	uint64_t users, users_mixed;
	int64_t active_s;      /* seconds with a job since statistics began, up to active_from_s */
	int64_t active_from_s; /* time from which the node has had a job without interruption; TIME_NONE = it
				  runs no job */
};

static inline uint32_t node_procs_free(const struct node *node)
{
	return node->procs - node->procs_busy;
}

#endif
