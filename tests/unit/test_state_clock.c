/* SPDX-License-Identifier: MIT */
/*
 * test_state_clock.c - effects of setting the system clock, forward and back
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/scene.h"

#define HOUR  INT64_C(3600)
#define BEGIN (100 * 24 * HOUR) /* the start of a day */

static const int64_t both_ways[] = {HOUR, -HOUR, 90 * 24 * HOUR, -90 * 24 * HOUR, 7, -7};
#define WAYS (sizeof both_ways / sizeof both_ways[0])

static void set_clock(struct scene *sc, int64_t by_s)
{
	struct event ev = {.kind = EVENT_CLOCK, .who = "sched", .clock.by_s = by_s};

	sc->now_s += by_s;
	scene_apply(sc, &ev);
	assert_int_equal(scene_view(sc)->now_s, sc->now_s);
}

/* Returns a scene with one node of two processors at BEGIN. */
static struct scene *begin(void)
{
	struct scene *sc = scene_new(1, 2);

	scene_go(sc, BEGIN);
	return sc;
}

static void running_job_keeps_its_remaining_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		struct scene *sc = begin();
		uint64_t job = scene_submit(sc, 2, 600);

		scene_pass(sc);
		scene_go(sc, BEGIN + 300);
		set_clock(sc, both_ways[i]);
		assert_int_equal(job_left_s(scene_job_of(sc, job), sc->now_s), 300);
		assert_int_equal(job_ran_s(scene_job_of(sc, job), sc->now_s), 300);
		assert_int_equal(job_due_end_s(scene_job_of(sc, job)), sc->now_s + 300);
		scene_pass(sc);
		assert_int_equal(scene_job_of(sc, job)->state, JOB_RUNNING);
		scene_free(sc);
	}
}

static void a_suspended_job_keeps_its_times(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		struct scene *sc = begin();
		uint64_t job = scene_submit(sc, 2, 600);
		struct event suspend = {.kind = EVENT_SUSPEND,
					.job = job,
					.who = "root",
					.suspend = {true, SUSPEND_RELEASE}},
			     resume = {.kind = EVENT_SUSPEND, .job = job, .who = "root"};

		scene_pass(sc);
		scene_go(sc, BEGIN + 100);
		scene_apply(sc, &suspend);
		scene_go(sc, BEGIN + 150);
		set_clock(sc, both_ways[i]);
		assert_int_equal(job_left_s(scene_job_of(sc, job), sc->now_s), 500);
		assert_int_equal(job_held_s(scene_job_of(sc, job), sc->now_s), 100);
		sc->now_s += 50;
		scene_apply(sc, &resume);
		scene_pass(sc);
		sc->now_s += 10;
		assert_int_equal(job_left_s(scene_job_of(sc, job), sc->now_s), 490);
		assert_int_equal(job_held_s(scene_job_of(sc, job), sc->now_s), 110);
		scene_free(sc);
	}
}

static void idle_job_keeps_its_queue_time_and_position(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		struct scene *sc = begin();
		uint64_t first, second;

		scene_submit(sc, 2, 100 * 24 * HOUR);
		scene_pass(sc);
		first = scene_submit(sc, 2, 600);
		scene_go(sc, BEGIN + 40);
		set_clock(sc, both_ways[i]);
		second = scene_submit(sc, 1, 600);
		assert_int_equal(job_queued_s(scene_job_of(sc, first), sc->now_s), 40);
		assert_int_equal(snapshot_waiting(scene_view(sc))[0].slot,
				 snapshot_find_job(scene_view(sc), first));
		assert_int_equal(snapshot_waiting(scene_view(sc))[1].slot,
				 snapshot_find_job(scene_view(sc), second));
		scene_free(sc);
	}
}

/* The first job runs until BEGIN + 600, the second has a reservation after it, and the third is deferred. */
static void planned_start_and_defer_keep_their_distance(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		struct scene *sc = begin();
		uint64_t second;
		struct event defer = {.kind = EVENT_DEFER, .who = "sched", .defer.until_s = BEGIN + 1000};

		scene_submit(sc, 2, 600);
		second = scene_submit(sc, 2, 600);
		defer.job = scene_submit(sc, 1, 10);
		scene_apply(sc, &defer);
		scene_pass(sc);
		assert_int_equal(scene_job_of(sc, second)->planned_s, BEGIN + 600);
		scene_go(sc, BEGIN + 100);
		set_clock(sc, both_ways[i]);
		assert_int_equal(scene_job_of(sc, second)->planned_s, sc->now_s + 500);
		assert_int_equal(scene_job_of(sc, defer.job)->defer_until_s, sc->now_s + 900);
		scene_pass(sc);
		assert_int_equal(scene_job_of(sc, second)->planned_s, sc->now_s + 500);
		scene_free(sc);
	}
}

/* The job starts exactly when the new clock reaches the date. */
static void start_date_does_not_move(void **state)
{
	(void)state;
	for (int back = 0; back < 2; back++) {
		struct scene *sc = begin();
		int64_t date_s = BEGIN + 2 * HOUR;
		uint64_t job = scene_add(sc, (struct scene_job){.procs = 1, .not_before_s = date_s});

		scene_pass(sc);
		scene_go(sc, BEGIN + 600);
		set_clock(sc, back ? -HOUR : HOUR);
		assert_int_equal(scene_job_of(sc, job)->not_before_s, date_s);
		scene_play(sc, date_s - 1);
		assert_int_equal(scene_job_of(sc, job)->state, JOB_IDLE);
		scene_play(sc, date_s);
		assert_int_equal(scene_job_of(sc, job)->start_s, date_s);
		scene_free(sc);
	}
}

static void advance_reservations_and_temporary_changes_end_by_the_new_clock(void **state)
{
	(void)state;
	for (int back = 0; back < 2; back++) {
		struct scene *sc = begin();
		struct event reserve = {.kind = EVENT_RESERVE,
					.who = "root",
					.reserve = {"maint", "start=8647200 end=8650800 nodes=ALL user=eva"}},
			     tune = {.kind = EVENT_SETTING,
				     .who = "root",
				     .until_s = BEGIN + 2 * HOUR,
				     .setting = {"xfactorweight", "7"}};
		const struct advance *a;

		scene_apply(sc, &reserve);
		scene_apply(sc, &tune);
		set_clock(sc, back ? -HOUR : HOUR);
		a = &snapshot_advances(scene_view(sc))[0];
		assert_true(a->begin_s == BEGIN + 2 * HOUR && a->end_s == BEGIN + 3 * HOUR);
		assert_int_equal(snapshot_changes(scene_view(sc))[1].until_s, BEGIN + 2 * HOUR);
		sc->now_s = BEGIN + 2 * HOUR - 1;
		scene_take_returns(sc);
		assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 2);
		sc->now_s++;
		scene_take_returns(sc);
		assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 3);
		scene_free(sc);
	}
}

/* Writes the usage of user u1 in the current and the previous window. */
static void shares(const struct scene *sc, int64_t out[static 2])
{
	struct fairshare f = {.share = NULL};
	struct fs_world world;
	uint32_t user = snapshot_find_cred(scene_view(sc), CRED_USER, "u1");

	snapshot_fs_world(scene_view(sc), sc->now_s, &world);
	fairshare_build(&f, &world);
	assert_true(f.begin_s <= sc->now_s && sc->now_s < f.next_roll_s);
	assert_int_equal(f.next_roll_s % HOUR, 0);
	for (int i = 0; i < 2; i++)
		out[i] = f.share[user].window[i] / FS_UNIT;
	fairshare_clear(&f);
}

/* Usage: 100 s on two processors in the previous hour, 100 s on one in this hour, and a running job. */
static void usage_stays_in_its_window_and_windows_end_by_the_new_clock(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		struct scene *sc = begin();
		int64_t before[2], after[2];

		scene_config(sc, "fspolicy = dedicatedps\nfsinterval = 1h\n");
		scene_submit(sc, 2, 100);
		scene_pass(sc);
		scene_go(sc, BEGIN + HOUR + 1000);
		scene_submit(sc, 1, 100);
		scene_pass(sc);
		scene_go(sc, BEGIN + HOUR + 1200);
		scene_submit(sc, 1, 2 * HOUR);
		scene_pass(sc);
		scene_go(sc, BEGIN + HOUR + 1300);
		shares(sc, before);
		assert_true(before[0] == 200 && before[1] == 200);
		set_clock(sc, both_ways[i]);
		shares(sc, after);
		assert_int_equal(after[0], before[0]);
		assert_int_equal(after[1], before[1]);
		scene_free(sc);
	}
}

/* A day with jobs, with and without a clock change in its middle: starts differ by the change only. */
static void nothing_else_changes(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		struct scene *sc = begin(), *plain;
		int64_t by_s = both_ways[i];

		scene_config(sc, "queuetimeweight = 1\nxfactorweight = 100\nfsweight = 1\nfsuserweight = 3\n"
				 "fspolicy = dedicatedps\nfsinterval = 24h\nuser u2 { fstarget = 30 }\n");
		for (uint32_t k = 0; k < 24; k++)
			scene_add(sc, (struct scene_job){.procs = 1 + k % 2,
							 .wall_s = 600 + 120 * (k % 7),
							 .run_s = 300 + 61 * (k % 5),
							 .user = k % 3 == 0 ? "u1" : "u2"});
		scene_pass(sc);
		scene_play(sc, BEGIN + 1000);
		plain = scene_copy(sc);
		set_clock(sc, by_s);
		scene_pass(sc);
		for (int64_t later_s = 1000; later_s < 12 * HOUR; later_s += 500) {
			const struct snapshot *s, *p;

			scene_play(plain, BEGIN + later_s);
			scene_play(sc, BEGIN + by_s + later_s);
			s = scene_view(sc);
			p = scene_view(plain);
			assert_int_equal(snapshot_count(s, TABLE_RUNNING), snapshot_count(p, TABLE_RUNNING));
			for (uint32_t r = 0; r < snapshot_count(s, TABLE_RUNNING); r++) {
				const struct job *job = &snapshot_jobs(s)[snapshot_running(s)[r]];

				assert_int_equal(job->start_s, scene_job_of(plain, job->id)->start_s + by_s);
			}
		}
		assert_int_equal(snapshot_count(scene_view(sc), TABLE_WAITING), 0);
		scene_free(plain);
		scene_free(sc);
	}
}

static void invalid_clock_steps_are_rejected(void **state)
{
	struct scene *sc = begin();
	struct event ev = {.kind = EVENT_CLOCK, .who = "sched"};
	struct err err;

	(void)state;
	scene_submit(sc, 1, 100);
	assert_string_equal(scene_try(sc, &ev, &err), "the clock cannot be set by 0 seconds");
	ev.clock.by_s = EVENT_CLOCK_MOST + 1;
	assert_non_null(strstr(scene_try(sc, &ev, &err), "the clock cannot be set by"));
	ev.clock.by_s = INT64_MIN;
	assert_non_null(strstr(scene_try(sc, &ev, &err), "the clock cannot be set by"));
	ev.clock.by_s = HOUR;
	ev.time_s = BEGIN + HOUR - 1;
	assert_string_equal(
		scene_try(sc, &ev, &err),
		"the clock was set by 3600 seconds, from a time that is 0:00:01 before the previous event");
	ev.clock.by_s = -HOUR;
	ev.time_s = BEGIN - HOUR - 1;
	assert_non_null(strstr(scene_try(sc, &ev, &err), "before the previous event"));
	/* Some time may pass until the change is noticed. */
	ev.time_s = BEGIN - HOUR + 60;
	assert_string_equal(scene_try(sc, &ev, &err), "");
	scene_free(sc);
}

/* Each entry names the previous one, by which times are found in the journal. */
static void entries_that_set_the_clock_back_are_chained(void **state)
{
	struct scene *sc = begin();
	struct event ev = {.kind = EVENT_CLOCK, .who = "sched", .clock.by_s = -HOUR};
	uint64_t first;

	(void)state;
	assert_int_equal(scene_view(sc)->set_back, 0);
	sc->now_s -= HOUR;
	scene_apply(sc, &ev);
	assert_int_equal(ev.clock.before, 0);
	first = ev.seq;
	set_clock(sc, HOUR);
	assert_int_equal(scene_view(sc)->set_back, first);
	sc->now_s -= HOUR;
	scene_apply(sc, &ev);
	assert_int_equal(ev.clock.before, first);
	assert_int_equal(scene_view(sc)->set_back, ev.seq);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(running_job_keeps_its_remaining_time),
		cmocka_unit_test(a_suspended_job_keeps_its_times),
		cmocka_unit_test(idle_job_keeps_its_queue_time_and_position),
		cmocka_unit_test(planned_start_and_defer_keep_their_distance),
		cmocka_unit_test(start_date_does_not_move),
		cmocka_unit_test(advance_reservations_and_temporary_changes_end_by_the_new_clock),
		cmocka_unit_test(usage_stays_in_its_window_and_windows_end_by_the_new_clock),
		cmocka_unit_test(nothing_else_changes),
		cmocka_unit_test(invalid_clock_steps_are_rejected),
		cmocka_unit_test(entries_that_set_the_clock_back_are_chained),
	};

	return cmocka_run_group_tests_name("state_clock", tests, NULL, NULL);
}
