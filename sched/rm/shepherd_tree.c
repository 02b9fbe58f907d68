/* SPDX-License-Identifier: MIT */
/*
 * shepherd_tree.c - processes of the job: signals, cgroup, run time and resource usage
 *
 * The shepherd is a subreaper: orphaned processes become its children, so every process of the job is its
 * descendant, even after any number of forks and changes of the session. Processes are found by a walk from
 * parent to child through /proc/PID/task/TID/children. The walk is not atomic: a process may be created where
 * the walk has already been, so an action on all processes is repeated until no new process is found or none
 * is left.
 *
 * A process that was found may have exited and been reaped, and its PID reused. So signals are sent through a
 * pidfd, after a check that this process is still a descendant: its parent is the process under which it was
 * found, or the shepherd, or a descendant of the shepherd. Without pidfds, or without a free descriptor, the
 * same check is made just before kill().
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host_info.h"
#include "orphans.h"
#include "sched/base/vec.h"
#include "shepherd_inside.h"
#include "system_clock.h"

/* --- run time and wallclock limit of the job ---------------------------------------------------------- */

/* The clock is stopped while the job is suspended. Limits are at most a thousand years. */

#define LIMIT_MAX_S (INT64_C(1000) * 366 * 86400)

int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_ms(int64_t s)
{
	return (s < LIMIT_MAX_S ? s : LIMIT_MAX_S) * 1000;
}

void clock_start(struct run_clock *c, int64_t limit_s, int64_t at_ms)
{
	*c = (struct run_clock){.limit_ms = clock_ms(limit_s), .since_ms = at_ms};
}

int64_t clock_ran_ms(const struct run_clock *c, int64_t at_ms)
{
	return c->before_ms + (c->stopped ? 0 : at_ms - c->since_ms);
}

void clock_stop(struct run_clock *c, int64_t at_ms)
{
	c->before_ms = clock_ran_ms(c, at_ms);
	c->stopped = true;
}

void clock_resume(struct run_clock *c, int64_t at_ms)
{
	c->before_ms = clock_ran_ms(c, at_ms);
	c->since_ms = at_ms;
	c->stopped = false;
}

void clock_set_limit(struct run_clock *c, int64_t limit_s)
{
	c->limit_ms = clock_ms(limit_s);
}

int64_t clock_moment(const struct run_clock *c, int64_t left_s)
{
	return c->stopped ? INT64_MAX : c->since_ms + c->limit_ms - c->before_ms - clock_ms(left_s);
}

/* --- processes of the job ----------------------------------------------------------------------------- */

#define TREE_MAX 65536 /* processes found by one walk; a larger fork bomb is killed in several walks */

#define PATH_ROOM 96

#define STAT_ROOM 1024

#define STATUS_ROOM 4096

#define STOP_ROUNDS 16

#define DEPTH_MAX 1000 /* maximum number of generations between the shepherd and a process of the job */

/* --- search for processes ----------------------------------------------------------------------------- */

static void add(struct tree *t, pid_t parent, pid_t pid)
{
	if (t->count == TREE_MAX)
		return;
	t->pid = vec_room(t->pid, &t->cap, t->count + 1, sizeof *t->pid);
	t->parent = vec_room(t->parent, &t->parent_cap, t->count + 1, sizeof *t->parent);
	t->parent[t->count] = parent;
	t->pid[t->count++] = pid;
}

/* Calls act() for each thread of a process; `thread` is the thread ID as text. */
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

/* --- one process -------------------------------------------------------------------------------------- */

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

/*
 * Returns a field of /proc/PID/stat by its number in proc(5); "" if it is missing. The name, field 2, may
 * contain any character, so fields are counted from the last ')'.
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

/*
 * Sets the memory size of a process from the first thread that reports one; a thread that has exited reports
 * 0.
 */
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

/* Is the process alive? Its first thread may have exited while others are running. */
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

/* --- signals to all processes ------------------------------------------------------------------------- */

/*
 * Is the process the shepherd or a descendant of it? A job may have its own subreaper, which adopts orphaned
 * processes.
 */
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

/*
 * Stops all processes. A process that is not stopped yet may create a child that the walk does not find, so
 * the walk is repeated until it finds the same processes again.
 */
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

/* Called while the processes are stopped, so that no process is created and no PID is reused. */
bool tree_bind(struct tree *t, const char *cpus)
{
	uint16_t id[CPU_SETSIZE];
	cpu_set_t set;
	size_t count;

	if (!host_info_read_cpus(cpus, id, CPU_SETSIZE, &count, NULL))
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

/* --- the cgroup of the job ---------------------------------------------------------------------------- */

/*
 * Each start gets a cgroup (cgroup.h) below the folder delegated to the scheduler, with a name that no other
 * scheduler uses (orphans.h). If it cannot be created, the job runs without a cgroup.
 */

#define FILE_ROOM 4096

/* --- cgroup files ------------------------------------------------------------------------------------- */

static bool get(const struct cgroup *c, const char *file, char out[static FILE_ROOM])
{
	int fd = openat(c->folder, file, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, out, FILE_ROOM - 1);

	if (fd >= 0)
		close(fd);
	out[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Reads a number from a file of the cgroup; -1: it cannot be read. */
static int64_t get_number(const struct cgroup *c, const char *file)
{
	char text[FILE_ROOM];

	return get(c, file, text) ? strtoll(text, NULL, 10) : -1;
}

/* Reads the number in the line "NAME NUMBER" of a file; -1: there is no such line. */
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

/* --- creation ----------------------------------------------------------------------------------------- */

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

/* --- control and measurement -------------------------------------------------------------------------- */

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

/* --- resource usage of the job ------------------------------------------------------------------------ */

/*
 * The processor time of running processes is read from /proc; that of exited processes comes from wait():
 * each process is counted once, by its parent or by the shepherd. Memory is the sum of resident pages. Pages
 * shared by several processes count for each of them, so no job is killed because of this sum: if it exceeds
 * the limit, the proportional shares (Pss) of the processes are added up, and their sum decides.
 *
 * To compute a share, the kernel needs a lock of the process's memory, which a job can hold indefinitely
 * (with a thread that reads from a FUSE file system of the user). So a separate process adds up the shares.
 * It is a child of our parent, because a child of our own would count as a process of the job. If it does not
 * answer in time, resident memory decides.
 */

#define USAGE_PATH_ROOM 64

#define LINE_ROOM 256

#define FIRST_LOOKS 2 /* number of early measurements, for screens */

#define FIRST_LOOKS_MS 1000

#define WATCH_MEMORY_MS 1000 /* interval of measurements if the shepherd enforces the memory limit */

#define SHARES_QUICK_MS 200 /* time to wait for the answer right after the request; usually enough */

#define SHARES_MS 5000

static int64_t time_ms(const struct timeval *t)
{
	return (int64_t)t->tv_sec * 1000 + t->tv_usec / 1000;
}

/* Gets the processor time of exited processes, without that of the prolog. */
static void time_of_dead(const struct shepherd *s, int64_t *user_ms, int64_t *system_ms)
{
	struct rusage now;

	getrusage(RUSAGE_CHILDREN, &now);
	*user_ms = time_ms(&now.ru_utime) - time_ms(&s->before.ru_utime);
	*system_ms = time_ms(&now.ru_stime) - time_ms(&s->before.ru_stime);
}

void usage_begin(struct shepherd *s)
{
	getrusage(RUSAGE_CHILDREN, &s->before);
	s->look_at_ms = s->write_at_ms = now_ms() + FIRST_LOOKS_MS;
}

void usage_show_soon(struct shepherd *s)
{
	s->look_at_ms = s->write_at_ms = now_ms();
}

/*
 * Returns the private memory of a process plus its proportional share of shared memory; its resident memory
 * if the share is unknown.
 */
static int64_t share_kb(pid_t pid, const struct process *p)
{
	char path[USAGE_PATH_ROOM], line[LINE_ROOM];
	int64_t kb = p->rss_kb;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/task/%d/smaps_rollup", (int)pid, (int)p->thread);
	file = fopen(path, "re");
	if (file == NULL)
		return kb;
	while (fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, "Pss:", 4) == 0)
			kb = strtoll(line + 4, NULL, 10);
	fclose(file);
	return kb;
}

static int64_t shares_kb(const struct tree *t)
{
	struct process p;
	int64_t sum = 0;

	for (size_t i = 0; i < t->count; i++)
		if (process_read(t->pid[i], &p))
			sum += share_kb(t->pid[i], &p);
	return sum;
}

/*
 * The separate process: adds up the shares and writes the sum to `out`. It closes all other descriptors,
 * because an open spool file would make the shepherd appear to be running.
 */
static _Noreturn void tell_shares(const struct tree *t, int out)
{
	int64_t sum_kb;

	if (dup2(out, STDIN_FILENO) == STDIN_FILENO) {
		close_range(STDIN_FILENO + 1, ~0U, 0);
		sum_kb = shares_kb(t);
		(void)!write(STDIN_FILENO, &sum_kb, sizeof sum_kb);
	}
	_exit(0);
}

/* Creates the process that adds up the shares. Returns false with errno set if it cannot be created. */
static bool ask_shares(struct shepherd *s)
{
	struct clone_args args = {.flags = CLONE_PARENT};
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
	if (pid == 0)
		tell_shares(&s->tree, ends[1]);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return false;
	}
	s->shares = ends[0];
	s->shares_by_ms = now_ms() + SHARES_MS;
	return true;
}

static void forget_shares(struct shepherd *s)
{
	if (s->shares >= 0)
		close(s->shares);
	s->shares = -1;
}

/*
 * Do the shares exceed the limit? Returns false while the answer is pending, and true if it has not come in
 * time. If the separate process has died, returns false, and the next measurement starts another one.
 */
static bool shares_exceed(struct shepherd *s, int64_t bound_kb)
{
	struct pollfd answer = {.events = POLLIN};
	int64_t sum_kb = 0;
	bool exceeds;

	if (s->shares < 0 && !ask_shares(s)) /* for example because a container does not allow clone3() */
		return errno == EAGAIN || errno == EMFILE ? false : shares_kb(&s->tree) > bound_kb;
	answer.fd = s->shares;
	if (poll(&answer, 1, SHARES_QUICK_MS) != 1 && now_ms() < s->shares_by_ms)
		return false;
	if (answer.revents == 0)
		exceeds = true;
	else
		exceeds = read(s->shares, &sum_kb, sizeof sum_kb) == sizeof sum_kb && sum_kb > bound_kb;
	forget_shares(s);
	return exceeds;
}

static void add_living(struct shepherd *s, struct spool_usage *out)
{
	int64_t ticks = 0;
	struct process p;

	tree_find(&s->tree);
	for (size_t i = 0; i < s->tree.count; i++) {
		if (!process_read(s->tree.pid[i], &p))
			continue;
		ticks += p.cpu_ticks;
		out->mem_kb += p.rss_kb;
		out->processes++;
	}
	out->cpu_ms += ticks * 1000 / sysconf(_SC_CLK_TCK);
}

/* Returns the memory limit that the shepherd enforces because the kernel does not; INT64_MAX: none. */
static int64_t own_bound_kb(const struct shepherd *s)
{
	if (s->cgroup.level == HOLD_FULL || s->launch.mem_mb <= 0)
		return INT64_MAX;
	return s->launch.mem_mb > INT64_MAX >> 10 ? INT64_MAX : s->launch.mem_mb << 10;
}

/*
 * Measures the usage of the job. Returns true if the job exceeds the memory limit that the shepherd enforces.
 */
static bool measure(struct shepherd *s, struct spool_usage *out)
{
	int64_t user_ms, system_ms;
	bool over;

	time_of_dead(s, &user_ms, &system_ms);
	*out = (struct spool_usage){
		.at_s = system_clock_s(), .cpu_ms = user_ms + system_ms, .suspended = s->suspended};
	add_living(s, out);
	over = out->mem_kb > own_bound_kb(s) && shares_exceed(s, own_bound_kb(s));
	if (out->mem_kb <= own_bound_kb(s))
		forget_shares(s);
	out->mem_peak_kb = out->mem_kb > s->mem_peak_kb ? out->mem_kb : s->mem_peak_kb;
	cgroup_measure(&s->cgroup, out);
	s->mem_peak_kb = out->mem_peak_kb;
	return over;
}

bool usage_look(struct shepherd *s, int64_t at_ms)
{
	struct spool_usage usage;
	bool over;

	if (at_ms < s->look_at_ms)
		return false;
	over = measure(s, &usage);
	if (at_ms >= s->write_at_ms) {
		spool_write_usage(s->spool, &usage);
		s->write_at_ms =
			at_ms + (++s->writes < FIRST_LOOKS ? FIRST_LOOKS_MS : SHEPHERD_SAMPLE_S * 1000);
	}
	s->look_at_ms = own_bound_kb(s) < INT64_MAX ? at_ms + WATCH_MEMORY_MS : s->write_at_ms;
	return over;
}

/*
 * Sets the usage in s->ended. The peak memory is at least that of the largest process, because a short job
 * may end before it is measured.
 */
void usage_end(struct shepherd *s)
{
	struct spool_usage last = {.mem_peak_kb = s->mem_peak_kb};
	struct rusage now;

	getrusage(RUSAGE_CHILDREN, &now);
	if (now.ru_maxrss > s->before.ru_maxrss && now.ru_maxrss > last.mem_peak_kb)
		last.mem_peak_kb = now.ru_maxrss;
	cgroup_measure(&s->cgroup, &last);
	s->ended.mem_peak_kb = last.mem_peak_kb;
	time_of_dead(s, &s->ended.user_ms, &s->ended.system_ms);
	cgroup_measure_end(&s->cgroup, &s->ended);
}
