/* SPDX-License-Identifier: MIT */
/*
 * test_store_faults.c - tests of a store on a system whose calls fail
 *
 * Each of what is done with a store is done again and again, each time with the next system call failing,
 * once or from then on, until none is left to fail. It must succeed or say why it did not, no signal may end
 * it, and nothing that was committed may be lost. The functions below stand in for those of the C library, in
 * LMDB as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/core/state.h"
#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"
#include "tests/store_dir.h"

/* --- calls that fail --------------------------------------------------------------------------- */

static long countdown; /* the call that is to fail; 0 = none */
static int fault;      /* with this errno */
static bool lasts;     /* and all after it */
static bool has_failed;

static bool fails(void)
{
	if (countdown == 0)
		return false;
	if (countdown > 1) {
		countdown--;
		return false;
	}
	if (!lasts)
		countdown = 0;
	has_failed = true;
	errno = fault;
	return true;
}

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

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* --- stores ------------------------------------------------------------------------------------ */

static struct store_dir home;
static char whole[600], here[600], copy[600], none[600];
static struct history history;
static uint64_t last; /* entry that was committed to whole */

static void run_shell(const char *command)
{
	assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): our own words */
}

static int make_whole(void **state)
{
	struct rng rng = seeded("a store whose system fails");
	struct ledger_step step;
	struct ledger ledger;
	struct store *store;
	struct err err;

	(void)state;
	make_store_dir(&home);
	snprintf(whole, sizeof whole, "%s/whole", home.path);
	snprintf(here, sizeof here, "%s/here", home.path);
	snprintf(copy, sizeof copy, "%s/copy", home.path);
	snprintf(none, sizeof none, "%s/none", home.path);
	history_begin(&history, rng_u64(&rng));
	store = store_open(whole, STORE_CHANGE, &err);
	assert_non_null(store);
	ledger = store_ledger(store);
	for (int i = 0; i < 5; i++) {
		step = history_step(&history, 50);
		assert_true(ledger.ops->commit(ledger.self, &step, &err));
	}
	last = step.after->seq;
	assert_true(last_good_write(store, &err));
	store_close(store);
	return 0;
}

static int drop_whole(void **state)
{
	(void)state;
	history_end(&history);
	remove_store_dir(&home);
	return 0;
}

/* --- what is done with them: true, or err says why not ------------------------------------------- */

static bool visit_ended(void *self, const struct ended_job *ended)
{
	(void)self;
	return ended != NULL;
}

static bool visit_entry(void *self, const struct event *ev)
{
	(void)self;
	return ev != NULL;
}

static bool look_back(struct store *store, struct err *err)
{
	struct store_moment moment;
	uint64_t first, end;
	struct state *st;
	int64_t pruned_s;
	bool good;

	if (!store_journal_range(store, &first, &end, err) ||
	    !store_moment_of_entry(store, last / 2, &moment, NULL, err) ||
	    !store_history(store, INT64_MIN, visit_ended, NULL, err) ||
	    !store_history_pruned(store, &pruned_s, err) ||
	    !store_journal(store, 1, false, visit_entry, NULL, err))
		return false;
	st = store_state_after(store, last / 2, err);
	good = st != NULL && store_verify(store, err);
	state_free(st);
	return good;
}

static bool read_all(struct err *err)
{
	struct store *store = store_open(here, STORE_READ, err);
	bool good = store != NULL && look_back(store, err);

	store_close(store);
	return good;
}

static bool change(struct err *err)
{
	struct store *store = store_open(here, STORE_CHANGE, err);
	struct ledger_step step;
	struct ledger ledger;
	bool good;

	if (store == NULL)
		return false;
	ledger = store_ledger(store);
	step = history_step(&history, 50);
	good = ledger.ops->commit(ledger.self, &step, err) && last_good_write(store, err);
	store_close(store);
	return good;
}

static bool make_new(struct err *err)
{
	struct store *store = store_open(none, STORE_CHANGE, err);

	store_close(store);
	return store != NULL;
}

static bool back_up(struct err *err)
{
	struct store *store = store_open(here, STORE_READ, err);
	bool good = store != NULL && store_backup(store, copy, err);

	store_close(store);
	return good;
}

static bool restore(struct err *err)
{
	return store_restore(here, whole, err);
}

static bool recover(struct err *err)
{
	struct store_recovery got;

	return store_recover(here, &got, err);
}

/* --- trials ------------------------------------------------------------------------------------ */

enum verdict {
	UNTOUCHED, /* no call was left to fail */
	GOOD,
	SAID_NOTHING,
	LOST
};

/* The store of before, or with the entries of one more step. */
static bool is_kept(void)
{
	struct store *store = store_open(here, STORE_READ, NULL);
	uint64_t first = 0, end = 0;
	bool good = store != NULL && store_verify(store, NULL) &&
		    store_journal_range(store, &first, &end, NULL) && first == 1 && end >= last;

	store_close(store);
	return good;
}

static enum verdict try(bool (*work)(struct err *err), long number)
{
	struct err err = {""};
	bool good;

	countdown = number;
	good = work(&err);
	countdown = 0;
	if (!good && err.text[0] == '\0')
		return SAID_NOTHING;
	if (work == recover) /* which may be done again */
		return recover(&err) ? (has_failed ? GOOD : UNTOUCHED) : LOST;
	if (work == make_new)
		return make_new(&err) ? (has_failed ? GOOD : UNTOUCHED) : LOST;
	if (work == restore && !good && !restore(&err)) /* and so may this */
		return LOST;
	if (!is_kept())
		return LOST;
	return has_failed ? GOOD : UNTOUCHED;
}

#define CALLS_MAX 3000 /* more than any of it makes */

/* In a process of its own, which has not opened the store before. */
static enum verdict try_apart(bool (*work)(struct err *err), long number)
{
	char command[5 * sizeof here + 60];
	int status;
	pid_t pid;

	snprintf(command, sizeof command, "rm -rf '%s' '%s' '%s' && cp -a '%s' '%s'", here, copy, none, whole,
		 here);
	run_shell(command);
	pid = fork();
	if (pid == 0)
		_exit((int)try(work, number));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status))
		fail_msg("call %ld: signal %d", number, WTERMSIG(status));
	return (enum verdict)WEXITSTATUS(status);
}

/* One of so many calls: what makes many takes long. */
static void fail_calls(bool (*work)(struct err *err), long each, int why, bool from_then_on)
{
	enum verdict verdict = GOOD;
	long number = 1 - each;

	fault = why;
	lasts = from_then_on;
	while (verdict == GOOD && number < CALLS_MAX)
		verdict = try_apart(work, number += each);
	if (verdict == SAID_NOTHING)
		fail_msg("call %ld failed (%s), and nothing was said", number, strerror(fault));
	if (verdict == LOST)
		fail_msg("call %ld failed (%s), and the store is lost", number, strerror(fault));
	assert_int_equal(verdict, UNTOUCHED);
	assert_true(number > 5);
}

static void reading(void **state)
{
	(void)state;
	fail_calls(read_all, 1, EIO, false);
}

static void changing(void **state)
{
	(void)state;
	fail_calls(change, 1, EIO, false);
	fail_calls(change, 1, ENOSPC, true);
}

static void making_a_new_one(void **state)
{
	(void)state;
	fail_calls(make_new, 1, EIO, false);
	fail_calls(make_new, 1, ENOSPC, true);
}

static void backing_up(void **state)
{
	(void)state;
	fail_calls(back_up, 1, EIO, false);
}

static void restoring(void **state)
{
	(void)state;
	fail_calls(restore, 11, EIO, false);
}

static void recovering(void **state)
{
	(void)state;
	fail_calls(recover, 11, EIO, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading),    cmocka_unit_test(changing),  cmocka_unit_test(making_a_new_one),
		cmocka_unit_test(backing_up), cmocka_unit_test(restoring), cmocka_unit_test(recovering),
	};

	return cmocka_run_group_tests_name("store_faults", tests, make_whole, drop_whole);
}
