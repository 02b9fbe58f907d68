/* SPDX-License-Identifier: MIT */
/*
 * test_store_faults.c - tests of a store on a system whose calls fail
 *
 * Each of what is done with a store is done again and again, each time with the next call of the C library or
 * of LMDB failing, once or from then on, until none is left to fail. It must succeed or say why it did not;
 * no signal may end it, no descriptor may stay open, what is read must be right, and nothing that was
 * committed may be lost. The functions below stand in for those of the libraries, the ones of libc in LMDB as
 * well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sched/base/crc32c.h"
#include "sched/core/state.h"
#include "store/inside.h"
#include "store/lock.h"
#include "tests/history.h"
#include "tests/many.h"
#include "tests/seed.h"
#include "tests/store_dir.h"

/* --- calls that fail --------------------------------------------------------------------------- */

enum kind {
	SYSTEM, /* of the C library */
	LMDB
};

static enum kind kind;
static long countdown; /* the call of that kind that is to fail; 0 = none */
static int fault;      /* with this errno, or this result of LMDB */
static bool lasts;     /* and all after it */
static bool has_failed;

static bool fails_as(enum kind of)
{
	if (countdown == 0 || kind != of)
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

/* --- stores ------------------------------------------------------------------------------------ */

#define PAGE 4096

/* A file of the store before each trial. */
struct image {
	const char *name;
	char *data;
	size_t size;
};

static struct store_dir home, here, copy, none, source; /* all others in the first */
static struct image whole[] = {{"data.mdb", NULL, 0}, {STORE_LAST_GOOD, NULL, 0}, {"kahu.lock", NULL, 0}};
static struct history history;
static struct ledger_step next; /* what is committed in a trial */
static struct answered answered[2];
static uint64_t first, last; /* entries that the store keeps */
static uint64_t middle;      /* that of its checkpoint */
static struct cookie cookie;
static int64_t middle_s, ended_s; /* a moment between entries, and when a job ended */
static uint64_t ended_id;
static uint64_t copied;       /* last entry of the last good copy */
static uint64_t acknowledged; /* last entry of which a commit said that it is kept */
static uint64_t launch;       /* a job of which is kept what is to be run */

static void read_image(struct image *image)
{
	struct stat st;
	int fd;

	snprintf(home.file, sizeof home.file, "%.500s/%s", here.path, image->name);
	fd = open(home.file, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	image->size = (size_t)st.st_size;
	image->data = mem_zero(1, image->size + 1);
	assert_int_equal(pread(fd, image->data, image->size, 0), (ssize_t)image->size);
	close(fd);
}

static void write_file(struct store_dir *in, const char *name, const void *data, size_t size)
{
	int fd;

	snprintf(home.file, sizeof home.file, "%.500s/%s", in->path, name);
	fd = open(home.file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, data, size, 0), (ssize_t)size);
	close(fd);
}

static void put_whole(struct store_dir *in)
{
	remove_store_dir(in);
	assert_int_equal(mkdir(in->path, 0700), 0);
	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
		write_file(in, whole[i].name, whole[i].data, whole[i].size);
}

/* A name in the spool says that a job was started. */
#define STARTED 1000000

static void put_back(void)
{
	static const char *const no_start[] = {"spool/12",
					       "spool/12.x",
					       "spool/x.1",
					       "spool/0.1",
					       "spool/12.0",
					       "spool/12.4294967296",
					       "spool/123456789012345678901234.1"};
	char name[32];

	put_whole(&here);
	remove_store_dir(&copy);
	remove_store_dir(&none);
	snprintf(home.file, sizeof home.file, "%.500s/spool", here.path);
	assert_int_equal(mkdir(home.file, 0700), 0);
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof name, "spool/%d.1", STARTED + i);
		write_file(&here, name, "", 0);
	}
	for (size_t i = 0; i < sizeof no_start / sizeof no_start[0]; i++)
		write_file(&here, no_start[i], "", 0);
}

/* The journal begins behind the checkpoint; the entries before it are still to be removed. */
static void prune(struct db_txn *txn, void *self)
{
	struct pruned pruned = {.journal = middle, .history_s = TIME_NONE};
	struct key key = key_word(META_PRUNED);
	struct str bytes = {0};

	checkpoint_put(txn, self);
	put_pruned(&bytes, &key, &pruned);
	db_put(txn, DB_META, key_bytes(&key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
}

static void set_next(void)
{
	static unsigned char number;

	next = history_step(&history, 50);
	for (size_t i = 0; i < 2; i++) {
		answered[i].cookie.bytes[0] = number++;
		answered[i].answer = "yes";
		answered[i].size = 3;
	}
	next.answered = answered;
	next.answered_count = 2;
}

static void find_launch(const struct snapshot *s)
{
	uint64_t *id = mem_zero((size_t)snapshot_count(s, TABLE_JOBS) + 1, sizeof *id);

	assert_true(state_launches(s, id) > 0);
	launch = id[0];
	free(id);
}

/* As of a job that has ended: the random history may end none that has a script. */
static void keep_script(struct db_txn *txn, void *self)
{
	struct key from = key_number(launch), to = key_number(ended_id);
	struct str record = {0};
	struct bytes value;

	(void)self;
	assert_true(db_get(txn, DB_LAUNCH, key_bytes(&from), &value));
	str_add_bytes(&record, value.data, value.size);
	db_put(txn, DB_SCRIPT, key_bytes(&to), (struct bytes){record.data, record.len});
	str_free(&record);
}

static int make_whole(void **state)
{
	struct rng rng = seeded("a store whose system fails");
	struct ledger ledger;
	struct store *store;
	struct err err;

	(void)state;
	make_store_dir(&home);
	snprintf(here.path, sizeof here.path, "%.400s/here", home.path);
	snprintf(copy.path, sizeof copy.path, "%.400s/deep/copy", home.path);
	snprintf(none.path, sizeof none.path, "%.400s/none", home.path);
	snprintf(source.path, sizeof source.path, "%.400s/source", home.path);
	history_begin(&history, rng_u64(&rng));
	store = store_open(here.path, STORE_CHANGE, &err);
	assert_non_null(store);
	ledger = store_ledger(store);
	for (int i = 0; i < 8; i++) {
		set_next();
		assert_true(ledger.ops->commit(ledger.self, &next, &err));
		if (next.ended_count > 0) {
			ended_s = next.ended[0].end_s;
			ended_id = next.ended[0].record.job.id;
		}
		if (i == 5)
			middle_s = next.after->now_s;
		if (i == 3) {
			middle = next.after->seq;
			assert_true(db_write(store->db, prune, (void *)(uintptr_t)next.after, &err));
		}
		if (i == 5) {
			find_launch(next.after);
			assert_true(ended_id != 0);
			assert_true(db_write(store->db, keep_script, NULL, &err));
		}
		if (i == 6)
			assert_true(last_good_write(store, &err));
		if (i == 6)
			copied = next.after->seq;
	}
	first = middle + 1;
	last = next.after->seq;
	cookie = answered[0].cookie;
	find_launch(next.after);
	store->copy.last = 0; /* the copy stays behind */
	store_close(store);
	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
		read_image(&whole[i]);
	put_whole(&source);
	set_next();
	return 0;
}

static int drop_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
		free(whole[i].data);
	history_end(&history);
	remove_store_dir(&home);
	return 0;
}

/* --- what is done with them: true, or err says why not ------------------------------------------- */

static bool is_wrong;         /* what was read to the end is not what was kept */
static uint64_t seen, wanted; /* a sum over all that was read: now, and when nothing failed */

static bool visit_ended(void *self, const struct ended_job *ended)
{
	(void)self;
	seen += ended->record.job.id * 31;
	return true;
}

static bool visit_entry(void *self, const struct event *ev)
{
	(void)self;
	seen += ev->seq;
	return true;
}

static bool see_state(struct store *store, uint64_t seq, struct err *err)
{
	struct state *st = state_new();
	bool good = store_state_at(store, seq, st, err);

	seen += good ? state_hash(state_view(st)) : 0;
	state_free(st);
	return good;
}

/* --- what a reader asks ------------------------------------------------------------------------- */

static bool ask_range(struct store *store, struct err *err)
{
	uint64_t from, to;
	bool good = store_journal_range(store, &from, &to, err);

	seen += good ? from + 3 * to : 0;
	return good;
}

static bool ask_moments(struct store *store, struct err *err)
{
	const uint64_t entry[] = {first, (first + last) / 2, last};
	struct store_moment moment;

	for (size_t i = 0; i < 3; i++) {
		if (!store_moment_of_entry(store, entry[i], &moment, NULL, err) ||
		    !store_moment_of_time(store, moment.time_s, &moment, NULL, err))
			return false;
		seen += moment.seq;
	}
	return true;
}

static bool ask_time(struct store *store, struct err *err)
{
	struct store_moment moment;
	bool good = store_moment_of_time(store, middle_s, &moment, NULL, err);

	seen += good ? moment.seq : 0;
	return good;
}

static bool ask_history(struct store *store, struct err *err)
{
	int64_t pruned_s;

	return store_history(store, INT64_MIN, visit_ended, NULL, err) &&
	       store_history_pruned(store, &pruned_s, err);
}

static bool ask_ended(struct store *store, struct err *err)
{
	return store_ended_job(store, ended_s, ended_id, visit_ended, NULL, err);
}

static bool ask_journal(struct store *store, struct err *err)
{
	return store_journal(store, 1, false, visit_entry, NULL, err);
}

static bool ask_journal_back(struct store *store, struct err *err)
{
	return store_journal(store, UINT64_MAX, true, visit_entry, NULL, err);
}

static bool ask_state(struct store *store, struct err *err)
{
	return see_state(store, 0, err);
}

static bool ask_past(struct store *store, struct err *err)
{
	return see_state(store, (first + last) / 2, err);
}

static bool ask_launch(struct store *store, struct err *err)
{
	struct ledger ledger = store_ledger(store);
	struct str text = {0};
	bool good = ledger.ops->launch(ledger.self, launch, &text, err);

	seen += text.len;
	str_free(&text);
	return good;
}

static bool ask_again(struct store *store, struct err *err)
{
	struct ledger ledger = store_ledger(store);
	struct str text = {0};
	bool known, good = ledger.ops->recall(ledger.self, &cookie, &known, &text, err);

	seen += text.len + known;
	str_free(&text);
	return good;
}

static bool (*const question[])(struct store *store, struct err *err) = {
	ask_range,        ask_moments, ask_time, ask_history, ask_ended, ask_journal,
	ask_journal_back, ask_state,   ask_past, ask_launch,  ask_again, store_verify,
};

static bool look_back(struct store *store, struct err *err)
{
	for (size_t i = 0; i < sizeof question / sizeof question[0]; i++)
		if (!question[i](store, err))
			return false;
	return true;
}

static bool read_all(struct err *err)
{
	struct store *store = store_open(here.path, STORE_READ, err);
	bool good;

	seen = 0;
	good = store != NULL && look_back(store, err);
	store_close(store);
	if (good && wanted == 0)
		wanted = seen;
	if (good && seen != wanted)
		is_wrong = true;
	return good;
}

static bool change(struct err *err)
{
	struct store *store = store_open(here.path, STORE_CHANGE, err);
	struct ledger ledger;
	bool good;

	if (store == NULL)
		return false;
	ledger = store_ledger(store);
	store_prune(store, true);
	good = ledger.ops->commit(ledger.self, &next, err);
	if (good)
		acknowledged = next.after->seq;
	last_good_after(store, last + 2 * (uint64_t)STORE_CHECKPOINT_EVENTS, UINT32_MAX); /* in a thread */
	store_close(store);
	return good;
}

static bool make_new(struct err *err)
{
	struct store *store = store_open(none.path, STORE_CHANGE, err);

	store_close(store);
	return store != NULL;
}

static bool make_temporary(struct err *err)
{
	struct store *store = store_open(NULL, STORE_TEMP, err);
	bool good = store != NULL && see_state(store, 0, err);

	store_close(store);
	return good;
}

static bool back_up(struct err *err)
{
	struct store *store = store_open(here.path, STORE_READ, err);
	bool good = store != NULL && store_backup(store, copy.path, err);

	store_close(store);
	return good;
}

static bool restore(struct err *err)
{
	return store_restore(here.path, source.path, err);
}

static struct store_recovery got;

static bool recover(struct err *err)
{
	return store_recover(here.path, &got, err);
}

/* To a scheduler that takes its place. Questions about the lock have an answer whatever happens. */
static bool hand_over(struct err *err)
{
	struct store *store = store_open(here.path, STORE_CHANGE, err);
	uint64_t entry;
	int64_t at_s;
	int lock;

	if (store == NULL)
		return false;
	store_ask_to_wait(store, true);
	(void)store_holder(here.path);
	(void)store_is_soon_free(here.path);
	(void)store_has_room(store, 0);
	(void)store_has_room(store, 1);
	(void)store_last_good(here.path, &entry, &at_s);
	lock = store_hand_over(store);
	store_close(store);
	if (lock < 0)
		return err_set(err, "the lock cannot be handed over");
	store = store_adopt(here.path, lock, err);
	store_close(store);
	return store != NULL;
}

/* --- damage ------------------------------------------------------------------------------------- */

static void zero_pages(size_t from, size_t each)
{
	char *data = mem_zero(1, whole[0].size);

	memcpy(data, whole[0].data, whole[0].size);
	for (size_t at = from * PAGE; at + PAGE <= whole[0].size; at += each * PAGE)
		memset(data + at, 0, PAGE);
	write_file(&here, "data.mdb", data, whole[0].size);
	free(data);
}

/* Nothing of it can be read. */
static void spoil_all(void)
{
	zero_pages(0, 1);
}

static void spoil_some(void)
{
	zero_pages(5, 6);
}

/* --- trials ------------------------------------------------------------------------------------ */

struct work {
	const char *what;
	bool (*run)(struct err *err);
	bool again;          /* after a failure it must succeed */
	bool recovers;       /* what is read of a damaged store */
	void (*spoil)(void); /* the store before it */
};

static int count_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD, 0) >= 0;
	return count;
}

/* The store has what was acknowledged, or more; one that was recovered may have lost its journal. */
static void must_be_kept(const struct work *work, const char *trial)
{
	struct err err = {""};
	struct store *store = store_open(here.path, STORE_READ, &err);
	struct state *st = state_new();
	uint64_t from = 0, to = 0;

	bool lacks_launches = work->recovers && got.without_launch > 0; /* it says so */

	if (store == NULL || (!lacks_launches && !store_verify(store, &err)) ||
	    !store_journal_range(store, &from, &to, &err) || !store_state_at(store, 0, st, &err))
		fail_msg("%s: the store is lost: %s", trial, err.text);
	if (work->recovers && state_view(st)->next_job_id <= STARTED)
		fail_msg("%s: the id of a job that was started is given again", trial);
	if (state_view(st)->seq < acknowledged)
		fail_msg("%s: the state is that of entry %llu, from %s", trial,
			 (unsigned long long)state_view(st)->seq, work->recovers ? got.base : "the store");
	if (!work->recovers && (from > first || to != state_view(st)->seq))
		fail_msg("%s: entries %llu to %llu are left", trial, (unsigned long long)from,
			 (unsigned long long)to);
	state_free(st);
	store_close(store);
}

/* False when no call was left to fail. */
static bool try(const struct work *work, long number)
{
	struct err err = {""};
	int descriptors;
	char trial[200];
	bool good;

	snprintf(trial, sizeof trial, "%s, call %ld of %s fails with %d", work->what, number,
		 kind == SYSTEM ? "the system" : "LMDB", fault);
	put_back();
	acknowledged = work->recovers ? copied : last;
	if (work->spoil != NULL)
		work->spoil();
	descriptors = count_descriptors();
	has_failed = false;
	countdown = number;
	good = work->run(&err);
	countdown = 0;
	if (!good && err.text[0] == '\0')
		fail_msg("%s: nothing was said", trial);
	if (!good && !has_failed)
		fail_msg("%s: %s", work->what, err.text);
	if (is_wrong)
		fail_msg("%s: what was read is wrong", trial);
	if (count_descriptors() != descriptors)
		fail_msg("%s: a descriptor stays open", trial);
	if (!good && work->again && !work->run(&err))
		fail_msg("%s: it cannot be done again: %s", trial, err.text);
	must_be_kept(work, trial);
	return has_failed;
}

#define CALLS_MAX 30000 /* more than any of it makes */

/* One of so many calls: what makes many takes long. */
static void fail_calls(const struct work *work, long each, const int *why, size_t count, bool from_then_on)
{
	long number = 1, apart = many_apart(each);

	lasts = from_then_on;
	for (size_t i = 0; number < CALLS_MAX; i++, number += apart) {
		fault = why[i % count];
		if (!try(work, number))
			break;
	}
	assert_in_range(number, 6, CALLS_MAX - 1);
}

static void fail_system_calls(const struct work *work, long each, int why, bool from_then_on)
{
	kind = SYSTEM;
	fail_calls(work, each, &why, 1, from_then_on);
}

/* Results that LMDB can give for most of its functions, turn by turn. */
static void fail_lmdb_calls(const struct work *work, long each)
{
	static const int why[] = {EIO,
				  ENOSPC,
				  MDB_PAGE_NOTFOUND,
				  MDB_MAP_FULL,
				  MDB_MAP_RESIZED,
				  MDB_CORRUPTED,
				  MDB_READERS_FULL,
				  EDQUOT,
				  MDB_INVALID,
				  MDB_PANIC,
				  ENOMEM};

	kind = LMDB;
	fail_calls(work, each, why, sizeof why / sizeof why[0], false);
	fail_calls(work, 7 * each, why, sizeof why / sizeof why[0], true);
}

static void reading(void **state)
{
	const struct work work = {.what = "reading", .run = read_all};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_system_calls(&work, 17, EINTR, false);
	fail_lmdb_calls(&work, 1);
}

static void changing(void **state)
{
	const struct work work = {.what = "a commit", .run = change};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_system_calls(&work, 3, ENOSPC, true);
	fail_system_calls(&work, 5, EINTR, false);
	fail_system_calls(&work, 7, EACCES, false);
	fail_lmdb_calls(&work, 3);
}

static void making_a_new_one(void **state)
{
	const struct work work = {.what = "a new store", .run = make_new, .again = true};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_system_calls(&work, 1, EINVAL, false);
	fail_system_calls(&work, 1, ENOSPC, true);
	fail_lmdb_calls(&work, 1);
}

static void making_a_temporary_one(void **state)
{
	const struct work work = {.what = "a temporary store", .run = make_temporary, .again = true};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_lmdb_calls(&work, 1);
}

static void backing_up(void **state)
{
	const struct work work = {.what = "a backup", .run = back_up};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_lmdb_calls(&work, 1);
}

static void restoring(void **state)
{
	const struct work work = {.what = "a restore", .run = restore, .again = true};

	(void)state;
	fail_system_calls(&work, 7, EIO, false);
	fail_lmdb_calls(&work, 1);
}

static void recovering(void **state)
{
	const struct work work = {.what = "a recovery", .run = recover, .again = true, .recovers = true};

	(void)state;
	fail_system_calls(&work, 11, EIO, false);
	fail_lmdb_calls(&work, 13);
}

static void recovering_what_is_damaged(void **state)
{
	const struct work from_nothing = {"recovery of an empty file", recover, true, true, spoil_all};
	const struct work from_some = {"recovery of a damaged file", recover, true, true, spoil_some};

	(void)state;
	fail_system_calls(&from_nothing, 7, EIO, false);
	fail_lmdb_calls(&from_nothing, 13);
	fail_system_calls(&from_some, 5, EIO, false);
	fail_system_calls(&from_some, 17, EINTR, false);
	fail_lmdb_calls(&from_some, 13);
}

/* --- damaged records ------------------------------------------------------------------------------ */

struct damage {
	enum db_table table;
	uint64_t number; /* of the record in its table */
	bool drops;      /* it is not there any more; otherwise a byte of it is another one */
};

static void spoil_record(struct db_txn *txn, void *self)
{
	const struct damage *damage = self;
	struct db_cursor c = db_walk(txn, damage->table, NULL, DB_UP);
	struct str value = {0};
	struct key key;

	for (uint64_t i = 0; i <= damage->number; i++)
		assert_true(db_next(&c));
	key = key_copy(c.key);
	str_add_bytes(&value, c.value.data, c.value.size);
	db_stop(&c);
	if (damage->drops)
		db_delete(txn, damage->table, key_bytes(&key));
	else if (value.len > 0) {
		value.data[value.len - 1] ^= 1;
		db_put(txn, damage->table, key_bytes(&key), (struct bytes){value.data, value.len});
	}
	str_free(&value);
}

static void count_records(struct db_txn *txn, void *self)
{
	uint64_t *count = self;

	for (unsigned table = 0; table < DB_TABLE_COUNT; table++)
		count[table] = db_count(txn, table);
}

static void must_say(bool good, const struct err *err, const struct damage *damage)
{
	/* Without the record of what is pruned the journal begins with its first entry, which is still there.
	 */
	is_wrong = is_wrong && damage->table != DB_META;
	if (is_wrong || (!good && err->text[0] == '\0'))
		fail_msg("record %llu of table %s%s: %s", (unsigned long long)damage->number,
			 store_table_names[damage->table], damage->drops ? " is not there" : "",
			 is_wrong ? "what was read is wrong" : "nothing was said");
}

/* Everything is asked and done as well as it can be; what is said to be good is right. */
static void use_damaged(const struct damage *damage)
{
	static bool (*const work[])(struct err * err) = {read_all, change, back_up, recover};
	struct store *store;
	struct err err;

	for (size_t i = 0; i < sizeof work / sizeof work[0]; i++) {
		put_back();
		store = store_open(here.path, STORE_CHANGE, &err);
		assert_non_null(store);
		assert_true(db_write(store->db, spoil_record, (void *)(uintptr_t)damage, &err));
		store->copy.last = 0;
		for (size_t q = 0; i == 0 && q < sizeof question / sizeof question[0]; q++) {
			err.text[0] = '\0';
			must_say(question[q](store, &err), &err, damage);
		}
		if (i == 0) {
			err.text[0] = '\0';
			must_say(last_good_write(store, &err), &err, damage);
			store->copy.last = 0;
		}
		store_close(store);
		err.text[0] = '\0';
		must_say(work[i](&err), &err, damage);
	}
	if (!recover(&err))
		fail_msg("record %llu of table %s: %s", (unsigned long long)damage->number,
			 store_table_names[damage->table], err.text);
	acknowledged = copied;
	must_be_kept(&(struct work){.what = "recovery", .recovers = true}, "a damaged record");
}

static void a_damaged_record_is_named_and_can_be_recovered_from(void **state)
{
	uint64_t count[DB_TABLE_COUNT];
	struct store *store;
	struct err err;

	(void)state;
	put_back();
	assert_true(read_all(&err));
	store = store_open(here.path, STORE_READ, &err);
	assert_non_null(store);
	assert_true(db_read(store->db, count_records, count, &err));
	store_close(store);
	for (unsigned table = 0; table < DB_TABLE_COUNT; table++) {
		uint64_t each = count[table] > 6 ? count[table] / 6 : 1;

		if (count[table] == 0)
			fail_msg("table %s has no record", store_table_names[table]);
		for (uint64_t i = 0; i < count[table]; i += each) {
			use_damaged(&(struct damage){(enum db_table)table, count[table] - 1 - i, false});
			use_damaged(&(struct damage){(enum db_table)table, count[table] - 1 - i, true});
		}
	}
}

/* --- what is no failure of a call ----------------------------------------------------------------- */

/* Two others have committed since its state was pinned: it takes a newer one. */
static void a_reader_that_is_overtaken_looks_again(void **state)
{
	struct store *store;
	struct err err;

	(void)state;
	put_back();
	store = store_open(here.path, STORE_READ, &err);
	assert_non_null(store);
	behind = 2;
	assert_true(see_state(store, 0, &err));
	assert_int_equal(behind, 0);
	behind = 1;
	kind = LMDB;
	countdown = 2; /* when it looks again */
	fault = EIO;
	lasts = false;
	assert_false(see_state(store, 0, &err));
	assert_int_equal(countdown, 0);
	assert_string_not_equal(err.text, "");
	assert_true(see_state(store, 0, &err));
	store_close(store);
}

static void must_not_open(enum store_mode mode, const char *words)
{
	struct err err = {""};

	assert_null(store_open(here.path, mode, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("\"%s\" instead of: %s", err.text, words);
}

static void a_store_on_another_machine_is_refused(void **state)
{
	(void)state;
	put_back();
	file_system = 0x6969;
	must_not_open(STORE_CHANGE, "is on NFS: use a disk of this machine");
	must_not_open(STORE_READ, "is on NFS: use a disk of this machine");
	file_system = 0;
}

static void drop_schema(struct db_txn *txn, void *self)
{
	struct key key = key_word(META_SCHEMA);

	(void)self;
	db_delete(txn, DB_META, key_bytes(&key));
}

static void a_file_of_others_is_no_store(void **state)
{
	struct store *store;
	struct err err;

	(void)state;
	put_back();
	store = store_open(here.path, STORE_CHANGE, &err);
	assert_non_null(store);
	assert_true(db_write(store->db, drop_schema, NULL, &err));
	store->copy.last = 0;
	store_close(store);
	write_file(&here, STORE_LAST_GOOD, "", 0);
	must_not_open(STORE_READ, "data.mdb is no store of kahu");
}

static void count_visit(void *self, enum db_table table, struct bytes key, struct bytes value)
{
	(void)table;
	(void)key;
	(void)value;
	++*(unsigned *)self;
}

/* A copy with one record of which the header says what it likes; how many records are read. */
static unsigned read_record(unsigned table, unsigned key_size, unsigned size)
{
	unsigned char bytes[8 + 7 + 4 + 21] = "KAHULG01";
	struct last_good good;
	unsigned count = 0;
	uint32_t crc;

	bytes[8] = (unsigned char)table;
	bytes[9] = (unsigned char)key_size;
	bytes[11] = (unsigned char)size;
	bytes[19] = 255;
	bytes[20] = 9;
	crc = crc32c(0, bytes, sizeof bytes - 4);
	memcpy(bytes + sizeof bytes - 4, &crc, 4);
	write_file(&here, STORE_LAST_GOOD, bytes, sizeof bytes);
	assert_true(last_good_read(here.path, &good, count_visit, &count));
	assert_int_equal(good.seq, 9);
	return count;
}

static void what_is_no_copy_is_not_read(void **state)
{
	struct image copy_file = whole[1];
	struct last_good good;
	static const size_t place[] = {0, 21, 8};
	char *bytes = mem_zero(1, copy_file.size);

	(void)state;
	put_back();
	assert_int_equal(last_good_entry(here.path), copied);
	for (size_t i = 0; i < 3; i++) {
		size_t at = i == 1 ? copy_file.size - place[i] : place[i];

		memcpy(bytes, copy_file.data, copy_file.size);
		bytes[at] ^= 1;
		write_file(&here, STORE_LAST_GOOD, bytes, copy_file.size);
		assert_false(last_good_read(here.path, &good, NULL, NULL));
		assert_int_equal(good.seq, 0);
		assert_int_equal(last_good_entry(here.path), i == 1 ? 0 : copied);
	}
	write_file(&here, STORE_LAST_GOOD, copy_file.data, 28);
	assert_false(last_good_read(here.path, &good, NULL, NULL));
	assert_int_equal(last_good_entry(here.path), 0);
	assert_int_equal(read_record(0, 2, 2), 1);
	assert_int_equal(read_record(DB_TABLE_COUNT, 2, 2), 0);
	assert_int_equal(read_record(0, 2, 3), 0);
	assert_int_equal(read_record(0, 5, 0), 0);
	free(bytes);
}

static void an_empty_name_is_no_folder_for_temporary_stores(void **state)
{
	const char *before = getenv("TMPDIR");
	char *kept = before == NULL ? NULL : mem_string(before);
	struct err err;

	(void)state;
	assert_int_equal(setenv("TMPDIR", "", 1), 0);
	if (!make_temporary(&err))
		fail_msg("%s", err.text);
	if (kept != NULL)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
	free(kept);
}

static void handing_over(void **state)
{
	const struct work work = {.what = "a handover", .run = hand_over};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_system_calls(&work, 1, EACCES, false);
	fail_lmdb_calls(&work, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading),
		cmocka_unit_test(changing),
		cmocka_unit_test(making_a_new_one),
		cmocka_unit_test(making_a_temporary_one),
		cmocka_unit_test(backing_up),
		cmocka_unit_test(restoring),
		cmocka_unit_test(recovering),
		cmocka_unit_test(recovering_what_is_damaged),
		cmocka_unit_test(handing_over),
		cmocka_unit_test(a_reader_that_is_overtaken_looks_again),
		cmocka_unit_test(a_store_on_another_machine_is_refused),
		cmocka_unit_test(a_file_of_others_is_no_store),
		cmocka_unit_test(what_is_no_copy_is_not_read),
		cmocka_unit_test(an_empty_name_is_no_folder_for_temporary_stores),
		cmocka_unit_test(a_damaged_record_is_named_and_can_be_recovered_from),
	};

	return cmocka_run_group_tests_name("store_faults", tests, make_whole, drop_whole);
}
