/* SPDX-License-Identifier: MIT */
/*
 * output_read.c - opening the output file of a job for reading, as the job's user
 *
 * A child process takes the user's groups and ids, opens the file and passes the descriptor back over a
 * socket pair (SCM_RIGHTS). The caller may have threads, so the child calls only what is async-signal-safe:
 * names and groups are looked up before fork().
 *
 * The child has the user's ids, so the user may stop it at any moment: it is given a deadline, and is killed
 * once nothing more is expected of it. A child that kept root's real or saved id could not be stopped, but
 * could not open a file in a FUSE file system that the user has mounted either: those ask for all ids.
 */
#include "output_read.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monotonic.h"
#include "passing.h"
#include "sched/base/vec.h"

#define NAMES_ROOM 16384 /* of one entry of the user database */
#define DEADLINE_S 2     /* for the child, to answer and to go; a file system may be slow */

struct identity {
	uid_t uid;
	gid_t gid;
	gid_t *groups;
	int group_count;
};

static int open_here(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
}

static bool find_identity(const char *user, struct identity *out)
{
	char *room = mem_alloc(NAMES_ROOM);
	struct passwd entry, *found = NULL;
	bool good;

	*out = (struct identity){.group_count = 0};
	good = getpwnam_r(user, &entry, room, NAMES_ROOM, &found) == 0 && found != NULL;
	if (good) {
		out->uid = entry.pw_uid;
		out->gid = entry.pw_gid;
		/* The first call says how many there are. */
		(void)getgrouplist(user, entry.pw_gid, NULL, &out->group_count);
		out->groups = mem_zero((size_t)out->group_count + 1, sizeof *out->groups);
		good = getgrouplist(user, entry.pw_gid, out->groups, &out->group_count) >= 0;
		if (!good)
			free(out->groups);
	}
	free(room);
	return good;
}

/* The system calls themselves: those of the C library would look for other threads. */
static bool become(const struct identity *who)
{
	uid_t real, effective, saved;

	return syscall(SYS_setgroups, (size_t)who->group_count, who->groups) == 0 &&
	       syscall(SYS_setresgid, who->gid, who->gid, who->gid) == 0 &&
	       syscall(SYS_setresuid, who->uid, who->uid, who->uid) == 0 &&
	       getresuid(&real, &effective, &saved) == 0 && real == who->uid && effective == who->uid &&
	       saved == who->uid && syscall(SYS_setresuid, 0, 0, 0) != 0;
}

static _Noreturn void open_and_pass(int socket, const char *path, const struct identity *who)
{
	int fd = -1, error = EPERM;

	if (become(who)) {
		fd = open_here(path);
		error = fd < 0 ? errno : 0;
	}
	_exit(passing_send(socket, &error, sizeof error, fd) ? 0 : 1);
}

/* Waits until there is a message or nobody is left at the other end. False: neither before the deadline. */
static bool await(int socket)
{
	int64_t until_ns = monotonic_ns() + (int64_t)DEADLINE_S * 1000000000;
	struct pollfd one = {.fd = socket, .events = POLLIN};
	int64_t left_ns;

	while ((left_ns = until_ns - monotonic_ns()) > 0)
		if (poll(&one, 1, (int)(left_ns / 1000000) + 1) > 0)
			return true;
	return false;
}

/* SIGKILL ends a stopped process too. One that even so stays, in a device that hangs, is not waited for. */
static void end_child(pid_t child, int socket)
{
	int flags;

	kill(child, SIGKILL);
	flags = await(socket) ? 0 : WNOHANG;
	while (waitpid(child, NULL, flags) < 0 && errno == EINTR)
		;
}

/* -1 with errno, which is ETIMEDOUT if the child has not answered. */
static int open_as(const char *path, const struct identity *who)
{
	int pair[2], fd = -1, error = EIO;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return -1;
	child = fork();
	if (child == 0)
		open_and_pass(pair[1], path, who);
	if (child < 0)
		error = errno;
	close(pair[1]);
	if (child > 0) {
		if (!await(pair[0]))
			error = ETIMEDOUT;
		else if (passing_receive(pair[0], &error, sizeof error, &fd, MSG_DONTWAIT) !=
			 (ssize_t)sizeof error)
			error = EIO;
		end_child(child, pair[0]);
	}
	close(pair[0]);
	if (fd >= 0 && error != 0) {
		close(fd);
		fd = -1;
	}
	errno = error;
	return fd;
}

static int open_for(const char *path, const char *user, struct err *err)
{
	struct identity who;
	int fd, error;

	if (geteuid() != 0)
		return open_here(path);
	if (user == NULL || !find_identity(user, &who)) {
		err_set(err, "%s cannot be read: this host does not know its user %s", path,
			user != NULL ? user : "");
		errno = EPERM;
		return -1;
	}
	fd = who.uid == 0 ? open_here(path) : open_as(path, &who);
	error = errno;
	free(who.groups);
	if (fd < 0 && error == ETIMEDOUT)
		err_set(err,
			"%s cannot be read: opening it as %s takes more than %d s; see whether its file "
			"system hangs or %s stops processes, then try again",
			path, user, DEADLINE_S, user);
	errno = error;
	return fd;
}

static int refuse(int fd, int error)
{
	close(fd);
	errno = error;
	return -1;
}

int output_read_open(const char *path, const char *user, struct err *err)
{
	struct stat st;
	int fd;

	err_set(err, "%s", "");
	fd = open_for(path, user, err);
	if (fd < 0) {
		int error = errno;

		if (err != NULL && err->text[0] == '\0')
			err_set(err, "%s cannot be read: %s", path,
				error == ELOOP ? "it is a symbolic link" : strerror(error));
		errno = error;
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	err_set(err, "%s is not a regular file; its output is not kept", path);
	return refuse(fd, EINVAL);
}
