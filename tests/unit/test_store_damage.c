/* SPDX-License-Identifier: MIT */
/*
 * test_store_damage.c - stores with damaged records, and invalid store files
 *
 * Every record, or a sample of the records, is changed or removed; then all queries and operations are run. A
 * result reported as good must be correct, and the store can be recovered.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_calls.h"
#include "sched/base/crc32c.h"
#include "whole_store.h"

/* --- damaged records ------------------------------------------------------------------------------ */

struct damage {
	enum db_table table;
	uint64_t number; /* position of the record in its table */
	bool removes;    /* the record is removed; otherwise its last byte is changed */
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
	if (damage->removes)
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

static void check_result(bool good, const struct err *err, const struct damage *damage)
{
	/* Without the record of pruned entries, the journal begins with its first entry, which still exists.
	 */
	is_wrong = is_wrong && damage->table != DB_META;
	if (is_wrong || (!good && err->text[0] == '\0'))
		fail_msg("record %llu of table %s%s: %s", (unsigned long long)damage->number,
			 store_table_names[damage->table], damage->removes ? " is not there" : "",
			 is_wrong ? "what was read is wrong" : "nothing was said");
}

/* Runs all queries and operations on a damaged store; results reported as good must be correct. */
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
			check_result(question[q](store, &err), &err, damage);
		}
		if (i == 0) {
			err.text[0] = '\0';
			check_result(last_good_write(store, &err), &err, damage);
			store->copy.last = 0;
		}
		store_close(store);
		err.text[0] = '\0';
		check_result(work[i](&err), &err, damage);
	}
	if (!recover(&err))
		fail_msg("record %llu of table %s: %s", (unsigned long long)damage->number,
			 store_table_names[damage->table], err.text);
	acknowledged = copied;
	must_be_kept(&(struct work){.what = "recovery", .recovers = true}, "a damaged record");
}

static void damaged_records_are_detected_and_the_store_recovers(void **state)
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

/* --- invalid store files ------------------------------------------------------ */

static void assert_refused(enum store_mode mode, const char *words)
{
	struct err err = {""};

	assert_null(store_open(here.path, mode, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("\"%s\" instead of: %s", err.text, words);
}

static void a_store_on_a_network_file_system_is_refused(void **state)
{
	(void)state;
	put_back();
	file_system = 0x6969;
	assert_refused(STORE_CHANGE, "is on a network file system (NFS): use a local disk");
	assert_refused(STORE_READ, "is on a network file system (NFS): use a local disk");
	file_system = 0;
}

static void drop_schema(struct db_txn *txn, void *self)
{
	struct key key = key_word(META_SCHEMA);

	(void)self;
	db_delete(txn, DB_META, key_bytes(&key));
}

static void a_database_without_a_schema_is_rejected(void **state)
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
	assert_refused(STORE_READ, "data.mdb is not a kahu store");
}

static void count_visit(void *self, enum db_table table, struct bytes key, struct bytes value)
{
	(void)table;
	(void)key;
	(void)value;
	++*(unsigned *)self;
}

/* Writes a copy with one record whose header has these values; returns the number of records read. */
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

static void invalid_copy_is_not_read(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_on_a_network_file_system_is_refused),
		cmocka_unit_test(a_database_without_a_schema_is_rejected),
		cmocka_unit_test(invalid_copy_is_not_read),
		cmocka_unit_test(damaged_records_are_detected_and_the_store_recovers),
	};

	return cmocka_run_group_tests_name("store_damage", tests, make_whole, drop_whole);
}
