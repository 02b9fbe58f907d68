/* SPDX-License-Identifier: MIT */
/*
 * test_backfill.c - who starts, who is promised a start, and who is passed over, case by case?
 *
 * (Against a walk written as its rules read: tests/property/promises.c.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/core/backfill.h"
#include "tests/scene.h"

static bool runs(const struct scene *sc, uint64_t job)
{
	return scene_job_of(sc, job)->state == JOB_RUNNING;
}

static int64_t planned(const struct scene *sc, uint64_t job)
{
	return scene_job_of(sc, job)->planned_s;
}

/* Ten processors, six of them busy until 100 with job 1; job 2 needs all ten. */
static struct scene *head_waits(const char *config)
{
	struct scene *sc = scene_new(5, 2);

	scene_config(sc, config);
	scene_submit(sc, 6, 100);
	scene_submit(sc, 10, 50);
	return sc;
}

static void a_job_that_ends_before_the_promise_goes_first(void **state)
{
	struct scene *sc = head_waits("");

	(void)state;
	scene_submit(sc, 4, 101);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	assert_true(runs(sc, 1) && !runs(sc, 2) && !runs(sc, 3) && runs(sc, 4));
	assert_int_equal(planned(sc, 2), 100);
	assert_true(planned(sc, 3) == TIME_NEVER);
	assert_true(scene_job_of(sc, 4)->flags & JOB_BACKFILLED);
	assert_false(scene_job_of(sc, 1)->flags & JOB_BACKFILLED);
	scene_free(sc);
}

static void a_job_beside_the_promise_may_be_long(void **state)
{
	struct scene *sc = scene_new(5, 2);

	(void)state;
	scene_submit(sc, 6, 100);
	scene_submit(sc, 8, 50);
	scene_submit(sc, 3, 5000);
	scene_submit(sc, 2, 5000);
	scene_pass(sc);
	assert_true(!runs(sc, 2) && !runs(sc, 3) && runs(sc, 4));
	assert_int_equal(planned(sc, 2), 100);
	scene_free(sc);
}

static void depth_says_how_many_are_promised(void **state)
{
	static const char *const config[] = {"reservationdepth = 0\n", "reservationdepth = 1\n",
					     "reservationdepth = 2\n"};

	(void)state;
	for (int depth = 0; depth <= 2; depth++) {
		struct scene *sc = head_waits(config[depth]);

		scene_submit(sc, 5, 10);
		scene_submit(sc, 9, 10);
		scene_pass(sc);
		assert_int_equal(scene_view(sc)->planned, depth);
		assert_int_equal(planned(sc, 2) == 100, depth >= 1);
		assert_int_equal(planned(sc, 3) == 150, depth >= 2);
		scene_free(sc);
	}
}

static void without_promises_a_big_job_is_passed_for_ever(void **state)
{
	struct scene *sc = head_waits("reservationpolicy = never\n");

	(void)state;
	scene_submit(sc, 4, 1000);
	scene_pass(sc);
	assert_true(runs(sc, 3));
	assert_int_equal(scene_view(sc)->planned, 0);
	scene_free(sc);
}

static void strict_order_lets_nobody_pass(void **state)
{
	struct scene *sc = head_waits("backfillpolicy = none\nreservationdepth = 5\n");

	(void)state;
	scene_submit(sc, 1, 1);
	scene_pass(sc);
	assert_true(!runs(sc, 2) && !runs(sc, 3));
	assert_int_equal(scene_view(sc)->planned, 0);
	scene_free(sc);
}

static void strict_order_forgets_promises_made_before(void **state)
{
	struct scene *sc = head_waits("reservationpolicy = highest\n");

	(void)state;
	scene_pass(sc);
	assert_int_equal(planned(sc, 2), 100);
	scene_set(sc, "backfillpolicy", "none");
	scene_submit(sc, 1, 1);
	scene_pass(sc);
	assert_false(runs(sc, 3));
	assert_int_equal(scene_view(sc)->planned, 0);
	scene_free(sc);
}

static void the_current_highest_is_promised_anew(void **state)
{
	struct scene *sc = head_waits("");

	(void)state;
	scene_submit(sc, 9, 10);
	scene_pass(sc);
	assert_int_equal(planned(sc, 2), 100);
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 1);
	scene_pass(sc);
	assert_true(planned(sc, 2) == TIME_NEVER);
	assert_int_equal(planned(sc, 3), 100);
	scene_free(sc);
}

static void under_highest_a_promise_is_kept(void **state)
{
	struct scene *sc = head_waits("reservationpolicy = highest\nreservationdepth = 2\n");

	(void)state;
	scene_submit(sc, 9, 10);
	scene_pass(sc);
	assert_int_equal(planned(sc, 2), 100);
	assert_int_equal(planned(sc, 3), 150);
	scene_submit(sc, 10, 10);
	scene_priority(sc, 4, JOB_ADJUST_ABSOLUTE, 1);
	scene_pass(sc);
	assert_int_equal(planned(sc, 2), 100);
	assert_int_equal(planned(sc, 3), 150);
	scene_free(sc);
}

static void kept_promises_move_up_after_an_end(void **state)
{
	struct scene *sc = head_waits("reservationpolicy = highest\nreservationdepth = 2\n");

	(void)state;
	scene_submit(sc, 9, 10);
	scene_pass(sc);
	sc->now_s = 30;
	scene_end(sc, 1);
	scene_pass(sc);
	assert_true(runs(sc, 2));
	assert_int_equal(planned(sc, 3), 80);
	scene_free(sc);
}

static void the_time_of_a_held_job_is_left_to_others(void **state)
{
	struct scene *sc = head_waits("reservationpolicy = highest\nreservationdepth = 3\n");

	(void)state;
	scene_submit(sc, 4, 500);
	scene_pass(sc);
	assert_int_equal(planned(sc, 3), 150);
	scene_hold(sc, 2, JOB_HOLD_USER);
	scene_pass(sc);
	assert_true(planned(sc, 2) == TIME_NEVER);
	assert_true(runs(sc, 3));
	scene_free(sc);
}

static void a_promise_met_makes_room_for_the_next(void **state)
{
	struct scene *sc = head_waits("reservationpolicy = highest\n");

	(void)state;
	scene_submit(sc, 10, 20);
	scene_pass(sc);
	assert_true(planned(sc, 3) == TIME_NEVER);
	scene_go(sc, 100);
	scene_pass(sc);
	assert_true(runs(sc, 2));
	assert_int_equal(planned(sc, 3), 150);
	scene_free(sc);
}

static void a_job_beyond_its_limit_puts_the_promise_off(void **state)
{
	struct scene *sc = head_waits("");

	(void)state;
	scene_pass(sc);
	sc->now_s = 100; /* job 1 should have ended and has not */
	scene_pass(sc);
	assert_false(runs(sc, 2));
	assert_int_equal(planned(sc, 2), 101);
	scene_free(sc);
}

static void tasks_in_pieces_wait_for_the_next_change(void **state)
{
	struct scene *sc = scene_new(2, 3);

	(void)state;
	scene_submit(sc, 2, 100);
	scene_submit(sc, 2, 60);
	scene_start(sc, 1, 0, 1, 2);
	scene_start(sc, 2, 1, 1, 2); /* one is free on each node */
	scene_add(sc, (struct scene_job){.procs = 2, .task_procs = 2});
	scene_pass(sc);
	assert_false(runs(sc, 3));
	assert_int_equal(planned(sc, 3), 60);
	scene_go(sc, 60);
	scene_pass(sc);
	assert_true(runs(sc, 3));
	scene_free(sc);
}

/* --- the walk's own memory ------------------------------------------------------------------------ */

static void a_walk_finds_its_marks_wiped(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct walk w = {0};

	(void)state;
	scene_submit(sc, 6, 100);
	scene_submit(sc, 6, 100);
	for (int again = 0; again < 3; again++) {
		walk_run(&w, scene_view(sc), 0, again == 1);
		assert_int_equal(w.started, 1);
		assert_int_equal(w.reservations.count, 1);
		assert_int_equal(w.procs_free, 4);
	}
	walk_wipe(&w);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(w.taken[i], 0);
	walk_free(&w);
	scene_free(sc);
}

static void the_profile_of_the_running_rises_at_their_limits(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct profile *p = profile_new();

	(void)state;
	scene_submit(sc, 2, 100);
	scene_submit(sc, 3, 50);
	scene_submit(sc, 1, 50);
	scene_pass(sc);
	running_profile(p, scene_view(sc), 0);
	assert_int_equal(profile_steps(p), 3);
	assert_int_equal(profile_least(p, 0, 50), 4);
	assert_int_equal(profile_least(p, 50, 100), 8);
	assert_int_equal(profile_least(p, 100, TIME_NEVER), 10);
	running_profile(p, scene_view(sc), 70); /* two should have ended */
	assert_int_equal(profile_least(p, 70, 71), 4);
	assert_int_equal(profile_least(p, 71, 100), 8);
	profile_free(p);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_that_ends_before_the_promise_goes_first),
		cmocka_unit_test(a_job_beside_the_promise_may_be_long),
		cmocka_unit_test(depth_says_how_many_are_promised),
		cmocka_unit_test(without_promises_a_big_job_is_passed_for_ever),
		cmocka_unit_test(strict_order_lets_nobody_pass),
		cmocka_unit_test(strict_order_forgets_promises_made_before),
		cmocka_unit_test(the_current_highest_is_promised_anew),
		cmocka_unit_test(under_highest_a_promise_is_kept),
		cmocka_unit_test(kept_promises_move_up_after_an_end),
		cmocka_unit_test(the_time_of_a_held_job_is_left_to_others),
		cmocka_unit_test(a_promise_met_makes_room_for_the_next),
		cmocka_unit_test(a_job_beyond_its_limit_puts_the_promise_off),
		cmocka_unit_test(tasks_in_pieces_wait_for_the_next_change),
		cmocka_unit_test(a_walk_finds_its_marks_wiped),
		cmocka_unit_test(the_profile_of_the_running_rises_at_their_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
