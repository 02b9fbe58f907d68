/* SPDX-License-Identifier: MIT */
/*
 * test_history.c - history of ended jobs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/state/state.h"
#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"

static struct {
	struct store *store;
	struct history history;
	int64_t last_s; /* time of the last end of a job */
	uint64_t ended; /* number of ended jobs */
} past;

/* Minimum number of ended jobs: more than are read in one transaction. */
#define ENDED 5000

static int make_past(void **state)
{
	struct rng rng = seeded("a history of 5000 jobs");
	struct ledger ledger;

	(void)state;
	past.store = store_open_sized(NULL, STORE_TEMP, (size_t)1 << 24, NULL);
	ledger = store_ledger(past.store);
	history_begin(&past.history, rng_u64(&rng));
	while (past.ended < ENDED) {
		struct ledger_step step = history_step(&past.history, 1000);

		if (!ledger.ops->commit(ledger.self, &step, NULL))
			return -1;
		past.ended += step.ended_count;
		/* Ends are not in order of time if the clock was set back. */
		for (size_t i = 0; i < step.ended_count; i++)
			if (step.ended[i].end_s > past.last_s)
				past.last_s = step.ended[i].end_s;
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

struct count {
	uint64_t seen, stop_at;
	int64_t first_s, last_s;
	uint64_t last_id;
};

static bool count_one(void *self, const struct ended_job *ended)
{
	struct count *c = self;

	assert_true(ended->end_s >= c->last_s);
	assert_true(ended->end_s > c->last_s || ended->record.job.id > c->last_id);
	if (c->seen++ == 0)
		c->first_s = ended->end_s;
	c->last_s = ended->end_s;
	c->last_id = ended->record.job.id;
	return c->seen != c->stop_at;
}

static void every_job_is_seen_once_in_the_order_of_ends(void **state)
{
	struct count c = {.last_s = INT64_MIN};
	struct err err;

	(void)state;
	assert_true(store_history(past.store, INT64_MIN, count_one, &c, &err));
	assert_int_equal(c.seen, past.ended);
	assert_true(c.last_s == past.last_s);
}

static void jobs_that_ended_earlier_are_omitted(void **state)
{
	struct count all = {.last_s = INT64_MIN}, some = {.last_s = INT64_MIN};
	struct err err;
	int64_t since_s;

	(void)state;
	assert_true(store_history(past.store, INT64_MIN, count_one, &all, &err));
	since_s = all.first_s + (all.last_s - all.first_s) / 2;
	assert_true(store_history(past.store, since_s, count_one, &some, &err));
	assert_true(some.first_s >= since_s);
	assert_true(some.seen > 0 && some.seen < all.seen);
	some = (struct count){.last_s = INT64_MIN};
	assert_true(store_history(past.store, all.last_s + 1, count_one, &some, &err));
	assert_int_equal(some.seen, 0);
}

static void a_visitor_may_stop_the_traversal(void **state)
{
	struct count c = {.last_s = INT64_MIN, .stop_at = 4100};
	struct err err;

	(void)state;
	assert_true(store_history(past.store, INT64_MIN, count_one, &c, &err));
	assert_int_equal(c.seen, 4100);
}

static void check_range(const struct history_filter *filter, uint32_t i, uint64_t first, uint64_t last)
{
	assert_true(i < filter->id_count);
	assert_int_equal(filter->id[i].first, first);
	assert_int_equal(filter->id[i].last, last);
}

static void requested_ids_are_merged_into_few_ranges(void **state)
{
	struct history_ids some[] = {{9, 9}, {3, 5}, {4, 4}, {6, 6}, {20, UINT64_MAX}, {9, 9}};
	struct history_ids many[HISTORY_IDS_MAX + 3];
	struct history_filter filter = {.id_count = 0};

	(void)state;
	history_filter_ids(&filter, some, sizeof some / sizeof some[0]);
	assert_int_equal(filter.id_count, 3);
	check_range(&filter, 0, 3, 6);
	check_range(&filter, 1, 9, 9);
	check_range(&filter, 2, 20, UINT64_MAX);
	for (size_t i = 0; i < HISTORY_IDS_MAX + 3; i++)
		many[i] = (struct history_ids){1000 * i + 1, 1000 * i + 1};
	many[5].last = many[6].first - 10; /* the smallest gaps */
	many[8].last = many[9].first - 20;
	many[9].last = many[10].first - 30;
	history_filter_ids(&filter, many, HISTORY_IDS_MAX + 3);
	assert_int_equal(filter.id_count, HISTORY_IDS_MAX);
	check_range(&filter, 4, 4001, 4001);
	check_range(&filter, 5, 5001, 6001);
	check_range(&filter, 7, 8001, 10001);
	check_range(&filter, 8, 11001, 11001);
	history_filter_ids(&filter, many, 0);
	assert_int_equal(filter.id_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_job_is_seen_once_in_the_order_of_ends),
		cmocka_unit_test(jobs_that_ended_earlier_are_omitted),
		cmocka_unit_test(a_visitor_may_stop_the_traversal),
		cmocka_unit_test(requested_ids_are_merged_into_few_ranges),
	};

	return cmocka_run_group_tests_name("history", tests, make_past, free_past);
}
