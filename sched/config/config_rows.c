/* SPDX-License-Identifier: MIT */
/*
 * config_rows.c - option rows: names, types, storage and printing of values
 *
 * Names are Maui's in lower case (Administrator's Guide 5.1 to 5.4, 6.2, 6.3, 7.1.4, 7.3, 8.2, 11.6, Appendix
 * F); parameters that Maui indexes by a name in brackets are in a section with that title. The rows of
 * weights and caps are generated from the list of factors, for the system and for partitions. The rows of
 * limits are generated for each type of credential.
 */
#include <inttypes.h>
#include <string.h>

#include "config.h"
#include "config_inside.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"

/* A weight of this size times the largest value of a factor is far below the maximum of a double. */
#define WEIGHT_MAX 1e12

#define CAP_MAX 1e18

/* Bounds of sensible values; anything beyond is a typing error. */
#define NODE_PROCS_MAX 1000000

#define JOB_SIZE_MAX 1000000000

#define SPEED_MIN 0.001

#define SPEED_MAX 1e6

/* The xfactor of a job that has not waited is 1: a target must be greater. */
#define XFTARGET_MIN 1.001

#define XFTARGET_MAX 1e6

static const char *const accrual_choices[] = {
	[ACCRUAL_ALWAYS] = "always",
	[ACCRUAL_QUEUE] = "queuepolicy",
	[ACCRUAL_FULL] = "fullpolicy",
	NULL,
};

static const char *const backfill_choices[] = {
	[BACKFILL_FIRSTFIT] = "firstfit",
	[BACKFILL_NONE] = "none",
	[BACKFILL_BESTFIT] = "bestfit",
	[BACKFILL_GREEDY] = "greedy",
	NULL,
};

static const char *const metric_choices[] = {
	[METRIC_PROCS] = "procs", [METRIC_PROCSECONDS] = "procseconds", [METRIC_SECONDS] = "seconds",
	[METRIC_PE] = "pe",       [METRIC_PESECONDS] = "peseconds",     NULL,
};

static const char *const reservation_choices[] = {
	[RESERVE_CURRENTHIGHEST] = "currenthighest",
	[RESERVE_HIGHEST] = "highest",
	[RESERVE_NEVER] = "never",
	NULL,
};

static const char *const allocation_choices[] = {
	[ALLOCATE_LASTAVAILABLE] = "lastavailable",
	[ALLOCATE_FIRSTAVAILABLE] = "firstavailable",
	[ALLOCATE_PRIORITY] = "priority",
	[ALLOCATE_CPULOAD] = "cpuload",
	[ALLOCATE_MINRESOURCE] = "minresource",
	[ALLOCATE_CONTIGUOUS] = "contiguous",
	[ALLOCATE_MAXBALANCE] = "maxbalance",
	[ALLOCATE_FASTEST] = "fastest",
	[ALLOCATE_LOCAL] = "local",
	NULL,
};

static const char *const account_access_choices[] = {
	[ACCOUNTS_OPEN] = "open", [ACCOUNTS_LISTED] = "listed", NULL};

/* The index is the enum value minus ACCESS_SHARED. ACCESS_UNSET has no name: the option is omitted. */
static const char *const access_choices[] = {
	"shared",
	[ACCESS_SINGLEUSER - ACCESS_SHARED] = "singleuser",
	[ACCESS_SINGLEJOB - ACCESS_SHARED] = "singlejob",
	[ACCESS_SINGLETASK - ACCESS_SHARED] = "singletask",
	NULL,
};

static const char *const fs_choices[] = {
	[FS_NONE] = "none",
	[FS_DEDICATEDPS] = "dedicatedps",
	[FS_DEDICATEDPES] = "dedicatedpes",
	[FS_UTILIZEDPS] = "utilizedps",
	[FS_DEDICATEDPS_PERCENT] = "dedicatedps%",
	[FS_DEDICATEDPES_PERCENT] = "dedicatedpes%",
	[FS_UTILIZEDPS_PERCENT] = "utilizedps%",
	NULL,
};

static const char *const promotion_choices[] = {
	[PROMOTE_PRIORITY] = "priority",
	[PROMOTE_OLDEST] = "oldest",
	[PROMOTE_NEWEST] = "newest",
	NULL,
};

static const char *const manager_choices[] = {
	[MANAGER_LOCAL] = "local",
	[MANAGER_SLURM] = "slurm",
	NULL,
};

static const char *const mode_choices[] = {
	[MODE_DRIVE] = "drive",
	[MODE_SHADOW] = "shadow",
	NULL,
};

static const char *const owner_suspend_choices[] = {
	[OWNER_SUSPEND_NO] = "no",
	[OWNER_SUSPEND_KEEP] = "keep",
	[OWNER_SUSPEND_RELEASE] = "release",
	NULL,
};

static const char *const pass_choices[] = {
	[HARD_RESOURCES] = "resources",
	[HARD_IDLEONLY] = "idleonly",
	NULL,
};

static const char *const warn_choices[] = {
	[WARN_NONE] = "none",
	[WARN_HUP] = "hup",
	[WARN_INT] = "int",
	[WARN_USR1] = "usr1",
	[WARN_USR2] = "usr2",
	[WARN_TERM] = "term",
	NULL,
};

/*
 * Row for a field of the struct prio_weights at offset `base` in the struct that contains the values of the
 * scope.
 */
#define WEIGHT(scope_, base, field, keyword, fallback_, what)                                                \
	{                                                                                                    \
		.scope = scope_, .name = keyword "weight", .type = OPTION_REAL, .min = -WEIGHT_MAX,          \
		.max = WEIGHT_MAX, .fallback = fallback_, .unit = "", .help = "Weight of " what ".",         \
		.offset = (base) + offsetof(struct prio_weights, field)                                      \
	}

#define CAP(scope_, base, field, keyword, fallback_, unit_)                                                  \
	{                                                                                                    \
		.scope = scope_, .name = keyword "cap", .type = OPTION_REAL, .min = 0, .max = CAP_MAX,       \
		.fallback = fallback_, .unit = unit_,                                                        \
		.help = "Maximum of the value that " keyword "weight multiplies; 0 means no cap.",           \
		.offset = (base) + offsetof(struct prio_weights, field)                                      \
	}

#define POLICY(field) offsetof(struct policy, field)

#define ATTR(field) offsetof(struct cred_attr, field)

#define NODE(field) offsetof(struct config_node, field)

#define ALL POLICY(weights)

/* A row with the members that every row has; other members follow them. */
#define ROW(scope_, name_, type_, unit_, help_, ...)                                                         \
	{                                                                                                    \
		.scope = scope_, .name = name_, .type = OPTION_##type_, .unit = unit_, .help = help_,        \
		__VA_ARGS__                                                                                  \
	}

#define RANGE(min_, max_) .min = (double)(min_), .max = (double)(max_)

#define CHECKED(form_, check_, says) .form = FORM_##form_, .check = config_check_##check_, .legal = says

/* Rows of the top level. */
#define CHOICE(name, field, choices_, fallback_, help)                                                       \
	ROW("", name, CHOICE, "", help, .choices = choices_, .fallback = fallback_, .offset = POLICY(field))

#define COUNT(name, field, min, max, fallback_, unit, help)                                                  \
	ROW("", name, COUNT, unit, help, RANGE(min, max), .fallback = fallback_, .offset = POLICY(field))

#define DURATION(name, field, min, fallback_, help)                                                          \
	ROW("", name, DURATION, "", help, RANGE(min, DURATION_MAX_S), .fallback = fallback_,                 \
	    .offset = POLICY(field))

#define SWITCH(name, field, help) ROW("", name, BOOL, "", help, .fallback = "false", .offset = POLICY(field))

#define SWITCH_ON(name, field, help)                                                                         \
	ROW("", name, BOOL, "", help, .fallback = "true", .offset = POLICY(field))

#define STORE_SIZE(name, field, fallback_, help)                                                             \
	ROW("", name, MEMORY, "MB", help, RANGE(0, MEMORY_MAX_MB), .fallback = fallback_,                    \
	    .offset = POLICY(site.field))

#define SITE_TEXT(name, which, check, says, help)                                                            \
	ROW("", name, TEXT, "", help, .offset = SITE_##which, CHECKED(SITE_TEXT, check, says))

#define SITE_ADMINS(name, which, help)                                                                       \
	SITE_TEXT(name, which, admins, "users and @groups, separated by blanks or commas", help)

#define ALL_COMPONENT(c, name, keyword, what)                                                                \
	WEIGHT("", ALL, component[PRIO_##c], keyword, "1", what),                                            \
		CAP("", ALL, component_cap[PRIO_##c], keyword, "0", ""),

#define ALL_FACTOR(f, c, name, keyword, column, unit, weight, course, what)                                  \
	WEIGHT("", ALL, factor[PRIO_##f], keyword, #weight, what),                                           \
		CAP("", ALL, factor_cap[PRIO_##f], keyword, "0", unit),

/* Partitions inherit unset values from the system. */
#define PART_COMPONENT(c, name, keyword, what)                                                               \
	WEIGHT("partition", 0, component[PRIO_##c], keyword, NULL, what),                                    \
		CAP("partition", 0, component_cap[PRIO_##c], keyword, NULL, ""),

#define PART_FACTOR(f, c, name, keyword, column, unit, weight, course, what)                                 \
	WEIGHT("partition", 0, factor[PRIO_##f], keyword, NULL, what),                                       \
		CAP("partition", 0, factor_cap[PRIO_##f], keyword, NULL, unit),

/* Rows of credentials. */
#define PRIORITY(scope)                                                                                      \
	ROW(scope, "priority", REAL, "", "Priority of this " scope " in points; may be negative.",           \
	    RANGE(-WEIGHT_MAX, WEIGHT_MAX), .fallback = "0", .offset = ATTR(priority))

#define FS_TARGET_OF(scope)                                                                                  \
	ROW(scope, "fstarget", TEXT, "",                                                                     \
	    "Fairshare target of this " scope                                                                \
	    ": a target, a floor (+), a ceiling (-) or a cap that blocks jobs (% or ^).",                    \
	    CHECKED(TARGET, target,                                                                          \
		    "percent as \"25.0\", \"25.0+\", \"25.0-\" or \"25.0%\", or "                            \
		    "processor-seconds as \"50000^\""))

#define QOS_ACCESS(scope, jobs)                                                                              \
	ROW(scope, "qlist", LIST, "",                                                                        \
	    "QOS that " jobs " may request; a trailing & keeps only QOS that other lists allow too, a "      \
	    "trailing ^ makes this the only list that counts.",                                              \
	    CHECKED(QLIST, qlist, "names of QOS")),                                                          \
		ROW(scope, "qdef", TEXT, "", "Default QOS of " jobs ".",                                     \
		    CHECKED(QDEF, name, "the name of a QOS"))

#define ACCOUNT_ACCESS(scope, jobs)                                                                          \
	ROW(scope, "alist", LIST, "", "Accounts that " jobs " may charge.",                                  \
	    CHECKED(ALIST, names, "names of accounts")),                                                     \
		ROW(scope, "adef", TEXT, "", "Default account of " jobs ".",                                 \
		    CHECKED(ADEF, name, "the name of an account"))

#define QT_TARGET(scope)                                                                                     \
	ROW(scope, "qttarget", DURATION, "", "Target for the maximum queue time of jobs of this " scope ".", \
	    RANGE(1, DURATION_MAX_S), .offset = ATTR(qt_target_s))

#define XF_TARGET(scope)                                                                                     \
	ROW(scope, "xftarget", REAL, "", "Target for the maximum xfactor of jobs of this " scope ".",        \
	    RANGE(XFTARGET_MIN, XFTARGET_MAX), .offset = ATTR(xf_target))

#define QOS_WEIGHT(name, field, help)                                                                        \
	ROW("qos", name, REAL, "", help, RANGE(-WEIGHT_MAX, WEIGHT_MAX), .fallback = "0",                    \
	    .offset = ATTR(field))

/* A row for one kind of limit; `which` says whether running jobs, eligible jobs or both count. */
#define LIMIT(scope, name, which, kind, unit, help)                                                          \
	ROW(scope, name, LIST, unit, help, .offset = CONFIG_LIMIT(LIMIT_##which, LIMIT_##kind),              \
	    CHECKED(LIMIT, limit, LIMIT_LEGAL_##kind))

#define LIMIT_LEGAL_JOB "limits such as 8, \"2,8\" (soft, hard), \"GROUP=12\" or \"USER:steve=4\""

#define LIMIT_LEGAL_PROC LIMIT_LEGAL_JOB

#define LIMIT_LEGAL_NODE LIMIT_LEGAL_JOB

#define LIMIT_LEGAL_PS "limits such as 720000, \"72000,1080000\" (soft, hard) or \"USER=72000\""

#define LIMIT_LEGAL_PE LIMIT_LEGAL_JOB

#define LIMIT_LEGAL_WC "limits such as 72:00:00, \"24:00:00,72:00:00\" (soft, hard) or \"USER=24:00:00\""

#define LIMIT_LEGAL_MEM "limits such as 2048, \"2gb,4gb\" (soft, hard) or \"USER=2gb\""

#define LIMIT_OF_JOBS(scope, prefix, which, jobs)                                                            \
	LIMIT(scope, prefix "job", which, JOB, "jobs", "Limit on the number of " jobs ".")

#define LIMITS_OF_SIZE(scope, prefix, which, jobs)                                                           \
	LIMIT(scope, prefix "proc", which, PROC, "procs", "Limit on the processors of " jobs "."),           \
		LIMIT(scope, prefix "node", which, NODE, "nodes",                                            \
		      "Limit on the nodes of " jobs ". A job that requests no number of nodes counts as "    \
		      "the smallest number of nodes that can hold it."),                                     \
		LIMIT(scope, prefix "ps", which, PS, "proc-s",                                               \
		      "Limit on the outstanding processor-seconds (processors * remaining time) of " jobs    \
		      "."),                                                                                  \
		LIMIT(scope, prefix "pe", which, PE, "procs",                                                \
		      "Limit on the processor equivalents of " jobs "."),                                    \
		LIMIT(scope, prefix "wc", which, WC, "",                                                     \
		      "Limit on the outstanding wallclock time of " jobs "."),                               \
		LIMIT(scope, prefix "mem", which, MEM, "MB", "Limit on the memory of " jobs ".")

#define LIMITS(scope)                                                                                        \
	LIMIT_OF_JOBS(scope, "max", ACTIVE, "running jobs"),                                                 \
		LIMITS_OF_SIZE(scope, "max", ACTIVE, "running jobs"),                                        \
		LIMIT_OF_JOBS(scope, "maxi", IDLE, "eligible jobs; those beyond it are blocked"),            \
		LIMITS_OF_SIZE(scope, "maxi", IDLE, "eligible jobs; those beyond it are blocked"),           \
		LIMIT(scope, "maxqueued", QUEUED, JOB, "jobs",                                               \
		      "Limit on the number of jobs, running and eligible; those beyond it are blocked.")

/* Defaults and limits of a class for its jobs. */
#define CLASS_DURATION(name, field, help)                                                                    \
	ROW("class", name, DURATION, "", help, RANGE(1, DURATION_MAX_S), .offset = ATTR(field))

#define CLASS_COUNT(name, field, unit, help)                                                                 \
	ROW("class", name, COUNT, unit, help, RANGE(1, JOB_SIZE_MAX), .offset = ATTR(field))

/* Rows of nodes. */
#define NODE_COUNT(name, min, field, help)                                                                   \
	ROW("node", name, COUNT, "", help, RANGE(min, NODE_PROCS_MAX), .offset = NODE(field))

#define NODE_REAL(name, min, max, field, help)                                                               \
	ROW("node", name, REAL, "", help, RANGE(min, max), .offset = NODE(field))

#define NODE_MEMORY(name, field, help)                                                                       \
	ROW("node", name, MEMORY, "MB", help, RANGE(0, MEMORY_MAX_MB), .offset = NODE(field))

#define NODE_WORDS(name, trait, check, says, help)                                                           \
	ROW("node", name, LIST, "", help, CHECKED(NODE_WORDS, check, says), .offset = (trait))

const struct option config_rows[] = {
	CHOICE("backfillpolicy", backfill, backfill_choices, "firstfit",
	       "Which jobs may start before jobs of higher priority without delaying their reservations."),
	CHOICE("backfillmetric", backfill_metric, metric_choices, "procs",
	       "Metric that bestfit and greedy backfill maximize."),
	COUNT("backfilldepth", backfill_depth, 0, JOB_SIZE_MAX, "0", "jobs",
	      "Maximum number of idle jobs that backfill considers in a pass; 0 means all."),
	CHOICE("reservationpolicy", reservation, reservation_choices, "currenthighest",
	       "Which idle jobs get a reservation: those with the highest priority in each pass, or also "
	       "those that got one in an earlier pass."),
	COUNT("reservationdepth", reservation_depth[0], 0, RESERVATION_DEPTH_ALL, "1", "jobs",
	      "Number of idle jobs that get a reservation."),
	CHOICE("nodeallocationpolicy", allocation, allocation_choices, "lastavailable",
	       "How nodes are chosen among those that fit a job."),
	ROW("", "nodeaccesspolicy", CHOICE, "",
	    "Which jobs may share a node. If a job requests whole nodes, or nodes shared only with jobs of "
	    "the same user, processor limits count all processors of its nodes, not only those that it "
	    "requests. While the job is idle, the smallest nodes on which it fits are assumed. If several "
	    "such jobs of a user run on the same node, its processors are counted once. Fairshare charges "
	    "singleuser jobs only for the processors that they request.",
	    .min = ACCESS_SHARED, .choices = access_choices, .fallback = "shared", .offset = POLICY(access)),
	CHOICE("accountaccess", account_access, account_access_choices, "open",
	       "Which accounts a job may charge if its user, group and class have no alist: any account "
	       "(open) or none (listed)."),
	ROW("", "nodeavailabilitypolicy", LIST, "",
	    "How the resources in use on a node are computed: the resources dedicated to jobs, the measured "
	    "use, or the larger of the two.",
	    .fallback = "combined", .offset = POLICY(available),
	    CHECKED(AVAILABLE, available,
		    "combined, dedicated or utilized, or one of them for a single resource (proc, mem, swap, "
		    "disk), as in \"dedicated:mem\"")),
	ROW("", "localnodeallocation", TEXT, "",
	    "Program of the site that chooses nodes under nodeallocationpolicy = local, also in a replay.",
	    CHECKED(PROGRAM, program, "the path of a program")),
	DURATION("localtimeout", local_timeout_s, 1, "0:00:05",
		 "Time limit of localnodeallocation; when it is exceeded, nodes are allocated as "
		 "with minresource."),
	CHOICE("hardpass", hard_pass, pass_choices, "resources",
	       "When jobs above a soft limit may start: after all other jobs while resources remain, or only "
	       "when no job within its soft limits is eligible."),
	CHOICE("idlepromotion", idle_promotion, promotion_choices, "priority",
	       "Which blocked job becomes eligible first when the number of eligible jobs falls below an "
	       "idle limit."),
	COUNT("systemmaxprocperjob", max_job_procs, 0, JOB_SIZE_MAX, "0", "procs",
	      "Maximum number of processors of a job; 0 means no limit."),
	DURATION("systemmaxjobwalltime", max_job_wall_s, 0, "0:00:00",
		 "Maximum wallclock limit of a job; 0 means no limit."),
	COUNT("systemmaxprocsecondperjob", max_job_ps, 0, CONFIG_LIMIT_MAX, "0", "proc-s",
	      "Maximum of processors * wallclock limit of a job; 0 means no limit."),
	DURATION("systemdefaultjobwalltime", default_wall_s, 1, "1:00:00",
		 "Default wallclock limit of a job."),
	ROW("", "systemdefaultjobmemory", MEMORY, "MB",
	    "Default memory of a job: in total, as -l mem= of qsub, or on each node if the job requests a "
	    "number of nodes, as --mem of Slurm. The tasks of the job share it equally. The default has the "
	    "same effect as a request: MAXMEM counts it, and a job that uses more memory is killed. 0 means "
	    "no default: jobs without a memory request have no memory limit, and MAXMEM does not count them.",
	    RANGE(0, MEMORY_MAX_MB), .fallback = "0", .offset = POLICY(default_mem_mb)),
	DURATION("defertime", defer_time_s, 0, "1:00:00",
		 "How long a job is deferred when its start has failed; 0 disables deferring."),
	COUNT("defercount", defer_count, 1, JOB_SIZE_MAX, "24", "defers",
	      "Number of deferrals after which a job gets a batch hold."),
	COUNT("deferstartcount", defer_start_count, 1, JOB_SIZE_MAX, "1", "starts",
	      "Number of failed starts after which a job is deferred."),
	DURATION("rmpollinterval", poll_interval_s, 1, "0:01:00",
		 "Interval at which a resource manager that does not report events is polled, and at which "
		 "the priority order of idle jobs is checked for changes over time."),
	CHOICE("fspolicy", fs_policy, fs_choices, "none",
	       "How fairshare measures usage; with %, the factor is the difference from the target divided "
	       "by the target."),
	COUNT("guarddelayed", guard_delayed, 0, JOB_SIZE_MAX, "0", "jobs",
	      "A change needs a reason if it delays more jobs than this number, delays a reserved start or "
	      "causes a lint warning; 0 means that no change needs a reason."),
	COUNT("userreservations", user_reservations, 0, JOB_SIZE_MAX, "0", "reservations",
	      "Maximum number of advance reservations that a user may own at a time; 0 means none. A "
	      "reservation that would delay the reserved start of a job is refused."),
	DURATION("userreservationtime", user_reservation_s, 0, "1:00:00:00",
		 "Maximum duration of a user's reservation; 0 means no limit."),
	COUNT("userreservationprocs", user_reservation_procs, 0, JOB_SIZE_MAX, "0", "procs",
	      "Maximum number of processors of a user's reservation; 0 means no limit."),
	DURATION("fsinterval", fs_interval_s, 1, "1:00:00:00", "Length of a fairshare window."),
	COUNT("fsdepth", fs_depth, 1, FS_DEPTH_MAX, "7", "windows",
	      "Number of fairshare windows that count."),
	ROW("", "fsdecay", REAL, "", "Weight of a fairshare window relative to the next newer window.",
	    RANGE(0, 1), .fallback = "1", .offset = POLICY(fs_decay)),
	CHOICE("jobprioaccrualpolicy", accrual, accrual_choices, "queuepolicy",
	       "Under which conditions a blocked job stops accruing queue time."),
	DURATION("xfminwclimit", xfactor_min_wall_s, 0, "0:02:00",
		 "Minimum wallclock limit in the computation of the xfactor."),
	SWITCH("enablenegjobpriority", allow_negative, "Whether priorities may fall below 1."),
	SWITCH("rejectnegpriojobs", reject_negative, "Whether a job with a negative priority is blocked."),
	SWITCH("keepdependencyfailed", keep_depend_failed,
	       "Whether a job whose dependency can no longer be met stays in the queue, blocked. Otherwise "
	       "the job is removed as DependFailed, together with the jobs that depend on it in the same "
	       "way."),
	CHOICE("manager", site.manager, manager_choices, "local",
	       "The resource manager: local runs jobs on this host; slurm reads nodes, partitions, jobs and "
	       "reservations from Slurm with squeue and scontrol show, every rmpollinterval. A change takes "
	       "effect when the scheduler is started again."),
	CHOICE("mode", site.mode, mode_choices, "drive",
	       "What the scheduler does with its decisions. With drive, which manager = local requires, it "
	       "carries them out. With shadow, which manager = slurm requires, it only shows them beside "
	       "what Slurm does, and changes nothing in Slurm. A change takes effect when the scheduler is "
	       "started again."),
	CHOICE("ownersuspend", site.owner_suspend, owner_suspend_choices, "no",
	       "Whether users may suspend their own running jobs, and whether the processors are released. "
	       "With keep, a suspended job keeps its processors. With release, other jobs may use them: a "
	       "resumed job waits until its processors are free again on its own nodes. It has precedence "
	       "over all waiting jobs, but no processors are reserved for it before its resume is due. The "
	       "jobs of a user whose processors are released must fit on their nodes at the same time. "
	       "Administrators may always suspend jobs; release applies to these jobs as well, unless 'kahu "
	       "suspend' says --keep or --release."),
	DURATION("suspendmax", site.suspend_max_s, 0, "1:00:00",
		 "Maximum total time, since its start, that a job may be suspended by its owner. The job is "
		 "then resumed. 0 means no limit."),
	DURATION("jobgrace", site.grace_s, 0, "0:00:30",
		 "Time between TERM and KILL when a job is ended. For a running job past its wallclock "
		 "limit, limits on outstanding time count the rest of this interval, at least 1 s."),
	CHOICE("warnsignal", site.warn_signal, warn_choices, "none",
	       "Signal that is sent before the wallclock limit to those processes of a job that catch it."),
	DURATION("warntime", site.warn_s, 1, "0:01:00",
		 "Time before the wallclock limit at which warnsignal is sent."),
	SITE_TEXT("prolog", PROLOG, program, "the path of a program",
		  "Site program that runs before each job, under the account that the scheduler runs as. If "
		  "it fails, the job does not run."),
	SITE_TEXT("epilog", EPILOG, program, "the path of a program",
		  "Site program that runs after each job, under the account that the scheduler runs as."),
	SWITCH_ON("cpubinding", site.bind_cpus, "Whether jobs are bound to their allocated processors."),
	SITE_TEXT("devices", DEVICES, devices, "numbers or names separated by commas, or none",
		  "GPUs available to jobs, instead of the detected GPUs."),
	SWITCH_ON("allowroot", site.allow_root, "Whether root may submit jobs."),
	SITE_TEXT("pamservice", PAM_SERVICE, pam_service, "the name of a service, or none",
		  "PAM service for the account check and session of jobs; kahu if unset. Without a file of "
		  "this service in /etc/pam.d or /usr/lib/pam.d there is no session."),
	SWITCH("jobnonewprivs", site.no_new_privs,
	       "Whether setuid programs such as sudo and ping are prevented from giving jobs additional "
	       "privileges."),
	COUNT("jobprocesses", site.job_processes, 1, JOB_SIZE_MAX, "16384", "processes",
	      "Maximum number of processes and threads of a job."),
	COUNT("maxuserqueuable", site.user_jobs, 1, JOB_SIZE_MAX, "10000", "jobs",
	      "Maximum number of queued and running jobs of a user; further submissions are refused."),
	COUNT("maxrequestevents", site.request_events, 1, 100000, "1000", "changes",
	      "Maximum number of changes in one request of a user; each task of an array and each dependency "
	      "counts."),
	COUNT("maxjobchanges", site.job_changes, 1, 100000, "200", "changes",
	      "Maximum number of changes of one job by its user that are kept for undo; further changes are "
	      "refused."),
	COUNT("maxuserchanges", site.user_changes, 1, 10000000, "20000", "changes",
	      "Maximum number of changes of a user's jobs that are kept for undo; further changes by the "
	      "user are refused, releases of holds excepted. Every client reads these changes as part of the "
	      "state."),
	COUNT("maxusernames", site.user_names, 0, 100000, "100", "names",
	      "Maximum number of new names (of accounts, classes or reservation guests) that a user may "
	      "introduce; the count starts again at 0 when the scheduler is restarted."),
	COUNT("maxuserstored", site.user_stored_mb, 1, 1000000, "256", "MB",
	      "Maximum size in the store of one user's queued and running jobs, including their changes and "
	      "job scripts; requests beyond it are refused."),
	COUNT("maxusertext", site.user_text_mb, 1, 10000, "2", "MB",
	      "Maximum size of the names and host lists of one user's queued and running jobs, and of the "
	      "reasons and values of their changes; requests that would exceed it are "
	      "refused. Every client reads these texts as part of the state."),
	COUNT("maxuserjournal", site.user_journal_mb, 1, 1000000, "256", "MB",
	      "Maximum amount that the requests of one user may add to the journal and the history in a day; "
	      "the allowance refills evenly. Requests beyond it are refused, except cancellations; then only "
	      "the first 64 bytes of their reasons are kept. The allowance is full when the scheduler "
	      "starts."),
	COUNT("maxuserconnections", site.user_connections, 1, 1024, "64", "connections",
	      "Maximum number of open connections of a user to the scheduler."),
	COUNT("maxuserrequests", site.user_requests, 1, 100000, "200", "requests",
	      "Maximum number of requests per second of a user; a burst may contain the requests of one "
	      "second."),
	COUNT("maxuserrequestmemory", site.user_request_mb, 5, 1000, "5", "MB",
	      "Maximum memory of a user's pending requests and answers."),
	COUNT("maxuseranswermemory", site.user_answer_mb, 1, 100000, "2", "MB",
	      "Maximum memory for the copies of the state and the history that the clients of one user read; "
	      "beyond it, the oldest copies are discarded."),
	COUNT("maxusercpu", site.user_cpu_pct, 1, 100, "10", "percent",
	      "Maximum share of one processor that the requests of one user may use, averaged over a second; "
	      "further requests wait. A megabyte that a request adds to the store counts as 5 ms. Large "
	      "requests (more than 32 changes or 32 kB), during which nobody else is served, may use a "
	      "fortieth of this share."),
	SWITCH("hidenames", site.hide_names,
	       "Whether users see only their own names. Names of other users and of their jobs, groups and "
	       "accounts are hidden, and names of classes that the site does not configure. Numbers are not "
	       "hidden."),
	SITE_ADMINS("admin1", ADMIN1,
		    "Users with all rights, in addition to root and the user who runs the scheduler."),
	SITE_ADMINS("admin2", ADMIN2, "Users who may act on the jobs of all users."),
	SITE_ADMINS("admin3", ADMIN3, "Users who see all names, even if hidenames is set."),
	COUNT("systemprocs", site.keep_procs, 0, NODE_PROCS_MAX, "0", "procs",
	      "Number of processors of this host that are not available to jobs."),
	ROW("", "systemmemory", MEMORY, "MB",
	    "Memory of this host that is not available to jobs; at most half of the memory.",
	    RANGE(0, MEMORY_MAX_MB), .fallback = "512", .offset = POLICY(site.keep_mem_mb)),
	ROW("", "umask", TEXT, "",
	    "Permission bits removed from the files of jobs, in addition to the umask of the submitting "
	    "user.",
	    .fallback = "000", CHECKED(UMASK, umask, "three octal digits, as in 027")),
	SITE_TEXT("notifyprogram", NOTIFY_PROGRAM, program, "the path of a program",
		  "Program of the site that is run, as the job's user, at each submission, start and end of "
		  "a job."),
	SITE_TEXT("mailprogram", MAIL_PROGRAM, program, "the path of a program",
		  "Program that sends the mail requested by jobs, compatible with sendmail; "
		  "/usr/sbin/sendmail if unset, where it exists."),
	SITE_TEXT("metricsfile", METRICS_FILE, program, "the path of a file",
		  "File to which the scheduler writes metrics in the Prometheus text format."),
	DURATION("metricsinterval", site.metrics_interval_s, 1, "0:01:00",
		 "Minimum interval between updates of metricsfile; it is written only if something has "
		 "changed."),
	DURATION("journalkeep", site.journal_keep_s, 0, "30:00:00:00",
		 "Retention time of journal entries; 0 means that all entries are kept."),
	STORE_SIZE("journalmax", journal_max_mb, "2048",
		   "Maximum size of the journal and its checkpoints in the store; the oldest entries are "
		   "removed beyond it; 0 means no limit."),
	DURATION("historykeep", site.history_keep_s, 0, "365:00:00:00",
		 "Retention time of ended jobs in the history; 0 means that all jobs are kept."),
	STORE_SIZE("diskreserve", disk_reserve_mb, "64",
		   "Disk space reserved for the scheduler in the file system of the store. When less is "
		   "free, only administrators of level 1 can submit or change jobs. It is at most a "
		   "twentieth of the file system; 0 means none."),
	STORE_SIZE("historymax", history_max_mb, "2048",
		   "Maximum size of the history in the store; the oldest jobs are removed beyond it; 0 means "
		   "no limit."),
	/* clang-format off */
	PRIO_COMPONENT_LIST(ALL_COMPONENT)
	PRIO_FACTOR_LIST(ALL_FACTOR)
	/* clang-format on */
	PRIORITY("user"),
	FS_TARGET_OF("user"), QT_TARGET("user"), XF_TARGET("user"), QOS_ACCESS("user", "jobs of this user"),
	ACCOUNT_ACCESS("user", "jobs of this user"), LIMITS("user"), PRIORITY("group"), FS_TARGET_OF("group"),
	QOS_ACCESS("group", "jobs of this group"), ACCOUNT_ACCESS("group", "jobs of this group"),
	LIMITS("group"), PRIORITY("account"), FS_TARGET_OF("account"),
	QOS_ACCESS("account", "jobs of this account"), LIMITS("account"), PRIORITY("qos"),
	FS_TARGET_OF("qos"),
	QOS_WEIGHT("qtweight", qt_weight, "Added to queuetimeweight for jobs of this qos."),
	QOS_WEIGHT("xfweight", xf_weight, "Added to xfactorweight for jobs of this qos."), QT_TARGET("qos"),
	XF_TARGET("qos"), LIMITS("qos"),
	LIMIT_OF_JOBS("qos", "omax", OVERRIDE_ACTIVE,
		      "running jobs of this qos, in addition to other limits"),
	LIMITS_OF_SIZE(
		"qos", "omax", OVERRIDE_ACTIVE,
		"running jobs of this qos, instead of the limits of this kind on their other credentials"),
	LIMIT_OF_JOBS("qos", "omaxi", OVERRIDE_IDLE,
		      "eligible jobs of this qos, in addition to other limits"),
	LIMITS_OF_SIZE(
		"qos", "omaxi", OVERRIDE_IDLE,
		"eligible jobs of this qos, instead of the limits of this kind on their other credentials"),
	PRIORITY("class"), FS_TARGET_OF("class"), QOS_ACCESS("class", "jobs of this class"),
	ACCOUNT_ACCESS("class", "jobs of this class"),
	CLASS_DURATION("default.wclimit", default_wall_s, "Default wallclock limit of jobs of this class."),
	ROW("class", "default.features", LIST, "", "Default node features of jobs of this class.",
	    CHECKED(FEATURES, names, "names of features")),
	CLASS_DURATION("max.wclimit", max_wall_s, "Maximum wallclock limit of a job."),
	CLASS_DURATION("min.wclimit", min_wall_s, "Minimum wallclock limit of a job."),
	CLASS_COUNT("max.proc", max_procs, "procs", "Maximum number of processors of a job."),
	CLASS_COUNT("min.proc", min_procs, "procs", "Minimum number of processors of a job."),
	CLASS_COUNT("max.node", max_nodes, "nodes",
		    "Maximum number of nodes that a job may request or, if it requests no number of nodes, "
		    "may need."),
	CLASS_COUNT("min.node", min_nodes, "nodes", "Minimum number of nodes of a job."),
	ROW("class", "nodeaccesspolicy", CHOICE, "", "Which jobs may share a node with a job of this class.",
	    .min = ACCESS_SHARED, .choices = access_choices, .offset = ATTR(access)),
	LIMITS("class"), LIMITS("!system"), QOS_ACCESS("!system", "jobs"),
	ROW("reservationlevel", "reservationdepth", COUNT, "jobs",
	    "Number of idle jobs of this level that get a reservation.", RANGE(0, RESERVATION_DEPTH_ALL),
	    .form = FORM_LEVEL_DEPTH),
	ROW("reservationlevel", "reservationqoslist", LIST, "",
	    "QOS whose jobs belong to this level; ALL is every QOS that no level names.",
	    CHECKED(LEVEL_QOS, names, "names of QOS, or ALL")),
	NODE_COUNT("procs", 1, procs, "Processors of this node."),
	NODE_MEMORY("memory", mem_mb, "Memory for jobs."),
	NODE_MEMORY("swap", swap_mb, "Virtual memory for jobs."),
	NODE_MEMORY("disk", disk_mb, "Local disk for jobs."),
	NODE_WORDS("features", TRAIT_FEATURE, names, "names",
		   "Features that jobs may request; at most 64 on all nodes and classes together."),
	NODE_WORDS("classes", TRAIT_CLASS, names, "names of classes",
		   "Classes whose jobs may run on this node, at most 64 on all nodes together; all classes "
		   "if unset."),
	NODE_WORDS("gres", TRAIT_GRES, gres, "names with numbers, as \"gpu:4\"",
		   "Generic resources and their amounts; at most 8 kinds on all nodes together."),
	ROW("node", "partition", TEXT, "", "Partition of this node.", CHECKED(PARTITION, name, "a name")),
	NODE_REAL("speed", SPEED_MIN, SPEED_MAX, speed, "Speed relative to the other nodes; 1 if unset."),
	NODE_REAL("procspeed", 0, WEIGHT_MAX, procspeed, "Speed of the processors, in any unit."),
	NODE_REAL("priority", -WEIGHT_MAX, WEIGHT_MAX, priority, "Value of PRIORITY in priorityf."),
	ROW("node", "priorityf", TEXT, "",
	    "Expression that nodeallocationpolicy = priority maximizes, such as SPEED + .01 * AMEM.",
	    CHECKED(PRIORITYF, priorityf, "an expression of numbers, + - * / ( ) and components")),
	ROW("node", "drained", BOOL, "",
	    "Whether the node is drained: no job starts on it, and running jobs continue.",
	    .offset = NODE(drained)),
	NODE_COUNT("rack", 0, rack, "Rack of this node; racks with adjacent numbers are adjacent."),
	NODE_COUNT("index", 0, index, "Position in the rack."),
	ROW("node", "nodeaccesspolicy", CHOICE, "", "Which jobs may share this node.", .min = ACCESS_SHARED,
	    .choices = access_choices, .offset = NODE(access)),
	/* clang-format off */
	PRIO_COMPONENT_LIST(PART_COMPONENT)
	PRIO_FACTOR_LIST(PART_FACTOR)
	/* clang-format on */
};

const size_t config_row_count = sizeof config_rows / sizeof config_rows[0];

struct config_weight config_weight_of(const struct option *row)
{
	static const struct {
		size_t from, count;
	} array[] = {
		[COMPONENT_WEIGHT] = {offsetof(struct prio_weights, component), PRIO_COMPONENT_COUNT},
		[COMPONENT_CAP] = {offsetof(struct prio_weights, component_cap), PRIO_COMPONENT_COUNT},
		[FACTOR_WEIGHT] = {offsetof(struct prio_weights, factor), PRIO_FACTOR_COUNT},
		[FACTOR_CAP] = {offsetof(struct prio_weights, factor_cap), PRIO_FACTOR_COUNT},
	};
	bool top = *row->scope == '\0';
	size_t base = top ? ALL : 0;

	if (row->form != FORM_FIELD || (!top && strcmp(row->scope, "partition") != 0))
		return (struct config_weight){.kind = NO_WEIGHT};
	for (unsigned kind = COMPONENT_WEIGHT; kind <= FACTOR_CAP; kind++) {
		size_t from = base + array[kind].from;

		if (row->offset >= from && row->offset < from + array[kind].count * sizeof(double))
			return (struct config_weight){kind,
						      (unsigned)((row->offset - from) / sizeof(double))};
	}
	return (struct config_weight){.kind = NO_WEIGHT};
}

const char *config_weight_name(struct config_weight weight)
{
	for (size_t i = 0; i < config_row_count; i++) {
		struct config_weight found = config_weight_of(&config_rows[i]);

		if (found.kind == weight.kind && found.index == weight.index)
			return config_rows[i].name;
	}
	return "";
}

/* --- values in the policy ----------------------------------------------------------------------------- */

/*
 * The scope of a row determines the struct that contains the value, its owner. The form of the row determines
 * how the value is represented. Texts and lists of names are stored by the state (state_policy.c), which has
 * the credentials that they name.
 */

enum owner {
	OWNER_POLICY,
	OWNER_WEIGHTS,
	OWNER_ATTR,
	OWNER_NODE,
	OWNER_COUNT
};

static enum owner owner_of(const struct option *row)
{
	if (*row->scope == '\0' || row->form == FORM_LEVEL_DEPTH || row->form == FORM_LEVEL_QOS)
		return OWNER_POLICY;
	if (strcmp(row->scope, "partition") == 0)
		return OWNER_WEIGHTS;
	return strcmp(row->scope, "node") == 0 ? OWNER_NODE : OWNER_ATTR;
}

/* --- storing ----------------------------------------------------------------------------- */

static void store_field(const struct config_value *value, void *place)
{
	const struct option *row = value->row;

	if (row->type == OPTION_REAL)
		*(double *)place = value->value.number;
	else if (row->type == OPTION_BOOL)
		*(bool *)place = value->value.whole != 0;
	else if (row->type == OPTION_CHOICE)
		*(uint8_t *)place = (uint8_t)value->value.whole;
	else if (row->type == OPTION_COUNT && owner_of(row) == OWNER_NODE)
		*(uint32_t *)place = (uint32_t)value->value.whole;
	else
		*(int64_t *)place = value->value.whole;
}

static void store_available(const char *text, struct policy *policy)
{
	const char *word;
	size_t len;

	while ((word = config_word(&text, &len)) != NULL)
		config_available_read(word, len, policy->available, NULL);
}

/*
 * A reservation level exists if the configuration has a section for it. Its depth is 1 unless the section
 * sets it.
 */
static void store_level(const struct config_value *value, struct policy *policy)
{
	int64_t *depth = &policy->reservation_depth[config_level(value->title)];

	if (value->row->form == FORM_LEVEL_DEPTH)
		*depth = value->value.whole;
	else if (*depth < 0)
		*depth = 1;
}

void config_store(const struct config_value *value, struct policy *policy, struct prio_weights *weights,
		  struct cred_attr *attr, struct config_node *node)
{
	void *const owner_at[OWNER_COUNT] = {policy, weights, attr, node};
	char *owner = value->row ? owner_at[owner_of(value->row)] : NULL;

	if (!owner)
		return;
	switch ((enum config_form)value->row->form) {
	case FORM_FIELD:
		store_field(value, owner + value->row->offset);
		break;
	case FORM_TARGET:
		config_target_read(value->value.text, &attr->fs_target, &attr->fs_mode, NULL);
		break;
	case FORM_AVAILABLE:
		store_available(value->value.text, policy);
		break;
	case FORM_LEVEL_DEPTH:
	case FORM_LEVEL_QOS:
		store_level(value, policy);
		break;
	case FORM_UMASK:
		config_umask_read(value->value.text, &policy->site.umask, NULL);
		break;
	default:
		break;
	}
}

/* --- printing ---------------------------------------------------------------------------- */

static bool is_unset(const struct option *row, const void *place)
{
	if (row->fallback || owner_of(row) != OWNER_ATTR)
		return false;
	if (row->type == OPTION_CHOICE)
		return *(const uint8_t *)place == 0;
	return row->type == OPTION_REAL ? !(*(const double *)place > 0) : *(const int64_t *)place == 0;
}

static void print_field(const struct option *row, const void *place, struct str *out)
{
	char buf[DURATION_TEXT];

	if (is_unset(row, place))
		return;
	if (row->type == OPTION_REAL)
		str_add_real(out, *(const double *)place);
	else if (row->type == OPTION_BOOL)
		str_add(out, *(const bool *)place ? "true" : "false");
	else if (row->type == OPTION_CHOICE)
		str_add(out, row->choices[*(const uint8_t *)place - (int)row->min]);
	else if (row->type == OPTION_DURATION)
		str_add(out, duration_text(buf, *(const int64_t *)place));
	else
		str_addf(out, "%" PRId64, *(const int64_t *)place);
}

static void print_target(const struct cred_attr *attr, struct str *out)
{
	static const char *const suffix[] = {
		[FS_NO_TARGET] = "", [FS_TARGET] = "",        [FS_FLOOR] = "+",
		[FS_CEILING] = "-",  [FS_CAP_ABSOLUTE] = "^", [FS_CAP_RELATIVE] = "%",
	};

	if (attr->fs_mode == FS_NO_TARGET)
		return;
	str_add_real(out, attr->fs_target);
	str_add(out, suffix[attr->fs_mode]);
}

void config_print_available(const uint8_t available[static AVAILABLE_RESOURCE_COUNT], struct str *out)
{
	str_add(out, config_available_policy[available[AVAILABLE_PROCS]]);
	for (enum available_resource r = AVAILABLE_MEM; r < AVAILABLE_RESOURCE_COUNT; r++)
		if (available[r] != available[AVAILABLE_PROCS])
			str_addf(out, " %s:%s", config_available_policy[available[r]],
				 config_available_resource[r]);
}

void config_print_value(const struct option *row, const struct policy *policy,
			const struct prio_weights *weights, const struct cred_attr *attr, struct str *out)
{
	const void *const owner_at[OWNER_COUNT] = {policy, weights, attr, NULL};
	const char *owner = owner_at[owner_of(row)];

	if (!owner)
		return;
	if (row->form == FORM_FIELD)
		print_field(row, owner + row->offset, out);
	else if (row->form == FORM_TARGET)
		print_target(attr, out);
	else if (row->form == FORM_AVAILABLE)
		config_print_available(policy->available, out);
	else if (row->form == FORM_UMASK)
		str_addf(out, "%03" PRIo32, policy->site.umask);
}

static void print_amount(enum limit_kind kind, int64_t amount, struct str *out)
{
	char buf[DURATION_TEXT];

	if (amount == LIMIT_UNLIMITED)
		str_add(out, "unlimited");
	else if (kind == LIMIT_WC)
		str_add(out, duration_text(buf, amount));
	else
		str_addf(out, "%" PRId64, amount);
}

void config_print_limit(const struct limit *limit, struct str *out)
{
	if (limit->soft < limit->hard) {
		print_amount((enum limit_kind)limit->kind, limit->soft, out);
		str_add_char(out, ',');
	}
	print_amount((enum limit_kind)limit->kind, limit->hard, out);
}
