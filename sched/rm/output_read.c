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
 *
 * A descriptor of such a file never reaches the caller. The user's server could leave any call on it without
 * an answer, close(2) included, and the kernel lets no signal end such a call. FUSE file systems
 * that root has mounted are read like any others.
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
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monotonic.h"
#include "passing.h"
#include "sched/base/vec.h"

#define NAMES_ROOM     16384   /* of one entry of the user database */
#define DEADLINE_S     2       /* for the child, to answer and to go; a file system may be slow */
#define ERR_USERS_FUSE EREMOTE /* the child's word for a file system of a user */

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

/* --- file systems of users ----------------------------------------------------------------------- */

#define FUSE_MAGIC  0x65735546 /* of statfs(2) */
#define LINE_ROOM   8192
#define ROOT_MOUNTS "user_id=0"

/* An option of a line of mountinfo: behind a comma or a blank, and at its end. */
static bool has_option(const char *options, const char *option)
{
	size_t len = strlen(option);

	for (const char *at = strstr(options, option); at != NULL; at = strstr(at + 1, option))
		if (at > options && strchr(", ", at[-1]) != NULL && strchr(", \n", at[len]) != NULL)
			return true;
	return false;
}

/* "36 35 98:0 /root /at options - type source options": is it the mount of this number, made by root? A line
 * that is too long for its place is nobody's. */
static bool is_roots(const char *line, uint64_t mount)
{
	const char *options = strstr(line, " - ");
	char *end;

	return strtoull(line, &end, 10) == mount && *end == ' ' && options != NULL &&
	       has_option(options, ROOT_MOUNTS);
}

static bool root_has_mounted(uint64_t mount)
{
	char line[LINE_ROOM], bytes[LINE_ROOM];
	size_t len = 0;
	bool found = false;
	ssize_t n;
	int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && !found && (n = read(fd, bytes, sizeof bytes)) > 0)
		for (ssize_t i = 0; i < n && !found; i++) {
			if (len < sizeof line - 1)
				line[len++] = bytes[i];
			if (bytes[i] != '\n')
				continue;
			line[len] = '\0';
			found = line[len - 1] == '\n' && is_roots(line, mount);
			len = 0;
		}
	if (fd >= 0)
		close(fd);
	return found;
}

/* Is it in a FUSE file system that was not mounted by root, or not by anybody known? */
static bool is_in_users_fuse(int fd)
{
	struct statfs fs;
	struct statx st;

	if (fstatfs(fd, &fs) != 0 || fs.f_type != FUSE_MAGIC)
		return false;
	return statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &st) != 0 ||
	       (st.stx_mask & STATX_MNT_ID) == 0 || !root_has_mounted(st.stx_mnt_id);
}

/* --- opening as another user --------------------------------------------------------------------- */

/* In the child, which may hang indefinitely. It closes all other descriptors, since open ones would keep the
 * locks of its parent. */
static _Noreturn void open_and_pass(int socket, const char *path, const struct identity *who)
{
	int fd = -1, error = EPERM;

	dup2(socket, 0);
	syscall(SYS_close_range, 1, ~0U, 0);
	if (become(who)) {
		fd = open_here(path);
		error = fd < 0 ? errno : is_in_users_fuse(fd) ? ERR_USERS_FUSE : 0;
	}
	_exit(passing_send(0, &error, sizeof error, error == 0 ? fd : -1) ? 0 : 1);
}

/* Waits for a message, or for the end of the process of a pidfd. False: it has not come before the deadline.
 */
static bool await(int fd)
{
	int64_t until_ns = monotonic_ns() + (int64_t)DEADLINE_S * 1000000000;
	struct pollfd one = {.fd = fd, .events = POLLIN};
	int64_t left_ns;

	while ((left_ns = until_ns - monotonic_ns()) > 0)
		if (poll(&one, 1, (int)(left_ns / 1000000) + 1) > 0)
			return true;
	return false;
}

/* SIGKILL ends a stopped process too. One that even so stays, in a file system that hangs, is not waited for:
 * it may have closed its socket, and hang in closing the file. */
static void end_child(pid_t child)
{
	int pidfd = pidfd_open(child, 0);

	kill(child, SIGKILL);
	if (pidfd >= 0) {
		(void)await(pidfd);
		close(pidfd);
	}
	while (waitpid(child, NULL, WNOHANG) < 0 && errno == EINTR)
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
		end_child(child);
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
	if (fd < 0 && error == ERR_USERS_FUSE) {
		err_set(err,
			"%s cannot be read: it is in a FUSE file system of a user, which could keep the "
			"reader waiting indefinitely; read it as %s",
			path, user);
		error = ETIMEDOUT;
	}
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
