/* SPDX-License-Identifier: MIT */
/*
 * test_moment.c - the journal entry for a given time
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/state/state.h"
#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"

#define EVENTS 6000 /* enough for one checkpoint */

struct recorded {
	struct store *store;
	struct history history;
	int64_t time_s[EVENTS + 200]; /* time of each entry */
	uint64_t last;                /* number of the last entry */
};

static struct recorded recorded;

static int make_recorded(void **state)
{
	struct rng rng = seeded("a history of 6000 events");
	struct ledger ledger;

	(void)state;
	recorded.store = store_open(NULL, STORE_TEMP, NULL);
	ledger = store_ledger(recorded.store);
	history_begin(&recorded.history, rng_u64(&rng));
	while (recorded.last < EVENTS) {
		struct ledger_step step = history_step(&recorded.history, 50);

		if (!ledger.ops->commit(ledger.self, &step, NULL))
			return -1;
		for (size_t i = 0; i < step.event_count; i++)
			recorded.time_s[step.event[i].seq] = step.event[i].time_s;
		recorded.last = step.after->seq;
	}
	return 0;
}

static int free_recorded(void **state)
{
	(void)state;
	history_end(&recorded.history);
	store_close(recorded.store);
	return 0;
}

/* The last entry at or before this time, found by reading every entry. Some entries set the clock back. */
static uint64_t last_entry_at(int64_t time_s)
{
	uint64_t seq = recorded.last;

	while (seq > 0 && recorded.time_s[seq] > time_s)
		seq--;
	return seq;
}

/* The earliest time of the entries from `first` on. */
static int64_t earliest_from(uint64_t first)
{
	int64_t earliest_s = recorded.time_s[first];

	for (uint64_t seq = first; seq <= recorded.last; seq++)
		if (recorded.time_s[seq] < earliest_s)
			earliest_s = recorded.time_s[seq];
	return earliest_s;
}

static int64_t latest(void)
{
	int64_t latest_s = recorded.time_s[1];

	for (uint64_t seq = 2; seq <= recorded.last; seq++)
		if (recorded.time_s[seq] > latest_s)
			latest_s = recorded.time_s[seq];
	return latest_s;
}

static void check_time(int64_t time_s)
{
	struct store_moment m;
	struct err err;

	if (!store_moment_of_time(recorded.store, time_s, &m, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(m.seq, last_entry_at(time_s));
	assert_int_equal(m.time_s, time_s);
}

static void a_time_has_the_last_entry_at_or_before_it(void **state)
{
	int64_t from_s = earliest_from(1), to_s = latest();
	struct rng rng = seeded("seconds");

	(void)state;
	assert_true(to_s > from_s + 100);
	for (int i = 0; i < 300; i++)
		check_time(from_s + (int64_t)rng_below(&rng, (uint64_t)(to_s - from_s)));
	for (int i = 0; i < 100; i++) {
		int64_t exactly_s = recorded.time_s[1 + rng_below(&rng, recorded.last)];

		check_time(exactly_s);
		if (exactly_s > from_s)
			check_time(exactly_s - 1);
	}
}

static void the_first_and_the_last_time_are_found(void **state)
{
	(void)state;
	check_time(recorded.time_s[1]);
	check_time(recorded.time_s[recorded.last]);
	check_time(earliest_from(1));
	check_time(latest());
	check_time(latest() + 1000000);
}

static void a_time_before_the_first_entry_is_refused(void **state)
{
	struct store_moment m;
	struct err err;

	(void)state;
	assert_false(store_moment_of_time(recorded.store, earliest_from(1) - 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "is before the journal begins (entry 1, "));
	assert_false(store_moment_of_entry(recorded.store, 0, &m, NULL, &err));
	assert_string_not_equal(err.text, "");
}

static void an_entry_has_its_own_time(void **state)
{
	struct rng rng = seeded("entries");

	(void)state;
	for (int i = 0; i < 50; i++) {
		uint64_t seq = 1 + rng_below(&rng, recorded.last);
		struct store_moment m;

		assert_true(store_moment_of_entry(recorded.store, seq, &m, NULL, NULL));
		assert_int_equal(m.seq, seq);
		assert_int_equal(m.time_s, recorded.time_s[seq]);
	}
}

static void future_entry_is_rejected(void **state)
{
	struct store_moment m;
	struct err err;

	(void)state;
	assert_false(store_moment_of_entry(recorded.store, recorded.last + 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "has not been written yet"));
}

static void a_store_without_a_journal_reports_it(void **state)
{
	struct store *empty = store_open(NULL, STORE_TEMP, NULL);
	struct store_moment m;
	struct err err;

	(void)state;
	assert_false(store_moment_of_time(empty, 1774368000, &m, NULL, &err));
	assert_non_null(strstr(err.text, "the journal is empty"));
	assert_false(store_moment_of_entry(empty, 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "the journal is empty"));
	store_close(empty);
}

/* --- pruned entries; the last test prunes the journal ----------------------------------------------- */

static uint64_t checkpoint;

static void the_state_before_the_first_entry_is_empty(void **state)
{
	struct state *st = store_state_after(recorded.store, 0, NULL), *none = state_new();

	(void)state;
	assert_true(state_hash(state_view(st)) == state_hash(state_view(none)));
	state_free(none);
	state_free(st);
}

static void prune(struct db_txn *txn, void *self)
{
	struct key word = key_word(META_PRUNED);
	struct pruned pruned = {.history_s = TIME_NONE};
	struct str bytes = {0};

	(void)self;
	pruned.journal = checkpoint = checkpoint_find(txn, UINT64_MAX);
	put_pruned(&bytes, &word, &pruned);
	db_put(txn, DB_META, key_bytes(&word), (struct bytes){bytes.data, bytes.len});
	str_free(&bytes);
	for (uint64_t seq = 1; seq <= checkpoint; seq++) {
		struct key key = key_number(seq);

		db_delete(txn, DB_EVENT, key_bytes(&key));
	}
}

static void pruned_past_is_reported(void **state)
{
	struct state *st;
	struct store_moment m;
	struct err err;

	(void)state;
	assert_true(db_write(recorded.store->db, prune, NULL, &err));
	assert_true(checkpoint > 1 && checkpoint < recorded.last);
	assert_false(store_moment_of_entry(recorded.store, 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "entry 1 is before the journal begins (entry "));
	assert_false(store_moment_of_time(recorded.store, earliest_from(checkpoint + 1) - 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "is before the journal begins (entry "));
	assert_null(store_state_after(recorded.store, 1, &err));
	assert_non_null(strstr(err.text, "is before the journal begins"));

	assert_true(store_moment_of_entry(recorded.store, checkpoint + 1, &m, NULL, &err));
	assert_int_equal(m.time_s, recorded.time_s[checkpoint + 1]);
	st = store_state_after(recorded.store, m.seq, &err);
	assert_non_null(st);
	assert_int_equal(state_view(st)->seq, checkpoint + 1);
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_has_the_last_entry_at_or_before_it),
		cmocka_unit_test(the_state_before_the_first_entry_is_empty),
		cmocka_unit_test(the_first_and_the_last_time_are_found),
		cmocka_unit_test(a_time_before_the_first_entry_is_refused),
		cmocka_unit_test(an_entry_has_its_own_time),
		cmocka_unit_test(future_entry_is_rejected),
		cmocka_unit_test(a_store_without_a_journal_reports_it),
		cmocka_unit_test(pruned_past_is_reported),
	};

	return cmocka_run_group_tests(tests, make_recorded, free_recorded);
}
