/* SPDX-License-Identifier: MIT */
/*
 * shepherd_inside.h - what the files of the shepherd share and nobody else sees
 *
 * shepherd.c is the life of the program, shepherd_watch.c the time between the start of the job and the
 * death of its last process. The other files each know one thing: how its processes end, how the child
 * becomes the job, its files, its environment, the programs of the site around it, its clock, its cgroup, its
 * tree of processes, what it uses. One job, one thread; all signals stay blocked and are read from a
 * descriptor.
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
#include "orphans.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "shepherd.h"
#include "signal_queue.h"
#include "spool.h"

/* --- shepherd_clock.c: how long has the job run, and how long may it still? ---------------------- */

/* By CLOCK_BOOTTIME: nobody sets it, and it goes on while the machine sleeps. */
int64_t now_ms(void);

struct run_clock {
	int64_t limit_ms;
	int64_t before_ms; /* what had been run when it was stopped last */
	int64_t since_ms;  /* when it was started again                  */
	bool stands;
};

void clock_start(struct run_clock *c, int64_t limit_s, int64_t at_ms);
void clock_stop(struct run_clock *c, int64_t at_ms);
void clock_go_on(struct run_clock *c, int64_t at_ms);
void clock_set_limit(struct run_clock *c, int64_t limit_s);
int64_t clock_ran_ms(const struct run_clock *c, int64_t at_ms);
/* Seconds in ms, at most a thousand years of them. */
int64_t clock_ms(int64_t s);
/* The moment when so much will be left; INT64_MAX while it stands. */
int64_t clock_moment(const struct run_clock *c, int64_t left_s);

/* --- shepherd_tree.c: which processes are the job's? --------------------------------------------- */

struct process {
	char state; /* as in /proc/PID/stat: 'R' 'S' 'D' 'T' 'Z' ... */
	pid_t parent;
	int64_t threads;
	int64_t cpu_ticks; /* its own and that of children it has waited for */
	int64_t rss_kb;
	pid_t thread; /* whose memory that is: the first may have ended while others work */
};

struct tree {
	pid_t *pid, *parent; /* each with the process under which it was found */
	size_t count, cap, parent_cap;
};

/* All processes below us, at most TREE_MAX. */
void tree_find(struct tree *t);
bool process_read(pid_t pid, struct process *out);

/* To the Ith that was found, if it is still below us; false: it is gone, or its number is a stranger's. */
bool tree_signal_one(const struct tree *t, size_t i, int signal_number);
/* To each of them; SIGSTOP until no new one is found. */
void tree_signal(struct tree *t, int signal_number);
/* Only to those who catch it. */
void tree_warn(struct tree *t, int signal_number);
/* How many of them live. */
uint32_t tree_living(struct tree *t);
/* Binds every thread of all to a list of processors ("0-3,8"), so their children as well. False: it is no
 * such list. */
bool tree_bind(struct tree *t, const char *cpus);
void tree_free(struct tree *t);

/* --- shepherd_cgroup.c: what does the kernel hold together for us? ------------------------------- */

/* Makes it, with its bounds. Without one, or when it cannot be had, level is HOLD_NONE. */
void cgroup_make(struct cgroup *c, const struct launch *launch);
/* False: the kernel cannot, do it one by one. */
bool cgroup_freeze(const struct cgroup *c, bool frozen);
bool cgroup_ran_out_of_memory(const struct cgroup *c);
/* Overwrites what it knows better. */
void cgroup_measure(const struct cgroup *c, struct spool_usage *usage);
void cgroup_measure_end(const struct cgroup *c, struct spool_ended *ended);
void cgroup_bind(const struct cgroup *c, const char *cpus);

/* --- the shepherd itself ------------------------------------------------------------------------- */

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

#define NODE_FILE_ROOM 64

struct shepherd {
	pid_t self;
	struct launch launch;
	int folder, spool;
	struct spool_begun begun; /* as it was written last */
	struct cgroup cgroup;
	struct tree tree;
	int signals; /* all we listen to, as a descriptor */

	char node_file[NODE_FILE_ROOM]; /* $PBS_NODEFILE, removed at the end; "" = none */

	struct progress *progress;
	pid_t leader; /* the job's first process; 0: none */
	bool leader_ended;
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
	bool suspends, releases, rebinds; /* what the orders that are being heard want */
	bool owes_term;                   /* TERM is sent when the child runs as its user */
	int64_t kill_at_ms;               /* INT64_MAX: it has not been told to end */

	int64_t look_at_ms;   /* when usage is looked at next  */
	int64_t write_at_ms;  /* when it is written next       */
	uint32_t writes;      /* how often it has been         */
	struct rusage before; /* what the prolog used          */
	int64_t mem_peak_kb;
	int shares;           /* where a process tells the sum of the shares; -1: none is asked */
	int64_t shares_by_ms; /* until then; later what is resident decides                     */

	/* When a PAM session that is being opened is given up; INT64_MAX: none is, or the child has said that
	 * it is open. */
	int64_t session_until_ms;

	struct spool_ended ended; /* is put together until it is written */
};

/* --- shepherd_watch.c: what happens until the last process of the job is dead? ------------------- */

/* All we listen to, blocked, as a descriptor; -1 with errno. */
int shepherd_listen(void);
/* Makes the child and stays until all is over; ended says how it was, but for what it used. */
void shepherd_run_job(struct shepherd *s);

/* --- shepherd_end.c: how do the processes of a job end? ------------------------------------------ */

/* Waits for those who have died, for a few hundred at a time: more_to_reap says that there may be more.
 * False: nobody is left. */
bool shepherd_reap(struct shepherd *s);
/* Waits for somebody to die, a while. */
void shepherd_wait_for_death(int64_t at_most_ms);
/* KILL for all, again and again, for at most 5 s; how many live on. */
uint32_t shepherd_kill_all(struct shepherd *s);
/* Is there a child that does not run as its user yet? What a user asks for must not reach a process of root,
 * which may be inside PAM. */
bool shepherd_is_entering(const struct shepherd *s);
/* TERM for all, and KILL when the grace is over; without one KILL at once. The first reason counts. While the
 * child is entering TERM is owed. */
void shepherd_stop(struct shepherd *s, enum end_reason reason, int64_t grace_ms);
/* Sends the TERM that is owed, if any. */
void shepherd_pay_term(struct shepherd *s);
/* Stops all and its clock, or lets them go on. */
void shepherd_suspend(struct shepherd *s, bool suspends);
/* Binds all to the processors that the spool names, if it names any. */
void shepherd_rebind(struct shepherd *s);

/* --- shepherd_usage.c: what does the job use? ---------------------------------------------------- */

void usage_begin(struct shepherd *s);
/* Looks when it is time to, and writes. True: it has more memory than it may and nobody else sees to it. */
bool usage_look(struct shepherd *s, int64_t at_ms);
void usage_show_soon(struct shepherd *s);
void usage_end(struct shepherd *s);

/* --- shepherd_as.c: how does a process of root become a user, for good? -------------------------- */

/* Root's keys are those of his session, which whoever it starts would share: from now on there are none.
 * False with errno; a kernel without keyrings has nothing to leave. */
bool as_leave_keys(void);

/* False with errno. */
bool as_become(const char *user, uid_t uid, gid_t gid);
/* In two steps: the groups, after which PAM may add some; the rest. */
bool as_take_groups(const char *user, gid_t gid);
bool as_take_ids(uid_t uid, gid_t gid);
/* Sets oom_score_adj to 0, which may be lower for the scheduler and its shepherds. */
void as_be_spared_no_more(void);
/* Sets the soft limit of open files, given as text; NULL or 0: unchanged. */
void as_bound_descriptors(const char *text);
/* Sets the soft limit of core files to 0; false with errno. */
bool as_leave_no_core(void);
/* As shepherd.h says; comes back only with the exit status. */
int as_user(const char *user, const char *descriptors, const char *folder, char **argv);

/* --- shepherd_child.c, shepherd_files.c, shepherd_environ.c: how does the child become the job? -- */

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

/* --- shepherd_pam.c: what do the account check and the session of PAM say? ----------------------- */

#define PAM_PATH_ROOM 128

/* The time limit for opening a session, and for closing it: 60 s. */
int64_t pam_limit_ms(void);

struct settings;
/* Root, a service, and a file of that service. */
bool pam_is_used(const struct launch *launch);
/* Only in the child, as root: account check, credentials, session. What PAM sets is added to the environment.
 * False with the reason. */
bool pam_enter(const struct shepherd *s, const char *user, struct settings *environment, struct err *err);
/* Closes the session if the child had begun to open one, with a time limit. */
void pam_leave(struct shepherd *s);

/* Input, output and errors of the job, opened as who runs it. connection: to who waits, or -1. */
bool files_open(const struct launch *launch, int *connection, struct err *err);

/* NAME=value, each name once. */
struct settings {
	char **item; /* NULL at the end */
	size_t count, cap;
};

struct identity {
	const char *user, *home, *shell;
};

/* What is in out already (of PAM) wins over the defaults, and loses against what was submitted. */
void environ_make(const struct launch *launch, const struct identity *who, struct settings *out);
/* What tells a job, or a program of the site, which job it is. */
void environ_add_job(const struct launch *launch, struct settings *out);
/* Makes the file that names the node of each task, one a line. False with errno, and path is "". */
bool environ_write_nodes(const struct launch *launch, char *path, size_t room);
void environ_drop(struct settings *out, const char *name);
void environ_set(struct settings *out, const char *name, const char *value);
/* "NAME=value" as it is; what has no name is left out. */
void environ_add(struct settings *out, const char *item);

/* --- shepherd_relay.c: how does the shepherd speak with a waiting client? ------------------------ */

/* False while the most relays that a user may leave behind, unable to end or stopped, are this user's. */
bool relay_may_begin(uid_t uid);
/*
 * Starts a relay. Through *shepherd the shepherd exchanges messages of waiter.h with the client; it reads end
 * of file when the client or the relay is gone. Through *hand the child sends the client's connection
 * (passing.h). Both are the caller's to close. Returns false with errno set on failure.
 */
bool relay_begin(const struct launch *launch, int *shepherd, int *hand);

/* --- shepherd_nursery.c: how are many shepherds made without starting a program for each? -------- */

/* As shepherd.h says. True in a shepherd that it made, which has what it would have been started with;
 * false in itself, when nobody is left who could ask. */
bool nursery_live(char **argv);

/* --- shepherd_site.c: what do the site's programs say? ------------------------------------------- */

/*
 * Runs prolog or epilog as ourselves, with a time limit. False with the sentence, and in *kind END_PROLOG if
 * the program failed, END_TRY_AGAIN or END_HOST_FAULT if it could not be run.
 */
bool site_run(struct shepherd *s, const char *program, enum end_reason *kind, struct err *err);
/* Waits for a child that does something for the site; false when it failed or took too long. */
bool site_wait(const char *what, pid_t pid, int64_t limit_ms, struct err *err);

#endif
