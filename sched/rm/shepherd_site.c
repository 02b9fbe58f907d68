/* SPDX-License-Identifier: MIT */
/*
 * shepherd_site.c - what do the site's programs before and after a job say?
 *
 * Prolog and epilog run as the scheduler does, with nothing in their environment but what tells them the
 * job. Their end is waited for, but not for ever; what they leave running is killed, for
 * whatever is below the shepherd counts as the job's.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shepherd_inside.h"

#define SITE_LIMIT_MS INT64_C(120000)
#define NOT_RUN       127 /* as shells say */

static _Noreturn void become_program(const struct shepherd *s, const char *program)
{
	const char *argv[] = {program, NULL};
	struct settings settings = {.count = 0};
	char uid[16];
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	umask(022);
	environ_set(&settings, "PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
	environ_add_job(&s->launch, &settings);
	snprintf(uid, sizeof uid, "%" PRIu32, s->launch.uid);
	environ_set(&settings, "KAHU_UID", uid);
	if (s->launch.user != NULL)
		environ_set(&settings, "KAHU_USER", s->launch.user);
	execve(program, (char *const *)(uintptr_t)argv, settings.item);
	_exit(NOT_RUN);
}

static bool judge(const char *program, int status, struct err *err)
{
	if (WIFSIGNALED(status))
		return err_set(err, "%s was ended by signal %d", program, WTERMSIG(status));
	if (WEXITSTATUS(status) == NOT_RUN)
		return err_set(err, "%s could not be run, or ended with status %d", program, NOT_RUN);
	return WEXITSTATUS(status) == 0 ||
	       err_set(err, "%s ended with status %d", program, WEXITSTATUS(status));
}

static bool wait_for(const char *program, pid_t pid, struct err *err)
{
	int64_t until_ms = now_ms() + SITE_LIMIT_MS;
	int status;
	pid_t ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0) {
		if (now_ms() >= until_ms)
			return err_set(err, "%s had not ended after %" PRId64 " s and was killed", program,
				       SITE_LIMIT_MS / 1000);
		shepherd_wait_for_death(until_ms - now_ms());
	}
	return ended == pid ? judge(program, status, err)
			    : err_set(err, "nobody knows how %s ended: %s", program, strerror(errno));
}

/* Orders that come meanwhile wait. */
bool site_run(struct shepherd *s, const char *program, struct err *err)
{
	pid_t pid = fork();
	bool good;

	if (pid == 0)
		become_program(s, program);
	if (pid < 0)
		return err_set(err, "%s could not be run: %s", program, strerror(errno));
	good = wait_for(program, pid, err);
	shepherd_kill_all(s);
	return good;
}
