/* SPDX-License-Identifier: MIT */
/*
 * local_inside.h - what the files of the local manager share and nobody else sees
 *
 * From the ground up: local_load.c looks at processes outside the queue, local_jobs.c knows which jobs run,
 * local_ends.c what is said of one that has ended, local_order.c how one is told what to do. local_nursery.c
 * has a shepherd made, local_adopt.c finds out after a restart what has become of the jobs, local_start.c
 * says what a shepherd is told; local.c is the manager that uses them.
 */
#ifndef RM_LOCAL_INSIDE_H
#define RM_LOCAL_INSIDE_H

#include "foreign.h"
#include "local.h"
#include "orphans.h"
#include "sched/base/arena.h"
#include "seats.h"
#include "signal_queue.h"
#include "spool.h"

#define LOCAL_NO_JOB  0 /* stands in the epoll for what is no shepherd */
#define LOCAL_AGAIN_S 1 /* a shepherd that has not yet said who it is is looked for again */

/* Processes of others that are looked at in one call: some milliseconds. Without a descriptor to call for the
 * next piece there is one piece a second, and it is larger. */
#define LOCAL_LOOK_MAX      64
#define LOCAL_LOOK_UNCALLED 1024

/* A job that runs here, as far as we know. */
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

/* What processes outside the queue use: see local_load.c. */
struct local_load {
	struct foreign_watch *watch;
	double told;           /* processors that they keep busy, as reported last */
	char by[FOREIGN_NAME]; /* the largest of them, as reported last       */
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
	struct facts facts;
	struct seats seats;
	struct arena keep;
	char boot_id[BOOT_ID];
	int folder;     /* of spool files           */
	int shepherd;   /* the program, opened once */
	int epoll;      /* of all pidfds            */
	pid_t nursery;  /* while cradle is not -1   */
	int cradle;     /* the socket to it, or -1  */
	int ends[2];    /* the pipe in which shepherds say that a job has ended */
	bool boot_kept; /* the folder says of which boot it is */

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

/* --- local_load.c -------------------------------------------------------------------------- */

void local_close_load(struct local *l);
/* Where the clock was set back the next look is no farther away than it ever is. */
bool local_look_is_due(const struct local *l, int64_t now_s);
/* Begins to look at the others' processes, or goes on with it. */
void local_look(struct local *l, int64_t now_s);
/* A job has come or gone. */
void local_jobs_changed(struct local *l);
/* A job has ended and has left processes that could not be killed: its memory is not free. */
void local_memory_left(struct local *l, const struct local_job *job, int64_t now_s);
/* The seats have other devices, or have forgotten which of them others use. */
void local_devices_changed(struct local *l);
/* Reports it when it is news. */
void local_tell_load(struct local *l, int64_t now_s, rm_report *report, void *to);

/* --- local_jobs.c -------------------------------------------------------------------------- */

/* The same descriptor, out of the way of those a shepherd is given; -1 stays -1. fd is closed. */
int local_high_fd(int fd);

/* NULL: it does not run here. Valid until one is added or dropped. */
struct local_job *local_find(struct local *l, uint64_t id);
struct local_job *local_add(struct local *l, const struct job *job);
void local_drop(struct local *l, struct local_job *job);

/* Forgets all jobs, and what was to be told of them or done when that was durable. */
void local_forget(struct local *l);

/* The shepherd of a job is this process, which is watched from now on. Takes the pidfd; without one, or when
 * it cannot be watched, the spool file is looked at in a while. */
void local_watch(struct local *l, struct local_job *job, pid_t pid, int pidfd);

/* --- local_ends.c -------------------------------------------------------------------------- */

/* What its spool file says of a job as an end. Texts point into spool. */
struct event local_end_event(uint64_t job, const struct spool *spool, int64_t now_s);
/* Of one that is lost: why, or that its shepherd was killed. What of it lives on is killed. */
struct event local_lost_event(const struct local *l, const struct spool *spool, struct err *why,
			      int64_t now_s);

/* Reports the jobs that have ended since. */
void local_take_ends(struct local *l, int64_t now_s, rm_report *report, void *to);

/*
 * The end of an attempt is reported: its file can go at the next call, when that is durable, and with the end
 * of the job those of its attempts that were barred. That call.
 */
void local_note_gone(struct local *l, uint64_t job, uint32_t attempt);
void local_note_barred(struct local *l, uint64_t job, uint32_t attempt);
void local_clear_gone(struct local *l);

/* A cgroup stays as long as a process that could not be killed is in it. It is removed after that. */
void local_note_cgroup(struct local *l, const char *name);
void local_note_cgroup_of(struct local *l, const struct spool *spool);
void local_remove_cgroups(struct local *l);

/* --- local_order.c, as rm.h has them ------------------------------------------------------- */

bool local_cancel(void *self, const struct job *job, int64_t now_s, struct err *err);
bool local_suspend(void *self, const struct job *job, bool on, struct err *err);
bool local_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err);
/* Those that could not be sent when they were requested. */
void local_send_signals(struct local *l, int64_t now_s);

/* --- local_nursery.c ----------------------------------------------------------------------- */

enum birth {
	BIRTH_DONE,
	BIRTH_NONE,   /* nothing was made                          */
	BIRTH_UNKNOWN /* perhaps it was: nobody is left to say so  */
};

struct newborn {
	pid_t pid;
	int pidfd; /* -1: no descriptor was left for it */
};

/* Has a shepherd made for the launch, which stays open here; err says why not, *passes whether that passes by
 * itself. */
enum birth local_bear(struct local *l, const char *name, int launch, struct newborn *out, bool *passes,
		      struct err *err);
/* Kills what makes shepherds, if there is one. Those it made stay. */
void local_end_nursery(struct local *l);

/* --- local_adopt.c ------------------------------------------------------------------------- */

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

/* One job again whose shepherd had not yet said who it is. */
void local_look_again(struct local *l, struct local_job *job, int64_t now_s, rm_report *report, void *to);

/* --- local_start.c ------------------------------------------------------------------------- */

bool local_start(void *self, const struct rm_start *start, int64_t now_s, struct err *err);

#endif
