/* SPDX-License-Identifier: MIT */
/*
 * faulty.h - system calls that fail on request
 *
 * These functions replace those of the C library in a program that includes this header. A test chooses the
 * failing call by its number among all calls from then on, in this process and in its forks, which share the
 * counter in memory. A program started by exec maps the counter from a file whose path is in its environment.
 * close() and functions that cannot fail are not replaced.
 */
#ifndef TESTS_FAULTY_H
#define TESTS_FAULTY_H

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/sanitized.h"

#define FAULTY_FILE  "KAHU_FAULTY" /* environment variable with the path of the shared counter */
#define FAULTY_SHORT 0             /* in place of an errno: only half of the bytes are read or written */

struct faulty {
	long left;        /* calls until one fails; 0 = none fails */
	int why;          /* errno of the failing call */
	char failed[32];  /* name of the call that failed; "" = none */
	char spared[256]; /* " name name ": calls that never fail and are not counted */
};

static struct faulty *faulty;
static bool faulty_sleeps; /* while gcov writes */

/* Maps the counter: for this process and its forks, or from a file for a program that it executes. NULL on
 * failure. */
static inline struct faulty *faulty_share(const char *path)
{
	int fd = path == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0600);
	void *at;

	if (fd >= 0)
		(void)!syscall(SYS_ftruncate, fd, sizeof *faulty);
	at = (void *)syscall(SYS_mmap, 0L, sizeof *faulty, PROT_READ | PROT_WRITE,
			     fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return at == MAP_FAILED ? NULL : at;
}

static inline void faulty_begin(struct faulty *f, long number, int why, const char *spared)
{
	f->why = why;
	f->failed[0] = '\0';
	snprintf(f->spared, sizeof f->spared, " %s ", spared);
	__atomic_store_n(&f->left, number, __ATOMIC_SEQ_CST);
}

/* Returns whether a call has failed. */
static inline bool faulty_end(struct faulty *f)
{
	__atomic_store_n(&f->left, 0, __ATOMIC_SEQ_CST);
	return f->failed[0] != '\0';
}

static inline void __attribute__((constructor)) faulty_look(void)
{
	const char *path = getenv(FAULTY_FILE);

	if (path != NULL)
		faulty = faulty_share(path);
}

/* Calls of gcov at the end of a process do not belong to the program. */
static inline void __attribute__((destructor)) faulty_stop(void)
{
	faulty_sleeps = true;
}

static inline bool is_spared(const char *name)
{
	char word[40];

	snprintf(word, sizeof word, " %s ", name);
	return strstr(faulty->spared, word) != NULL;
}

static inline bool faulty_fails(const char *name, bool moves_bytes)
{
	long left = faulty == NULL ? 0 : __atomic_load_n(&faulty->left, __ATOMIC_SEQ_CST);

	if (faulty_sleeps || left == 0 || (faulty->why == FAULTY_SHORT && !moves_bytes) || is_spared(name))
		return false;
	while (!__atomic_compare_exchange_n(&faulty->left, &left, left - 1, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST))
		if (left == 0)
			return false;
	if (left != 1)
		return false;
	snprintf(faulty->failed, sizeof faulty->failed, "%s", name);
	errno = faulty->why;
	return true;
}

static inline void *faulty_real(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* coverage.h has macros of these names. */
#undef execv
#undef execvp
#undef execve

#define REAL(name) ((__typeof__(&(name)))(uintptr_t)faulty_real(#name))

/* NOLINTBEGIN(misc-definitions-in-headers,readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier)
 * replacements of functions of libc */

void coverage_sleeps(bool now); /* see coverage.h */

void coverage_sleeps(bool now)
{
	faulty_sleeps = now;
}

#define STAND_IN(result, bad, name, parameters, arguments)                                                   \
	result name parameters                                                                               \
	{                                                                                                    \
		return faulty_fails(#name, false) ? (bad) : REAL(name) arguments;                            \
	}

/* Functions that transfer bytes; `size` is the parameter that is halved. */
#define STAND_IN_BYTES(name, parameters, arguments)                                                          \
	ssize_t name parameters                                                                              \
	{                                                                                                    \
		if (faulty_fails(#name, true)) {                                                             \
			if (faulty->why != FAULTY_SHORT)                                                     \
				return -1;                                                                   \
			size /= 2;                                                                           \
		}                                                                                            \
		return REAL(name) arguments;                                                                 \
	}

STAND_IN_BYTES(read, (int fd, void *out, size_t size), (fd, out, size))
STAND_IN_BYTES(write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
STAND_IN_BYTES(pread, (int fd, void *out, size_t size, off_t at), (fd, out, size, at))
STAND_IN_BYTES(pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at))
STAND_IN_BYTES(recv, (int fd, void *out, size_t size, int flags), (fd, out, size, flags))
STAND_IN_BYTES(send, (int fd, const void *bytes, size_t size, int flags), (fd, bytes, size, flags))
STAND_IN(ssize_t, -1, recvmsg, (int fd, struct msghdr *whole, int flags), (fd, whole, flags))
STAND_IN(ssize_t, -1, sendmsg, (int fd, const struct msghdr *whole, int flags), (fd, whole, flags))

#if !HAS_ADDRESS_SANITIZER /* which calls them before replacements work */
STAND_IN(int, -1, getrlimit, (__rlimit_resource_t what, struct rlimit *out), (what, out))
STAND_IN(int, -1, setrlimit, (__rlimit_resource_t what, const struct rlimit *to), (what, to))
#endif
STAND_IN(int, -1, fstat, (int fd, struct stat *out), (fd, out))
STAND_IN(int, -1, stat, (const char *restrict path, struct stat *restrict out), (path, out))
STAND_IN(int, -1, access, (const char *path, int how), (path, how))
STAND_IN(int, -1, faccessat, (int at, const char *path, int how, int flags), (at, path, how, flags))
STAND_IN(int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
STAND_IN(int, -1, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode))
STAND_IN(int, -1, rmdir, (const char *path), (path))
STAND_IN(int, -1, unlinkat, (int at, const char *path, int flags), (at, path, flags))
STAND_IN(int, -1, renameat, (int from_at, const char *from, int to_at, const char *to),
	 (from_at, from, to_at, to))
STAND_IN(int, -1, fsync, (int fd), (fd))
STAND_IN(int, -1, flock, (int fd, int how), (fd, how))
STAND_IN(int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
STAND_IN(int, -1, ftruncate, (int fd, off_t size), (fd, size))
STAND_IN(off_t, -1, lseek, (int fd, off_t at, int from), (fd, at, from))
STAND_IN(int, -1, dup2, (int fd, int as), (fd, as))
STAND_IN(int, -1, chdir, (const char *path), (path))
STAND_IN(int, -1, memfd_create, (const char *name, unsigned flags), (name, flags))
STAND_IN(int, -1, close_range, (unsigned first, unsigned last, int flags), (first, last, flags))
STAND_IN(int, -1, pipe2, (int pair[2], int flags), (pair, flags))
STAND_IN(DIR *, NULL, opendir, (const char *path), (path))
STAND_IN(DIR *, NULL, fdopendir, (int fd), (fd))
STAND_IN(FILE *, NULL, fopen, (const char *restrict path, const char *restrict how), (path, how))

STAND_IN(int, -1, socket, (int family, int type, int protocol), (family, type, protocol))
STAND_IN(int, -1, socketpair, (int family, int type, int protocol, int pair[2]),
	 (family, type, protocol, pair))
STAND_IN(int, -1, listen, (int fd, int backlog), (fd, backlog))
STAND_IN(int, -1, bind, (int fd, const struct sockaddr *at, socklen_t size), (fd, at, size))
STAND_IN(int, -1, connect, (int fd, const struct sockaddr *to, socklen_t size), (fd, to, size))
STAND_IN(int, -1, accept4, (int fd, struct sockaddr *restrict from, socklen_t *restrict size, int flags),
	 (fd, from, size, flags))
STAND_IN(int, -1, setsockopt, (int fd, int level, int name, const void *value, socklen_t size),
	 (fd, level, name, value, size))
STAND_IN(int, -1, getsockopt, (int fd, int level, int name, void *restrict value, socklen_t *restrict size),
	 (fd, level, name, value, size))

STAND_IN(int, -1, epoll_create1, (int flags), (flags))
STAND_IN(int, -1, epoll_ctl, (int fd, int what, int of, struct epoll_event *event), (fd, what, of, event))
STAND_IN(int, -1, epoll_wait, (int fd, struct epoll_event *out, int most, int limit_ms),
	 (fd, out, most, limit_ms))
STAND_IN(int, -1, eventfd, (unsigned first, int flags), (first, flags))
STAND_IN(int, -1, signalfd, (int fd, const sigset_t *heard, int flags), (fd, heard, flags))
STAND_IN(int, -1, timerfd_create, (clockid_t clock, int flags), (clock, flags))
STAND_IN(int, -1, poll, (struct pollfd * fds, nfds_t count, int limit_ms), (fds, count, limit_ms))

STAND_IN(pid_t, -1, fork, (void), ())
STAND_IN(int, -1, pidfd_open, (pid_t pid, unsigned flags), (pid, flags))
STAND_IN(int, -1, pidfd_send_signal, (int fd, int number, siginfo_t *info, unsigned flags),
	 (fd, number, info, flags))
STAND_IN(pid_t, -1, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags))
STAND_IN(int, -1, waitid, (idtype_t kind, id_t id, siginfo_t *out, int flags), (kind, id, out, flags))
STAND_IN(int, faulty->why, pthread_create,
	 (pthread_t *restrict out, const pthread_attr_t *restrict attributes, void *(*run)(void *),
	  void *restrict self),
	 (out, attributes, run, self))
STAND_IN(int, faulty->why, getpwnam_r,
	 (const char *restrict name, struct passwd *restrict out, char *restrict room, size_t size,
	  struct passwd **restrict found),
	 (name, out, room, size, found))
STAND_IN(pid_t, -1, setsid, (void), ())
STAND_IN(int, -1, setresuid, (uid_t real, uid_t effective, uid_t saved), (real, effective, saved))
STAND_IN(int, -1, setresgid, (gid_t real, gid_t effective, gid_t saved), (real, effective, saved))
STAND_IN(int, -1, getresuid, (uid_t * real, uid_t *effective, uid_t *saved), (real, effective, saved))
STAND_IN(int, -1, initgroups, (const char *user, gid_t group), (user, group))
STAND_IN(struct passwd *, NULL, getpwuid, (uid_t uid), (uid))
STAND_IN(int, -1, sched_setaffinity, (pid_t pid, size_t size, const cpu_set_t *set), (pid, size, set))
STAND_IN(int, -1, sched_getaffinity, (pid_t pid, size_t size, cpu_set_t *set), (pid, size, set))
STAND_IN(void *, MAP_FAILED, mmap, (void *at, size_t size, int rights, int flags, int fd, off_t from),
	 (at, size, rights, flags, fd, from))
STAND_IN(int, -1, execv, (const char *path, char *const *argv), (path, argv))
STAND_IN(int, -1, execvp, (const char *path, char *const *argv), (path, argv))
STAND_IN(int, -1, execve, (const char *path, char *const *argv, char *const *environment),
	 (path, argv, environment))
STAND_IN(int, faulty->why, posix_spawn,
	 (pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *restrict files,
	  const posix_spawnattr_t *restrict attributes, char *const *restrict argv,
	  char *const *restrict environment),
	 (pid, path, files, attributes, argv, environment))

int open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return faulty_fails("open", false) ? -1 : REAL(open)(path, flags, mode);
}

int openat(int at, const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return faulty_fails("openat", false) ? -1 : REAL(openat)(at, path, flags, mode);
}

int fcntl(int fd, int what, ...)
{
	va_list rest;
	void *argument;

	va_start(rest, what);
	argument = va_arg(rest, void *);
	va_end(rest);
	return faulty_fails("fcntl", false) ? -1 : REAL(fcntl)(fd, what, argument);
}

int ioctl(int fd, unsigned long what, ...)
{
	va_list rest;
	void *argument;

	va_start(rest, what);
	argument = va_arg(rest, void *);
	va_end(rest);
	return faulty_fails("ioctl", false) ? -1 : REAL(ioctl)(fd, what, argument);
}

int prctl(int what, ...)
{
	unsigned long argument[4];
	va_list rest;

	va_start(rest, what);
	for (int i = 0; i < 4; i++)
		argument[i] = va_arg(rest, unsigned long);
	va_end(rest);
	return faulty_fails("prctl", false)
		       ? -1
		       : REAL(prctl)(what, argument[0], argument[1], argument[2], argument[3]);
}

/* System calls without a function in the C library. */
static inline bool syscall_fails(long number)
{
	switch (number) {
	case SYS_clone3:
		return faulty_fails("clone3", false);
	case SYS_keyctl:
		return faulty_fails("keyctl", false);
	case SYS_setgroups:
		return faulty_fails("setgroups", false);
	case SYS_setresgid:
		return faulty_fails("setresgid", false);
	case SYS_setresuid:
		return faulty_fails("setresuid", false);
	default:
		return false;
	}
}

/* Reads six arguments, even if fewer were passed; the kernel ignores the others. */
__attribute__((no_sanitize("address"))) long syscall(long number, ...)
{
	long argument[6];
	va_list rest;

	va_start(rest, number);
	for (int i = 0; i < 6; i++)
		argument[i] = va_arg(rest, long);
	va_end(rest);
	return syscall_fails(number) ? -1
				     : REAL(syscall)(number, argument[0], argument[1], argument[2],
						     argument[3], argument[4], argument[5]);
}

/* NOLINTEND(misc-definitions-in-headers,readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier)
 */

#endif
