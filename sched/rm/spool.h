/* SPDX-License-Identifier: MIT */
/*
 * spool.h - spool file of a job, which records its state even if scheduler and shepherd die
 *
 * Each start of a job has one file of SPOOL_SIZE bytes, FOLDER/JOB.ATTEMPT, which the shepherd creates with
 * O_EXCL: only the creator may run the job, so a start happens at most once. The file has its full length
 * from the beginning, so that an end can be written on a full disk. The shepherd holds a lock (flock) on the
 * file until it exits:
 *
 *     file      lock   parts          the job
 *     none      -      -              never began here: it may be started
 *     there     held   any            is running; its shepherd is begun.pid
 *     there     free   ended          ended as recorded
 *     there     free   begun          may have run; its end is unknown: it is lost
 *     there     free   none           never began: the file is removed, and it may be started
 *
 * After a reboot, neither locks nor missing files are conclusive: only `ended` is valid. Each part is written
 * in place with its own checksum; only `ended` is synced. `usage` is rewritten while the job runs, by one
 * writer, and is read without a lock: a wrong checksum means that it is being written, and the reader tries
 * again.
 *
 * `begun` holds a list of processors or devices of less than 255 bytes. A longer list is stored in a separate
 * part, written before `begun`, and `begun` holds its first 255 bytes. If `begun` holds 255 bytes and the
 * separate part is not valid, an older shepherd wrote the file: then the processors or devices of the job are
 * unknown.
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
	HOLD_KILL_ONLY, /* a cgroup without memory control: processes can be found and killed */
	HOLD_FULL       /* a cgroup with memory control                             */
};

struct spool_begun {
	char boot_id[BOOT_ID];
	int64_t pid, pid_start; /* process ID and start time (field 22 of /proc/PID/stat) of the shepherd */
	int64_t begun_s;        /* time of the start, UTC */
	uint32_t level;         /* enum hold_level                                      */
	uint32_t uid;
	char cpus[SPOOL_LIST];    /* processors, as in the launch; "" = not bound */
	char devices[SPOOL_LIST]; /* devices, as in the launch; "" = none */
};

struct spool_usage {
	int64_t at_s;        /* time of the measurement, UTC; 0 = never measured */
	int64_t cpu_ms;      /* processor time so far          */
	int64_t mem_kb;      /* current memory of all processes of the job */
	int64_t mem_peak_kb; /* maximum memory so far */
	uint32_t processes;
	bool suspended;
};

enum end_reason {
	END_EXITED,      /* exited; status is its exit status, or 256 + signal */
	END_WALL_LIMIT,  /* stopped at its wallclock limit                                   */
	END_MEM_LIMIT,   /* killed because of its memory use */
	END_CANCELLED,   /* stopped by a cancel */
	END_NOT_STARTED, /* never ran, because of the job; reason in `text` */
	END_PROLOG,      /* the prolog failed; reason in `text` */
	END_TRY_AGAIN,   /* never ran, for a transient reason in `text` */
	END_HOST_FAULT,  /* never ran, because of a lasting fault of the host; reason in `text` */
	END_REASON_COUNT
};

/* Exit status of a job that never began; shells use it for a program that cannot be executed. */
#define SPOOL_NEVER_RAN 126

struct spool_ended {
	uint32_t reason;            /* enum end_reason                                       */
	int32_t status;             /* exit status of the job; 256 + signal if a signal ended it */
	int64_t begun_s, ended_s;   /* start and end of the job, UTC */
	int64_t run_ms;             /* run time on the monotonic clock, without suspensions */
	int64_t user_ms, system_ms; /* processor time                                       */
	int64_t mem_peak_kb;
	uint32_t survivors;    /* number of processes that could not be killed */
	char text[SPOOL_TEXT]; /* message that belongs to the reason; "" = none */
};

/* The contents of a spool file. A part that is missing or damaged has a false flag. */
struct spool {
	uint64_t job;
	uint32_t attempt;
	bool has_begun, has_usage, has_ended;
	bool has_cpus, has_devices; /* the list in `begun` is complete; false: the processors or devices are
				       unknown */
	struct spool_begun begun;
	struct spool_usage usage;
	struct spool_ended ended;
};

/*
 * --- for the shepherd (folder: descriptor of the spool folder)
 * ----------------------------------------------
 */

/*
 * Creates the file, locks it and returns its descriptor. -1 with errno set: EEXIST if the file exists, ESTALE
 * if it was removed before it was locked, or another error.
 */
int spool_create(int folder, uint64_t job, uint32_t attempt);

/* Copies a list; NULL is copied as "". Returns false with errno E2BIG if the list is too long. */
bool spool_set_list(char out[static SPOOL_LIST], const char *list);

/* Write one part of the file. Return false with errno set on failure. */
bool spool_write_begun(int fd, const struct spool_begun *begun);
bool spool_write_usage(int fd, const struct spool_usage *usage);
bool spool_write_ended(int fd, const struct spool_ended *ended);

/* Waits until everything written to the file is on disk. Returns false with errno set on failure. */
bool spool_sync(int fd);

/* --- for the resource manager ------------------------------------------------------------------------- */

enum spool_fate {
	SPOOL_NONE,  /* there is no file, or it was the file of a start that never began and was removed */
	SPOOL_ALIVE, /* the shepherd is running, or this cannot be determined yet: try again later */
	SPOOL_ENDED, /* the job has ended, as recorded in *out */
	SPOOL_LOST   /* the job may have run, and its end is unknown */
};

/*
 * Evaluates a file by the table above; boot_id: the current boot ID. A job whose file cannot be read is lost,
 * with a message in err; if only this process lacks descriptors or memory, the result is SPOOL_ALIVE.
 */
enum spool_fate spool_judge(int folder, uint64_t job, uint32_t attempt, const char *boot_id,
			    struct spool *out, struct err *err);

/* Reads a file without evaluating it, to get the usage. Returns false with a message on failure. */
bool spool_read(int folder, uint64_t job, uint32_t attempt, struct spool *out, struct err *err);

/*
 * spool_write_cpus() tells the shepherd to which processors it must bind the job when it resumes the job, in
 * case other jobs have got its old processors in the meantime. The list has the format of launch.cpus and is
 * stored in the file JOB.ATTEMPT.cpus. spool_take_cpus() reads the file and removes it. Both return false
 * with errno set on failure.
 */
bool spool_write_cpus(int folder, uint64_t job, uint32_t attempt, const char *cpus);
bool spool_take_cpus(int folder, uint64_t job, uint32_t attempt, char cpus[static SPOOL_LIST]);

/* Removes the file of a start whose end is in the store. Returns false with a message on failure. */
bool spool_remove(int folder, uint64_t job, uint32_t attempt, struct err *err);

/* Gets the current boot ID. Returns false with a message if the system has none. */
bool spool_boot_id(char out[static BOOT_ID], struct err *err);

/*
 * Returns the start time of a process in ticks (field 22 of /proc/PID/stat); -1 with errno set if the process
 * does not exist (ENOENT or ESRCH) or cannot be examined.
 */
int64_t spool_pid_start(int64_t pid);

/*
 * Returns true if it is certain that the process with this start time no longer exists. A scheduler without
 * free descriptors cannot read the start time, and must not take the processes of another one for abandoned.
 */
bool spool_pid_is_gone(int64_t pid, int64_t pid_start);

#endif
