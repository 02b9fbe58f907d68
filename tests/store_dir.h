/* SPDX-License-Identifier: MIT */
/*
 * store_dir.h - a temporary directory for the stores of a test
 *
 * It is in TMPDIR if set, otherwise in memory if /dev/shm has enough space: no test depends on a disk, and
 * waiting for one took four fifths of the time of some tests. It is removed with its contents.
 */
#ifndef TESTS_STORE_DIR_H
#define TESTS_STORE_DIR_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct store_dir {
	char path[512]; /* the directory            */
	char file[600]; /* a name in it, by name_in */
};

static inline const char *store_dir_parent(void)
{
	static const char memory[] = "/dev/shm";
	const char *folder = getenv("TMPDIR");
	struct statvfs fs;

	if (folder && *folder)
		return folder;
	if (access(memory, W_OK | X_OK) == 0 && statvfs(memory, &fs) == 0 &&
	    (uint64_t)fs.f_bavail * fs.f_frsize >= (uint64_t)1 << 30)
		return memory;
	return "/tmp";
}

static inline void make_store_dir(struct store_dir *dir)
{
	snprintf(dir->path, sizeof dir->path, "%s/kahu-test-XXXXXX", store_dir_parent());
	if (!mkdtemp(dir->path)) {
		perror(dir->path);
		abort();
	}
}

static inline const char *name_in(struct store_dir *dir, const char *name)
{
	snprintf(dir->file, sizeof dir->file, "%s/%s", dir->path, name);
	return dir->file;
}

static inline int remove_one(const char *path, const struct stat *st, int kind, struct FTW *place)
{
	(void)st;
	(void)kind;
	(void)place;
	return remove(path);
}

static inline void remove_store_dir(const struct store_dir *dir)
{
	nftw(dir->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
