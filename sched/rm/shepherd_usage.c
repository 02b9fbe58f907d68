/* SPDX-License-Identifier: MIT */
/*
 * shepherd_usage.c - resource usage of the job
 *
 * Processor time of the living from /proc, of the dead from wait(): each process is counted once, by
 * its parent or by us. Memory is the sum of what is resident. Pages that several processes share count
 * once for each of them there, so nobody is killed by that sum: when it is over the bound, the shares
 * (Pss) are added up, and they decide.
 *
 * To compute a share the kernel needs a lock of the process's memory, which a job can hold indefinitely (a
 * thread that reads from a FUSE file system of the user). So a separate process adds the shares up. It is a
 * child of our parent, because as our own child it would count as one of the job. If it does not answer in
 * time, resident memory decides.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "shepherd_inside.h"
#include "system_clock.h"

#define PATH_ROOM 64
#define LINE_ROOM 256

#define FIRST_LOOKS     2 /* come early, for a screen */
#define FIRST_LOOKS_MS  1000
#define WATCH_MEMORY_MS 1000 /* how often, when we are the bound */
#define SHARES_QUICK_MS 200  /* the usual case, in which the answer is waited for */
#define SHARES_MS       5000

static int64_t time_ms(const struct timeval *t)
{
	return (int64_t)t->tv_sec * 1000 + t->tv_usec / 1000;
}

/* Of those who are dead, without the prolog. */
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

/* What it has to itself and its part of what it shares; otherwise what is resident. */
static int64_t share_kb(pid_t pid, const struct process *p)
{
	char path[PATH_ROOM], line[LINE_ROOM];
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

/* It keeps nothing open: the lock of the spool file says that its shepherd lives. */
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

/* False: no process could be made for it. */
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

/* Are the shares more than a bound? A process that was asked and died has not answered: ask again. */
static bool shares_exceed(struct shepherd *s, int64_t bound_kb)
{
	struct pollfd answer = {.events = POLLIN};
	int64_t sum_kb = 0;
	bool exceeds;

	if (s->shares < 0 && !ask_shares(s)) /* as where a container forbids clone3 */
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

/* The kernel bounds nothing, so we do. */
static int64_t own_bound_kb(const struct shepherd *s)
{
	if (s->cgroup.level == HOLD_FULL || s->launch.mem_mb <= 0)
		return INT64_MAX;
	return s->launch.mem_mb > INT64_MAX >> 10 ? INT64_MAX : s->launch.mem_mb << 10;
}

/* True: it has more than our bound. */
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

/* The largest of all processes counts too: a short job is never looked at. */
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
