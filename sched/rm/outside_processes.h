/* SPDX-License-Identifier: MIT */
/*
 * outside_processes.h - load, memory and devices used by processes outside of jobs
 *
 * This process, the shepherds and all their descendants are not counted, and neither are kernel threads.
 */
#ifndef RM_OUTSIDE_PROCESSES_H
#define RM_OUTSIDE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host_info.h"
#include "sched/base/err.h"

#define OUTSIDE_NAME 64

struct outside_use {
	double load;      /* processors used during over_s */
	double over_s;    /* time since the last look; 0: first look, which measures no load */
	int64_t mem_mb;   /* resident memory; shared pages count for each process */
	int64_t stuck_mb; /* part of mem_mb: of processes that were killed or are exiting, at most the memory
			     in use; also in the first look */
	uint32_t processes;         /* processes that used more than a twentieth of a processor */
	double largest_load;        /* load of the largest of these */
	char largest[OUTSIDE_NAME]; /* "python3 of eva", in printable ASCII; "" = none */
};

/* State between two looks. root: "/" except in tests. */
struct outside_watch; /* opaque */

struct outside_watch *outside_watch_new(const char *root);
void outside_watch_free(struct outside_watch *w);

/*
 * The devices to search for, copied; initially none, and then processes are not searched. A new list takes
 * effect at once and discards the results; a look in progress searches for it from the first process on.
 */
void outside_watch_devices(struct outside_watch *w, const struct device *device, uint32_t count);

/*
 * Examines all processes of /proc. job_pid: the shepherds. Within OUTSIDE_APART_S of the last look it returns
 * the same result, because loads over such a short time mean nothing. Completes a look begun by
 * outside_look_some().
 */
#define OUTSIDE_APART_S 0.5

bool outside_look(struct outside_watch *w, const int64_t *job_pid, size_t count, struct outside_use *out,
		  struct err *err);

enum look {
	LOOK_FAILED, /* with a message */
	LOOK_ON,     /* incomplete: call again */
	LOOK_DONE    /* *out is set */
};

/*
 * The same in parts: a call examines at most `most` processes, and reads at most OUTSIDE_OPEN_EACH times as
 * many of their open files in search of devices. All of them can take seconds, because users can have as many
 * of both as the limits allow. Shepherds that existed at the beginning must stay in job_pid until the end,
 * even if they have exited.
 */
#define OUTSIDE_OPEN_EACH 4

enum look outside_look_some(struct outside_watch *w, size_t most, const int64_t *job_pid, size_t count,
			    struct outside_use *out, struct err *err);

/*
 * The devices of outside_watch_devices() that outside processes use: bit i is device i. The result is that of
 * the last complete look, also while another is in progress.
 *
 * Only processes that compute count: they also have the driver's memory device open, unlike a display server.
 * A process that has not selected devices often has all of them open. At most 4096 open files of a process
 * and 200 000 in one look are read; the next look then begins where this one ended, so that no process is
 * hidden behind many others, and earlier results stay valid until all processes have been examined.
 */
uint64_t outside_devices(const struct outside_watch *w);

/* --- a process ------------------------------------------------------------------------------------- */

enum whose {
	WHOSE_UNKNOWN,
	WHOSE_OURS,
	WHOSE_OUTSIDE,
	WHOSE_KERNEL /* a kernel thread */
};

struct process {
	int64_t pid, parent;
	int64_t start;   /* ticks since boot; identifies a process together with pid */
	int64_t ticks;   /* processor time so far                                     */
	int64_t pages;   /* resident                                                  */
	bool ending;     /* killed or exiting, and has not exited */
	bool leaderless; /* its first thread has exited, others have not */
	enum whose whose;
	char name[20]; /* printable ASCII */
};

/* Parses /proc/PID/stat; numbers that are too large are cut. False: invalid text. */
bool process_read(const char *stat, struct process *out);

/* Makes a text safe for a terminal: bytes other than printable ASCII become '?'. */
void name_safe(char *out, size_t room, const char *text);

#endif
