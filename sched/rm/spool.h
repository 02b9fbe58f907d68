/* SPDX-License-Identifier: MIT */
/*
 * spool.h - what does a shepherd leave behind about its job, whoever dies?
 *
 * One file of SPOOL_SIZE bytes for each start of a job, <folder>/<job>.<attempt>, made by the
 * shepherd with O_EXCL: who makes it may run the job, so a start happens at most once. Its
 * length is there from the beginning, so that an end can be written on a full disk. The
 * shepherd holds a lock (flock) on it for life:
 *
 *     file      lock   parts          the job
 *     none      -      -              was never begun here: it may be started
 *     there     held   any            lives; its shepherd is begun.pid
 *     there     free   ended          has ended as it says
 *     there     free   begun          may have run: its end is not known, it is lost
 *     there     free   none           was never begun: the file goes, it may be started
 *
 * After another boot no lock means anything, and a file that is not there says nothing either:
 * only ended is believed. Each part is written in place with a checksum of its own; only ended
 * is synced. usage is rewritten while the job runs, by one writer, and read without a lock: a
 * checksum that does not fit means "just now being written", try again.
 *
 * begun holds a list of processors or devices that is shorter than 255 bytes. A longer list has a part of its
 * own, written before begun, and begun holds its first 255 bytes. A begun part with 255 bytes and no whole
 * part of that list was written by an older shepherd: what the job has is not known.
 *
 * Little-endian, like everything Kahu keeps.
 *
 * Written by the spool_write_... of spool.h; what was read of a file of SPOOL_SIZE bytes is taken apart here.
 */
#ifndef RM_SPOOL_H
#define RM_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"

#define SPOOL_SIZE 12288 /* was 4096: what an older file lacks is read as zeros */
#define SPOOL_TEXT 256
#define SPOOL_LIST 4088 /* bytes of a list of processors or devices, with its NUL */
#define BOOT_ID    37   /* "3f2a...": 36 characters and NUL */

/* How far a job can be held together (`kahu doctor`). */
enum hold_level {
	HOLD_NONE,      /* process group and a walk through /proc                   */
	HOLD_KILL_ONLY, /* a cgroup without memory control: found and killed as one */
	HOLD_FULL       /* a cgroup with memory control                             */
};

struct spool_begun {
	char boot_id[BOOT_ID];
	int64_t pid, pid_start; /* of the shepherd; field 22 of /proc/PID/stat          */
	int64_t begun_s;        /* UTC                                                  */
	uint32_t level;         /* enum hold_level                                      */
	uint32_t uid;
	char cpus[SPOOL_LIST];    /* as in the launch; "" = not bound                    */
	char devices[SPOOL_LIST]; /* "" = none                                           */
};

struct spool_usage {
	int64_t at_s;        /* UTC; 0 = never measured        */
	int64_t cpu_ms;      /* processor time so far          */
	int64_t mem_kb;      /* now, of all its processes      */
	int64_t mem_peak_kb; /* largest seen                   */
	uint32_t processes;
	bool suspended;
};

enum end_reason {
	END_EXITED,      /* by itself: status is its exit status, or 256 + the signal        */
	END_WALL_LIMIT,  /* stopped at its wallclock limit                                   */
	END_MEM_LIMIT,   /* killed for memory                                                */
	END_CANCELLED,   /* stopped because someone asked                                    */
	END_NOT_STARTED, /* it never ran, for a reason that is the job's: text               */
	END_PROLOG,      /* the site's prolog refused it: text                               */
	END_TRY_AGAIN,   /* it never ran, for a reason that passes by itself: text           */
	END_HOST_FAULT,  /* it never ran, for a lasting reason that is the host's: text      */
	END_REASON_COUNT
};

/* The status of a job that never began, as shells have it for what cannot be run: it has failed. */
#define SPOOL_NEVER_RAN 126

struct spool_ended {
	uint32_t reason;            /* enum end_reason                                       */
	int32_t status;             /* of the job; 256 + signal when a signal ended it       */
	int64_t begun_s, ended_s;   /* UTC                                                   */
	int64_t run_ms;             /* by a clock that nobody sets, without suspensions      */
	int64_t user_ms, system_ms; /* processor time                                       */
	int64_t mem_peak_kb;
	uint32_t survivors;    /* processes that could not be killed                            */
	char text[SPOOL_TEXT]; /* a sentence where reason needs one                          */
};

/* What stands in a file; a part that is not there, or is damaged, has its flag false. */
struct spool {
	uint64_t job;
	uint32_t attempt;
	bool has_begun, has_usage, has_ended;
	bool has_cpus, has_devices; /* the list in begun is whole; else it is not known what the job has */
	struct spool_begun begun;
	struct spool_usage usage;
	struct spool_ended ended;
};

/* --- for the shepherd; folder is a descriptor --------------------------------------------------------- */

/*
 * Makes the file and takes its lock. -1: someone else has made it (errno EEXIST), or it was taken away
 * before the lock was ours (ESTALE), or the system's errno.
 */
int spool_create(int folder, uint64_t job, uint32_t attempt);

/* Copies a list, NULL as ""; false with errno E2BIG when it has no room. */
bool spool_set_list(char out[static SPOOL_LIST], const char *list);

/* False with errno. */
bool spool_write_begun(int fd, const struct spool_begun *begun);
bool spool_write_usage(int fd, const struct spool_usage *usage);
bool spool_write_ended(int fd, const struct spool_ended *ended);

/* What was written is on the disk when it returns. */
bool spool_sync(int fd);

/* --- for the resource manager ------------------------------------------------------------------------- */

enum spool_fate {
	SPOOL_NONE,  /* no such file, or one that was never begun: it has been taken away */
	SPOOL_ALIVE, /* its shepherd lives, or nobody can say just now: ask again          */
	SPOOL_ENDED, /* *out says how                                                     */
	SPOOL_LOST   /* it was begun and its end is not known                             */
};

/*
 * The table above. boot_id is today's. A file that cannot be read is lost, with the sentence; but when
 * descriptors or memory run short here, that is no word about the job.
 */
enum spool_fate spool_judge(int folder, uint64_t job, uint32_t attempt, const char *boot_id,
			    struct spool *out, struct err *err);

/* Only reads: for usage. */
bool spool_read(int folder, uint64_t job, uint32_t attempt, struct spool *out, struct err *err);

/*
 * The processors that a job is bound to when it is resumed and other jobs have used its old ones meanwhile.
 * The list has the format of launch.cpus and is kept in the file <job>.<attempt>.cpus. The shepherd removes
 * the file when it reads it. False with errno.
 */
bool spool_write_cpus(int folder, uint64_t job, uint32_t attempt, const char *cpus);
bool spool_take_cpus(int folder, uint64_t job, uint32_t attempt, char cpus[static SPOOL_LIST]);

/* Takes a file away whose end is known to the store. */
bool spool_remove(int folder, uint64_t job, uint32_t attempt, struct err *err);

/* Today's boot. False when the system does not say. */
bool spool_boot_id(char out[static BOOT_ID], struct err *err);

/* Field 22 of /proc/PID/stat: when a process began, in ticks; -1 when there is none. */
int64_t spool_pid_start(int64_t pid);

#endif
