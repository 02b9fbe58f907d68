/* SPDX-License-Identifier: MIT */
/*
 * policy.h - the site's policy: weights, caps and rules
 *
 * One flat value, part of every snapshot; what-if queries modify a copy. The option rows that name, bound and
 * document each field are in sched/config; priority.h explains the priority factors, and factors.h lists
 * them.
 *
 * Source: Maui Administrator's Guide 5.1.2 (table of factors), 5.1.3 (caps), 8.2 (backfill), 7.1.4
 * (reservation policies).
 */
#ifndef MODEL_POLICY_H
#define MODEL_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "factors.h"
#include "machine.h"

#define COMPONENT(c, name, keyword, what) PRIO_##c,
enum prio_component {
	PRIO_COMPONENT_LIST(COMPONENT) PRIO_COMPONENT_COUNT
};
#undef COMPONENT

#define FACTOR(f, c, name, keyword, column, unit, weight, course, what) PRIO_##f,
enum prio_factor {
	PRIO_FACTOR_LIST(FACTOR) PRIO_FACTOR_COUNT
};
#undef FACTOR

/* How the value of an idle job changes without an event; see factors.h. */
enum factor_course {
	COURSE_STEADY,
	COURSE_FAIRSHARE,
	COURSE_LINEAR,
	COURSE_CURVED
};

/* The row of a factor in factors.h. Static storage. */
struct prio_factor_info {
	enum prio_component component;
	enum factor_course course;
	const char *name;    /* contract name, as in JSON: "QUEUETIME", "FSUSER"    */
	const char *column;  /* column heading of at most 6 cells: "QTime" */
	const char *keyword; /* option name without the suffix: "queuetime" + "weight"   */
	const char *unit;    /* shown after values: "min"; "" when none             */
	const char *help;    /* one sentence                                        */
};

/* f must be below PRIO_FACTOR_COUNT. Never NULL. */
const struct prio_factor_info *policy_factor_info(enum prio_factor f);

/* "cred", "fs", "res", "serv", "target", "usage": as in JSON; static storage. */
const char *policy_component_name(enum prio_component c);

/* Weights and caps. Weights may be negative and fractional; a cap of 0 is no cap. */
struct prio_weights {
	double component[PRIO_COMPONENT_COUNT];
	double component_cap[PRIO_COMPONENT_COUNT];
	double factor[PRIO_FACTOR_COUNT];
	double factor_cap[PRIO_FACTOR_COUNT];
};

/* Guide defaults: component weights 1, factor weights 0 except QUEUETIME 1, no caps (P-05). */
void prio_weights_default(struct prio_weights *w);

enum accrual_policy {   /* JOBPRIOACCRUALPOLICY: what stops the accrual of queue time */
	ACCRUAL_ALWAYS, /* nothing                                               */
	ACCRUAL_QUEUE,  /* QUEUEPOLICY: idle, hard active and system limits      */
	ACCRUAL_FULL    /* FULLPOLICY: holds and dependencies too                */
};

enum backfill_policy {
	BACKFILL_FIRSTFIT,
	BACKFILL_NONE,
	BACKFILL_BESTFIT, /* repeatedly the job with the largest metric */
	BACKFILL_GREEDY   /* the combination with the largest sum of the metric         */
};

enum backfill_metric { /* the quantity that BESTFIT and GREEDY maximize */
	METRIC_PROCS,
	METRIC_PROCSECONDS,
	METRIC_SECONDS,
	METRIC_PE,
	METRIC_PESECONDS
};

enum idle_promotion {     /* which job becomes eligible first under an idle limit */
	PROMOTE_PRIORITY, /* the highest priority (T-26) */
	PROMOTE_OLDEST,
	PROMOTE_NEWEST /* the newest first (H-05) */
};

enum hard_pass {        /* when jobs between their soft and hard limits may start */
	HARD_RESOURCES, /* after all others, if resources remain (T-28) */
	HARD_IDLEONLY   /* only while no job within its soft limits is eligible (H-09) */
};

enum fs_policy { /* FSPOLICY: the usage metric; _PERCENT: differences are relative to the target (F-07) */
	FS_NONE,
	FS_DEDICATEDPS,  /* processor-seconds dedicated       */
	FS_DEDICATEDPES, /* processor equivalents * seconds   */
	FS_UTILIZEDPS,   /* processor-seconds used */
	FS_DEDICATEDPS_PERCENT,
	FS_DEDICATEDPES_PERCENT,
	FS_UTILIZEDPS_PERCENT
};

/* The metric without the _PERCENT variant. */
static inline enum fs_policy fs_metric(enum fs_policy p)
{
	return p >= FS_DEDICATEDPS_PERCENT ? p - FS_DEDICATEDPS_PERCENT + FS_DEDICATEDPS : p;
}
static inline bool fs_is_percent(enum fs_policy p)
{
	return p >= FS_DEDICATEDPS_PERCENT;
}

enum availability { /* NODEAVAILABILITYPOLICY by resource (M-15): how available resources are computed */
	AVAILABLE_COMBINED,  /* configured minus the larger of dedicated and used */
	AVAILABLE_DEDICATED, /* configured minus dedicated */
	AVAILABLE_UTILIZED   /* configured minus measured use */
};
enum available_resource {
	AVAILABLE_PROCS,
	AVAILABLE_MEM,
	AVAILABLE_SWAP,
	AVAILABLE_DISK,
	AVAILABLE_RESOURCE_COUNT
};

#define FS_DEPTH_MAX 32

/* RESERVATIONDEPTH[n] with RESERVATIONQOSLIST[n]; level 0 applies to all QOS that no list contains. */
#define RESERVATION_LEVELS 8

enum reservation_policy {       /* handling of job reservations */
	RESERVE_CURRENTHIGHEST, /* recomputed in each pass for the highest jobs */
	RESERVE_HIGHEST,        /* kept once made; moved to earlier times only */
	RESERVE_NEVER
};

#define RESERVATION_DEPTH_ALL INT64_C(1000000000) /* every idle job */

enum warn_signal { /* signal sent before the wallclock limit */
	WARN_NONE,
	WARN_HUP,
	WARN_INT,
	WARN_USR1,
	WARN_USR2,
	WARN_TERM
};

enum owner_suspend { /* may users suspend their own running jobs? */
	OWNER_SUSPEND_NO,
	OWNER_SUSPEND_KEEP,   /* yes; the jobs keep their processors */
	OWNER_SUSPEND_RELEASE /* yes; other jobs may use their processors */
};

/* Settings for real jobs and for requests of users; no pass reads them. */
struct site_rules {
	int64_t grace_s;            /* between TERM and KILL                                        */
	int64_t warn_s;             /* time of the warning before the wallclock limit */
	int64_t keep_procs;         /* processors of this host reserved for the system */
	int64_t keep_mem_mb;        /* likewise memory; at most half of it */
	int64_t metrics_interval_s; /* minimum time between writes of the metrics file */
	uint32_t umask;             /* of the files of jobs */
	uint8_t warn_signal;        /* enum warn_signal                                             */
	bool bind_cpus;             /* jobs are bound to their allocated processors */
	bool allow_root;            /* root may submit jobs */
	bool hide_names;            /* users without admin level see no names of others */
	bool no_new_privs;          /* setuid programs have no effect in jobs */
	uint8_t owner_suspend;      /* enum owner_suspend                                           */
	int64_t suspend_max_s;      /* total suspended time per run of a job by its owner; 0 = no limit */
	int64_t user_jobs;          /* limit on a user's idle and running jobs */
	int64_t journal_keep_s;  /* age up to which journal entries are kept; 0 = no limit, here and below */
	int64_t history_keep_s;  /* likewise of ended jobs */
	int64_t journal_max_mb;  /* size of the journal with its checkpoints in the store        */
	int64_t history_max_mb;  /* size of the history in the store                             */
	int64_t disk_reserve_mb; /* free space on the store's disk kept from submissions */
	int64_t job_processes;   /* limit on processes and threads of one job */
	/* Limits on the requests of one user; administrators of level 1 are exempt. */
	int64_t request_events;   /* changes in one request, tasks of arrays and dependencies included */
	int64_t job_changes;      /* kept changes of one job, for undo */
	int64_t user_changes;     /* and of all jobs of a user         */
	int64_t user_names;       /* new account and class names since the scheduler started */
	int64_t user_stored_mb;   /* stored jobs and their changes */
	int64_t user_text_mb;     /* texts of these in the state, which every client reads */
	int64_t user_journal_mb;  /* added to journal and history per day */
	int64_t user_connections; /* open connections */
	int64_t user_requests;    /* per second, also the largest burst */
	int64_t user_request_mb;  /* requests and responses in progress */
	int64_t user_answer_mb;   /* responses computed for this user only */
	int64_t user_cpu_pct;     /* percentage of one processor, averaged over a second */
};

/* Text settings of the site (snapshot.h). */
enum site_text {
	SITE_PROLOG,
	SITE_EPILOG,
	SITE_DEVICES,      /* "0,1,2" instead of the detected ones; "none"; "" = detect */
	SITE_METRICS_FILE, /* "" = none                                         */
	SITE_ADMIN1,       /* users and @groups, separated by blanks or commas */
	SITE_ADMIN2,
	SITE_ADMIN3,
	SITE_NOTIFY_PROGRAM, /* called on job events; "" = none */
	SITE_MAIL_PROGRAM,   /* sendmail-compatible; not set = sendmail, "" = none */
	SITE_PAM_SERVICE,    /* for the sessions of jobs; not set = "kahu", "none" = no sessions */
	SITE_TEXT_COUNT
};

#define SITE_PAM_SERVICE_DEFAULT   "kahu"
#define SITE_JOB_PROCESSES_DEFAULT 16384 /* a job that exceeds this is a fork bomb */

/* ACCOUNTACCESS: accounts that a job may charge if none of its credentials has an account list. */
enum account_access {
	ACCOUNTS_OPEN,  /* any  */
	ACCOUNTS_LISTED /* none */
};

/* Site parameters that are not set per credential, node or partition. */
struct policy {
	struct prio_weights weights; /* of partition ALL */
	bool allow_negative;         /* ENABLENEGJOBPRIORITY: priorities may be negative (P-06) */
	bool keep_depend_failed;     /* KEEPDEPENDENCYFAILED: keep jobs whose dependency cannot be met */
	bool reject_negative;        /* REJECTNEGPRIOJOBS: block jobs with negative priority */
	uint8_t accrual;             /* enum accrual_policy                                    */
	uint8_t backfill;            /* enum backfill_policy                                   */
	uint8_t reservation;         /* enum reservation_policy                                */
	uint8_t backfill_metric;     /* enum backfill_metric                                   */
	uint8_t idle_promotion;      /* enum idle_promotion                                    */
	uint8_t hard_pass;           /* enum hard_pass                                         */
	uint8_t fs_policy;           /* enum fs_policy                                         */
	uint8_t allocation;          /* enum allocation_policy                                 */
	uint8_t access;              /* enum node_access; never UNSET                          */
	uint8_t account_access;      /* enum account_access                                    */
	uint8_t available[AVAILABLE_RESOURCE_COUNT]; /* enum availability                      */
	int64_t xfactor_min_wall_s; /* XFMINWCLIMIT; 0 = use the job's wallclock limit (P-58) */
	int64_t reservation_depth[RESERVATION_LEVELS]; /* number of job reservations of the level, >= 0;
							  -1 = the level does not exist (never level 0) */
	int64_t backfill_depth;         /* BACKFILLDEPTH: candidates examined in a pass; 0 = all */
	int64_t default_wall_s;         /* for jobs that request no limit */
	int64_t default_mem_mb;         /* for jobs that request no memory; 0 = none */
	int64_t fs_interval_s;          /* FSINTERVAL, > 0                                        */
	int64_t fs_depth;               /* FSDEPTH, 1 to FS_DEPTH_MAX                             */
	double fs_decay;                /* FSDECAY, 0 to 1                                        */
	int64_t defer_time_s;           /* DEFERTIME; 0 = jobs are never deferred                 */
	int64_t defer_count;            /* DEFERCOUNT: number of defers before a batch hold */
	int64_t defer_start_count;      /* DEFERSTARTCOUNT: failed starts before a defer          */
	int64_t max_job_procs;          /* SYSTEMMAXPROCPERJOB; 0 = no limit, here and below      */
	int64_t max_job_wall_s;         /* SYSTEMMAXJOBWALLTIME                                   */
	int64_t max_job_ps;             /* SYSTEMMAXPROCSECONDPERJOB                              */
	int64_t local_timeout_s;        /* timeout of LOCAL's program */
	int64_t poll_interval_s;        /* RMPOLLINTERVAL                                         */
	int64_t guard_delayed;          /* changes that delay more jobs need a reason; 0 = none */
	int64_t user_reservations;      /* advance reservations that a user may make; 0 = none */
	int64_t user_reservation_s;     /* maximum duration of each; 0 = no limit, here and below */
	int64_t user_reservation_procs; /* maximum processors of each */
	struct site_rules site;
};

/* Jobs above a soft limit start only by backfill or if no other jobs are eligible: under this policy never.
 */
static inline bool policy_has_no_second_turn(const struct policy *p)
{
	return p->backfill == BACKFILL_NONE && p->hard_pass == HARD_RESOURCES;
}

/* Sets all defaults. */
void policy_default(struct policy *policy);

/* A partition: a name and its own weights (P-08). Partition 0 is ALL. */
struct partition {
	uint32_t name; /* string of the snapshot */
	uint32_t spare;
	struct prio_weights weights;
};

#endif
