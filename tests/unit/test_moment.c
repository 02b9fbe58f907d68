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

#define EVENTS 6000 /* one checkpoint stands among them */

struct kept {
	struct store *store;
	struct history history;
	int64_t time_s[EVENTS + 200]; /* of each entry */
	uint64_t last;
};

static struct kept kept;

static int make_kept(void **state)
{
	struct rng rng = seeded("a history of 6000 events");
	struct ledger ledger;

	(void)state;
	kept.store = store_open(NULL, STORE_TEMP, NULL);
	ledger = store_ledger(kept.store);
	history_begin(&kept.history, rng_u64(&rng));
	while (kept.last < EVENTS) {
		struct ledger_step step = history_step(&kept.history, 50);

		if (!ledger.ops->commit(ledger.self, &step, NULL))
			return -1;
		for (size_t i = 0; i < step.event_count; i++)
			kept.time_s[step.event[i].seq] = step.event[i].time_s;
		kept.last = step.after->seq;
	}
	return 0;
}

static int end_kept(void **state)
{
	(void)state;
	history_end(&kept.history);
	store_close(kept.store);
	return 0;
}

/* The same by looking at every entry: the clock is set back at some of them. */
static uint64_t last_at(int64_t time_s)
{
	uint64_t seq = kept.last;

	while (seq > 0 && kept.time_s[seq] > time_s)
		seq--;
	return seq;
}

/* From an entry on. */
static int64_t earliest(uint64_t first)
{
	int64_t earliest_s = kept.time_s[first];

	for (uint64_t seq = first; seq <= kept.last; seq++)
		if (kept.time_s[seq] < earliest_s)
			earliest_s = kept.time_s[seq];
	return earliest_s;
}

static int64_t latest(void)
{
	int64_t latest_s = kept.time_s[1];

	for (uint64_t seq = 2; seq <= kept.last; seq++)
		if (kept.time_s[seq] > latest_s)
			latest_s = kept.time_s[seq];
	return latest_s;
}

static void must_find(int64_t time_s)
{
	struct store_moment m;
	struct err err;

	if (!store_moment_of_time(kept.store, time_s, &m, NULL, &err))
		fail_msg("%s", err.text);
	assert_int_equal(m.seq, last_at(time_s));
	assert_int_equal(m.time_s, time_s);
}

static void a_second_has_the_last_entry_at_or_before_it(void **state)
{
	int64_t from_s = earliest(1), to_s = latest();
	struct rng rng = seeded("seconds");

	(void)state;
	assert_true(to_s > from_s + 100);
	for (int i = 0; i < 300; i++)
		must_find(from_s + (int64_t)rng_below(&rng, (uint64_t)(to_s - from_s)));
	for (int i = 0; i < 100; i++) {
		int64_t exactly_s = kept.time_s[1 + rng_below(&rng, kept.last)];

		must_find(exactly_s);
		if (exactly_s > from_s)
			must_find(exactly_s - 1);
	}
}

static void the_first_and_the_last_second_are_found(void **state)
{
	(void)state;
	must_find(kept.time_s[1]);
	must_find(kept.time_s[kept.last]);
	must_find(earliest(1));
	must_find(latest());
	must_find(latest() + 1000000);
}

static void before_the_first_entry_nothing_is_known(void **state)
{
	struct store_moment m;
	struct err err;

	(void)state;
	assert_false(store_moment_of_time(kept.store, earliest(1) - 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "is before the journal begins (entry 1, "));
	assert_false(store_moment_of_entry(kept.store, 0, &m, NULL, &err));
	assert_string_not_equal(err.text, "");
}

static void an_entry_has_its_own_second(void **state)
{
	struct rng rng = seeded("entries");

	(void)state;
	for (int i = 0; i < 50; i++) {
		uint64_t seq = 1 + rng_below(&rng, kept.last);
		struct store_moment m;

		assert_true(store_moment_of_entry(kept.store, seq, &m, NULL, NULL));
		assert_int_equal(m.seq, seq);
		assert_int_equal(m.time_s, kept.time_s[seq]);
	}
}

static void future_entry_is_rejected(void **state)
{
	struct store_moment m;
	struct err err;

	(void)state;
	assert_false(store_moment_of_entry(kept.store, kept.last + 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "has not been written yet"));
}

static void a_store_without_a_journal_says_so(void **state)
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

/* --- what is no longer kept; this takes it away, so it comes last ----------------------------------- */

static uint64_t checkpoint;

static void before_the_first_entry_there_is_nothing(void **state)
{
	struct state *st = store_state_after(kept.store, 0, NULL), *none = state_new();

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
	assert_true(db_write(kept.store->db, prune, NULL, &err));
	assert_true(checkpoint > 1 && checkpoint < kept.last);
	assert_false(store_moment_of_entry(kept.store, 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "entry 1 is before the journal begins (entry "));
	assert_false(store_moment_of_time(kept.store, earliest(checkpoint + 1) - 1, &m, NULL, &err));
	assert_non_null(strstr(err.text, "is before the journal begins (entry "));
	assert_null(store_state_after(kept.store, 1, &err));
	assert_non_null(strstr(err.text, "is before the journal begins"));

	assert_true(store_moment_of_entry(kept.store, checkpoint + 1, &m, NULL, &err));
	assert_int_equal(m.time_s, kept.time_s[checkpoint + 1]);
	st = store_state_after(kept.store, m.seq, &err);
	assert_non_null(st);
	assert_int_equal(state_view(st)->seq, checkpoint + 1);
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_second_has_the_last_entry_at_or_before_it),
		cmocka_unit_test(before_the_first_entry_there_is_nothing),
		cmocka_unit_test(the_first_and_the_last_second_are_found),
		cmocka_unit_test(before_the_first_entry_nothing_is_known),
		cmocka_unit_test(an_entry_has_its_own_second),
		cmocka_unit_test(future_entry_is_rejected),
		cmocka_unit_test(a_store_without_a_journal_says_so),
		cmocka_unit_test(pruned_past_is_reported),
	};

	return cmocka_run_group_tests(tests, make_kept, end_kept);
}
