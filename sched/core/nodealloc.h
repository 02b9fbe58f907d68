/* SPDX-License-Identifier: MIT */
/*
 * nodealloc.h - of the nodes that fit, which are taken?
 *
 * One policy so far: first available, nodes in configured order, as many tasks on each as
 * fit. Other policies will be rows beside it.
 */
#ifndef CORE_NODEALLOC_H
#define CORE_NODEALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job.h"
#include "node.h"

/*
 * How many tasks of task_procs processors fit on what is free beside taken, where NULL is
 * nothing taken; looks no further once there are `most`.
 */
uint32_t nodealloc_fit(const struct node *node, uint32_t node_count, const uint32_t *taken,
		       uint32_t task_procs, uint32_t most);

/*
 * Appends the runs of `tasks` tasks of task_procs processors. taken[i] is what earlier jobs of
 * the same pass took from node i; what this job takes is added. False, with nothing
 * changed, when the tasks do not fit on the nodes.
 */
bool nodealloc_first(const struct node *node, uint32_t node_count, uint32_t *taken, uint32_t tasks,
		     uint32_t task_procs, struct alloc_list *out);

#endif
