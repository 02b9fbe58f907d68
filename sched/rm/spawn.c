/* SPDX-License-Identifier: MIT */
/*
 * spawn.c - start of a site program
 *
 * Its input lies in a file in memory, so that nobody has to wait for a program that does not read. It has a
 * session of its own: a program that runs as a user has no business at the terminal of who started us.
 */
#include "sched/rm/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define ENVIRONMENT_ROOM 64

int spawn_input(const struct str *text)
{
	int fd = memfd_create("kahu-input", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < text->len) {
		ssize_t n = write(fd, text->data + done, text->len - done);

		if (n == 0)
			errno = ENOSPC;
		if (n > 0) {
			done += (size_t)n;
		} else if (errno != EINTR) {
			close(fd);
			return -1;
		}
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

static void make_environment(const char *const *own, const char *out[static ENVIRONMENT_ROOM])
{
	size_t count = 0;

	out[count++] = "PATH=/usr/local/bin:/usr/bin:/bin";
	out[count++] = "LC_ALL=C";
	for (; *own != NULL && count < ENVIRONMENT_ROOM - 1; own++)
		out[count++] = *own;
	out[count] = NULL;
}

static void give_files(posix_spawn_file_actions_t *files, int in, int out)
{
	posix_spawn_file_actions_adddup2(files, in, STDIN_FILENO);
	if (out >= 0)
		posix_spawn_file_actions_adddup2(files, out, STDOUT_FILENO);
	else
		posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
	posix_spawn_file_actions_addchdir_np(files, "/");
}

int spawn_program(const char *const *argv, const char *const *environment, int in, int out, pid_t *pid)
{
	const char *clean[ENVIRONMENT_ROOM];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int failed;

	make_environment(environment, clean);
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawn_file_actions_init(&files);
	give_files(&files, in, out);
	failed = posix_spawn(pid, argv[0], &files, &attributes, (char *const *)(uintptr_t)argv,
			     (char *const *)(uintptr_t)clean);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return failed;
}
