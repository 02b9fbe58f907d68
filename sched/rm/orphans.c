/* SPDX-License-Identifier: MIT */
/*
 * orphans.c - processes of a job whose shepherd was killed
 *
 * Before a process is examined, a pidfd of it is opened, so that the process that is killed is the one that
 * was examined. A process that has removed the mark (orphans.h) from its environment is found in the cgroup,
 * if there is one.
 *
 * To read the environment of a process, the kernel needs a lock of its memory, and a user can hold that lock
 * indefinitely, for example through a FUSE file system. Therefore only processes of the job's user are
 * examined, by a separate process, the walker. If the walker gets stuck at a process, another walker
 * continues with the next process.
 */
#include "orphans.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

#define PASSES    40
#define PASS_NS   5000000
#define PATH_ROOM 4200
#define ANSWER_MS 1000 /* time limit for the answer; root has hundreds of processes to examine */
#define STUCK_MS  1000 /* time limit for the examination of one process */
#define STUCK_MAX 16

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

bool orphans_read_numbers(const char *text, size_t count, int64_t *out)
{
	for (size_t i = 0; i < count; i++) {
		char *end;

		errno = 0;
		out[i] = strtoll(text, &end, 10);
		if (end == text || errno != 0 || out[i] < 0 || *end != (i + 1 < count ? '.' : '\0'))
			return false;
		text = end + 1;
	}
	return true;
}

static bool read_file(const char *path, size_t most, struct str *out)
{
	char part[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t n = 0;

	str_clear(out);
	while (fd >= 0 && out->len < most && (n = read(fd, part, sizeof part)) > 0)
		str_add_bytes(out, part, (size_t)n);
	if (fd >= 0)
		close(fd);
	return fd >= 0 && n >= 0;
}

/* Does the process have the mark in its environment? An exited process has no environment. */
static bool has_mark(int64_t pid, const char *mark, struct str *room)
{
	static const char name[] = ORPHANS_MARK "=";
	char path[64];
	size_t at = 0;

	snprintf(path, sizeof path, "/proc/%" PRId64 "/environ", pid);
	if (!read_file(path, LAUNCH_MAX, room))
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

/* --- all processes of a user --------------------------------------------------------------------- */

struct pids {
	int64_t *pid;
	size_t count, cap;
	int64_t stuck[STUCK_MAX]; /* processes at which a walker got stuck; not examined again */
	size_t stuck_count;
};

/*
 * Is `uid` the real, effective or saved UID of the process? A program that changes its UID still began as the
 * job's user.
 */
static bool is_of(int64_t pid, uint32_t uid, struct str *room)
{
	static const char name[] = "\nUid:";
	char path[64], *end;
	const char *at;

	snprintf(path, sizeof path, "/proc/%" PRId64 "/status", pid);
	if (!read_file(path, 1, room) || (at = strstr(str_text(room), name)) == NULL)
		return false;
	at += sizeof name - 1;
	for (int i = 0; i < 3; i++, at = end)
		if (strtoul(at, &end, 10) == uid && end != at)
			return true;
	return false;
}

static bool is_stuck(const struct pids *p, int64_t pid)
{
	for (size_t i = 0; i < p->stuck_count; i++)
		if (p->stuck[i] == pid)
			return true;
	return false;
}

static void find_pids(struct pids *p, uint32_t uid, struct str *room)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	int64_t pid;

	p->count = 0;
	while (proc != NULL && (entry = readdir(proc)) != NULL)
		if (str_read_whole(entry->d_name, &pid) && pid > 1 && !is_stuck(p, pid) &&
		    is_of(pid, uid, room)) {
			p->pid = vec_room(p->pid, &p->cap, p->count + 1, sizeof *p->pid);
			p->pid[p->count++] = pid;
		}
	if (proc != NULL)
		closedir(proc);
}

/* The walker: writes a byte for each examined process, 1 if it was marked and killed. */
static _Noreturn void walk(const struct pids *p, size_t from, const char *mark, struct str *room, int out)
{
	for (size_t i = from; i < p->count; i++) {
		char was = (char)kill_if_marked(p->pid[i], mark, room);

		if (write(out, &was, 1) != 1)
			break;
	}
	_exit(0);
}

static bool read_in_time(int fd, int wait_ms, void *out, size_t size)
{
	struct pollfd one = {.fd = fd, .events = POLLIN};

	return poll(&one, 1, wait_ms) == 1 && read(fd, out, size) == (ssize_t)size;
}

/*
 * Runs one walker, which examines processes from index `from` on. Returns the index of the process at which
 * it got stuck, or p->count if it examined all. Adds the number of processes that it killed to *killed.
 */
static size_t walk_on(const struct pids *p, size_t from, const char *mark, struct str *room, uint32_t *killed)
{
	int ends[2];
	pid_t walker;
	char was;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return from;
	walker = fork();
	if (walker == 0)
		walk(p, from, mark, room, ends[1]);
	close(ends[1]);
	while (walker > 0 && from < p->count && read_in_time(ends[0], STUCK_MS, &was, 1)) {
		*killed += was != 0;
		from++;
	}
	close(ends[0]);
	if (walker > 0)
		kill(walker, SIGKILL);
	return from;
}

/*
 * Examines all processes of a user once, and kills the marked ones. Returns the number of processes killed,
 * plus 1 if so many walkers got stuck that some processes were not examined.
 */
static uint32_t kill_marked(struct pids *p, uint32_t uid, const char *mark, struct str *room)
{
	uint32_t killed = 0;
	size_t at = 0;

	find_pids(p, uid, room);
	while (at < p->count) {
		at = walk_on(p, at, mark, room, &killed);
		if (at == p->count)
			break;
		if (p->stuck_count == STUCK_MAX)
			return killed + 1;
		p->stuck[p->stuck_count++] = p->pid[at++];
	}
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return killed;
}

/* --- the cgroup ---------------------------------------------------------------------------------- */

/* Kills all processes in the cgroup. Returns true if it was already empty and has been removed. */
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

/* --- environment and cgroup combined ------------------------------------------------------------- */

static uint32_t kill_orphans(const struct spool *spool, const char *cgroup)
{
	const struct timespec pause = {.tv_nsec = PASS_NS};
	char mark[ORPHANS_TEXT], name[ORPHANS_FOLDER], folder[PATH_ROOM];
	bool empty = cgroup[0] == '\0' || spool->begun.level == HOLD_NONE;
	struct str room = {0};
	struct pids pids = {.count = 0};
	uint32_t count = 1;

	orphans_mark(spool->begun.pid, spool->begun.pid_start, mark);
	orphans_folder(spool->job, spool->attempt, spool->begun.pid, spool->begun.pid_start, name);
	snprintf(folder, sizeof folder, "%s/%s", cgroup, name);
	for (int i = 0; i < PASSES && (count > 0 || !empty); i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		empty = empty || kill_inside(folder);
		count = kill_marked(&pids, spool->begun.uid, mark, &room);
	}
	str_free(&room);
	free(pids.pid);
	count += (uint32_t)pids.stuck_count;
	return count > 0 || empty ? count : 1;
}

/*
 * Creates the process that kills the orphans, as a grandchild so that the scheduler need not reap it. The
 * grandchild closes all other descriptors: the lock of the store must not outlive the scheduler in a stuck
 * process.
 */
static _Noreturn void begin_grandchild(const struct spool *spool, const char *cgroup, int out)
{
	uint32_t left;

	if (fork() == 0 && dup2(out, STDIN_FILENO) == STDIN_FILENO) {
		close_range(STDIN_FILENO + 1, ~0U, 0);
		left = kill_orphans(spool, cgroup);
		(void)!write(STDIN_FILENO, &left, sizeof left);
	}
	_exit(0);
}

uint32_t orphans_kill(const struct spool *spool, const char *cgroup)
{
	uint32_t left = 1;
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return 1;
	child = fork();
	if (child == 0)
		begin_grandchild(spool, cgroup, ends[1]);
	close(ends[1]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (child > 0 && !read_in_time(ends[0], ANSWER_MS, &left, sizeof left))
		left = 1;
	close(ends[0]);
	return left;
}
