/* SPDX-License-Identifier: MIT */
/*
 * node.h - what does a node offer, and what is left of it?
 */
#ifndef CORE_NODE_H
#define CORE_NODE_H

#include <stdint.h>

struct node {
	uint32_t name;       /* string of the snapshot                */
	uint32_t partition;  /* index; 0 = ALL                        */
	uint32_t procs;      /* configured                            */
	uint32_t procs_busy; /* dedicated to running jobs             */
	int64_t mem_mb;      /* configured; 0 = unknown               */
	int64_t swap_mb;
	int64_t disk_mb;
};

static inline uint32_t node_procs_free(const struct node *node)
{
	return node->procs - node->procs_busy;
}

#endif
