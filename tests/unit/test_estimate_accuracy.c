/* SPDX-License-Identifier: MIT */
/* test_estimate_accuracy.c - estimates read from a store, compared with actual starts */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/told_store.h"
#include "tui/report/estimate_accuracy.h"

static struct estimate_accuracy_query query_of(const struct told_store *ts)
{
	return (struct estimate_accuracy_query){.source = {.store = ts->store},
						.since_s = INT64_MIN / 2,
						.until_seq = scene_view(ts->sc)->seq,
						.setup.full_every = 1,
						.worst = true};
}

static void each_start_is_found_with_its_estimate(void **state)
{
	struct told_store ts;
	struct estimate_accuracy_query query;
	struct estimate_accuracy found = {.row = NULL};
	struct err err;

	(void)state;
	told_store_begin(&ts);
	query = query_of(&ts);
	assert_true(estimate_accuracy_read(&found, &query, &err));
	assert_int_equal(found.started, TOLD_JOBS);
	assert_int_equal(found.count, TOLD_JOBS);
	for (size_t i = 0; i < found.count; i++) {
		assert_int_equal(found.row[i].start_s, 50 * i);
		assert_int_equal(found.row[i].said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT], 100 * i);
		assert_int_equal(found.row[i].said_s[ESTIMATE_SUBMITTED][ESTIMATE_FULL], 100 * i);
	}
	estimate_accuracy_clear(&found);
	told_store_end(&ts);
}

static void the_worst_errors_have_causes(void **state)
{
	struct told_store ts;
	struct estimate_accuracy_query query;
	struct estimate_accuracy found = {.row = NULL};

	(void)state;
	told_store_begin(&ts);
	query = query_of(&ts);
	assert_true(estimate_accuracy_read(&found, &query, &(struct err){.text = ""}));
	assert_int_equal(found.tales, ESTIMATES_WORST);
	assert_int_equal(found.track[0].row.job, TOLD_JOBS);
	assert_string_equal(found.track[0].row.label, "20");
	assert_int_equal(estimate_main_cause(&found.track[0]), ESTIMATE_BY_END);
	assert_int_equal(found.track[0].by[ESTIMATE_BY_END].moved_s, -50 * (TOLD_JOBS - 1));
	assert_int_equal(found.track[0].by[ESTIMATE_BY_END].entries, TOLD_JOBS - 1);
	estimate_accuracy_clear(&found);
	told_store_end(&ts);
}

static void only_starts_of_the_queried_period_count(void **state)
{
	struct told_store ts;
	struct estimate_accuracy_query query;
	struct estimate_accuracy found = {.row = NULL};
	struct err err;

	(void)state;
	told_store_begin(&ts);
	query = query_of(&ts);
	query.since_s = 900;
	assert_true(estimate_accuracy_read(&found, &query, &err));
	assert_int_equal(found.count, 2);
	assert_int_equal(found.from_s, 900);
	assert_int_equal(found.row[0].said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT], 1800);
	query.since_s = 0;
	query.until_seq = 1;
	assert_true(estimate_accuracy_read(&found, &query, &err));
	assert_int_equal(found.started, 0);
	assert_int_equal(found.count, 0);
	assert_int_equal(found.tales, 0);
	estimate_accuracy_clear(&found);
	told_store_end(&ts);
}

static void a_store_without_a_journal_has_no_starts(void **state)
{
	struct estimate_accuracy_query query = {.source = {.store = store_open(NULL, STORE_TEMP, NULL)},
						.worst = true};
	struct estimate_accuracy found = {.row = NULL};
	struct err err;

	(void)state;
	assert_true(estimate_accuracy_read(&found, &query, &err));
	assert_int_equal(found.started, 0);
	estimate_accuracy_clear(&found);
	store_close(query.source.store);
}

static bool has_calls_left(void *self)
{
	int *left = self;

	return (*left)-- > 0;
}

static void a_query_can_be_stopped(void **state)
{
	struct told_store ts;
	struct estimate_accuracy_query query;
	struct estimate_accuracy found = {.row = NULL};
	int left = 3;
	struct err err;

	(void)state;
	told_store_begin(&ts);
	query = query_of(&ts);
	query.setup.should_continue = has_calls_left;
	query.setup.self = &left;
	assert_false(estimate_accuracy_read(&found, &query, &err));
	assert_string_equal(err.text, "");
	estimate_accuracy_clear(&found);
	told_store_end(&ts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_start_is_found_with_its_estimate),
		cmocka_unit_test(the_worst_errors_have_causes),
		cmocka_unit_test(only_starts_of_the_queried_period_count),
		cmocka_unit_test(a_store_without_a_journal_has_no_starts),
		cmocka_unit_test(a_query_can_be_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
