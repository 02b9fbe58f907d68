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

/* How the value of a factor changes for an idle job while no event occurs; see factors.h. */
enum factor_course {
	COURSE_STEADY,
	COURSE_FAIRSHARE,
	COURSE_LINEAR,
	COURSE_CURVED
};

/* The row of a factor in factors.h. All texts are in static storage. */
struct prio_factor_info {
	enum prio_component component;
	enum factor_course course;
	const char *name;    /* name as in JSON: "QUEUETIME", "FSUSER" */
	const char *column;  /* column heading of at most 6 cells: "QTime" */
	const char *keyword; /* option name without its suffix: "queuetime" for "queuetimeweight" */
	const char *unit;    /* unit shown after values: "min"; "" if there is none */
	const char *help;    /* one sentence that explains the factor */
};

/* Information about a factor, which must be below PRIO_FACTOR_COUNT. Never NULL. */
const struct prio_factor_info *policy_factor_info(enum prio_factor f);

/*
 * Returns the name of a component, as in JSON: "cred", "fs", "res", "serv", "target" or "usage". Static
 * storage.
 */
const char *policy_component_name(enum prio_component c);

/* Weights and caps. A weight may be negative and fractional; a cap of 0 means no cap. */
struct prio_weights {
	double component[PRIO_COMPONENT_COUNT];
	double component_cap[PRIO_COMPONENT_COUNT];
	double factor[PRIO_FACTOR_COUNT];
	double factor_cap[PRIO_FACTOR_COUNT];
};

/* Guide defaults: component weights 1, factor weights 0 except QUEUETIME 1, no caps (P-05). */
void prio_weights_default(struct prio_weights *w);

enum accrual_policy {   /* JOBPRIOACCRUALPOLICY: what stops the accrual of effective queue time */
	ACCRUAL_ALWAYS, /* nothing stops it */
	ACCRUAL_QUEUE,  /* QUEUEPOLICY: idle limits, hard active limits and system limits */
	ACCRUAL_FULL    /* FULLPOLICY: holds, dependencies and other gates as well; see gate.c */
};

enum backfill_policy {
	BACKFILL_FIRSTFIT,
	BACKFILL_NONE,
	BACKFILL_BESTFIT, /* repeatedly the job with the largest metric */
	BACKFILL_GREEDY   /* the combination of jobs with the largest sum of the metric */
};

enum backfill_metric { /* the quantity that BESTFIT and GREEDY maximize */
	METRIC_PROCS,
	METRIC_PROCSECONDS,
	METRIC_SECONDS,
	METRIC_PE,
	METRIC_PESECONDS
};

enum idle_promotion {     /* which job becomes eligible first under an idle limit */
	PROMOTE_PRIORITY, /* the job with the highest priority (T-26) */
	PROMOTE_OLDEST,
	PROMOTE_NEWEST /* the newest job (H-05) */
};

enum hard_pass {        /* when jobs above a soft limit, but within the hard limit, may start */
	HARD_RESOURCES, /* after all other jobs, if resources remain (T-28) */
	HARD_IDLEONLY   /* only while no job within its soft limits is eligible (H-09) */
};

enum fs_policy { /* FSPOLICY: how usage is measured; _PERCENT: factors are relative to the target (F-07) */
	FS_NONE,
	FS_DEDICATEDPS,  /* dedicated processor-seconds */
	FS_DEDICATEDPES, /* dedicated processor equivalents times seconds */
	FS_UTILIZEDPS,   /* used processor-seconds */
	FS_DEDICATEDPS_PERCENT,
	FS_DEDICATEDPES_PERCENT,
	FS_UTILIZEDPS_PERCENT
};

/* Returns the metric of a policy, without _PERCENT. */
static inline enum fs_policy fs_metric(enum fs_policy p)
{
	return p >= FS_DEDICATEDPS_PERCENT ? p - FS_DEDICATEDPS_PERCENT + FS_DEDICATEDPS : p;
}
static inline bool fs_is_percent(enum fs_policy p)
{
	return p >= FS_DEDICATEDPS_PERCENT;
}

enum availability { /* NODEAVAILABILITYPOLICY, set for each resource (M-15): how available resources are
		       computed */
	AVAILABLE_COMBINED,  /* configured minus the larger of dedicated and used */
	AVAILABLE_DEDICATED, /* configured minus dedicated */
	AVAILABLE_UTILIZED   /* configured minus used */
};
enum available_resource {
	AVAILABLE_PROCS,
	AVAILABLE_MEM,
	AVAILABLE_SWAP,
	AVAILABLE_DISK,
	AVAILABLE_RESOURCE_COUNT
};

#define FS_DEPTH_MAX 32

/*
 * Number of reservation levels. Level n has RESERVATIONDEPTH[n] and RESERVATIONQOSLIST[n]; a level without a
 * list applies to every QOS that no list contains.
 */
#define RESERVATION_LEVELS 8

enum reservation_policy {       /* when job reservations are made and moved */
	RESERVE_CURRENTHIGHEST, /* recomputed in each pass for the jobs with the highest priority */
	RESERVE_HIGHEST,        /* kept once made; moved to earlier times only */
	/* no job reservations */
	RESERVE_NEVER
};

#define RESERVATION_DEPTH_ALL INT64_C(1000000000) /* reservation depth: every idle job */

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

enum manager_kind { /* the resource manager */
	MANAGER_LOCAL,
	MANAGER_SLURM
};

enum manager_mode { /* what the scheduler does with the decisions of its passes */
	MODE_DRIVE, /* it carries them out */
	MODE_SHADOW /* it shows them; the resource manager decides */
};

/* Settings for real jobs and for requests of users; no pass reads them. */
struct site_rules {
	int64_t grace_s;            /* seconds between TERM and KILL */
	int64_t warn_s;             /* seconds before the wallclock limit at which the warning is sent */
	int64_t keep_procs;         /* processors of this host reserved for the system */
	int64_t keep_mem_mb;        /* memory of this host reserved for the system, at most half of it */
	int64_t metrics_interval_s; /* minimum time between two writes of the metrics file */
	uint32_t umask;             /* umask of jobs */
	uint8_t warn_signal;        /* enum warn_signal                                             */
	bool bind_cpus;             /* jobs are bound to their allocated processors */
	bool allow_root;            /* root may submit jobs */
	bool hide_names;            /* users without an admin level do not see names of other users */
	bool no_new_privs;          /* setuid programs have no effect in jobs */
	uint8_t owner_suspend;      /* enum owner_suspend                                           */
	uint8_t manager;            /* enum manager_kind; read when the scheduler starts */
	uint8_t mode;               /* enum manager_mode; read when the scheduler starts */
	int64_t suspend_max_s; /* total time for which the owner may suspend a job in one run; 0 = no limit */
	int64_t user_jobs;     /* limit on a user's idle and running jobs */
	int64_t journal_keep_s;  /* age up to which journal entries are kept; 0 = no limit, also for the next
				    three members */
	int64_t history_keep_s;  /* age up to which ended jobs are kept */
	int64_t journal_max_mb;  /* maximum size of the journal, with its checkpoints, in the store */
	int64_t history_max_mb;  /* maximum size of the history in the store */
	int64_t disk_reserve_mb; /* free space on the store's disk that submissions must leave */
	int64_t job_processes;   /* maximum number of processes and threads of one job */
	/* Limits on the requests of one user; administrators of level 1 are exempt. */
	int64_t request_events; /* changes in one request, including the tasks of arrays and dependencies */
	int64_t job_changes;    /* changes of one job that are kept for undo */
	int64_t user_changes;   /* changes of all jobs of a user that are kept for undo */
	int64_t user_names; /* number of new names of accounts, classes and guests of reservations since the
			       scheduler started */
	int64_t user_stored_mb;   /* size of stored jobs and their changes */
	int64_t user_text_mb;     /* texts of jobs and changes in the state, which every client reads */
	int64_t user_journal_mb;  /* size of what is added to the journal and the history per day */
	int64_t user_connections; /* number of open connections */
	int64_t user_requests;    /* requests per second, and the maximum burst */
	int64_t user_request_mb;  /* size of requests and responses in progress */
	int64_t user_answer_mb;   /* size of responses computed for this user only */
	int64_t user_cpu_pct; /* processor time as a percentage of one processor, averaged over a second */
};

/* Text settings of the site (snapshot.h). */
enum site_text {
	SITE_PROLOG,
	SITE_EPILOG,
	SITE_DEVICES,      /* GPUs of this host, as "0,1,2", or "none"; "" = detect them */
	SITE_METRICS_FILE, /* path of the metrics file; "" = none */
	SITE_ADMIN1,       /* users and @groups with admin level 1, separated by blanks or commas */
	SITE_ADMIN2,
	SITE_ADMIN3,
	SITE_NOTIFY_PROGRAM, /* program called on job events; "" = none */
	SITE_MAIL_PROGRAM,   /* program that accepts mail like sendmail; not set = sendmail, "" = none */
	SITE_PAM_SERVICE, /* PAM service for the sessions of jobs; not set = "kahu", "none" = no sessions */
	SITE_TEXT_COUNT
};

#define SITE_PAM_SERVICE_DEFAULT   "kahu"
#define SITE_JOB_PROCESSES_DEFAULT 16384 /* a job that exceeds this is a fork bomb */

/* ACCOUNTACCESS: accounts that a job may charge if there is no account list for it. */
enum account_access {
	ACCOUNTS_OPEN,  /* any account */
	ACCOUNTS_LISTED /* no account */
};

/* Parameters of the site that are not set per credential, node or partition. */
struct policy {
	struct prio_weights weights; /* weights of partition ALL */
	bool allow_negative;         /* ENABLENEGJOBPRIORITY: priorities may be negative (P-06) */
	bool keep_depend_failed; /* KEEPDEPENDENCYFAILED: keep jobs with a dependency that can no longer be
				    met */
	bool reject_negative;    /* REJECTNEGPRIOJOBS: block jobs with negative priority */
	uint8_t accrual;         /* enum accrual_policy                                    */
	uint8_t backfill;        /* enum backfill_policy                                   */
	uint8_t reservation;     /* enum reservation_policy                                */
	uint8_t backfill_metric; /* enum backfill_metric                                   */
	uint8_t idle_promotion;  /* enum idle_promotion                                    */
	uint8_t hard_pass;       /* enum hard_pass                                         */
	uint8_t fs_policy;       /* enum fs_policy                                         */
	uint8_t allocation;      /* enum allocation_policy                                 */
	uint8_t access;          /* enum node_access; never ACCESS_UNSET */
	uint8_t account_access;  /* enum account_access                                    */
	uint8_t available[AVAILABLE_RESOURCE_COUNT]; /* enum availability                      */
	int64_t xfactor_min_wall_s; /* XFMINWCLIMIT: minimum wallclock limit for the expansion factor (P-58);
				       0 = the job's own limit counts */
	int64_t reservation_depth[RESERVATION_LEVELS]; /* number of job reservations of the level, >= 0;
							  -1 = the level does not exist (never level 0) */
	int64_t backfill_depth;     /* BACKFILLDEPTH: candidates examined in a pass; 0 = all */
	int64_t default_wall_s;     /* wallclock limit of jobs that request none */
	int64_t default_mem_mb;     /* memory per task of jobs that request none; 0 = none */
	int64_t fs_interval_s;      /* FSINTERVAL: length of a fairshare window, > 0 */
	int64_t fs_depth;           /* FSDEPTH: number of windows that count, 1 to FS_DEPTH_MAX */
	double fs_decay;            /* FSDECAY: weight of a window relative to the next newer one, 0 to 1 */
	int64_t defer_time_s;       /* DEFERTIME: duration of a deferral; 0 = jobs are never deferred */
	int64_t defer_count;        /* DEFERCOUNT: number of deferrals before a batch hold is set */
	int64_t defer_start_count;  /* DEFERSTARTCOUNT: number of failed starts before a deferral */
	int64_t max_job_procs;      /* SYSTEMMAXPROCPERJOB; 0 = no limit, also for the next two members */
	int64_t max_job_wall_s;     /* SYSTEMMAXJOBWALLTIME                                   */
	int64_t max_job_ps;         /* SYSTEMMAXPROCSECONDPERJOB                              */
	int64_t local_timeout_s;    /* seconds within which the site's program for nodeallocationpolicy local
				       must answer */
	int64_t poll_interval_s;    /* RMPOLLINTERVAL: time between two polls */
	int64_t guard_delayed;      /* a change that delays more jobs than this needs a reason; 0 = never */
	int64_t user_reservations;  /* advance reservations that each user may make; 0 = none */
	int64_t user_reservation_s; /* maximum duration of a user's reservation; 0 = no limit, also for the
				       next member */
	int64_t user_reservation_procs; /* maximum processors of a user's reservation */
	struct site_rules site;
};

/*
 * Returns true if jobs above a soft limit never start: there is no backfill, and hard_pass admits them only
 * by backfill.
 */
static inline bool policy_has_no_second_turn(const struct policy *p)
{
	return p->backfill == BACKFILL_NONE && p->hard_pass == HARD_RESOURCES;
}

/* Sets all defaults. */
void policy_default(struct policy *policy);

/* A partition with its own weights (P-08). Partition 0 is ALL. */
struct partition {
	uint32_t name; /* name: string of the snapshot */
	uint32_t spare;
	struct prio_weights weights;
};

#endif
