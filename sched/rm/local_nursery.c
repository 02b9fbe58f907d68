/* SPDX-License-Identifier: MIT */
/*
 * local_nursery.c - the fork server of shepherds
 *
 * One process of their program, the nursery, is started once and makes each of them by a fork: what a program
 * costs before its first line (the linker, what looks up users) is paid once. It goes when we do;
 * shepherds stay. It was opened once, so an upgrade of it does not mix two versions of a protocol.
 *
 * The scheduler's thread waits for each answer, so the nursery has the niceness of that thread
 * (host_thread.c): with the usual one it would wait its turn among the busy processes of all users. Shepherds
 * and jobs have the usual one from the fork on.
 *
 * It answers at once or it is not well: then it is killed, and whether it has made the shepherd is not known.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "descriptors.h"
#include "local_inside.h"
#include "passing.h"
#include "sched/base/failpoint.h"
#include "shepherd.h"
#include "transient.h"

/* Where the program stands while it is started; it closes what is beyond its own. */
#define PROGRAM_FD 6
#define PATIENCE_S 5

/* --- the process --------------------------------------------------------------------------------- */

/* A session of its own, nothing of ours open, no signal ignored, all blocked: nobody ends it but by KILL. Its
 * descriptors never clash with the ones it is given, since those are all above. */
static int spawn(const struct local *l, int socket, pid_t *pid)
{
	const char *argv[] = {SHEPHERD_PROGRAM, SHEPHERD_NURSERY, SHEPHERD_NAME_ROOM, NULL};
	const char *environment[10] = {"PATH=/usr/bin:/bin"};
	char soft_files[64];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	char path[32];
	sigset_t all;
	int failed;

	snprintf(path, sizeof path, "/proc/self/fd/%d", PROGRAM_FD);
	snprintf(soft_files, sizeof soft_files, DESCRIPTORS_OF_JOBS "=%" PRId64, l->setup.soft_files);
	environment[1] = soft_files;
	fail_environment(environment + 2, 7);
	sigfillset(&all);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &all);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, socket, SHEPHERD_SOCKET_FD);
	posix_spawn_file_actions_adddup2(&files, l->folder, SHEPHERD_FOLDER_FD);
	posix_spawn_file_actions_adddup2(&files, l->ends[1], SHEPHERD_ENDS_FD);
	posix_spawn_file_actions_adddup2(&files, l->shepherd, PROGRAM_FD);
	posix_spawn_file_actions_addclosefrom_np(&files, PROGRAM_FD + 1);
	posix_spawn_file_actions_addchdir_np(&files, "/");
	failed = posix_spawn(pid, path, &files, &attributes, (char *const *)(uintptr_t)argv,
			     (char *const *)(uintptr_t)environment);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

/* Only where this thread was given a niceness that its children do not inherit; then those of the nursery do
 * not either. */
static void share_priority(pid_t nursery)
{
	const struct sched_param none = {.sched_priority = 0};
	const int policy = SCHED_OTHER | SCHED_RESET_ON_FORK;

	if (sched_getscheduler(0) == policy && sched_setscheduler(nursery, policy, &none) == 0)
		setpriority(PRIO_PROCESS, (id_t)nursery, getpriority(PRIO_PROCESS, 0));
}

static bool be_impatient(int socket)
{
	const struct timeval limit = {.tv_sec = PATIENCE_S};

	return setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
	       setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0;
}

static bool begin(struct local *l, bool *passes, struct err *err)
{
	int pair[2], failed;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		*passes = error_is_transient(errno);
		return err_set(err, "no socket can be made: %s", strerror(errno));
	}
	pair[1] = local_high_fd(pair[1]);
	failed = pair[1] < 0 || !be_impatient(pair[0]) ? errno : spawn(l, pair[1], &l->nursery);
	if (pair[1] >= 0)
		close(pair[1]);
	if (failed == 0) {
		share_priority(l->nursery);
		l->cradle = pair[0];
		return true;
	}
	close(pair[0]);
	*passes = error_is_transient(failed);
	return err_set(err, "%s could not be started: %s", l->setup.shepherd, strerror(failed));
}

void local_end_nursery(struct local *l)
{
	if (l->cradle < 0)
		return;
	close(l->cradle);
	l->cradle = -1;
	kill(l->nursery, SIGKILL);
	waitpid(l->nursery, NULL, 0);
	l->nursery = 0;
}

/* --- a shepherd ---------------------------------------------------------------------------------- */

/* One that has died since it was last asked has heard nothing, so another is asked. */
static bool ask(struct local *l, const char *name, int launch, bool *passes, struct err *err)
{
	for (int i = 0; i < 2; i++) {
		if (l->cradle < 0 && !begin(l, passes, err))
			return false;
		if (passing_send(l->cradle, name, strlen(name), launch))
			return true;
		*passes = true; /* another is made for the next try */
		err_set(err, "what makes shepherds does not listen: %s", strerror(errno));
		local_end_nursery(l);
	}
	return false;
}

enum birth local_bear(struct local *l, const char *name, int launch, struct newborn *out, bool *passes,
		      struct err *err)
{
	struct shepherd_birth answer = {.pid = -1};

	*out = (struct newborn){.pidfd = -1};
	if (!ask(l, name, launch, passes, err))
		return BIRTH_NONE;
	if (passing_receive(l->cradle, &answer, sizeof answer, &out->pidfd, 0) != sizeof answer) {
		err_set(err, "what makes shepherds has not answered");
		local_end_nursery(l);
		return BIRTH_UNKNOWN;
	}
	out->pid = answer.pid;
	if (answer.pid > 0)
		return BIRTH_DONE;
	*passes = error_is_transient(answer.failed);
	err_set(err, "no process could be made for its shepherd: %s", strerror(answer.failed));
	return BIRTH_NONE;
}
