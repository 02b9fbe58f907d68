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
#ifndef MODEL_JOB_H
#define MODEL_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#define TIME_NEVER INT64_MAX /* no such moment: not planned, never due  */
#define TIME_NONE  INT64_MIN /* not yet: a job that has not started     */

/* Moves a moment, unless it is none of these or would overflow. */
static inline void time_move(int64_t *at_s, int64_t by_s)
{
	int64_t moved_s;

	if (*at_s != TIME_NONE && *at_s != TIME_NEVER && !__builtin_add_overflow(*at_s, by_s, &moved_s))
		*at_s = moved_s;
}

/* Points that a submission may ask for (qsub -p). */
#define JOB_POINTS_LEAST (-1024)
#define JOB_POINTS_MOST  1023

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
	JOB_CANCEL,  /* an operator or the owner wants it gone */
	JOB_HOLD,    /* hold or release, or a defer */
	JOB_REWEIGH, /* an operator's priority */
	JOB_MODIFY,  /* another attribute: QOS, dependencies, allocation policy ... */
	JOB_SUSPEND, /* to stand still, or to go on */
	JOB_REQUEUE, /* to wait again: asked for, or its end is not known */
	JOB_SIGNAL,
	JOB_ACTION_COUNT
};

/* Kinds of hold; a job may have several. Released one by one or all. */
enum job_hold {
	JOB_HOLD_USER = 1,   /* the owner's         */
	JOB_HOLD_SYSTEM = 2, /* the administrator's */
	JOB_HOLD_BATCH = 4,  /* the scheduler's     */
	JOB_HOLD_ALL = 7
};

/* What a dependency waits for (guide: jobstart, jobcomplete, jobsuccessfulcomplete, jobfailedcomplete). */
enum depend_type {
	DEPEND_START,    /* after:      the other has started               */
	DEPEND_COMPLETE, /* afterany:   it has ended, however               */
	DEPEND_OK,       /* afterok:    it has ended with exit status 0     */
	DEPEND_FAILED,   /* afternotok: it has ended with another           */
	DEPEND_TYPE_COUNT
};

/* What became of one: an open one blocks; one that cannot be met any more blocks for ever. */
enum depend_state {
	DEPEND_OPEN,
	DEPEND_MET,
	DEPEND_NEVER
};

/* What is waited for: a job by its id, a task of an array by its number, or the array: all of its tasks. */
enum depend_of {
	DEPEND_ON_JOB,
	DEPEND_ON_TASK,
	DEPEND_ON_ARRAY,
	DEPEND_OF_COUNT
};

/* One job that must come first. All of a job's must be met. Chained like runs. */
struct depend {
	uint64_t on;     /* id of the other job, or of the array */
	uint32_t next;   /* of the same job, INDEX_NONE at the end; free ones chain likewise */
	uint32_t number; /* of the task; else 0      */
	uint8_t type;    /* enum depend_type         */
	uint8_t state;   /* enum depend_state        */
	uint8_t of;      /* enum depend_of           */
	uint8_t spare[5];
	/* snapshot.seq when it ceased to be open; 0 = it is open, was so in the store, or was never open */
	uint64_t settled_seq;
};

/* What it is on: "12", "12[3]", and "12[]" for a whole array. */
#define DEPEND_ON_TEXT 40
const char *job_depend_on(const struct depend *depend, char buf[static DEPEND_ON_TEXT]);

/* An operator's priority (setspri; guide 5.1.5). */
enum job_adjust {
	JOB_ADJUST_NONE,
	JOB_ADJUST_RELATIVE, /* points are added to the computed priority */
	JOB_ADJUST_ABSOLUTE  /* priority is PRIO_MAX + points             */
};

enum job_flag {
	JOB_BACKFILLED = 1,     /* started while an earlier-ranked eligible job waited    */
	JOB_ACCRUAL_PAUSED = 2, /* a gate stops effective queue time: it counts as 0     */
	JOB_ELIGIBLE = 16,      /* IDLEPROMOTION NEWEST: the last pass found it eligible, it stays so */
	JOB_CANCELLED = 4,      /* its end was asked for and is on the way               */
	JOB_PARTICULAR = 8      /* see job_is_particular                                 */
};

/* What only jobs have that a manager really runs. */
enum job_real {
	JOB_REAL_LAUNCH = 1,    /* the ledger keeps what is to be run for it (sched/rm/launch.h)     */
	JOB_REAL_RERUN = 2,     /* may be run again when its end is not known                        */
	JOB_REAL_AGAIN = 4,     /* running: it is being stopped, and waits again when it has ended   */
	JOB_REAL_FORCED = 4,    /* of a submission alone: it is taken even if it would never start   */
	JOB_REAL_SUSPENDED = 8, /* running: it stands still                                          */
	JOB_REAL_MAIL = 16,     /* the launch says who gets mail                                     */
	JOB_REAL_OWNER = 32,    /* suspended: by its owner, who may resume it                        */
	JOB_REAL_RELEASED = 64, /* suspended: other jobs may have its processors                     */
	JOB_REAL_RESUMES = 128, /* released: resumed as soon as its processors are free              */
	JOB_REAL_ALL = 255
};

/* Names that a job asks for and that have no slot in the table of traits, as no node has them. */
enum job_unknown {
	UNKNOWN_FEATURES,
	UNKNOWN_PREFER,
	UNKNOWN_GRES, /* with counts: "gpu:2 tape:1" */
	UNKNOWN_COUNT
};

/*
 * Each pass reads the first fields of each waiting job. They stand together, as most of the time of a pass
 * over a long queue is spent waiting for memory.
 */
struct job {
	int64_t accrual_s;     /* effective queue time counts from here (P-50)          */
	int64_t wall_limit_s;  /* wallclock limit, > 0                                  */
	int64_t start_s;       /* TIME_NONE until started                               */
	int64_t not_before_s;  /* user's start date; TIME_NONE = none                   */
	int64_t defer_until_s; /* the scheduler lets it be until then; TIME_NONE = not deferred */
	int64_t points;        /* operator's priority, see adjust                       */
	uint32_t cred[5];      /* by enum cred_type; INDEX_NONE = has none              */
	uint32_t partition;    /* index; 0 = ALL                                        */
	uint32_t tasks;        /* > 0                                                   */
	uint32_t task_procs;   /* processors a task, > 0                                */
	uint32_t depend;       /* first of its dependencies; INDEX_NONE = none          */
	uint32_t bypass;       /* times a lower-ranked job was backfilled past this one */
	uint32_t procs_held; /* running: processors its nodes give it, whole nodes under SINGLEJOB; else 0 */
	uint8_t state;       /* enum job_state                                        */
	uint8_t base_holds;  /* enum job_hold bits asked for at submission            */
	uint8_t holds;       /* enum job_hold bits now: base_holds after the changes  */
	uint8_t adjust;      /* enum job_adjust                                       */
	uint8_t flags;       /* enum job_flag bits                                    */
	uint8_t access;      /* enum node_access asked for by the job; UNSET = policy's */
	uint8_t allocation;  /* the job's own enum allocation_policy + 1 (N-01); 0 = the system's */
	uint8_t access_held; /* enum node_access it runs under; UNSET until it starts  */
	uint8_t real;        /* enum job_real bits                                    */
	uint8_t retries;     /* starts in a row that failed for a passing reason; at most JOB_RETRIES_MAX */
	uint8_t spare[2];    /* zero                                                  */
	/* What follows is read of few waiting jobs in a pass. */
	int64_t submit_s;        /* moment of submission                                  */
	int64_t planned_s;       /* start promised by a reservation; TIME_NEVER = none    */
	uint64_t id;             /* unique in a store, never reused, > 0                  */
	int64_t true_run_s;      /* simulated jobs: the run time only rm/fake may look at; else -1 */
	int64_t mem_mb;          /* per task; 0 = not asked                               */
	int64_t swap_mb;         /* per task                                              */
	int64_t disk_mb;         /* per task                                              */
	int64_t used_ps;         /* processor-seconds its manager says it has used; -1 = not said */
	int64_t suspended_s;     /* running: seconds it was suspended since its start, without the
				    current suspension                                      */
	int64_t suspended_at_s;  /* suspended: since this moment; else 0                     */
	int64_t resume_s;        /* suspended: resumed at this moment; 0 = not known. Else 0   */
	int64_t released_s;      /* running: seconds for which its processors were released since its
				    start, without the current release                      */
	int64_t held_since_s;    /* running: its usage before this moment has been charged; 0 = none has */
	int64_t charged_ps;      /* used_ps at that moment                                    */
	uint64_t features;       /* traits it must have: bits of kind TRAIT_FEATURE        */
	uint64_t prefer;         /* traits it would like (PREF)                            */
	uint64_t array;          /* id of the array it is a task of (array.h); 0 = none    */
	uint64_t changed;        /* seq of its newest change; 0 = none. The others: change.before */
	uint32_t qos_asked;      /* QOS named at submission, INDEX_NONE = none; cred[CRED_QOS] is what it got
				    (M-13) */
	uint32_t gres[GRES_MAX]; /* per task, by bit of kind TRAIT_GRES                 */
	uint32_t tasks_per_node; /* TPN: at least so many on each of its nodes, and a multiple; <= 1 = any */
	uint32_t nodes;          /* nodes asked for; 0 = any number                       */
	uint32_t label;          /* string: what people type and see; 0 = the id          */
	uint32_t name;           /* string: the user's name for it; 0 = none              */
	uint32_t hosts;          /* string: names of the nodes it must run on, blank between; 0 = any */
	uint32_t order; /* string: nodes in the order LOCAL answered, JOB_NO_ANSWER; 0 = not asked yet */
	uint32_t hold_reason; /* string: why it is held or deferred; 0 = nobody said    */
	uint32_t base_reason; /* string: what that is without the changes of operators; of a running job that
				 was cancelled, why                                     */
	uint32_t array_index; /* its number in the array                               */
	uint32_t array_limit; /* it starts while fewer tasks of its array run; 0 = however many do */
	uint32_t defer_count; /* times it was deferred                                 */
	uint32_t start_count; /* times it was started                                  */
	uint32_t run;         /* first of its allocation runs: where it runs, or, while it waits, which
				 nodes its planned start names; INDEX_NONE = none     */
	int32_t base_points;  /* relative priority asked for at submission; 0 = none   */
	uint32_t launch_size; /* bytes of what is to be run for it; tasks of an array share them */
	uint32_t stored;      /* bytes it counts with for its user, see state_restore.c   */
	uint32_t unknown[UNKNOWN_COUNT]; /* strings: names without a slot, blank between; 0 = none */
};

/* Bytes from the start that a pass reads of each waiting job. */
#define JOB_READ_BY_PASSES offsetof(struct job, submit_s)

#define JOB_RETRIES_MAX 255

/* How the reason of a batch hold begins that follows too many defers. */
#define HOLD_AFTER_DEFERS "deferred "

#define JOB_RETRY_FIRST_S 1  /* after the first failed start; doubled each time */
#define JOB_RETRY_MOST_S  60 /* at most */

/* How long a job waits after a start that failed for a passing reason: the retries before that one count. */
int64_t job_retry_delay_s(const struct job *job);

/* Is it waiting for the next try, and not deferred? */
static inline bool job_is_retried(const struct job *job)
{
	return job->retries > 0 && job->defer_until_s != TIME_NONE;
}

/* Is base_reason why a start failed or was put off? It names files. Else it was given at the submission. */
static inline bool job_has_start_reason(const struct job *job)
{
	return job->base_reason != 0 && (job->defer_count > 0 || job->retries > 0);
}

/* Is base_reason for the job's owner alone? */
static inline bool job_has_private_reason(const struct job *job)
{
	return job_has_start_reason(job) || (job->base_reason != 0 && (job->flags & JOB_CANCELLED) != 0);
}

/* Does it require a feature or a resource that no node has? Then it fits on none. */
static inline bool job_requires_unknown(const struct job *job)
{
	return (job->unknown[UNKNOWN_FEATURES] | job->unknown[UNKNOWN_GRES]) != 0;
}

#define JOB_NO_ANSWER "-" /* in job.order: LOCAL was asked and did not answer */

/* Some tasks of a job on some nodes: `nodes` nodes from `node` on, `procs` on each. */
struct alloc_run {
	uint32_t node;  /* index of the first node */
	uint32_t nodes; /* how many in a row       */
	uint32_t procs; /* held on each of them: those of its tasks, or all the node has     */
	uint32_t tasks; /* on each of them         */
	uint32_t next;  /* next run of the job, INDEX_NONE at the end; free runs chain likewise */
};

/*
 * Processor equivalents (guide 5.1.2.3, P-26, P-48): the largest share of a resource that
 * all its tasks ask for, as processors of the machine; at least its processors.
 */
double job_pe(const struct job *job, const struct machine *machine);

/* Runs found so far; grows. Zero is empty; free item. */
struct alloc_list {
	struct alloc_run *item;
	size_t count, room;
};

/* The state after an action, or JOB_STATE_COUNT when the table forbids it. */
enum job_state job_next(enum job_state state, enum job_action action);

/* "Idle", "Running"; static storage. */
const char *job_state_name(enum job_state state);

/* "user", "system", "user+batch", "none"; static storage. holds: enum job_hold bits. */
const char *job_hold_names(unsigned holds);

/* The priority it was submitted with, and no operator's. */
static inline void job_take_base_points(struct job *job)
{
	job->points = job->base_points;
	job->adjust = job->base_points == 0 ? JOB_ADJUST_NONE : JOB_ADJUST_RELATIVE;
}

/* Under which id the ledger keeps what is to be run for it: tasks of an array share theirs. */
static inline uint64_t job_launch_id(const struct job *job)
{
	return job->array != 0 ? job->array : job->id;
}

/* The least that a waiting job can hold once it runs. */
struct job_least {
	int64_t procs, nodes;
};

/* Processors of all tasks together. */
static inline int64_t job_procs(const struct job *job)
{
	return (int64_t)job->tasks * job->task_procs;
}

/* Processors that count against limits and fairshare: those held when it runs, else those asked for. */
static inline int64_t job_procs_counted(const struct job *job)
{
	return job->procs_held > 0 ? job->procs_held : job_procs(job);
}

static inline bool job_is_suspended(const struct job *job)
{
	return job->state == JOB_RUNNING && (job->real & JOB_REAL_SUSPENDED) != 0;
}

/* Are its processors released, so that other jobs may have them? It is suspended then. */
static inline bool job_is_released(const struct job *job)
{
	return job->state == JOB_RUNNING && (job->real & JOB_REAL_RELEASED) != 0;
}

/* Is it suspended only because its processors are not free yet? */
static inline bool job_awaits_resume(const struct job *job)
{
	return job->state == JOB_RUNNING && (job->real & JOB_REAL_RESUMES) != 0;
}

/*
 * Does a suspended job claim processors from job->resume_s on? A job that its owner suspended, and that has
 * released them, does not: it could keep the machine empty without being charged. It claims them once it
 * awaits its resume.
 */
static inline bool job_claims_resume(const struct job *job)
{
	const unsigned both = JOB_REAL_OWNER | JOB_REAL_RELEASED;

	return job->resume_s != 0 && (job->real & both) != both;
}

/* Seconds for which a started job has held its processors by at_s. */
static inline int64_t job_held_s(const struct job *job, int64_t at_s)
{
	int64_t until_s = (job->real & JOB_REAL_RELEASED) != 0 ? job->suspended_at_s : at_s;

	return until_s - job->start_s - job->released_s;
}

/* Seconds a started job has run by at_s. Time spent suspended does not count. */
static inline int64_t job_ran_s(const struct job *job, int64_t at_s)
{
	int64_t until_s = (job->real & JOB_REAL_SUSPENDED) != 0 ? job->suspended_at_s : at_s;

	return until_s - job->start_s - job->suspended_s;
}

/*
 * Seconds a running job has left of its wallclock limit at at_s; negative once it is overdue. They stay
 * the same while it is suspended.
 */
static inline int64_t job_left_s(const struct job *job, int64_t at_s)
{
	int64_t left_s = job->wall_limit_s - job_ran_s(job, at_s);
	bool resumed = (job->real & JOB_REAL_SUSPENDED) != 0 && job->resume_s != 0 && at_s > job->resume_s;

	return resumed ? left_s - (at_s - job->resume_s) : left_s;
}

/*
 * When a running job reaches its wallclock limit, which does not count time spent suspended. Of a
 * suspended job: if it is resumed at job->resume_s; TIME_NEVER if nobody knows when it is resumed. One whose
 * processors are released may be resumed later than that (room_resume_s).
 */
static inline int64_t job_due_end_s(const struct job *job)
{
	if ((job->real & JOB_REAL_SUSPENDED) == 0)
		return job->start_s + job->suspended_s + job->wall_limit_s;
	return job->resume_s == 0 ? TIME_NEVER : job->resume_s + job_left_s(job, job->resume_s);
}

/* Was it asked to stop, so that its end is on the way? It is gone then, or waits again. */
static inline bool job_is_leaving(const struct job *job)
{
	return job->state == JOB_RUNNING &&
	       ((job->flags & JOB_CANCELLED) != 0 || (job->real & JOB_REAL_AGAIN) != 0);
}

/*
 * Is any free processor of this machine not as good as another to this job? True when it asks
 * for more than one-processor tasks anywhere: a task of several processors, features, hosts, a
 * number of nodes, nodes of its own or in a block, or memory where the machine says how much
 * it has.
 * Such a job's reservation names nodes (M-11).
 */
bool job_is_particular(const struct job *job, const struct machine *machine);

/* Seconds of effective queue time at now_s, >= 0 (requirements P-50, P-51). A job that runs stopped waiting
 * when it started. */
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
