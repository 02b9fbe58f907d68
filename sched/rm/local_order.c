/* SPDX-License-Identifier: MIT */
/*
 * local_order.c - how is a shepherd told what to do with its job?
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "local_inside.h"
#include "shepherd.h"

static bool order(struct local *l, const struct job *job, enum shepherd_order what, int number,
		  struct err *err)
{
	struct local_job *running = local_find(l, job->id);
	siginfo_t info = {0};

	if (running == NULL || running->pidfd < 0)
		return err_set(err, "job %" PRIu64 " has no shepherd on this host", job->id);
	info.si_code = SI_QUEUE;
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_int = number;
	info.si_signo = SIGRTMIN + (int)what;
	return pidfd_send_signal(running->pidfd, info.si_signo, &info, 0) == 0 ||
	       err_set(err, "the shepherd of job %" PRIu64 " cannot be reached: %s", job->id,
		       strerror(errno));
}

bool local_cancel(void *self, const struct job *job, int64_t now_s, struct err *err)
{
	(void)now_s;
	return order(self, job, SHEPHERD_CANCEL, 0, err);
}

bool local_suspend(void *self, const struct job *job, bool on, struct err *err)
{
	return order(self, job, on ? SHEPHERD_SUSPEND : SHEPHERD_RESUME, 0, err);
}

bool local_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err)
{
	(void)now_s;
	return order(self, job, SHEPHERD_SIGNAL, number, err);
}
