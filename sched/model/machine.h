/* SPDX-License-Identifier: MIT */
/*
 * machine.h - resources that jobs request and nodes provide
 *
 * Besides processors, memory, swap and disk there are generic resources, which are counted, and traits, which
 * a node either has or does not have. The site names both; records contain the bit in the snapshot's table of
 * traits.
 */
#ifndef MODEL_MACHINE_H
#define MODEL_MACHINE_H

#include <stdint.h>

/* Maximum number of kinds of generic resource (licences, GPUs, tape drives). */
#define GRES_MAX 8

/*
 * Kinds of traits. Each trait has a name in TABLE_TRAITS of the snapshot and a bit in the masks of its kind.
 */
enum trait_kind {
	TRAIT_FEATURE, /* features of nodes, such as "fast" or "tape": at most 64 */
	TRAIT_CLASS,   /* classes that a node lists: at most 64 */
	TRAIT_GRES,    /* kinds of generic resource: at most GRES_MAX                  */
	TRAIT_KIND_COUNT
};

struct trait {
	uint32_t name; /* name: string of the snapshot */
	uint8_t kind;  /* enum trait_kind        */
	uint8_t bit;   /* bit number within its kind */
	uint8_t spare[2];
};

/* Sharing of nodes with other jobs (guide 5.3). */
enum node_access {
	ACCESS_UNSET, /* not set; the default of the system is ACCESS_SHARED */
	ACCESS_SHARED,
	ACCESS_SINGLEUSER, /* shared only with jobs of the same user */
	ACCESS_SINGLEJOB,  /* shared with no other job: whole nodes are allocated */
	ACCESS_SINGLETASK  /* same as ACCESS_SINGLEJOB */
};

/* Order in which suitable nodes are allocated (guide 5.2); nodealloc.h implements the orders. */
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

/* Total resources of the machine. 0 = none, or not known. */
struct machine {
	int64_t procs;
	int64_t mem_mb, swap_mb, disk_mb;
};

#endif
