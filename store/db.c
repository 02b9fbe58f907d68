/* SPDX-License-Identifier: MIT */
/*
 * db.c - transactions on tables of keys and values in an LMDB file
 *
 * LMDB writes copies of pages, calls fdatasync, and then writes the new root synchronously, so a process
 * killed at any time leaves the last committed state. Flags that would weaken this (NOSYNC, NOMETASYNC), or
 * that would turn a full disk into a signal (WRITEMAP), are not used, except for NOSYNC in temporary files.
 *
 * LMDB trusts every page that it reads. Before LMDB opens a file that is not in use, pages_check() therefore
 * checks the structure of the file. Read transactions read their records through pages.c; LMDB only keeps the
 * pages of their snapshot from being reused. Both report damage as an error, db_open with errno EUCLEAN.
 *
 * The map may be resized only while no transaction of this process is open: every transaction holds the lock
 * `resize` shared, and growing the map holds it exclusively.
 */
#include "db.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "pages.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

#define FILE_MODE       0600
#define READERS_CHECK_S 60
#define SPACE_KEPT      ((off_t)1 << 20)
#define SPACE_LEAST     (SPACE_KEPT - ((off_t)1 << 16)) /* below this, only essential records are written */
#define MISSING_MAX     ((off_t)64 << 20)               /* bytes that may be missing at the end of the file */

struct db {
	MDB_env *env;
	time_t readers_checked_s; /* last call of db_check_readers, monotonic clock */
	MDB_dbi table[DB_TABLES_MAX];
	char *dir;
	const char *const *name; /* names of the tables, borrowed */
	unsigned table_count, may_miss;
	struct page_file file; /* data.mdb, opened a second time for reading */
	off_t space_to;        /* end of the reserved space, see db_keep_space */
	bool cannot_keep;
	pid_t owner; /* the process that opened the file */
	pthread_rwlock_t resize;
};

struct db_txn {
	struct db *db;
	MDB_txn *handle;
	int rc;       /* LMDB's first error code                */
	bool failed;  /* the work function failed: err is set */
	bool damaged; /* a page is damaged: err is set */
	struct err err;
	bool reads; /* reads through pages.c, with the fields below */
	struct page_file file;
	struct page_roots roots;
	struct page_tree tree[DB_TABLES_MAX];
	bool has_tree[DB_TABLES_MAX];
	struct page_cursor get; /* cursor of db_get */
};

/* --- error messages ----------------------------------------------------------------------- */

/*
 * LMDB reports a short write as EIO, whatever the cause, so free space is checked to recognize a full disk.
 */
static bool disk_is_full(const char *dir)
{
	struct statvfs fs;

	return statvfs(dir, &fs) == 0 && fs.f_bavail * fs.f_frsize < (1 << 20);
}

static bool say_damage(const struct db *db, const char *what, struct err *err)
{
	return err_set(err, "%s/data.mdb is damaged or is not a store: %s; " DB_RECOVERY, db->dir, what);
}

static bool say(const struct db *db, int rc, struct err *err)
{
	if (rc == ENOSPC || (rc == EIO && disk_is_full(db->dir)))
		return err_set(err, "the disk that holds the store %s is full: free some space and try again",
			       db->dir);
	if (rc == EDQUOT)
		return err_set(err,
			       "the disk quota for the store %s is used up: free some space and try again",
			       db->dir);
	if (rc == MDB_CORRUPTED || rc == MDB_PAGE_NOTFOUND || rc == MDB_INVALID || rc == MDB_VERSION_MISMATCH)
		return say_damage(db, mdb_strerror(rc), err);
	if (rc == MDB_PANIC)
		return err_set(err, "the store %s failed while writing: stop kahu and start it again",
			       db->dir);
	if (rc == MDB_READERS_FULL)
		return err_set(err, "too many programs are reading the store %s: try again later", db->dir);
	return err_set(err, "the store %s: %s", db->dir, mdb_strerror(rc));
}

/* Makes the transaction fail because of a damaged page; the message is already in txn->err. */
static void damaged(struct db_txn *txn)
{
	txn->damaged = txn->failed = true;
}

/* --- opening ------------------------------------------------------------------------- */

static int open_tables(struct db *db, const struct db_options *options)
{
	MDB_txn *txn;
	int rc = mdb_txn_begin(db->env, NULL, 0, &txn);

	if (rc)
		return rc;
	for (unsigned i = 0; i < options->table_count && rc == 0; i++)
		rc = mdb_dbi_open(txn, options->tables[i], MDB_CREATE, &db->table[i]);
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
		rc = mdb_env_set_mapsize(db->env, options->map_bytes);
	if (rc == 0) {
		mdb_env_set_maxdbs(db->env, DB_TABLES_MAX); /* cannot fail before the file is open */
		rc = mdb_env_open(db->env, db->dir,
				  MDB_NOTLS | (options->read_only ? MDB_RDONLY : 0) |
					  (options->for_now ? MDB_NOSYNC : 0),
				  FILE_MODE);
	}
	/* LMDB marks all its descriptors as close-on-exec except this one. */
	if (rc == 0) {
		mdb_env_get_fd(db->env, &fd);
		rc = fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 ? errno : 0;
	}
	return rc;
}

static void remove_fresh(int folder)
{
	unlinkat(folder, DB_FRESH "/data.mdb", 0);
	unlinkat(folder, DB_FRESH "/lock.mdb", 0);
	unlinkat(folder, DB_FRESH, AT_REMOVEDIR);
}

/* Creates an LMDB file and commits once, so that both meta pages are on the disk. */
static int make_fresh(const char *path, const struct db_options *options)
{
	MDB_env *env = NULL;
	MDB_txn *txn;
	int rc = mdb_env_create(&env);

	if (rc == 0)
		rc = mdb_env_set_mapsize(env, options->map_bytes);
	if (rc == 0)
		rc = mdb_env_open(env, path, 0, FILE_MODE);
	if (rc == 0)
		rc = mdb_env_sync(env, 1);
	if (rc == 0)
		rc = mdb_txn_begin(env, NULL, 0, &txn);
	if (rc == 0)
		rc = mdb_txn_commit(txn);
	if (env != NULL)
		mdb_env_close(env);
	return rc;
}

/*
 * LMDB does not sync the first pages of a new file, so a power failure could leave a store that is neither
 * empty nor complete. A new file is therefore created in a separate directory and moved into place when it is
 * complete.
 */
static int make_file(const char *dir, const struct db_options *options)
{
	struct str path = {0};
	struct stat st;
	int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = folder < 0 ? errno : 0;
	bool is_there = false;

	/* Replace a file only if it is known to be missing or empty. */
	if (rc == 0 && fstatat(folder, "data.mdb", &st, 0) == 0)
		is_there = st.st_size > 0;
	else if (rc == 0 && errno != ENOENT)
		rc = errno;
	if (is_there || rc != 0) {
		if (folder >= 0)
			close(folder);
		return rc;
	}
	remove_fresh(folder);
	str_addf(&path, "%s/" DB_FRESH, dir);
	rc = mkdirat(folder, DB_FRESH, 0700) == 0 ? make_fresh(str_text(&path), options) : errno;
	if (rc == 0 && renameat(folder, DB_FRESH "/data.mdb", folder, "data.mdb") != 0)
		rc = errno;
	remove_fresh(folder);
	close(folder);
	str_free(&path);
	return rc;
}

/*
 * Accessing a missing page of a truncated file would kill the process (SIGBUS). The missing end is therefore
 * filled with zeros; if one of these pages is in use, LMDB's checks or the checksums detect the damage.
 * Unused pages at the end may be missing in a valid file.
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
	else if (size - file.st_size > MISSING_MAX)
		rc = MDB_CORRUPTED;
	else if (file.st_size < size) {
		int fd = open(str_text(&path), O_WRONLY | O_CLOEXEC);

		if (fd >= 0) {
			(void)!ftruncate(fd, size);
			close(fd);
		}
	}
	str_free(&path);
	return rc;
}

static int open_data(const char *dir)
{
	struct str path = {0};
	int fd;

	str_addf(&path, "%s/data.mdb", dir);
	fd = open(str_text(&path), O_RDONLY | O_CLOEXEC);
	str_free(&path);
	return fd;
}

/* --- damage ---------------------------------------------------------------------------- */

/* A table with more leaf pages than this is not read completely at open: only its branch pages and its first
 * and last leaf page are read. */
#define LEAVES_AT_OPEN 32768

#define ATTEMPTS 5 /* number of attempts to check a file that a scheduler may be changing */

static bool check_once(const struct db_options *options, int fd, struct err *err)
{
	struct pages_expected expected = {options->tables, options->table_count, options->may_miss,
					  LEAVES_AT_OPEN};
	struct page_file file;
	struct page_roots roots;

	return pages_open(&file, fd, err) &&
	       (options->in_use ||
		(pages_newest(&file, &roots, err) && pages_check(&file, &roots, &expected, err)));
}

/* Does the file have any content? A missing or empty file is not a store yet. */
static bool is_begun(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0;
}

/* Checks the file before LMDB opens it. Also returns true if there is no file yet. A reader tries several
 * times, because a scheduler may start and change the file during the check. */
static bool check_file(const char *dir, const struct db_options *options, struct err *err)
{
	int fd = open_data(dir);
	bool good = !is_begun(fd);

	for (int i = 0; i < (options->read_only ? ATTEMPTS : 1) && !good; i++)
		good = check_once(options, fd, err);
	if (fd >= 0)
		close(fd);
	return good;
}

/* Opens the file a second time, to read it without LMDB. */
static bool open_reader(struct db *db, struct err *err)
{
	int fd = open_data(db->dir);

	if (fd < 0)
		return err_set(err, "it cannot be read: %s", strerror(errno));
	db->file.fd = fd;
	return pages_open(&db->file, fd, err);
}

/* The lock prefers writers: a thread that waits to grow the map takes precedence over later readers. */
static void init_resize_lock(pthread_rwlock_t *lock)
{
	pthread_rwlockattr_t attr;

	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(lock, &attr);
	pthread_rwlockattr_destroy(&attr);
}

/* LMDB syncs its data but not the directory entry of its file. */
int db_sync_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 || (fsync(fd) < 0 && errno != EINVAL) ? errno : 0;

	if (fd >= 0)
		close(fd);
	return rc;
}

static void find_tables(struct db_txn *txn, void *self);

static bool say_unopened(const struct db *db, const struct db_options *options, int rc, struct err *err)
{
	/* LMDB returns EBADF if a reader opens an empty file. */
	if (options->read_only && (rc == ENOENT || rc == EBADF || rc == MDB_NOTFOUND))
		return err_set(err,
			       "there is no store in %s yet: a scheduler started with --store %s creates one",
			       db->dir, db->dir);
	if (rc == ENOMEM)
		return err_set(err,
			       "cannot reserve %zu MB of address space for the store %s: raise the limit "
			       "(ulimit -v)",
			       options->map_bytes >> 20, db->dir);
	return say(db, rc, err);
}

static bool open_checked(struct db *db, const struct db_options *options, struct err *err)
{
	bool lasts = !options->read_only && !options->for_now;
	int rc = lasts ? make_file(db->dir, options) : 0;

	if (rc == 0)
		rc = open_file(db, options);
	if (rc == 0 && lasts)
		rc = db_sync_folder(db->dir);
	if (rc == 0)
		rc = fill_missing_end(db);
	if (rc == 0) {
		db_check_readers(db);
		rc = options->read_only ? 0 : open_tables(db, options);
	}
	if (rc == 0)
		return true;
	return say_unopened(db, options, rc, err);
}

struct db *db_open(const char *dir, const struct db_options *options, struct err *err)
{
	struct db *db = mem_zero(1, sizeof *db);
	struct err damage = {""};
	int cause = 0;

	db->dir = mem_string(dir);
	db->name = options->tables;
	db->table_count = options->table_count;
	db->may_miss = options->may_miss;
	db->owner = getpid();
	db->file.fd = -1;
	init_resize_lock(&db->resize);
	if (check_file(dir, options, &damage)) {
		if (open_checked(db, options, err)) {
			if (open_reader(db, &damage) &&
			    (!options->read_only || db_read(db, find_tables, NULL, err)))
				return db;
		}
	}
	if (damage.text[0]) {
		say_damage(db, damage.text, err);
		cause = EUCLEAN;
	}
	db_close(db);
	errno = cause;
	return NULL;
}

void db_close(struct db *db)
{
	if (!db)
		return;
	mdb_env_close(db->env);
	if (db->file.fd >= 0)
		close(db->file.fd);
	pthread_rwlock_destroy(&db->resize);
	free(db->dir);
	free(db);
}

void db_check_readers(struct db *db)
{
	int dead;

	mdb_reader_check(db->env, &dead);
}

static void check_snapshot(struct db_txn *txn, void *self)
{
	const struct db *db = txn->db;
	const struct pages_expected expected = {db->name, db->table_count, db->may_miss, UINT64_MAX};

	(void)self;
	if (!pages_check(&txn->file, &txn->roots, &expected, &txn->err))
		damaged(txn);
}

bool db_check(struct db *db, struct err *err)
{
	return db_read(db, check_snapshot, NULL, err);
}

/* LMDB traverses all trees to copy the file, so the file is checked first. */
bool db_copy(struct db *db, const char *path, struct err *err)
{
	if (!db_check(db, err))
		return false;

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

/* Doubles the size of the map or, with to_file, sets it to the size of the file, which another process may
 * have enlarged. */
static int resize_map(struct db *db, bool to_file)
{
	MDB_envinfo info;

	pthread_rwlock_wrlock(&db->resize);
	mdb_env_info(db->env, &info);
	int rc = mdb_env_set_mapsize(db->env, to_file ? 0 : info.me_mapsize * 2);
	pthread_rwlock_unlock(&db->resize);
	return rc;
}

/* Starts a transaction and keeps the resize lock shared. On failure, sets rc and releases the lock. */
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

/* Sets the number of pages from the current size of the file; a committed state has no pages beyond this
 * number. */
static void measure(struct page_file *file)
{
	struct stat st;

	if (fstat(file->fd, &st) == 0)
		file->pages = (uint64_t)st.st_size / file->page_size;
}

/*
 * Finds the roots of the snapshot that LMDB has pinned. Returns false after an error. If a writer has
 * committed twice since then, the meta page of the snapshot has been overwritten, and the transaction starts
 * again with the newest state.
 */
static bool find_roots(struct db_txn *txn)
{
	bool replaced = true;

	txn->file = txn->db->file;
	while (txn->rc == 0 && replaced) {
		if (pages_of_txn(&txn->file, mdb_txn_id(txn->handle), &txn->roots, &replaced, &txn->err)) {
			measure(&txn->file);
			return true;
		}
		if (replaced) {
			mdb_txn_reset(txn->handle);
			txn->rc = mdb_txn_renew(txn->handle);
		}
	}
	if (txn->rc == 0)
		damaged(txn);
	return false;
}

static int commit(struct db_txn *txn)
{
	const struct page_file *file = &txn->db->file;
	uint64_t number = mdb_txn_id(txn->handle);
	unsigned char meta[PAGES_META_BYTES];
	bool saved = pages_save_meta(file, number, meta);
	int rc = mdb_txn_commit(txn->handle), fd;

	if (rc != 0 && saved) {
		mdb_env_get_fd(txn->db->env, &fd);
		pages_restore_meta(file, fd, number, meta);
	}
	return rc;
}

static void run(struct db_txn *txn, unsigned flags, db_work *work, void *self)
{
	begin(txn, flags);
	if (txn->rc)
		return;
	if (!txn->reads || find_roots(txn))
		work(txn, self);
	page_cursor_close(&txn->get);
	if (!db_good(txn) || flags & MDB_RDONLY)
		mdb_txn_abort(txn->handle);
	else
		txn->rc = commit(txn);
	pthread_rwlock_unlock(&txn->db->resize);
}

static bool judge(const struct db_txn *txn, struct err *err)
{
	if (txn->rc)
		return say(txn->db, txn->rc, err);
	if (txn->damaged)
		return say_damage(txn->db, txn->err.text, err);
	return !txn->failed || err_set(err, "%s", txn->err.text);
}

static bool may_use(const struct db *db, struct err *err)
{
	return db->owner == getpid() ||
	       err_set(err,
		       "the store %s was opened by process %d; a child process must open the store itself",
		       db->dir, (int)db->owner);
}

bool db_read(struct db *db, db_work *work, void *self, struct err *err)
{
	struct db_txn txn = {.db = db, .reads = true};

	if (!may_use(db, err))
		return false;
	run(&txn, MDB_RDONLY, work, self);
	return judge(&txn, err);
}

/* Frees the slots of killed readers once every READERS_CHECK_S, because such a slot keeps pages from being
 * reused. */
static void check_readers_at_times(struct db *db)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	if (now.tv_sec - db->readers_checked_s < READERS_CHECK_S)
		return;
	db->readers_checked_s = now.tv_sec;
	db_check_readers(db);
}

bool db_write(struct db *db, db_work *work, void *self, struct err *err)
{
	struct db_txn txn;

	if (!may_use(db, err))
		return false;
	check_readers_at_times(db);
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

bool db_keep_space(struct db *db, struct err *err)
{
	MDB_envinfo info;
	MDB_stat env;
	off_t end;
	int fd;

	if (db->cannot_keep || mdb_env_info(db->env, &info) != 0 || mdb_env_stat(db->env, &env) != 0)
		return true;
	end = (off_t)((info.me_last_pgno + 1) * env.ms_psize);
	if (db->space_to >= end + SPACE_LEAST)
		return true;
	mdb_env_get_fd(db->env, &fd);
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, end, SPACE_KEPT) == 0)
		db->space_to = end + SPACE_KEPT;
	else if (errno == ENOSPC || errno == EDQUOT)
		return say(db, errno, err);
	else
		db->cannot_keep = true;
	return true;
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

/* MDB_val has no const, but LMDB does not write through these pointers. */
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

/* Finds the tree of a table in a read transaction. Returns false if the table is empty or cannot be read. */
static bool tree_of(struct db_txn *txn, unsigned table, struct page_tree *out)
{
	bool bad;

	if (!txn->has_tree[table]) {
		txn->tree[table].root = PAGES_NONE;
		if (!pages_table(&txn->file, &txn->roots, txn->db->name[table], &txn->tree[table], &bad,
				 &txn->err) &&
		    bad)
			damaged(txn);
		txn->has_tree[table] = true;
	}
	*out = txn->tree[table];
	return db_good(txn) && out->root != PAGES_NONE;
}

/* Sets rc to MDB_NOTFOUND if a required table is missing: the file is not a store yet. */
static void find_tables(struct db_txn *txn, void *self)
{
	struct page_tree tree;
	bool bad;

	(void)self;
	for (unsigned i = 0; i + txn->db->may_miss < txn->db->table_count && db_good(txn); i++) {
		if (pages_table(&txn->file, &txn->roots, txn->db->name[i], &tree, &bad, &txn->err))
			continue;
		if (bad)
			damaged(txn);
		else
			txn->rc = MDB_NOTFOUND;
	}
}

static bool is_key(struct bytes a, struct bytes b)
{
	return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static bool get_page(struct db_txn *txn, unsigned table, struct bytes key, struct bytes *value)
{
	struct page_cursor *c = &txn->get;
	struct page_tree tree;
	bool found;

	if (!tree_of(txn, table, &tree))
		return false;
	if (!c->file)
		page_cursor_open(c, &txn->file, &txn->roots, &tree, &txn->err);
	c->tree = tree;
	found = page_cursor_seek(c, key) && is_key(page_cursor_key(c), key) && page_cursor_value(c, value);
	if (c->damaged)
		damaged(txn);
	return found;
}

bool db_get(struct db_txn *txn, unsigned table, struct bytes key, struct bytes *value)
{
	MDB_val k = as_value(key), v;

	if (!db_good(txn))
		return false;
	if (txn->reads)
		return get_page(txn, table, key, value);
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

void db_put_parts(struct db_txn *txn, unsigned table, struct bytes key, struct bytes head, struct bytes rest)
{
	MDB_val k = as_value(key), v = {.mv_size = head.size + rest.size};

	if (!db_good(txn))
		return;
	txn->rc = mdb_put(txn->handle, txn->db->table[table], &k, &v, MDB_RESERVE);
	if (txn->rc != 0)
		return;
	memcpy(v.mv_data, head.data, head.size);
	memcpy((char *)v.mv_data + head.size, rest.data, rest.size);
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
	struct page_tree tree;

	if (db_good(txn) && txn->reads)
		stat.ms_entries = tree_of(txn, table, &tree) ? tree.entries : 0;
	else if (db_good(txn))
		txn->rc = mdb_stat(txn->handle, txn->db->table[table], &stat);
	return stat.ms_entries;
}

uint64_t db_bytes(struct db_txn *txn, unsigned table)
{
	MDB_stat stat = {.ms_psize = 0};

	if (db_good(txn))
		txn->rc = mdb_stat(txn->handle, txn->db->table[table], &stat);
	return (uint64_t)stat.ms_psize * (stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages);
}

/* --- cursors of read transactions ------------------------------------------------------- */

static bool seek_page(struct page_cursor *page, const struct bytes *from, enum db_direction direction)
{
	if (!from)
		return direction == DB_UP ? page_cursor_first(page) : page_cursor_last(page);
	if (page_cursor_seek(page, *from))
		return direction == DB_UP || is_key(page_cursor_key(page), *from) || page_cursor_back(page);
	return direction == DB_DOWN && !page->damaged && page_cursor_last(page);
}

static void settle_page(struct db_cursor *c, bool found)
{
	struct page_cursor *page = c->handle;

	if (found && page_cursor_value(page, &c->value)) {
		c->key = page_cursor_key(page);
		return;
	}
	if (page->damaged)
		damaged(c->txn);
	db_stop(c);
}

static void walk_pages(struct db_cursor *c, unsigned table, const struct bytes *from)
{
	struct page_tree tree;
	struct page_cursor *page;

	if (!tree_of(c->txn, table, &tree))
		return;
	c->handle = page = mem_zero(1, sizeof *page);
	page_cursor_open(page, &c->txn->file, &c->txn->roots, &tree, &c->txn->err);
	settle_page(c, seek_page(page, from, c->direction));
}

static void next_page_record(struct db_cursor *c)
{
	settle_page(c, c->direction == DB_UP ? page_cursor_next(c->handle) : page_cursor_back(c->handle));
}

/* --- cursors of write transactions ------------------------------------------------------ */

static int move(struct db_cursor *c, MDB_cursor_op op)
{
	MDB_val k = as_value(c->key), v = {.mv_size = 0};
	int rc = mdb_cursor_get(c->handle, &k, &v, op);

	c->key = as_bytes(k);
	c->value = as_bytes(v);
	return rc;
}

/* Moves to the first record of a traversal. LMDB can only find the first key at or after *from. A downward
 * traversal begins at that key if it equals *from, otherwise at the key before it. */
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

/* Handles the result of a move: a record, the end, or an error. */
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

	if (!db_good(txn))
		return c;
	if (txn->reads) {
		walk_pages(&c, table, from);
		return c;
	}
	txn->rc = mdb_cursor_open(txn->handle, txn->db->table[table], &handle);
	if (txn->rc)
		return c;
	c.handle = handle;
	settle(&c, move_first(&c, from));
	return c;
}

bool db_next(struct db_cursor *c)
{
	if (c->handle && c->begun && c->txn->reads)
		next_page_record(c);
	else if (c->handle && c->begun)
		settle(c, move(c, c->direction == DB_UP ? MDB_NEXT : MDB_PREV));
	c->begun = true;
	return c->handle && db_good(c->txn);
}

void db_stop(struct db_cursor *c)
{
	if (c->handle && c->txn->reads) {
		page_cursor_close(c->handle);
		free(c->handle);
	} else if (c->handle) {
		mdb_cursor_close(c->handle);
	}
	c->handle = NULL;
}
