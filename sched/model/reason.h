/* SPDX-License-Identifier: MIT */
/*
 * reason.h - why a job does not start now: the gate that blocks it, with numbers
 *
 * A reason is an enum with numbers; only explain.c turns it into words. The gates are in the order in which a
 * pass tests them; the first that fails is the job's reason. The row of each gate (name, test) is in gate.c.
 */
#ifndef MODEL_REASON_H
#define MODEL_REASON_H

#include <stdint.h>

#define HALTED_NO_ROOM 2 /* value of GATE_HALT if the disk of the store is full */

enum gate {
	GATE_NONE,         /* not blocked: it starts (or runs) */
	GATE_HOLD,         /* value: enum job_hold bits                                      */
	GATE_DEFER,        /* until_s: the end of the defer; with other > 0 the next retry, after that number
			      of starts that failed temporarily                              */
	GATE_DEPENDENCY,   /* other: ID of the job or array, asked: enum depend_of, second: task number;
			      value: enum depend_type; limit: enum depend_state, NEVER = it can no longer be
			      met                                                            */
	GATE_START_DATE,   /* until_s: the date                                              */
	GATE_NEGATIVE,     /* value: priority < 0 and REJECTNEGPRIOJOBS                       */
	GATE_FEASIBLE,     /* value: processors requested, limit: those of all nodes that could ever run its
			      tasks; never starts. lack: what the other nodes lack           */
	GATE_CLASS_LIMIT,  /* limit of the job's class on a single job; see below */
	GATE_SYSTEM_LIMIT, /* limit of the system on a single job */
	GATE_ARRAY,        /* its array: value running, asked may start before it, limit */
	GATE_IDLE_LIMIT,   /* MAXI... and MAXQUEUED                                          */
	GATE_ACTIVE_HARD,  /* MAX..., hard                                                   */
	GATE_ACTIVE_SOFT,  /* MAX..., soft: starts only after all jobs within theirs, or never */
	GATE_FS_CAP,    /* value: usage with this job, limit: the cap (proc-s, or 1/1000 %); cred. If the cap
			   is a share, value is relative to all usage including this job, asked,
			   which is compared with the cap, to all usage without it         */
	GATE_RESOURCES, /* value: processors requested, limit: on suitable nodes now; lack */
	GATE_RESERVED,  /* value: processors requested, limit: those not reserved for others while it would
			   run; other, asked, until_s: seq, begin and end of the advance
			   reservation that takes most                                    */
	GATE_RESERVATIONS, /* value: requested, limit: free while it would run; other, until_s: the job
			      reservation it would delay and its start; other 0: its own job
			      reservation, which is kept, begins then                        */
	GATE_ORDER,        /* strict order: other: the higher-ranked job that must start first */
	GATE_HALT,         /* the scheduler is paused */
	GATE_COUNT
};

/* Why nodes do not fit; counted per node, for the first in this order that applies. */
enum lack {
	LACK_NONE,
	LACK_PARTITION,
	LACK_HOST, /* not in the job's host list */
	LACK_CLASS,
	LACK_FEATURE,
	LACK_PROCS, /* configured, or free */
	LACK_MEMORY,
	LACK_SWAP,
	LACK_DISK,
	LACK_GRES,
	LACK_ACCESS,   /* in use by others, or not empty */
	LACK_TASKS,    /* room for fewer than its tasks per node */
	LACK_DRAINED,  /* no job may start there */
	LACK_RESERVED, /* reserved for others */
	LACK_COUNT
};

/*
 * For limits (CLASS_LIMIT to ACTIVE_SOFT): limit is the limit, value the usage without this job, asked the
 * job's request; kind, scope and hard identify the limit; cred is the credential whose usage counts and
 * second the other credential of a pair, indexes into the snapshot's table, INDEX_NONE = none.
 */
struct reason {
	uint8_t gate;  /* enum gate        */
	uint8_t kind;  /* enum limit_kind  */
	uint8_t scope; /* enum limit_scope */
	uint8_t hard;  /* 1: the hard value, 0: the soft one */
	uint8_t lack;  /* enum lack: what most unsuitable nodes lack */
	uint8_t spare[3];
	uint32_t cred, second;
	int64_t value;
	int64_t limit;
	int64_t asked;
	int64_t until_s; /* when it clears by itself; TIME_NEVER if never or not known */
	uint64_t other;  /* ID of another job, 0 = none */
};

#endif
