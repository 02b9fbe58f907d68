/* SPDX-License-Identifier: MIT */
/*
 * foreign_inside.h - what is one process, as far as its use of the host goes?
 */
#ifndef RM_FOREIGN_INSIDE_H
#define RM_FOREIGN_INSIDE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "foreign.h"
#include "sched/base/err.h"

enum whose {
	WHOSE_UNKNOWN,
	WHOSE_OURS,
	WHOSE_FOREIGN,
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

/* Processes by ascending pid, at most PROCESSES_MAX. */
#define PROCESSES_MAX 65536
struct process_table {
	struct process *item;
	size_t count, cap;
	double at_s; /* since the boot: when the pass over them began */
	DIR *folder; /* the pass that is not yet complete; NULL = none */
};

/* One pass over /proc below the prefix, or a piece of it: at most `most` entries of that directory. Until it
 * is complete nothing else may be asked of the table. */
enum look process_table_read(struct process_table *table, const char *prefix, size_t most, struct err *err);
struct process *process_find(const struct process_table *table, int64_t pid);

/* --- foreign_device.c ------------------------------------------------------------------------------- */

/* What one process has open. */
struct device_seen {
	bool nvidia, amd; /* the drivers' memory */
	uint64_t nvidia_devices, amd_devices;
};

/* The search for devices among the open files of foreign processes, in pieces. All zero at first. */
struct device_look {
	struct device_node {
		bool amd;
		int16_t node; /* as in struct device */
	} wanted[FACTS_DEVICES_MAX];
	uint32_t count;
	uint64_t used;           /* the answer, as the last complete look left it                     */
	uint64_t found;          /* by this round: the looks since one began with the first process    */
	int64_t from;            /* the next look begins at the first process with this pid or a higher */
	size_t at;               /* the process to be examined, in the table                          */
	size_t links;            /* read in this look                                                 */
	DIR *folder;             /* the open files of that process; NULL = not yet opened             */
	size_t folder_links;     /* read of them                                                      */
	struct device_seen seen; /* among them                                                        */
};

/* foreign_watch_devices() */
void device_look_for(struct device_look *look, const struct device *device, uint32_t count);
/* Is there a device that could be found? */
bool device_look_wanted(const struct device_look *look);
/* The table stays as it is until the search is complete. */
void device_look_begin(struct device_look *look, const struct process_table *table);
/* Examines at most this many processes and reads at most this many links. LOOK_ON or LOOK_DONE. */
enum look device_look_some(struct device_look *look, const char *prefix, const struct process_table *table,
			   size_t processes, size_t links);
/* Gives up a search that is not complete. */
void device_look_end(struct device_look *look);

/* --- foreign_process.c ------------------------------------------------------------------------------ */

/* Who is ours: this process, those of `pid`, and all their descendants. Fills whose. */
void process_table_judge(struct process_table *table, const int64_t *pid, size_t count);

#endif
