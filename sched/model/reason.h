/* SPDX-License-Identifier: MIT */
/*
 * reason.h - why a job does not start now: the gate that blocks it, with numbers
 *
 * A reason is an enum with numbers; only explain.c turns it into words. The gates are in the order in which a
 * pass tests them; the first that fails is the job's reason. gate.c has the row of each gate (name, test).
 */
#ifndef MODEL_REASON_H
#define MODEL_REASON_H

#include <stdint.h>

#define HALTED_NO_ROOM 2 /* value of GATE_HALT if the disk of the store is full */

enum gate {
	GATE_NONE,       /* not blocked: the job starts (or runs) */
	GATE_HOLD,       /* value: enum job_hold bits                                      */
	GATE_DEFER,      /* until_s: the end of the deferral; with other > 0 the job waits for the next retry,
			    after `other` starts that failed temporarily */
	GATE_DEPENDENCY, /* other: ID of the job or array; asked: enum depend_of; second: task number; value:
			    enum depend_type; limit: enum depend_state, DEPEND_NEVER if the dependency can no
			    longer be met */
	GATE_START_DATE, /* until_s: the earliest start that the user has set */
	GATE_NEGATIVE,   /* value: the priority, which is below 0, under REJECTNEGPRIOJOBS */
	GATE_FEASIBLE, /* value: requested processors; limit: processors of all nodes that could ever run the
			  job's tasks; lack: what the other nodes lack. The job never starts */
	GATE_CLASS_LIMIT,  /* limit of the job's class on a single job; other members as described below */
	GATE_SYSTEM_LIMIT, /* limit of the system on a single job; other members as described below */
	GATE_ARRAY, /* limit: the limit on running tasks of the array; value: running tasks; asked: earlier
		       tasks that may start */
	GATE_IDLE_LIMIT,  /* limits MAXI... and MAXQUEUED; other members as described below */
	GATE_ACTIVE_HARD, /* hard limits MAX...; other members as described below */
	GATE_ACTIVE_SOFT, /* soft limits MAX...; other members as described below. The job starts only after
			     all jobs within their soft limits, or never */
	GATE_FS_CAP,    /* cred: the capped credential; limit: the cap (processor-seconds, or thousandths of a
			   percent); value: its usage with this job. If the cap is a percentage, value is a share
			   of the usage of all jobs including this one; asked, which is compared with the cap, is
			   the same usage as a share of the usage of all jobs without this one */
	GATE_RESOURCES, /* value: requested processors; limit: free processors of suitable nodes; lack: what
			   the other nodes lack */
	GATE_RESERVED,  /* value: requested processors; limit: processors that the advance reservations leave
			   for the job; other, asked, until_s: seq, begin and end of the advance reservation
			   that takes the most processors */
	GATE_RESERVATIONS, /* value: requested processors; limit: those that stay free while the job would
			      run; other: ID of the job whose reservation or resume would be delayed; until_s:
			      the time of that reservation or resume; other 0: the job's own reservation,
			      which is kept, begins at until_s */
	GATE_ORDER,        /* strict order; other: ID of the higher-ranked job that must start first */
	GATE_HALT,         /* the scheduler is paused, or value is HALTED_NO_ROOM */
	GATE_COUNT
};

/* Why nodes do not suit a job. A node is counted once, for the first of these that applies. */
enum lack {
	LACK_NONE,
	LACK_PARTITION,
	LACK_HOST, /* the node is not in the job's host list */
	LACK_CLASS,
	LACK_FEATURE,
	LACK_PROCS, /* the node has too few processors, configured or free */
	LACK_MEMORY,
	LACK_SWAP,
	LACK_DISK,
	LACK_GRES,
	LACK_ACCESS,   /* the node is in use by jobs with which it cannot be shared, or it must be empty */
	LACK_TASKS,    /* the node has space for fewer tasks than the job's tasks per node */
	LACK_DRAINED,  /* the node is drained: no job may start on it */
	LACK_RESERVED, /* the node is reserved for other jobs */
	LACK_COUNT
};

/*
 * For limits (GATE_CLASS_LIMIT, GATE_SYSTEM_LIMIT and GATE_IDLE_LIMIT to GATE_ACTIVE_SOFT): limit is the
 * value of the limit, value the usage without this job, and asked the job's request; kind, scope and hard
 * identify the limit; cred is the credential whose usage counts, and second the other credential of a pair;
 * both are indexes into the snapshot's table, or INDEX_NONE.
 */
struct reason {
	uint8_t gate;  /* enum gate        */
	uint8_t kind;  /* enum limit_kind  */
	uint8_t scope; /* enum limit_scope */
	uint8_t hard;  /* 1: the hard limit, 0: the soft limit */
	uint8_t lack;  /* enum lack: what most of the unsuitable nodes lack */
	uint8_t spare[3];
	uint32_t cred, second;
	int64_t value;
	int64_t limit;
	int64_t asked;
	int64_t until_s; /* time at which the gate opens by itself; TIME_NEVER if never or not known */
	uint64_t other;  /* ID of another job, 0 = none; some gates use it otherwise */
};

#endif
