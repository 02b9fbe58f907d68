/* SPDX-License-Identifier: MIT */
/*
 * shepherd_site.c - prolog and epilog of the site
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
#include "transient.h"
#include "trusted.h"

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
	s->progress->execs = true;
	execve(program, (char *const *)(uintptr_t)argv, settings.item);
	s->progress->failed = errno;
	s->progress->execs = false;
	_exit(NOT_RUN);
}

static bool judge(const char *program, int status, struct err *err)
{
	if (WIFSIGNALED(status))
		return err_set(err, "%s was ended by signal %d", program, WTERMSIG(status));
	return WEXITSTATUS(status) == 0 ||
	       err_set(err, "%s ended with status %d", program, WEXITSTATUS(status));
}

bool site_wait(const char *program, pid_t pid, int64_t limit_ms, struct err *err)
{
	int64_t until_ms = now_ms() + limit_ms;
	int status;
	pid_t ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0) {
		if (now_ms() >= until_ms)
			return err_set(err, "%s had not ended after %" PRId64 " s and was killed", program,
				       limit_ms / 1000);
		shepherd_wait_for_death(until_ms - now_ms());
	}
	return ended == pid ? judge(program, status, err)
			    : err_set(err, "nobody knows how %s ended: %s", program, strerror(errno));
}

/* Without an errno the child died before it could call execve(), as when there is no memory for it. */
static bool refuse_run(const char *program, int why, enum end_reason *kind, struct err *err)
{
	*kind = why == 0 || error_is_transient(why) ? END_TRY_AGAIN : END_HOST_FAULT;
	return why == 0 ? err_prefix(err, "before it could be run")
			: err_set(err, "%s could not be run: %s", program, strerror(why));
}

/* Orders that come meanwhile wait. */
bool site_run(struct shepherd *s, const char *program, enum end_reason *kind, struct err *err)
{
	pid_t pid;
	bool good;

	if (!trusted_program(program, err)) {
		*kind = error_is_transient(errno) ? END_TRY_AGAIN : END_HOST_FAULT;
		return false;
	}
	*s->progress = (struct progress){.execs = false};
	pid = fork();
	if (pid == 0)
		become_program(s, program);
	if (pid < 0)
		return refuse_run(program, errno, kind, err);
	good = site_wait(program, pid, SITE_LIMIT_MS, err);
	*kind = END_PROLOG;
	if (!good && !s->progress->execs)
		refuse_run(program, s->progress->failed, kind, err);
	shepherd_kill_all(s);
	return good;
}
