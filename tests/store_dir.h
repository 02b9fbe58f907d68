/* SPDX-License-Identifier: MIT */
/*
 * store_dir.h - where do tests keep their stores?
 *
 * In a directory of their own below TMPDIR, removed with all that is in it.
 */
#ifndef TESTS_STORE_DIR_H
#define TESTS_STORE_DIR_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct store_dir {
	char path[512]; /* the directory            */
	char file[600]; /* a name in it, by name_in */
};

static inline void make_store_dir(struct store_dir *dir)
{
	const char *folder = getenv("TMPDIR");

	snprintf(dir->path, sizeof dir->path, "%s/kahu-test-XXXXXX", folder && *folder ? folder : "/tmp");
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
