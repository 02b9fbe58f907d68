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

/* Others may have its processors; its devices it keeps. */
static void unseat(struct local *l, const struct job *job)
{
	struct local_job *running = local_find(l, job->id);

	if (running == NULL || running->unseated)
		return;
	seats_release_cpus(&l->seats, job->id);
	running->unseated = true;
}

/*
 * It gets processors again, mostly others than before; true: the shepherd finds them in the spool. One whose
 * configuration says more processors than there are may get none, and is bound as it was.
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
	return order(l, job, on ? SHEPHERD_SUSPEND : SHEPHERD_RESUME, rebinds, err);
}

bool local_signal(void *self, const struct job *job, int number, int64_t now_s, struct err *err)
{
	(void)now_s;
	return order(self, job, SHEPHERD_SIGNAL, number, err);
}
