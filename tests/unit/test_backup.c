/* SPDX-License-Identifier: MIT */
/*
 * test_backup.c - copies of a store, and replacement of a store by a copy
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <fcntl.h>

#include "sched/state/state.h"
#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"
#include "tests/store_dir.h"

static struct store_dir home;
static char here[600], copy[600], in_copy[700], replaced[700];
static struct history history;
static struct err err;

static int setup(void **state)
{
	struct rng rng = seeded("a store and its copy");

	(void)state;
	memset(&err, 0, sizeof err);
	make_store_dir(&home);
	snprintf(here, sizeof here, "%s/here", home.path);
	snprintf(copy, sizeof copy, "%s/copy", home.path);
	snprintf(in_copy, sizeof in_copy, "%s/data.mdb", copy);
	snprintf(replaced, sizeof replaced, "%s/%s", here, STORE_REPLACED);
	history_begin(&history, rng_u64(&rng));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	history_end(&history);
	remove_store_dir(&home);
	return 0;
}

static void commit_steps(struct store *store, unsigned steps)
{
	struct ledger ledger = store_ledger(store);

	for (unsigned i = 0; i < steps; i++) {
		struct ledger_step step = history_step(&history, 50);

		assert_true(ledger.ops->commit(ledger.self, &step, &err));
	}
}

static uint64_t hash_of(const char *dir)
{
	struct store *store = store_open(dir, STORE_READ, &err);
	struct state *st = state_new();
	struct ledger ledger;
	uint64_t hash;

	assert_non_null(store);
	ledger = store_ledger(store);
	assert_true(ledger.ops->load(ledger.self, st, &err));
	assert_true(store_verify(store, &err));
	hash = state_hash(state_view(st));
	state_free(st);
	store_close(store);
	return hash;
}

static uint64_t fill_and_copy(unsigned more)
{
	struct store *store = store_open(here, STORE_CHANGE, &err);
	uint64_t hash;

	assert_non_null(store);
	commit_steps(store, 20);
	assert_true(store_backup(store, copy, &err));
	hash = hash_of(copy);
	commit_steps(store, more);
	store_close(store);
	return hash;
}

static void a_backup_of_a_store_in_use_has_its_state_at_that_time(void **state)
{
	uint64_t hash = fill_and_copy(0);

	(void)state;
	assert_int_equal(hash, hash_of(here));
	assert_int_equal(hash, hash_of(copy));
}

static void a_backup_does_not_overwrite_a_store(void **state)
{
	struct store *store;

	(void)state;
	fill_and_copy(0);
	store = store_open(here, STORE_READ, &err);
	assert_false(store_backup(store, copy, &err));
	assert_non_null(strstr(err.text, "already contains a store; specify a new directory"));
	store_close(store);
}

static void a_restored_store_has_the_state_of_the_copy(void **state)
{
	uint64_t hash = fill_and_copy(20);

	(void)state;
	assert_true(hash != hash_of(here));
	assert_true(store_restore(here, copy, &err));
	assert_int_equal(hash_of(here), hash);
	assert_int_equal(hash_of(copy), hash);
	assert_int_equal(access(replaced, F_OK), 0);
}

static void a_removed_store_can_be_restored(void **state)
{
	uint64_t hash = fill_and_copy(3);

	(void)state;
	nftw(here, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	assert_true(store_restore(here, copy, &err));
	assert_int_equal(hash_of(here), hash);
}

/* data.mdb is empty or missing, but the spool folder exists. */
static void check_lost(bool empty)
{
	uint64_t hash = fill_and_copy(3);
	char data[700], spool[700];

	snprintf(data, sizeof data, "%s/data.mdb", here);
	snprintf(spool, sizeof spool, "%s/spool", here);
	assert_int_equal(mkdir(spool, 0700), 0);
	assert_int_equal(empty ? truncate(data, 0) : unlink(data), 0);
	assert_null(store_open(here, STORE_CHANGE, &err));
	assert_non_null(strstr(err.text, "is lost: its data.mdb is empty or missing"));
	assert_null(store_open(here, STORE_READ, &err));
	assert_non_null(strstr(err.text, "restore a copy"));
	assert_true(store_restore(here, copy, &err));
	assert_int_equal(hash_of(here), hash);
}

static void a_store_with_an_emptied_file_is_not_created_again_but_can_be_restored(void **state)
{
	(void)state;
	check_lost(true);
}

static void a_store_with_a_missing_file_is_not_created_again_but_can_be_restored(void **state)
{
	(void)state;
	check_lost(false);
}

static void an_empty_file_without_a_spool_is_a_store_not_yet_created(void **state)
{
	struct store *store;
	char data[700];

	(void)state;
	snprintf(data, sizeof data, "%s/data.mdb", here);
	assert_int_equal(mkdir(here, 0700), 0);
	assert_int_equal(close(creat(data, 0600)), 0);
	assert_null(store_open(here, STORE_READ, &err));
	assert_non_null(strstr(err.text, "there is no store in "));
	store = store_open(here, STORE_CHANGE, &err);
	assert_non_null(store);
	store_close(store);
}

static void a_store_in_use_is_not_replaced(void **state)
{
	struct store *store;

	(void)state;
	fill_and_copy(3);
	store = store_open(here, STORE_CHANGE, &err);
	assert_false(store_restore(here, copy, &err));
	assert_non_null(strstr(err.text, "in use"));
	store_close(store);
}

static void a_damaged_copy_is_not_restored(void **state)
{
	FILE *file;
	uint64_t hash;

	(void)state;
	fill_and_copy(3);
	hash = hash_of(here);
	file = fopen(in_copy, "r+");
	assert_non_null(file);
	fwrite("no store at all, but some words that stand where its header was", 1, 64, file);
	fclose(file);
	assert_false(store_restore(here, copy, &err));
	assert_int_equal(hash_of(here), hash);
}

int main(void)
{
#define WITH_HOME(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_HOME(a_backup_of_a_store_in_use_has_its_state_at_that_time),
		WITH_HOME(a_backup_does_not_overwrite_a_store),
		WITH_HOME(a_restored_store_has_the_state_of_the_copy),
		WITH_HOME(a_removed_store_can_be_restored),
		WITH_HOME(a_store_with_an_emptied_file_is_not_created_again_but_can_be_restored),
		WITH_HOME(a_store_with_a_missing_file_is_not_created_again_but_can_be_restored),
		WITH_HOME(an_empty_file_without_a_spool_is_a_store_not_yet_created),
		WITH_HOME(a_store_in_use_is_not_replaced),
		WITH_HOME(a_damaged_copy_is_not_restored),
	};

	return cmocka_run_group_tests_name("backup", tests, NULL, NULL);
}
