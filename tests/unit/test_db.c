/* SPDX-License-Identifier: MIT */
/* test_db.c - unit tests of transactions on tables */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/opened_db.h"

/* --- single transactions -------------------------------------------------------------------------- */

static void put_and_get(void **state)
{
	assert_true(db_write(*state, put_three, NULL, NULL));
	assert_string_equal(value_of(*state, "apple"), "red");
	assert_null(value_of(*state, "fig"));
	assert_int_equal(count_of(*state, FRUIT), 3);
	assert_int_equal(count_of(*state, TREE), 0);
}

static void delete_two(struct db_txn *txn, void *self)
{
	(void)self;
	db_delete(txn, FRUIT, text("pear"));
	db_delete(txn, FRUIT, text("fig"));
}

static void delete_of_existing_and_missing_keys(void **state)
{
	assert_true(db_write(*state, put_three, NULL, NULL));
	assert_true(db_write(*state, delete_two, NULL, NULL));
	assert_null(value_of(*state, "pear"));
	assert_int_equal(count_of(*state, FRUIT), 2);
}

static void put_then_fail(struct db_txn *txn, void *self)
{
	(void)self;
	db_put(txn, FRUIT, text("fig"), text("brown"));
	err_set(db_err(txn), "figs are not in season");
	db_fail(txn);
	assert_false(db_good(txn));
	db_put(txn, FRUIT, text("kiwi"), text("green"));
}

static void failed_transaction_changes_nothing(void **state)
{
	struct err err;

	assert_true(db_write(*state, put_three, NULL, NULL));
	assert_false(db_write(*state, put_then_fail, NULL, &err));
	assert_string_equal(err.text, "figs are not in season");
	assert_null(value_of(*state, "fig"));
	assert_null(value_of(*state, "kiwi"));
	assert_int_equal(count_of(*state, FRUIT), 3);
}

static void append_backwards(struct db_txn *txn, void *self)
{
	struct bytes value;

	(void)self;
	db_append(txn, TREE, text("b"), text("2"));
	db_append(txn, TREE, text("a"), text("1"));
	/* After the first error, further calls have no effect. */
	assert_false(db_good(txn));
	assert_false(db_get(txn, TREE, text("b"), &value));
	assert_int_equal(db_count(txn, TREE), 0);
	struct db_cursor c = db_walk(txn, TREE, NULL, DB_UP);
	assert_false(db_next(&c));
	db_stop(&c);
}

static void errors_are_sticky(void **state)
{
	struct err err;

	assert_false(db_write(*state, append_backwards, NULL, &err));
	assert_non_null(strstr(err.text, dir.path));
	assert_int_equal(count_of(*state, TREE), 0);
}

/* --- walks ---------------------------------------------------------------------------------------- */

struct trip {
	const char *from;
	enum db_direction direction;
	struct str seen;
};

static void collect_keys(struct db_txn *txn, void *self)
{
	struct trip *t = self;
	struct bytes from = text(t->from ? t->from : "");
	struct db_cursor c = db_walk(txn, FRUIT, t->from ? &from : NULL, t->direction);

	while (db_next(&c)) {
		str_add_bytes(&t->seen, c.key.data, c.key.size);
		str_add_char(&t->seen, ' ');
	}
	assert_false(db_next(&c));
	db_stop(&c);
}

static void expect_walk(struct db *db, const char *from, enum db_direction direction, const char *expected)
{
	struct trip t = {.from = from, .direction = direction};

	assert_true(db_read(db, collect_keys, &t, NULL));
	assert_string_equal(str_text(&t.seen), expected);
	str_clear(&t.seen);
	assert_true(db_write(db, collect_keys, &t, NULL));
	assert_string_equal(str_text(&t.seen), expected);
	str_free(&t.seen);
}

static void cursors_move_in_both_directions(void **state)
{
	expect_walk(*state, NULL, DB_UP, "");
	expect_walk(*state, "pear", DB_DOWN, "");
	assert_true(db_write(*state, put_three, NULL, NULL));
	expect_walk(*state, NULL, DB_UP, "apple pear plum ");
	expect_walk(*state, NULL, DB_DOWN, "plum pear apple ");
	expect_walk(*state, "pear", DB_UP, "pear plum ");
	expect_walk(*state, "pear", DB_DOWN, "pear apple ");
	expect_walk(*state, "kiwi", DB_UP, "pear plum ");
	expect_walk(*state, "kiwi", DB_DOWN, "apple ");
	expect_walk(*state, "zebra", DB_UP, "");
	expect_walk(*state, "zebra", DB_DOWN, "plum pear apple ");
	expect_walk(*state, "aaa", DB_DOWN, "");
}

/* --- growth --------------------------------------------------------------------------------------- */

static void a_store_grows_past_its_map_in_one_transaction(void **state)
{
	uint64_t range[] = {0, 200}; /* 20 MB into a map of 1 MB */

	assert_true(db_write(*state, put_large, range, NULL));
	assert_int_equal(count_of(*state, TREE), 200);
	assert_true(db_read(*state, check_large, range, NULL));
}

static void a_grown_store_opens_again_with_a_small_map(void **state)
{
	uint64_t range[] = {0, 50}, more[] = {50, 100};

	assert_true(db_write(*state, put_large, range, NULL));
	db_close(*state);
	*state = open_db((size_t)1 << 20, false, NULL);
	assert_non_null(*state);
	assert_true(db_read(*state, check_large, range, NULL));
	assert_true(db_write(*state, put_large, more, NULL));
	assert_true(db_read(*state, check_large, more, NULL));
}

/* --- tables added later --------------------------------------------------------------------------- */

static void read_third_table(struct db_txn *txn, void *self)
{
	struct db_cursor c = db_walk(txn, 2, NULL, DB_UP);
	struct bytes value;

	(void)self;
	assert_false(db_get(txn, 2, text("pear"), &value));
	assert_int_equal(db_count(txn, 2), 0);
	assert_false(db_next(&c));
	db_stop(&c);
	assert_true(db_get(txn, FRUIT, text("pear"), &value));
}

static void missing_later_table_is_empty(void **state)
{
	static const char *const three[] = {"fruit", "tree", "bush"};
	struct db_options options = {
		.tables = three, .table_count = 3, .map_bytes = 1 << 20, .read_only = true};
	struct db *db;
	struct err err;

	assert_true(db_write(*state, put_three, NULL, NULL));
	db_close(*state);
	*state = NULL;
	assert_null(db_open(dir.path, &options, &err));
	options.may_miss = 1;
	db = db_open(dir.path, &options, &err);
	assert_non_null(db);
	assert_true(db_read(db, read_third_table, NULL, &err));
	*state = db;
}

static void a_reader_without_may_miss_needs_every_table(void **state)
{
	static const char *const other[] = {"bush", "fruit"};
	const struct db_options options = {
		.tables = other, .table_count = 2, .map_bytes = 1 << 20, .read_only = true, .in_use = true};
	struct err err;

	db_close(*state);
	*state = NULL;
	assert_null(db_open(dir.path, &options, &err));
	assert_non_null(strstr(err.text, "MDB_NOTFOUND"));
}

/* A scheduler was killed while it created a store; its unfinished folder `new` is removed. */
static void unfinished_store_is_created_again(void **state)
{
	char folder[700], file[720];
	FILE *unfinished;

	db_close(*state);
	*state = NULL;
	assert_int_equal(unlink(name_in(&dir, "data.mdb")), 0);
	snprintf(folder, sizeof folder, "%s", name_in(&dir, DB_FRESH));
	assert_int_equal(mkdir(folder, 0700), 0);
	snprintf(file, sizeof file, "%s/data.mdb", folder);
	unfinished = fopen(file, "w");
	assert_non_null(unfinished);
	fputs("half a page", unfinished);
	fclose(unfinished);
	*state = open_db((size_t)1 << 20, false, NULL);
	assert_non_null(*state);
	assert_int_equal(access(folder, F_OK), -1);
	assert_true(db_write(*state, put_three, NULL, NULL));
	assert_int_equal(count_of(*state, FRUIT), 3);
}

static void copy_is_an_independent_store(void **state)
{
	char from[600];
	struct err err;

	assert_true(db_write(*state, put_three, NULL, NULL));
	assert_false(db_copy(*state, "/nowhere/copy", &err));
	assert_string_equal(err.text, "/nowhere/copy cannot be written: No such file or directory");
	assert_true(db_copy(*state, name_in(&dir, "copy.mdb"), &err));
	db_close(*state);
	snprintf(from, sizeof from, "%s/copy.mdb", dir.path);
	assert_int_equal(rename(from, name_in(&dir, "data.mdb")), 0);
	*state = open_db((size_t)1 << 20, true, &err);
	assert_non_null(*state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(put_and_get, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(delete_of_existing_and_missing_keys, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(failed_transaction_changes_nothing, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(errors_are_sticky, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(cursors_move_in_both_directions, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_store_grows_past_its_map_in_one_transaction, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_grown_store_opens_again_with_a_small_map, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(missing_later_table_is_empty, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_reader_without_may_miss_needs_every_table, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(unfinished_store_is_created_again, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(copy_is_an_independent_store, new_dir, old_dir),
	};

	return cmocka_run_group_tests_name("db", tests, NULL, NULL);
}
