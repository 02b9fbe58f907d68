/* SPDX-License-Identifier: MIT */
/*
 * cgroup.h - a cgroup (v2) that holds processes together
 *
 * One folder below the folder the scheduler was given (facts.h): its processes can be killed as one, and are
 * bounded as far as the controllers of the folder allow.
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

/* Makes the folder `name` in `parent`. 0 MB, 0 processes: not bounded. When it cannot be had, or one of that
 * name is in use, level is HOLD_NONE. */
void cgroup_open(struct cgroup *c, const char *parent, const char *name, int64_t mem_mb, int64_t processes);
/* Writes to a file of it; false with errno. */
bool cgroup_put(const struct cgroup *c, const char *file, const char *text);
/* This process becomes a member; false with errno. */
bool cgroup_join(const struct cgroup *c);
/* The same by the path of its folder. */
bool cgroup_enter(const char *path);
/* False: the kernel cannot, do it one by one. */
bool cgroup_kill(const struct cgroup *c);

/* A descriptor that poll() reports (POLLPRI) when the last process has ended; -1: there is none. Is one left?
 */
int cgroup_events(const struct cgroup *c);
bool cgroup_is_populated(int events);

/* Removes the folder, which has no processes any more but some that are about to end; or leaves it there. */
void cgroup_remove(struct cgroup *c);
void cgroup_close(struct cgroup *c);
/* Removes the folders of `parent` for which is_left() is true, unless processes are in it; kills: these are
 * killed. */
void cgroup_sweep(const char *parent, bool kills, bool (*is_left)(void *self, const char *name), void *self);

#endif
