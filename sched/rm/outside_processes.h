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
	double load;        /* processors kept busy during over_s                                      */
	double over_s;      /* since the last look; 0: this is the first, which measures no load       */
	int64_t mem_mb;     /* resident; what several share is counted for each                        */
	int64_t stuck_mb;   /* of mem_mb: of processes that were sent KILL or exit and have not ended, at most
			     * what the host has in use; also in the first look             */
	uint32_t processes; /* that used more than a twentieth of a processor                          */
	double largest_load;        /* of the one of these that used the most                               */
	char largest[OUTSIDE_NAME]; /* "python3 of eva", in printable ASCII; "" = there is none      */
};

/* Keeps what must be remembered between two looks. root: "/" but in tests. */
struct outside_watch; /* opaque */

struct outside_watch *outside_watch_new(const char *root);
void outside_watch_free(struct outside_watch *w);

/*
 * The devices that looks are to search for, copied; none at first, and then no process is examined for
 * devices. Another list takes effect at once and forgets what was found; a look in progress searches for it
 * from the first process on.
 */
void outside_watch_devices(struct outside_watch *w, const struct device *device, uint32_t count);

/*
 * Looks again, one pass over /proc. job_pid: the shepherds. Within OUTSIDE_APART_S of the last look its
 * answer is given again: shares of so short a time would say nothing. One that outside_look_some() has begun
 * is completed.
 */
#define OUTSIDE_APART_S 0.5

bool outside_look(struct outside_watch *w, const int64_t *job_pid, size_t count, struct outside_use *out,
		  struct err *err);

enum look {
	LOOK_FAILED, /* with a sentence          */
	LOOK_ON,     /* not complete: call again */
	LOOK_DONE    /* out is filled            */
};

/*
 * The same in pieces: a call examines at most `most` processes, and reads at most OUTSIDE_OPEN_EACH times as
 * many of their open files in search of devices. A pass over all can take seconds, since users can have as
 * many of both as they are allowed.
 * Shepherds that were there when it began must still be among job_pid until it is done, even if they are
 * gone.
 */
#define OUTSIDE_OPEN_EACH 4

enum look outside_look_some(struct outside_watch *w, size_t most, const int64_t *job_pid, size_t count,
			    struct outside_use *out, struct err *err);

/*
 * Which of the devices of outside_watch_devices() have foreign processes in use: bit i is device i. The
 * answer is that of the last complete look, also while another is in progress.
 *
 * Only what computes counts, which has the driver's memory device open as well; a screen does not. One that
 * did not say which devices it wants often has all of them open. Of each process 4096 open files are read,
 * and 200 000 in one look: then the next look begins where this one ended, so that no process is hidden
 * behind a crowd of others, and what was found before stays until all have been examined.
 */
uint64_t outside_devices(const struct outside_watch *w);

/* --- a process ------------------------------------------------------------------------------------- */

enum whose {
	WHOSE_UNKNOWN,
	WHOSE_OURS,
	WHOSE_OUTSIDE,
	WHOSE_KERNEL /* a thread of the kernel */
};

struct process {
	int64_t pid, parent;
	int64_t start;   /* ticks since the boot; with pid it names one process    */
	int64_t ticks;   /* processor time so far                                     */
	int64_t pages;   /* resident                                                  */
	bool ending;     /* it has been sent KILL or exits, and has not ended         */
	bool leaderless; /* its first thread has ended, others have not           */
	enum whose whose;
	char name[20]; /* printable ASCII */
};

/* The text of /proc/PID/stat; numbers too large to be true are cut. False: it is not such a text. */
bool process_read(const char *stat, struct process *out);

/* Shows bytes of others on a terminal: what is not printable ASCII is '?'. */
void name_safe(char *out, size_t room, const char *text);

#endif
