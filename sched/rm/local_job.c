/* SPDX-License-Identifier: MIT */
/*
 * local_job.c - running jobs of this host, orders to their shepherds, and the cgroups that they leave
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "local_inside.h"
#include "monotonic.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "shepherd.h"

/* --- running jobs and their shepherds ----------------------------------------------------------------- */

/*
 * The pidfd of a shepherd becomes readable when the shepherd exits. The spool file of a shepherd without a
 * pidfd is examined every LOCAL_AGAIN_S seconds.
 */

#define FIRST_FD 10 /* above the descriptors of a shepherd */

int local_high_fd(int fd)
{
	int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);

	if (fd >= 0)
		close(fd);
	return high;
}

struct local_job *local_find(struct local *l, uint64_t id)
{
	for (size_t i = 0; i < l->job_count; i++)
		if (l->job[i].id == id)
			return &l->job[i];
	return NULL;
}

struct local_job *local_add(struct local *l, const struct job *job)
{
	l->job = vec_room(l->job, &l->job_cap, l->job_count + 1, sizeof *l->job);
	l->job[l->job_count] = (struct local_job){.id = job->id,
						  .attempt = job->start_count,
						  .procs = (uint32_t)job_procs_counted(job),
						  .mem_mb = job->tasks * job->mem_mb,
						  .pidfd = -1};
	local_jobs_changed(l);
	return &l->job[l->job_count++];
}

void local_drop(struct local *l, struct local_job *job)
{
	seats_give_back(&l->seats, job->id);
	if (job->pidfd >= 0)
		close(job->pidfd);
	*job = l->job[--l->job_count];
	local_jobs_changed(l);
}

void local_forget(struct local *l)
{
	while (l->job_count > 0)
		local_drop(l, &l->job[l->job_count - 1]);
	l->gone_count = l->barred_count = l->report_count = 0;
	arena_reset(&l->arena);
}

void local_watch(struct local *l, struct local_job *job, pid_t pid, int pidfd)
{
	struct epoll_event wanted = {.events = EPOLLIN, .data.u64 = job->id};

	job->pid = pid;
	job->pidfd = pidfd;
	if (pidfd >= 0 && !fail_at(FAIL_BEFORE_WATCH) &&
	    epoll_ctl(l->epoll, EPOLL_CTL_ADD, pidfd, &wanted) == 0)
		return;
	if (pidfd >= 0)
		close(pidfd);
	job->pidfd = -1;
	l->again_s = l->now_s == TIME_NONE ? 0 : l->now_s + LOCAL_AGAIN_S;
}

/* --- orders to shepherds ------------------------------------------------------------------------------ */

static bool tell(const struct local_job *running, enum shepherd_order what, int number)
{
	siginfo_t info = {0};

	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = number;
	info.si_signo = SIGRTMIN + (int)what;
	return pidfd_send_signal(running->pidfd, info.si_signo, &info, 0) == 0;
}

/*
 * Sends an order to the shepherd of a job. The kernel limits the number of queued signals of each user
 * (RLIMIT_SIGPENDING). If the limit is reached, the order is sent without its value, which never fails.
 */
static bool order(struct local *l, const struct job *job, enum shepherd_order what, int number,
		  struct err *err)
{
	const struct local_job *running = local_find(l, job->id);

	if (running == NULL || running->pidfd < 0)
		return err_set(err, "job %" PRIu64 " has no shepherd on this host", job->id);
	return tell(running, what, number) ||
	       (errno == EAGAIN && pidfd_send_signal(running->pidfd, SIGRTMIN + (int)what, NULL, 0) == 0) ||
	       err_set(err, "the shepherd of job %" PRIu64 " cannot be reached: %s", job->id,
		       strerror(errno));
}

bool local_cancel(void *self, const struct job *job, int64_t now_s, struct err *err)
{
	(void)now_s;
	/* The job may run for its grace period; a job whose processors were released gets no grace period. */
	return order(self, job, SHEPHERD_CANCEL, job_is_released(job), err);
}

/* Releases the processors of a suspended job; the job keeps its devices. */
static void unseat(struct local *l, const struct job *job)
{
	struct local_job *running = local_find(l, job->id);

	if (running == NULL || running->unseated)
		return;
	seats_release_cpus(&l->seats, job->id);
	running->unseated = true;
	running->unknown_cpus = false;
}

/*
 * Allocates processors again, usually not the same ones as before. Returns true if the shepherd must bind the
 * job to them; they are then named in a file next to the spool file. If the configuration has more processors
 * than the host, the job may get none; it then stays bound to its previous processors.
 */
static bool seat_again(struct local *l, struct local_job *running)
{
	struct str cpus = {0}, devices = {0};
	bool rebinds = false;

	if (seats_take(&l->seats, running->id, running->procs, 0, &cpus, &devices))
		rebinds = running->bound && cpus.len > 0 &&
			  spool_write_cpus(l->folder, running->id, running->attempt, str_text(&cpus));
	running->unseated = false;
	str_free(&cpus);
	str_free(&devices);
	return rebinds;
}

bool local_suspend(void *self, const struct job *job, bool on, struct err *err)
{
	struct local *l = self;
	struct local_job *running = local_find(l, job->id);
	bool rebinds = !on && running != NULL && running->unseated && seat_again(l, running);

	if (on && job_is_released(job))
		unseat(l, job);
	return order(l, job, on ? SHEPHERD_SUSPEND : SHEPHERD_RESUME, on ? job_is_released(job) : rebinds,
		     err);
}

/*
 * Sends queued signals, as far as the rate limit allows. Returns false with errno set if the shepherd cannot
 * be reached.
 */
static bool send_requested(struct local_job *running)
{
	int number;

	while ((number = signal_queue_next(&running->requested, monotonic_ms())) != 0) {
		if (!tell(running, SHEPHERD_SIGNAL, number))
			return errno == EAGAIN;
		signal_queue_remove(&running->requested);
		signal_queue_charge(&running->requested, monotonic_ms(), 0);
	}
	return true;
}

bool local_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err)
{
	struct local *l = self;
	struct local_job *running = local_find(l, job->id);

	if (running == NULL || running->pidfd < 0)
		return err_set(err, "job %" PRIu64 " has no shepherd on this host", job->id);
	signal_queue_add(&running->requested, number);
	if (!send_requested(running))
		return err_set(err, "the shepherd of job %" PRIu64 " cannot be reached: %s", job->id,
			       strerror(errno));
	if (running->requested.count > 0)
		l->signals_s = now_s + 1;
	return true;
}

void local_send_signals(struct local *l, int64_t now_s)
{
	if (l->signals_s == TIME_NEVER || (now_s < l->signals_s && l->signals_s <= now_s + 1))
		return;
	l->signals_s = TIME_NEVER;
	for (size_t i = 0; i < l->job_count; i++)
		if (l->job[i].requested.count > 0 && l->job[i].pidfd >= 0 && send_requested(&l->job[i]) &&
		    l->job[i].requested.count > 0)
			l->signals_s = now_s + 1;
}

/* --- cgroups of ended jobs ---------------------------------------------------------------------------- */

void local_note_cgroup(struct local *l, const char *name)
{
	l->left = vec_room(l->left, &l->left_cap, l->left_count + 1, sizeof *l->left);
	snprintf(l->left[l->left_count++].name, ORPHANS_FOLDER, "%s", name);
}

/* The shepherd may still remove this cgroup itself. */
void local_note_cgroup_of(struct local *l, const struct spool *spool)
{
	char name[ORPHANS_FOLDER];

	if (l->host.cgroup[0] == '\0' || !spool->has_begun)
		return;
	orphans_folder(spool->job, spool->attempt, spool->begun.pid, spool->begun.pid_start, name);
	local_note_cgroup(l, name);
}

void local_remove_cgroups(struct local *l)
{
	int parent = l->left_count == 0 ? -1 : open(l->host.cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t kept = 0;

	if (parent < 0)
		return;
	for (size_t i = 0; i < l->left_count; i++)
		if (unlinkat(parent, l->left[i].name, AT_REMOVEDIR) != 0 &&
		    (errno == EBUSY || errno == ENOTEMPTY))
			l->left[kept++] = l->left[i];
	l->left_count = kept;
	close(parent);
}
