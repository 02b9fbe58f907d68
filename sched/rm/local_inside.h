/* SPDX-License-Identifier: MIT */
/*
 * local_inside.h - state shared by the files of the local resource manager
 *
 * local_job.c has the table of running jobs and sends orders to shepherds; local_load.c measures processes
 * outside of jobs; local_end.c reports ended jobs, and determines the state of each job after a restart;
 * local_start.c starts shepherds; local.c implements the operations of the resource manager by calling these
 * files.
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

#define LOCAL_NO_JOB  0 /* epoll data of descriptors other than pidfds */
#define LOCAL_AGAIN_S 1 /* seconds between attempts to find a shepherd that has not identified itself */

/*
 * Maximum number of outside processes examined in one call, which takes some milliseconds. If there is no
 * descriptor that triggers the next call, there is only one call a second, which examines more.
 */
#define LOCAL_LOOK_MAX      64
#define LOCAL_LOOK_UNCALLED 1024

/* A job that is running on this host. */
struct local_job {
	uint64_t id;
	uint32_t attempt;
	uint32_t procs;       /* allocated processors */
	int64_t mem_mb;       /* allocated memory */
	pid_t pid;            /* process ID of the shepherd */
	bool old_boot;        /* possibly started before the last reboot */
	int failed;           /* errno with which the shepherd could not begin; 0 = none */
	bool bound;           /* the job is bound to its processors */
	bool unseated;        /* the job has no processors, because they were released */
	bool unknown_cpus;    /* its processors are unknown: its spool file has not named them yet */
	bool unknown_devices; /* its devices are unknown, for the same reason */
	int pidfd;            /* watches the shepherd; -1: the shepherd has not identified itself yet */
	int64_t used_ps;      /* processor-seconds used, as last reported */
	struct signal_queue requested; /* signals that were not sent to its shepherd yet */
};

/* Resources used by processes outside of jobs. */
struct local_load {
	struct outside_watch *watch;
	double told;           /* processors used, as last reported */
	char by[OUTSIDE_NAME]; /* the process that uses most, as last reported */
	int64_t told_mb;       /* memory of processes that cannot be killed, as last reported */
	int64_t left_mb;       /* memory of ended jobs that left such processes, not measured yet */
	int64_t left_s;        /* when the last of these jobs ended                                    */
	int64_t told_s; /* time of the last report; TIME_NONE: this process has not reported the load yet */
	int64_t measured_s; /* time of the last measurement; before it, when it was first awaited */
	int64_t look_s;     /* time of the next look */
	int64_t every_s;    /* rmpollinterval                                   */
	bool is_news;       /* must be reported */
	bool looking;       /* a look is in progress and continues at the next call */
	int call;           /* an eventfd that stays readable during a look; -1 = none */
	size_t at_once;     /* processes examined per call */
	int64_t *pid;       /* process IDs of the shepherds at the beginning of the look */
	size_t pid_count;
};

struct local {
	struct local_setup setup; /* strings are in `keep` */
	struct host_info host;
	struct seats seats;
	struct arena keep;
	char boot_id[BOOT_ID];
	int folder;        /* descriptor of the folder with spool files */
	int shepherd;      /* descriptor of the program kahu-shepherd, opened once */
	int epoll;         /* watches all pidfds */
	pid_t fork_server; /* valid while fork_socket is not -1 */
	int fork_socket;   /* the socket to the fork server, or -1 */
	int ends[2];       /* the pipe in which shepherds report ended jobs */
	bool boot_kept;    /* the boot ID is recorded in the folder */

	struct local_job *job;
	size_t job_count, job_cap;

	struct local_report { /* reports of local_adopt(), made at the next poll */
		struct event ev;
		uint32_t attempt;
	} * report;
	size_t report_count, report_cap;
	struct arena arena; /* strings of the reports */

	struct gone { /* attempts whose files are removed when the report of their end is durable */
		uint64_t job;
		uint32_t attempt;
	} * gone;
	size_t gone_count, gone_cap;
	struct gone *barred; /* barred attempts: their files remain until the job has ended, so that no late
				shepherd runs it */
	size_t barred_count, barred_cap;
	struct left_cgroup { /* cgroups of ended jobs that the shepherds have not removed */
		char name[ORPHANS_FOLDER];
	} * left;
	size_t left_count, left_cap;
	struct str launch; /* encoded launch of the last start; the memory is reused */
	bool told_more;    /* the node was reported larger than the host, because jobs have more */
	bool told_is_old;  /* a job has ended since that report */
	int64_t now_s;     /* time of the last poll; TIME_NONE: there was none */
	int64_t sample_s;  /* when usage of jobs is read next */
	int64_t again_s;   /* when jobs without a pidfd are examined next */
	int64_t signals_s; /* when to send queued signals; TIME_NEVER: none is queued */
	struct local_load load;
};

/* --- load of processes outside of jobs (local_load.c) ------------------------------------------------- */

void local_close_load(struct local *l);
/* Is the next call of local_look() due? If the clock was set back, it is due at most one interval later. */
bool local_look_is_due(const struct local *l, int64_t now_s);
/* Begins or continues a measurement. */
void local_look(struct local *l, int64_t now_s);
/* Called when a job has started or ended. */
void local_jobs_changed(struct local *l);
/*
 * Called when an ended job has left processes that could not be killed: counts the memory of the job as used
 * until it has been measured.
 */
void local_memory_left(struct local *l, const struct local_job *job, int64_t now_s);
/* Called when the devices of the seats have changed, or their use by outside processes is unknown. */
void local_devices_changed(struct local *l);
/* Reports the load if it has changed. */
void local_tell_load(struct local *l, int64_t now_s, rm_report *report, void *to);

/* --- running jobs (local_job.c) ----------------------------------------------------------------------- */

/*
 * Returns a copy of the descriptor above the numbers that a shepherd uses, and closes fd; -1 if fd is -1 or
 * on failure.
 */
int local_high_fd(int fd);

/*
 * local_find() returns NULL if the job does not run here. Pointers to jobs are valid until a job is added or
 * dropped.
 */
struct local_job *local_find(struct local *l, uint64_t id);
struct local_job *local_add(struct local *l, const struct job *job);
void local_drop(struct local *l, struct local_job *job);

/*
 * Forgets all jobs, the reports not made yet, and the files to be removed after a commit. Jobs continue to
 * run.
 */
void local_forget(struct local *l);

/*
 * Watches the process as the shepherd of the job, and takes ownership of the pidfd. If pidfd is -1 or cannot
 * be watched, the spool file is examined later.
 */
void local_watch(struct local *l, struct local_job *job, pid_t pid, int pidfd);

/* --- orders to shepherds, see rm.h (local_job.c) ------------------------------------------------------ */

bool local_cancel(void *self, const struct job *job, int64_t now_s, struct err *err);
bool local_suspend(void *self, const struct job *job, bool on, struct err *err);
bool local_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err);
/* Sends the signals that are still queued because of the rate limit. */
void local_send_signals(struct local *l, int64_t now_s);

/* --- cgroups of ended jobs (local_job.c) -------------------------------------------------------------- */

/*
 * A cgroup remains while it contains a process that could not be killed. local_note_cgroup() notes it by
 * name, local_note_cgroup_of() by the spool file of its job; local_remove_cgroups() removes those noted
 * cgroups that have become empty.
 */
void local_note_cgroup(struct local *l, const char *name);
void local_note_cgroup_of(struct local *l, const struct spool *spool);
void local_remove_cgroups(struct local *l);

/* --- ends of jobs (local_end.c) ----------------------------------------------------------------------- */

/*
 * Returns the event for the end of a job as recorded in its spool file, not later than now_s. Strings point
 * into spool.
 */
struct event local_end_event(uint64_t job, const struct spool *spool, int64_t now_s);
/*
 * Returns the event for the end of a lost job. The reason is *why, or that the shepherd was killed if *why is
 * empty. Kills the remaining processes of the job.
 */
struct event local_lost_event(const struct local *l, const struct spool *spool, struct err *why,
			      int64_t now_s);

/* Reports the jobs that have ended since the last call. */
void local_take_ends(struct local *l, int64_t now_s, rm_report *report, void *to);

/*
 * local_note_gone() notes an attempt whose end was reported. local_clear_gone() is called when this report is
 * durable: it removes the files of all noted attempts, and of the barred attempts of their jobs.
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
	int pidfd; /* -1: no descriptor was left for it */
};

/* Kills the fork server if it is running. Its shepherds continue to run. */
void local_end_fork_server(struct local *l);

/* --- adoption of jobs after a restart (local_end.c) --------------------------------------------------- */

bool local_adopt(void *self, const struct snapshot *s, struct err *err);

/*
 * Records the boot ID in the spool folder. Called before the first start of this boot, and after the reports
 * of local_adopt() are durable. Returns false on failure; *passes then tells whether the error is transient
 * (passes may be NULL).
 */
bool local_keep_boot(struct local *l, bool *passes, struct err *err);

/*
 * Records the processors and devices of adopted jobs that were unknown, if the spool files name them by now.
 * Returns false with a message if the processors of a running job (or, if `devices` is true, its devices) are
 * still unknown: then any free one may belong to it.
 */
bool local_know_seats(struct local *l, bool devices, struct err *err);

/*
 * Examines the spool file of a job whose shepherd had not identified itself; watches the shepherd, or reports
 * the end of the job.
 */
void local_look_again(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to);

/* --- job starts (local_start.c) ----------------------------------------------------------------------- */

bool local_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err);

#endif
