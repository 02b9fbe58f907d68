/* SPDX-License-Identifier: MIT */
/*
 * local_load.c - load of processes outside of jobs
 *
 * The report contains the number of busy processors: the processors of jobs, which count whether the jobs use
 * them or not, plus those that outside processes use. NODEAVAILABILITYPOLICY decides how the scheduler uses
 * this number. While outside processes use less than half a processor, only their load is reported, for
 * display.
 *
 * The memory of outside processes is not reported, because most of it is covered by the option systemmemory.
 * The exception is memory of processes that were killed and have not exited, such as those left by a job:
 * this memory belonged to a job a moment ago, and would be allocated to the next job. It counts only as far
 * as ended jobs had it: a process that never belonged to a job is covered by systemmemory, killed or not.
 *
 * GPUs used by outside processes are allocated only when no other GPU is free; they do not count as busy.
 *
 * A user may have as many processes and open files as the limits allow, and no request should wait until all
 * of them have been examined. So a measurement (a "look") is divided into calls that examine some processes
 * each; between the calls, the scheduler handles everything else.
 *
 * The first measurement is always reported, because the stored one is from an earlier scheduler process. A
 * later measurement is reported when the outside load has changed by more than one processor, or has fallen
 * below half a processor; when the last report is old, and the load has changed a little or another process
 * uses the most processors; and when jobs have started or ended while there is outside load, because the sum
 * would be wrong until the next look. If no measurement succeeds within the time of NODE_MEASURED_POLLS
 * looks, the last value is withdrawn.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "local_inside.h"
#include "sched/base/amount.h"
#include "sched/base/vec.h"

#define NEWS     1.0 /* change of the load, in processors, that is reported at once */
#define DRIFT    0.1 /* smaller change, in processors, reported when the last report expires */
#define NEWS_MB  64  /* smaller amounts and smaller changes of memory are not reported */
#define LEFT_S   5   /* seconds from the end of a job to the look that finds the processes it has left */
#define SECOND_S 2   /* seconds from the first look to the second, which is the first to measure a load */

/*
 * Adds the current shepherds to the list. Shepherds that were in the list at the beginning of the look stay
 * in it, even after their end: their remaining processes were seen as their children.
 */
static void add_shepherds(struct local *l)
{
	struct local_load *load = &l->load;
	size_t count = load->pid_count + l->job_count;
	int64_t *pid = mem_zero(count + 1, sizeof *pid);

	if (load->pid_count > 0)
		memcpy(pid, load->pid, load->pid_count * sizeof *pid);
	for (size_t i = 0; i < l->job_count; i++)
		pid[load->pid_count + i] = l->job[i].pid;
	free(load->pid);
	load->pid = pid;
	load->pid_count = count;
}

/*
 * Opens the descriptor that triggers the next call of a look. It exists only during a look, because a
 * scheduler with few descriptors needs them for jobs. Returns false if it cannot be opened; then the look
 * continues once a second.
 */
static bool open_call(struct local *l)
{
	struct epoll_event wanted = {.events = EPOLLIN, .data.u64 = LOCAL_NO_JOB};
	int call = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);

	if (call >= 0 && epoll_ctl(l->epoll, EPOLL_CTL_ADD, call, &wanted) != 0) {
		close(call);
		call = -1;
	}
	l->load.call = call;
	return call >= 0;
}

static void close_call(struct local *l)
{
	if (l->load.call < 0)
		return;
	epoll_ctl(l->epoll, EPOLL_CTL_DEL, l->load.call,
		  NULL); /* closing is not enough if a child process still has a copy */
	close(l->load.call);
	l->load.call = -1;
}

void local_close_load(struct local *l)
{
	close_call(l);
	outside_watch_free(l->load.watch);
	free(l->load.pid);
}

static bool is_news(const struct local_load *load, const struct outside_use *now, int64_t now_s)
{
	double change = fabs(now->load - load->told);
	bool differs = change > DRIFT || (now->load >= 0.5 && strcmp(now->largest, load->by) != 0);

	return load->told_s == TIME_NONE || change > NEWS || (load->told >= 0.5 && now->load < 0.5) ||
	       (differs && now_s - load->told_s >= NODE_MEASURED_POLLS * load->every_s);
}

/*
 * Counts the memory of killed processes as used: such a process uses no processor, but its memory is not free
 * until it has exited. Pages that killed processes share count for each of them, so that a user could make a
 * little memory look like all of it; therefore the total is at most the memory of the jobs that left them.
 */
static void take_stuck(struct local_load *load, int64_t stuck_mb)
{
	int64_t mem_mb = stuck_mb < load->left_most_mb ? stuck_mb : load->left_most_mb;

	mem_mb = (mem_mb < NEWS_MB ? 0 : mem_mb) + load->left_mb;
	if (stuck_mb == 0)
		load->left_most_mb = load->left_mb;
	if (llabs(mem_mb - load->told_mb) < NEWS_MB && (mem_mb == 0) == (load->told_mb == 0))
		return;
	load->told_mb = mem_mb;
	load->is_news = true;
}

static void take_look(struct local *l, const struct outside_use *outside, int64_t now_s)
{
	struct local_load *load = &l->load;

	seats_avoid(&l->seats, outside_devices(load->watch));
	take_stuck(load, outside->stuck_mb);
	if (outside->over_s <= 0)
		return;
	load->measured_s = now_s;
	if (!is_news(load, outside, now_s))
		return;
	load->told = outside->load;
	memcpy(load->by, outside->largest, sizeof load->by);
	load->told_s = now_s;
	load->is_news = true;
}

/*
 * Called when a look begins: stops counting the memory that ended jobs had, because the look measures the
 * processes that they left. If the last of these jobs ended less than LEFT_S ago, their memory still counts:
 * the shepherd may not have exited yet, and processes below a shepherd are not measured as outside processes.
 */
static void expect_what_is_left(struct local_load *load, int64_t now_s)
{
	if (now_s >= load->left_s && now_s - load->left_s < LEFT_S)
		return;
	load->left_mb = 0;
}

static void begin_look(struct local *l, int64_t now_s)
{
	l->load.looking = true;
	expect_what_is_left(&l->load, now_s);
	l->load.pid_count = 0;
	add_shepherds(l);
	l->load.at_once = open_call(l) ? LOCAL_LOOK_MAX : LOCAL_LOOK_UNCALLED;
}

static void end_look(struct local *l)
{
	l->load.looking = false;
	close_call(l);
}

bool local_look_is_due(const struct local *l, int64_t now_s)
{
	return l->load.looking || now_s >= l->load.look_s || l->load.look_s > now_s + l->load.every_s;
}

static int64_t until_next_look(const struct local *l, const struct outside_use *seen)
{
	return (seen->over_s <= 0 || l->load.left_mb > 0) && SECOND_S < l->load.every_s ? SECOND_S
											: l->load.every_s;
}

void local_look(struct local *l, int64_t now_s)
{
	struct outside_use outside;
	enum look look;

	if (!l->load.looking)
		begin_look(l, now_s);
	/* Shepherds created since the beginning of the look are included, but only for this call. */
	size_t before = l->load.pid_count;
	add_shepherds(l);
	look = outside_look_some(l->load.watch, l->load.at_once, l->load.pid, l->load.pid_count, &outside,
				 NULL);
	l->load.pid_count = before;
	if (look == LOOK_DONE) {
		take_look(l, &outside, now_s);
		local_remove_cgroups(l);
	}
	if (look != LOOK_ON)
		end_look(l);
	/*
	 * While a look is in progress, its descriptor triggers the next call, and the scheduler handles other
	 * work in between. The time set here only matters if the descriptor could not be opened.
	 */
	l->load.look_s = now_s + (look == LOOK_ON ? 1 : until_next_look(l, &outside));
}

void local_devices_changed(struct local *l)
{
	outside_watch_devices(l->load.watch, l->seats.device, l->seats.device_count);
	seats_avoid(&l->seats, outside_devices(l->load.watch));
}

void local_jobs_changed(struct local *l)
{
	if (l->load.told >= 0.5 || l->load.told_mb > 0)
		l->load.is_news = true;
}

/*
 * The job may have left processes that could not be killed. Until a look measures their memory, the memory
 * that the job requested counts as used, or its peak memory if that was more.
 */
void local_memory_left(struct local *l, const struct local_job *job, int64_t peak_kb, int64_t now_s)
{
	struct local_load *load = &l->load;
	int64_t peak_mb = peak_kb / 1024, mem_mb = peak_mb > job->mem_mb ? peak_mb : job->mem_mb;

	load->left_mb += mem_mb;
	load->left_most_mb = amount_add(load->left_most_mb, mem_mb);
	load->left_s = now_s;
	load->told_mb += mem_mb;
	load->is_news = load->is_news || mem_mb > 0;
	if (!load->looking && load->look_s > now_s + LEFT_S)
		load->look_s = now_s + LEFT_S;
}

static int64_t mem_of_jobs_mb(const struct local *l)
{
	int64_t mem_mb = 0;

	for (size_t i = 0; i < l->job_count; i++)
		mem_mb += l->job[i].mem_mb;
	return mem_mb;
}

static uint32_t procs_of_jobs(const struct local *l)
{
	uint32_t procs = 0;

	for (size_t i = 0; i < l->job_count; i++)
		procs += l->job[i].procs;
	return procs;
}

/*
 * Withdraws the reported load if no measurement has succeeded for too long. If the clock was set back, the
 * time without a measurement counts from now.
 */
static void take_back_if_expired(struct local_load *load, int64_t now_s)
{
	if (load->measured_s == TIME_NONE || load->measured_s > now_s)
		load->measured_s = now_s;
	if (now_s - load->measured_s <= NODE_MEASURED_POLLS * load->every_s)
		return;
	load->told = -1;
	load->told_mb = load->left_mb = 0;
	load->told_s = TIME_NONE;
	load->measured_s = now_s;
	load->is_news = true;
}

void local_tell_load(struct local *l, int64_t now_s, rm_report *report, void *to)
{
	struct event ev = {.kind = EVENT_LOAD, .time_s = now_s, .who = "sched"};
	double others;

	take_back_if_expired(&l->load, now_s);
	if (!l->load.is_news)
		return;
	others = round(l->load.told);
	l->load.is_news = false;
	ev.load.node = l->host.hostname;
	ev.load.used = NODE_NOT_MEASURED;
	ev.load.used.load = round(l->load.told * 100) / 100; /* rounded as it is displayed */
	if (others > 0) {
		ev.load.used.procs = procs_of_jobs(l) + others;
		ev.load.by = l->load.by[0] != '\0' ? l->load.by : NULL;
	}
	if (l->load.told_mb > 0)
		ev.load.used.mem_mb = mem_of_jobs_mb(l) + l->load.told_mb;
	report(to, &ev);
}
