/* SPDX-License-Identifier: MIT */
/*
 * shepherd_nursery.c - the fork server that makes shepherds
 *
 * This process does nothing but fork when it is asked to, and what it forks goes on as a shepherd. Nobody
 * waits for those: the kernel takes them away, and who asked has a pidfd, which was made with the process and
 * can mean no other.
 *
 * What looks up users comes from libraries that are loaded at the first lookup, which costs more than all the
 * rest of a start. So one is made here, once, when a child has found that it is quick: an answer that comes
 * from far away, or never, is waited for by the job that needs it, not by all.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "passing.h"
#include "sched/base/failpoint.h"
#include "shepherd_inside.h"

#define QUICK_MS  200
#define NAME_ROOM 64

/* --- looking up users ---------------------------------------------------------------------------- */

static void look_up(void)
{
	gid_t group;
	int room = 1;

	(void)getpwuid(getuid());
	(void)getgrouplist("root", 0, &group, &room);
}

/* Becomes readable when a child has done it; -1: it is not tried. */
static int try_to_look_up(void)
{
	int pair[2];
	pid_t pid;

	if (pipe2(pair, O_CLOEXEC) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(SHEPHERD_SOCKET_FD);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		look_up();
		_exit(write(pair[1], "", 1) == 1 ? 0 : 1);
	}
	close(pair[1]);
	if (pid > 0)
		return pair[0];
	close(pair[0]);
	return -1;
}

/* A child has, or has died: by now it was quick, or never will be. */
static int hear_of_look_up(int fd, int64_t until_ms)
{
	char byte;

	if (read(fd, &byte, 1) == 1 && now_ms() <= until_ms)
		look_up();
	close(fd);
	return -1;
}

/* --- a shepherd ---------------------------------------------------------------------------------- */

/* Where that is not allowed, as in some containers, a pidfd is opened for it if it still lives. */
static pid_t fork_with_pidfd(int *out)
{
	int pidfd = -1;
	struct clone_args args = {
		.flags = CLONE_PIDFD, .exit_signal = SIGCHLD, .pidfd = (uint64_t)(uintptr_t)&pidfd};
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);

	if (pid < 0 && (errno == ENOSYS || errno == EPERM)) {
		pid = fork();
		pidfd = pid > 0 ? pidfd_open(pid, 0) : -1;
	}
	*out = pidfd;
	return pid;
}

/* For `ps`: its name stands where the words of the nursery stood. */
static void take_name(char **argv, const char *name)
{
	size_t room = strlen(argv[1]) + 1 + strlen(argv[2]);

	if (argv[2] != argv[1] + strlen(argv[1]) + 1)
		return;
	memset(argv[1], '\0', room);
	memcpy(argv[1], name, strnlen(name, room));
}

/* In the child: from here on it is as if the program had been started for this one. Keys are left once more,
 * or all jobs would share those of the nursery. */
static bool be_shepherd(char **argv, const char *name, int launch)
{
	signal(SIGCHLD, SIG_DFL);
	take_name(argv, name);
	return setsid() > 0 && as_leave_keys() && dup2(launch, SHEPHERD_LAUNCH_FD) == SHEPHERD_LAUNCH_FD &&
	       close(launch) == 0 && fcntl(SHEPHERD_LAUNCH_FD, F_SETFD, FD_CLOEXEC) == 0;
}

/* Who asked may have died since: then somebody else decides by now what becomes of that start. */
static bool is_left_alone(void)
{
	struct pollfd file = {.fd = SHEPHERD_SOCKET_FD, .events = POLLRDHUP};

	return poll(&file, 1, 0) != 0;
}

/* 0 in the child, otherwise what has been told. */
static pid_t bear(char **argv, const char *name, int launch)
{
	struct shepherd_birth answer = {.pid = 0};
	int pidfd = -1;

	answer.pid = fail_at(FAIL_NURSERY_BEFORE_BIRTH) ? -1 : fork_with_pidfd(&pidfd);
	if (answer.pid == 0) {
		if (!be_shepherd(argv, name, launch))
			_exit(SHEPHERD_FAILED);
		return 0;
	}
	answer.failed = errno;
	fail_at(FAIL_NURSERY_AFTER_BIRTH);
	passing_send(SHEPHERD_SOCKET_FD, &answer, sizeof answer, pidfd);
	if (pidfd >= 0)
		close(pidfd);
	return answer.pid;
}

/* --- its life ------------------------------------------------------------------------------------ */

/* False: nobody will ask any more. */
static bool hear(char **argv, bool *is_shepherd)
{
	char name[NAME_ROOM] = "";
	int launch = -1;
	ssize_t n = passing_receive(SHEPHERD_SOCKET_FD, name, sizeof name - 1, &launch, 0);

	if (n <= 0 || is_left_alone())
		return false;
	*is_shepherd = bear(argv, name, launch) == 0;
	if (!*is_shepherd && launch >= 0)
		close(launch);
	return true;
}

bool nursery_live(char **argv)
{
	struct sigaction leave_to_kernel = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
	struct pollfd file[] = {{.fd = SHEPHERD_SOCKET_FD, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
	int64_t until_ms = now_ms() + QUICK_MS;
	bool is_shepherd = false;

	sigaction(SIGCHLD, &leave_to_kernel, NULL);
	file[1].fd = try_to_look_up();
	while (!is_shepherd) {
		poll(file, sizeof file / sizeof file[0], -1);
		if (file[1].revents != 0)
			file[1].fd = hear_of_look_up(file[1].fd, until_ms);
		if (file[0].revents != 0 && !hear(argv, &is_shepherd))
			return false;
	}
	return true;
}
