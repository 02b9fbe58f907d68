/* SPDX-License-Identifier: MIT */
/*
 * shepherd_inside.h - the state of a shepherd, and functions shared by its files
 *
 * shepherd.c has the fork server and the program from start to exit, shepherd_watch.c supervises the job from
 * its start to the exit of its last process, shepherd_tree.c signals and measures its processes,
 * shepherd_child.c is the code of the child that becomes the job, and shepherd_environ.c sets up its
 * environment variables and files. One shepherd has one job and one thread; all signals stay blocked and are
 * read from a descriptor.
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
	int64_t since_ms;  /* when the clock was last started */
	bool stopped;
};

void clock_start(struct run_clock *c, int64_t limit_s, int64_t at_ms);
void clock_stop(struct run_clock *c, int64_t at_ms);
void clock_resume(struct run_clock *c, int64_t at_ms);
void clock_set_limit(struct run_clock *c, int64_t limit_s);
int64_t clock_ran_ms(const struct run_clock *c, int64_t at_ms);
/* Converts seconds to ms, at most a thousand years. */
int64_t clock_ms(int64_t s);
/* Returns the time at which left_s seconds of the limit will remain; INT64_MAX while the clock is stopped. */
int64_t clock_moment(const struct run_clock *c, int64_t left_s);

/* --- processes of the job (shepherd_tree.c) ----------------------------------------------------------- */

struct process {
	char state; /* as in /proc/PID/stat: 'R' 'S' 'D' 'T' 'Z' ... */
	pid_t parent;
	int64_t threads;
	int64_t cpu_ticks; /* includes the children for which the process has waited */
	int64_t rss_kb;
	pid_t thread; /* the thread from which rss_kb was read, not always the first one, which may have
			 exited before others */
};

struct tree {
	pid_t *pid, *parent; /* each process, and the process as whose child it was found */
	size_t count, cap, parent_cap;
};

/* Finds all descendants of this process, at most TREE_MAX. */
void tree_find(struct tree *t);
bool process_read(pid_t pid, struct process *out);

/*
 * Signals process i of the tree if it is still a descendant. Returns false if it has exited or its PID was
 * reused.
 */
bool tree_signal_one(const struct tree *t, size_t i, int signal_number);
/* Signals all descendants; SIGSTOP is repeated until no new process is found. */
void tree_signal(struct tree *t, int signal_number);
/* Signals those descendants that catch the signal. */
void tree_warn(struct tree *t, int signal_number);
/* Returns the number of descendants that are alive. */
uint32_t tree_living(struct tree *t);
/*
 * Binds all threads of all descendants, and thereby future children, to a list of processors ("0-3,8").
 * False: `cpus` is not such a list.
 */
bool tree_bind(struct tree *t, const char *cpus);
void tree_free(struct tree *t);

/* --- the cgroup of the job (shepherd_tree.c) ---------------------------------------------------------- */

/*
 * Creates the cgroup of the job with its limits. level is HOLD_NONE if the launch requests none or it cannot
 * be created.
 */
void cgroup_make(struct cgroup *c, const struct launch *launch);
/*
 * Freezes or thaws all processes of the cgroup. False: this is not possible, and processes must be stopped
 * one by one.
 */
bool cgroup_freeze(const struct cgroup *c, bool frozen);
bool cgroup_ran_out_of_memory(const struct cgroup *c);
/* Overwrite those values that the cgroup measures more accurately. */
void cgroup_measure(const struct cgroup *c, struct spool_usage *usage);
void cgroup_measure_end(const struct cgroup *c, struct spool_ended *ended);
void cgroup_bind(const struct cgroup *c, const char *cpus);

/* --- the shepherd ------------------------------------------------------------------------------------- */

/*
 * Progress of a child that is to execute another program, in memory shared with the child: the exit status of
 * a child does not show whether its program had begun.
 */
struct progress {
	volatile bool execs;            /* the child is calling execve(), or execve() has succeeded */
	volatile int failed;            /* errno of an execve() that failed           */
	volatile int64_t user_since_ms; /* time since which the child runs as its user; 0: not yet */
	volatile bool ends;             /* the job was told to end before the child ran as its user */
	volatile bool opens_session;    /* the PAM session is being opened, or is open */
	char session_user[SPOOL_TEXT];  /* user name of that session, as found by the child */
};

struct shepherd {
	pid_t self;
	struct launch launch;
	int folder, spool;
	struct spool_begun begun; /* begun part of the spool file, as last written */
	struct cgroup cgroup;
	struct tree tree;
	int signals; /* a signalfd of all handled signals */

	struct node_file node_file; /* $PBS_NODEFILE, removed at the end */

	struct progress *progress;
	pid_t leader; /* the job's first process; 0: none */
	bool leader_ended;
	int64_t stops_at;  /* second of the last requests of processes to be traced ... */
	unsigned stops;    /* ... and the number of requests in this second */
	bool more_to_reap; /* more children may have exited: reap again without waiting for a signal */
	bool signalled;    /* a signal was sent to the job at a user's request */
	int channel;       /* messages from the child until it has become the job, then -1 */
	int relay;  /* connection to the relay, until the child has reached the waiting client; then -1 */
	int hand;   /* through which the child passes the connection to the relay, or -1 */
	int waiter; /* connection to the relay, once the relay has the connection to the waiting client; else
		       -1 */
	struct signal_queue requested; /* signals requested by an order, not sent yet */
	int ends;                      /* pipe in which the end of the job is reported, or -1 */

	struct run_clock clock;
	bool warned, suspended;
	bool suspends, releases, rebinds; /* requested by the orders being read */
	bool owes_term;                   /* TERM is sent as soon as the child runs as its user */
	int64_t kill_at_ms; /* when processes are killed; INT64_MAX: the job was not told to end */

	int64_t look_at_ms;   /* time of the next measurement of usage */
	int64_t write_at_ms;  /* time of the next write of usage */
	uint32_t writes;      /* number of writes              */
	struct rusage before; /* usage at the start of the job, such as that of the prolog */
	int64_t mem_peak_kb;
	int shares; /* pipe from the process that adds up memory shares (shepherd_tree.c); -1: none */
	int64_t shares_by_ms; /* deadline of its answer; after that, resident memory decides */

	/* When the opening of a PAM session is given up; INT64_MAX: no session is being opened. */
	int64_t session_until_ms;

	struct spool_ended ended; /* ended part of the spool file, collected until it is written */
};

/* --- supervision of the job (shepherd_watch.c) -------------------------------------------------------- */

/* Blocks all handled signals and returns a signalfd of them; -1 with errno set. */
int shepherd_listen(void);
/* Creates the child and returns when the job is over; sets s->ended except for usage. */
void shepherd_run_job(struct shepherd *s);

/* --- termination of the processes of the job (shepherd_watch.c) --------------------------------------- */

/*
 * Reaps at most a few hundred exited children; sets more_to_reap if there may be more. Returns false if no
 * child is left.
 */
bool shepherd_reap(struct shepherd *s);

/* Sends KILL to all processes of the job repeatedly, for at most 5 s; returns the number of survivors. */
uint32_t shepherd_kill_all(struct shepherd *s);

/* --- resource usage (shepherd_tree.c) ----------------------------------------------------------------- */

void usage_begin(struct shepherd *s);
/*
 * Measures and writes usage if this is due. Returns true if the job exceeds its memory limit and the kernel
 * does not enforce the limit.
 */
bool usage_look(struct shepherd *s, int64_t at_ms);
void usage_show_soon(struct shepherd *s);
void usage_end(struct shepherd *s);

/* --- permanent change from root to the submitting user (shepherd_child.c) ----------------------------- */

/*
 * Leaves the session keyring of root, which the job would otherwise share. Returns false with errno set on
 * failure, true on a kernel without keyrings.
 */
bool as_leave_keys(void);

bool as_take_ids(uid_t uid, gid_t gid);
/* Sets oom_score_adj to 0; the scheduler and its shepherds may have a lower value. */
void as_reset_oom_score(void);

/* Implements SHEPHERD_AS (shepherd.h). Returns only if the program cannot be run: the exit status. */
int as_user(const char *user, const char *descriptors, const char *folder, char **argv);

/* --- the child process (shepherd_child.c) ------------------------------------------------------------- */

/*
 * Called only in the child: makes it the job. Returns only if the job's program could not be started:
 * END_NOT_STARTED, END_TRY_AGAIN or END_HOST_FAULT, with the message in err.
 */
enum end_reason child_become_job(const struct shepherd *s, int channel, struct err *err);

/*
 * Record the kind of failure that child_become_job() returns: the given kind; or, for an errno, END_TRY_AGAIN
 * if the error is transient and END_NOT_STARTED otherwise. Called only in the child. Always return false.
 */
bool child_note(enum end_reason kind);
bool child_note_errno(int why);

/* The first byte of a message from the child to its shepherd. */
#define CHILD_GIVES_UP   '!' /* END_NOT_STARTED; the message of the error follows, here and in the next two */
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

/* Strings NAME=value, each name once. */
struct settings {
	char **item; /* ends with NULL */
	size_t count, cap;
};

struct identity {
	const char *user, *home, *shell;
};

/*
 * Adds all variables of the job. Variables already in *out (from PAM) override defaults; submitted variables
 * override both.
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
 * failure, and *kind is END_PROLOG if the program failed, END_TRY_AGAIN or END_HOST_FAULT if it could not be
 * run.
 */
bool site_run(struct shepherd *s, const char *program, enum end_reason *kind, struct err *err);
/*
 * Waits for the end of a child that runs something for the site, at most limit_ms. Returns false with a
 * message if it failed or took too long.
 */
bool site_wait(const char *what, pid_t pid, int64_t limit_ms, struct err *err);

#endif
