/* SPDX-License-Identifier: MIT */
/*
 * test_rewinder.c - are states of the past put together beside whoever asks, and not too many at a time?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <string.h>

#include "sched/core/state.h"
#include "tests/history.h"
#include "tests/seed.h"
#include "tui/commands/rewinder.h"

#define EVENTS  500
#define WAIT_MS 20000

struct kept {
	struct store *store;
	struct history history;
	uint64_t hash[EVENTS + 100]; /* of the state after an entry */
	int64_t last_s;
	uint64_t last;
	struct rewinder *rewinder;
};

static struct kept kept;

static int begin(void **state)
{
	struct rng rng = seeded("a history of 500 events");
	struct ledger ledger;

	(void)state;
	kept = (struct kept){.store = store_open(NULL, STORE_TEMP, NULL)};
	ledger = store_ledger(kept.store);
	history_begin(&kept.history, rng_u64(&rng));
	while (kept.last < EVENTS) {
		struct ledger_step step = history_step(&kept.history, 20);

		if (!ledger.ops->commit(ledger.self, &step, NULL))
			return -1;
		kept.last = step.after->seq;
		kept.last_s = step.after->now_s;
		kept.hash[kept.last] = state_hash(step.after);
	}
	kept.rewinder = rewinder_new(kept.store, NULL);
	return kept.rewinder != NULL ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	rewinder_free(kept.rewinder);
	history_end(&kept.history);
	store_close(kept.store);
	return 0;
}

static void wait_for(const struct rewinding *w)
{
	struct pollfd fd = {.fd = rewinder_fd(kept.rewinder), .events = POLLIN};

	while (!rewinder_is_done(kept.rewinder, w)) {
		assert_int_equal(poll(&fd, 1, WAIT_MS), 1);
		rewinder_clear(kept.rewinder);
	}
}

static struct rewinding *ask(uid_t uid, struct store_moment moment)
{
	struct err err;
	struct rewinding *w = rewinder_ask(kept.rewinder, uid, moment, &err);

	if (w == NULL)
		fail_msg("%s", err.text);
	return w;
}

static void check_state(const struct rewinding *w, uint64_t seq)
{
	struct store_moment moment;
	struct err err;
	const struct state *st = rewinder_state(w, &moment, &err);

	if (st == NULL)
		fail_msg("%s", err.text);
	assert_int_equal(moment.seq, seq);
	assert_int_equal(state_view(st)->seq, seq);
	if (kept.hash[seq] != 0)
		assert_true(state_hash(state_view(st)) == kept.hash[seq]);
}

static void a_state_comes_by_its_entry_or_by_a_second(void **state)
{
	struct rewinding *entry = ask(1, (struct store_moment){.seq = kept.last / 2});
	struct rewinding *second = ask(2, (struct store_moment){.time_s = kept.last_s});

	(void)state;
	wait_for(entry);
	wait_for(second);
	check_state(entry, kept.last / 2);
	check_state(second, kept.last);
	rewinder_forget(kept.rewinder, entry);
	rewinder_forget(kept.rewinder, second);
}

static void what_is_not_kept_is_said(void **state)
{
	struct rewinding *w = ask(1, (struct store_moment){.seq = kept.last + 1000});
	struct store_moment moment;
	struct err err;

	(void)state;
	wait_for(w);
	assert_null(rewinder_state(w, &moment, &err));
	assert_non_null(strstr(err.text, "has not been written yet"));
	rewinder_forget(kept.rewinder, w);
}

static void everybody_has_one_at_a_time(void **state)
{
	struct rewinding *first = ask(1, (struct store_moment){.seq = 10});
	struct err err;

	(void)state;
	assert_null(rewinder_ask(kept.rewinder, 1, (struct store_moment){.seq = 11}, &err));
	assert_non_null(strstr(err.text, "another look of yours"));
	rewinder_forget(kept.rewinder, first);
	rewinder_forget(kept.rewinder, ask(1, (struct store_moment){.seq = 11}));
}

static void all_together_have_a_few(void **state)
{
	struct rewinding *w[REWINDINGS_MAX];
	struct err err;

	(void)state;
	for (int i = 0; i < REWINDINGS_MAX; i++)
		w[i] = ask((uid_t)i, (struct store_moment){.seq = (uint64_t)i + 1});
	assert_null(rewinder_ask(kept.rewinder, 100, (struct store_moment){.seq = 1}, &err));
	assert_non_null(strstr(err.text, "8 others look into the past"));
	for (int i = 0; i < REWINDINGS_MAX; i++) {
		wait_for(w[i]);
		check_state(w[i], (uint64_t)i + 1);
		rewinder_forget(kept.rewinder, w[i]);
	}
}

static void what_was_asked_for_may_be_left_at_any_time(void **state)
{
	struct err err;

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct rewinding *w =
			rewinder_ask(kept.rewinder, (uid_t)i, (struct store_moment){.seq = kept.last}, &err);

		if (w != NULL && i % 2 == 0)
			wait_for(w);
		rewinder_forget(kept.rewinder, w);
	}
	(void)ask(7777, (struct store_moment){.seq = 3});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_state_comes_by_its_entry_or_by_a_second),
		cmocka_unit_test(what_is_not_kept_is_said),
		cmocka_unit_test(everybody_has_one_at_a_time),
		cmocka_unit_test(all_together_have_a_few),
		cmocka_unit_test(what_was_asked_for_may_be_left_at_any_time),
	};

	return cmocka_run_group_tests_name("rewinder", tests, begin, end);
}
