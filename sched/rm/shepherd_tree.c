/* SPDX-License-Identifier: MIT */
/*
 * shepherd_tree.c - processes of the job
 *
 * The shepherd is a subreaper: whoever loses his parent becomes its child, so every process of the job
 * is below it however often it forked or changed its session. The walk goes from parent to child through
 * /proc/PID/task/TID/children. It is no picture of one moment: a process may be born behind it, so whatever
 * must reach all is repeated until nothing new is found, or nobody is left.
 *
 * A process that was found may have ended since, been waited for by its parent, and left its number to a
 * stranger. So a signal goes through a pidfd, and only after the process that the pidfd means was seen to be
 * below us: its parent is the shepherd or the process that it was found under, or leads there. Where the
 * kernel has no pidfds, or no descriptor is left, the same is checked just before kill().
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "facts.h"
#include "sched/base/vec.h"
#include "shepherd_inside.h"

#define TREE_MAX    65536 /* processes of one walk; a fork bomb is killed in several */
#define PATH_ROOM   96
#define STAT_ROOM   1024
#define STATUS_ROOM 4096
#define STOP_ROUNDS 16
#define DEPTH_MAX   1000 /* generations between the shepherd and a process that was given to another parent */

/* --- finding ----------------------------------------------------------------------------------- */

static void add(struct tree *t, pid_t parent, pid_t pid)
{
	if (t->count == TREE_MAX)
		return;
	t->pid = vec_room(t->pid, &t->cap, t->count + 1, sizeof *t->pid);
	t->parent = vec_room(t->parent, &t->parent_cap, t->count + 1, sizeof *t->parent);
	t->parent[t->count] = parent;
	t->pid[t->count++] = pid;
}

/* Does something with each thread of a process; thread: its number as text. */
static void for_each_thread(pid_t pid, void (*act)(pid_t pid, const char *thread, void *self), void *self)
{
	const struct dirent *entry;
	char path[PATH_ROOM];
	DIR *threads;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	threads = opendir(path);
	if (threads == NULL)
		return;
	while ((entry = readdir(threads)) != NULL)
		if (entry->d_name[0] != '.')
			act(pid, entry->d_name, self);
	closedir(threads);
}

static void add_children_of_thread(pid_t pid, const char *thread, void *self)
{
	struct tree *t = self;
	char path[PATH_ROOM], *word = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, thread);
	file = fopen(path, "re");
	if (file == NULL)
		return;
	while (getdelim(&word, &room, ' ', file) > 0)
		add(t, pid, (pid_t)strtol(word, NULL, 10));
	free(word);
	fclose(file);
}

void tree_find(struct tree *t)
{
	t->count = 0;
	for_each_thread(getpid(), add_children_of_thread, t);
	for (size_t i = 0; i < t->count; i++)
		for_each_thread(t->pid[i], add_children_of_thread, t);
}

void tree_free(struct tree *t)
{
	free(t->pid);
	free(t->parent);
	*t = (struct tree){.count = 0};
}

/* --- looking at one ---------------------------------------------------------------------------- */

static bool read_file(pid_t pid, const char *name, char *out, size_t room)
{
	char path[PATH_ROOM];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, out, room - 1);
		close(fd);
	}
	out[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Where a field of /proc/PID/stat begins, behind the name, which may hold anything; "" when it is not there.
 */
static const char *field_at(const char *line, int number)
{
	const char *at = strrchr(line, ')');

	for (int field = 2; at != NULL && field < number; field++)
		at = strchr(at + 1, ' ');
	return at == NULL ? "" : at + 1;
}

static int64_t field(const char *line, int number)
{
	return strtoll(field_at(line, number), NULL, 10);
}

static int64_t rss_kb(const char *line)
{
	return field(line, 24) * (sysconf(_SC_PAGESIZE) / 1024);
}

/* The first that still has the memory of the process. */
static void take_memory(pid_t pid, const char *thread, void *self)
{
	char line[STAT_ROOM], name[PATH_ROOM];
	struct process *p = self;

	snprintf(name, sizeof name, "task/%.20s/stat", thread);
	if (p->rss_kb > 0 || !read_file(pid, name, line, sizeof line))
		return;
	p->rss_kb = rss_kb(line);
	p->thread = (pid_t)strtol(thread, NULL, 10);
}

/* Its fields as proc(5) counts them. */
bool process_read(pid_t pid, struct process *out)
{
	char line[STAT_ROOM];

	if (!read_file(pid, "stat", line, sizeof line))
		return false;
	out->state = field_at(line, 3)[0];
	out->parent = (pid_t)field(line, 4);
	out->threads = field(line, 20);
	out->cpu_ticks = field(line, 14) + field(line, 15) + field(line, 16) + field(line, 17);
	out->rss_kb = rss_kb(line);
	out->thread = pid;
	if (out->state == 'Z' && out->threads > 1)
		for_each_thread(pid, take_memory, out);
	return true;
}

/* Its first thread may have ended while others work. */
static bool lives(pid_t pid)
{
	struct process p;

	return process_read(pid, &p) && ((p.state != 'Z' && p.state != 'X') || p.threads > 1);
}

static bool catches(pid_t pid, int signal_number)
{
	char status[STATUS_ROOM];
	const char *at;

	if (!read_file(pid, "status", status, sizeof status) || (at = strstr(status, "\nSigCgt:")) == NULL)
		return false;
	return strtoull(at + strlen("\nSigCgt:"), NULL, 16) >> (signal_number - 1) & 1;
}

/* --- reaching all ------------------------------------------------------------------------------ */

/* A job may have a subreaper of its own, which takes in what has lost its parent. */
static bool leads_to_us(pid_t pid)
{
	const pid_t self = getpid();
	struct process p = {.parent = pid};

	for (int i = 0; i < DEPTH_MAX && p.parent > 1; i++) {
		if (p.parent == self)
			return true;
		if (!process_read(p.parent, &p))
			return false;
	}
	return false;
}

static bool is_still_ours(pid_t parent, pid_t pid)
{
	struct process p;

	return process_read(pid, &p) && (p.parent == parent || leads_to_us(p.parent));
}

bool tree_signal_one(const struct tree *t, size_t i, int signal_number)
{
	int pidfd = pidfd_open(t->pid[i], 0);
	bool ours = (pidfd >= 0 || errno != ESRCH) && is_still_ours(t->parent[i], t->pid[i]);

	if (ours && pidfd >= 0)
		pidfd_send_signal(pidfd, signal_number, NULL, 0);
	else if (ours)
		kill(t->pid[i], signal_number);
	if (pidfd >= 0)
		close(pidfd);
	return ours;
}

static void signal_each(const struct tree *t, int signal_number)
{
	for (size_t i = 0; i < t->count; i++)
		tree_signal_one(t, i, signal_number);
}

static bool is_same(const struct tree *a, const struct tree *b)
{
	return a->count == b->count && memcmp(a->pid, b->pid, a->count * sizeof *a->pid) == 0;
}

/* A process that is not stopped yet may have a child that the walk did not see. */
static void stop_all(struct tree *t)
{
	struct tree before = {.count = 0};

	for (int round = 0; round < STOP_ROUNDS; round++) {
		struct tree last = *t;

		tree_find(&before);
		if (before.count == 0 || (round > 0 && is_same(&before, &last)))
			break;
		signal_each(&before, SIGSTOP);
		*t = before;
		before = last;
	}
	tree_free(&before);
}

void tree_signal(struct tree *t, int signal_number)
{
	if (signal_number == SIGSTOP) {
		stop_all(t);
		return;
	}
	tree_find(t);
	signal_each(t, signal_number);
}

void tree_warn(struct tree *t, int signal_number)
{
	tree_find(t);
	for (size_t i = 0; i < t->count; i++)
		if (catches(t->pid[i], signal_number))
			tree_signal_one(t, i, signal_number);
}

static void bind_thread(pid_t pid, const char *thread, void *self)
{
	const cpu_set_t *set = self;

	(void)pid;
	sched_setaffinity((pid_t)strtol(thread, NULL, 10), sizeof *set, set);
}

/* The processes are stopped: none is born meanwhile, and none leaves its number to a stranger. */
bool tree_bind(struct tree *t, const char *cpus)
{
	uint16_t id[CPU_SETSIZE];
	cpu_set_t set;
	size_t count;

	if (!facts_read_cpus(cpus, id, CPU_SETSIZE, &count, NULL))
		return false;
	CPU_ZERO(&set);
	for (size_t i = 0; i < count; i++)
		if (id[i] < CPU_SETSIZE)
			CPU_SET(id[i], &set);
	tree_find(t);
	for (size_t i = 0; i < t->count; i++)
		for_each_thread(t->pid[i], bind_thread, &set);
	return true;
}

uint32_t tree_living(struct tree *t)
{
	uint32_t count = 0;

	tree_find(t);
	for (size_t i = 0; i < t->count; i++)
		count += lives(t->pid[i]);
	return count;
}
