/* SPDX-License-Identifier: MIT */
/*
 * machine.h - in which terms do jobs ask and nodes offer?
 *
 * Besides processors, memory, swap and disk there are generic resources, counted; and
 * traits, which a node has or has not. Both are named by the site; records hold their
 * place in the snapshot's table of traits.
 */
#ifndef MODEL_MACHINE_H
#define MODEL_MACHINE_H

#include <stdint.h>

/* Kinds of generic resource (licences, GPUs, tape drives) that a site may have. */
#define GRES_MAX 8

/* What a node has besides amounts: a name in a table of the snapshot, a bit in a mask. */
enum trait_kind {
	TRAIT_FEATURE, /* "fast", "tape": at most 64                                   */
	TRAIT_CLASS,   /* classes that a node names: at most 64                        */
	TRAIT_GRES,    /* kinds of generic resource: at most GRES_MAX                  */
	TRAIT_KIND_COUNT
};

struct trait {
	uint32_t name; /* string of the snapshot */
	uint8_t kind;  /* enum trait_kind        */
	uint8_t bit;   /* its place among those of its kind */
	uint8_t spare[2];
};

/* Who may share a node with a job (guide 5.3). */
enum node_access {
	ACCESS_UNSET, /* of a job, class or node: what the next above says; the system's default is SHARED */
	ACCESS_SHARED,
	ACCESS_SINGLEUSER, /* only jobs of the same user             */
	ACCESS_SINGLEJOB,  /* nobody: it holds its nodes whole       */
	ACCESS_SINGLETASK  /* the same                               */
};

/* Of the nodes that fit, which are taken? (guide 5.2; the orders are in nodealloc.h) */
enum allocation_policy {
	ALLOCATE_LASTAVAILABLE, /* the default */
	ALLOCATE_FIRSTAVAILABLE,
	ALLOCATE_PRIORITY,
	ALLOCATE_CPULOAD,
	ALLOCATE_MINRESOURCE,
	ALLOCATE_CONTIGUOUS,
	ALLOCATE_MAXBALANCE,
	ALLOCATE_FASTEST,
	ALLOCATE_LOCAL,
	ALLOCATION_POLICY_COUNT
};

/* What the machine has altogether: what shares are parts of. 0 = it has none, or nobody said. */
struct machine {
	int64_t procs;
	int64_t mem_mb, swap_mb, disk_mb;
};

#endif
