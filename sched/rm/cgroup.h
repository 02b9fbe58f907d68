/* SPDX-License-Identifier: MIT */
/*
 * cgroup.h - a cgroup (v2) that holds processes together
 *
 * A folder below the cgroup that was delegated to the scheduler (host_info.h). Its processes can be killed
 * together, and limited as far as the enabled controllers allow. The descriptors of a struct cgroup belong to
 * it until cgroup_remove() or cgroup_close().
 */
#ifndef RM_CGROUP_H
#define RM_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "orphans.h"
#include "spool.h"

struct cgroup {
	enum hold_level level;
	int parent, folder;    /* -1 when there is none */
	bool born_in;          /* this process is in it already */
	bool bounds_processes; /* by pids.max */
	char name[ORPHANS_FOLDER];
};

/* Creates the folder `name` in `parent`, with limits; 0 = no limit. If it cannot be created, or a folder of
 * this name contains processes, level is HOLD_NONE. */
void cgroup_open(struct cgroup *c, const char *parent, const char *name, int64_t mem_mb, int64_t processes);
/* Writes `text` to a file of the folder; false with errno. */
bool cgroup_put(const struct cgroup *c, const char *file, const char *text);
/* Moves the calling process into it; false with errno. */
bool cgroup_join(const struct cgroup *c);
/* Likewise, by the path of the folder. */
bool cgroup_enter(const char *path);
/* Kills all its processes. False: the kernel cannot, and they must be killed one by one. */
bool cgroup_kill(const struct cgroup *c);

/* A descriptor on which poll() reports POLLPRI when the last process has exited, to be closed by the caller;
 * -1 if there is none. cgroup_is_populated(): is a process left? */
int cgroup_events(const struct cgroup *c);
bool cgroup_is_populated(int events);

/* Removes the folder once its killed processes have exited, waiting at most 1 s; otherwise it stays. Then
 * closes. cgroup_close() only closes. */
void cgroup_remove(struct cgroup *c);
void cgroup_close(struct cgroup *c);
/* Removes those folders of `parent` for which is_left() is true. Folders with processes stay, unless `kills`:
 * then the processes are killed first. */
void cgroup_sweep(const char *parent, bool kills, bool (*is_left)(void *self, const char *name), void *self);

#endif
