/* SPDX-License-Identifier: MIT */
/*
 * job.h - the job record and its states
 *
 * A job is one flat record without pointers: it is copied by assignment, lives in a snapshot's table and is
 * encoded by the store. Names are offsets into the snapshot's string table, credentials are indexes into its
 * credential table.
 *
 * The table in job.c (state x action) defines all state transitions; job_next looks them up.
 */
#ifndef MODEL_JOB_H
#define MODEL_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#define TIME_NEVER INT64_MAX /* a time that never comes: not planned, never due */
#define TIME_NONE  INT64_MIN /* no time: for example, the start of a job that has not started */

/* Moves a time, unless it is TIME_NEVER or TIME_NONE or would overflow. */
static inline void time_move(int64_t *at_s, int64_t by_s)
{
	int64_t moved_s;

	if (*at_s != TIME_NONE && *at_s != TIME_NEVER && !__builtin_add_overflow(*at_s, by_s, &moved_s))
		*at_s = moved_s;
}

/* Range of the priority that a submission may request (qsub -p). */
#define JOB_POINTS_LEAST (-1024)
#define JOB_POINTS_MOST  1023

#define INDEX_NONE UINT32_MAX /* an index that refers to nothing: no credential, no run, no slot */

enum job_state {
	JOB_NONE, /* an empty slot                              */
	JOB_IDLE, /* waiting: eligible or blocked, as the gates decide */
	JOB_RUNNING,
	JOB_COMPLETED, /* no longer in the tables; recorded in the history */
	JOB_STATE_COUNT
};

enum job_action {
	JOB_SUBMIT,
	JOB_START,
	JOB_END,
	JOB_CANCEL,  /* cancelled by an operator or the owner */
	JOB_HOLD,    /* a hold is set or released, or the job is deferred */
	JOB_REWEIGH, /* an operator sets the priority */
	JOB_MODIFY,  /* another attribute is changed: QOS, dependencies, allocation policy ... */
	JOB_SUSPEND, /* suspended or resumed */
	JOB_REQUEUE, /* requeued on request, or because the job was lost */
	JOB_SIGNAL,
	JOB_ACTION_COUNT
};

/* Kinds of hold; a job may have several. They are released one by one or all at once. */
enum job_hold {
	JOB_HOLD_USER = 1,   /* set by the owner of the job */
	JOB_HOLD_SYSTEM = 2, /* set by an administrator */
	JOB_HOLD_BATCH = 4,  /* set by the scheduler */
	JOB_HOLD_ALL = 7
};

/* Types of dependency (guide: jobstart, jobcomplete, jobsuccessfulcomplete, jobfailedcomplete). */
enum depend_type {
	DEPEND_START,    /* after: the other job has started */
	DEPEND_COMPLETE, /* afterany: the other job has ended, with any result */
	DEPEND_OK,       /* afterok: the other job has ended with exit status 0 */
	DEPEND_FAILED,   /* afternotok: the other job has ended with another exit status */
	DEPEND_TYPE_COUNT
};

/* State of a dependency: an open one blocks the job; one that can no longer be met blocks it indefinitely. */
enum depend_state {
	DEPEND_OPEN,
	DEPEND_MET,
	DEPEND_NEVER
};

/* What a dependency refers to: a job by its ID, a task of an array by its number, or all tasks of an array.
 */
enum depend_of {
	DEPEND_ON_JOB,
	DEPEND_ON_TASK,
	DEPEND_ON_ARRAY,
	DEPEND_OF_COUNT
};

/*
 * One dependency. All dependencies of a job must be met. The dependencies of a job are chained like its runs.
 */
struct depend {
	uint64_t on;     /* ID of the other job, or of the array */
	uint32_t next;   /* next dependency of the same job, INDEX_NONE at the end; free items are chained
			    likewise */
	uint32_t number; /* task number, if `of` is DEPEND_ON_TASK; else 0 */
	uint8_t type;    /* enum depend_type         */
	uint8_t state;   /* enum depend_state        */
	uint8_t of;      /* enum depend_of           */
	uint8_t spare[5];
	/*
	 * snapshot.seq when the dependency was settled; 0 = it is open, or was already settled when it was
	 * created or read from the store
	 */
	uint64_t settled_seq;
};

/*
 * What a dependency refers to, as text: "12", "12[3]", or "12[]" for a whole array. Writes to buf and returns
 * it.
 */
#define DEPEND_ON_TEXT 40
const char *job_depend_on(const struct depend *depend, char buf[static DEPEND_ON_TEXT]);

/* Kind of a priority set by an operator (setspri; guide 5.1.5). */
enum job_adjust {
	JOB_ADJUST_NONE,
	JOB_ADJUST_RELATIVE, /* points are added to the computed priority */
	JOB_ADJUST_ABSOLUTE  /* priority is PRIO_MAX + points             */
};

enum job_flag {
	JOB_BACKFILLED = 1,     /* started while an earlier-ranked eligible job waited    */
	JOB_ACCRUAL_PAUSED = 2, /* a gate stops the accrual of effective queue time, which counts as 0 */
	JOB_ELIGIBLE = 16,      /* IDLEPROMOTION NEWEST: eligible in the last pass, and stays eligible */
	JOB_CANCELLED = 4,      /* cancelled, but its end is not reported yet */
	JOB_PARTICULAR = 8      /* it matters which processors are free; see job_is_particular */
};

/* Properties of jobs that run as real processes. */
enum job_real {
	JOB_REAL_LAUNCH = 1,    /* the ledger contains its launch data (sched/rm/launch.h) */
	JOB_REAL_RERUN = 2,     /* the job is requeued if it is lost */
	JOB_REAL_AGAIN = 4,     /* running: is being stopped and will then be requeued */
	JOB_REAL_FORCED = 4,    /* only in submissions: accepted even if the job would never start */
	JOB_REAL_SUSPENDED = 8, /* running: the job is suspended */
	JOB_REAL_MAIL = 16,     /* the launch data contains mail recipients */
	JOB_REAL_OWNER = 32,    /* suspended by its owner, who may resume it */
	JOB_REAL_RELEASED = 64, /* suspended: other jobs may use its processors */
	JOB_REAL_RESUMES = 128, /* released: to be resumed as soon as its processors are free */
	JOB_REAL_ALL = 255
};

/* Kinds of requested names that are not in the table of traits, because no node has them. */
enum job_unknown {
	UNKNOWN_FEATURES,
	UNKNOWN_PREFER,
	UNKNOWN_GRES, /* generic resources with counts: "gpu:2 tape:1" */
	UNKNOWN_COUNT
};

/*
 * Each pass reads the first fields of every idle job. They are adjacent, because a pass over a long queue
 * spends most of its time waiting for memory.
 */
struct job {
	int64_t accrual_s;     /* start of effective queue time (P-50) */
	int64_t wall_limit_s;  /* wallclock limit, > 0                                  */
	int64_t start_s;       /* TIME_NONE until started                               */
	int64_t not_before_s;  /* earliest start set by the user; TIME_NONE = none */
	int64_t defer_until_s; /* deferred until this time; TIME_NONE = not deferred */
	int64_t points;        /* priority set by an operator, see adjust */
	uint32_t cred[5];      /* credentials by enum cred_type; INDEX_NONE = none */
	uint32_t partition;    /* index of the partition; 0 = ALL */
	uint32_t tasks;        /* number of tasks, > 0 */
	uint32_t task_procs;   /* processors per task, > 0                              */
	uint32_t depend;       /* first dependency; INDEX_NONE = none */
	uint32_t bypass;       /* number of times that lower-ranked jobs were backfilled past this job */
	uint32_t procs_held; /* number of processors dedicated to a running job (SINGLEJOB: all of its nodes);
				0 = not running */
	uint8_t state;       /* enum job_state                                        */
	uint8_t base_holds;  /* enum job_hold bits requested at submission */
	uint8_t holds;       /* current enum job_hold bits: base_holds with all changes */
	uint8_t adjust;      /* enum job_adjust                                       */
	uint8_t flags;       /* enum job_flag bits                                    */
	uint8_t access;      /* enum node_access requested by the job; ACCESS_UNSET = that of the policy */
	uint8_t allocation;  /* requested enum allocation_policy + 1 (N-01); 0 = that of the system */
	uint8_t access_held; /* enum node_access under which it runs; ACCESS_UNSET until it starts */
	uint8_t real;        /* enum job_real bits                                    */
	uint8_t retries;     /* consecutive starts that failed temporarily; at most JOB_RETRIES_MAX */
	uint8_t spare[2];    /* zero                                                  */
	/* A pass reads the fields below for few idle jobs. */
	int64_t submit_s;    /* time of submission */
	int64_t planned_s;   /* start of the job reservation; TIME_NEVER = none */
	uint64_t id;         /* job ID: unique in a store, never reused, > 0 */
	int64_t true_run_s;  /* simulated jobs: the real run time, used by rm/fake only; else -1 */
	int64_t mem_mb;      /* memory per task; 0 = not requested */
	int64_t swap_mb;     /* virtual memory per task; 0 = not requested */
	int64_t disk_mb;     /* local disk per task; 0 = not requested */
	int64_t used_ps;     /* processor-seconds used, as reported; -1 = not reported */
	int64_t suspended_s; /* running: seconds suspended since its start, without the current suspension */
	int64_t suspended_at_s; /* suspended: start of the suspension; else 0 */
	int64_t resume_s;       /* suspended: expected time of resume, 0 = not known; else 0 */
	int64_t released_s;     /* running: seconds for which its processors were released since its
				   start, without the current release                      */
	int64_t held_since_s;   /* running: usage before this time is already charged; 0 = nothing is charged
				   yet */
	int64_t charged_ps;     /* value of used_ps at held_since_s */
	uint64_t features;      /* required features: bits of kind TRAIT_FEATURE */
	uint64_t prefer;        /* preferred features (PREF) */
	uint64_t array;         /* ID of its array (array.h); 0 = not part of an array */
	uint64_t changed;       /* seq of its newest change, 0 = none; change.before leads to earlier ones */
	uint32_t qos_asked; /* QOS requested at submission, INDEX_NONE = none; cred[CRED_QOS] is the QOS that
			       the job got (M-13) */
	uint32_t gres[GRES_MAX]; /* generic resources per task, by bit of kind TRAIT_GRES */
	uint32_t tasks_per_node; /* TPN: the number of tasks on each node is a multiple of this; <= 1 = any
				    number */
	uint32_t nodes;          /* requested number of nodes; 0 = any */
	uint32_t label;          /* string: shown and typed instead of the ID; 0 = none */
	uint32_t name;           /* string: job name given by the user; 0 = none */
	uint32_t hosts;          /* string: required nodes, separated by blanks; 0 = any */
	uint32_t order;       /* string: node order from the site's program (nodeallocationpolicy local), or
				 JOB_NO_ANSWER; 0 = not queried yet */
	uint32_t hold_reason; /* string: reason for the hold or deferral; 0 = none */
	uint32_t base_reason; /* string: the reason without changes by operators; of a running job that was
				 cancelled, the reason for the cancellation */
	uint32_t array_index; /* task number in its array */
	uint32_t array_limit; /* limit on the number of running tasks of its array; 0 = no limit */
	uint32_t defer_count; /* number of times the job was deferred */
	uint32_t start_count; /* number of times the job was started */
	uint32_t run; /* first of its allocation runs: of a running job, the nodes it runs on; of an idle job,
			 the nodes of its planned start; INDEX_NONE = none */
	int32_t base_points;  /* relative priority requested at submission; 0 = none */
	uint32_t launch_size; /* size of the launch data in bytes; shared by the tasks of an array */
	uint32_t stored;      /* bytes in the store that are charged to its user, see state_stored.c */
	uint32_t texts;       /* bytes of texts in the state that are charged to its user */
	uint32_t unknown[UNKNOWN_COUNT]; /* strings: names that no node has, separated by blanks; 0 = none */
	uint32_t said; /* string: why a resource manager that decides by itself does not start the job; 0 =
			  not known */
	uint64_t described; /* hash of the data that such a manager has reported about the job; 0 = none */
	int64_t expected_s; /* start that such a manager expects; 0 = not known */
};

/* Size of the part of the record that a pass reads for every idle job. */
#define JOB_READ_BY_PASSES offsetof(struct job, submit_s)

#define JOB_RETRIES_MAX 255

/* Beginning of the reason for a batch hold that is set after too many deferrals. */
#define HOLD_AFTER_DEFERS "deferred "

#define JOB_RETRY_FIRST_S 1  /* delay after the first failed start; doubles with each further failure */
#define JOB_RETRY_MOST_S  60 /* maximum delay */

/* Delay after a start that failed temporarily; doubles with each previous retry. */
int64_t job_retry_delay_s(const struct job *job);

/*
 * Is the job waiting for the retry of a failed start, at defer_until_s? If not, defer_until_s is the end of a
 * deferral.
 */
static inline bool job_is_retried(const struct job *job)
{
	return job->retries > 0 && job->defer_until_s != TIME_NONE;
}

/*
 * Is base_reason the reason for a failed or postponed start, which may contain file names? Otherwise it was
 * given at submission.
 */
static inline bool job_has_start_reason(const struct job *job)
{
	return job->base_reason != 0 && (job->defer_count > 0 || job->retries > 0);
}

/* May only the job's owner see base_reason? */
static inline bool job_has_private_reason(const struct job *job)
{
	return job_has_start_reason(job) || (job->base_reason != 0 && (job->flags & JOB_CANCELLED) != 0);
}

/* Does the job require a feature or a resource that no node has? Then it fits on no node. */
static inline bool job_requires_unknown(const struct job *job)
{
	return (job->unknown[UNKNOWN_FEATURES] | job->unknown[UNKNOWN_GRES]) != 0;
}

#define JOB_NO_ANSWER "-" /* value of job.order if the site's program did not answer */

/* Part of an allocation: `nodes` consecutive nodes from `node` on, with `procs` processors on each. */
struct alloc_run {
	uint32_t node;  /* index of the first node */
	uint32_t nodes; /* number of nodes */
	uint32_t procs; /* processors dedicated on each node: those of the job's tasks, or all of the node */
	uint32_t tasks; /* number of tasks on each node */
	uint32_t next;  /* next run of the job, INDEX_NONE at the end; free runs are chained likewise */
};

/*
 * Returns the processor equivalents (guide 5.1.2.3, P-26, P-48): the largest fraction of any resource of the
 * machine that all tasks of the job request together, converted to processors; never less than the job's
 * processors.
 */
double job_pe(const struct job *job, const struct machine *machine);

/* A growing list of runs. A zeroed struct is empty; the owner frees item. */
struct alloc_list {
	struct alloc_run *item;
	size_t count, room;
};

/* Returns the state after an action, or JOB_STATE_COUNT if the table does not allow the action. */
enum job_state job_next(enum job_state state, enum job_action action);

/* Returns the name of a state: "Idle", "Running" ...; static storage. */
const char *job_state_name(enum job_state state);

/* Returns the names of enum job_hold bits: "user", "system", "user+batch", "none"; static storage. */
const char *job_hold_names(unsigned holds);

/* Drops a priority set by an operator: the priority requested at submission applies again. */
static inline void job_take_base_points(struct job *job)
{
	job->points = job->base_points;
	job->adjust = job->base_points == 0 ? JOB_ADJUST_NONE : JOB_ADJUST_RELATIVE;
}

/* The ID under which the ledger stores the launch data: the tasks of an array share it. */
static inline uint64_t job_launch_id(const struct job *job)
{
	return job->array != 0 ? job->array : job->id;
}

/* The minimum numbers of processors and nodes that an idle job will hold once it runs. */
struct job_least {
	int64_t procs, nodes;
};

/* Returns the number of processors of all tasks. */
static inline int64_t job_procs(const struct job *job)
{
	return (int64_t)job->tasks * job->task_procs;
}

/*
 * Returns the number of processors that count against limits and fairshare: dedicated ones if the job runs,
 * otherwise requested ones.
 */
static inline int64_t job_procs_counted(const struct job *job)
{
	return job->procs_held > 0 ? job->procs_held : job_procs(job);
}

static inline bool job_is_suspended(const struct job *job)
{
	return job->state == JOB_RUNNING && (job->real & JOB_REAL_SUSPENDED) != 0;
}

/* Is the job suspended, with its processors released to other jobs? */
static inline bool job_is_released(const struct job *job)
{
	return job->state == JOB_RUNNING && (job->real & JOB_REAL_RELEASED) != 0;
}

/* Is the job to be resumed, and only waiting for its processors to become free? */
static inline bool job_awaits_resume(const struct job *job)
{
	return job->state == JOB_RUNNING && (job->real & JOB_REAL_RESUMES) != 0;
}

/*
 * Does a suspended job claim its processors from job->resume_s on? A job that was suspended by its owner and
 * whose processors are released does not: otherwise its owner could keep the machine empty without being
 * charged. Once the job is to be resumed (job_awaits_resume), it no longer counts as suspended by its owner.
 */
static inline bool job_claims_resume(const struct job *job)
{
	const unsigned both = JOB_REAL_OWNER | JOB_REAL_RELEASED;

	return job->resume_s != 0 && (job->real & both) != both;
}

/* Returns the seconds for which a started job has held its processors up to at_s. */
static inline int64_t job_held_s(const struct job *job, int64_t at_s)
{
	int64_t until_s = (job->real & JOB_REAL_RELEASED) != 0 ? job->suspended_at_s : at_s;

	return until_s - job->start_s - job->released_s;
}

/* Returns the seconds for which a started job has run up to at_s, without the time in suspension. */
static inline int64_t job_ran_s(const struct job *job, int64_t at_s)
{
	int64_t until_s = (job->real & JOB_REAL_SUSPENDED) != 0 ? job->suspended_at_s : at_s;

	return until_s - job->start_s - job->suspended_s;
}

/*
 * Returns the seconds left at at_s until a running job reaches its wallclock limit; negative if the job is
 * overdue. The result does not change while the job is suspended; if job->resume_s is known, the job counts
 * as resumed from then on.
 */
static inline int64_t job_left_s(const struct job *job, int64_t at_s)
{
	int64_t left_s = job->wall_limit_s - job_ran_s(job, at_s);
	bool resumed = (job->real & JOB_REAL_SUSPENDED) != 0 && job->resume_s != 0 && at_s > job->resume_s;

	return resumed ? left_s - (at_s - job->resume_s) : left_s;
}

/*
 * Returns the time at which a running job reaches its wallclock limit, which does not count time in
 * suspension. For a suspended job, the result assumes a resume at job->resume_s and is TIME_NEVER if that is
 * not known. A job whose processors are released may resume later than that (placement_resume_s).
 */
static inline int64_t job_due_end_s(const struct job *job)
{
	if ((job->real & JOB_REAL_SUSPENDED) == 0)
		return job->start_s + job->suspended_s + job->wall_limit_s;
	return job->resume_s == 0 ? TIME_NEVER : job->resume_s + job_left_s(job, job->resume_s);
}

/* Is the job running and being cancelled or requeued? */
static inline bool job_is_leaving(const struct job *job)
{
	return job->state == JOB_RUNNING &&
	       ((job->flags & JOB_CANCELLED) != 0 || (job->real & JOB_REAL_AGAIN) != 0);
}

/*
 * Does it matter for the job which processors of the machine are free? False if it requests only tasks of one
 * processor on any nodes. True for tasks of several processors, a number of nodes or of tasks per node,
 * features, hosts, generic resources, nodes that are not shared or form a block, and memory, swap or disk if
 * the machine's total is known. The reservation of such a job names nodes (M-11).
 */
bool job_is_particular(const struct job *job, const struct machine *machine);

/*
 * Compares two jobs by age, that is by submit time and then by ID, the order of TABLE_WAITING: < 0 if a is
 * older.
 */
static inline int job_compare_age(const struct job *a, const struct job *b)
{
	if (a->submit_s != b->submit_s)
		return a->submit_s < b->submit_s ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/*
 * Returns the seconds of effective queue time at now_s, >= 0 (requirements P-50, P-51). The effective queue
 * time of a running job ends at its start.
 */
static inline int64_t job_queued_s(const struct job *job, int64_t now_s)
{
	int64_t until_s = now_s;

	if (job->flags & JOB_ACCRUAL_PAUSED)
		return 0;
	if (job->start_s != TIME_NONE && job->start_s < until_s)
		until_s = job->start_s;
	return until_s > job->accrual_s ? until_s - job->accrual_s : 0;
}

#endif
