/* SPDX-License-Identifier: MIT */
/*
 * test_sweep.c - the effect of several values of one option
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/forecast/sweep.h"
#include "sched/state/draft.h"
#include "tests/scene.h"

/* Four free processors; eva has three jobs of one processor, of which one may run at a time. */
static struct scene *queue(void)
{
	struct scene *sc = scene_new(1, 4);

	scene_config(sc, "user eva { maxjob = 1 }\n");
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "eva"});
	return sc;
}

static void each_value_has_its_totals(void **state)
{
	static const char *const value[] = {"1", "2", "x", "3"};
	struct scene *sc = queue();
	struct sweep_setup setup = {
		.name = "user[eva].maxjob", .value = value, .values = 4, .watch = 3, .ahead = {.full = true}};
	struct sweep found = {.jobs = 0};

	(void)state;
	assert_true(sweep_find(&found, scene_view(sc), &setup));
	assert_int_equal(found.points, 4);
	assert_int_equal(found.jobs, 3);
	assert_true(found.live.totals.wait_s == 300);
	assert_int_equal(found.live.watch_s, 200);
	assert_true(found.point[0].totals.wait_s == 300);
	assert_int_equal(found.point[0].change.changed, 0);
	assert_true(found.point[1].totals.wait_s == 100);
	assert_int_equal(found.point[1].change.earlier, 2);
	assert_true(found.point[2].refused);
	assert_non_null(strstr(found.point[2].err.text, "x"));
	assert_true(found.point[3].totals.wait_s == 0);
	assert_int_equal(found.point[3].totals.starts_now, 3);
	assert_int_equal(found.point[3].watch_s, 0);
	assert_int_equal(found.point[3].watch_rank, 3);
	sweep_clear(&found);
	scene_free(sc);
}

/* Also for a job that a value prevents from starting. */
static void counts_of_a_value_equal_those_of_the_change_alone(void **state)
{
	static const char *const value[] = {"1", "2", "3", "4", "8"};
	struct scene *sc = scene_new(1, 4);
	struct future_setup ahead = {.full = true};
	struct sweep_setup setup = {.name = "user[eva].maxproc", .value = value, .values = 5, .ahead = ahead};
	struct sweep found = {.jobs = 0};
	struct future_pair pair = {.tier = FUTURE_FULL};

	(void)state;
	scene_config(sc, "user eva { maxproc = 2 }\n");
	scene_add(sc, (struct scene_job){.user = "bob", .procs = 2, .wall_s = 300});
	scene_pass(sc);
	for (unsigned procs = 1; procs <= 4; procs++)
		scene_add(sc, (struct scene_job){.user = procs % 2 == 0 ? "bob" : "eva", .procs = procs});
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2, .wall_s = 50});
	assert_true(sweep_find(&found, scene_view(sc), &setup));
	for (size_t i = 0; i < found.points; i++) {
		struct event ev = {.kind = EVENT_SETTING,
				   .who = "whatif",
				   .setting = {.name = setup.name, .value = value[i]}};
		struct state *after = draft_make(scene_view(sc), &ev, 1, NULL, NULL);

		assert_true(future_compare(&pair, scene_view(sc), state_view(after), &ahead));
		assert_int_equal(found.point[i].change.earlier, pair.whatif.earlier);
		assert_int_equal(found.point[i].change.later, pair.whatif.later);
		assert_int_equal(found.point[i].change.changed, pair.change.moved);
		state_free(after);
	}
	assert_true(found.point[0].change.later > 0 && found.point[4].change.earlier > 0);
	future_pair_clear(&pair);
	sweep_clear(&found);
	scene_free(sc);
}

/* Ranks are computed for each value: a blocked job does not keep its rank of the previous value. */
static void a_job_that_a_value_blocks_has_no_rank(void **state)
{
	static const char *const value[] = {"3", "1", "2"};
	struct scene *sc = queue();
	struct sweep_setup setup = {.name = "user[eva].maxijob",
				    .value = value,
				    .values = 3,
				    .watch = 3,
				    .ahead = {.full = true}};
	struct sweep found = {.jobs = 0};

	(void)state;
	assert_true(sweep_find(&found, scene_view(sc), &setup));
	assert_int_equal(found.live.watch_rank, 3);
	assert_int_equal(found.point[0].watch_rank, 3);
	assert_int_equal(found.point[0].reordered, 0);
	assert_int_equal(found.point[1].watch_rank, 0);
	assert_int_equal(found.point[1].reordered, 2);
	assert_int_equal(found.point[2].watch_rank, 0);
	assert_int_equal(found.point[2].reordered, 1);
	sweep_clear(&found);
	scene_free(sc);
}

/* The second value blocks the first job, the value before it does not. */
static void the_first_job_has_no_rank_if_a_value_blocks_it(void **state)
{
	static const char *const value[] = {"4", "1", "2"};
	struct scene *sc = scene_new(1, 4);
	struct sweep_setup setup = {.name = "systemmaxprocperjob",
				    .value = value,
				    .values = 3,
				    .watch = 1,
				    .ahead = {.full = true}};
	struct sweep found = {.jobs = 0};

	(void)state;
	scene_submit(sc, 2, 100);
	scene_submit(sc, 1, 100);
	assert_true(sweep_find(&found, scene_view(sc), &setup));
	assert_int_equal(found.live.watch_rank, 1);
	assert_int_equal(found.point[0].watch_rank, 1);
	assert_int_equal(found.point[1].watch_rank, 0);
	assert_int_equal(found.point[1].reordered, 2);
	assert_int_equal(found.point[2].watch_rank, 1);
	sweep_clear(&found);
	scene_free(sc);
}

static void values_are_set_on_top_of_the_draft(void **state)
{
	static const char *const value[] = {"2"};
	struct scene *sc = queue();
	struct event ev = {.kind = EVENT_HOLD, .job = 1, .hold = {.bits = JOB_HOLD_USER, .on = true}};
	struct sweep_setup setup = {
		.ev = &ev, .count = 1, .name = "user[eva].maxjob", .value = value, .values = 1};
	struct sweep found = {.jobs = 0};

	(void)state;
	assert_true(sweep_find(&found, scene_view(sc), &setup));
	assert_int_equal(found.jobs, 2);
	assert_int_equal(found.point[0].totals.starts_now, 2);
	sweep_clear(&found);
	scene_free(sc);
}

static void count_futures(void *self, size_t futures)
{
	size_t *reported = self;

	assert_int_equal(futures, *reported + 1);
	*reported = futures;
}

/* On one processor, bob's longer job is first until its walltime points are fewer than eva's priority. */
static void best_value_and_reordered_jobs_are_reported(void **state)
{
	static const char *const value[] = {"50", "20", "10"};
	struct scene *sc = scene_new(1, 1);
	size_t reported = 0;
	struct sweep_setup setup = {.name = "walltimeweight",
				    .value = value,
				    .values = 3,
				    .ahead = {.full = true, .self = &reported},
				    .looked = count_futures};
	struct sweep found = {.jobs = 0};

	(void)state;
	scene_config(sc, "queuetimeweight = 0\nwalltimeweight = 50\nuserweight = 1\n"
			 "user eva { priority = 3000 }\n");
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 200});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 100});
	assert_true(sweep_find(&found, scene_view(sc), &setup));
	assert_int_equal(reported, 3);
	assert_int_equal(found.live.reordered, 0);
	assert_int_equal(found.point[0].reordered, 0);
	assert_int_equal(found.point[1].reordered, 2);
	assert_int_equal(sweep_best(&found), 1);
	found.point[1].refused = true;
	assert_int_equal(sweep_best(&found), 2);
	found.point[2].refused = true;
	assert_int_equal(sweep_best(&found), INDEX_NONE);
	sweep_clear(&found);
	scene_free(sc);
}

static void a_refused_draft_refuses_every_value(void **state)
{
	static const char *const value[] = {"2", "3"};
	struct scene *sc = queue();
	struct event ev = {.kind = EVENT_HOLD, .job = 99, .hold = {.bits = JOB_HOLD_USER, .on = true}};
	struct sweep_setup setup = {
		.ev = &ev, .count = 1, .name = "user[eva].maxjob", .value = value, .values = 2};
	struct sweep found = {.jobs = 0};

	(void)state;
	assert_true(sweep_find(&found, scene_view(sc), &setup));
	for (int i = 0; i < 2; i++) {
		assert_true(found.point[i].refused);
		assert_non_null(strstr(found.point[i].err.text, "99"));
	}
	assert_int_equal(sweep_best(&found), INDEX_NONE);
	sweep_clear(&found);
	scene_free(sc);
}

/* Allows the search to continue a given number of times. */
static bool has_patience(void *self, uint32_t started)
{
	unsigned *left = self;

	(void)started;
	return *left > 0 && (*left)-- > 0;
}

static void a_stopped_search_gives_no_result(void **state)
{
	static const char *const value[] = {"2", "3"};
	struct scene *sc = queue();
	unsigned left = 1000, needed;
	struct sweep_setup setup = {.name = "user[eva].maxjob",
				    .value = value,
				    .values = 2,
				    .ahead = {.full = true, .should_continue = has_patience, .self = &left}};
	struct sweep found = {.jobs = 0};

	(void)state;
	assert_true(sweep_find(&found, scene_view(sc), &setup));
	needed = 1000 - left;
	assert_true(needed > 2);
	for (unsigned n = 0; n < needed; n++) {
		left = n;
		assert_false(sweep_find(&found, scene_view(sc), &setup));
	}
	left = needed;
	assert_true(sweep_find(&found, scene_view(sc), &setup));
	sweep_clear(&found);
	scene_free(sc);
}

static void expect_range(const char *name, double lo, double hi, size_t steps, const char *all)
{
	const char *value[SWEEP_VALUES];
	struct scene *sc = queue();
	struct arena arena = {0};
	struct str text = {0};
	struct knob knob;
	size_t count_futures;

	assert_true(knob_find(&knob, scene_view(sc), name, &arena, NULL));
	count_futures = sweep_range(&knob, lo, hi, steps, &arena, value);
	for (size_t i = 0; i < count_futures; i++)
		str_addf(&text, "%s%s", i ? " " : "", value[i]);
	assert_string_equal(str_text(&text), all);
	str_free(&text);
	arena_free(&arena);
	scene_free(sc);
}

static void a_range_is_divided_into_steps(void **state)
{
	(void)state;
	expect_range("user[eva].maxjob", 1, 5, 5, "1 2 3 4 5");
	expect_range("user[eva].maxjob", 1, 3, 9, "1 2 3");
	expect_range("xfactorweight", 0, 1000, 5, "0 250 500 750 1000");
	expect_range("xfactorweight", 0, 1, 3, "0 0.5 1");
	expect_range("xfactorweight", 1, 10000, 5, "1 10 100 1000 10000");
	expect_range("xfactorweight", 7, 7, 2, "7");
	expect_range("xfactorweight", 7, 9, 1, "7");
	expect_range("xfactorweight", 0.2, 0.9, 2, "0.2 0.9"); /* 0.2 + (0.9 - 0.2) is not 0.9 */
	expect_range("xfactorweight", 1, 5.5, 2, "1 5.5");
	expect_range("xfactorweight", 0.5, 5, 2, "0.5 5");
	expect_range("xfactorweight", 1, 100, 3,
		     "1 51 100"); /* 50.5 rounded; not wide enough for powers of ten */
}

static void a_range_has_no_more_steps_than_values(void **state)
{
	const char *value[SWEEP_VALUES];
	struct scene *sc = queue();
	struct arena arena = {0};
	struct knob knob;

	(void)state;
	assert_true(knob_find(&knob, scene_view(sc), "xfactorweight", &arena, NULL));
	assert_int_equal(sweep_range(&knob, 0, 10000, SWEEP_VALUES + 1, &arena, value), SWEEP_VALUES);
	arena_free(&arena);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_value_has_its_totals),
		cmocka_unit_test(counts_of_a_value_equal_those_of_the_change_alone),
		cmocka_unit_test(values_are_set_on_top_of_the_draft),
		cmocka_unit_test(the_first_job_has_no_rank_if_a_value_blocks_it),
		cmocka_unit_test(a_job_that_a_value_blocks_has_no_rank),
		cmocka_unit_test(best_value_and_reordered_jobs_are_reported),
		cmocka_unit_test(a_refused_draft_refuses_every_value),
		cmocka_unit_test(a_stopped_search_gives_no_result),
		cmocka_unit_test(a_range_is_divided_into_steps),
		cmocka_unit_test(a_range_has_no_more_steps_than_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
