/* SPDX-License-Identifier: MIT */
/*
 * shepherd_cgroup.c - the cgroup of the job
 *
 * Each start gets a cgroup (cgroup.h) below the folder delegated to the scheduler, under a name that no other
 * scheduler uses (orphans.h). If it cannot be created the job runs without one.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "orphans.h"
#include "shepherd_inside.h"

#define FILE_ROOM 4096

/* --- files of the kernel ----------------------------------------------------------------------- */

static bool get(const struct cgroup *c, const char *file, char out[static FILE_ROOM])
{
	int fd = openat(c->folder, file, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, out, FILE_ROOM - 1);

	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* The number of a file that is one; -1: it is not there. */
static int64_t get_number(const struct cgroup *c, const char *file)
{
	char text[FILE_ROOM];

	return get(c, file, text) ? strtoll(text, NULL, 10) : -1;
}

/* The number of the line "NAME number" in a file; -1: it is not there. */
static int64_t get_line(const struct cgroup *c, const char *file, const char *name)
{
	char text[FILE_ROOM];
	const char *line = get(c, file, text) ? text : NULL;
	size_t len = strlen(name);

	while (line != NULL && !(strncmp(line, name, len) == 0 && line[len] == ' ')) {
		line = strchr(line, '\n');
		line = line == NULL ? NULL : line + 1;
	}
	return line == NULL ? -1 : strtoll(line + len, NULL, 10);
}

/* --- making ------------------------------------------------------------------------------------ */

void cgroup_make(struct cgroup *c, const struct launch *launch)
{
	char name[ORPHANS_FOLDER];

	*c = (struct cgroup){.level = HOLD_NONE, .parent = -1, .folder = -1};
	if (launch->cgroup == NULL)
		return;
	orphans_folder(launch->job, launch->attempt, getpid(), spool_pid_start(getpid()), name);
	cgroup_open(c, launch->cgroup, name, launch->mem_mb, launch->processes);
	if (launch->cpus != NULL)
		cgroup_bind(c, launch->cpus);
}

void cgroup_bind(const struct cgroup *c, const char *cpus)
{
	if (c->level != HOLD_NONE)
		cgroup_put(c, "cpuset.cpus", cpus);
}

/* --- using ------------------------------------------------------------------------------------- */

bool cgroup_freeze(const struct cgroup *c, bool frozen)
{
	return c->level != HOLD_NONE && cgroup_put(c, "cgroup.freeze", frozen ? "1" : "0");
}

bool cgroup_ran_out_of_memory(const struct cgroup *c)
{
	return c->level == HOLD_FULL && get_line(c, "memory.events", "oom_kill") > 0;
}

void cgroup_measure(const struct cgroup *c, struct spool_usage *usage)
{
	int64_t cpu_us = c->level == HOLD_NONE ? -1 : get_line(c, "cpu.stat", "usage_usec");
	int64_t memory = c->level == HOLD_FULL ? get_number(c, "memory.current") : -1;
	int64_t peak = c->level == HOLD_FULL ? get_number(c, "memory.peak") : -1;

	if (cpu_us >= 0)
		usage->cpu_ms = cpu_us / 1000;
	if (memory >= 0)
		usage->mem_kb = memory / 1024;
	if (peak >= 0)
		usage->mem_peak_kb = peak / 1024;
}

void cgroup_measure_end(const struct cgroup *c, struct spool_ended *ended)
{
	int64_t user_us = c->level == HOLD_NONE ? -1 : get_line(c, "cpu.stat", "user_usec");
	int64_t system_us = c->level == HOLD_NONE ? -1 : get_line(c, "cpu.stat", "system_usec");

	if (user_us >= 0)
		ended->user_ms = user_us / 1000;
	if (system_us >= 0)
		ended->system_ms = system_us / 1000;
}
