/* SPDX-License-Identifier: MIT */
/*
 * local_inside.h - the state of the local resource manager, as its files share it
 *
 * local_load.c measures processes outside of jobs, local_end.c reports jobs that have ended and finds out
 * after a restart what has become of jobs, local_start.c starts shepherds, and local.c has the table of
 * running jobs, orders to shepherds and the resource manager that uses all of these.
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

#define LOCAL_NO_JOB  0 /* epoll data of descriptors that are no pidfds */
#define LOCAL_AGAIN_S 1 /* seconds between searches for a shepherd that has not identified itself */

/* Outside processes examined in one call, which takes some milliseconds. Without a descriptor that requests
 * the next call there is one call a second, and it examines more. */
#define LOCAL_LOOK_MAX      64
#define LOCAL_LOOK_UNCALLED 1024

/* A job that runs here. */
struct local_job {
	uint64_t id;
	uint32_t attempt;
	uint32_t procs;                /* that it has                                                    */
	int64_t mem_mb;                /* likewise                                                       */
	pid_t pid;                     /* its shepherd                                                   */
	bool old_boot;                 /* it may have been started before the machine came up            */
	int failed;                    /* errno of a shepherd that could not begin                       */
	bool bound;                    /* to the processors that it has                                  */
	bool unseated;                 /* it has no processors here, as they were released               */
	bool unknown_cpus;             /* it has some, and its spool file has not said which             */
	bool unknown_devices;          /* it may have some, likewise                                     */
	int pidfd;                     /* -1: it has been found, and has not yet said who it is          */
	int64_t used_ps;               /* as reported last                                               */
	struct signal_queue requested; /* signals that its shepherd has not been told of   */
};

/* What processes outside of jobs use. */
struct local_load {
	struct outside_watch *watch;
	double told;           /* processors that they keep busy, as reported last */
	char by[OUTSIDE_NAME]; /* the largest of them, as reported last       */
	int64_t told_mb;       /* memory of processes that cannot be killed, as reported last          */
	int64_t left_mb;       /* of jobs that left such ones, which no look has seen yet              */
	int64_t left_s;        /* when the last of these jobs ended                                    */
	int64_t told_s;     /* when it was measured; TIME_NONE: what the store has is not of this process */
	int64_t measured_s; /* the last measurement, or when the first was wanted                         */
	int64_t look_s;     /* the next look                                    */
	int64_t every_s;    /* rmpollinterval                                   */
	bool is_news;       /* is to be reported                                */
	bool looking;       /* a look has begun, and is to go on at the next call */
	int call;           /* an eventfd that is readable while it is; -1 = none */
	size_t at_once;     /* processes of the look that are looked at in one call */
	int64_t *pid;       /* the shepherds that there were when it began */
	size_t pid_count;
};

struct local {
	struct local_setup setup; /* texts are in keep */
	struct host_info host;
	struct seats seats;
	struct arena keep;
	char boot_id[BOOT_ID];
	int folder;        /* of spool files           */
	int shepherd;      /* the program, opened once */
	int epoll;         /* of all pidfds            */
	pid_t fork_server; /* while cradle is not -1   */
	int cradle;        /* the socket to it, or -1  */
	int ends[2];       /* the pipe in which shepherds say that a job has ended */
	bool boot_kept;    /* the folder says of which boot it is */

	struct local_job *job;
	size_t job_count, job_room;

	struct local_report { /* what adopt found */
		struct event ev;
		uint32_t attempt;
	} * report;
	size_t report_count, report_room;
	struct arena arena; /* their texts */

	struct gone { /* whose end has been reported: the file can go when that is durable */
		uint64_t job;
		uint32_t attempt;
	} * gone;
	size_t gone_count, gone_room;
	struct gone *barred; /* attempts whose files keep a late shepherd from starting until their job has
				ended */
	size_t barred_count, barred_room;
	struct left_cgroup { /* of a job that has ended, whose shepherd could not or may not have removed it
			      */
		char name[ORPHANS_FOLDER];
	} * left;
	size_t left_count, left_room;
	struct str launch; /* of the last start, whose memory the next one uses */
	bool told_more;    /* the node was reported with more than there is, as jobs have that */
	bool told_is_old;  /* and a job has ended since                                        */
	int64_t now_s;     /* of the last poll; TIME_NONE: there was none      */
	int64_t sample_s;  /* the next time usage is looked at */
	int64_t again_s;   /* the next time those without a pidfd are looked at */
	int64_t signals_s; /* the next time signals are sent; TIME_NEVER: none waits */
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

/* --- running jobs (local.c) --------------------------------------------------------------------------- */

/* Moves a descriptor above those that a shepherd is given and closes fd; -1 stays -1. */
int local_high_fd(int fd);

/* NULL: the job does not run here. Valid until a job is added or dropped. */
struct local_job *local_find(struct local *l, uint64_t id);
struct local_job *local_add(struct local *l, const struct job *job);
void local_drop(struct local *l, struct local_job *job);

/* Forgets all jobs, their unreported ends and actions that wait for a commit. */
void local_forget(struct local *l);

/* Watches this process as the shepherd of the job, and takes the pidfd. Without one, or if it cannot be
 * watched, the spool file is read later. */
void local_watch(struct local *l, struct local_job *job, pid_t pid, int pidfd);

/* --- ends of jobs (local_end.c) ----------------------------------------------------------------------- */

/* The end of a job as its spool file reports it. Texts point into spool. */
struct event local_end_event(uint64_t job, const struct spool *spool, int64_t now_s);
/* The end of a lost job, with the reason, or that its shepherd was killed. Kills its remaining processes. */
struct event local_lost_event(const struct local *l, const struct spool *spool, struct err *why,
			      int64_t now_s);

/* Reports jobs that have ended. */
void local_take_ends(struct local *l, int64_t now_s, rm_report *report, void *to);

/*
 * The end of an attempt is reported: its file can go at the next call, when that is durable, and with the end
 * of the job those of its attempts that were barred. That call.
 */
void local_note_gone(struct local *l, uint64_t job, uint32_t attempt);

void local_clear_gone(struct local *l);

void local_note_cgroup_of(struct local *l, const struct spool *spool);
void local_remove_cgroups(struct local *l);

/* --- orders to shepherds, see rm.h (local.c) ---------------------------------------------------------- */

bool local_cancel(void *self, const struct job *job, int64_t now_s, struct err *err);
bool local_suspend(void *self, const struct job *job, bool on, struct err *err);

/* --- the fork server (local_start.c) ------------------------------------------------------------------ */

enum birth {
	BIRTH_DONE,
	BIRTH_NONE,   /* no shepherd was created         */
	BIRTH_UNKNOWN /* unknown: the fork server is gone */
};

struct newborn {
	pid_t pid;
	int pidfd; /* -1: no descriptor was left for it */
};

/* Kills the fork server, if it runs. Its shepherds remain. */
void local_end_fork_server(struct local *l);

/* --- adoption of jobs after a restart (local_end.c) --------------------------------------------------- */

bool local_adopt(void *self, const struct snapshot *s, struct err *err);

/* Writes down of which boot the folder is; before the first start of this boot, after what adopt
 * found is durable. passes: does what failed pass by itself? NULL = not asked. */
bool local_keep_boot(struct local *l, bool *passes, struct err *err);

/*
 * Takes the processors and devices that jobs from before a restart have as far as their spool files say more
 * by now. False with the reason: there is a running job of which processors, or where they are asked for
 * devices, are not known; any free one may be that job's.
 */
bool local_know_seats(struct local *l, bool devices, struct err *err);

/* Reads the spool file of a job whose shepherd had not identified itself. */
void local_look_again(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to);

/* --- job starts (local_start.c) ----------------------------------------------------------------------- */

bool local_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err);

#endif
