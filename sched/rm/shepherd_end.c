/* SPDX-License-Identifier: MIT */
/*
 * shepherd_end.c - termination of the processes of a job
 *
 * Whoever of the job loses his parent becomes our child, so the job is over exactly when we have no child
 * any more, and nobody has to look around for that: waitpid() says it. The job's status is that of its
 * first process; when that one has ended, the rest is told to end as well.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include "sched/base/failpoint.h"
#include "shepherd_inside.h"

#define KILL_BOUND_MS 5000
#define KILL_EACH_MS  20
#define REAPS_MAX     256 /* at a time: a job can make processes as fast as they are waited for */

static void note_end_of_leader(struct shepherd *s, int status)
{
	fail_at(FAIL_SHEP_AFTER_WAIT);
	s->leader_ended = true;
	s->ended.status = WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool shepherd_reap(struct shepherd *s)
{
	pid_t pid = 1;
	int status;

	for (int i = 0; i < REAPS_MAX && pid > 0; i++) {
		pid = waitpid(-1, &status, WNOHANG);
		if (pid > 0 && pid == s->leader && !s->leader_ended)
			note_end_of_leader(s, status);
	}
	s->more_to_reap = pid > 0;
	return pid >= 0;
}

void shepherd_wait_for_death(int64_t at_most_ms)
{
	struct timespec limit = {.tv_sec = (time_t)(at_most_ms / 1000),
				 .tv_nsec = (long)(at_most_ms % 1000) * 1000000};
	sigset_t death;

	sigemptyset(&death);
	sigaddset(&death, SIGCHLD);
	sigtimedwait(&death, NULL, &limit);
}

uint32_t shepherd_kill_all(struct shepherd *s)
{
	int64_t until_ms = now_ms() + KILL_BOUND_MS;

	while (shepherd_reap(s)) {
		if (now_ms() >= until_ms)
			return tree_living(&s->tree);
		cgroup_kill(&s->cgroup);
		tree_signal(&s->tree, SIGKILL);
		shepherd_wait_for_death(KILL_EACH_MS);
	}
	return 0;
}

/* Those who were stopped by somebody else go on as well. */
static void go_on(struct shepherd *s)
{
	cgroup_freeze(&s->cgroup, false);
	tree_signal(&s->tree, SIGCONT);
	if (s->suspended)
		clock_go_on(&s->clock, now_ms());
	s->suspended = false;
	usage_show_soon(s);
}

void shepherd_suspend(struct shepherd *s, bool suspends)
{
	if (suspends == s->suspended || s->kill_at_ms != INT64_MAX)
		return;
	if (!suspends) {
		go_on(s);
		return;
	}
	clock_stop(&s->clock, now_ms());
	if (!cgroup_freeze(&s->cgroup, true))
		tree_signal(&s->tree, SIGSTOP);
	s->suspended = true;
	usage_show_soon(s);
}

/* KAHU_CPUS in their environment still names those of the start. */
void shepherd_rebind(struct shepherd *s)
{
	char cpus[SPOOL_LIST];

	if (!spool_take_cpus(s->folder, s->launch.job, s->launch.attempt, cpus))
		return;
	cgroup_bind(&s->cgroup, cpus);
	if (!tree_bind(&s->tree, cpus))
		return;
	spool_set_list(s->begun.cpus, cpus);
	spool_write_begun(s->spool, &s->begun);
}

bool shepherd_is_entering(const struct shepherd *s)
{
	return s->leader > 0 && !s->leader_ended && s->progress->user_since_ms == 0;
}

void shepherd_pay_term(struct shepherd *s)
{
	if (!s->owes_term || shepherd_is_entering(s))
		return;
	s->owes_term = false;
	tree_signal(&s->tree, SIGTERM);
	go_on(s);
}

void shepherd_stop(struct shepherd *s, enum end_reason reason, int64_t grace_ms)
{
	int64_t kill_at_ms = now_ms() + grace_ms;

	if (s->kill_at_ms == INT64_MAX) {
		if (!s->leader_ended)
			s->ended.reason = reason;
		s->owes_term = grace_ms > 0;
		s->progress->ends = true;
		shepherd_pay_term(s);
	}
	if (kill_at_ms < s->kill_at_ms)
		s->kill_at_ms = kill_at_ms;
}
