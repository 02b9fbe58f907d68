/* SPDX-License-Identifier: MIT */
/*
 * shepherd_inside.h - the state of a shepherd, and functions shared by its files
 *
 * shepherd.c has the fork server and the main program. shepherd_watch.c supervises the job from its start to
 * the exit of its last process. shepherd_tree.c signals and measures the processes of the job.
 * shepherd_child.c is the code of the child that becomes the job, shepherd_user.c makes it a process of the
 * job's user, and shepherd_environ.c sets up the environment variables and files of the job. shepherd_relay.c
 * connects the shepherd with a client that waits for the job.
 *
 * A shepherd has one job and one thread. Signals remain blocked and are read from a signalfd.
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

/* Returns CLOCK_BOOTTIME in ms; this clock cannot be set and also counts while the machine sleeps. */
int64_t now_ms(void);

struct run_clock {
	int64_t limit_ms;
	int64_t before_ms; /* run time until the clock was last stopped */
	int64_t since_ms;  /* time at which the clock was last started */
	bool stopped;
};

void clock_start(struct run_clock *c, int64_t limit_s, int64_t at_ms);
void clock_stop(struct run_clock *c, int64_t at_ms);
void clock_resume(struct run_clock *c, int64_t at_ms);
void clock_set_limit(struct run_clock *c, int64_t limit_s);
int64_t clock_ran_ms(const struct run_clock *c, int64_t at_ms);
/* Converts seconds to milliseconds. Longer times than a thousand years become a thousand years. */
int64_t clock_ms(int64_t s);
/*
 * Returns the time at which left_s seconds of the wallclock limit will remain; INT64_MAX while the clock is
 * stopped.
 */
int64_t clock_moment(const struct run_clock *c, int64_t left_s);

/* --- processes of the job (shepherd_tree.c) ----------------------------------------------------------- */

struct process {
	char state; /* state as in /proc/PID/stat: 'R', 'S', 'D', 'T', 'Z' ... */
	pid_t parent;
	int64_t threads;
	int64_t cpu_ticks; /* CPU time, including that of children for which the process has waited */
	int64_t rss_kb;
	/* The thread from which rss_kb was read: the first thread, or another one if the first has exited. */
	pid_t thread;
};

struct tree {
	pid_t *pid, *parent; /* PID of each process, and PID of the process as whose child it was found */
	size_t count, cap, parent_cap;
};

/* Finds all descendants of this process, at most TREE_MAX. */
void tree_find(struct tree *t);
/* Reads the values of a process. Returns false if the process has exited. */
bool process_read(pid_t pid, struct process *out);

/*
 * Signals process i of the tree if it is still a descendant. Returns false if it has exited or its PID was
 * reused.
 */
bool tree_signal_one(const struct tree *t, size_t i, int signal_number);
/* Signals all descendants. SIGSTOP is sent in several rounds until a round finds no new process. */
void tree_signal(struct tree *t, int signal_number);
/* Signals only those descendants that have a handler for the signal. */
void tree_warn(struct tree *t, int signal_number);
/* Returns the number of descendants that are alive. */
uint32_t tree_living(struct tree *t);
/*
 * Binds all threads of all descendants to a list of processors ("0-3,8"); their future children inherit the
 * binding. Returns false if `cpus` is not a list of processors.
 */
bool tree_bind(struct tree *t, const char *cpus);
void tree_free(struct tree *t);

/* --- the cgroup of the job (shepherd_tree.c) ---------------------------------------------------------- */

/*
 * Creates the cgroup of the job and sets its limits. c->level is HOLD_NONE if the launch requests no cgroup,
 * or if the cgroup cannot be created.
 */
void cgroup_make(struct cgroup *c, const struct launch *launch);
/*
 * Freezes or thaws all processes of the cgroup. Returns false if this is not possible; the processes must
 * then be stopped one by one.
 */
bool cgroup_freeze(const struct cgroup *c, bool frozen);
bool cgroup_ran_out_of_memory(const struct cgroup *c);
/*
 * cgroup_measure() and cgroup_measure_end() overwrite those values that the cgroup measures more accurately.
 */
void cgroup_measure(const struct cgroup *c, struct spool_usage *usage);
void cgroup_measure_end(const struct cgroup *c, struct spool_ended *ended);
void cgroup_bind(const struct cgroup *c, const char *cpus);

/* --- the shepherd ------------------------------------------------------------------------------------- */

/*
 * Progress of a child that will execute another program, in memory shared with the child, because the exit
 * status of a child does not show whether the program had begun.
 */
struct progress {
	volatile bool execs;            /* the child is calling execve(), or execve() has succeeded */
	volatile int failed;            /* errno of execve() if it has failed */
	volatile int64_t user_since_ms; /* time since which the child runs as the job's user; 0: not yet */
	/* The job must end: the child sends itself TERM when it runs as the user of the job. */
	volatile bool ends;
	volatile bool opens_session;   /* the PAM session is being opened, or is open */
	char session_user[SPOOL_TEXT]; /* user name of the PAM session, as determined by the child */
};

struct shepherd {
	pid_t self;
	struct launch launch;
	int folder, spool;
	struct spool_begun begun; /* first part of the spool file (struct spool_begun), as last written */
	struct cgroup cgroup;
	struct tree tree;
	int signals; /* signalfd of all handled signals */

	struct node_file node_file; /* file $PBS_NODEFILE, which is removed when the job is over */

	struct progress *progress;
	pid_t leader; /* the job's first process; 0: none */
	bool leader_ended;
	/* Second in which processes of the job last asked to be traced (PTRACE_TRACEME). */
	int64_t stops_at;
	unsigned stops;    /* number of such requests in this second */
	bool more_to_reap; /* more children may have exited: reap again without waiting for a signal */
	bool signalled;    /* a signal was sent to the job at a user's request */
	/* Socket for messages from the child; -1 after the child has become the job. */
	int channel;
	/* Connection to the relay process; -1 after the child has reached the waiting client. */
	int relay;
	/* Socket through which the child passes its connection to the relay, or -1. */
	int hand;
	/* Connection to the relay process, once the child has reached the waiting client; until then -1. */
	int waiter;
	struct signal_queue
		requested; /* signals that orders have requested and that were not sent to the job yet */
	int ends;          /* pipe through which the end of the job is reported, or -1 */

	struct run_clock clock;
	bool warned, suspended;
	bool suspends, releases, rebinds; /* what is requested by the orders that are being read */
	bool owes_term;                   /* TERM must be sent as soon as the child runs as the job's user */
	/* Time at which the processes are killed; INT64_MAX: no end of the job was requested. */
	int64_t kill_at_ms;

	int64_t look_at_ms;   /* time of the next measurement of usage */
	int64_t write_at_ms;  /* time of the next write of usage */
	uint32_t writes;      /* number of times that usage was written */
	struct rusage before; /* usage of earlier children at the start of the job, such as the prolog */
	int64_t mem_peak_kb;
	/* Pipe from the process that adds up the memory shares (Pss) of the job's processes; -1: none. */
	int shares;
	/* Deadline for the sum of shares; after it, resident memory is compared with the limit. */
	int64_t shares_by_ms;

	/*
	 * Time at which the shepherd gives up opening the PAM session; INT64_MAX: no session is being opened.
	 */
	int64_t session_until_ms;

	/* How the job ended: filled in step by step, and written to the spool file when the job is over. */
	struct spool_ended ended;
};

/* --- supervision of the job (shepherd_watch.c) -------------------------------------------------------- */

/*
 * Blocks all handled signals, and returns a signalfd from which they are read; -1 with errno set on failure.
 */
int shepherd_listen(void);
/*
 * Creates the child that becomes the job, and returns when the job is over. Sets s->ended, except for the
 * usage.
 */
void shepherd_run_job(struct shepherd *s);

/* --- the relay (shepherd_relay.c) ---------------------------------------------------------------------- */

/*
 * May another relay of this user begin? Not if too many of the user's relays are stuck. They are counted
 * among the children of our parent, which is the parent of all shepherds and relays.
 */
bool shepherd_may_relay(uid_t uid);

/*
 * Starts a relay. On the socket *shepherd, the shepherd exchanges the messages of waiter.h with the client,
 * and reads end of file when the client or the relay is gone. On the socket *hand, the child passes the
 * client's connection to the relay (fd_passing.h). The caller closes both sockets. Returns false with errno
 * set on failure.
 */
bool shepherd_relay(const struct launch *launch, int *shepherd, int *hand);

/* --- termination of the processes of the job (shepherd_watch.c) --------------------------------------- */

/*
 * Reaps exited children, at most a few hundred in a call; sets s->more_to_reap if there may be more. Returns
 * false if no child is left.
 */
bool shepherd_reap(struct shepherd *s);

/*
 * Sends KILL to all processes of the job repeatedly, until none is left, for at most 5 s. Returns the number
 * of processes that are still alive.
 */
uint32_t shepherd_kill_all(struct shepherd *s);

/* --- resource usage (shepherd_tree.c) ----------------------------------------------------------------- */

/* Called when the job starts: begins the measurement of its usage. */
void usage_begin(struct shepherd *s);
/*
 * Measures the usage of the job and writes it to the spool file, if this is due. Returns true if the job
 * exceeds its memory limit and the kernel does not enforce this limit.
 */
bool usage_look(struct shepherd *s, int64_t at_ms);
/* Makes the next measurement and write of usage due now. */
void usage_show_soon(struct shepherd *s);
/* Called when the job is over: sets the usage in s->ended. */
void usage_end(struct shepherd *s);

/* --- permanent change from root to the submitting user (shepherd_user.c) ------------------------------ */

/*
 * Leaves the session keyring of root, which the job would otherwise share. Returns true on success and on a
 * kernel without keyrings; false with errno set on failure.
 */
bool as_leave_keys(void);

/*
 * as_take_groups() sets the groups of the user, and as_take_ids() all user and group IDs of this process
 * permanently. These are separate steps, because PAM may add groups in between. They return false with errno
 * set on failure.
 */
bool as_take_groups(const char *user, gid_t gid);
bool as_take_ids(uid_t uid, gid_t gid);

/* Sets oom_score_adj to 0; the scheduler and its shepherds may have a lower value. */
void as_reset_oom_score(void);
/* Sets the soft limit of open files, given as text; NULL or 0: unchanged. */
void as_bound_descriptors(const char *text);
/* Sets the soft limit of core files to 0. Returns false with errno set on failure. */
bool as_leave_no_core(void);

/*
 * Implements SHEPHERD_AS (shepherd.h): runs a program as another user. Returns an exit status, and only if
 * the program cannot be run.
 */
int as_user(const char *user, const char *descriptors, const char *folder, char **argv);

/* --- the child process (shepherd_child.c) ------------------------------------------------------------- */

/*
 * Called only in the child, which becomes the job. Returns only if the job's program could not be started:
 * END_NOT_STARTED, END_TRY_AGAIN or END_HOST_FAULT, with a message in err.
 */
enum end_reason child_become_job(const struct shepherd *s, int channel, struct err *err);

/*
 * Record the kind of failure that child_become_job() returns. child_note() records the given kind;
 * child_note_errno() records END_TRY_AGAIN if the error is transient, otherwise END_NOT_STARTED. Called only
 * in the child. Both always return false.
 */
bool child_note(enum end_reason kind);
bool child_note_errno(int why);

/* The first byte of a message from the child to its shepherd. */
#define CHILD_GIVES_UP   '!' /* END_NOT_STARTED; an error message follows */
#define CHILD_TRY_AGAIN  '+'
#define CHILD_HOST_FAULT '#'
#define CHILD_ENTERED    's' /* the PAM session is open */
#define CHILD_REACHED    'w' /* the relay has the connection to the waiting client      */

/* --- PAM account check and session (shepherd_child.c) ------------------------------------------------- */

#define PAM_PATH_ROOM 128

/* Returns the time limit for opening a session, and for closing it: 60 s. */
int64_t pam_limit_ms(void);

struct settings;
/*
 * Does the job get a PAM session? True if this process is root, the launch names a service and the service
 * has a file.
 */
bool pam_is_used(const struct launch *launch);
/*
 * Called only in the child, as root: checks the account, establishes credentials and opens the session.
 * Variables that PAM sets are added to the environment. Returns false with a message on failure.
 */
bool pam_enter(const struct shepherd *s, const char *user, struct settings *environment, struct err *err);
/* Closes the session, with a time limit, if the child has begun to open one. */
void pam_leave(struct shepherd *s);

/* --- environment and files (shepherd_environ.c) ------------------------------------------------ */

/*
 * Called as the job's user: opens the standard input, output and error of the job. *connection: the
 * connection to the waiting client, or -1. Returns false with a message on failure.
 */
bool files_open(const struct launch *launch, int *connection, struct err *err);

/* Environment variables as strings "NAME=value". Each name occurs once. */
struct settings {
	char **item; /* ends with NULL */
	size_t count, cap;
};

struct identity {
	const char *user, *home, *shell;
};

/*
 * Adds all environment variables of the job. Variables that are already in *out, from PAM, override defaults.
 * Submitted variables override both.
 */
void environ_make(const struct launch *launch, const struct identity *who, struct settings *out);
/* Adds the variables that identify the job, for the job and for site programs. */
void environ_add_job(const struct launch *launch, struct settings *out);
/* Writes a file with the node of each task, one per line (node_file.h). */
bool environ_write_nodes(const struct launch *launch, struct node_file *out);
void environ_drop(struct settings *out, const char *name);
void environ_set(struct settings *out, const char *name, const char *value);
/* Adds a variable given as "NAME=value"; an item without a name is ignored. */
void environ_add(struct settings *out, const char *item);

/* --- prolog and epilog (shepherd_watch.c) ------------------------------------------------------------- */

/*
 * Runs the prolog or epilog as the user of this process, with a time limit. Returns false with a message on
 * failure; *kind is then END_PROLOG if the program failed, or END_TRY_AGAIN or END_HOST_FAULT if it could not
 * be run.
 */
bool site_run(struct shepherd *s, const char *program, enum end_reason *kind, struct err *err);
/*
 * Waits at most limit_ms for the end of a child that runs a program of the site. Returns false with a message
 * if the program failed or took too long.
 */
bool site_wait(const char *what, pid_t pid, int64_t limit_ms, struct err *err);

#endif
