/* SPDX-License-Identifier: MIT */
/*
 * cgroup.c - a cgroup (v2) for the processes of a job or a site program
 *
 * The controllers enabled in the parent folder decide which limits can be set: the file of a limit exists
 * only if its controller is enabled. An existing folder that contains processes belongs to another scheduler
 * and is not used.
 */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REMOVE_TRIES   100
#define REMOVE_EACH_NS 10000000

bool cgroup_put(const struct cgroup *c, const char *file, const char *text)
{
	int fd = openat(c->folder, file, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	int why = errno;

	if (fd >= 0)
		close(fd);
	errno = why;
	return good;
}

static bool bound_memory(const struct cgroup *c, int64_t mem_mb)
{
	char text[32] = "max";

	if (mem_mb > 0)
		snprintf(text, sizeof text, "%" PRId64, mem_mb > INT64_MAX >> 20 ? INT64_MAX : mem_mb << 20);
	if (!cgroup_put(c, "memory.max", text))
		return false;
	if (mem_mb > 0)
		cgroup_put(c, "memory.swap.max", "0");
	cgroup_put(c, "memory.oom.group", "1");
	return true;
}

static bool bound_processes(const struct cgroup *c, int64_t processes)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRId64, processes);
	return processes > 0 && cgroup_put(c, "pids.max", text);
}

/* Creates and opens the folder. An existing folder is replaced only if it is empty. */
static bool make_folder(struct cgroup *c)
{
	if (mkdirat(c->parent, c->name, 0755) != 0 &&
	    (errno != EEXIST || unlinkat(c->parent, c->name, AT_REMOVEDIR) != 0 ||
	     mkdirat(c->parent, c->name, 0755) != 0))
		return false;
	c->folder = openat(c->parent, c->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return c->folder >= 0 && faccessat(c->folder, "cgroup.procs", W_OK, 0) == 0;
}

void cgroup_open(struct cgroup *c, const char *parent, const char *name, int64_t mem_mb, int64_t processes)
{
	*c = (struct cgroup){.level = HOLD_NONE, .parent = -1, .folder = -1};
	snprintf(c->name, sizeof c->name, "%s", name);
	c->parent = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->parent < 0 || !make_folder(c)) {
		cgroup_remove(c);
		return;
	}
	c->level = bound_memory(c, mem_mb) ? HOLD_FULL : HOLD_KILL_ONLY;
	c->bounds_processes = bound_processes(c, processes);
}

bool cgroup_join(const struct cgroup *c)
{
	return c->level == HOLD_NONE || c->born_in || cgroup_put(c, "cgroup.procs", "0");
}

bool cgroup_enter(const char *path)
{
	struct cgroup c = {.level = HOLD_KILL_ONLY, .folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	bool good = c.folder >= 0 && cgroup_join(&c);
	int why = errno;

	if (c.folder >= 0)
		close(c.folder);
	errno = why;
	return good;
}

bool cgroup_kill(const struct cgroup *c)
{
	return c->level != HOLD_NONE && cgroup_put(c, "cgroup.kill", "1");
}

int cgroup_events(const struct cgroup *c)
{
	return c->level == HOLD_NONE ? -1 : openat(c->folder, "cgroup.events", O_RDONLY | O_CLOEXEC);
}

/*
 * Must be called after each event, because the kernel reports no further change until the file has been read.
 */
bool cgroup_is_populated(int events)
{
	char text[256];
	ssize_t n = pread(events, text, sizeof text - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return strstr(text, "populated 1") != NULL;
}

void cgroup_close(struct cgroup *c)
{
	if (c->folder >= 0)
		close(c->folder);
	if (c->parent >= 0)
		close(c->parent);
	*c = (struct cgroup){.level = HOLD_NONE, .parent = -1, .folder = -1};
}

/* Retries for up to 1 s, because a process that was just killed may still be in the folder. */
void cgroup_remove(struct cgroup *c)
{
	const struct timespec a_while = {.tv_nsec = REMOVE_EACH_NS};

	if (c->folder >= 0)
		for (int i = 0;
		     i < REMOVE_TRIES && unlinkat(c->parent, c->name, AT_REMOVEDIR) != 0 && errno == EBUSY;
		     i++)
			nanosleep(&a_while, NULL);
	cgroup_close(c);
}

static void kill_and_remove(int parent, const char *name)
{
	struct cgroup c = {.level = HOLD_KILL_ONLY, .parent = fcntl(parent, F_DUPFD_CLOEXEC, 3)};

	snprintf(c.name, sizeof c.name, "%.*s", ORPHANS_FOLDER - 1, name);
	c.folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cgroup_kill(&c);
	cgroup_remove(&c);
}

void cgroup_sweep(const char *parent, bool kills, bool (*is_left)(void *self, const char *name), void *self)
{
	DIR *dir = opendir(parent);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (is_left(self, entry->d_name) && unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR) != 0 &&
		    kills)
			kill_and_remove(dirfd(dir), entry->d_name);
	if (dir != NULL)
		closedir(dir);
}
