/* SPDX-License-Identifier: MIT */
/*
 * local_jobs.c - running jobs and their shepherds
 *
 * A shepherd that has gone makes its pidfd readable. One that cannot be watched is looked for in a while.
 */
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "local_inside.h"
#include "sched/base/failpoint.h"
#include "sched/base/vec.h"

#define FIRST_FD 10 /* beyond those that a shepherd is given */

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
	l->job = vec_room(l->job, &l->job_room, l->job_count + 1, sizeof *l->job);
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
