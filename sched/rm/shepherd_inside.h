/* SPDX-License-Identifier: MIT */
/*
 * shepherd_inside.h - the job of a shepherd, as its files share it
 *
 * shepherd.c has the fork server and the program from start to exit, shepherd_watch.c supervises the job from
 * its start to the exit of its last process, shepherd_tree.c signals and measures its processes,
 * shepherd_child.c is the child that becomes the job, and shepherd_environ.c gives it variables and files.
 * One shepherd has one job and one thread; all signals stay blocked and are read from a descriptor.
 */
#ifndef RM_SHEPHERD_INSIDE_H
#define RM_SHEPHERD_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "cgroup.h"
#include "launch.h"
#include "node_file.h"
#include "orphans.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "shepherd.h"
#include "signal_queue.h"
#include "spool.h"

/* --- run time and wallclock limit (shepherd_tree.c) --------------------------------------------------- */

/* CLOCK_BOOTTIME in ms, which cannot be set and also counts while the machine sleeps. */
int64_t now_ms(void);

struct run_clock {
	int64_t limit_ms;
	int64_t before_ms; /* run time until the clock was last stopped */
	int64_t since_ms;  /* when it was last started                   */
	bool stopped;
};

void clock_start(struct run_clock *c, int64_t limit_s, int64_t at_ms);
void clock_stop(struct run_clock *c, int64_t at_ms);
void clock_resume(struct run_clock *c, int64_t at_ms);
void clock_set_limit(struct run_clock *c, int64_t limit_s);
int64_t clock_ran_ms(const struct run_clock *c, int64_t at_ms);
/* Converts seconds to ms, at most a thousand years. */
int64_t clock_ms(int64_t s);
/* When left_s seconds of the limit remain; INT64_MAX while the clock is stopped. */
int64_t clock_moment(const struct run_clock *c, int64_t left_s);

/* --- processes of the job (shepherd_tree.c) ----------------------------------------------------------- */

struct process {
	char state; /* as in /proc/PID/stat: 'R' 'S' 'D' 'T' 'Z' ... */
	pid_t parent;
	int64_t threads;
	int64_t cpu_ticks; /* includes children that it has waited for */
	int64_t rss_kb;
	pid_t thread; /* the thread that rss_kb was read from: the first thread may have ended before others
		       */
};

struct tree {
	pid_t *pid, *parent; /* each with the process under which it was found */
	size_t count, cap, parent_cap;
};

/* Finds all descendants of this process, at most TREE_MAX. */
void tree_find(struct tree *t);
bool process_read(pid_t pid, struct process *out);

/* Signals process i of the tree if it is still a descendant; false: it has ended, or its pid was reused. */
bool tree_signal_one(const struct tree *t, size_t i, int signal_number);
/* Signals each process; SIGSTOP is repeated until no new process is found. */
void tree_signal(struct tree *t, int signal_number);
/* Signals only processes that catch the signal. */
void tree_warn(struct tree *t, int signal_number);
/* The number of processes that are alive. */
uint32_t tree_living(struct tree *t);
/* Binds every thread, and with it future children, to a list of processors ("0-3,8"). False: not such a
 * list. */
bool tree_bind(struct tree *t, const char *cpus);
void tree_free(struct tree *t);

/* --- the cgroup of the job (shepherd_tree.c) ---------------------------------------------------------- */

/* Creates the cgroup with its limits. level is HOLD_NONE if none is requested or it cannot be created. */
void cgroup_make(struct cgroup *c, const struct launch *launch);
/* False: the kernel does not support it, and processes must be stopped one by one. */
bool cgroup_freeze(const struct cgroup *c, bool frozen);
bool cgroup_ran_out_of_memory(const struct cgroup *c);
/* Overwrites those values that the cgroup measures more accurately. */
void cgroup_measure(const struct cgroup *c, struct spool_usage *usage);
void cgroup_measure_end(const struct cgroup *c, struct spool_ended *ended);
void cgroup_bind(const struct cgroup *c, const char *cpus);

/* --- the shepherd ------------------------------------------------------------------------------------- */

/*
 * Progress of a child that is to become another program, in memory shared with it: how a child died does not
 * show whether its program had begun.
 */
struct progress {
	volatile bool execs;            /* execve() is being called, or has succeeded */
	volatile int failed;            /* errno of an execve() that failed           */
	volatile int64_t user_since_ms; /* since when the child has run as its user; 0: not yet */
	volatile bool ends;             /* the job was told to end before that                  */
	volatile bool opens_session;    /* its PAM session is being opened, or is open          */
	char session_user[SPOOL_TEXT];  /* of that session, as the child has found the name     */
};

struct shepherd {
	pid_t self;
	struct launch launch;
	int folder, spool;
	struct spool_begun begun; /* as last written */
	struct cgroup cgroup;
	struct tree tree;
	int signals; /* a signalfd of all handled signals */

	struct node_file node_file; /* $PBS_NODEFILE, removed at the end */

	struct progress *progress;
	pid_t leader; /* the job's first process; 0: none */
	bool leader_ended;
	int64_t stops_at;  /* second in which processes asked to be traced ... */
	unsigned stops;    /* ... and how often */
	bool more_to_reap; /* the next look at children must not wait for a signal */
	bool signalled;    /* at a user's request */
	int channel;       /* from the child until it has become the job, then -1 */
	int relay;         /* to the relay while the child has not reached the waiting client, or -1  */
	int hand;          /* where the child hands the connection to the relay, or -1                */
	int waiter;        /* to the relay when it has the connection to the waiting client, or -1   */
	struct signal_queue requested; /* signals, by order or by the waiting client */
	int ends;                      /* where the end of the job is reported, or -1         */

	struct run_clock clock;
	bool warned, suspended;
	bool suspends, releases, rebinds; /* requested by the orders being read */
	bool owes_term;                   /* TERM is sent when the child runs as its user */
	int64_t kill_at_ms;               /* INT64_MAX: the job has not been told to end */

	int64_t look_at_ms;   /* the next measurement of usage */
	int64_t write_at_ms;  /* the next write of usage       */
	uint32_t writes;      /* number of writes              */
	struct rusage before; /* usage of the prolog           */
	int64_t mem_peak_kb;
	int shares;           /* where a process tells the sum of the shares; -1: none is asked */
	int64_t shares_by_ms; /* until then; later what is resident decides                     */

	/* When a PAM session that is being opened is given up; INT64_MAX: none is, or the child has said that
	 * it is open. */
	int64_t session_until_ms;

	struct spool_ended ended; /* collected until it is written */
};

/* --- supervision of the job (shepherd_watch.c) -------------------------------------------------------- */

/* Blocks all handled signals and returns a signalfd of them; -1 with errno set. */
int shepherd_listen(void);
/* Creates the child and returns when the job is over; sets s->ended except for usage. */
void shepherd_run_job(struct shepherd *s);

/* --- termination of the processes of the job (shepherd_watch.c) --------------------------------------- */

/* Reaps a few hundred exited children at most; sets more_to_reap if there may be more. False: no child is
 * left. */
bool shepherd_reap(struct shepherd *s);

/* Sends KILL to all processes repeatedly for at most 5 s; returns the number of survivors. */
uint32_t shepherd_kill_all(struct shepherd *s);

/* --- resource usage (shepherd_tree.c) ----------------------------------------------------------------- */

void usage_begin(struct shepherd *s);
/* Measures and writes usage when due. True: the job exceeds its memory limit and the kernel does not enforce
 * it. */
bool usage_look(struct shepherd *s, int64_t at_ms);
void usage_show_soon(struct shepherd *s);
void usage_end(struct shepherd *s);

/* --- permanent change from root to the submitting user (shepherd_child.c) ----------------------------- */

/* Leaves the session keyring of root, which the job would share otherwise. False with errno; true on a kernel
 * without keyrings. */
bool as_leave_keys(void);

bool as_take_ids(uid_t uid, gid_t gid);
/* Sets oom_score_adj to 0, which may be lower for the scheduler and its shepherds. */
void as_reset_oom_score(void);

/* See shepherd.h. Returns the exit status, and only if the program cannot be run. */
int as_user(const char *user, const char *descriptors, const char *folder, char **argv);

/* --- the child process (shepherd_child.c) ------------------------------------------------------------- */

/*
 * Only in the child: returns only when the job's program could not be started, with the sentence in err and
 * END_NOT_STARTED, END_TRY_AGAIN or END_HOST_FAULT.
 */
enum end_reason child_become_job(const struct shepherd *s, int channel, struct err *err);

/*
 * Notes whose fault the failure is that err describes: of the given kind, or, for an errno, the job's unless
 * the error is transient. Only in the child, a process that fails once. Always false.
 */
bool child_note(enum end_reason kind);
bool child_note_errno(int why);

/* The first byte of what the child says to its shepherd. */
#define CHILD_GIVES_UP   '!' /* END_NOT_STARTED; the reason follows, as in the next two */
#define CHILD_TRY_AGAIN  '+'
#define CHILD_HOST_FAULT '#'
#define CHILD_ENTERED    's' /* its PAM session is open                                 */
#define CHILD_REACHED    'w' /* the relay has the connection to the waiting client      */

/* --- PAM account check and session (shepherd_child.c) ------------------------------------------------- */

#define PAM_PATH_ROOM 128

/* The time limit for opening a session, and for closing it: 60 s. */
int64_t pam_limit_ms(void);

struct settings;
/* Root, a service, and a file of that service. */
bool pam_is_used(const struct launch *launch);
/* Only in the child, as root: account check, credentials, session. What PAM sets is added to the environment.
 * False with the reason. */
bool pam_enter(const struct shepherd *s, const char *user, struct settings *environment, struct err *err);
/* Closes the session if the child has begun to open one, with a time limit. */
void pam_leave(struct shepherd *s);

/* --- environment and files (shepherd_environ.c) ------------------------------------------------ */

/* Opens standard input, output and error of the job as its user. *connection: to a waiting client, or -1. */
bool files_open(const struct launch *launch, int *connection, struct err *err);

/* NAME=value, each name once. */
struct settings {
	char **item; /* NULL at the end */
	size_t count, cap;
};

struct identity {
	const char *user, *home, *shell;
};

/* Variables already in *out (from PAM) override defaults; submitted variables override both. */
void environ_make(const struct launch *launch, const struct identity *who, struct settings *out);
/* Adds the variables that identify the job, for the job and for site programs. */
void environ_add_job(const struct launch *launch, struct settings *out);
/* Writes a file with the node of each task, one per line (node_file.h). */
bool environ_write_nodes(const struct launch *launch, struct node_file *out);
void environ_drop(struct settings *out, const char *name);
void environ_set(struct settings *out, const char *name, const char *value);
/* Adds "NAME=value"; an item without a name is ignored. */
void environ_add(struct settings *out, const char *item);

/* --- prolog and epilog (shepherd_watch.c) ------------------------------------------------------------- */

/*
 * Runs prolog or epilog as ourselves, with a time limit. False with the sentence, and in *kind END_PROLOG if
 * the program failed, END_TRY_AGAIN or END_HOST_FAULT if it could not be run.
 */
bool site_run(struct shepherd *s, const char *program, enum end_reason *kind, struct err *err);
/* Waits for a child that does something for the site; false when it failed or took too long. */
bool site_wait(const char *what, pid_t pid, int64_t limit_ms, struct err *err);

#endif
