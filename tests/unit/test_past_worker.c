/* SPDX-License-Identifier: MIT */
/*
 * test_past_worker.c - are states of the past put together beside whoever asks, and not too many at a time?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/state/state.h"
#include "tests/history.h"
#include "tests/seed.h"
#include "tui/serve/past.h"
#include "tui/serve/state_file.h"

#define EVENTS  500
#define WAIT_MS 60000
#define USER    40000 /* and those after it: none of them runs this */

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
	kept.rewinder = rewinder_new(kept.store, NULL, NULL);
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

static struct rewinding *try(uid_t uid, bool whole, struct store_moment moment, struct err *err)
{
	const struct person to = {.uid = USER + uid, .user = "somebody", .group = "some"};

	return rewinder_ask(kept.rewinder, &to, whole, moment, err);
}

static struct rewinding *ask(uid_t uid, struct store_moment moment)
{
	struct err err;
	struct rewinding *w = try(uid, true, moment, &err);

	if (w == NULL)
		fail_msg("%s", err.text);
	return w;
}

/* Which file it is, so that two can be told apart. */
static ino_t check_state(struct rewinding *w, uint64_t seq)
{
	struct store_moment moment;
	struct err err;
	int fd = rewinder_take(w, &moment, &err);
	const struct snapshot *s;
	struct stat st;
	size_t size;

	if (fd < 0)
		fail_msg("%s", err.text);
	s = state_file_read(fd, NULL, 0, &size, &(bool){false}, &err);
	assert_non_null(s);
	assert_int_equal(moment.seq, seq);
	assert_int_equal(s->seq, seq);
	if (kept.hash[seq] != 0)
		assert_true(state_hash(s) == kept.hash[seq]);
	memory_file_free(s, size);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	return st.st_ino;
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
	assert_int_equal(rewinder_take(w, &moment, &err), -1);
	assert_non_null(strstr(err.text, "has not been written yet"));
	rewinder_forget(kept.rewinder, w);
}

static void everybody_has_one_at_a_time(void **state)
{
	struct rewinding *first = ask(1, (struct store_moment){.seq = 10});
	struct err err;

	(void)state;
	assert_null(try(1, true, (struct store_moment){.seq = 11}, &err));
	assert_non_null(strstr(err.text, "another past state is being read"));
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
	assert_null(try(100, true, (struct store_moment){.seq = 1}, &err));
	assert_non_null(strstr(err.text, "8 other past states are being read"));
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
		struct rewinding *w = try((uid_t)i, true, (struct store_moment){.seq = kept.last}, &err);

		if (w != NULL && i % 2 == 0)
			wait_for(w);
		rewinder_forget(kept.rewinder, w);
	}
	(void)ask(7777, (struct store_moment){.seq = 3});
}

static ino_t file_of(uid_t uid, bool whole, uint64_t seq)
{
	struct err err;
	struct rewinding *w = try(uid, whole, (struct store_moment){.seq = seq}, &err);
	struct store_moment moment;
	struct stat st;
	int fd;

	if (w == NULL)
		fail_msg("%s", err.text);
	wait_for(w);
	fd = rewinder_take(w, &moment, &err);
	rewinder_forget(kept.rewinder, w);
	if (fd < 0)
		fail_msg("%s", err.text);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	return st.st_ino;
}

static void the_same_moment_is_one_file(void **state)
{
	ino_t whole = file_of(1, true, 200), masked = file_of(1, false, 200);

	(void)state;
	assert_true(whole == file_of(2, true, 200));
	assert_true(masked == file_of(1, false, 200));
	assert_true(whole != masked);
	assert_true(masked != file_of(2, false, 200));
	assert_true(whole != file_of(1, true, 201));
}

static void one_user_has_so_many_moments_in_a_row(void **state)
{

	uint64_t seq = 0;
	struct err err;
	int fd = 0;

	(void)state;
	for (int i = 0; i < 2 * REWINDINGS_AT_ONCE; i++)
		file_of(200, true, 300);
	while (fd >= 0 && seq < EVENTS) {
		struct rewinding *w = ask(200, (struct store_moment){.seq = ++seq});
		struct store_moment moment;

		wait_for(w);
		fd = rewinder_take(w, &moment, &err);
		if (fd >= 0)
			close(fd);
		rewinder_forget(kept.rewinder, w);
	}
	assert_true(seq >= REWINDINGS_AT_ONCE);
	assert_int_equal(fd, -1);
	assert_string_equal(err.text, "32 past states were requested in a row; try again in a moment");
	file_of(201, true, seq);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_state_comes_by_its_entry_or_by_a_second),
		cmocka_unit_test(what_is_not_kept_is_said),
		cmocka_unit_test(everybody_has_one_at_a_time),
		cmocka_unit_test(all_together_have_a_few),
		cmocka_unit_test(the_same_moment_is_one_file),
		cmocka_unit_test(one_user_has_so_many_moments_in_a_row),
		cmocka_unit_test(what_was_asked_for_may_be_left_at_any_time),
	};

	return cmocka_run_group_tests_name("rewinder", tests, begin, end);
}
