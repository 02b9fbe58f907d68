/* SPDX-License-Identifier: MIT */
/*
 * test_migrate.c - conversion of a store with the first layout
 *
 * The test writes the store record by record, as the first version of the program did.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "own_store.h"
#include "sched/host/event_copy.h"
#include "store/inside.h"

/* --- records of the first version ------------------------------------------------------------- */

static void put_node_fields_1(struct str *out)
{
	put_text(out, "n1");
	put_text(out, NULL);
	put_u32(out, 4);
	put_i64(out, 1000); /* memory; the running job has more */
	put_i64(out, 0);
	put_i64(out, 0);
}

static void put_job_fields_1(struct str *out, uint64_t id, bool runs)
{
	const int64_t number[] = {0, 0, TIME_NONE, 3600, 60, runs ? 20 : TIME_NONE, TIME_NEVER, 900, 0, 0, 0};

	put_u64(out, id);
	for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
		put_i64(out, number[i]);
	put_u32(out, 2); /* tasks */
	put_u32(out, 1);
	put_u32(out, 0);
	put_u32(out, 0);
	put_u8(out, runs ? JOB_RUNNING : JOB_IDLE);
	for (int i = 0; i < 4; i++)
		put_u8(out, 0);
	put_text(out, "eva");
	for (int i = 0; i < 7; i++)
		put_text(out, NULL);
	put_u32(out, runs);
	if (!runs)
		return;
	put_u32(out, 0);
	put_u32(out, 1);
	put_u32(out, 2);
}

static void put_counters_1(struct str *out)
{
	put_i64(out, 20);
	put_u64(out, 4);
	put_u64(out, 3);
	put_u32(out, 0);
	for (int i = 0; i < 5; i++)
		put_u64(out, 0);
	put_u32(out, 0);
	put_u64(out, 1);
	put_u64(out, 2);
	put_u64(out, 0);
	put_u64(out, 0);
}

static void put_event_1(struct str *out, uint64_t seq)
{
	put_u64(out, seq);
	put_i64(out, seq == 4 ? 20 : 0);
	put_u8(out, seq == 1 ? EVENT_NODE : seq == 4 ? EVENT_START : EVENT_SUBMIT);
	put_u64(out, seq == 1 ? 0 : seq == 4 ? 1 : seq - 1);
	put_text(out, "sched");
	if (seq == 1)
		put_node_fields_1(out);
	else if (seq < 4)
		put_job_fields_1(out, seq - 1, false);
	if (seq != 4)
		return;
	put_u32(out, 1);
	put_u32(out, 0);
	put_u32(out, 1);
	put_u32(out, 2);
	put_u8(out, 0);
}

static void put_schema_1(struct str *out)
{
	put_u32(out, 1);
	put_text(out, "kahu 0.0");
}

/* A record of version 1 with its key. */
struct old_record {
	enum db_table table;
	enum record_type type;
	struct key key;
	struct str fields;
};

static void put_old(struct db_txn *txn, void *self)
{
	struct old_record *old_record = self;
	struct str bytes = {0};
	size_t at = record_begin(&bytes, old_record->type, 1);

	str_add_bytes(&bytes, old_record->fields.data, old_record->fields.len);
	record_end(&bytes, at, &old_record->key);
	db_put(txn, old_record->table, key_bytes(&old_record->key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
}

static void write_old(struct store *s, struct old_record *old_record)
{
	assert_true(db_write(s->db, put_old, old_record, NULL));
	str_free(&old_record->fields);
}

static void make_old_store(void)
{
	struct store *s = must_open(STORE_CHANGE);
	struct old_record node = {DB_NODE, RECORD_NODE, key_number(0), {0}};
	struct old_record counters = {DB_META, RECORD_COUNTERS, key_word(META_COUNTERS), {0}};
	struct old_record schema = {DB_META, RECORD_SCHEMA, key_word(META_SCHEMA), {0}};

	put_node_fields_1(&node.fields);
	write_old(s, &node);
	for (uint64_t id = 1; id <= 2; id++) {
		struct old_record job = {DB_JOB, RECORD_JOB, key_number(id), {0}};

		put_job_fields_1(&job.fields, id, id == 1);
		write_old(s, &job);
	}
	for (uint64_t seq = 1; seq <= 4; seq++) {
		struct old_record event = {DB_EVENT, RECORD_EVENT, key_number(seq), {0}};

		put_event_1(&event.fields, seq);
		write_old(s, &event);
	}
	put_counters_1(&counters.fields);
	write_old(s, &counters);
	put_schema_1(&schema.fields);
	write_old(s, &schema);
	store_close(s);
}

/* --- reading and conversion --------------------------------------------------------------------- */

static void verify(struct store *s)
{
	struct err err;

	if (!store_verify(s, &err))
		fail_msg("%s", err.text);
}

static struct state *load(struct store *s)
{
	struct state *st = state_new();
	struct err err;

	if (!store_state_at(s, 0, st, &err))
		fail_msg("%s", err.text);
	return st;
}

static void an_old_store_can_be_read_without_conversion(void **state)
{
	struct store *s;
	struct state *st;

	(void)state;
	make_old_store();
	s = must_open(STORE_READ);
	verify(s);
	st = load(s);
	assert_int_equal(snapshot_count(state_view(st), TABLE_RUNNING), 1);
	assert_int_equal(snapshot_nodes(state_view(st))[0].mem_busy_mb, 1800);
	assert_int_equal(snapshot_nodes(state_view(st))[0].active_from_s, 20);
	state_free(st);
	store_close(s);
	assert_int_not_equal(access(name_in(&dir, "data-1.mdb"), F_OK), 0);
}

static void an_old_store_is_copied_and_converted_for_writing(void **state)
{
	struct event ev = {.kind = EVENT_END, .time_s = 80, .job = 1, .who = "sched"};
	struct arena arena = {0};
	struct ended_job ended;
	struct ledger_step step = {.event = &ev, .event_count = 1, .ended = &ended, .ended_count = 1};
	struct store *s;
	struct ledger ledger;
	struct state *st;

	(void)state;
	make_old_store();
	s = must_open(STORE_CHANGE);
	assert_int_equal(access(name_in(&dir, "data-1.mdb"), F_OK), 0);
	verify(s);
	st = load(s);
	assert_true(ended_job_of_event(&arena, st, &ev, &ended));
	assert_true(event_apply(st, &ev, NULL));
	step.after = state_view(st);
	ledger = store_ledger(s);
	assert_true(ledger.ops->commit(ledger.self, &step, NULL));
	verify(s);
	store_close(s);
	s = must_open(STORE_READ);
	verify(s);
	state_free(st);
	st = load(s);
	assert_int_equal(state_view(st)->fs_window[0].total, 120 * FS_UNIT);
	state_free(st);
	arena_free(&arena);
	store_close(s);
}

static void a_damaged_old_store_is_not_changed(void **state)
{
	struct store *s;
	struct old_record node = {DB_NODE, RECORD_NODE, key_number(0), {0}};
	struct err err;

	(void)state;
	make_old_store();
	s = must_open(STORE_READ);
	store_close(s);
	/* A fault that only the conversion detects: the node has no name. */
	s = must_open(STORE_CHANGE);
	put_text(&node.fields, NULL);
	write_old(s, &node);
	put_schema_1(&node.fields);
	node = (struct old_record){DB_META, RECORD_SCHEMA, key_word(META_SCHEMA), node.fields};
	write_old(s, &node);
	store_close(s);
	assert_null(store_open(dir.path, STORE_CHANGE, &err));
	assert_non_null(strstr(err.text, "has layout 1 and cannot be converted to layout 3"));
	assert_int_equal(store_holder(dir.path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_old_store_can_be_read_without_conversion, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(an_old_store_is_copied_and_converted_for_writing, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_damaged_old_store_is_not_changed, new_dir, old_dir),
	};

	return cmocka_run_group_tests_name("migrate", tests, NULL, NULL);
}
