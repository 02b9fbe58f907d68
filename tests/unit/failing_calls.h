/* SPDX-License-Identifier: MIT */
/*
 * failing_calls.h - calls of the C library and of LMDB that fail when a test of the store wants it
 *
 * Functions that stand in for those of the libraries, the ones of libc in LMDB as well, in one program that
 * includes this. The call that fails is chosen by its number among those that are made from then on.
 */
#ifndef TESTS_UNIT_FAILING_CALLS_H
#define TESTS_UNIT_FAILING_CALLS_H

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum call_kind {
	SYSTEM, /* of the C library */
	LMDB
};

static enum call_kind failing_kind;
static long countdown; /* the call of that kind that is to fail; 0 = none */
static int fault;      /* with this errno, or this result of LMDB */
static bool lasts;     /* and all after it */
static bool has_failed;
static bool kills; /* the call does not fail; this process is killed before it */

static bool fails_as(enum call_kind of)
{
	if (countdown == 0 || failing_kind != of)
		return false;
	if (countdown > 1) {
		countdown--;
		return false;
	}
	if (!lasts)
		countdown = 0;
	has_failed = true;
	return true;
}

static bool fails(void)
{
	bool now = fails_as(SYSTEM);

	if (now && kills)
		raise(SIGKILL);
	if (now)
		errno = fault;
	return now;
}

/* The function that this one stands in for. */
#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): what stands in for functions of libc */
int openat(int at, const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return fails() ? -1 : (int)syscall(SYS_openat, at, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return fails() ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int fstatat(int at, const char *restrict path, struct stat *restrict out, int flags)
{
	return fails() ? -1 : (int)syscall(SYS_newfstatat, at, path, out, flags);
}

int fstat(int fd, struct stat *out)
{
	return fails() ? -1 : (int)syscall(SYS_fstat, fd, out);
}

int stat(const char *restrict path, struct stat *restrict out)
{
	return fails() ? -1 : (int)syscall(SYS_newfstatat, AT_FDCWD, path, out, 0);
}

int renameat(int from_at, const char *from, int to_at, const char *to)
{
	return fails() ? -1 : (int)syscall(SYS_renameat, from_at, from, to_at, to);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
	return fails() ? -1 : (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
}

int mkdirat(int at, const char *path, mode_t mode)
{
	return fails() ? -1 : (int)syscall(SYS_mkdirat, at, path, mode);
}

int mkdir(const char *path, mode_t mode)
{
	return fails() ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int ftruncate(int fd, off_t size)
{
	return fails() ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

ssize_t pread(int fd, void *out, size_t size, off_t at)
{
	return fails() ? -1 : syscall(SYS_pread64, fd, out, size, at);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	return fails() ? -1 : syscall(SYS_write, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	return fails() ? -1 : syscall(SYS_pwrite64, fd, bytes, size, at);
}

ssize_t writev(int fd, const struct iovec *part, int count)
{
	return fails() ? -1 : syscall(SYS_writev, fd, part, count);
}

int fsync(int fd)
{
	return fails() ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return fails() ? -1 : (int)syscall(SYS_fdatasync, fd);
}

/* The descriptor is closed all the same, as Linux does. */
int close(int fd)
{
	long done = syscall(SYS_close, fd);

	return fails() ? -1 : (int)done;
}

int fcntl(int fd, int command, ...)
{
	va_list rest;
	long value;

	va_start(rest, command);
	value = va_arg(rest, long);
	va_end(rest);
	return fails() ? -1 : (int)syscall(SYS_fcntl, fd, command, value);
}

static uint32_t file_system; /* the magic number of it; 0: what it is */

int statfs(const char *path, struct statfs *out)
{
	if (fails() || syscall(SYS_statfs, path, out) != 0)
		return -1;
	if (file_system != 0)
		out->f_type = (__fsword_t)file_system;
	return 0;
}

static bool is_full; /* the disk, for whoever asks */

int statvfs(const char *restrict path, struct statvfs *restrict out)
{
	if (fails())
		return -1;
	if (REAL(statvfs)(path, out) != 0)
		return -1;
	if (is_full)
		out->f_bavail = 0;
	return 0;
}

DIR *opendir(const char *path)
{
	return fails() ? NULL : REAL(opendir)(path);
}

struct dirent *readdir(DIR *folder)
{
	return fails() ? NULL : REAL(readdir)(folder);
}

char *mkdtemp(char *pattern)
{
	return fails() ? NULL : REAL(mkdtemp)(pattern);
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr, void *(*run)(void *),
		   void *restrict self)
{
	return fails() ? EAGAIN : REAL(pthread_create)(thread, attr, run, self);
}

/* --- calls of LMDB ------------------------------------------------------------------------------ */

int mdb_env_create(MDB_env **out)
{
	return fails_as(LMDB) ? fault : REAL(mdb_env_create)(out);
}

int mdb_env_set_mapsize(MDB_env *env, size_t size)
{
	return fails_as(LMDB) ? fault : REAL(mdb_env_set_mapsize)(env, size);
}

int mdb_env_open(MDB_env *env, const char *path, unsigned flags, mdb_mode_t mode)
{
	return fails_as(LMDB) ? fault : REAL(mdb_env_open)(env, path, flags, mode);
}

int mdb_env_sync(MDB_env *env, int force)
{
	return fails_as(LMDB) ? fault : REAL(mdb_env_sync)(env, force);
}

int mdb_env_copyfd2(MDB_env *env, mdb_filehandle_t fd, unsigned flags)
{
	return fails_as(LMDB) ? fault : REAL(mdb_env_copyfd2)(env, fd, flags);
}

int mdb_txn_begin(MDB_env *env, MDB_txn *parent, unsigned flags, MDB_txn **out)
{
	return fails_as(LMDB) ? fault : REAL(mdb_txn_begin)(env, parent, flags, out);
}

int mdb_txn_renew(MDB_txn *txn)
{
	return fails_as(LMDB) ? fault : REAL(mdb_txn_renew)(txn);
}

/* As LMDB does when it fails. */
int mdb_txn_commit(MDB_txn *txn)
{
	if (!fails_as(LMDB))
		return REAL(mdb_txn_commit)(txn);
	mdb_txn_abort(txn);
	return fault;
}

static unsigned behind; /* so often two others commit before a reader has found its meta page */

size_t mdb_txn_id(MDB_txn *txn)
{
	size_t id = REAL(mdb_txn_id)(txn);

	if (behind == 0)
		return id;
	behind--;
	return id - 2;
}

int mdb_dbi_open(MDB_txn *txn, const char *name, unsigned flags, MDB_dbi *out)
{
	return fails_as(LMDB) ? fault : REAL(mdb_dbi_open)(txn, name, flags, out);
}

int mdb_stat(MDB_txn *txn, MDB_dbi table, MDB_stat *out)
{
	return fails_as(LMDB) ? fault : REAL(mdb_stat)(txn, table, out);
}

int mdb_get(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value)
{
	return fails_as(LMDB) ? fault : REAL(mdb_get)(txn, table, key, value);
}

int mdb_put(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value, unsigned flags)
{
	return fails_as(LMDB) ? fault : REAL(mdb_put)(txn, table, key, value, flags);
}

int mdb_del(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value)
{
	return fails_as(LMDB) ? fault : REAL(mdb_del)(txn, table, key, value);
}

int mdb_cursor_open(MDB_txn *txn, MDB_dbi table, MDB_cursor **out)
{
	return fails_as(LMDB) ? fault : REAL(mdb_cursor_open)(txn, table, out);
}

int mdb_cursor_get(MDB_cursor *cursor, MDB_val *key, MDB_val *value, MDB_cursor_op op)
{
	return fails_as(LMDB) ? fault : REAL(mdb_cursor_get)(cursor, key, value, op);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

#endif
