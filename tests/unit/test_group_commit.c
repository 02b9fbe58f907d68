/* SPDX-License-Identifier: MIT */
/*
 * test_group_commit.c - is a burst one commit, and is what was held the same as what came?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driven.h"
#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "sched/host/group_commit.h"
#include "store/store.h"

static const struct fake_cluster cluster = {.nodes = 4, .node_procs = 8, .node_mem_mb = 1000};
static const struct sim_origin origin = {
	.seed = 5, .next_index = 1, .load_pct = 120, .last_s = 1000, .active = 1};

#define UNTIL_S 400000

/* Runs the same days into a store, in one commit or step by step; returns the state's hash. */
static uint64_t run(struct store *store, bool in_one)
{
	struct group_commit burst;
	struct ledger inner = store_ledger(store);
	struct driver *driver = driver_new(fake_from_workload(&cluster, &origin),
					   in_one ? group_commit_begin(&burst, inner) : inner, NULL);
	uint64_t hash;

	assert_non_null(driver);
	while (driver_next_s(driver) <= UNTIL_S)
		assert_true(driver_step(driver, driver_next_s(driver), NULL));
	hash = state_hash(driver_view(driver));
	if (in_one)
		assert_true(group_commit_end(&burst, driver_view(driver), NULL));
	driver_free(driver);
	return hash;
}

static uint64_t loaded_hash(struct store *store)
{
	struct ledger ledger = store_ledger(store);
	struct state *st = state_new();
	uint64_t hash;

	assert_true(ledger.ops->load(ledger.self, st, NULL));
	hash = state_hash(state_view(st));
	state_free(st);
	return hash;
}

static void a_burst_leaves_what_steps_would_have(void **state)
{
	struct store *store = store_open("", STORE_TEMP, NULL);
	uint64_t first, last, stepped, held;
	struct err err = {""};

	(void)state;
	stepped = run(store, false);
	assert_true(loaded_hash(store) == stepped);
	store_close(store);

	store = store_open("", STORE_TEMP, NULL);
	held = run(store, true);
	assert_true(held == stepped);
	assert_true(loaded_hash(store) == held);
	assert_true(store_journal_range(store, &first, &last, NULL));
	assert_int_equal(first, 1);
	assert_true(last > 500);
	if (!store_verify(store, &err))
		fail_msg("%s", err.text);
	store_close(store);
}

static void a_burst_that_is_dropped_leaves_nothing(void **state)
{
	struct store *store = store_open("", STORE_TEMP, NULL);
	struct group_commit burst;
	struct driver *driver = driver_new(fake_from_workload(&cluster, &origin),
					   group_commit_begin(&burst, store_ledger(store)), NULL);
	uint64_t first, last;

	(void)state;
	for (int i = 0; i < 20; i++)
		assert_true(driver_step(driver, driver_next_s(driver), NULL));
	driver_free(driver);
	group_commit_drop(&burst);
	assert_true(store_journal_range(store, &first, &last, NULL));
	assert_int_equal(last, 0);
	store_close(store);
}

static void begin_two_jobs(struct driven *s, struct group_commit *burst)
{
	struct err err;

	*s = (struct driven){.manager = {.next = two_jobs, .nodes = 1}};
	memory_begin(&s->ledger);
	s->driver = driver_new(manager_rm(&s->manager), group_commit_begin(burst, memory_ledger(&s->ledger)),
			       &err);
	assert_non_null(s->driver);
	driven_step(s, 20);
	driven_step(s, 60);
}

static bool name_ended(void *self, const struct ledger_step *step, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < step->ended_count; i++)
		str_addf(self, "%s: %s\n", step->ended[i].record.name, step->ended[i].why);
	return true;
}

/* What a step points at lasts no longer than its commit. */
static void what_is_told_of_ended_jobs_is_kept_until_the_burst_is_over(void **state)
{
	static const struct ledger_ops names = {.commit = name_ended};
	char name[] = "relax", why[] = "out of memory";
	struct event ev = {.kind = EVENT_END, .job = 1, .who = "sched"};
	struct ended_job ended = {.record.name = name, .why = why};
	const struct ledger_step step = {.event = &ev, .event_count = 1, .ended = &ended, .ended_count = 1};
	struct str text = {0};
	struct group_commit burst;
	struct ledger ledger = group_commit_begin(&burst, (struct ledger){&names, &text});
	struct err err;

	(void)state;
	assert_true(ledger.ops->commit(ledger.self, &step, &err));
	memset(name, 'x', sizeof name - 1);
	memset(why, 'x', sizeof why - 1);
	assert_true(group_commit_end(&burst, NULL, &err));
	assert_string_equal(str_text(&text), "relax: out of memory\n");
	str_free(&text);
}

static void jobs_that_end_in_a_burst_are_in_its_commit(void **state)
{
	struct group_commit burst;
	struct driven s;
	struct err err;

	(void)state;
	begin_two_jobs(&s, &burst);
	assert_int_equal(s.ledger.commits, 0);
	assert_true(group_commit_end(&burst, driver_view(s.driver), &err));
	assert_int_equal(s.ledger.commits, 1);
	assert_string_equal(
		str_text(&s.ledger.ended),
		"1 ended at 60, status 0, started at 20, user u1, name name of 1, 4 processors\n");
	driven_end(&s);
}

static void a_burst_that_the_store_refuses_may_be_dropped_again(void **state)
{
	struct group_commit burst;
	struct driven s;
	struct err err;

	(void)state;
	begin_two_jobs(&s, &burst);
	s.ledger.fail_next = 1;
	assert_false(group_commit_end(&burst, driver_view(s.driver), &err));
	assert_string_equal(err.text, "the disk is full");
	group_commit_drop(&burst);
	assert_int_equal(s.ledger.commits, 0);
	assert_int_equal(s.ledger.ended.len, 0);
	driven_end(&s);
}

/* Who asks again within it asks the store behind it; a burst of nothing is no commit. */
static void a_burst_knows_what_the_store_knows(void **state)
{
	static const struct ledger_ops forgets = {.load = NULL};
	struct store *store = store_open("", STORE_TEMP, NULL);
	const struct cookie cookie = {.uid = 7};
	struct str answer = {0};
	uint64_t first, last;
	struct err err;

	(void)state;
	for (int kept = 0; kept < 2; kept++) {
		struct group_commit burst;
		struct ledger ledger = group_commit_begin(&burst, kept ? store_ledger(store)
								       : (struct ledger){.ops = &forgets});
		bool known = true;

		assert_true(ledger.ops->recall(ledger.self, &cookie, &known, &answer, &err));
		assert_false(known);
		assert_true(group_commit_end(&burst, NULL, &err));
	}
	assert_true(store_journal_range(store, &first, &last, NULL));
	assert_int_equal(last, 0);
	str_free(&answer);
	store_close(store);
}

static void after_the_burst_each_step_is_a_commit(void **state)
{
	struct store *store = store_open("", STORE_TEMP, NULL);
	struct group_commit burst;
	struct driver *driver = driver_new(fake_from_workload(&cluster, &origin),
					   group_commit_begin(&burst, store_ledger(store)), NULL);
	uint64_t first, last;

	(void)state;
	assert_true(group_commit_end(&burst, driver_view(driver), NULL));
	for (int i = 0; i < 5; i++)
		assert_true(driver_step(driver, driver_next_s(driver), NULL));
	assert_true(store_journal_range(store, &first, &last, NULL));
	assert_true(last == driver_view(driver)->seq);
	driver_free(driver);
	store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_burst_leaves_what_steps_would_have),
		cmocka_unit_test(a_burst_that_is_dropped_leaves_nothing),
		cmocka_unit_test(after_the_burst_each_step_is_a_commit),
		cmocka_unit_test(what_is_told_of_ended_jobs_is_kept_until_the_burst_is_over),
		cmocka_unit_test(jobs_that_end_in_a_burst_are_in_its_commit),
		cmocka_unit_test(a_burst_that_the_store_refuses_may_be_dropped_again),
		cmocka_unit_test(a_burst_knows_what_the_store_knows),
	};

	return cmocka_run_group_tests_name("burst", tests, NULL, NULL);
}
