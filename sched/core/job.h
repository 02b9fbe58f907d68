/* SPDX-License-Identifier: MIT */
/*
 * job.h - what is a job, and which states may follow which?
 *
 * A job is one flat record without pointers: it is copied by assignment, lives in a
 * snapshot's table and is encoded by the store. Names are offsets into the snapshot's
 * string table, credentials are indexes into its credential table.
 *
 * States change only by the table in job.c (state x action); job_next asks it.
 */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#define TIME_NEVER INT64_MAX /* no such moment: not planned, never due  */
#define TIME_NONE  INT64_MIN /* not yet: a job that has not started     */

#define INDEX_NONE UINT32_MAX /* no credential, no run, no slot          */

enum job_state {
	JOB_NONE, /* an empty slot                              */
	JOB_IDLE, /* waits: eligible or blocked, the gates say  */
	JOB_RUNNING,
	JOB_COMPLETED, /* has left the tables; known to history      */
	JOB_STATE_COUNT
};

enum job_action {
	JOB_SUBMIT,
	JOB_START,
	JOB_END,
	JOB_HOLD,    /* hold or release */
	JOB_REWEIGH, /* an operator's priority */
	JOB_ACTION_COUNT
};

/* Kinds of hold; a job may have several. Released one by one or all. */
enum job_hold {
	JOB_HOLD_USER = 1,   /* the owner's         */
	JOB_HOLD_SYSTEM = 2, /* the administrator's */
	JOB_HOLD_BATCH = 4,  /* the scheduler's     */
	JOB_HOLD_ALL = 7
};

/* An operator's priority (setspri; guide 5.1.5). */
enum job_adjust {
	JOB_ADJUST_NONE,
	JOB_ADJUST_RELATIVE, /* points are added to the computed priority */
	JOB_ADJUST_ABSOLUTE  /* priority is PRIO_MAX + points             */
};

enum job_flag {
	JOB_BACKFILLED = 1,    /* started while an earlier-ranked eligible job waited    */
	JOB_ACCRUAL_PAUSED = 2 /* a gate stops effective queue time: it counts as 0      */
};

struct job {
	uint64_t id;          /* unique in a store, never reused, > 0                  */
	int64_t submit_s;     /* moment of submission                                  */
	int64_t accrual_s;    /* effective queue time counts from here (P-50)          */
	int64_t not_before_s; /* user's start date; TIME_NONE = none                   */
	int64_t wall_limit_s; /* wallclock limit, > 0                                  */
	int64_t true_run_s;   /* simulated jobs: the run time only rm/fake may look at; else -1 */
	int64_t start_s;      /* TIME_NONE until started                               */
	int64_t planned_s;    /* start promised by a reservation; TIME_NEVER = none    */
	int64_t mem_mb;       /* per task; 0 = not asked                               */
	int64_t swap_mb;      /* per task                                              */
	int64_t disk_mb;      /* per task                                              */
	int64_t points;       /* operator's priority, see adjust                       */
	uint32_t cred[5];     /* by enum cred_type; INDEX_NONE = has none              */
	uint32_t tasks;       /* > 0                                                   */
	uint32_t task_procs;  /* processors a task, > 0                                */
	uint32_t nodes;       /* nodes asked for; 0 = any number                       */
	uint32_t partition;   /* index; 0 = ALL                                        */
	uint32_t bypass;      /* times a lower-ranked job was backfilled past this one */
	uint32_t label;       /* string: what people type and see; 0 = the id          */
	uint32_t name;        /* string: the user's name for it; 0 = none              */
	uint32_t run;         /* first of its allocation runs; INDEX_NONE when not running */
	uint8_t state;        /* enum job_state                                        */
	uint8_t base_holds;   /* enum job_hold bits asked for at submission            */
	uint8_t holds;        /* enum job_hold bits now: base_holds after the changes  */
	uint8_t adjust;       /* enum job_adjust                                       */
	uint8_t flags;        /* enum job_flag bits                                    */
	uint8_t spare[7];     /* zero                                                  */
};

/* Some tasks of a job on some nodes: `nodes` nodes from `node` on, `procs` on each. */
struct alloc_run {
	uint32_t node;  /* index of the first node */
	uint32_t nodes; /* how many in a row       */
	uint32_t procs; /* on each of them         */
	uint32_t next;  /* next run of the job, INDEX_NONE at the end; free runs chain likewise */
};

/* The state after an action, or JOB_STATE_COUNT when the table forbids it. */
enum job_state job_next(enum job_state state, enum job_action action);

/* "Idle", "Running"; static storage. */
const char *job_state_name(enum job_state state);

/* "user", "system", "user+batch", "none"; static storage. holds: enum job_hold bits. */
const char *job_hold_names(unsigned holds);

/* Processors of all tasks together. */
static inline int64_t job_procs(const struct job *job)
{
	return (int64_t)job->tasks * job->task_procs;
}

/* When a running job must have ended: start + wallclock limit. */
static inline int64_t job_due_end_s(const struct job *job)
{
	return job->start_s + job->wall_limit_s;
}

/* Seconds of effective queue time at now_s, >= 0 (requirements P-50, P-51). */
int64_t job_queued_s(const struct job *job, int64_t now_s);

#endif
