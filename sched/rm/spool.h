/* SPDX-License-Identifier: MIT */
/*
 * spool.h - spool file of a job, which records its state even if scheduler and shepherd die
 *
 * One file of SPOOL_SIZE bytes for each start of a job, FOLDER/JOB.ATTEMPT, created by the shepherd with
 * O_EXCL: only the creator may run the job, so a start happens at most once. The file has its full length
 * from the beginning, so that an end can be written on a full disk. The shepherd holds a lock (flock) on it
 * until it exits:
 *
 *     file      lock   parts          the job
 *     none      -      -              never began here: it may be started
 *     there     held   any            is running; its shepherd is begun.pid
 *     there     free   ended          ended as recorded
 *     there     free   begun          may have run; its end is unknown: it is lost
 *     there     free   none           never began: the file is removed, and it may be started
 *
 * After a reboot locks and missing files say nothing: only `ended` is valid. Each part is written in place
 * with its own checksum; only `ended` is synced. `usage` is rewritten while the job runs, by one writer, and
 * read without a lock: a wrong checksum means that it is being written, and the reader tries again.
 *
 * `begun` holds a list of processors or devices of less than 255 bytes. A longer list has a part of its own,
 * written before `begun`, and `begun` holds its first 255 bytes. A `begun` with 255 bytes and without a valid
 * part for that list was written by an older shepherd: what the job has is unknown.
 *
 * All numbers are little-endian.
 */
#ifndef RM_SPOOL_H
#define RM_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"

#define SPOOL_SIZE 12288 /* 4096 in earlier versions; missing bytes are read as zeros */
#define SPOOL_TEXT 256
#define SPOOL_LIST 4088 /* bytes of a list of processors or devices, including NUL */
#define BOOT_ID    37   /* "3f2a...": 36 characters and NUL */

/* How completely the processes of a job can be controlled (`kahu doctor`). */
enum hold_level {
	HOLD_NONE,      /* process group and a scan of /proc */
	HOLD_KILL_ONLY, /* a cgroup without memory control: for finding and killing */
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
	int64_t mem_peak_kb; /* maximum so far */
	uint32_t processes;
	bool suspended;
};

enum end_reason {
	END_EXITED,      /* exited; status is its exit status, or 256 + signal */
	END_WALL_LIMIT,  /* stopped at its wallclock limit                                   */
	END_MEM_LIMIT,   /* killed for memory                                                */
	END_CANCELLED,   /* stopped by a cancel */
	END_NOT_STARTED, /* never ran, because of the job: text */
	END_PROLOG,      /* the prolog failed: text */
	END_TRY_AGAIN,   /* never ran, for a transient reason: text */
	END_HOST_FAULT,  /* never ran, for a lasting fault of the host: text */
	END_REASON_COUNT
};

/* Exit status of a job that never began, as shells use it for a program that cannot be executed. */
#define SPOOL_NEVER_RAN 126

struct spool_ended {
	uint32_t reason;            /* enum end_reason                                       */
	int32_t status;             /* of the job; 256 + signal if a signal ended it */
	int64_t begun_s, ended_s;   /* UTC                                                   */
	int64_t run_ms;             /* on the monotonic clock, without suspensions */
	int64_t user_ms, system_ms; /* processor time                                       */
	int64_t mem_peak_kb;
	uint32_t survivors;    /* processes that could not be killed                            */
	char text[SPOOL_TEXT]; /* a message if reason has one */
};

/* The contents of a file; the flag of a missing or damaged part is false. */
struct spool {
	uint64_t job;
	uint32_t attempt;
	bool has_begun, has_usage, has_ended;
	bool has_cpus, has_devices; /* the list in begun is complete; otherwise what the job has is unknown */
	struct spool_begun begun;
	struct spool_usage usage;
	struct spool_ended ended;
};

/* --- for the shepherd; folder is a descriptor --------------------------------------------------------- */

/*
 * Creates the file and locks it. -1 with errno: EEXIST if it exists, ESTALE if it was removed before it was
 * locked, or another error.
 */
int spool_create(int folder, uint64_t job, uint32_t attempt);

/* Copies a list, NULL as ""; false with errno E2BIG if it is too long. */
bool spool_set_list(char out[static SPOOL_LIST], const char *list);

/* False with errno. */
bool spool_write_begun(int fd, const struct spool_begun *begun);
bool spool_write_usage(int fd, const struct spool_usage *usage);
bool spool_write_ended(int fd, const struct spool_ended *ended);

/* Returns when everything written is on disk. */
bool spool_sync(int fd);

/* --- for the resource manager ------------------------------------------------------------------------- */

enum spool_fate {
	SPOOL_NONE,  /* no file, or a removed file of a start that never began */
	SPOOL_ALIVE, /* its shepherd is running, or this is unknown for now: ask again */
	SPOOL_ENDED, /* as recorded in *out */
	SPOOL_LOST   /* it began and its end is unknown */
};

/*
 * Evaluates a file by the table above. boot_id is the current one. A file that cannot be read is lost, with a
 * message; but a shortage of descriptors or memory in this process says nothing about the job.
 */
enum spool_fate spool_judge(int folder, uint64_t job, uint32_t attempt, const char *boot_id,
			    struct spool *out, struct err *err);

/* Reads without evaluating, for usage. */
bool spool_read(int folder, uint64_t job, uint32_t attempt, struct spool *out, struct err *err);

/*
 * The processors that a job is bound to when it is resumed and other jobs have used its old ones meanwhile.
 * The list has the format of launch.cpus and is kept in the file <job>.<attempt>.cpus. The shepherd removes
 * the file when it reads it. False with errno.
 */
bool spool_write_cpus(int folder, uint64_t job, uint32_t attempt, const char *cpus);
bool spool_take_cpus(int folder, uint64_t job, uint32_t attempt, char cpus[static SPOOL_LIST]);

/* Removes the file of a start whose end is stored. */
bool spool_remove(int folder, uint64_t job, uint32_t attempt, struct err *err);

/* The current boot ID. False if the system has none. */
bool spool_boot_id(char out[static BOOT_ID], struct err *err);

/* Field 22 of /proc/PID/stat: the start time of a process in ticks; -1 if it does not exist. */
int64_t spool_pid_start(int64_t pid);

#endif
