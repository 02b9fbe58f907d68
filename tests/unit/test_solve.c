/* SPDX-License-Identifier: MIT */
/*
 * test_solve.c - the value of an option, nearest to the current one, with which a job starts in time
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/forecast/project.h"
#include "sched/forecast/solve.h"
#include "sched/state/draft.h"
#include "tests/scene.h"

/* Eva's limit of 300 outstanding processor-seconds is used up by job 1 until 100 s, so job 3 waits. Bob's job
 * 2 runs until 400 s, and his job 4 waits for the whole machine. */
static struct scene *queue(void)
{
	struct scene *sc = scene_new(1, 8);

	scene_config(sc, "user eva { maxps = 300 }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 3});
	scene_add(sc, (struct scene_job){.user = "bob", .procs = 3, .wall_s = 400});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2});
	scene_add(sc, (struct scene_job){.user = "bob", .procs = 8});
	return sc;
}

/* Searches a value of the option with which the job starts by by_s, with results known from earlier searches.
 */
static struct solve search_with_known(const struct scene *sc, const char *name, uint64_t job, int64_t by_s,
				      double lo, double hi, struct solve_known *known)
{
	struct arena arena = {0};
	struct solve found = {.tried = 0};
	struct knob knob;
	struct solve_setup setup = {.knob = &knob,
				    .lo = lo,
				    .hi = hi,
				    .job = job,
				    .now_s = sc->now_s,
				    .by_s = by_s,
				    .known = known};

	assert_true(knob_find(&knob, scene_view(sc), name, &arena, NULL));
	assert_true(solve_find(&found, scene_view(sc), &setup, NULL));
	arena_free(&arena);
	return found;
}

static struct solve find_value(const struct scene *sc, const char *name, uint64_t job, int64_t by_s,
			       double lo, double hi)
{
	return search_with_known(sc, name, job, by_s, lo, hi, NULL);
}

static void the_smallest_limit_is_found_exactly(void **state)
{
	struct scene *sc = queue();
	struct solve found = find_value(sc, "user[eva].maxps", 3, 0, 0, 100000);

	(void)state;
	assert_int_equal(found.outcome, SOLVE_FOUND);
	assert_int_equal((int)found.value, 500);
	assert_int_equal(found.start_s, 0);
	assert_true(found.start_without_s > 0);
	solve_clear(&found);
	scene_free(sc);
}

/* Bo's job 3 needs 9 processors in addition to the 10 in use. With a limit of 24 or more, Bo's job 2 starts
 * first and leaves only 6. */
static void an_isolated_working_limit_is_found(void **state)
{
	struct scene *sc = scene_new(1, 30);
	struct solve found;

	(void)state;
	scene_config(sc, "user bo { maxproc = 10 }\nbackfillpolicy = firstfit\n");
	scene_add(sc, (struct scene_job){.user = "bo", .procs = 10, .wall_s = 400});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bo", .procs = 14, .wall_s = 400});
	scene_add(sc, (struct scene_job){.user = "bo", .procs = 9, .wall_s = 400});
	found = find_value(sc, "user[bo].maxproc", 3, 0, 0, 1000);
	assert_int_equal(found.outcome, SOLVE_FOUND);
	assert_int_equal((int)found.value, 19);
	assert_true(found.each_within >= 8);
	solve_clear(&found);
	found = find_value(sc, "user[bo].maxproc", 3, 0, 24, 1000);
	assert_int_equal(found.outcome, SOLVE_NONE);
	solve_clear(&found);
	scene_free(sc);
}

static void known_results_are_not_projected_again(void **state)
{
	struct scene *sc = queue();
	struct solve_known known = {.has_start = false};
	struct solve found = search_with_known(sc, "user[eva].maxps", 3, 0, 0, 100000, &known);
	struct solve again = search_with_known(sc, "user[eva].maxps", 3, 0, 0, 100000, &known);

	(void)state;
	assert_true(known.has_start && known.has_live);
	assert_int_equal(again.outcome, SOLVE_FOUND);
	assert_true(again.value == found.value);
	assert_int_equal(again.start_without_s, found.start_without_s);
	assert_int_equal(again.effect.later, found.effect.later);
	assert_int_equal(again.tried + 1, found.tried);
	solve_clear(&again);
	solve_clear(&found);
	solve_known_clear(&known);
	scene_free(sc);
}

/* Memory weight has no effect until a job requests memory. */
static void options_without_weight_are_not_tried(void **state)
{
	struct scene *sc = queue();
	struct solve found = find_value(sc, "memweight", 3, 0, 0, 1000);

	(void)state;
	assert_int_equal(found.outcome, SOLVE_NONE);
	assert_int_equal(found.tried, 1);
	solve_clear(&found);
	scene_add(sc, (struct scene_job){.user = "bob", .procs = 8, .mem_mb = 1});
	found = find_value(sc, "memweight", 3, 0, 0, 1000);
	assert_int_equal(found.outcome, SOLVE_NONE);
	assert_true(found.tried > 10);
	solve_clear(&found);
	scene_free(sc);
}

static void a_later_time_needs_a_smaller_change(void **state)
{
	struct scene *sc = queue();
	struct solve found = find_value(sc, "user[eva].maxps", 3, 40, 0, 100000);

	(void)state;
	assert_int_equal(found.outcome, SOLVE_FOUND);
	assert_int_equal((int)found.value, 380);
	assert_int_equal(found.start_s, 40);
	solve_clear(&found);
	scene_free(sc);
}

static void values_below_the_current_one_are_found(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct solve found;

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nprocweight = 0\nwalltimeweight = 50\nuserweight = 1\n"
			 "user eva { priority = 3000 }\n");
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 200});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 100});
	found = find_value(sc, "walltimeweight", 3, 100, 0, 1000);
	assert_int_equal(found.outcome, SOLVE_FOUND);
	/* 100 w + 3000 > 200 w */
	assert_int_equal((int)found.value, 29);
	assert_int_equal(found.effect.later, 1);
	solve_clear(&found);
	scene_free(sc);
}

static void a_fraction_is_found_to_a_thousandth(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct solve found;

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nprocweight = 0\nwalltimeweight = 20\nuserweight = 0.5\n"
			 "user eva { priority = 3000 }\n");
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 200});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 100});
	found = find_value(sc, "userweight", 3, 100, 0, 1);
	assert_int_equal(found.outcome, SOLVE_FOUND);
	/* 100 * 20 + 3000 w > 200 * 20 */
	assert_true(found.value == 0.667);
	solve_clear(&found);
	scene_free(sc);
}

static void a_job_that_starts_in_time_needs_no_value(void **state)
{
	struct scene *sc = queue();
	struct solve found = find_value(sc, "user[eva].maxps", 3, 1000, 0, 100000);

	(void)state;
	assert_int_equal(found.outcome, SOLVE_NEEDLESS);
	assert_int_equal((int)found.value, 300);
	solve_clear(&found);
	scene_free(sc);
}

static void nearest_only_skips_the_soonest_start(void **state)
{
	struct scene *sc = queue();
	struct arena arena = {0};
	struct solve found = {.tried = 0};
	struct knob knob;
	struct solve_setup setup = {.knob = &knob, .hi = 400, .job = 3, .now_s = 0, .nearest_only = true};

	(void)state;
	assert_true(knob_find(&knob, scene_view(sc), "user[eva].maxps", &arena, NULL));
	assert_true(solve_find(&found, scene_view(sc), &setup, NULL));
	assert_int_equal(found.outcome, SOLVE_NONE);
	assert_int_equal((int)found.value, 300);
	assert_int_equal(found.start_s, found.start_without_s);
	solve_clear(&found);
	arena_free(&arena);
	scene_free(sc);
}

static void no_value_in_range_reports_the_blocking_reason(void **state)
{
	struct scene *sc = queue();
	struct solve found = find_value(sc, "user[eva].maxps", 3, 0, 0, 400);

	(void)state;
	assert_int_equal(found.outcome, SOLVE_NONE);
	assert_int_equal((int)found.value, 400);
	assert_true(found.start_s < found.start_without_s);
	assert_int_equal(found.holds.gate, GATE_ACTIVE_HARD);
	assert_int_equal(found.holds.limit, 400);
	solve_clear(&found);
	found = find_value(sc, "queuetimeweight", 4, 0, 0, 100000);
	assert_int_equal(found.outcome, SOLVE_NONE);
	assert_int_equal(found.holds.gate, GATE_RESOURCES);
	solve_clear(&found);
	scene_free(sc);
}

static bool stop(void *self)
{
	(void)self;
	return false;
}

static void invalid_searches_are_refused(void **state)
{
	struct scene *sc = queue();
	struct arena arena = {0};
	struct solve found = {.tried = 0};
	struct knob knob;
	struct err err;
	struct solve_setup setup = {.knob = &knob, .lo = 0, .hi = 1000, .job = 1};

	(void)state;
	assert_true(knob_find(&knob, scene_view(sc), "user[eva].maxps", &arena, NULL));
	assert_false(solve_find(&found, scene_view(sc), &setup, &err));
	assert_non_null(strstr(err.text, "is not idle"));
	setup.job = 3;
	setup.by_s = -1;
	assert_false(solve_find(&found, scene_view(sc), &setup, &err));
	setup.by_s = 0;
	setup.lo = 1001;
	assert_false(solve_find(&found, scene_view(sc), &setup, &err));
	setup.lo = 0;
	setup.should_continue = stop;
	assert_true(solve_find(&found, scene_view(sc), &setup, &err));
	assert_int_equal(found.outcome, SOLVE_STOPPED);
	solve_clear(&found);
	arena_free(&arena);
	scene_free(sc);
}

/* Allows the search to continue a given number of times. */
static bool has_patience(void *self)
{
	unsigned *left = self;

	return *left > 0 && (*left)-- > 0;
}

/* In a range that contains a solution, and in a range without one. */
static void a_stopped_search_gives_no_value(void **state)
{
	static const double hi[] = {100000, 400};
	struct scene *sc = queue();
	struct arena arena = {0};
	struct solve found = {.tried = 0};
	struct knob knob;
	unsigned left, needed;
	struct solve_setup setup = {.knob = &knob, .job = 3, .should_continue = has_patience, .self = &left};

	(void)state;
	assert_true(knob_find(&knob, scene_view(sc), "user[eva].maxps", &arena, NULL));
	for (size_t i = 0; i < 2; i++) {
		setup.hi = hi[i];
		left = UINT32_MAX;
		assert_true(solve_find(&found, scene_view(sc), &setup, NULL));
		assert_int_equal(found.outcome, i == 0 ? SOLVE_FOUND : SOLVE_NONE);
		needed = UINT32_MAX - left;
		for (unsigned n = 0; n < needed; n += 1 + n / 6) {
			left = n;
			assert_true(solve_find(&found, scene_view(sc), &setup, NULL));
			assert_int_equal(found.outcome, SOLVE_STOPPED);
		}
	}
	solve_clear(&found);
	arena_free(&arena);
	scene_free(sc);
}

/* A limit of 450 would start the job before the end of job 1, but is outside the range. */
static void the_value_of_the_soonest_start_is_within_the_range(void **state)
{
	struct scene *sc = queue();
	struct solve found = find_value(sc, "user[eva].maxps", 3, 0, 250, 350);

	(void)state;
	assert_int_equal(found.outcome, SOLVE_NONE);
	assert_int_equal((int)found.value, 350);
	solve_clear(&found);
	scene_free(sc);
}

static void a_refused_draft_or_missing_job_has_no_value(void **state)
{
	struct scene *sc = queue();
	struct arena arena = {0};
	struct solve found = {.tried = 0};
	struct event hold = {.kind = EVENT_HOLD, .job = 99, .hold = {.bits = JOB_HOLD_USER, .on = true}};
	struct knob knob;
	struct err err;
	struct solve_setup setup = {.knob = &knob, .hi = 1000, .job = 3, .ev = &hold, .count = 1};

	(void)state;
	assert_true(knob_find(&knob, scene_view(sc), "user[eva].maxps", &arena, NULL));
	assert_false(solve_find(&found, scene_view(sc), &setup, &err));
	assert_non_null(strstr(err.text, "99"));
	setup.count = 0;
	setup.job = 99;
	assert_false(solve_find(&found, scene_view(sc), &setup, &err));
	assert_string_equal(err.text, "job 99 is not idle");
	solve_clear(&found);
	arena_free(&arena);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_smallest_limit_is_found_exactly),
		cmocka_unit_test(an_isolated_working_limit_is_found),
		cmocka_unit_test(known_results_are_not_projected_again),
		cmocka_unit_test(options_without_weight_are_not_tried),
		cmocka_unit_test(a_later_time_needs_a_smaller_change),
		cmocka_unit_test(values_below_the_current_one_are_found),
		cmocka_unit_test(a_fraction_is_found_to_a_thousandth),
		cmocka_unit_test(a_job_that_starts_in_time_needs_no_value),
		cmocka_unit_test(nearest_only_skips_the_soonest_start),
		cmocka_unit_test(no_value_in_range_reports_the_blocking_reason),
		cmocka_unit_test(invalid_searches_are_refused),
		cmocka_unit_test(a_stopped_search_gives_no_value),
		cmocka_unit_test(the_value_of_the_soonest_start_is_within_the_range),
		cmocka_unit_test(a_refused_draft_or_missing_job_has_no_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
