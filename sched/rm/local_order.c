/* SPDX-License-Identifier: MIT */
/*
 * local_order.c - orders to shepherds
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "local_inside.h"
#include "monotonic.h"
#include "shepherd.h"

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
 * The kernel keeps a limited number of signals for each user (RLIMIT_SIGPENDING). When that is reached an
 * order goes without its number, which the kernel never refuses.
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
	/* During its grace a job runs: one whose processors others may have gets none. */
	return order(self, job, SHEPHERD_CANCEL, job_is_released(job), err);
}

/* Others may have its processors; its devices it keeps. */
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
	return order(l, job, on ? SHEPHERD_SUSPEND : SHEPHERD_RESUME, on ? job_is_released(job) : rebinds,
		     err);
}

/* False: the shepherd cannot be reached, with errno. Signals that may not be sent yet are left. */
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
