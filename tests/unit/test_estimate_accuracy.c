/* SPDX-License-Identifier: MIT */
/*
 * test_estimates.c - estimates read from a store, compared with actual starts
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/told_store.h"
#include "tui/report/estimate_accuracy.h"

static struct estimate_accuracy_query wish_of(const struct told_store *ts)
{
	return (struct estimate_accuracy_query){.source = {.store = ts->store},
						.since_s = INT64_MIN / 2,
						.until_seq = scene_view(ts->sc)->seq,
						.worst = true};
}

static void each_start_is_found_with_what_was_said_of_it(void **state)
{
	struct told_store ts;
	struct estimate_accuracy_query wish;
	struct estimate_accuracy found = {.row = NULL};
	struct err err;

	(void)state;
	told_store_begin(&ts);
	wish = wish_of(&ts);
	assert_true(estimate_accuracy_read(&found, &wish, &err));
	assert_int_equal(found.started, TOLD_JOBS);
	assert_int_equal(found.count, TOLD_JOBS);
	for (size_t i = 0; i < found.count; i++) {
		assert_int_equal(found.row[i].start_s, 50 * i);
		assert_int_equal(found.row[i].said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT], 100 * i);
		assert_int_equal(found.row[i].said_s[ESTIMATE_SUBMITTED][ESTIMATE_FULL], TIME_NONE);
	}
	estimate_accuracy_clear(&found);
	told_store_end(&ts);
}

static void the_worst_have_their_causes(void **state)
{
	struct told_store ts;
	struct estimate_accuracy_query wish;
	struct estimate_accuracy found = {.row = NULL};

	(void)state;
	told_store_begin(&ts);
	wish = wish_of(&ts);
	assert_true(estimate_accuracy_read(&found, &wish, &(struct err){.text = ""}));
	assert_int_equal(found.tales, ESTIMATES_WORST);
	assert_int_equal(found.track[0].row.job, TOLD_JOBS);
	assert_string_equal(found.track[0].row.label, "20");
	assert_int_equal(estimate_main_cause(&found.track[0]), ESTIMATE_BY_END);
	assert_int_equal(found.track[0].by[ESTIMATE_BY_END].moved_s, -50 * (TOLD_JOBS - 1));
	assert_int_equal(found.track[0].by[ESTIMATE_BY_END].entries, TOLD_JOBS - 1);
	estimate_accuracy_clear(&found);
	told_store_end(&ts);
}

static void only_starts_of_the_time_looked_at_count(void **state)
{
	struct told_store ts;
	struct estimate_accuracy_query wish;
	struct estimate_accuracy found = {.row = NULL};
	struct err err;

	(void)state;
	told_store_begin(&ts);
	wish = wish_of(&ts);
	wish.since_s = 900;
	assert_true(estimate_accuracy_read(&found, &wish, &err));
	assert_int_equal(found.count, 2);
	assert_int_equal(found.from_s, 900);
	assert_int_equal(found.row[0].said_s[ESTIMATE_SUBMITTED][ESTIMATE_INSTANT], 1800);
	wish.since_s = 0;
	wish.until_seq = 1;
	assert_true(estimate_accuracy_read(&found, &wish, &err));
	assert_int_equal(found.started, 0);
	assert_int_equal(found.count, 0);
	assert_int_equal(found.tales, 0);
	estimate_accuracy_clear(&found);
	told_store_end(&ts);
}

static void a_store_without_a_journal_has_no_starts(void **state)
{
	struct estimate_accuracy_query wish = {.source = {.store = store_open(NULL, STORE_TEMP, NULL)},
					       .worst = true};
	struct estimate_accuracy found = {.row = NULL};
	struct err err;

	(void)state;
	assert_true(estimate_accuracy_read(&found, &wish, &err));
	assert_int_equal(found.started, 0);
	estimate_accuracy_clear(&found);
	store_close(wish.source.store);
}

static bool thrice(void *self)
{
	int *left = self;

	return (*left)-- > 0;
}

static void it_stops_when_it_is_told_to(void **state)
{
	struct told_store ts;
	struct estimate_accuracy_query wish;
	struct estimate_accuracy found = {.row = NULL};
	int left = 3;
	struct err err;

	(void)state;
	told_store_begin(&ts);
	wish = wish_of(&ts);
	wish.setup.should_continue = thrice;
	wish.setup.self = &left;
	assert_false(estimate_accuracy_read(&found, &wish, &err));
	assert_string_equal(err.text, "");
	estimate_accuracy_clear(&found);
	told_store_end(&ts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_start_is_found_with_what_was_said_of_it),
		cmocka_unit_test(the_worst_have_their_causes),
		cmocka_unit_test(only_starts_of_the_time_looked_at_count),
		cmocka_unit_test(a_store_without_a_journal_has_no_starts),
		cmocka_unit_test(it_stops_when_it_is_told_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
