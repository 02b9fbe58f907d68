/* SPDX-License-Identifier: MIT */
/*
 * orphans.c - what becomes of a job's processes when its shepherd is killed?
 *
 * A process is looked at through a pidfd that was opened before, so the one that is killed is the one that
 * was looked at. Who has wiped the mark away is found in the cgroup, when there is one; a folder of that name
 * in which somebody carries the mark of another shepherd belongs to another store.
 */
#include "orphans.h"

#include <dirent.h>
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

enum mark {
	MARK_NONE,
	MARK_OURS,
	MARK_OTHER
};

void orphans_mark(int64_t pid, int64_t pid_start, char out[static ORPHANS_TEXT])
{
	snprintf(out, ORPHANS_TEXT, "%" PRId64 ".%" PRId64, pid, pid_start);
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

/* What a process carries; one that has died carries nothing. */
static enum mark find_mark(int64_t pid, const char *mark, struct str *room)
{
	static const char name[] = ORPHANS_MARK "=";
	char path[64];
	size_t at = 0;

	snprintf(path, sizeof path, "/proc/%" PRId64 "/environ", pid);
	if (!read_file(path, room))
		return MARK_NONE;
	for (const char *text = str_text(room); at < room->len; at += strlen(text + at) + 1)
		if (strncmp(text + at, name, sizeof name - 1) == 0)
			return strcmp(text + at + sizeof name - 1, mark) == 0 ? MARK_OURS : MARK_OTHER;
	return MARK_NONE;
}

static bool kill_if_marked(int64_t pid, const char *mark, struct str *room)
{
	int pidfd = pidfd_open((pid_t)pid, 0);
	bool ours = pidfd >= 0 && find_mark(pid, mark, room) == MARK_OURS;

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

/* How many are in the folder; *stranger when one of them is another shepherd's. */
static uint32_t count_inside(const char *folder, const char *mark, struct str *room, bool *stranger)
{
	char path[PATH_ROOM + 16];
	struct str list = {0};
	uint32_t count = 0;

	snprintf(path, sizeof path, "%s/cgroup.procs", folder);
	read_file(path, &list);
	for (const char *line = str_text(&list); *line != '\0'; line += strcspn(line, "\n") + 1) {
		*stranger = *stranger || find_mark(strtoll(line, NULL, 10), mark, room) == MARK_OTHER;
		count++;
	}
	str_free(&list);
	return count;
}

/* True: nobody is left in it, and it is gone. */
static bool kill_inside(const char *folder, const char *mark, struct str *room)
{
	char path[PATH_ROOM + 16];
	bool stranger = false;
	int fd;

	if (count_inside(folder, mark, room, &stranger) == 0 || stranger) {
		if (!stranger)
			rmdir(folder);
		return true;
	}
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
	char mark[ORPHANS_TEXT], folder[PATH_ROOM];
	bool empty = cgroup[0] == '\0' || spool->begun.level == HOLD_NONE;
	struct str room = {0};
	uint32_t count = 1;

	orphans_mark(spool->begun.pid, spool->begun.pid_start, mark);
	snprintf(folder, sizeof folder, "%s/job.%" PRIu64 ".%" PRIu32, cgroup, spool->job, spool->attempt);
	for (int i = 0; i < PASSES && (count > 0 || !empty); i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		count = kill_marked(mark, &room);
		empty = empty || kill_inside(folder, mark, &room);
	}
	str_free(&room);
	return count > 0 || empty ? count : 1;
}
