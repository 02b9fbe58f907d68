/* SPDX-License-Identifier: MIT */
/* test_future.c - unit tests of the projected future of a queue */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/forecast/future.h"
#include "tests/scene.h"

/* One processor, used by job 1 until 100; jobs 2 and 3, of 100 s each, wait. */
static struct scene *queue_of_two(void)
{
	struct scene *sc = scene_new(1, 1);

	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	return sc;
}

static int64_t start_of(const struct future *f, uint64_t job)
{
	return f->side.start_s[snapshot_find_job(f->side.s, job)];
}

static void plan_and_projection_give_starts(void **state)
{
	struct scene *sc = queue_of_two();
	struct future f = {.side = {.s = NULL}};

	(void)state;
	for (int full = 0; full < 2; full++) {
		assert_true(future_build(&f, scene_view(sc), &(struct future_setup){.full = full}));
		assert_int_equal(start_of(&f, 2), 100);
		assert_int_equal(start_of(&f, 3), 200);
		assert_int_equal(f.side.plan->queue.idle_count, 2);
	}
	future_clear(&f);
	assert_null(f.side.s);
	scene_free(sc);
}

static struct future_start start_in(const struct future *f, uint64_t job)
{
	return future_start(f, snapshot_find_job(f->side.s, job));
}

static void a_job_beyond_the_budget_has_a_marked_placeholder(void **state)
{
	struct scene *sc = queue_of_two();
	struct future f = {.side = {.s = NULL}};

	(void)state;
	/* Jobs wait at times 0 and 100; a third pass would exceed the limit. */
	assert_true(future_build(&f, scene_view(sc), &(struct future_setup){.full = true, .most_work = 6}));
	assert_int_equal(f.tier, FUTURE_PARTIAL);
	assert_false(start_in(&f, 2).placeholder);
	assert_int_equal(start_in(&f, 2).start_s, 100);
	assert_true(start_in(&f, 3).placeholder);
	assert_int_equal(start_in(&f, 3).start_s, 200);
	assert_int_equal(start_of(&f, 3), 200);
	assert_true(future_build(&f, scene_view(sc), &(struct future_setup){.full = true}));
	assert_int_equal(f.tier, FUTURE_FULL);
	assert_false(start_in(&f, 3).placeholder);
	assert_true(future_build(&f, scene_view(sc), &(struct future_setup){.full = false}));
	assert_int_equal(f.tier, FUTURE_INSTANT);
	assert_true(start_in(&f, 2).placeholder && start_in(&f, 3).placeholder);
	future_clear(&f);
	scene_free(sc);
}

static void a_projection_for_one_job_stops_at_its_start(void **state)
{
	struct scene *sc = queue_of_two();
	struct future f = {.side = {.s = NULL}};
	struct future_setup setup = {.full = true, .one = true};

	(void)state;
	setup.slot = snapshot_find_job(scene_view(sc), 2);
	assert_true(future_build(&f, scene_view(sc), &setup));
	assert_int_equal(start_in(&f, 2).start_s, 100);
	assert_false(start_in(&f, 2).placeholder);
	assert_int_equal(f.projection.last_s, 100);
	assert_true(start_in(&f, 3).placeholder);
	future_clear(&f);
	scene_free(sc);
}

static void a_job_that_never_starts_has_no_estimate(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct future f = {.side = {.s = NULL}};

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 2, 100);
	for (int full = 0; full < 2; full++) {
		assert_true(future_build(&f, scene_view(sc), &(struct future_setup){.full = full}));
		assert_true(start_in(&f, 2).start_s == TIME_NEVER);
		assert_false(start_in(&f, 2).placeholder);
	}
	future_clear(&f);
	scene_free(sc);
}

static void jobs_can_be_assumed_to_use_a_share_of_their_limits(void **state)
{
	struct scene *sc = queue_of_two();
	struct future f = {.side = {.s = NULL}};
	struct accuracy known = {.user = NULL};
	struct future_setup setup = {.full = true, .assume = ASSUME_MEDIAN, .accuracy = &known};

	(void)state;
	accuracy_note(&known, "u1", 50, 100);
	assert_true(future_build(&f, scene_view(sc), &setup));
	assert_int_equal(start_of(&f, 2), 50);
	assert_int_equal(start_of(&f, 3), 100);
	future_clear(&f);
	accuracy_clear(&known);
	scene_free(sc);
}

static void apply(struct scene *sc, enum event_kind kind, uint64_t job)
{
	scene_apply(sc, &(struct event){.kind = kind, .job = job});
}

static void a_job_being_requeued_counts_as_waiting(void **state)
{
	struct scene *sc = queue_of_two();
	struct future f = {.side = {.s = NULL}};

	(void)state;
	scene_priority(sc, 2, JOB_ADJUST_ABSOLUTE, 5);
	scene_go(sc, 10);
	apply(sc, EVENT_REQUEUE, 1);
	assert_true(future_build(&f, scene_view(sc), &(struct future_setup){.now_s = 10, .full = true}));
	assert_int_equal(start_of(&f, 2), 10);
	assert_int_equal(start_of(&f, 1), 110);
	assert_int_equal(start_of(&f, 3), 210);
	assert_int_equal(f.projection.started, 2);
	future_clear(&f);
	scene_free(sc);
}

static void a_job_being_cancelled_does_not_end_successfully(void **state)
{
	struct scene *sc = queue_of_two();
	uint64_t after = scene_add(sc, (struct scene_job){.depend = "afterok:1"});
	struct future f = {.side = {.s = NULL}};

	(void)state;
	scene_go(sc, 10);
	apply(sc, EVENT_CANCEL, 1);
	assert_true(future_build(&f, scene_view(sc), &(struct future_setup){.now_s = 10, .full = true}));
	assert_int_equal(start_of(&f, 2), 10);
	assert_true(start_of(&f, after) == TIME_NEVER);
	future_clear(&f);
	scene_free(sc);
}

static bool has_none_started(void *self, uint32_t start_in)
{
	(void)self;
	return start_in < 1;
}

static void a_stopped_projection_has_the_starts_so_far(void **state)
{
	struct scene *sc = queue_of_two();
	struct future f = {.side = {.s = NULL}};

	(void)state;
	assert_false(future_build(&f, scene_view(sc),
				  &(struct future_setup){.full = true, .should_continue = has_none_started}));
	assert_int_equal(start_of(&f, 2), 100);
	assert_true(start_of(&f, 3) == TIME_NEVER);
	future_clear(&f);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plan_and_projection_give_starts),
		cmocka_unit_test(a_job_beyond_the_budget_has_a_marked_placeholder),
		cmocka_unit_test(a_projection_for_one_job_stops_at_its_start),
		cmocka_unit_test(a_job_that_never_starts_has_no_estimate),
		cmocka_unit_test(jobs_can_be_assumed_to_use_a_share_of_their_limits),
		cmocka_unit_test(a_stopped_projection_has_the_starts_so_far),
		cmocka_unit_test(a_job_being_requeued_counts_as_waiting),
		cmocka_unit_test(a_job_being_cancelled_does_not_end_successfully),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
