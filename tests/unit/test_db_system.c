/* SPDX-License-Identifier: MIT */
/*
 * test_db_system.c - a store used by threads and processes, and failing system calls
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/seed.h"
#include "tests/unit/opened_db.h"

static void another_process_reads_a_store_that_has_grown(void **state)
{
	uint64_t range[] = {0, 50}, all[] = {0, 100};
	int go[2], done[2];
	char c = 0;

	db_close(*state);
	*state = NULL;
	assert_int_equal(pipe(go) | pipe(done), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct db *db = open_db((size_t)1 << 20, false, NULL);
		bool good =
			db && db_write(db, put_large, range, NULL) && db_read(db, check_large, range, NULL);

		good = good && write(done[1], "1", 1) == 1 && read(go[0], &c, 1) == 1;
		good = good && db_read(db, check_large, all, NULL);
		db_close(db);
		_exit(good ? 0 : 1);
	}
	assert_int_equal(read(done[0], &c, 1), 1);
	*state = open_db((size_t)1 << 20, false, NULL);
	range[0] = 50;
	range[1] = 100;
	assert_true(db_write(*state, put_large, range, NULL));
	assert_int_equal(write(go[1], "1", 1), 1);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(go[0]);
	close(go[1]);
	close(done[0]);
	close(done[1]);
}

/* --- readers and writers -------------------------------------------------------------------------- */

struct meeting {
	struct db *db;
	pthread_barrier_t barrier;
	char before[16], after[16];
};

static void read_twice(struct db_txn *txn, void *self)
{
	struct meeting *m = self;
	struct bytes value;

	assert_true(db_get(txn, FRUIT, text("apple"), &value));
	memcpy(m->before, value.data, value.size);
	pthread_barrier_wait(&m->barrier); /* the writer commits between the barriers */
	pthread_barrier_wait(&m->barrier);
	assert_true(db_get(txn, FRUIT, text("apple"), &value));
	memcpy(m->after, value.data, value.size);
}

static void *run_reader(void *self)
{
	struct meeting *m = self;

	assert_true(db_read(m->db, read_twice, m, NULL));
	return NULL;
}

static void set_apple(struct db_txn *txn, void *self)
{
	db_put(txn, FRUIT, text("apple"), text(self));
}

static void a_transaction_does_not_see_later_commits(void **state)
{
	struct meeting m = {.db = *state};
	char green[] = "green";
	pthread_t thread;

	assert_true(db_write(*state, put_three, NULL, NULL));
	pthread_barrier_init(&m.barrier, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, run_reader, &m), 0);
	pthread_barrier_wait(&m.barrier);
	assert_true(db_write(*state, set_apple, green, NULL));
	pthread_barrier_wait(&m.barrier);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&m.barrier);
	assert_string_equal(m.before, "red");
	assert_string_equal(m.after, "red");
	assert_string_equal(value_of(*state, "apple"), "green");
}

struct crowd {
	struct db *db;
	atomic_uint_fast64_t written; /* records that readers expect */
	atomic_bool stop, failed;
};

static void *read_repeatedly(void *self)
{
	struct crowd *c = self;

	while (!c->stop && !c->failed) {
		uint64_t range[] = {0, c->written};

		if (!db_read(c->db, check_large, range, NULL))
			c->failed = true;
	}
	return NULL;
}

static void many_readers_survive_a_growing_writer(void **state)
{
	struct crowd c = {.db = *state};
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, read_repeatedly, &c), 0);
	for (uint64_t i = 0; i < 60; i++) {
		uint64_t range[] = {i, i + 1};

		assert_true(db_write(*state, put_large, range, NULL));
		c.written = i + 1;
	}
	c.stop = true;
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	assert_false(c.failed);
}

/* --- the file and the system ---------------------------------------------------------------------- */

static void only_the_owner_can_access_the_files(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(stat(name_in(&dir, "data.mdb"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(name_in(&dir, "lock.mdb"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void all_files_are_closed_on_exec(void **state)
{
	char name[64], target[1024];
	int seen = 0;

	(void)state;
	for (int fd = 3; fd < 256; fd++) {
		snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
		ssize_t len = readlink(name, target, sizeof target - 1);
		if (len <= 0)
			continue;
		target[len] = '\0';
		if (!strstr(target, ".mdb"))
			continue;
		seen++;
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	}
	assert_true(seen >= 2);
}

static void missing_store_is_reported(void **state)
{
	struct err err;

	db_close(*state);
	unlink(name_in(&dir, "data.mdb"));
	*state = open_db((size_t)1 << 20, true, &err);
	assert_null(*state);
	assert_non_null(strstr(err.text, "there is no store in"));
}

static void file_of_another_kind_is_reported(void **state)
{
	struct err err;

	db_close(*state);
	int fd = open(name_in(&dir, "data.mdb"), O_WRONLY | O_TRUNC);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(write(fd, "this is no database at all\n", 27), 27);
	close(fd);
	*state = open_db((size_t)1 << 20, false, &err);
	assert_null(*state);
	assert_non_null(strstr(err.text, "data.mdb is damaged or is not a store"));
}

static void child_process_is_rejected(void **state)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct err err = {""};
		bool refused =
			!db_write(*state, put_three, NULL, &err) && strstr(err.text, "a child process must");

		_exit(refused && !db_read(*state, count_all, NULL, NULL) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* A limit on the size of files simulates a full disk: writes are short. */
static bool fill_up_and_recover(void)
{
	struct rlimit limit = {(rlim_t)400000, RLIM_INFINITY};
	uint64_t small[] = {0, 1}, large[] = {1, 20};
	struct err err = {""};
	struct db *db;
	struct count c;
	bool good;

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	db = open_db((size_t)1 << 24, false, NULL);
	good = db && db_write(db, put_large, small, NULL) && !db_write(db, put_large, large, &err) &&
	       err.text[0] != '\0' && db_read(db, count_all, &c, NULL) && c.of[TREE] == 1 &&
	       db_read(db, check_large, small, NULL);
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	good = good && db_write(db, put_large, large, NULL) && db_read(db, check_large, large, NULL);
	db_close(db);
	return good;
}

static void a_write_that_fails_leaves_the_store_usable(void **state)
{
	int status;

	db_close(*state);
	pid_t pid = fork();
	if (pid == 0)
		_exit(fill_up_and_recover() ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	*state = open_db((size_t)1 << 20, false, NULL);
	assert_int_equal(count_of(*state, TREE), 20);
}

/* --- meta pages ----------------------------------------------------------------------------------- */

/* Bit mask of the next writes of meta pages; 1 = the write fails; the lowest bit is the next write. This
 * pwrite() replaces the function of the C library for LMDB as well. A failed commit writes the page three
 * times: LMDB, LMDB with the old number, and pages_restore_meta(). */
static unsigned failing;

/* errno of every write, or 0 = writes succeed; disk_free: simulated free bytes, or -1 = statvfs() fails. */
static int write_fault;
static int64_t disk_free = -1;

#define COMMIT_FAILS      1U
#define RESTORE_FAILS_TOO 5U

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): replacements of functions of libc */
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	bool fails = write_fault != 0;

	if (!fails && at < 2 * (off_t)4096 && size < 4096) {
		fails = (failing & 1) != 0;
		failing >>= 1;
	}
	errno = write_fault != 0 ? write_fault : EIO;
	if (fails)
		return -1;
	return syscall(SYS_pwrite64, fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
	return pwrite(fd, bytes, size, at);
}

ssize_t writev(int fd, const struct iovec *part, int count)
{
	errno = write_fault;
	return write_fault != 0 ? -1 : syscall(SYS_writev, fd, part, count);
}

int statvfs(const char *restrict path, struct statvfs *restrict out)
{
	(void)path;
	*out = (struct statvfs){.f_frsize = 512, .f_bavail = (fsblkcnt_t)(disk_free / 512)};
	errno = EACCES;
	return disk_free < 0 ? -1 : 0;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static const char *error_of_write(struct db *db, int fault, int64_t free)
{
	static struct err err;
	char red[] = "red";

	write_fault = fault;
	disk_free = free;
	assert_false(db_write(db, set_apple, red, &err));
	write_fault = 0;
	disk_free = -1;
	return err.text;
}

/* LMDB reports EIO for a short write, so the free space decides which error is shown. */
static void failed_write_reports_its_reason(void **state)
{
	static const char full[] = "is full: free some space and try again", error[] = "Input/output error";
	char green[] = "green";

	assert_true(db_write(*state, put_three, NULL, NULL));
	assert_true(db_write(*state, set_apple, green, NULL));
	assert_non_null(strstr(error_of_write(*state, ENOSPC, (int64_t)1 << 40), full));
	assert_non_null(strstr(error_of_write(*state, EIO, 0), full));
	assert_non_null(strstr(error_of_write(*state, EIO, 1048576 - 512), full));
	assert_non_null(strstr(error_of_write(*state, EIO, 1048576), error));
	assert_non_null(strstr(error_of_write(*state, EIO, -1), error)); /* free space unknown */
	assert_non_null(strstr(error_of_write(*state, EDQUOT, 0), "the disk quota for the store"));
	assert_non_null(strstr(error_of_write(*state, EFBIG, 0), "File too large"));
	assert_string_equal(value_of(*state, "apple"), "green");
}

#define META_LAST 136
#define META_TXN  144

static uint64_t in_meta(unsigned slot, off_t at)
{
	int fd = open(name_in(&dir, "data.mdb"), O_RDONLY | O_CLOEXEC);
	uint64_t number;

	assert_int_equal(pread(fd, &number, sizeof number, (off_t)slot * 4096 + at), sizeof number);
	close(fd);
	return number;
}

static void set_in_meta(unsigned slot, off_t at, uint64_t number)
{
	int fd = open(name_in(&dir, "data.mdb"), O_WRONLY | O_CLOEXEC);

	assert_int_equal(pwrite(fd, &number, sizeof number, (off_t)slot * 4096 + at), sizeof number);
	close(fd);
}

/* Commits until the last two states have the same last page. */
static unsigned commit_without_growth(struct db *db)
{
	char colour[] = "colour 0";
	uint64_t newest;

	do {
		colour[7]++;
		assert_true(db_write(db, set_apple, colour, NULL));
	} while (in_meta(0, META_LAST) != in_meta(1, META_LAST) && colour[7] < '9');
	assert_int_equal(in_meta(0, META_LAST), in_meta(1, META_LAST));
	newest = in_meta(1, META_TXN) > in_meta(0, META_TXN);
	return (unsigned)newest;
}

/* While another process changes the file, db_open() checks only its meta pages. */
static struct db *open_in_use(struct err *err)
{
	const struct db_options options = {.tables = tables,
					   .table_count = 2,
					   .map_bytes = (size_t)1 << 20,
					   .read_only = true,
					   .in_use = true};

	return db_open(dir.path, &options, err);
}

static void a_truncated_file_in_use_is_extended_or_rejected(void **state)
{
	struct err err = {""};
	uint64_t last;
	struct stat st;

	assert_true(db_write(*state, put_three, NULL, NULL));
	db_close(*state);
	last = in_meta(0, META_LAST) > in_meta(1, META_LAST) ? in_meta(0, META_LAST) : in_meta(1, META_LAST);
	for (unsigned slot = 0; slot < 2; slot++)
		set_in_meta(slot, META_LAST, last + 9);
	*state = open_in_use(&err);
	if (*state == NULL)
		fail_msg("%s", err.text);
	assert_string_equal(value_of(*state, "apple"), "red");
	db_close(*state);
	assert_int_equal(stat(name_in(&dir, "data.mdb"), &st), 0);
	assert_int_equal(st.st_size, (last + 10) * 4096);
	for (unsigned slot = 0; slot < 2; slot++)
		set_in_meta(slot, META_LAST, last + 100000);
	*state = open_in_use(&err);
	assert_null(*state);
	assert_non_null(strstr(err.text, "data.mdb is damaged or is not a store"));
}

static void commit_without_its_meta_page_is_not_visible(void **state)
{
	struct err err = {""};
	char pink[] = "pink";
	unsigned newest;
	uint64_t txn;

	assert_true(db_write(*state, put_three, NULL, NULL));
	newest = commit_without_growth(*state);
	txn = in_meta(newest, META_TXN);
	assert_true(db_write(*state, set_apple, (char[]){"blue"}, NULL));
	failing = COMMIT_FAILS;
	assert_false(db_write(*state, set_apple, pink, &err));
	assert_int_equal(failing, 0);
	assert_non_null(strstr(err.text, "Input/output error"));
	assert_false(db_write(*state, set_apple, pink, &err));
	db_close(*state);
	assert_int_equal(in_meta(newest, META_TXN), txn);
	*state = open_db((size_t)1 << 20, false, &err);
	assert_non_null(*state);
	assert_string_equal(value_of(*state, "apple"), "blue");
	assert_true(db_write(*state, set_apple, pink, &err));
	assert_string_equal(value_of(*state, "apple"), "pink");
}

/* The state if the process is killed before it restores the page: the last page number shows the incomplete
 * commit. */
static void unrestored_commit_that_grew_is_not_visible(void **state)
{
	uint64_t range[] = {0, 3};
	struct err err = {""};

	assert_true(db_write(*state, put_three, NULL, NULL));
	assert_true(db_write(*state, put_large, range, NULL));
	assert_true(db_write(*state, set_apple, (char[]){"blue"}, NULL));
	range[1] = 6;
	failing = RESTORE_FAILS_TOO;
	assert_false(db_write(*state, put_large, range, &err));
	assert_int_equal(failing, 0);
	db_close(*state);
	*state = open_db((size_t)1 << 20, false, &err);
	if (*state == NULL)
		fail_msg("%s", err.text);
	assert_int_equal(count_of(*state, TREE), 3);
	assert_string_equal(value_of(*state, "apple"), "blue");
}

/* Without growth it is indistinguishable from a committed state with a damaged number. */
static void unrestored_commit_is_reported(void **state)
{
	struct err err = {""};

	assert_true(db_write(*state, put_three, NULL, NULL));
	commit_without_growth(*state);
	assert_true(db_write(*state, set_apple, (char[]){"blue"}, NULL));
	failing = RESTORE_FAILS_TOO;
	assert_false(db_write(*state, set_apple, (char[]){"pink"}, &err));
	db_close(*state);
	*state = open_db((size_t)1 << 20, false, &err);
	assert_null(*state);
	assert_non_null(strstr(err.text, "pages were freed after its transaction"));
}

/* Otherwise the previous state would be taken for the newest, and the last commit would be lost. */
static void damaged_transaction_number_is_detected(void **state)
{
	struct err err = {""};
	unsigned newest;

	assert_true(db_write(*state, put_three, NULL, NULL));
	newest = commit_without_growth(*state);
	db_close(*state);
	set_in_meta(newest, META_TXN, in_meta(newest, META_TXN) - 2);
	*state = open_db((size_t)1 << 20, false, &err);
	assert_null(*state);
	assert_non_null(strstr(err.text, "pages were freed after its transaction"));
}

/* --- killed processes ----------------------------------------------------------------------------- */

/* Without cleanup, a reader killed within its transaction would keep old pages in use indefinitely. */
static void a_killed_reader_does_not_make_the_store_grow(void **state)
{
	uint64_t range[] = {0, 10};
	struct stat before, after;
	int ready[2];
	char c;

	assert_int_equal(pipe(ready), 0);
	db_close(*state);
	pid_t pid = fork();
	if (pid == 0) {
		struct db *db = open_db((size_t)1 << 24, false, NULL);
		struct meeting m = {.db = db};
		pthread_t thread;

		db_write(db, put_three, NULL, NULL);
		pthread_barrier_init(&m.barrier, NULL, 2);
		pthread_create(&thread, NULL, run_reader, &m);
		pthread_barrier_wait(&m.barrier); /* the reader is in its transaction */
		if (write(ready[1], "1", 1) != 1)
			_exit(1);
		alarm(60); /* in case the parent has died */
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	*state = open_db((size_t)1 << 24, false, NULL);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	db_check_readers(*state);
	for (int i = 0; i < 3; i++)
		assert_true(db_write(*state, put_large, range, NULL));
	assert_int_equal(stat(name_in(&dir, "data.mdb"), &before), 0);
	for (int i = 0; i < 10; i++)
		assert_true(db_write(*state, put_large, range, NULL));
	assert_int_equal(stat(name_in(&dir, "data.mdb"), &after), 0);
	assert_true(after.st_size < before.st_size * 2);
	close(ready[0]);
	close(ready[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(another_process_reads_a_store_that_has_grown, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_transaction_does_not_see_later_commits, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(many_readers_survive_a_growing_writer, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(only_the_owner_can_access_the_files, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(all_files_are_closed_on_exec, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(missing_store_is_reported, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(file_of_another_kind_is_reported, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(child_process_is_rejected, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_write_that_fails_leaves_the_store_usable, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(failed_write_reports_its_reason, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_truncated_file_in_use_is_extended_or_rejected, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(commit_without_its_meta_page_is_not_visible, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(unrestored_commit_that_grew_is_not_visible, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(unrestored_commit_is_reported, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(damaged_transaction_number_is_detected, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_killed_reader_does_not_make_the_store_grow, new_dir,
						old_dir),
	};

	return cmocka_run_group_tests_name("db_system", tests, NULL, NULL);
}
