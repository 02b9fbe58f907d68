/* SPDX-License-Identifier: MIT */
/*
 * test_store_faults.c - stores with failing calls of the C library and LMDB
 *
 * Each operation on a store is repeated, and each time the next call of the C library or of LMDB fails, once
 * or permanently, until no call is left to fail. The operation must succeed or report an error; it must not
 * end by a signal, leak a descriptor, return wrong data or lose committed data.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/wait.h>

#include "failing_calls.h"
#include "tests/many.h"
#include "whole_store.h"

/* --- further operations ------------------------------------------------------------- */

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

static bool restore(struct err *err)
{
	return store_restore(here.path, source.path, err);
}

/* Hands the store over to the next scheduler. Queries of the lock must not fail fatally. */
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

/* Overwrites all pages. */
static void spoil_all(void)
{
	zero_pages(0, 1);
}

static void spoil_some(void)
{
	zero_pages(5, 6);
}

/* --- trials ------------------------------------------------------------------------------------ */

static int count_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD, 0) >= 0;
	return count;
}

/* Runs an operation with the given call failing. Returns false if the operation made fewer calls. */
static bool run_trial(const struct work *work, long number)
{
	struct err err = {""};
	int descriptors;
	char trial[200];
	bool good;

	snprintf(trial, sizeof trial, "%s, call %ld of %s fails with %d", work->what, number,
		 failing_kind == SYSTEM ? "the system" : "LMDB", fault);
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

#define CALLS_MAX 30000 /* more calls than any operation makes */

/* Fails every each-th call only, because operations with many calls take long. */
static void fail_calls(const struct work *work, long each, const int *why, size_t count, bool from_then_on)
{
	long number = 1, apart = many_apart(each);

	lasts = from_then_on;
	for (size_t i = 0; number < CALLS_MAX; i++, number += apart) {
		fault = why[i % count];
		if (!run_trial(work, number))
			break;
	}
	assert_in_range(number, 6, CALLS_MAX - 1);
}

static void fail_system_calls(const struct work *work, long each, int why, bool from_then_on)
{
	failing_kind = SYSTEM;
	fail_calls(work, each, &why, 1, from_then_on);
}

/* Fails calls of LMDB with each of the results that most of its functions can return. */
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

	failing_kind = LMDB;
	fail_calls(work, each, why, sizeof why / sizeof why[0], false);
	fail_calls(work, 7 * each, why, sizeof why / sizeof why[0], true);
}

static void failing_calls_while_reading(void **state)
{
	const struct work work = {.what = "reading", .run = read_all};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_system_calls(&work, 17, EINTR, false);
	fail_lmdb_calls(&work, 1);
}

static void failing_calls_while_committing(void **state)
{
	const struct work work = {.what = "a commit", .run = change};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_system_calls(&work, 3, ENOSPC, true);
	fail_system_calls(&work, 5, EINTR, false);
	fail_system_calls(&work, 7, EACCES, false);
	fail_lmdb_calls(&work, 3);
}

static void failing_calls_while_creating_a_store(void **state)
{
	const struct work work = {.what = "a new store", .run = make_new, .again = true};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_system_calls(&work, 1, EINVAL, false);
	fail_system_calls(&work, 1, ENOSPC, true);
	fail_lmdb_calls(&work, 1);
}

static void failing_calls_while_creating_a_temporary_store(void **state)
{
	const struct work work = {.what = "a temporary store", .run = make_temporary, .again = true};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_lmdb_calls(&work, 1);
}

static void failing_calls_during_a_backup(void **state)
{
	const struct work work = {.what = "a backup", .run = back_up};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_lmdb_calls(&work, 1);
}

static void failing_calls_during_a_restore(void **state)
{
	const struct work work = {.what = "a restore", .run = restore, .again = true};

	(void)state;
	fail_system_calls(&work, 7, EIO, false);
	fail_lmdb_calls(&work, 1);
}

/* Kills an operation before the given call. Returns false if the operation made fewer calls. */
static bool kill_before(const struct work *work, long number)
{
	struct err err = {""};
	struct store *store;
	int status;
	pid_t child;

	put_back();
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		failing_kind = SYSTEM;
		kills = true;
		countdown = number;
		_exit(work->run(&err) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
	store = store_open(here.path, STORE_CHANGE, &err);
	if (store == NULL || !see_state(store, 0, &err))
		fail_msg("%s, killed before call %ld: %s", work->what, number, err.text);
	store_close(store);
	if (!work->run(&err))
		fail_msg("%s, killed before call %ld, cannot be done again: %s", work->what, number,
			 err.text);
	return WIFSIGNALED(status);
}

static void a_restore_that_is_killed_leaves_the_old_store_or_the_new_one(void **state)
{
	const struct work work = {.what = "a restore", .run = restore};
	long number = 1, apart = many_apart(1);

	(void)state;
	while (kill_before(&work, number))
		number += apart;
	assert_in_range(number, 6, CALLS_MAX - 1);
}

static void failing_calls_during_a_recovery(void **state)
{
	const struct work work = {.what = "a recovery", .run = recover, .again = true, .recovers = true};

	(void)state;
	fail_system_calls(&work, 11, EIO, false);
	fail_lmdb_calls(&work, 13);
}

static void failing_calls_while_recovering_a_damaged_file(void **state)
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

static void failing_calls_during_a_handover(void **state)
{
	const struct work work = {.what = "a handover", .run = hand_over};

	(void)state;
	fail_system_calls(&work, 1, EIO, false);
	fail_system_calls(&work, 1, EACCES, false);
	fail_lmdb_calls(&work, 1);
}

/* --- other cases ----------------------------------------------------------------- */

/* Two commits were made since the reader's state was pinned, so the reader takes a newer state. */
static void overtaken_reader_retries(void **state)
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
	failing_kind = LMDB;
	countdown = 2; /* at the retry */
	fault = EIO;
	lasts = false;
	assert_false(see_state(store, 0, &err));
	assert_int_equal(countdown, 0);
	assert_string_not_equal(err.text, "");
	assert_true(see_state(store, 0, &err));
	store_close(store);
}

static void empty_tmpdir_is_ignored(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failing_calls_while_reading),
		cmocka_unit_test(failing_calls_while_committing),
		cmocka_unit_test(failing_calls_while_creating_a_store),
		cmocka_unit_test(failing_calls_while_creating_a_temporary_store),
		cmocka_unit_test(failing_calls_during_a_backup),
		cmocka_unit_test(failing_calls_during_a_restore),
		cmocka_unit_test(a_restore_that_is_killed_leaves_the_old_store_or_the_new_one),
		cmocka_unit_test(failing_calls_during_a_recovery),
		cmocka_unit_test(failing_calls_while_recovering_a_damaged_file),
		cmocka_unit_test(failing_calls_during_a_handover),
		cmocka_unit_test(overtaken_reader_retries),
		cmocka_unit_test(empty_tmpdir_is_ignored),
	};

	return cmocka_run_group_tests_name("store_faults", tests, make_whole, drop_whole);
}
