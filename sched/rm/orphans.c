/* SPDX-License-Identifier: MIT */
/*
 * orphans.c - what becomes of a job's processes when its shepherd is killed?
 *
 * A process is looked at through a pidfd that was opened before, so the one that is killed is the one that
 * was looked at. Who has wiped the mark away is found in the cgroup, when there is one.
 */
#include "orphans.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"
#include "sched/base/str.h"

#define PASSES    40
#define PASS_NS   5000000
#define PATH_ROOM 4200

void orphans_mark(int64_t pid, int64_t pid_start, char out[static ORPHANS_TEXT])
{
	snprintf(out, ORPHANS_TEXT, "%" PRId64 ".%" PRId64, pid, pid_start);
}

void orphans_folder(uint64_t job, uint32_t attempt, int64_t pid, int64_t pid_start,
		    char out[static ORPHANS_FOLDER])
{
	char mark[ORPHANS_TEXT];

	orphans_mark(pid, pid_start, mark);
	snprintf(out, ORPHANS_FOLDER, "job.%" PRIu64 ".%" PRIu32 ".%s", job, attempt, mark);
}

static bool read_file(const char *path, struct str *out)
{
	char part[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t n = 0;

	str_clear(out);
	while (fd >= 0 && out->len < LAUNCH_MAX && (n = read(fd, part, sizeof part)) > 0)
		str_add_bytes(out, part, (size_t)n);
	if (fd >= 0)
		close(fd);
	return fd >= 0 && n >= 0;
}

/* Does a process carry it? One that has died carries nothing. */
static bool has_mark(int64_t pid, const char *mark, struct str *room)
{
	static const char name[] = ORPHANS_MARK "=";
	char path[64];
	size_t at = 0;

	snprintf(path, sizeof path, "/proc/%" PRId64 "/environ", pid);
	if (!read_file(path, room))
		return false;
	for (const char *text = str_text(room); at < room->len; at += strlen(text + at) + 1)
		if (strncmp(text + at, name, sizeof name - 1) == 0)
			return strcmp(text + at + sizeof name - 1, mark) == 0;
	return false;
}

static bool kill_if_marked(int64_t pid, const char *mark, struct str *room)
{
	int pidfd = pidfd_open((pid_t)pid, 0);
	bool ours = pidfd >= 0 && has_mark(pid, mark, room);

	if (ours)
		pidfd_send_signal(pidfd, SIGKILL, NULL, 0);
	if (pidfd >= 0)
		close(pidfd);
	return ours;
}

/* One walk over all processes; how many there were. */
static uint32_t kill_marked(const char *mark, struct str *room)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	uint32_t count = 0;
	int64_t pid;

	while (proc != NULL && (entry = readdir(proc)) != NULL)
		if (str_read_whole(entry->d_name, &pid) && pid > 1)
			count += kill_if_marked(pid, mark, room);
	if (proc != NULL)
		closedir(proc);
	return count;
}

/* --- the cgroup ---------------------------------------------------------------------------------- */

/* True: nobody is left in it, and it is gone. */
static bool kill_inside(const char *folder)
{
	char path[PATH_ROOM + 16];
	int fd;

	if (rmdir(folder) == 0 || errno == ENOENT)
		return true;
	snprintf(path, sizeof path, "%s/cgroup.kill", folder);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0) {
		(void)!write(fd, "1", 1);
		close(fd);
	}
	return false;
}

/* --- both ---------------------------------------------------------------------------------------- */

uint32_t orphans_kill(const struct spool *spool, const char *cgroup)
{
	const struct timespec pause = {.tv_nsec = PASS_NS};
	char mark[ORPHANS_TEXT], name[ORPHANS_FOLDER], folder[PATH_ROOM];
	bool empty = cgroup[0] == '\0' || spool->begun.level == HOLD_NONE;
	struct str room = {0};
	uint32_t count = 1;

	orphans_mark(spool->begun.pid, spool->begun.pid_start, mark);
	orphans_folder(spool->job, spool->attempt, spool->begun.pid, spool->begun.pid_start, name);
	snprintf(folder, sizeof folder, "%s/%s", cgroup, name);
	for (int i = 0; i < PASSES && (count > 0 || !empty); i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		count = kill_marked(mark, &room);
		empty = empty || kill_inside(folder);
	}
	str_free(&room);
	return count > 0 || empty ? count : 1;
}
