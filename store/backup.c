/* SPDX-License-Identifier: MIT */
/*
 * backup.c - backup of a store in use, and replacement of a store by a copy
 *
 * The new file is written under another name, synced and renamed to data.mdb. Before a replacement, the old
 * file gets STORE_REPLACED as a second name, so that data.mdb is a complete store whenever the process dies.
 * LMDB's lock file is removed together with the old data.mdb, because its information about transactions
 * would be wrong for the new one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"

#define DATA     "data.mdb"
#define NEW_DATA "data-new.mdb"

static bool sync_dir(const char *dir, struct err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && fsync(fd) == 0;

	if (!good)
		err_set(err, "the directory %s cannot be synced: %s", dir, strerror(errno));
	if (fd >= 0)
		close(fd);
	return good;
}

static bool copy_beside(struct store *s, const char *dir, struct err *err)
{
	struct str path = {0};
	bool good;

	str_addf(&path, "%s/" NEW_DATA, dir);
	good = db_copy(s->db, str_text(&path), err);
	str_free(&path);
	return good;
}

static bool rename_in(const char *dir, const char *from, const char *to, struct err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = fd >= 0 && renameat(fd, from, fd, to) == 0;

	if (!good)
		err_set(err, "%s/%s cannot be renamed to %s: %s", dir, from, to, strerror(errno));
	if (fd >= 0)
		close(fd);
	return good;
}

static bool has_file(const char *dir, const char *name)
{
	struct str path = {0};
	bool there;

	str_addf(&path, "%s/%s", dir, name);
	there = access(str_text(&path), F_OK) == 0;
	str_free(&path);
	return there;
}

static void remove_in(const char *dir, const char *name)
{
	struct str path = {0};

	str_addf(&path, "%s/%s", dir, name);
	unlink(str_text(&path));
	str_free(&path);
}

bool store_backup(struct store *s, const char *dir, struct err *err)
{
	if (!store_make_dir(dir, err) || !store_check_dir(dir, err))
		return false;
	if (has_file(dir, DATA))
		return err_set(err, "%s already contains a store; specify a new directory", dir);
	return copy_beside(s, dir, err) && rename_in(dir, NEW_DATA, DATA, err) && sync_dir(dir, err);
}

/* Gives data.mdb the second name STORE_REPLACED. */
static bool keep_replaced(const char *dir, struct err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good;

	remove_in(dir, STORE_REPLACED);
	good = fd >= 0 && linkat(fd, DATA, fd, STORE_REPLACED, 0) == 0;
	if (!good)
		err_set(err, "%s/" DATA " cannot be linked to " STORE_REPLACED ": %s", dir, strerror(errno));
	if (fd >= 0)
		close(fd);
	return good;
}

/* Renames the new file to data.mdb; an existing data.mdb is kept as STORE_REPLACED. */
static bool replace(const char *dir, struct err *err)
{
	if (has_file(dir, DATA) && !keep_replaced(dir, err))
		return false;
	if (!rename_in(dir, NEW_DATA, DATA, err))
		return false;
	remove_in(dir, "lock.mdb");
	return sync_dir(dir, err);
}

/* The last good copy in dir belongs to the store that is replaced, so it is removed. */
bool store_take_place(struct store *from, const char *dir, struct err *err)
{
	if (!copy_beside(from, dir, err) || !replace(dir, err))
		return false;
	remove_in(dir, STORE_LAST_GOOD);
	return sync_dir(dir, err);
}

static bool restore_locked(const char *dir, struct store *from, struct err *err)
{
	int lock = store_lock(dir, err);
	bool good = lock >= 0 && store_take_place(from, dir, err);

	store_unlock(lock);
	return good;
}

bool store_restore(const char *dir, const char *from, struct err *err)
{
	struct store *source = store_open(from, STORE_READ, err);
	bool good = source != NULL && store_verify(source, err) && store_make_dir(dir, err) &&
		    store_check_place(dir, err) && restore_locked(dir, source, err);

	store_close(source);
	return good;
}
