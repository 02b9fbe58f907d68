/* SPDX-License-Identifier: MIT */
/*
 * db.c - how are tables of bytes read and changed, all or nothing?
 *
 * LMDB writes copies of pages and then one new root, with one fdatasync before it and
 * one synchronous write of the root: a process killed at any moment leaves the last
 * committed state. Flags that would weaken this (NOSYNC, NOMETASYNC) or turn a full disk
 * into a signal (WRITEMAP) are not used, but for NOSYNC where nobody comes back to the file.
 *
 * The map may only be resized while no transaction of this process is open: every
 * transaction holds `resize` shared, growing holds it alone.
 */
#include "db.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lmdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"

#define FILE_MODE   0600
#define MISSING_MAX ((off_t)64 << 20) /* bytes at the end of the file, see fill_missing_end */

struct db {
	MDB_env *env;
	MDB_dbi table[DB_TABLES_MAX];
	char *dir;
	pid_t owner; /* the process that opened it */
	pthread_rwlock_t resize;
};

struct db_txn {
	struct db *db;
	MDB_txn *handle;
	int rc;      /* of LMDB; the first that was not 0      */
	bool failed; /* the work said so: err has its sentence */
	struct err err;
};

/* --- sentences ----------------------------------------------------------------------- */

/* A short write comes back from LMDB as EIO, whatever the reason was. */
static bool disk_is_full(const char *dir)
{
	struct statvfs fs;

	return statvfs(dir, &fs) == 0 && fs.f_bavail * fs.f_frsize < (1 << 20);
}

static bool say(const struct db *db, int rc, struct err *err)
{
	if (rc == ENOSPC || (rc == EIO && disk_is_full(db->dir)))
		return err_set(err, "the disk that holds the store %s is full: make room and try again",
			       db->dir);
	if (rc == EDQUOT)
		return err_set(err, "the disk quota for the store %s is used up: make room and try again",
			       db->dir);
	if (rc == MDB_CORRUPTED || rc == MDB_PAGE_NOTFOUND || rc == MDB_INVALID || rc == MDB_VERSION_MISMATCH)
		return err_set(err, "%s/data.mdb is damaged or no store (%s): put a copy in its place",
			       db->dir, mdb_strerror(rc));
	if (rc == MDB_PANIC)
		return err_set(err, "the store %s failed while writing: stop kahu and start it again",
			       db->dir);
	if (rc == MDB_READERS_FULL)
		return err_set(err, "too many programs are reading the store %s: try again later", db->dir);
	return err_set(err, "the store %s: %s", db->dir, mdb_strerror(rc));
}

/* --- opening ------------------------------------------------------------------------- */

#define NO_TABLE UINT_MAX /* a file that is only read does not have it */

static int open_table(struct db *db, MDB_txn *txn, const struct db_options *options, unsigned i)
{
	int rc = mdb_dbi_open(txn, options->tables[i], options->read_only ? 0 : MDB_CREATE, &db->table[i]);

	if (rc != MDB_NOTFOUND || i + options->may_miss < options->table_count)
		return rc;
	db->table[i] = NO_TABLE;
	return 0;
}

static int open_tables(struct db *db, const struct db_options *options)
{
	MDB_txn *txn;
	int rc = mdb_txn_begin(db->env, NULL, options->read_only ? MDB_RDONLY : 0, &txn);

	if (rc)
		return rc;
	for (unsigned i = 0; i < options->table_count && rc == 0; i++)
		rc = open_table(db, txn, options, i);
	if (rc == 0)
		return mdb_txn_commit(txn);
	mdb_txn_abort(txn);
	return rc;
}

static int open_file(struct db *db, const struct db_options *options)
{
	int fd;
	int rc = mdb_env_create(&db->env);

	if (rc == 0)
		rc = mdb_env_set_maxdbs(db->env, DB_TABLES_MAX);
	if (rc == 0)
		rc = mdb_env_set_mapsize(db->env, options->map_bytes);
	if (rc == 0)
		rc = mdb_env_open(db->env, db->dir,
				  MDB_NOTLS | (options->read_only ? MDB_RDONLY : 0) |
					  (options->for_now ? MDB_NOSYNC : 0),
				  FILE_MODE);
	/* LMDB marks its other descriptors close-on-exec, but not this one. */
	if (rc == 0 && mdb_env_get_fd(db->env, &fd) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		rc = errno;
	return rc;
}

/*
 * A file cut off would kill the process that touches the missing pages (SIGBUS). Blocks
 * of zeros in their place are found by LMDB's checks or by the checksums. Pages at the
 * end that no tree uses may well be missing, so a file that is a little short is no fault.
 */
static int fill_missing_end(const struct db *db)
{
	MDB_envinfo info;
	MDB_stat env;
	struct stat file;
	struct str path = {0};
	int rc = 0;

	mdb_env_info(db->env, &info);
	mdb_env_stat(db->env, &env);
	off_t size = (off_t)((info.me_last_pgno + 1) * env.ms_psize);
	str_addf(&path, "%s/data.mdb", db->dir);
	if (stat(str_text(&path), &file) < 0)
		rc = errno;
	else if (size < 0 || size - file.st_size > MISSING_MAX)
		rc = MDB_CORRUPTED;
	else if (file.st_size < size) {
		int fd = open(str_text(&path), O_WRONLY | O_CLOEXEC);

		if (fd >= 0) {
			(void)!fallocate(fd, 0, size - 1, 1);
			close(fd);
		}
	}
	str_free(&path);
	return rc;
}

/* One that waits to grow goes before readers that come later. */
static void init_resize_lock(pthread_rwlock_t *lock)
{
	pthread_rwlockattr_t attr;

	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(lock, &attr);
	pthread_rwlockattr_destroy(&attr);
}

struct db *db_open(const char *dir, const struct db_options *options, struct err *err)
{
	struct db *db = mem_zero(1, sizeof *db);

	db->dir = mem_string(dir);
	db->owner = getpid();
	init_resize_lock(&db->resize);
	int rc = open_file(db, options);
	if (rc == 0)
		rc = fill_missing_end(db);
	if (rc == 0) {
		db_check_readers(db);
		rc = open_tables(db, options);
	}
	if (rc == 0)
		return db;
	/* A file that is still empty cannot be begun by who only reads it: that is EBADF. */
	if (options->read_only && (rc == ENOENT || rc == EBADF || rc == MDB_NOTFOUND))
		err_set(err, "there is no store in %s yet: a scheduler started with --store %s makes one",
			dir, dir);
	else if (rc == ENOMEM)
		err_set(err, "no address space of %zu MB for the store %s: raise the limit (ulimit -v)",
			options->map_bytes >> 20, dir);
	else
		say(db, rc, err);
	db_close(db);
	return NULL;
}

void db_close(struct db *db)
{
	if (!db)
		return;
	mdb_env_close(db->env);
	pthread_rwlock_destroy(&db->resize);
	free(db->dir);
	free(db);
}

void db_check_readers(struct db *db)
{
	int dead;

	mdb_reader_check(db->env, &dead);
}

bool db_copy(struct db *db, const char *path, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
	int rc;

	if (fd < 0)
		return err_set(err, "%s cannot be written: %s", path, strerror(errno));
	rc = mdb_env_copyfd2(db->env, fd, MDB_CP_COMPACT);
	if (rc == 0 && fsync(fd) < 0)
		rc = errno;
	if (close(fd) < 0 && rc == 0)
		rc = errno;
	if (rc == 0)
		return true;
	unlink(path);
	return say(db, rc, err);
}

/* --- transactions -------------------------------------------------------------------- */

/* Twice the map, or, when another process made it larger, that size. */
static int resize_map(struct db *db, bool to_file)
{
	MDB_envinfo info;

	pthread_rwlock_wrlock(&db->resize);
	int rc = mdb_env_info(db->env, &info);
	if (rc == 0)
		rc = mdb_env_set_mapsize(db->env, to_file ? 0 : info.me_mapsize * 2);
	pthread_rwlock_unlock(&db->resize);
	return rc;
}

/* Begins with the resize lock held, or leaves rc set and the lock free. */
static void begin(struct db_txn *txn, unsigned flags)
{
	struct db *db = txn->db;

	do {
		if (txn->rc == MDB_MAP_RESIZED && (txn->rc = resize_map(db, true)) != 0)
			return;
		pthread_rwlock_rdlock(&db->resize);
		txn->rc = mdb_txn_begin(db->env, NULL, flags, &txn->handle);
		if (txn->rc)
			pthread_rwlock_unlock(&db->resize);
	} while (txn->rc == MDB_MAP_RESIZED);
}

static void run(struct db_txn *txn, unsigned flags, db_work *work, void *self)
{
	begin(txn, flags);
	if (txn->rc)
		return;
	work(txn, self);
	if (!db_good(txn) || flags & MDB_RDONLY)
		mdb_txn_abort(txn->handle);
	else
		txn->rc = mdb_txn_commit(txn->handle);
	pthread_rwlock_unlock(&txn->db->resize);
}

static bool judge(const struct db_txn *txn, struct err *err)
{
	if (txn->rc)
		return say(txn->db, txn->rc, err);
	return !txn->failed || err_set(err, "%s", txn->err.text);
}

static bool may_use(const struct db *db, struct err *err)
{
	return db->owner == getpid() ||
	       err_set(err, "the store %s was opened by process %d: a child of it must open it itself",
		       db->dir, (int)db->owner);
}

bool db_read(struct db *db, db_work *work, void *self, struct err *err)
{
	struct db_txn txn = {.db = db};

	if (!may_use(db, err))
		return false;
	run(&txn, MDB_RDONLY, work, self);
	return judge(&txn, err);
}

bool db_write(struct db *db, db_work *work, void *self, struct err *err)
{
	struct db_txn txn;

	if (!may_use(db, err))
		return false;
	for (;;) {
		txn = (struct db_txn){.db = db};
		run(&txn, 0, work, self);
		if (txn.rc != MDB_MAP_FULL)
			return judge(&txn, err);
		db_check_readers(db);
		int rc = resize_map(db, false);
		if (rc)
			return err_set(err, "the store %s cannot grow: %s", db->dir, mdb_strerror(rc));
	}
}

bool db_good(const struct db_txn *txn)
{
	return txn->rc == 0 && !txn->failed;
}

struct err *db_err(struct db_txn *txn)
{
	return &txn->err;
}

void db_fail(struct db_txn *txn)
{
	txn->failed = true;
}

/* --- records ------------------------------------------------------------------------- */

/* LMDB does not write where these point, though its type could. */
static MDB_val as_value(struct bytes bytes)
{
	MDB_val value = {.mv_size = bytes.size};

	memcpy(&value.mv_data, &bytes.data, sizeof value.mv_data);
	return value;
}

static struct bytes as_bytes(MDB_val value)
{
	return (struct bytes){value.mv_data, value.mv_size};
}

bool db_get(struct db_txn *txn, unsigned table, struct bytes key, struct bytes *value)
{
	MDB_val k = as_value(key), v;

	if (!db_good(txn) || txn->db->table[table] == NO_TABLE)
		return false;
	int rc = mdb_get(txn->handle, txn->db->table[table], &k, &v);
	if (rc == 0)
		*value = as_bytes(v);
	else if (rc != MDB_NOTFOUND)
		txn->rc = rc;
	return rc == 0;
}

static void put(struct db_txn *txn, unsigned table, struct bytes key, struct bytes value, unsigned flags)
{
	MDB_val k = as_value(key), v = as_value(value);

	if (db_good(txn))
		txn->rc = mdb_put(txn->handle, txn->db->table[table], &k, &v, flags);
}

void db_put(struct db_txn *txn, unsigned table, struct bytes key, struct bytes value)
{
	put(txn, table, key, value, 0);
}

void db_append(struct db_txn *txn, unsigned table, struct bytes key, struct bytes value)
{
	put(txn, table, key, value, MDB_APPEND);
}

void db_delete(struct db_txn *txn, unsigned table, struct bytes key)
{
	MDB_val k = as_value(key);

	if (!db_good(txn))
		return;
	int rc = mdb_del(txn->handle, txn->db->table[table], &k, NULL);
	if (rc != MDB_NOTFOUND)
		txn->rc = rc;
}

uint64_t db_count(struct db_txn *txn, unsigned table)
{
	MDB_stat stat = {.ms_entries = 0};

	if (db_good(txn) && txn->db->table[table] != NO_TABLE)
		txn->rc = mdb_stat(txn->handle, txn->db->table[table], &stat);
	return stat.ms_entries;
}

/* --- walks --------------------------------------------------------------------------- */

static int move(struct db_cursor *c, MDB_cursor_op op)
{
	MDB_val k = as_value(c->key), v = {.mv_size = 0};
	int rc = mdb_cursor_get(c->handle, &k, &v, op);

	c->key = as_bytes(k);
	c->value = as_bytes(v);
	return rc;
}

static bool is_key(struct bytes a, struct bytes b)
{
	return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* LMDB finds the first key at or after one; the last at or before is that or its neighbour. */
static int move_first(struct db_cursor *c, const struct bytes *from)
{
	if (!from)
		return move(c, c->direction == DB_UP ? MDB_FIRST : MDB_LAST);
	c->key = *from;
	int rc = move(c, MDB_SET_RANGE);
	if (c->direction == DB_UP)
		return rc;
	if (rc == MDB_NOTFOUND)
		return move(c, MDB_LAST);
	return rc || is_key(c->key, *from) ? rc : move(c, MDB_PREV);
}

/* What a move gave: it stands, it is at the end, or it failed. */
static void settle(struct db_cursor *c, int rc)
{
	if (rc == 0)
		return;
	if (rc != MDB_NOTFOUND)
		c->txn->rc = rc;
	db_stop(c);
}

struct db_cursor db_walk(struct db_txn *txn, unsigned table, const struct bytes *from,
			 enum db_direction direction)
{
	struct db_cursor c = {.txn = txn, .direction = direction};
	MDB_cursor *handle;

	if (!db_good(txn) || txn->db->table[table] == NO_TABLE)
		return c;
	txn->rc = mdb_cursor_open(txn->handle, txn->db->table[table], &handle);
	if (txn->rc)
		return c;
	c.handle = handle;
	settle(&c, move_first(&c, from));
	return c;
}

bool db_next(struct db_cursor *c)
{
	if (c->handle && c->begun)
		settle(c, move(c, c->direction == DB_UP ? MDB_NEXT : MDB_PREV));
	c->begun = true;
	return c->handle && db_good(c->txn);
}

void db_stop(struct db_cursor *c)
{
	if (c->handle)
		mdb_cursor_close(c->handle);
	c->handle = NULL;
}
