/* SPDX-License-Identifier: MIT */
/*
 * local_inside.h - state shared by the files of the local resource manager
 *
 * local_job.c has the table of running jobs and sends orders to shepherds. local_load.c measures processes
 * outside of jobs. local_end.c reports ended jobs and, after a restart, determines the state of each job.
 * local_start.c starts shepherds. local.c implements the operations of the resource manager by calling the
 * other files.
 */
#ifndef RM_LOCAL_INSIDE_H
#define RM_LOCAL_INSIDE_H

#include "local.h"
#include "orphans.h"
#include "outside_processes.h"
#include "sched/base/arena.h"
#include "seats.h"
#include "signal_queue.h"
#include "spool.h"

#define LOCAL_NO_JOB  0 /* epoll data of all descriptors that are not pidfds of jobs */
#define LOCAL_AGAIN_S 1 /* seconds between attempts to find a shepherd that has not identified itself */

/*
 * Maximum number of outside processes that one call of local_look() examines; this takes some milliseconds.
 * If no eventfd could be created to trigger the next call (local_load.call), there is only one call a second,
 * which therefore examines more processes.
 */
#define LOCAL_LOOK_MAX      64
#define LOCAL_LOOK_UNCALLED 1024

/* A job that is running on this host. */
struct local_job {
	uint64_t id;
	uint32_t attempt;
	uint32_t procs; /* allocated processors */
	int64_t mem_mb; /* allocated memory */
	pid_t pid;      /* process ID of the shepherd */
	bool old_boot;  /* the job may have been started before the last reboot */
	int failed;     /* errno if the shepherd could not begin; 0 = no such error is known */
	bool bound;     /* the processes of the job are bound to its processors */
	/* The job has no processors now, because they were released when it was suspended. */
	bool unseated;
	/* The job's processors are unknown, because its spool file did not name them yet. */
	bool unknown_cpus;
	/* The job's devices are unknown, because its spool file did not name them yet. */
	bool unknown_devices;
	int pidfd;       /* pidfd of the shepherd; -1: the shepherd has not identified itself yet */
	int64_t used_ps; /* processor-seconds used, as last reported */
	struct signal_queue requested; /* signals not yet sent to the shepherd */
};

/* Resources used by processes outside of jobs. */
struct local_load {
	struct outside_watch *watch;
	double told;           /* processors used, as last reported; -1: last reported as not measured */
	char by[OUTSIDE_NAME]; /* name of the process that uses the most processors, as last reported */
	int64_t told_mb;       /* memory of killed processes that have not exited, as last reported */
	/*
	 * Memory of ended jobs that left processes which could not be killed; counted until a look measures
	 * these processes.
	 */
	int64_t left_mb;
	int64_t left_s; /* time at which the last of these jobs ended */
	/*
	 * Maximum memory that counts for killed processes: the memory of the ended jobs that left them.
	 * INT64_MAX (no maximum) from the start of the scheduler until a look finds no killed process,
	 * because the jobs that ended before the start are unknown.
	 */
	int64_t left_most_mb;
	/* Time of the last report; TIME_NONE: not reported yet, or last reported as not measured. */
	int64_t told_s;
	/* Time of the last measurement; before the first one, the time since which it has been awaited. */
	int64_t measured_s;
	int64_t look_s;  /* time at which the next look at outside processes is due */
	int64_t every_s; /* rmpollinterval, in seconds */
	bool is_news;    /* the load must be reported at the next poll */
	bool looking;    /* a look is in progress and continues at the next call */
	int call;        /* an eventfd that stays readable during a look; -1 = none */
	size_t at_once;  /* maximum number of processes examined per call */
	int64_t *pid;    /* process IDs of the shepherds at the beginning of the look */
	size_t pid_count;
};

struct local {
	struct local_setup setup; /* strings are in `keep` */
	struct host_info host;
	struct seats seats;
	struct arena keep;
	char boot_id[BOOT_ID];
	int folder;        /* descriptor of the folder with spool files */
	int shepherd;      /* descriptor of the program kahu-shepherd, which is opened once */
	int epoll;         /* watches all pidfds */
	pid_t fork_server; /* valid while fork_socket is not -1 */
	int fork_socket;   /* socket to the fork server; -1 if it is not running */
	int ends[2];       /* pipe through which shepherds report ended jobs */
	bool boot_kept;    /* the boot ID is recorded in the spool folder */

	struct local_job *job;
	size_t job_count, job_cap;

	struct local_report { /* reports about ends found by local_adopt(), passed on at the next poll */
		struct event ev;
		uint32_t attempt;
	} * report;
	size_t report_count, report_cap;
	struct arena arena; /* contains the strings of these reports */

	struct gone { /* attempts whose files are removed when the report of their end is durable */
		uint64_t job;
		uint32_t attempt;
	} * gone;
	size_t gone_count, gone_cap;
	/*
	 * Barred attempts: a late shepherd that finds the file of its attempt does not run the job, so the
	 * file remains until the job has ended.
	 */
	struct gone *barred;
	size_t barred_count, barred_cap;
	struct left_cgroup { /* cgroups of ended jobs that the shepherds have not removed */
		char name[ORPHANS_FOLDER];
	} * left;
	size_t left_count, left_cap;
	struct str launch; /* encoded launch of the last start; the memory is reused */
	/*
	 * The node was reported larger than the host, because running jobs have more resources than the host.
	 */
	bool told_more;
	bool told_is_old;  /* a job has ended since this report, so the size must be reported again */
	int64_t now_s;     /* time of the last poll; TIME_NONE: there was none */
	int64_t sample_s;  /* time at which the usage of jobs is read next */
	int64_t again_s;   /* time at which jobs without a pidfd are examined next */
	int64_t signals_s; /* time at which queued signals are sent; TIME_NEVER: none is queued */
	struct local_load load;
};

/* --- load of processes outside of jobs (local_load.c) ------------------------------------------------- */

void local_close_load(struct local *l);
/*
 * Is the next call of local_look() due? If the clock was set back, the call is due at most one poll interval
 * later.
 */
bool local_look_is_due(const struct local *l, int64_t now_s);
/* Begins a look at outside processes, or continues the one in progress. */
void local_look(struct local *l, int64_t now_s);
/* Called when a job has started or ended. */
void local_jobs_changed(struct local *l);
/*
 * Called when an ended job has, or may have, left processes that could not be killed: counts the memory of
 * the job as used until it has been measured. peak_kb: maximum memory that the job used.
 */
void local_memory_left(struct local *l, const struct local_job *job, int64_t peak_kb, int64_t now_s);
/*
 * Called when the devices of the host have changed, or when it is unknown whether outside processes use them.
 */
void local_devices_changed(struct local *l);
/* Reports the load if it has changed. */
void local_tell_load(struct local *l, int64_t now_s, rm_report *report, void *to);

/* --- running jobs (local_job.c) ----------------------------------------------------------------------- */

/*
 * Returns a copy of fd whose number is above those that a shepherd uses, and closes fd. Returns -1 if fd is
 * -1, or on failure.
 */
int local_high_fd(int fd);

/*
 * local_find() finds a running job by ID and returns NULL if the job does not run here; local_add() adds a
 * job and local_drop() removes one. Pointers to jobs are valid until a job is added or dropped.
 */
struct local_job *local_find(struct local *l, uint64_t id);
struct local_job *local_add(struct local *l, const struct job *job);
void local_drop(struct local *l, struct local_job *job);

/*
 * Forgets all jobs, the reports that were not made yet, and the files to be removed after a commit. The jobs
 * continue to run.
 */
void local_forget(struct local *l);

/*
 * Watches a process as the shepherd of the job, and takes ownership of its pidfd. If pidfd is -1 or cannot be
 * watched, the spool file of the job is examined later instead.
 */
void local_watch(struct local *l, struct local_job *job, pid_t pid, int pidfd);

/* --- orders to shepherds, see rm.h (local_job.c) ------------------------------------------------------ */

bool local_cancel(void *self, const struct job *job, int64_t now_s, struct err *err);
bool local_suspend(void *self, const struct job *job, bool on, struct err *err);
bool local_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err);
/* Sends the signals that are queued because of the rate limit, as far as the limit allows it now. */
void local_send_signals(struct local *l, int64_t now_s);

/* --- cgroups of ended jobs (local_job.c) -------------------------------------------------------------- */

/*
 * The cgroup of an ended job remains while it contains a process that could not be killed.
 * local_note_cgroup() notes such a cgroup by name, local_note_cgroup_of() by the spool file of its job.
 * local_remove_cgroups() removes the noted cgroups that have become empty.
 */
void local_note_cgroup(struct local *l, const char *name);
void local_note_cgroup_of(struct local *l, const struct spool *spool);
void local_remove_cgroups(struct local *l);

/* --- ends of jobs (local_end.c) ----------------------------------------------------------------------- */

/*
 * Returns the event for the end of a job as recorded in its spool file. The time of the event is at most
 * now_s; its strings point into *spool.
 */
struct event local_end_event(uint64_t job, const struct spool *spool, int64_t now_s);
/*
 * Returns the event for the end of a lost job, and kills the remaining processes of the job. The reason in
 * the event is *why or, if *why is empty, that the shepherd was killed.
 */
struct event local_lost_event(const struct local *l, const struct spool *spool, struct err *why,
			      int64_t now_s);

/* Reports the jobs that have ended since the last call. */
void local_take_ends(struct local *l, int64_t now_s, rm_report *report, void *to);

/*
 * local_note_gone() notes an attempt whose end was reported. local_clear_gone() is called when all reports
 * are durable; it removes the files of the noted attempts, and those of the barred attempts of their jobs.
 */
void local_note_gone(struct local *l, uint64_t job, uint32_t attempt);

void local_clear_gone(struct local *l);

/* --- the fork server (local_start.c) ------------------------------------------------------------------ */

enum creation {
	CREATION_DONE,
	CREATION_NONE,   /* no shepherd was created */
	CREATION_UNKNOWN /* the fork server has died or did not answer: a shepherd may have been created */
};

struct new_shepherd {
	pid_t pid;
	int pidfd; /* -1: no descriptor was free for it */
};

/* Kills the fork server if it is running. Its shepherds continue to run. */
void local_end_fork_server(struct local *l);

/* --- adoption of jobs after a restart (local_end.c) --------------------------------------------------- */

bool local_adopt(void *self, const struct snapshot *s, struct err *err);

/*
 * Records the boot ID in the spool folder. Called before the first start of a job since the boot, and after
 * the reports of local_adopt() are durable. Returns false with err set on failure; *passes then tells whether
 * the error is transient (passes may be NULL).
 */
bool local_keep_boot(struct local *l, bool *passes, struct err *err);

/*
 * Reads the unknown processors and devices of adopted jobs from their spool files, as far as the files name
 * them by now. Returns false with a message if the processors of a running job (or, if `devices` is true, its
 * devices) are still unknown: a processor or device that seems free may then belong to this job.
 */
bool local_know_seats(struct local *l, bool devices, struct err *err);

/*
 * Examines the spool file of a job whose shepherd had not identified itself when it was examined last.
 * Watches the shepherd if it runs, and reports the end of the job if it is over.
 */
void local_look_again(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to);

/* --- job starts (local_start.c) ----------------------------------------------------------------------- */

bool local_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err);

#endif
