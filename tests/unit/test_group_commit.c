/* SPDX-License-Identifier: MIT */
/* test_group_commit.c - unit tests of group commits: many steps in one commit of the store */
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

/* Runs a fixed workload on a store, in one commit or step by step; returns the hash of the state. */
static uint64_t run_workload(struct store *store, bool as_group)
{
	struct group_commit group;
	struct ledger inner = store_ledger(store);
	struct driver *driver = driver_new(fake_from_workload(&cluster, &origin),
					   as_group ? group_commit_begin(&group, inner) : inner, NULL);
	uint64_t hash;

	assert_non_null(driver);
	while (driver_next_s(driver) <= UNTIL_S)
		assert_true(driver_step(driver, driver_next_s(driver), NULL));
	hash = state_hash(driver_view(driver));
	if (as_group)
		assert_true(group_commit_end(&group, driver_view(driver), NULL));
	driver_free(driver);
	return hash;
}

static uint64_t hash_of_loaded_state(struct store *store)
{
	struct ledger ledger = store_ledger(store);
	struct state *st = state_new();
	uint64_t hash;

	assert_true(ledger.ops->load(ledger.self, st, NULL));
	hash = state_hash(state_view(st));
	state_free(st);
	return hash;
}

static void a_group_commit_stores_the_same_as_single_commits(void **state)
{
	struct store *store = store_open("", STORE_TEMP, NULL);
	uint64_t first, last, stepped, grouped;
	struct err err = {""};

	(void)state;
	stepped = run_workload(store, false);
	assert_true(hash_of_loaded_state(store) == stepped);
	store_close(store);

	store = store_open("", STORE_TEMP, NULL);
	grouped = run_workload(store, true);
	assert_true(grouped == stepped);
	assert_true(hash_of_loaded_state(store) == grouped);
	assert_true(store_journal_range(store, &first, &last, NULL));
	assert_int_equal(first, 1);
	assert_true(last > 500);
	if (!store_verify(store, &err))
		fail_msg("%s", err.text);
	store_close(store);
}

static void a_dropped_group_stores_nothing(void **state)
{
	struct store *store = store_open("", STORE_TEMP, NULL);
	struct group_commit group;
	struct driver *driver = driver_new(fake_from_workload(&cluster, &origin),
					   group_commit_begin(&group, store_ledger(store)), NULL);
	uint64_t first, last;

	(void)state;
	for (int i = 0; i < 20; i++)
		assert_true(driver_step(driver, driver_next_s(driver), NULL));
	driver_free(driver);
	group_commit_drop(&group);
	assert_true(store_journal_range(store, &first, &last, NULL));
	assert_int_equal(last, 0);
	store_close(store);
}

static void begin_two_jobs(struct driven *s, struct group_commit *group)
{
	struct err err;

	*s = (struct driven){.manager = {.next = two_jobs, .nodes = 1}};
	memory_begin(&s->ledger);
	s->driver = driver_new(manager_rm(&s->manager), group_commit_begin(group, memory_ledger(&s->ledger)),
			       &err);
	assert_non_null(s->driver);
	driven_step(s, 20);
	driven_step(s, 60);
}

static bool list_ended(void *self, const struct ledger_step *step, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < step->ended_count; i++)
		str_addf(self, "%s: %s\n", step->ended[i].record.name, step->ended[i].why);
	return true;
}

/* The strings of a step are valid only until its commit returns. */
static void strings_of_ended_jobs_are_copied_until_the_group_is_committed(void **state)
{
	static const struct ledger_ops names = {.commit = list_ended};
	char name[] = "relax", reason[] = "out of memory";
	struct event ev = {.kind = EVENT_END, .job = 1, .who = "sched"};
	struct ended_job ended = {.record.name = name, .why = reason};
	const struct ledger_step step = {.event = &ev, .event_count = 1, .ended = &ended, .ended_count = 1};
	struct str text = {0};
	struct group_commit group;
	struct ledger ledger = group_commit_begin(&group, (struct ledger){&names, &text});
	struct err err;

	(void)state;
	assert_true(ledger.ops->commit(ledger.self, &step, &err));
	memset(name, 'x', sizeof name - 1);
	memset(reason, 'x', sizeof reason - 1);
	assert_true(group_commit_end(&group, NULL, &err));
	assert_string_equal(str_text(&text), "relax: out of memory\n");
	str_free(&text);
}

static void jobs_that_end_in_a_group_are_in_its_commit(void **state)
{
	struct group_commit group;
	struct driven s;
	struct err err;

	(void)state;
	begin_two_jobs(&s, &group);
	assert_int_equal(s.ledger.commits, 0);
	assert_true(group_commit_end(&group, driver_view(s.driver), &err));
	assert_int_equal(s.ledger.commits, 1);
	assert_string_equal(
		str_text(&s.ledger.ended),
		"1 ended at 60, status 0, started at 20, user u1, name name of 1, 4 processors\n");
	driven_end(&s);
}

static void a_group_whose_commit_failed_can_be_dropped(void **state)
{
	struct group_commit group;
	struct driven s;
	struct err err;

	(void)state;
	begin_two_jobs(&s, &group);
	s.ledger.fail_next = 1;
	assert_false(group_commit_end(&group, driver_view(s.driver), &err));
	assert_string_equal(err.text, "the disk is full");
	group_commit_drop(&group);
	assert_int_equal(s.ledger.commits, 0);
	assert_int_equal(s.ledger.ended.len, 0);
	driven_end(&s);
}

/* Recalls within a group are passed to the store; an empty group commits nothing. */
static void a_recall_in_a_group_reads_the_store(void **state)
{
	static const struct ledger_ops no_recall = {.load = NULL};
	struct store *store = store_open("", STORE_TEMP, NULL);
	const struct cookie cookie = {.uid = 7};
	struct str answer = {0};
	uint64_t first, last;
	struct err err;

	(void)state;
	for (int with_store = 0; with_store < 2; with_store++) {
		struct group_commit group;
		struct ledger ledger = group_commit_begin(
			&group, with_store ? store_ledger(store) : (struct ledger){.ops = &no_recall});
		bool known = true;

		assert_true(ledger.ops->recall(ledger.self, &cookie, &known, &answer, &err));
		assert_false(known);
		assert_true(group_commit_end(&group, NULL, &err));
	}
	assert_true(store_journal_range(store, &first, &last, NULL));
	assert_int_equal(last, 0);
	str_free(&answer);
	store_close(store);
}

static void after_the_group_each_step_is_a_commit(void **state)
{
	struct store *store = store_open("", STORE_TEMP, NULL);
	struct group_commit group;
	struct driver *driver = driver_new(fake_from_workload(&cluster, &origin),
					   group_commit_begin(&group, store_ledger(store)), NULL);
	uint64_t first, last;

	(void)state;
	assert_true(group_commit_end(&group, driver_view(driver), NULL));
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
		cmocka_unit_test(a_group_commit_stores_the_same_as_single_commits),
		cmocka_unit_test(a_dropped_group_stores_nothing),
		cmocka_unit_test(after_the_group_each_step_is_a_commit),
		cmocka_unit_test(strings_of_ended_jobs_are_copied_until_the_group_is_committed),
		cmocka_unit_test(jobs_that_end_in_a_group_are_in_its_commit),
		cmocka_unit_test(a_group_whose_commit_failed_can_be_dropped),
		cmocka_unit_test(a_recall_in_a_group_reads_the_store),
	};

	return cmocka_run_group_tests_name("burst", tests, NULL, NULL);
}
