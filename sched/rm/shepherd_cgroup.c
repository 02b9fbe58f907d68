/* SPDX-License-Identifier: MIT */
/*
 * shepherd_cgroup.c - what does the kernel hold together for us?
 *
 * A cgroup (v2) of its own for each start, named so that no other scheduler has the same (orphans.h), below
 * the folder the scheduler was given. Which controllers are switched on there decides what is bounded; a file
 * that is not there is a bound that cannot be had. A folder of that name that is in use by somebody is not
 * ours: then the job runs without one.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "orphans.h"
#include "shepherd_inside.h"

#define FILE_ROOM      4096
#define REMOVE_TRIES   100
#define REMOVE_EACH_NS 10000000

/* --- files of the kernel ----------------------------------------------------------------------- */

static bool put(const struct cgroup *c, const char *file, const char *text)
{
	int fd = openat(c->folder, file, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	int why = errno;

	if (fd >= 0)
		close(fd);
	errno = why;
	return good;
}

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

static bool bound_memory(const struct cgroup *c, int64_t mem_mb)
{
	char text[32] = "max";

	if (mem_mb > 0)
		snprintf(text, sizeof text, "%" PRId64, mem_mb > INT64_MAX >> 20 ? INT64_MAX : mem_mb << 20);
	if (!put(c, "memory.max", text))
		return false;
	if (mem_mb > 0)
		put(c, "memory.swap.max", "0");
	put(c, "memory.oom.group", "1");
	return true;
}

static bool bound_processes(const struct cgroup *c, int64_t processes)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRId64, processes);
	return processes > 0 && put(c, "pids.max", text);
}

/* Makes the folder; one that is there is ours only when it was empty. */
static bool make_folder(struct cgroup *c)
{
	if (mkdirat(c->parent, c->name, 0755) != 0 &&
	    (errno != EEXIST || unlinkat(c->parent, c->name, AT_REMOVEDIR) != 0 ||
	     mkdirat(c->parent, c->name, 0755) != 0))
		return false;
	c->folder = openat(c->parent, c->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return c->folder >= 0 && faccessat(c->folder, "cgroup.procs", W_OK, 0) == 0;
}

void cgroup_make(struct cgroup *c, const struct launch *launch)
{
	*c = (struct cgroup){.level = HOLD_NONE, .parent = -1, .folder = -1};
	if (launch->cgroup == NULL)
		return;
	orphans_folder(launch->job, launch->attempt, getpid(), spool_pid_start(getpid()), c->name);
	c->parent = open(launch->cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->parent < 0 || !make_folder(c)) {
		cgroup_remove(c);
		return;
	}
	c->level = bound_memory(c, launch->mem_mb) ? HOLD_FULL : HOLD_KILL_ONLY;
	c->bounds_processes = bound_processes(c, launch->processes);
	if (launch->cpus != NULL)
		cgroup_bind(c, launch->cpus);
}

void cgroup_bind(const struct cgroup *c, const char *cpus)
{
	if (c->level != HOLD_NONE)
		put(c, "cpuset.cpus", cpus);
}

bool cgroup_join(const struct cgroup *c)
{
	return c->level == HOLD_NONE || c->born_in || put(c, "cgroup.procs", "0");
}

/* A process that was killed just now may still be in it. */
void cgroup_remove(struct cgroup *c)
{
	const struct timespec a_while = {.tv_nsec = REMOVE_EACH_NS};

	if (c->folder >= 0) {
		close(c->folder);
		for (int i = 0;
		     i < REMOVE_TRIES && unlinkat(c->parent, c->name, AT_REMOVEDIR) != 0 && errno == EBUSY;
		     i++)
			nanosleep(&a_while, NULL);
	}
	if (c->parent >= 0)
		close(c->parent);
	*c = (struct cgroup){.level = HOLD_NONE, .parent = -1, .folder = -1};
}

/* --- using ------------------------------------------------------------------------------------- */

bool cgroup_kill(const struct cgroup *c)
{
	return c->level != HOLD_NONE && put(c, "cgroup.kill", "1");
}

bool cgroup_freeze(const struct cgroup *c, bool frozen)
{
	return c->level != HOLD_NONE && put(c, "cgroup.freeze", frozen ? "1" : "0");
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
