/* SPDX-License-Identifier: MIT */
/*
 * reason.h - why does a job not start now: which gate stops it, with which numbers?
 *
 * A reason is an enum with numbers; explain.c alone turns it into words. Gates stand in
 * the order in which a pass tries them; the first that fails is the job's reason. The
 * row of each gate (name, test) is in gate.c.
 */
#ifndef MODEL_REASON_H
#define MODEL_REASON_H

#include <stdint.h>

#define HALTED_NO_ROOM 2 /* the value of GATE_HALT where the disk that holds the store is full */

enum gate {
	GATE_NONE,         /* nothing stops it: it starts (or runs)                          */
	GATE_HOLD,         /* value: enum job_hold bits                                      */
	GATE_DEFER,        /* until_s: the end of the defer, or with other > 0 the next try after so many
			      starts that failed for a passing reason                        */
	GATE_DEPENDENCY,   /* other: the job or array it waits for, asked: enum depend_of, second: the
			      number of a task; value: enum depend_type; limit: enum
			      depend_state, NEVER = it cannot be met any more                */
	GATE_START_DATE,   /* until_s: the date                                              */
	GATE_NEGATIVE,     /* value: priority < 0 and REJECTNEGPRIOJOBS                       */
	GATE_FEASIBLE,     /* value: processors asked, limit: those of all nodes that could ever hold its
			      tasks; never starts. lack: what the other nodes lack             */
	GATE_CLASS_LIMIT,  /* a limit of the job's class on a single job; see below          */
	GATE_SYSTEM_LIMIT, /* a limit on any single job                                      */
	GATE_ARRAY,        /* tasks of its array: value run, asked may start before it, limit at a time */
	GATE_IDLE_LIMIT,   /* MAXI... and MAXQUEUED                                          */
	GATE_ACTIVE_HARD,  /* MAX..., hard                                                   */
	GATE_ACTIVE_SOFT,  /* MAX..., soft: started only after all within theirs, or never   */
	GATE_FS_CAP,       /* value: usage with this job, limit: the cap (proc-s, or 1/1000 %); cred. A share
			      in value is of the usage of all with this job, in asked, which is
			      what the cap is compared with, of that without it               */
	GATE_RESOURCES,    /* value: processors asked, limit: on nodes that fit now; lack      */
	GATE_RESERVED,     /* value: processors asked, limit: those left beside advance reservations for
			      others while it would run; other, asked, until_s: seq of the one that
			      keeps most from it, when that begins, when it ends               */
	GATE_RESERVATIONS, /* value: asked, limit: free while it would run; other, until_s: the
			      reservation it would delay and when that begins; other 0: its
			      own promise, which is kept, begins only then                   */
	GATE_ORDER,        /* strict order: other: the job ahead that must start first       */
	GATE_HALT,         /* somebody has paused the scheduler                              */
	GATE_COUNT
};

/* Which want keeps nodes from fitting; counted per node, the first in this order that fails. */
enum lack {
	LACK_NONE,
	LACK_PARTITION,
	LACK_HOST, /* not on its list of hosts     */
	LACK_CLASS,
	LACK_FEATURE,
	LACK_PROCS, /* configured, resp. free       */
	LACK_MEMORY,
	LACK_SWAP,
	LACK_DISK,
	LACK_GRES,
	LACK_ACCESS,   /* held by others, or not empty */
	LACK_TASKS,    /* fewer than its tasks per node */
	LACK_DRAINED,  /* nothing may start there      */
	LACK_RESERVED, /* kept for others */
	LACK_COUNT
};

/*
 * Limits (CLASS_LIMIT to ACTIVE_SOFT): limit is the limit, value what is in use without this
 * job, asked what it asks for; kind, scope, hard say which; cred whose usage that is and second
 * the other credential of a pair, indexes of the snapshot's table, INDEX_NONE = none.
 */
struct reason {
	uint8_t gate;  /* enum gate        */
	uint8_t kind;  /* enum limit_kind  */
	uint8_t scope; /* enum limit_scope */
	uint8_t hard;  /* 1: the hard value, 0: the soft one */
	uint8_t lack;  /* enum lack: what most of the nodes that do not fit lack */
	uint8_t spare[3];
	uint32_t cred, second;
	int64_t value;
	int64_t limit;
	int64_t asked;
	int64_t until_s; /* when it clears by itself, TIME_NEVER if it does not or nobody knows */
	uint64_t other;  /* id of another job, 0 = none                                        */
};

#endif
