/* SPDX-License-Identifier: MIT */
/*
 * policy.h - what has the site set: which weights, caps and rules?
 *
 * One flat value, part of every snapshot: copy it to try something out. The rows that
 * name, bound and document each field are in config.c; the meaning of the priority
 * factors is in priority.h. The two enums below are the only place where a component or
 * factor is added; policy_factor_info gives its names.
 *
 * Source: Maui Administrator's Guide 5.1.2 (table of factors), 5.1.3 (caps), 8.2
 * (backfill), 7.1.4 (reservation policies).
 */
#ifndef MODEL_POLICY_H
#define MODEL_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

enum prio_component {
	PRIO_CRED,   /* who asks: site politics                  */
	PRIO_FS,     /* who has had less than their share        */
	PRIO_RES,    /* how much is asked for                    */
	PRIO_SERV,   /* how long the job has waited              */
	PRIO_TARGET, /* how near a promised service level is     */
	PRIO_USAGE,  /* how far a job has run; running jobs only */
	PRIO_COMPONENT_COUNT
};

enum prio_factor {
	PRIO_CRED_USER,        /* points, may be negative                          */
	PRIO_CRED_GROUP,       /* points                                           */
	PRIO_CRED_ACCOUNT,     /* points                                           */
	PRIO_CRED_QOS,         /* points                                           */
	PRIO_CRED_CLASS,       /* points                                           */
	PRIO_FS_USER,          /* target minus usage, percentage points            */
	PRIO_FS_GROUP,         /* same                                             */
	PRIO_FS_ACCOUNT,       /* same                                             */
	PRIO_FS_QOS,           /* same                                             */
	PRIO_FS_CLASS,         /* same                                             */
	PRIO_RES_NODE,         /* nodes asked for                                  */
	PRIO_RES_PROC,         /* processors                                       */
	PRIO_RES_MEM,          /* MB of memory, all tasks together                 */
	PRIO_RES_SWAP,         /* MB of virtual memory, all tasks together         */
	PRIO_RES_DISK,         /* MB of local disk, all tasks together             */
	PRIO_RES_PS,           /* processor-seconds = processors * wallclock limit */
	PRIO_RES_PE,           /* processor equivalents                            */
	PRIO_RES_WALLTIME,     /* seconds of wallclock limit                       */
	PRIO_SERV_QUEUETIME,   /* minutes of effective queue time                  */
	PRIO_SERV_XFACTOR,     /* ratio, >= 1                                      */
	PRIO_SERV_BYPASS,      /* times a lower job was backfilled past this one   */
	PRIO_TARGET_QUEUETIME, /* 1e8^x up to the target, 1e8 * x beyond (P-64)    */
	PRIO_TARGET_XFACTOR,   /* likewise                                         */
	PRIO_USAGE_CONSUMED,   /* processor-seconds dedicated so far               */
	PRIO_USAGE_REMAINING,  /* processor-seconds outstanding                    */
	PRIO_USAGE_PERCENT,    /* percent of the wallclock limit used              */
	PRIO_USAGE_EXECUTION,  /* seconds since start                              */
	PRIO_FACTOR_COUNT
};

/* What a factor is called. Static storage. */
struct prio_factor_info {
	enum prio_component component;
	const char *name;    /* contract name, as in JSON: "QUEUETIME", "FSUSER"    */
	const char *column;  /* heading of at most 6 cells: "QTime"                 */
	const char *keyword; /* option without the suffix: "queuetime" + "weight"   */
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

/* Guide defaults: components 1, factors 0 but QUEUETIME 1, no caps (P-05). */
void prio_weights_default(struct prio_weights *w);

enum accrual_policy {   /* JOBPRIOACCRUALPOLICY: what stops effective queue time */
	ACCRUAL_ALWAYS, /* nothing                                               */
	ACCRUAL_QUEUE,  /* QUEUEPOLICY: idle, hard active and system limits      */
	ACCRUAL_FULL    /* FULLPOLICY: holds and dependencies too                */
};

enum backfill_policy {
	BACKFILL_FIRSTFIT,
	BACKFILL_NONE,
	BACKFILL_BESTFIT, /* again and again the one with the largest metric            */
	BACKFILL_GREEDY   /* the combination with the largest sum of the metric         */
};

enum backfill_metric { /* what BESTFIT and GREEDY make large */
	METRIC_PROCS,
	METRIC_PROCSECONDS,
	METRIC_SECONDS,
	METRIC_PE,
	METRIC_PESECONDS
};

enum idle_promotion {     /* which blocked job becomes eligible when an idle limit has room */
	PROMOTE_PRIORITY, /* the most urgent (T-26)                 */
	PROMOTE_OLDEST,
	PROMOTE_NEWEST /* a site's wording (H-05)                */
};

enum hard_pass {        /* when jobs between their soft and hard limits may start */
	HARD_RESOURCES, /* after all others, whenever resources remain (T-28)      */
	HARD_IDLEONLY   /* only while no job within its soft limits is eligible (H-09) */
};

enum fs_policy { /* FSPOLICY: what usage is; with _PERCENT deltas are parts of the target (F-07) */
	FS_NONE,
	FS_DEDICATEDPS,  /* processor-seconds dedicated       */
	FS_DEDICATEDPES, /* processor equivalents * seconds   */
	FS_UTILIZEDPS,   /* processor-seconds really used     */
	FS_DEDICATEDPS_PERCENT,
	FS_DEDICATEDPES_PERCENT,
	FS_UTILIZEDPS_PERCENT
};

/* The metric without the percent sign, and whether there is one. */
static inline enum fs_policy fs_metric(enum fs_policy p)
{
	return p >= FS_DEDICATEDPS_PERCENT ? p - FS_DEDICATEDPS_PERCENT + FS_DEDICATEDPS : p;
}
static inline bool fs_is_percent(enum fs_policy p)
{
	return p >= FS_DEDICATEDPS_PERCENT;
}

enum availability {          /* NODEAVAILABILITYPOLICY, by resource (M-15): what is left of a node now */
	AVAILABLE_COMBINED,  /* configured less the larger of dedicated and used */
	AVAILABLE_DEDICATED, /* configured less dedicated to jobs                */
	AVAILABLE_UTILIZED   /* configured less used, as the manager measures it */
};
enum available_resource {
	AVAILABLE_PROCS,
	AVAILABLE_MEM,
	AVAILABLE_SWAP,
	AVAILABLE_DISK,
	AVAILABLE_RESOURCE_COUNT
};

#define FS_DEPTH_MAX 32

/* RESERVATIONDEPTH[n] with its RESERVATIONQOSLIST[n]; level 0 counts for all QOS without a list. */
#define RESERVATION_LEVELS 8

enum reservation_policy {       /* what becomes of a waiting job's reservation */
	RESERVE_CURRENTHIGHEST, /* made anew each pass for the top jobs        */
	RESERVE_HIGHEST,        /* kept once made; moved only to earlier times */
	RESERVE_NEVER
};

#define RESERVATION_DEPTH_ALL INT64_C(1000000000) /* every waiting job */

enum warn_signal { /* what a job gets before its wallclock limit */
	WARN_NONE,
	WARN_HUP,
	WARN_INT,
	WARN_USR1,
	WARN_USR2,
	WARN_TERM
};

enum owner_suspend { /* what users may do with their own running jobs */
	OWNER_SUSPEND_NO,
	OWNER_SUSPEND_KEEP,   /* suspend them; they keep their processors    */
	OWNER_SUSPEND_RELEASE /* suspend them; other jobs may have their processors */
};

/* What holds for jobs that really run here: for their manager and who hands them in; no pass looks at it. */
struct site_rules {
	int64_t grace_s;            /* between TERM and KILL                                        */
	int64_t warn_s;             /* the warning comes so long before the wallclock limit         */
	int64_t keep_procs;         /* of this host that no job gets                                */
	int64_t keep_mem_mb;        /* likewise; at most half of it                                 */
	int64_t metrics_interval_s; /* how often the file of metrics is written at most             */
	uint32_t umask;             /* permissions that no file of a job has                        */
	uint8_t warn_signal;        /* enum warn_signal                                             */
	bool bind_cpus;             /* jobs run on the processors they were given, and no others    */
	bool allow_root;            /* root's jobs are taken                                        */
	bool hide_names;            /* who is no administrator sees no names of others              */
	bool no_new_privs;          /* setuid programs give a job no other rights                   */
	uint8_t owner_suspend;      /* enum owner_suspend                                           */
	int64_t suspend_max_s;      /* in all, of one run of a job by its owner; 0 = no limit       */
	int64_t user_jobs;          /* of one user, waiting and running; more are refused           */
	int64_t journal_keep_s;  /* age up to which journal entries are kept; 0 = no limit, here and below */
	int64_t history_keep_s;  /* the same of ended jobs                                       */
	int64_t journal_max_mb;  /* size of the journal with its checkpoints in the store        */
	int64_t history_max_mb;  /* size of the history in the store                             */
	int64_t disk_reserve_mb; /* room on the store's disk that users' submissions leave       */
	int64_t job_processes;   /* and threads of one job, at most                              */
	/* What the requests of one user may take; administrators of level 1 are exempt. */
	int64_t request_events;   /* changes in one request, tasks of arrays and dependencies included */
	int64_t job_changes;      /* changes of one job that are kept to be undone                */
	int64_t user_names;       /* accounts and classes nobody has used, since the scheduler started */
	int64_t user_stored_mb;   /* of jobs and their changes in the store                       */
	int64_t user_journal_mb;  /* added to journal and history in a day                        */
	int64_t user_connections; /* open ones                                                    */
	int64_t user_requests;    /* a second, also the largest burst                               */
	int64_t user_request_mb;  /* of requests and answers under way                            */
	int64_t user_answer_mb;   /* of what was made for it alone and handed out                 */
	int64_t user_cpu_pct;     /* of one processor, averaged over a second                     */
};

/* And its texts (snapshot.h). */
enum site_text {
	SITE_PROLOG,
	SITE_EPILOG,
	SITE_DEVICES,      /* "0,1,2" in place of those found; "none"; "" = look */
	SITE_METRICS_FILE, /* "" = none                                         */
	SITE_ADMIN1,       /* users and @groups, parted by blanks or commas     */
	SITE_ADMIN2,
	SITE_ADMIN3,
	SITE_NOTIFY_PROGRAM, /* told of what happens to jobs; "" = none                      */
	SITE_MAIL_PROGRAM,   /* takes mail as sendmail does; not said = sendmail, "" = none */
	SITE_PAM_SERVICE,    /* of the sessions of jobs; not said = "kahu", "none" = no sessions */
	SITE_TEXT_COUNT
};

#define SITE_PAM_SERVICE_DEFAULT   "kahu"
#define SITE_JOB_PROCESSES_DEFAULT 16384 /* a job that has more is a fork bomb */

/* ACCOUNTACCESS: which account may a job charge when no list of its credentials exists? */
enum account_access {
	ACCOUNTS_OPEN,  /* any  */
	ACCOUNTS_LISTED /* none */
};

/* The site's parameters that are not set per credential, node or partition. */
struct policy {
	struct prio_weights weights; /* of partition ALL */
	bool allow_negative;         /* ENABLENEGJOBPRIORITY: no floor under the sum (P-06)    */
	bool keep_depend_failed;     /* KEEPDEPENDENCYFAILED: such a job stays, blocked        */
	bool reject_negative;        /* REJECTNEGPRIOJOBS: a negative job is blocked           */
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
	int64_t xfactor_min_wall_s; /* XFMINWCLIMIT; 0 = the job's own limit counts (P-58)    */
	int64_t reservation_depth[RESERVATION_LEVELS]; /* jobs of the level that get a reservation, >= 0;
							  -1 = there is no such level (never level 0) */
	int64_t backfill_depth;         /* BACKFILLDEPTH: candidates looked at in a pass; 0 = all */
	int64_t default_wall_s;         /* for jobs that name no limit                            */
	int64_t default_mem_mb;         /* for jobs that name no memory; 0 = they have no request */
	int64_t fs_interval_s;          /* FSINTERVAL, > 0                                        */
	int64_t fs_depth;               /* FSDEPTH, 1 to FS_DEPTH_MAX                             */
	double fs_decay;                /* FSDECAY, 0 to 1                                        */
	int64_t defer_time_s;           /* DEFERTIME; 0 = jobs are never deferred                 */
	int64_t defer_count;            /* DEFERCOUNT: after so many defers a batch hold          */
	int64_t defer_start_count;      /* DEFERSTARTCOUNT: failed starts before a defer          */
	int64_t max_job_procs;          /* SYSTEMMAXPROCPERJOB; 0 = no limit, here and below      */
	int64_t max_job_wall_s;         /* SYSTEMMAXJOBWALLTIME                                   */
	int64_t max_job_ps;             /* SYSTEMMAXPROCSECONDPERJOB                              */
	int64_t local_timeout_s;        /* how long LOCAL's program may take                      */
	int64_t poll_interval_s;        /* RMPOLLINTERVAL                                         */
	int64_t guard_delayed;          /* a change that delays more jobs needs a reason; 0 = none does */
	int64_t user_reservations;      /* reservations a user may make for himself; 0 = none     */
	int64_t user_reservation_s;     /* how long each may last; 0 = no limit, here and below  */
	int64_t user_reservation_procs; /* of how many processors                                */
	struct site_rules site;
};

/* Jobs over a soft limit start by backfill alone, or when they are the only ones: here not at all. */
static inline bool policy_has_no_second_turn(const struct policy *p)
{
	return p->backfill == BACKFILL_NONE && p->hard_pass == HARD_RESOURCES;
}

/* Everything at its default. */
void policy_default(struct policy *policy);

/* A partition: a name and weights of its own (P-08). Partition 0 is ALL. */
struct partition {
	uint32_t name; /* string of the snapshot */
	uint32_t spare;
	struct prio_weights weights;
};

#endif
