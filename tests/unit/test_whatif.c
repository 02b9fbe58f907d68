/* SPDX-License-Identifier: MIT */
/*
 * test_whatif.c - comparison of two futures of one queue, with worked numbers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/forecast/future.h"
#include "sched/forecast/whatif.h"
#include "sched/state/draft.h"
#include "tests/scene.h"

/* The live future, the future with a draft, and their comparison. */
struct compared {
	struct scene *sc;
	struct state *draft;
	struct future before, after;
	struct whatif w;
};

/* The futures must not be moved, because their sides point into them. */
static void compare(struct compared *c, struct scene *sc, const struct event *ev, size_t count)
{
	const struct future_setup setup = {.now_s = sc->now_s, .full = true};

	*c = (struct compared){.sc = sc, .draft = draft_make(scene_view(sc), ev, count, NULL, NULL)};
	assert_non_null(c->draft);
	assert_true(future_build(&c->before, scene_view(sc), &setup));
	assert_true(future_build(&c->after, state_view(c->draft), &setup));
	whatif_compare(&c->w, &c->before.side, &c->after.side);
}

static void end(struct compared *c)
{
	whatif_clear(&c->w);
	future_clear(&c->before);
	future_clear(&c->after);
	state_free(c->draft);
	scene_free(c->sc);
}

/* The time is 120 s. Job 1 uses the only processor until 300 s. Four jobs have waited since 0 s: job 2 with a
 * limit of 100 s, job 3 of 50 s, job 4, which is held, and job 5. The draft moves job 3 to the front and
 * cancels job 5.
 *
 *     job   before   after
 *     2     300      350
 *     3     400      300
 *     4     never    never
 */
static void compare_reordered_queue(struct compared *c)
{
	const struct event draft[] = {
		{.kind = EVENT_PRIORITY,
		 .job = 3,
		 .priority = {.adjust = JOB_ADJUST_RELATIVE, .points = 1000}},
		{.kind = EVENT_CANCEL, .job = 5},
	};
	struct scene *sc = scene_new(1, 1);

	scene_add(sc, (struct scene_job){.wall_s = 300});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .wall_s = 100});
	scene_add(sc, (struct scene_job){.user = "eva", .wall_s = 50});
	scene_add(sc, (struct scene_job){.user = "bob", .holds = JOB_HOLD_USER});
	scene_add(sc, (struct scene_job){.user = "cyd"});
	scene_go(sc, 120);
	compare(c, sc, draft, 2);
}

static void jobs_waiting_in_both_have_rank_start_and_points(void **state)
{
	static const struct whatif_job expected[] = {
		{.job = 2,
		 .rank_before = 1,
		 .rank_after = 2,
		 .start_before_s = 300,
		 .start_after_s = 350,
		 .points_before = 2,
		 .points_after = 2},
		{.job = 3,
		 .rank_before = 2,
		 .rank_after = 1,
		 .start_before_s = 400,
		 .start_after_s = 300,
		 .points_before = 2,
		 .points_after = 1002},
		{.job = 4,
		 .start_before_s = TIME_NEVER,
		 .start_after_s = TIME_NEVER,
		 .points_before = 2,
		 .points_after = 2},
	};
	struct compared c;

	(void)state;
	compare_reordered_queue(&c);
	assert_int_equal(c.w.count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct whatif_job *j = &c.w.job[i];

		assert_int_equal(j->job, expected[i].job);
		assert_int_equal(j->slot_before, snapshot_find_job(scene_view(c.sc), j->job));
		assert_int_equal(j->slot_after, snapshot_find_job(state_view(c.draft), j->job));
		assert_int_equal(j->rank_before, expected[i].rank_before);
		assert_int_equal(j->rank_after, expected[i].rank_after);
		assert_int_equal(j->start_before_s, expected[i].start_before_s);
		assert_int_equal(j->start_after_s, expected[i].start_after_s);
		assert_int_equal(j->points_before, expected[i].points_before);
		assert_int_equal(j->points_after, expected[i].points_after);
	}
	end(&c);
}

static void totals_cover_the_jobs_that_start_in_both(void **state)
{
	struct compared c;

	(void)state;
	compare_reordered_queue(&c);
	assert_int_equal(c.w.jobs, 2);
	assert_int_equal(c.w.earlier, 1);
	assert_int_equal(c.w.later, 1);
	assert_int_equal(c.w.reordered, 2);
	assert_int_equal(c.w.most_delayed, 2);
	assert_int_equal(c.w.most_delay_s, 50);
	assert_int_equal(c.w.before.starts, 2);
	assert_int_equal(c.w.before.starts_now, 0);
	assert_true(c.w.before.wait_s == 300 + 400);
	assert_true(c.w.before.xfactor == (1 + 3.0) + (1 + 8.0));
	assert_int_equal(c.w.before.most_wait_s, 400);
	assert_true(c.w.before.most_xfactor == 9);
	assert_int_equal(c.w.before.last_start_s, 400);
	assert_true(c.w.after.wait_s == 350 + 300);
	assert_true(c.w.after.xfactor == (1 + 3.5) + (1 + 6.0));
	assert_int_equal(c.w.after.most_wait_s, 350);
	assert_true(c.w.after.most_xfactor == 7);
	assert_int_equal(c.w.after.last_start_s, 350);
	end(&c);
}

static void groups_are_the_credentials_with_a_start(void **state)
{
	struct compared c;
	const struct whatif_group *g;

	(void)state;
	compare_reordered_queue(&c);
	g = c.w.group;
	assert_int_equal(c.w.groups, 2);
	assert_int_equal(g[0].type, CRED_USER);
	assert_int_equal(g[0].cred, snapshot_find_cred(scene_view(c.sc), CRED_USER, "bob"));
	assert_int_equal(g[0].jobs, 1);
	assert_int_equal(g[0].earlier, 0);
	assert_int_equal(g[0].later, 1);
	assert_int_equal(g[0].before.starts, 1);
	assert_true(g[0].before.wait_s == 300);
	assert_true(g[0].after.wait_s == 350);
	assert_int_equal(g[1].cred, snapshot_find_cred(scene_view(c.sc), CRED_USER, "eva"));
	assert_int_equal(g[1].earlier, 1);
	assert_int_equal(g[1].later, 0);
	assert_int_equal(g[1].after.last_start_s, 300);
	end(&c);
}

/* No job starts in both futures, so no waits are compared; without the draft, no job of the group starts. */
static void a_job_that_starts_in_one_future_only_counts_as_a_start(void **state)
{
	const struct event release = {
		.kind = EVENT_HOLD, .job = 2, .hold = {.bits = JOB_HOLD_USER, .on = false}};
	struct scene *sc = scene_new(1, 2);
	struct compared c;
	struct whatif back = {.job = NULL};

	(void)state;
	scene_add(sc, (struct scene_job){.wall_s = 300});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .holds = JOB_HOLD_USER});
	scene_go(sc, 120);
	compare(&c, sc, &release, 1);
	assert_int_equal(c.w.count, 1);
	assert_int_equal(c.w.jobs, 0);
	assert_int_equal(c.w.earlier, 1);
	assert_int_equal(c.w.reordered, 1);
	assert_int_equal(c.w.before.starts, 0);
	assert_int_equal(c.w.after.starts, 1);
	assert_int_equal(c.w.after.starts_now, 1);
	assert_true(c.w.after.wait_s == 0);
	assert_int_equal(c.w.after.last_start_s, TIME_NONE);
	assert_true(isnan(whatif_mean(c.w.after.wait_s, c.w.jobs)));
	assert_int_equal(c.w.groups, 1);
	assert_int_equal(c.w.group[0].after.starts_now, 1);
	whatif_compare(&back, &c.after.side, &c.before.side);
	assert_int_equal(back.later, 1);
	assert_int_equal(back.most_delayed, 0);
	assert_int_equal(back.groups, 1);
	whatif_clear(&back);
	end(&c);
}

/* Such a job exists in one future only. */
static void a_job_submitted_by_the_draft_is_left_out(void **state)
{
	const struct event submit = {
		.kind = EVENT_SUBMIT,
		.submit = {.job = {.tasks = 1, .task_procs = 1, .wall_limit_s = 50}, .cred = {"new"}}};
	struct scene *sc = scene_new(1, 1);
	struct compared c;

	(void)state;
	scene_submit(sc, 1, 300);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob"});
	compare(&c, sc, &submit, 1);
	assert_int_equal(c.w.count, 1);
	assert_int_equal(c.w.job[0].job, 2);
	assert_int_equal(c.w.reordered, 0);
	assert_int_equal(c.w.earlier + c.w.later, 0);
	assert_int_equal(c.w.groups, 1);
	end(&c);
}

/* Such a job waits in one future only. */
static void a_job_that_runs_in_the_draft_is_left_out(void **state)
{
	const struct alloc_run run = {.nodes = 1, .procs = 1, .tasks = 1};
	const struct event start = {.kind = EVENT_START, .job = 2, .start = {.runs = &run, .count = 1}};
	struct scene *sc = scene_new(1, 2);
	struct compared c;

	(void)state;
	scene_submit(sc, 1, 300);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "bob", .holds = JOB_HOLD_USER});
	scene_add(sc, (struct scene_job){.user = "bob"});
	scene_release(sc, 2, JOB_HOLD_USER);
	compare(&c, sc, &start, 1);
	assert_int_equal(c.w.count, 1);
	assert_int_equal(c.w.job[0].job, 3);
	end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_waiting_in_both_have_rank_start_and_points),
		cmocka_unit_test(totals_cover_the_jobs_that_start_in_both),
		cmocka_unit_test(groups_are_the_credentials_with_a_start),
		cmocka_unit_test(a_job_that_starts_in_one_future_only_counts_as_a_start),
		cmocka_unit_test(a_job_submitted_by_the_draft_is_left_out),
		cmocka_unit_test(a_job_that_runs_in_the_draft_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
