/* SPDX-License-Identifier: MIT */
/*
 * cgroup_folder.h - cgroups for tests: real ones, and folders that look like some
 *
 * Which files are written, with controllers that this host may lack, is tested in a folder: mkdirat() and
 * unlinkat() do for it what the kernel does for a cgroup. To be included once in a program.
 */
#ifndef TESTS_CGROUP_FOLDER_H
#define TESTS_CGROUP_FOLDER_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- real ones --------------------------------------------------------------------------------------- */

static char cgroup[200];

/* One below the root of whatever cgroup v2 there is. */
static inline bool make_cgroup(void)
{
	static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
	char file[300];

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
		snprintf(file, sizeof file, "%s/cgroup.controllers", roots[i]);
		snprintf(cgroup, sizeof cgroup, "%s/kahu-test-%d", roots[i], (int)getpid());
		if (access(file, F_OK) == 0 && mkdir(cgroup, 0755) == 0)
			return true;
	}
	cgroup[0] = '\0';
	return false;
}

/* --- a kernel made of files -------------------------------------------------------------------------- */

static const char *controllers; /* names of the files that a new cgroup has; NULL = folders are folders */
static int busy;                /* how often a cgroup cannot be removed yet */

static inline void each_file(int at, const char *name, void (*act)(int folder, const char *file))
{
	int made = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char list[400], *rest = list;

	snprintf(list, sizeof list, "%s", controllers);
	for (const char *file; (file = strsep(&rest, " ")) != NULL;)
		act(made, file);
	close(made);
}

static inline void make_file(int at, const char *file)
{
	close(openat(at, file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

static inline void remove_file(int at, const char *file)
{
	syscall(SYS_unlinkat, at, file, 0);
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): what stands in for functions of libc */

int mkdirat(int at, const char *name, mode_t mode)
{
	int status = (int)syscall(SYS_mkdirat, at, name, mode);

	if (status == 0 && controllers != NULL)
		each_file(at, name, make_file);
	return status;
}

int unlinkat(int at, const char *name, int flags)
{
	if (flags == AT_REMOVEDIR && controllers != NULL) {
		if (busy > 0) {
			busy--;
			errno = EBUSY;
			return -1;
		}
		each_file(at, name, remove_file);
	}
	return (int)syscall(SYS_unlinkat, at, name, flags);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

#endif
