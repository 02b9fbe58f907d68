/* SPDX-License-Identifier: MIT */
/*
 * test_backfill.c - unit tests of starts, reservations and backfill
 *
 * tests/property/reservations.c compares the walk with a second implementation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/pass/backfill.h"
#include "tests/scene.h"

static bool is_running(const struct scene *sc, uint64_t job)
{
	return scene_job_of(sc, job)->state == JOB_RUNNING;
}

static int64_t planned_start_s(const struct scene *sc, uint64_t job)
{
	return scene_job_of(sc, job)->planned_s;
}

/* Ten processors, six of which job 1 uses until 100; job 2 needs all ten. */
static struct scene *waiting_head(const char *config)
{
	struct scene *sc = scene_new(5, 2);

	scene_config(sc, config);
	scene_submit(sc, 6, 100);
	scene_submit(sc, 10, 50);
	return sc;
}

static void a_job_that_ends_before_the_reservation_is_backfilled(void **state)
{
	struct scene *sc = waiting_head("");

	(void)state;
	scene_submit(sc, 4, 101);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	assert_true(is_running(sc, 1) && !is_running(sc, 2) && !is_running(sc, 3) && is_running(sc, 4));
	assert_int_equal(planned_start_s(sc, 2), 100);
	assert_true(planned_start_s(sc, 3) == TIME_NEVER);
	assert_true(scene_job_of(sc, 4)->flags & JOB_BACKFILLED);
	assert_false(scene_job_of(sc, 1)->flags & JOB_BACKFILLED);
	scene_free(sc);
}

static void a_job_beside_the_reservation_may_be_long(void **state)
{
	struct scene *sc = scene_new(5, 2);

	(void)state;
	scene_submit(sc, 6, 100);
	scene_submit(sc, 8, 50);
	scene_submit(sc, 3, 5000);
	scene_submit(sc, 2, 5000);
	scene_pass(sc);
	assert_true(!is_running(sc, 2) && !is_running(sc, 3) && is_running(sc, 4));
	assert_int_equal(planned_start_s(sc, 2), 100);
	scene_free(sc);
}

static void depth_limits_the_number_of_reservations(void **state)
{
	static const char *const config[] = {"reservationdepth = 0\n", "reservationdepth = 1\n",
					     "reservationdepth = 2\n"};

	(void)state;
	for (int depth = 0; depth <= 2; depth++) {
		struct scene *sc = waiting_head(config[depth]);

		scene_submit(sc, 5, 10);
		scene_submit(sc, 9, 10);
		scene_pass(sc);
		assert_int_equal(scene_view(sc)->planned, depth);
		assert_int_equal(planned_start_s(sc, 2) == 100, depth >= 1);
		assert_int_equal(planned_start_s(sc, 3) == 150, depth >= 2);
		scene_free(sc);
	}
}

static void without_reservations_a_big_job_is_delayed_indefinitely(void **state)
{
	struct scene *sc = waiting_head("reservationpolicy = never\n");

	(void)state;
	scene_submit(sc, 4, 1000);
	scene_pass(sc);
	assert_true(is_running(sc, 3));
	assert_int_equal(scene_view(sc)->planned, 0);
	scene_free(sc);
}

static void strict_order_allows_no_backfill(void **state)
{
	struct scene *sc = waiting_head("backfillpolicy = none\nreservationdepth = 5\n");

	(void)state;
	scene_submit(sc, 1, 1);
	scene_pass(sc);
	assert_true(!is_running(sc, 2) && !is_running(sc, 3));
	assert_int_equal(scene_view(sc)->planned, 0);
	scene_free(sc);
}

static void strict_order_drops_earlier_reservations(void **state)
{
	struct scene *sc = waiting_head("reservationpolicy = highest\n");

	(void)state;
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, 2), 100);
	scene_set(sc, "backfillpolicy", "none");
	scene_submit(sc, 1, 1);
	scene_pass(sc);
	assert_false(is_running(sc, 3));
	assert_int_equal(scene_view(sc)->planned, 0);
	scene_free(sc);
}

static void currenthighest_makes_a_new_reservation_in_each_pass(void **state)
{
	struct scene *sc = waiting_head("");

	(void)state;
	scene_submit(sc, 9, 10);
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, 2), 100);
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 1);
	scene_pass(sc);
	assert_true(planned_start_s(sc, 2) == TIME_NEVER);
	assert_int_equal(planned_start_s(sc, 3), 100);
	scene_free(sc);
}

static void highest_keeps_a_reservation(void **state)
{
	struct scene *sc = waiting_head("reservationpolicy = highest\nreservationdepth = 2\n");

	(void)state;
	scene_submit(sc, 9, 10);
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, 2), 100);
	assert_int_equal(planned_start_s(sc, 3), 150);
	scene_submit(sc, 10, 10);
	scene_priority(sc, 4, JOB_ADJUST_ABSOLUTE, 1);
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, 2), 100);
	assert_int_equal(planned_start_s(sc, 3), 150);
	scene_free(sc);
}

static void a_job_of_higher_priority_gets_a_reservation_beside_a_kept_one(void **state)
{
	struct scene *sc = waiting_head("reservationpolicy = highest\n");

	(void)state;
	scene_pass(sc);
	scene_submit(sc, 9, 10);
	scene_submit(sc, 9, 10);
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 1);
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, 2), 100);
	assert_int_equal(planned_start_s(sc, 3), 150);
	assert_true(planned_start_s(sc, 4) == TIME_NEVER);
	scene_free(sc);
}

static void kept_reservations_move_up_after_an_end(void **state)
{
	struct scene *sc = waiting_head("reservationpolicy = highest\nreservationdepth = 2\n");

	(void)state;
	scene_submit(sc, 9, 10);
	scene_pass(sc);
	sc->now_s = 30;
	scene_end(sc, 1);
	scene_pass(sc);
	assert_true(is_running(sc, 2));
	assert_int_equal(planned_start_s(sc, 3), 80);
	scene_free(sc);
}

static void the_reservation_of_a_held_job_is_dropped(void **state)
{
	struct scene *sc = waiting_head("reservationpolicy = highest\nreservationdepth = 3\n");

	(void)state;
	scene_submit(sc, 4, 500);
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, 3), 150);
	scene_hold(sc, 2, JOB_HOLD_USER);
	scene_pass(sc);
	assert_true(planned_start_s(sc, 2) == TIME_NEVER);
	assert_true(is_running(sc, 3));
	scene_free(sc);
}

static void a_started_reservation_makes_room_for_the_next(void **state)
{
	struct scene *sc = waiting_head("reservationpolicy = highest\n");

	(void)state;
	scene_submit(sc, 10, 20);
	scene_pass(sc);
	assert_true(planned_start_s(sc, 3) == TIME_NEVER);
	scene_go(sc, 100);
	scene_pass(sc);
	assert_true(is_running(sc, 2));
	assert_int_equal(planned_start_s(sc, 3), 150);
	scene_free(sc);
}

static void a_job_beyond_its_limit_delays_the_reservation(void **state)
{
	struct scene *sc = waiting_head("");

	(void)state;
	scene_pass(sc);
	sc->now_s = 100; /* job 1 should have ended and has not */
	scene_pass(sc);
	assert_false(is_running(sc, 2));
	assert_int_equal(planned_start_s(sc, 2), 160);
	sc->now_s = 130;
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, 2), 160); /* it does not move with every pass */
	scene_free(sc);
}

/* Ten processors. Short jobs request some of the four that are free from 80 on, until the first is killed. */
static struct scene *real_jobs(const char *config)
{
	struct scene *sc = scene_new(5, 2);

	scene_config(sc, config);
	scene_add(sc, (struct scene_job){.procs = 6, .wall_s = 100, .real = true});
	scene_add(sc, (struct scene_job){.procs = 10, .wall_s = 50, .real = true});
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, 2), 100);
	return sc;
}

static bool short_job_starts(struct scene *sc, int64_t now_s, int64_t wall_s)
{
	uint64_t job;
	bool started;

	sc->now_s = now_s;
	job = scene_add(sc, (struct scene_job){.procs = 4, .wall_s = wall_s, .real = true});
	scene_pass(sc);
	started = is_running(sc, job);
	if (!started)
		scene_cancel(sc, job);
	return started;
}

/* A job can ignore TERM, and then holds its processors until it is killed. */
static void a_real_job_beyond_its_limit_blocks_backfill(void **state)
{
	static const char *const policies[] = {
		"jobgrace = 30s\n", "jobgrace = 30s\nreservationpolicy = highest\n", "jobgrace = 0s\n"};

	(void)state;
	for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
		int64_t grace_s = i == 2 ? 0 : 30;
		struct scene *sc = real_jobs(policies[i]);

		assert_false(short_job_starts(sc, 100, grace_s > 0 ? 1 : 2));
		assert_int_equal(planned_start_s(sc, 2), grace_s > 0 ? 130 : 101);
		assert_false(short_job_starts(sc, 120, 5));
		assert_int_equal(planned_start_s(sc, 2), grace_s > 0 ? 130 : 121);
		assert_false(short_job_starts(sc, 131, 2)); /* the job has survived even KILL */
		assert_int_equal(planned_start_s(sc, 2), 132);
		scene_end(sc, 1);
		scene_pass(sc);
		assert_true(is_running(sc, 2));
		scene_free(sc);
	}
}

static void backfilled_jobs_end_before_the_reservation_including_their_grace(void **state)
{
	struct scene *sc = real_jobs("jobgrace = 30s\n");

	(void)state;
	assert_false(short_job_starts(sc, 10, 61));
	assert_true(short_job_starts(sc, 10, 60));
	scene_free(sc);
	sc = real_jobs("jobgrace = 0s\n");
	assert_false(short_job_starts(sc, 10, 91));
	assert_true(short_job_starts(sc, 10, 90));
	scene_free(sc);
}

static void a_task_that_fits_on_no_single_node_waits_for_the_next_change(void **state)
{
	struct scene *sc = scene_new(2, 3);

	(void)state;
	scene_submit(sc, 2, 100);
	scene_submit(sc, 2, 60);
	scene_start(sc, 1, 0, 1, 2);
	scene_start(sc, 2, 1, 1, 2); /* one is free on each node */
	scene_add(sc, (struct scene_job){.procs = 2, .task_procs = 2});
	scene_pass(sc);
	assert_false(is_running(sc, 3));
	assert_int_equal(planned_start_s(sc, 3), 60);
	scene_go(sc, 60);
	scene_pass(sc);
	assert_true(is_running(sc, 3));
	scene_free(sc);
}

/*
 * Job 2's reservation begins now, but job 3 of the same user has started first and job 2 is over its soft
 * limit. Its reservation leaves the depth of one to job 4, which job 5 would delay.
 */
static void a_reservation_that_begins_now_does_not_count_toward_the_depth(void **state)
{
	struct scene *sc = scene_new(5, 2);

	(void)state;
	scene_config(sc,
		     "reservationpolicy = highest\nreservationdepth = 1\nuser eva { maxjob = {\"1\"} }\n");
	scene_submit(sc, 6, 100);
	scene_add(sc, (struct scene_job){.procs = 5, .wall_s = 50, .user = "eva"});
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, 2), 100);
	scene_go(sc, 100);
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 100, .user = "eva"});
	scene_priority(sc, 3, JOB_ADJUST_ABSOLUTE, 1);
	scene_submit(sc, 10, 50);
	scene_submit(sc, 1, 1000);
	scene_pass(sc);
	assert_true(is_running(sc, 3));
	assert_false(is_running(sc, 2));
	assert_int_equal(planned_start_s(sc, 4), 200);
	assert_false(is_running(sc, 5));
	scene_free(sc);
}

/* --- state of the walk ---------------------------------------------------------------------------- */

static void a_walk_clears_the_marks_of_the_last_one(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct walk w = {0};

	(void)state;
	scene_submit(sc, 6, 100);
	scene_submit(sc, 6, 100);
	for (int round = 0; round < 3; round++) {
		walk_run(&w, scene_view(sc), 0, round == 1);
		assert_int_equal(w.started, 1);
		assert_int_equal(w.reservations.count, 1);
		assert_int_equal(placement_procs_free(w.placement), 4);
		assert_int_equal(w.mark[state_find(sc->st, 1)], MARK_STARTS);
		assert_int_equal(w.mark[state_find(sc->st, 2)], MARK_RESERVED);
	}
	walk_wipe(&w);
	for (uint32_t slot = 0; slot < snapshot_count(scene_view(sc), TABLE_JOBS); slot++)
		assert_int_equal(w.mark[slot], 0);
	walk_free(&w);
	scene_free(sc);
}

/* --- limits, soft then hard (T-28, H-09) ---------------------------------------------------------- */

static uint32_t count_running(const struct scene *sc)
{
	return snapshot_count(scene_view(sc), TABLE_RUNNING);
}

/* T-28: first the jobs within the soft limit of two, then, while resources remain, within the hard one of 8.
 */
static void soft_limits_apply_before_hard_limits(void **state)
{
	struct scene *sc = scene_new(1, 20);

	(void)state;
	scene_config(sc, "user DEFAULT { maxjob = {\"2,8\"} }\n");
	for (int i = 0; i < 12; i++)
		scene_submit(sc, 1, 100);
	for (int i = 0; i < 12; i++)
		scene_add(sc, (struct scene_job){.user = "late", .wall_s = 100});
	scene_pass(sc);
	for (uint64_t job = 1; job <= 12; job++)
		assert_int_equal(is_running(sc, job), job <= 8);
	for (uint64_t job = 13; job <= 24; job++)
		assert_int_equal(is_running(sc, job), job <= 20);
	assert_int_equal(count_running(sc), 16);
	scene_free(sc);
}

static void jobs_within_their_soft_limits_start_before_those_over_them(void **state)
{
	struct scene *sc = scene_new(1, 6);

	(void)state;
	scene_config(sc, "user u1 { maxjob = {\"2,8\"} }\n");
	for (int i = 0; i < 6; i++)
		scene_submit(sc, 1, 100);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "late", .wall_s = 100});
	scene_pass(sc);
	assert_true(is_running(sc, 1) && is_running(sc, 2) && is_running(sc, 7) && is_running(sc, 8) &&
		    is_running(sc, 9) && is_running(sc, 3));
	assert_false(is_running(sc, 4));
	scene_free(sc);
}

/* As in the original, hard limits apply to backfill, so without backfill soft limits apply. */
static void without_backfill_no_job_exceeds_a_soft_limit(void **state)
{
	struct scene *sc = scene_new(1, 20);

	(void)state;
	scene_config(sc, "backfillpolicy = none\nuser DEFAULT { maxjob = {\"2,8\"} }\n");
	for (int i = 0; i < 12; i++)
		scene_submit(sc, 1, 100);
	scene_pass(sc);
	assert_int_equal(count_running(sc), 2);
	scene_free(sc);
}

/* H-09: only if there is no other eligible job. */
static void with_idleonly_a_job_within_its_soft_limits_blocks_the_others(void **state)
{
	struct scene *sc = scene_new(1, 8);

	(void)state;
	scene_config(sc, "hardpass = idleonly\nuser u1 { maxjob = {\"1,8\"} }\n");
	scene_start(sc, scene_submit(sc, 2, 500), 0, 1, 2);
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.user = "big", .procs = 8, .wall_s = 100});
	scene_pass(sc);
	assert_false(is_running(sc, 2));
	scene_hold(sc, 3, JOB_HOLD_USER);
	scene_pass(sc);
	assert_true(is_running(sc, 2));
	scene_free(sc);
}

/* A kept reservation whose time has come while its job is over a soft limit frees its processors at once. */
static void with_idleonly_a_reservation_over_a_soft_limit_is_dropped(void **state)
{
	struct scene *sc = scene_new(1, 2);
	uint64_t small, other;

	(void)state;
	scene_config(sc, "hardpass = idleonly\nreservationpolicy = highest\nreservationdepth = 2\n"
			 "user eva { maxjob = {\"1,4\"} }\n");
	scene_start(sc, scene_submit(sc, 2, 10), 0, 1, 2);
	small = scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 100});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 200});
	scene_pass(sc);
	assert_int_equal(planned_start_s(sc, small), 10);
	scene_priority(sc, small, JOB_ADJUST_RELATIVE, -1000);
	other = scene_submit(sc, 1, 100);
	scene_priority(sc, other, JOB_ADJUST_RELATIVE, -2000);
	scene_play(sc, 10);
	assert_true(planned_start_s(sc, small) == TIME_NEVER);
	assert_false(is_running(sc, small));
	assert_true(is_running(sc, other));
	scene_free(sc);
}

static void an_idle_slot_that_a_start_leaves_is_filled_at_once(void **state)
{
	struct scene *sc = scene_new(1, 3);

	(void)state;
	scene_config(sc, "user u1 { maxijob = {\"1\"} }\n");
	for (int i = 0; i < 4; i++)
		scene_submit(sc, 1, 100);
	scene_pass(sc);
	assert_int_equal(count_running(sc), 1);
	assert_int_equal(sc->result.next_due_s, sc->now_s);
	scene_play(sc, 1);
	assert_int_equal(count_running(sc), 3);
	scene_free(sc);
}

static void a_reservation_that_a_start_breaks_is_replaced_at_once(void **state)
{
	struct scene *sc = waiting_head("user u1 { maxjob = {\"2,4\"} }\n");

	(void)state;
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	assert_true(is_running(sc, 1) && is_running(sc, 3));
	assert_int_equal(planned_start_s(sc, 2), 100);
	assert_int_equal(sc->result.next_due_s, sc->now_s);
	scene_pass(sc);
	assert_true(planned_start_s(sc, 2) == TIME_NEVER);
	assert_int_equal(sc->result.next_due_s, 100);
	scene_free(sc);
}

/* Also without reservations: job 2 is the first in the queue, and the start of job 3 puts only job 2 over a
 * limit. */
static void a_start_that_blocks_the_first_job_causes_another_pass(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "reservationpolicy = never\nuser eva { maxjob = {\"1\"} }\n");
	scene_submit(sc, 2, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 4});
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_pass(sc);
	assert_false(is_running(sc, 2));
	assert_true(is_running(sc, 3));
	assert_int_equal(sc->result.next_due_s, sc->now_s);
	scene_pass(sc);
	assert_int_equal(sc->result.next_due_s, 100);
	scene_free(sc);
}

/* --- other backfill policies (M-10; the workload of the original's case 10) ----------------------- */

/* Six of sixteen processors are free until a reservation in two hours. */
static struct scene *queue_with_six_free_processors(const char *config)
{
	static const struct {
		uint32_t procs;
		int64_t wall_s;
	} jobs[] = {{16, 3600}, {12, 3600}, {1, 3600},  {2, 7000},  {3, 7000},
		    {4, 600},   {6, 1200},  {5, 20000}, {1, 86400}, {2, 100}};
	struct scene *sc = scene_new(16, 1);

	scene_config(sc, config);
	scene_start(sc, scene_submit(sc, 10, 7200), 0, 10, 1);
	for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
		scene_submit(sc, jobs[i].procs, jobs[i].wall_s);
	scene_pass(sc);
	return sc;
}

/* Jobs s1 .. s8 of the case are 4 .. 11. */
static void check_started(const char *config, const char *expected)
{
	struct scene *sc = queue_with_six_free_processors(config);

	for (uint64_t job = 4; job <= 11; job++)
		assert_int_equal(is_running(sc, job), expected[job - 4] == 'x');
	scene_free(sc);
}

static void each_backfill_policy_starts_different_jobs(void **state)
{
	(void)state;
	check_started("", "xxx-----");
	check_started("backfillpolicy = bestfit\n", "----x---");
	check_started("backfillpolicy = bestfit\nbackfillmetric = procseconds\n", "xxx-----");
	check_started("backfillpolicy = bestfit\nbackfillmetric = seconds\n", "xxx-----");
	check_started("backfillpolicy = none\n", "--------");
	check_started("backfilldepth = 2\n", "xx------");
	check_started("backfillpolicy = greedy\n", "----x---");
	check_started("backfillpolicy = greedy\nbackfillmetric = procseconds\n", "xxx-----");
}

/* Six processors are free for two hours; job 4 (5 processors) and jobs 5 and 6 (3 each) wait behind two jobs
 * that are too large. */
static void check_pair(const char *config, bool pair_started)
{
	struct scene *sc = scene_new(16, 1);

	scene_config(sc, config);
	scene_start(sc, scene_submit(sc, 10, 7200), 0, 10, 1);
	scene_submit(sc, 16, 3600);
	scene_submit(sc, 12, 3600);
	scene_submit(sc, 5, 1000);
	scene_submit(sc, 3, 600);
	scene_submit(sc, 3, 600);
	scene_pass(sc);
	assert_int_equal(is_running(sc, 4), !pair_started);
	assert_int_equal(is_running(sc, 5), pair_started);
	assert_int_equal(is_running(sc, 6), pair_started);
	scene_free(sc);
}

/* 3 + 3 processors are more than 5, 600 + 600 s more than 1000; 2 * 1800 processor-seconds less than 5000. */
static void M_10_greedy_starts_the_best_combination(void **state)
{
	(void)state;
	check_pair("", false);
	check_pair("backfillpolicy = bestfit\n", false);
	check_pair("backfillpolicy = greedy\n", true);
	check_pair("backfillpolicy = bestfit\nbackfillmetric = seconds\n", false);
	check_pair("backfillpolicy = greedy\nbackfillmetric = seconds\n", true);
	check_pair("backfillpolicy = greedy\nbackfillmetric = procseconds\n", false);
}

/* By seconds the last two jobs are the best combination: 400 + 400 against 700. Each other job is tried with
 * all that follow it, so 150 jobs have more combinations than are tried. */
static void greedy_tries_a_limited_number_of_combinations(void **state)
{
	(void)state;
	for (uint64_t others = 20; others <= 150; others += 130) {
		struct scene *sc = scene_new(16, 1);

		scene_config(sc, "backfillpolicy = greedy\nbackfillmetric = seconds\n");
		scene_start(sc, scene_submit(sc, 10, 7200), 0, 10, 1);
		scene_submit(sc, 16, 3600);
		scene_submit(sc, 12, 3600);
		for (uint64_t i = 0; i < others; i++)
			scene_submit(sc, 4, 700);
		scene_submit(sc, 3, 400);
		scene_submit(sc, 3, 400);
		scene_pass(sc);
		assert_int_equal(is_running(sc, 4), others > 20);
		assert_int_equal(is_running(sc, others + 4), others == 20);
		assert_int_equal(is_running(sc, others + 5), others == 20);
		scene_free(sc);
	}
}

/* Two nodes of 8 processors and 100 MB; 3 processors are free. Job 5 requests 3 processors for 1000 s. Job 6
 * requests 1 processor and 50 of 200 MB, the equivalent of 4 of 16 processors, for 100 s. */
static void check_by_metric(const char *metric, bool memory_first)
{
	struct scene *sc = scene_new(0, 0);

	scene_config(sc, "backfillpolicy = bestfit\n");
	scene_set(sc, "backfillmetric", metric);
	scene_node(sc, (struct node_record){.name = "n1", .procs = 8, .mem_mb = 100});
	scene_node(sc, (struct node_record){.name = "n2", .procs = 8, .mem_mb = 100});
	scene_start(sc, scene_submit(sc, 8, 7200), 0, 1, 8);
	scene_start(sc, scene_submit(sc, 5, 7200), 1, 1, 5);
	scene_submit(sc, 16, 3600);
	scene_submit(sc, 15, 3600);
	scene_submit(sc, 3, 1000);
	scene_add(sc, (struct scene_job){.procs = 1, .mem_mb = 50, .wall_s = 100});
	scene_pass(sc);
	assert_int_equal(is_running(sc, 5), !memory_first);
	assert_int_equal(is_running(sc, 6), memory_first);
	scene_free(sc);
}

static void memory_counts_as_processor_equivalents(void **state)
{
	(void)state;
	check_by_metric("procs", false);
	check_by_metric("pe", true);
	check_by_metric("peseconds", false);
}

static void between_equal_metrics_the_job_of_higher_priority_starts(void **state)
{
	struct scene *sc = scene_new(16, 1);

	(void)state;
	scene_config(sc, "backfillpolicy = bestfit\nuserweight = 1\nuser vip { priority = 1000 }\n");
	scene_start(sc, scene_submit(sc, 10, 7200), 0, 10, 1);
	scene_add(sc, (struct scene_job){.user = "vip", .procs = 16, .wall_s = 3600});
	scene_add(sc, (struct scene_job){.user = "vip", .procs = 12, .wall_s = 3600});
	scene_submit(sc, 4, 100);
	scene_add(sc, (struct scene_job){.user = "vip", .procs = 4});
	scene_add(sc, (struct scene_job){.user = "vip", .procs = 4});
	scene_pass(sc);
	assert_false(is_running(sc, 4));
	assert_true(is_running(sc, 5));
	assert_false(is_running(sc, 6));
	scene_free(sc);
}

static void a_job_beyond_the_depth_starts_in_the_next_pass(void **state)
{
	struct scene *sc = queue_with_six_free_processors("backfilldepth = 2\n");

	(void)state;
	assert_int_equal(sc->result.next_due_s, sc->now_s);
	scene_play(sc, 1);
	assert_true(is_running(sc, 6));
	scene_free(sc);
}

static void each_level_has_its_own_depth(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc,
		     "reservationdepth = 1\nreservationlevel 1 { reservationdepth = 2 reservationqoslist = "
		     "{\"hi\"} }\n");
	scene_start(sc, scene_submit(sc, 4, 1000), 0, 1, 4);
	for (int i = 0; i < 3; i++)
		scene_submit(sc, 4, 100);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.qos = "hi", .procs = 4, .wall_s = 100});
	scene_pass(sc);
	for (uint64_t job = 2; job <= 7; job++)
		assert_int_equal(scene_job_of(sc, job)->planned_s != TIME_NEVER,
				 job == 2 || job == 5 || job == 6);
	scene_free(sc);
}

static void a_job_that_is_only_tried_keeps_no_nodes(void **state)
{
	struct scene *sc = waiting_head("backfillpolicy = greedy\nreservationdepth = 1\n");
	struct walk w = {.s = NULL};
	size_t taken = 0;

	(void)state;
	scene_submit(sc, 10, 50);
	scene_submit(sc, 2, 100);
	scene_submit(sc, 3, 100);
	walk_run(&w, scene_view(sc), 0, true);
	assert_int_equal(w.backfilled, 1);
	for (size_t i = 0; i < w.decision_count; i++)
		taken += w.decision[i].kind == DECIDE_START ? w.decision[i].run_count : 0;
	assert_true(taken > 0);
	assert_int_equal(w.runs.count, taken);
	walk_wipe(&w);
	walk_free(&w);
	scene_free(sc);
}

/* With equal priorities and no limits, a pass does not build a queue. */
#define BY_SUBMIT "queuetimeweight = 0\nxfactorweight = 0\n"

/* Of two jobs on an idle machine, only the second may start. */
static void expect_second_alone(const char *config, struct scene_job first, struct scene_job second)
{
	struct scene *sc = scene_new(1, 4);

	scene_config(sc, config);
	assert_true(scene_view(sc)->ranks_equal);
	scene_add(sc, first);
	scene_add(sc, second);
	scene_pass(sc);
	assert_false(is_running(sc, 1));
	assert_true(is_running(sc, 2));
	scene_free(sc);
}

static void every_other_gate_is_tested_in_order_of_submission(void **state)
{
	const struct scene_job one = {.wall_s = 1};
	struct scene *sc = scene_new(1, 4);

	(void)state;
	expect_second_alone(BY_SUBMIT "systemmaxprocperjob = 1\n", (struct scene_job){.procs = 2}, one);
	expect_second_alone(BY_SUBMIT "systemmaxjobwalltime = 1\n", (struct scene_job){.wall_s = 2}, one);
	expect_second_alone(BY_SUBMIT "systemmaxprocsecondperjob = 1\n", (struct scene_job){.wall_s = 2},
			    one);
	expect_second_alone(BY_SUBMIT "user u1 { maxproc = 1 }\n", (struct scene_job){.procs = 2}, one);
	expect_second_alone(BY_SUBMIT "fspolicy = dedicatedps\nuser u1 { fstarget = \"10^\" }\n",
			    (struct scene_job){.wall_s = 20}, one);
	scene_config(sc, BY_SUBMIT);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_submit(sc, 4, 100);
	scene_submit(sc, 4, 100);
	scene_priority(sc, 3, JOB_ADJUST_RELATIVE, 1); /* its priority is the only one not 0 */
	scene_go(sc, 100);
	scene_pass(sc);
	assert_true(is_running(sc, 3) && !is_running(sc, 2));
	scene_free(sc);
}

static void an_array_limit_holds_in_order_of_submission(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, BY_SUBMIT);
	scene_add(sc, (struct scene_job){.array = 2, .at_a_time = 1});
	scene_pass(sc);
	assert_true(is_running(sc, 1) && !is_running(sc, 2));
	scene_free(sc);
}

/* Two jobs that need all processors have reservations at 1000 and at 2000, and the pass that should start the
 * first is 5 s late. Moved behind the second it would be late again, and so on indefinitely. */
static void start_late(const char *access)
{
	struct scene *sc = scene_new(2, 2);

	scene_set(sc, "reservationpolicy", "highest");
	scene_set(sc, "reservationdepth", "2");
	scene_set(sc, "nodeaccesspolicy", access);
	for (int i = 0; i < 3; i++)
		scene_submit(sc, 4, 1000);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->planned_s, 1000);
	assert_int_equal(scene_job_of(sc, 3)->planned_s, 2000);
	scene_go(sc, 1005);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->state, JOB_RUNNING);
	assert_int_equal(scene_job_of(sc, 3)->planned_s, 2005);
	scene_go(sc, 2005);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_RUNNING);
	scene_free(sc);
}

static void a_late_pass_starts_the_reserved_job_and_delays_the_next_reservation(void **state)
{
	(void)state;
	start_late("shared");
	start_late("singleuser");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_that_is_only_tried_keeps_no_nodes),
		cmocka_unit_test(a_start_that_blocks_the_first_job_causes_another_pass),
		cmocka_unit_test(M_10_greedy_starts_the_best_combination),
		cmocka_unit_test(greedy_tries_a_limited_number_of_combinations),
		cmocka_unit_test(memory_counts_as_processor_equivalents),
		cmocka_unit_test(between_equal_metrics_the_job_of_higher_priority_starts),
		cmocka_unit_test(a_job_that_ends_before_the_reservation_is_backfilled),
		cmocka_unit_test(a_job_beside_the_reservation_may_be_long),
		cmocka_unit_test(depth_limits_the_number_of_reservations),
		cmocka_unit_test(without_reservations_a_big_job_is_delayed_indefinitely),
		cmocka_unit_test(strict_order_allows_no_backfill),
		cmocka_unit_test(strict_order_drops_earlier_reservations),
		cmocka_unit_test(currenthighest_makes_a_new_reservation_in_each_pass),
		cmocka_unit_test(highest_keeps_a_reservation),
		cmocka_unit_test(a_job_of_higher_priority_gets_a_reservation_beside_a_kept_one),
		cmocka_unit_test(kept_reservations_move_up_after_an_end),
		cmocka_unit_test(the_reservation_of_a_held_job_is_dropped),
		cmocka_unit_test(a_started_reservation_makes_room_for_the_next),
		cmocka_unit_test(a_job_beyond_its_limit_delays_the_reservation),
		cmocka_unit_test(a_real_job_beyond_its_limit_blocks_backfill),
		cmocka_unit_test(backfilled_jobs_end_before_the_reservation_including_their_grace),
		cmocka_unit_test(a_task_that_fits_on_no_single_node_waits_for_the_next_change),
		cmocka_unit_test(a_reservation_that_begins_now_does_not_count_toward_the_depth),
		cmocka_unit_test(a_walk_clears_the_marks_of_the_last_one),
		cmocka_unit_test(soft_limits_apply_before_hard_limits),
		cmocka_unit_test(jobs_within_their_soft_limits_start_before_those_over_them),
		cmocka_unit_test(without_backfill_no_job_exceeds_a_soft_limit),
		cmocka_unit_test(with_idleonly_a_job_within_its_soft_limits_blocks_the_others),
		cmocka_unit_test(with_idleonly_a_reservation_over_a_soft_limit_is_dropped),
		cmocka_unit_test(a_reservation_that_a_start_breaks_is_replaced_at_once),
		cmocka_unit_test(an_idle_slot_that_a_start_leaves_is_filled_at_once),
		cmocka_unit_test(each_backfill_policy_starts_different_jobs),
		cmocka_unit_test(a_job_beyond_the_depth_starts_in_the_next_pass),
		cmocka_unit_test(each_level_has_its_own_depth),
		cmocka_unit_test(every_other_gate_is_tested_in_order_of_submission),
		cmocka_unit_test(an_array_limit_holds_in_order_of_submission),
		cmocka_unit_test(a_late_pass_starts_the_reserved_job_and_delays_the_next_reservation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
