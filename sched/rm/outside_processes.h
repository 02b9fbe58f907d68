/* SPDX-License-Identifier: MIT */
/*
 * outside_processes.h - load, memory and devices used by processes outside of jobs
 *
 * Outside processes are all processes except this process, the shepherds, all descendants of these, and
 * kernel threads.
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
	double load;      /* average number of processors used during over_s */
	double over_s;    /* seconds since the last look; 0: first look, which measures no load */
	int64_t mem_mb;   /* resident memory of all outside processes; shared pages count for each process */
	int64_t stuck_mb; /* memory of killed or exiting processes, which mem_mb includes; at most the memory
			     that the host has in use; valid even in the first look */
	uint32_t processes;         /* number of processes that used more than a twentieth of a processor */
	double largest_load;        /* load of the process that used the most processor time */
	char largest[OUTSIDE_NAME]; /* "python3 of eva": that process, in printable ASCII; "" = none */
};

/* State between two looks. root: "/" except in tests. */
struct outside_watch; /* opaque */

struct outside_watch *outside_watch_new(const char *root);
void outside_watch_free(struct outside_watch *w);

/*
 * Sets the devices to search for; the list is copied. Initially it is empty, and the open files of processes
 * are not read. A new list takes effect at once and discards the results; a look in progress begins its
 * search again at the first process.
 */
void outside_watch_devices(struct outside_watch *w, const struct device *device, uint32_t count);

/*
 * Examines all processes in /proc. job_pid: process IDs of the shepherds. Within OUTSIDE_APART_S seconds of
 * the last look, returns the last result again, because loads over such a short time are meaningless.
 * Completes a look begun by outside_look_some(). Returns false with a message on failure.
 */
#define OUTSIDE_APART_S 0.5

bool outside_look(struct outside_watch *w, const int64_t *job_pid, size_t count, struct outside_use *out,
		  struct err *err);

enum look {
	LOOK_FAILED, /* the look has failed; err has the message */
	LOOK_ON,     /* incomplete: call again */
	LOOK_DONE    /* *out is set */
};

/*
 * Does a look in parts: a call examines at most `most` processes, and reads at most OUTSIDE_OPEN_EACH times
 * as many of their open files in search of devices. A complete look can take seconds, because users can have
 * as many processes and open files as the limits allow. Shepherds that existed at the beginning of the look
 * must stay in job_pid until its end, even if they have exited.
 */
#define OUTSIDE_OPEN_EACH 4

enum look outside_look_some(struct outside_watch *w, size_t most, const int64_t *job_pid, size_t count,
			    struct outside_use *out, struct err *err);

/*
 * Returns the devices of outside_watch_devices() that outside processes use: bit i is device i. While a look
 * is in progress, the result is that of the last complete look.
 *
 * Only computing processes count; unlike a display server, they also have the driver's memory device open. A
 * process that has not selected devices often has all devices open. At most 4096 open files of a process and
 * 200 000 in one look are read; the next look then begins where this one ended, so that no process is hidden
 * behind many others, and earlier results stay valid until all processes have been examined.
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
	int64_t start;   /* start time in ticks since boot; identifies a process together with pid */
	int64_t ticks;   /* processor time so far                                     */
	int64_t pages;   /* resident memory */
	bool ending;     /* killed or exiting, but not yet gone */
	bool leaderless; /* its first thread has exited, but other threads have not */
	enum whose whose;
	char name[20]; /* printable ASCII */
};

/*
 * Parses the text of /proc/PID/stat; numbers that are too large are reduced to a maximum. Returns false if
 * the text is invalid.
 */
bool process_read(const char *stat, struct process *out);

/* Copies a text and makes it safe for a terminal: bytes other than printable ASCII become '?'. */
void name_safe(char *out, size_t room, const char *text);

#endif
