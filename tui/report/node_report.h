/* SPDX-License-Identifier: MIT */
/*
 * node_report.h - node reports, as a table and in detail
 */
#ifndef REPORT_NODE_REPORT_H
#define REPORT_NODE_REPORT_H

#include "cmd_env.h"
#include "field.h"

struct placement; /* sched/placement/placement.h */

struct node_report {
	const struct cmd_env *env;
	const struct snapshot *s;
	struct placement *placement; /* placement at the current time, from which PRIORITYF is computed */
};

/* "Idle", "Running" (partly free), "Busy" (fully used), "Draining" or "Drained". Static storage. */
const char *node_state(const struct node *node);

/* "SHARED", "SINGLEUSER", "SINGLEJOB" or "SINGLETASK"; NULL if not set. Static storage. */
const char *node_access(const struct node *node);

/* Returns the percentage of the time since statistics began in which the node had jobs. */
double node_active_percent(const struct node_report *v, const struct node *node);

/* Returns the value of PRIORITYF for the node, computed without a job. */
double node_priority(const struct node_report *v, uint32_t node);

/* Calls `each` for every job on the node, with the number of processors of the job on that node. */
void node_each_job(const struct node_report *v, uint32_t node,
		   void (*each)(void *self, const struct job *job, uint32_t procs), void *self);

/* A node with its report. */
struct node_item {
	const struct node_report *v;
	const struct node *node;
	uint32_t index;
};

extern const struct field node_fields[]; /* items are struct node_item */
struct node_item node_item_of(const struct node_report *v, uint32_t index);

/* node_print_table prints one line per node; node_print prints all details of the node with index i. */
void node_print_table(const struct node_report *v, struct str *out);
void node_print(const struct node_report *v, uint32_t i, struct str *out);

#endif
