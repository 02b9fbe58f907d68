/* SPDX-License-Identifier: MIT */
/*
 * test_journal.c - reading the journal, and past states
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "sched/state/state.h"
#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"

/* A store with a history long enough for two checkpoints, and hashes of its states and entries. */
#define EVENTS 11500

struct past {
	struct store *store;
	struct history history;
	uint64_t hash[EVENTS + 100];        /* hash of the state after each entry; 0 within a step */
	uint64_t fingerprint[EVENTS + 100]; /* hash of the record of each entry */
	uint64_t last;                      /* number of the last entry */
};

static struct past past;

static uint64_t fingerprint(const struct event *ev)
{
	static const struct key no_key;
	struct str bytes = {0};
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	put_event(&bytes, &no_key, ev);
	for (size_t i = 0; i < bytes.len; i++)
		h = (h ^ (unsigned char)bytes.data[i]) * UINT64_C(0x100000001b3);
	str_free(&bytes);
	return h;
}

static int make_past(void **state)
{
	struct rng rng = seeded("a history of 11500 events");
	struct ledger ledger;

	(void)state;
	past.store = store_open_sized(NULL, STORE_TEMP, (size_t)1 << 20, NULL);
	ledger = store_ledger(past.store);
	history_begin(&past.history, rng_u64(&rng));
	while (past.last < EVENTS) {
		struct ledger_step step = history_step(&past.history, 100);

		if (!ledger.ops->commit(ledger.self, &step, NULL))
			return -1;
		for (size_t i = 0; i < step.event_count; i++)
			past.fingerprint[step.event[i].seq] = fingerprint(&step.event[i]);
		past.last = step.after->seq;
		past.hash[past.last] = state_hash(step.after);
	}
	return 0;
}

static int free_past(void **state)
{
	(void)state;
	history_end(&past.history);
	store_close(past.store);
	return 0;
}

/* --- reading the journal ------------------------------------------------------------------ */

struct reading {
	uint64_t next, count, stop_after;
	int step;
};

static bool check_entry(void *self, const struct event *ev)
{
	struct reading *r = self;

	assert_int_equal(ev->seq, r->next);
	assert_true(fingerprint(ev) == past.fingerprint[ev->seq]);
	r->next += (uint64_t)(int64_t)r->step;
	r->count++;
	return r->count != r->stop_after;
}

static uint64_t read_from(uint64_t from, bool backward, uint64_t stop_after)
{
	uint64_t first = backward ? (from < past.last ? from : past.last) : (from ? from : 1);
	struct reading r = {.next = first, .stop_after = stop_after, .step = backward ? -1 : 1};
	struct err err;

	if (!store_journal(past.store, from, backward, check_entry, &r, &err))
		fail_msg("%s", err.text);
	return r.count;
}

static void journal_is_read_in_both_directions(void **state)
{
	(void)state;
	assert_int_equal(read_from(1, false, 0), past.last);
	assert_int_equal(read_from(0, false, 0), past.last);
	assert_int_equal(read_from(UINT64_MAX, true, 0), past.last);
	assert_int_equal(read_from(past.last, true, 0), past.last);
}

static void start_and_stop_of_a_traversal(void **state)
{
	(void)state;
	assert_int_equal(read_from(past.last - 9, false, 0), 10);
	assert_int_equal(read_from(past.last, false, 0), 1);
	assert_int_equal(read_from(past.last + 1, false, 0), 0);
	assert_int_equal(read_from(10, true, 0), 10);
	assert_int_equal(read_from(1, true, 0), 1);
	assert_int_equal(read_from(0, true, 0), 0);
	for (uint64_t n = 250; n < 265; n++)
		assert_int_equal(read_from(100, false, n), n);
	assert_int_equal(read_from(5000, true, 300), 300);
}

static void the_journal_has_a_first_and_a_last_entry(void **state)
{
	uint64_t first, last;

	(void)state;
	assert_true(store_journal_range(past.store, &first, &last, NULL));
	assert_int_equal(first, 1);
	assert_int_equal(last, past.last);
}

struct reader {
	atomic_bool stop;
	atomic_bool failed;
};

static bool count_upward(void *self, const struct event *ev)
{
	uint64_t *next = self;

	return ev->seq == (*next)++;
}

static void *read_until_stopped(void *self)
{
	struct reader *m = self;
	uint64_t first, last;

	while (!m->stop && !m->failed) {
		uint64_t next = 1;

		if (!store_journal_range(past.store, &first, &last, NULL) ||
		    !store_journal(past.store, 1, false, count_upward, &next, NULL) || next <= last)
			m->failed = true;
	}
	return NULL;
}

static void other_threads_read_while_steps_are_committed(void **state)
{
	struct reader m = {.stop = false};
	struct ledger ledger = store_ledger(past.store);
	pthread_t thread[2];

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, read_until_stopped, &m), 0);
	for (int i = 0; i < 30; i++) {
		struct ledger_step step = history_step(&past.history, 4);

		if (step.after->seq >= EVENTS + 100)
			break;
		assert_true(ledger.ops->commit(ledger.self, &step, NULL));
		for (size_t k = 0; k < step.event_count; k++)
			past.fingerprint[step.event[k].seq] = fingerprint(&step.event[k]);
		past.last = step.after->seq;
		past.hash[past.last] = state_hash(step.after);
	}
	m.stop = true;
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	assert_false(m.failed);
}

/* --- past states ---------------------------------------------------------------------------- */

static void check_past_state(uint64_t seq)
{
	struct state *st = state_new();
	struct err err;

	if (!store_state_at(past.store, seq, st, &err))
		fail_msg("state at %llu: %s", (unsigned long long)seq, err.text);
	seq = seq ? seq : past.last;
	assert_int_equal(state_view(st)->seq, seq);
	if (past.hash[seq])
		assert_true(state_hash(state_view(st)) == past.hash[seq]);
	if (!state_check(st, &err))
		fail_msg("state at %llu: %s", (unsigned long long)seq, err.text);
	state_free(st);
}

static void the_state_at_any_entry_can_be_restored(void **state)
{
	struct rng rng = seeded("entries to go back to");
	uint64_t tried = 0;

	(void)state;
	while (tried < 12) {
		uint64_t seq = 1 + rng_below(&rng, past.last);

		if (!past.hash[seq])
			continue;
		check_past_state(seq);
		tried++;
	}
}

static void the_state_around_a_checkpoint_can_be_restored(void **state)
{
	uint64_t at = STORE_CHECKPOINT_EVENTS;

	(void)state;
	while (!past.hash[at])
		at++; /* the checkpoint is written at the end of the step */
	check_past_state(at);
	for (uint64_t seq = at - 1; seq > at - 3; seq--)
		check_past_state(seq);
	check_past_state(at + 1);
	check_past_state(1);
	check_past_state(past.last);
	check_past_state(0);
}

static void future_entry_has_no_state(void **state)
{
	struct state *st = state_new();
	struct err err;

	(void)state;
	assert_false(store_state_at(past.store, past.last + 1, st, &err));
	assert_non_null(strstr(err.text, "the journal of"));
	state_free(st);
}

static void an_undamaged_store_passes_verification(void **state)
{
	struct err err = {""};

	(void)state;
	if (!store_verify(past.store, &err))
		fail_msg("%s", err.text);
}

/* --- faults; these tests damage the store, so they come last ------------------------------------ */

struct damage {
	enum db_table table;
	struct key key;
	bool remove;
};

static void damage_record(struct db_txn *txn, void *self)
{
	struct damage *s = self;
	struct str bytes = {0};
	struct bytes value;

	assert_true(db_get(txn, s->table, key_bytes(&s->key), &value));
	str_add_bytes(&bytes, value.data, value.size);
	bytes.data[bytes.len - 1] = (char)(bytes.data[bytes.len - 1] ^ 4);
	db_delete(txn, s->table, key_bytes(&s->key));
	if (!s->remove)
		db_put(txn, s->table, key_bytes(&s->key), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
}

static uint64_t checkpoint_seq;

static void find_last_checkpoint(struct db_txn *txn, void *self)
{
	(void)self;
	checkpoint_seq = checkpoint_find(txn, UINT64_MAX);
}

static void check_error(bool good, const struct err *err, const char *words)
{
	assert_false(good);
	if (!strstr(err->text, words))
		fail_msg("\"%s\" does not say \"%s\"", err->text, words);
}

static void a_damaged_checkpoint_is_reported(void **state)
{
	struct damage damage = {.table = DB_CHECKPOINT};
	struct state *st = state_new();
	struct err err;

	(void)state;
	assert_true(db_read(past.store->db, find_last_checkpoint, NULL, NULL));
	assert_true(checkpoint_seq >= (uint64_t)2 * STORE_CHECKPOINT_EVENTS);
	damage.key = key_checkpoint(checkpoint_seq, 0);
	assert_true(db_write(past.store->db, damage_record, &damage, NULL));
	check_error(store_state_at(past.store, past.last, st, &err), &err, "the checkpoint of entry 10");
	check_error(store_verify(past.store, &err), &err, "checksum is wrong");
	state_free(st);
}

static void a_damaged_entry_is_reported(void **state)
{
	struct damage damage = {.table = DB_EVENT, .key = key_number(700)};
	struct reading r = {.next = 650, .step = 1};
	struct err err;

	(void)state;
	assert_true(db_write(past.store->db, damage_record, &damage, NULL));
	check_error(store_journal(past.store, 650, false, check_entry, &r, &err), &err, "journal entry 700");
	assert_int_equal(r.next, 700);
	check_error(store_verify(past.store, &err), &err, "journal entry 700");
}

static void a_missing_entry_is_reported(void **state)
{
	struct damage damage = {.table = DB_EVENT, .key = key_number(300), .remove = true};
	struct reading r = {.next = 310, .step = -1};
	struct err err;

	(void)state;
	assert_true(db_write(past.store->db, damage_record, &damage, NULL));
	check_error(store_journal(past.store, 310, true, check_entry, &r, &err), &err,
		    "journal entry 300 is missing");
	check_error(store_verify(past.store, &err), &err, "journal entry 300 is missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(journal_is_read_in_both_directions),
		cmocka_unit_test(start_and_stop_of_a_traversal),
		cmocka_unit_test(the_journal_has_a_first_and_a_last_entry),
		cmocka_unit_test(other_threads_read_while_steps_are_committed),
		cmocka_unit_test(the_state_at_any_entry_can_be_restored),
		cmocka_unit_test(the_state_around_a_checkpoint_can_be_restored),
		cmocka_unit_test(future_entry_has_no_state),
		cmocka_unit_test(an_undamaged_store_passes_verification),
		cmocka_unit_test(a_damaged_checkpoint_is_reported),
		cmocka_unit_test(a_damaged_entry_is_reported),
		cmocka_unit_test(a_missing_entry_is_reported),
	};

	return cmocka_run_group_tests_name("journal", tests, make_past, free_past);
}
