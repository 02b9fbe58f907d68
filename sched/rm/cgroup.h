/* SPDX-License-Identifier: MIT */
/*
 * cgroup.h - a cgroup (v2) for the processes of a job or a site program
 *
 * The cgroup is a folder below the cgroup that was delegated to the scheduler (host_info.h). Its processes
 * can be killed together, and limited as far as the enabled controllers allow. The descriptors of a struct
 * cgroup belong to it until cgroup_remove() or cgroup_close().
 */
#ifndef RM_CGROUP_H
#define RM_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "orphans.h"
#include "spool.h"

struct cgroup {
	enum hold_level level;
	int parent, folder;    /* descriptors; -1: not open */
	bool born_in;          /* the calling process was created inside the cgroup */
	bool bounds_processes; /* the number of processes is limited (pids.max) */
	char name[ORPHANS_FOLDER];
};

/*
 * Creates the folder `name` in `parent`, with limits on memory and on the number of processes; 0 = no limit.
 * If the folder cannot be created, or an existing folder of this name contains processes, c->level is
 * HOLD_NONE.
 */
void cgroup_open(struct cgroup *c, const char *parent, const char *name, int64_t mem_mb, int64_t processes);
/* Writes `text` to a file of the folder. Returns false with errno set on failure. */
bool cgroup_put(const struct cgroup *c, const char *file, const char *text);
/*
 * Moves the calling process into the cgroup. Does nothing, and returns true, if there is no cgroup or the
 * process was created inside it. Returns false with errno set on failure.
 */
bool cgroup_join(const struct cgroup *c);
/* Moves the calling process into the cgroup whose folder is `path`. Returns false with errno set on failure.
 */
bool cgroup_enter(const char *path);
/*
 * Kills all processes of the cgroup. Returns false if the kernel cannot do this; then they must be killed one
 * by one.
 */
bool cgroup_kill(const struct cgroup *c);

/*
 * cgroup_events() returns a descriptor on which poll() reports POLLPRI when the last process has exited; the
 * caller closes it. -1 if the cgroup cannot be watched. cgroup_is_populated() takes this descriptor and tells
 * whether the cgroup contains a process.
 */
int cgroup_events(const struct cgroup *c);
bool cgroup_is_populated(int events);

/*
 * cgroup_remove() waits at most 1 s for the exit of killed processes, removes the folder and closes the
 * descriptors. If a process is still in the folder then, the folder is not removed. cgroup_close() only
 * closes the descriptors.
 */
void cgroup_remove(struct cgroup *c);
void cgroup_close(struct cgroup *c);
/*
 * Removes the folders in `parent` for which is_left() returns true. Folders with processes remain, unless
 * `kills` is true: then the processes are killed first.
 */
void cgroup_sweep(const char *parent, bool kills, bool (*is_left)(void *self, const char *name), void *self);

#endif
