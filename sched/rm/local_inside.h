/* SPDX-License-Identifier: MIT */
/*
 * local_inside.h - state shared by the files of the local resource manager
 *
 * local_job.c has the table of running jobs and sends orders to shepherds; local_load.c measures processes
 * outside of jobs; local_end.c reports ended jobs, and after a restart determines the state of each job;
 * local_start.c starts shepherds; local.c implements the resource manager with all of these.
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
#define LOCAL_AGAIN_S 1 /* seconds between searches for a shepherd that has not identified itself */

/* Outside processes examined in one call, which takes some milliseconds. Without a descriptor that requests
 * the next call there is one call a second, which examines more. */
#define LOCAL_LOOK_MAX      64
#define LOCAL_LOOK_UNCALLED 1024

/* A job that runs here. */
struct local_job {
	uint64_t id;
	uint32_t attempt;
	uint32_t procs;                /* allocated processors */
	int64_t mem_mb;                /* allocated memory */
	pid_t pid;                     /* shepherd of the job */
	bool old_boot;                 /* possibly started before the last reboot */
	int failed;                    /* errno of a shepherd that could not begin */
	bool bound;                    /* bound to its processors */
	bool unseated;                 /* has no processors here, because they were released */
	bool unknown_cpus;             /* its processors are unknown: its spool file has not named them yet */
	bool unknown_devices;          /* its devices are unknown, likewise */
	int pidfd;                     /* -1: found, but the shepherd has not identified itself yet */
	int64_t used_ps;               /* last reported value */
	struct signal_queue requested; /* signals that were not sent to its shepherd yet */
};

/* Resources used by processes outside of jobs. */
struct local_load {
	struct outside_watch *watch;
	double told;           /* processors kept busy, last reported value */
	char by[OUTSIDE_NAME]; /* the largest process, last reported value */
	int64_t told_mb;       /* memory of processes that cannot be killed, last reported value */
	int64_t left_mb;       /* memory of ended jobs that left such processes, not measured yet */
	int64_t left_s;        /* when the last of these jobs ended                                    */
	int64_t told_s;        /* time of that report; TIME_NONE: not reported by this process */
	int64_t measured_s;    /* time of the last measurement, or of the first request for one */
	int64_t look_s;        /* time of the next look */
	int64_t every_s;       /* rmpollinterval                                   */
	bool is_news;          /* must be reported */
	bool looking;          /* a look is in progress and continues at the next call */
	int call;              /* an eventfd that is readable meanwhile; -1 = none */
	size_t at_once;        /* processes examined per call */
	int64_t *pid;          /* the shepherds at the beginning of the look */
	size_t pid_count;
};

struct local {
	struct local_setup setup; /* strings are in `keep` */
	struct host_info host;
	struct seats seats;
	struct arena keep;
	char boot_id[BOOT_ID];
	int folder;        /* folder of spool files */
	int shepherd;      /* kahu-shepherd, opened once */
	int epoll;         /* watches all pidfds */
	pid_t fork_server; /* valid while fork_socket is not -1 */
	int fork_socket;   /* the socket to the fork server, or -1 */
	int ends[2];       /* the pipe in which shepherds report ended jobs */
	bool boot_kept;    /* the boot ID is recorded in the folder */

	struct local_job *job;
	size_t job_count, job_cap;

	struct local_report { /* reports of adopt() */
		struct event ev;
		uint32_t attempt;
	} * report;
	size_t report_count, report_cap;
	struct arena arena; /* strings of the reports */

	struct gone { /* reported ends, whose files are removed when the report is durable */
		uint64_t job;
		uint32_t attempt;
	} * gone;
	size_t gone_count, gone_cap;
	struct gone *barred; /* barred attempts: their files stay until the job has ended, so that no late
				shepherd starts it */
	size_t barred_count, barred_cap;
	struct left_cgroup { /* cgroups of ended jobs that their shepherds have not removed */
		char name[ORPHANS_FOLDER];
	} * left;
	size_t left_count, left_cap;
	struct str launch; /* launch of the last start; its memory is reused */
	bool told_more;    /* the node was reported larger than it is, because jobs have more */
	bool told_is_old;  /* a job has ended since that report */
	int64_t now_s;     /* time of the last poll; TIME_NONE: none */
	int64_t sample_s;  /* next look at usage */
	int64_t again_s;   /* next look at jobs without a pidfd */
	int64_t signals_s; /* when to send queued signals; TIME_NEVER: none is queued */
	struct local_load load;
};

/* --- load of processes outside of jobs (local_load.c) ------------------------------------------------- */

void local_close_load(struct local *l);
/* True when the next measurement is due; after the clock was set back it is at most one interval away. */
bool local_look_is_due(const struct local *l, int64_t now_s);
/* Begins or continues a measurement. */
void local_look(struct local *l, int64_t now_s);
/* Called when a job has started or ended. */
void local_jobs_changed(struct local *l);
/* Called when an ended job has left processes that could not be killed; its memory is not free. */
void local_memory_left(struct local *l, const struct local_job *job, int64_t now_s);
/* Called when the devices of the seats have changed, or their use by outside processes is unknown. */
void local_devices_changed(struct local *l);
/* Reports the load if it has changed. */
void local_tell_load(struct local *l, int64_t now_s, rm_report *report, void *to);

/* --- running jobs (local_job.c) ----------------------------------------------------------------------- */

/* Moves a descriptor above those of a shepherd and closes fd; -1 stays -1. */
int local_high_fd(int fd);

/* NULL: the job does not run here. Valid until a job is added or dropped. */
struct local_job *local_find(struct local *l, uint64_t id);
struct local_job *local_add(struct local *l, const struct job *job);
void local_drop(struct local *l, struct local_job *job);

/* Forgets all jobs, their unreported ends and actions that wait for a commit. */
void local_forget(struct local *l);

/* Watches this process as the shepherd of the job and takes ownership of the pidfd. Without a pidfd, or if it
 * cannot be watched, the spool file is read later. */
void local_watch(struct local *l, struct local_job *job, pid_t pid, int pidfd);

/* --- orders to shepherds, see rm.h (local_job.c) ------------------------------------------------------ */

bool local_cancel(void *self, const struct job *job, int64_t now_s, struct err *err);
bool local_suspend(void *self, const struct job *job, bool on, struct err *err);
bool local_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err);
/* Sends signals that could not be sent when they were requested. */
void local_send_signals(struct local *l, int64_t now_s);

/* --- cgroups of ended jobs (local_job.c) -------------------------------------------------------------- */

/* A cgroup remains while it contains a process that could not be killed. Notes it, to be removed after that;
 * local_note_cgroup_of() by a spool file. */
void local_note_cgroup(struct local *l, const char *name);
void local_note_cgroup_of(struct local *l, const struct spool *spool);
void local_remove_cgroups(struct local *l);

/* --- ends of jobs (local_end.c) ----------------------------------------------------------------------- */

/* The end of a job as its spool file reports it. Texts point into spool. */
struct event local_end_event(uint64_t job, const struct spool *spool, int64_t now_s);
/* The end of a lost job, with the reason or that its shepherd was killed. Kills its remaining processes. */
struct event local_lost_event(const struct local *l, const struct spool *spool, struct err *why,
			      int64_t now_s);

/* Reports jobs that have ended. */
void local_take_ends(struct local *l, int64_t now_s, rm_report *report, void *to);

/*
 * local_note_gone(): the end of an attempt was reported. local_clear_gone(), at the next call, when the
 * report is durable, removes its file and, if the job has ended, the files of its barred attempts.
 */
void local_note_gone(struct local *l, uint64_t job, uint32_t attempt);

void local_clear_gone(struct local *l);

/* --- the fork server (local_start.c) ------------------------------------------------------------------ */

enum creation {
	CREATION_DONE,
	CREATION_NONE,   /* no shepherd was created */
	CREATION_UNKNOWN /* unknown: the fork server is gone */
};

struct new_shepherd {
	pid_t pid;
	int pidfd; /* -1: no descriptor was left for it */
};

/* Kills the fork server if it runs. Its shepherds continue. */
void local_end_fork_server(struct local *l);

/* --- adoption of jobs after a restart (local_end.c) --------------------------------------------------- */

bool local_adopt(void *self, const struct snapshot *s, struct err *err);

/* Records the boot ID in the folder: before the first start of this boot, after the reports of adopt() are
 * durable. *passes: is a failure transient? NULL = not needed. */
bool local_keep_boot(struct local *l, bool *passes, struct err *err);

/*
 * Takes the processors and devices of jobs from before a restart, as far as their spool files name them by
 * now. False with the reason: the processors (or, if `devices`, the devices) of a running job are still
 * unknown, and any free one may belong to it.
 */
bool local_know_seats(struct local *l, bool devices, struct err *err);

/* Reads the spool file of a job whose shepherd had not identified itself. */
void local_look_again(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to);

/* --- job starts (local_start.c) ----------------------------------------------------------------------- */

bool local_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err);

#endif
