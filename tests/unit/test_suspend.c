/* SPDX-License-Identifier: MIT */
/*
 * test_suspend.c - wallclock limits and estimates of suspended jobs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/forecast/explain.h"
#include "sched/forecast/future.h"
#include "sched/placement/placement.h"
#include "tests/scene.h"

/* One node with 4 processors, all used by job 1 until 100 s; the time is 10 s. */
static struct scene *one_job(void)
{
	struct scene *sc = scene_new(1, 4);

	scene_submit(sc, 4, 100);
	scene_start(sc, 1, 0, 1, 4);
	scene_go(sc, 10);
	return sc;
}

static uint64_t suspend_until(struct scene *sc, int64_t until_s)
{
	struct event ev = {.kind = EVENT_SUSPEND, .job = 1, .until_s = until_s, .suspend.on = true};

	scene_apply(sc, &ev);
	return ev.seq;
}

static void resume(struct scene *sc)
{
	struct event ev = {.kind = EVENT_SUSPEND, .job = 1};

	scene_apply(sc, &ev);
}

static void time_spent_suspended_does_not_count_against_the_limit(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	suspend_until(sc, 0);
	scene_go(sc, 60);
	assert_int_equal(job_left_s(scene_job_of(sc, 1), sc->now_s), 90);
	assert_int_equal(job_ran_s(scene_job_of(sc, 1), sc->now_s), 10);
	assert_true(job_due_end_s(scene_job_of(sc, 1)) == TIME_NEVER);
	resume(sc);
	assert_int_equal(job_due_end_s(scene_job_of(sc, 1)), 150);
	scene_go(sc, 80);
	suspend_until(sc, 0);
	scene_go(sc, 100);
	resume(sc);
	assert_int_equal(job_due_end_s(scene_job_of(sc, 1)), 170);
	assert_int_equal(job_left_s(scene_job_of(sc, 1), 100), 70);
	scene_free(sc);
}

static void a_temporary_suspension_ends_at_its_time(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	suspend_until(sc, 40);
	assert_int_equal(job_due_end_s(scene_job_of(sc, 1)), 130);
	assert_int_equal(job_left_s(scene_job_of(sc, 1), 30), 90);
	assert_int_equal(job_left_s(scene_job_of(sc, 1), 50), 80);
	scene_go(sc, 40);
	scene_take_returns(sc);
	assert_false(job_is_suspended(scene_job_of(sc, 1)));
	assert_int_equal(job_due_end_s(scene_job_of(sc, 1)), 130);
	assert_int_equal(scene_job_of(sc, 1)->suspended_s, 30);
	scene_free(sc);
}

/* When a temporary suspension is made permanent, the time of the resume is no longer known. */
static void a_suspension_made_permanent_has_no_end(void **state)
{
	struct scene *sc = one_job();
	struct event keep = {.kind = EVENT_KEEP};

	(void)state;
	keep.keep.seq = suspend_until(sc, 40);
	scene_apply(sc, &keep);
	assert_true(job_due_end_s(scene_job_of(sc, 1)) == TIME_NEVER);
	scene_go(sc, 40);
	scene_take_returns(sc);
	assert_true(job_is_suspended(scene_job_of(sc, 1)));
	scene_free(sc);
}

static void an_undone_suspend_resumes_the_job_and_an_undone_resume_suspends_it(void **state)
{
	struct scene *sc = one_job();
	uint64_t seq = suspend_until(sc, 0), undo;

	(void)state;
	scene_go(sc, 30);
	undo = scene_undo(sc, seq);
	assert_int_equal(job_due_end_s(scene_job_of(sc, 1)), 120);
	scene_go(sc, 35);
	scene_undo(sc, undo);
	assert_int_equal(scene_job_of(sc, 1)->suspended_at_s, 35);
	assert_int_equal(job_left_s(scene_job_of(sc, 1), 90), 85);
	scene_free(sc);
}

static void a_requeued_job_starts_with_its_full_limit(void **state)
{
	struct scene *sc = one_job();
	struct event ev = {.kind = EVENT_REQUEUE, .job = 1};

	(void)state;
	suspend_until(sc, 0);
	scene_go(sc, 30);
	scene_apply(sc, &ev);
	scene_end(sc, 1);
	assert_int_equal(scene_job_of(sc, 1)->state, JOB_IDLE);
	assert_int_equal(scene_job_of(sc, 1)->real, 0);
	scene_go(sc, 50);
	scene_start(sc, 1, 0, 1, 4);
	assert_int_equal(job_due_end_s(scene_job_of(sc, 1)), 150);
	scene_free(sc);
}

/* Checks the start of a job in the instant plan and in the projection. */
static void check_start(const struct scene *sc, uint64_t job, int64_t expected_s)
{
	struct future f = {.side = {.s = NULL}};

	for (int full = 0; full < 2; full++) {
		assert_true(future_build(&f, scene_view(sc),
					 &(struct future_setup){.full = full, .now_s = sc->now_s}));
		if (f.side.start_s[snapshot_find_job(f.side.s, job)] != expected_s)
			fail_msg("%s: job %llu starts at %lld", full ? "projection" : "plan",
				 (unsigned long long)job,
				 (long long)f.side.start_s[snapshot_find_job(f.side.s, job)]);
	}
	future_clear(&f);
}

static void jobs_behind_a_suspended_job_have_no_estimated_start(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	scene_submit(sc, 2, 50);
	check_start(sc, 2, 100);
	suspend_until(sc, 0);
	check_start(sc, 2, TIME_NEVER);
	scene_go(sc, 500); /* long after its end without the suspension */
	check_start(sc, 2, TIME_NEVER);
	assert_int_equal(scene_pass(sc), 0);
	resume(sc);
	check_start(sc, 2, 590);
	scene_free(sc);
}

static void jobs_start_after_the_end_of_a_job_with_a_known_resume(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	scene_submit(sc, 2, 50);
	suspend_until(sc, 300);
	check_start(sc, 2, 390);
	scene_go(sc, 200);
	check_start(sc, 2, 390);
	scene_go(sc, 300);
	scene_take_returns(sc);
	check_start(sc, 2, 390);
	scene_free(sc);
}

/* A reservation kept under RESERVATIONPOLICY HIGHEST is given up, not moved to a time that is not known. */
static void a_kept_reservation_is_dropped_while_the_resume_is_unknown(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	scene_set(sc, "reservationpolicy", "highest");
	scene_submit(sc, 2, 50);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->planned_s, 100);
	suspend_until(sc, 0);
	scene_pass(sc);
	assert_true(scene_job_of(sc, 2)->planned_s == TIME_NEVER);
	resume(sc);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->planned_s, 100);
	scene_free(sc);
}

static void a_suspended_job_keeps_its_own_nodes(void **state)
{
	struct scene *sc = scene_new(2, 4);
	uint64_t named;

	(void)state;
	scene_submit(sc, 4, 100);
	scene_start(sc, 1, 0, 1, 4);
	suspend_until(sc, 0);
	named = scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 50, .hosts = "n001"});
	check_start(sc, named, TIME_NEVER);
	resume(sc);
	check_start(sc, named, 100);
	scene_free(sc);
}

static void a_limit_does_not_clear_while_the_resume_is_unknown(void **state)
{
	struct scene *sc = scene_new(1, 8);

	(void)state;
	scene_config(sc, "user DEFAULT { maxproc = {\"4\"} }\n");
	scene_submit(sc, 4, 100);
	scene_start(sc, 1, 0, 1, 4);
	scene_submit(sc, 4, 50);
	check_start(sc, 2, 100);
	suspend_until(sc, 0);
	check_start(sc, 2, TIME_NEVER);
	resume(sc);
	suspend_until(sc, 60);
	check_start(sc, 2, 160);
	scene_free(sc);
}

/* The outstanding processor-seconds of a suspended job do not decrease. */
static void outstanding_processor_seconds_do_not_decrease(void **state)
{
	struct scene *sc = scene_new(1, 8);

	(void)state;
	scene_config(sc, "user DEFAULT { maxps = {\"450\"} }\n");
	scene_submit(sc, 4, 100);
	scene_start(sc, 1, 0, 1, 4);
	scene_submit(sc, 4, 50);
	check_start(sc, 2, 38); /* 4 * 62 + 200 <= 450 */
	suspend_until(sc, 0);
	scene_go(sc, 200);
	check_start(sc, 2, TIME_NEVER);
	scene_pass(sc);
	assert_int_equal(sc->result.started, 0);
	resume(sc);
	check_start(sc, 2, 238);
	scene_free(sc);
}

static void the_explanation_of_a_suspended_job_names_its_times(void **state)
{
	struct scene *sc = one_job();
	const struct reason none = {.gate = GATE_NONE};
	struct str text = {0};

	(void)state;
	suspend_until(sc, 0);
	explain_predicate(scene_view(sc), scene_job_of(sc, 1), &none, sc->now_s, &text);
	assert_non_null(strstr(str_text(&text), "has been suspended since"));
	assert_non_null(strstr(str_text(&text), "runs again once it is resumed"));
	resume(sc);
	suspend_until(sc, 60);
	str_clear(&text);
	explain_predicate(scene_view(sc), scene_job_of(sc, 1), &none, sc->now_s, &text);
	assert_non_null(strstr(str_text(&text), "will be resumed by"));
	str_free(&text);
	scene_free(sc);
}

/* --- released processors ------------------------------------------------------------------------- */

static uint64_t release_until(struct scene *sc, uint64_t job, int64_t until_s)
{
	struct event ev = {.kind = EVENT_SUSPEND,
			   .job = job,
			   .until_s = until_s,
			   .suspend = {.on = true, .how = SUSPEND_RELEASE}};

	scene_apply(sc, &ev);
	return ev.seq;
}

static void check_state(const struct scene *sc)
{
	struct err err;

	if (!state_check(sc->st, &err))
		fail_msg("%s", err.text);
}

/* Job 1 released its 4 processors at 10 s; job 2 uses all of them until 60 s. */
static struct scene *released_to_job_2(void)
{
	struct scene *sc = one_job();

	release_until(sc, 1, 0);
	scene_submit(sc, 4, 50);
	assert_int_equal(scene_pass(sc), 1);
	assert_int_equal(scene_job_of(sc, 2)->state, JOB_RUNNING);
	check_state(sc);
	return sc;
}

static void other_jobs_start_on_released_processors(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	release_until(sc, 1, 0);
	assert_int_equal(scene_view(sc)->procs_busy, 0);
	assert_int_equal(scene_view(sc)->nodes_busy, 0);
	check_state(sc);
	scene_submit(sc, 4, 50);
	check_start(sc, 2, 10);
	scene_pass(sc);
	assert_int_equal(scene_view(sc)->procs_busy, 4);
	assert_true(job_is_suspended(scene_job_of(sc, 1)));
	check_state(sc);
	scene_free(sc);
}

static void a_resumed_job_waits_until_its_processors_are_free(void **state)
{
	struct scene *sc = released_to_job_2();

	(void)state;
	scene_go(sc, 20);
	resume(sc);
	assert_true(job_awaits_resume(scene_job_of(sc, 1)));
	assert_int_equal(scene_pass(sc), 0);
	assert_int_equal(sc->result.next_due_s, 60);
	assert_int_equal(placement_resume_at(scene_view(sc), snapshot_find_job(scene_view(sc), 1), 20), 60);
	scene_go(sc, 60);
	assert_int_equal(scene_pass(sc), 1);
	assert_false(job_is_suspended(scene_job_of(sc, 1)));
	assert_int_equal(scene_job_of(sc, 1)->suspended_s, 50);
	assert_int_equal(scene_job_of(sc, 1)->released_s, 50);
	assert_int_equal(job_due_end_s(scene_job_of(sc, 1)), 150);
	assert_int_equal(scene_view(sc)->procs_busy, 4);
	assert_int_equal(scene_pass(sc), 0);
	check_state(sc);
	scene_free(sc);
}

static void only_valid_flags_of_suspend_and_resume_are_accepted(void **state)
{
	static const struct {
		bool on;
		uint8_t how;
		bool good;
	} way[] = {
		{true, 0, true},
		{true, SUSPEND_KEEP, true},
		{true, SUSPEND_RELEASE, true},
		{true, SUSPEND_KEEP | SUSPEND_RELEASE, false},
		{true, SUSPEND_RESUMED, false},
		{true, SUSPEND_HOW_ALL + 1, false},
		{false, SUSPEND_KEEP, false},
		{false, SUSPEND_RELEASE, false},
		{false, SUSPEND_BY_OWNER, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
		struct scene *sc = one_job();
		struct event ev = {
			.kind = EVENT_SUSPEND, .job = 1, .suspend = {.on = way[i].on, .how = way[i].how}};
		struct err err;

		if (!way[i].on)
			suspend_until(sc, 0);
		assert_string_equal(scene_try(sc, &ev, &err),
				    way[i].good ? "" : "job 1: unknown way to suspend or resume a job");
		scene_free(sc);
	}
}

/* An early resume clears the time of the resume; the job still waits for its processors. */
static void an_early_resume_clears_the_time_of_the_resume(void **state)
{
	struct scene *sc = one_job();
	struct event ev = {.kind = EVENT_SUSPEND,
			   .job = 1,
			   .until_s = 500,
			   .suspend = {.on = true, .how = SUSPEND_RELEASE}};

	(void)state;
	scene_apply(sc, &ev);
	assert_int_equal(scene_job_of(sc, 1)->resume_s, 500);
	scene_start(sc, scene_submit(sc, 4, 50), 0, 1, 4);
	scene_go(sc, 20);
	resume(sc);
	assert_true(job_awaits_resume(scene_job_of(sc, 1)));
	assert_int_equal(scene_job_of(sc, 1)->resume_s, 0);
	scene_free(sc);
}

static void a_resume_precedes_waiting_jobs(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	release_until(sc, 1, 0);
	scene_submit(sc, 2, 50);
	scene_pass(sc); /* job 2 runs until 60 s */
	resume(sc);
	scene_submit(sc, 2, 60); /* would delay the resume at 60 */
	scene_submit(sc, 2, 40);
	check_start(sc, 3, 150);
	check_start(sc, 4, 10);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_IDLE);
	assert_int_equal(scene_job_of(sc, 4)->state, JOB_RUNNING);
	scene_go(sc, 60);
	scene_pass(sc);
	assert_false(job_is_suspended(scene_job_of(sc, 1)));
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_IDLE);
	scene_free(sc);
}

static void a_job_that_waits_for_a_resume_names_it_as_reason(void **state)
{
	struct scene *sc = one_job();
	const struct reason *reason;

	(void)state;
	release_until(sc, 1, 40);
	scene_submit(sc, 4, 100);
	cycle_run(sc->cycle, scene_view(sc), sc->now_s, true, &sc->result);
	reason = &sc->result.reason[snapshot_find_job(scene_view(sc), 2)];
	assert_int_equal(reason->gate, GATE_RESERVATIONS);
	assert_int_equal(reason->other, 1);
	assert_int_equal(reason->until_s, 40);
	scene_free(sc);
}

static void processors_are_kept_free_for_a_resume_at_a_known_time(void **state)
{
	struct scene *sc = one_job();

	(void)state;
	release_until(sc, 1, 40);
	scene_submit(sc, 4, 100);
	scene_submit(sc, 4, 30);
	check_start(sc, 2, 130);
	check_start(sc, 3, 10);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_RUNNING);
	scene_go(sc, 40);
	scene_take_returns(sc);
	scene_pass(sc);
	assert_false(job_is_suspended(scene_job_of(sc, 1)));
	assert_int_equal(job_due_end_s(scene_job_of(sc, 1)), 130);
	check_start(sc, 2, 130);
	scene_free(sc);
}

static int64_t resume_of(const struct scene *sc, uint64_t job)
{
	return placement_resume_at(scene_view(sc), snapshot_find_job(scene_view(sc), job), sc->now_s);
}

/* No processors are kept free for a job suspended by its owner until the job awaits its resume. */
static void a_suspension_by_the_owner_keeps_no_processors_free(void **state)
{
	struct scene *sc = one_job();
	struct event ev = {.kind = EVENT_SUSPEND,
			   .job = 1,
			   .until_s = 40,
			   .suspend = {.on = true, .how = SUSPEND_BY_OWNER | SUSPEND_RELEASE}};

	(void)state;
	scene_apply(sc, &ev);
	assert_true(job_is_released(scene_job_of(sc, 1)));
	scene_submit(sc, 4, 100);
	check_start(sc, 2, 10);
	assert_true(resume_of(sc, 1) == TIME_NEVER);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->state, JOB_RUNNING);
	assert_int_equal(sc->result.next_due_s, 40);
	scene_go(sc, 40);
	scene_take_returns(sc);
	assert_int_equal(resume_of(sc, 1), 110);
	scene_submit(sc, 4, 100);
	check_start(sc, 3, 200); /* the resume comes before the queue */
	scene_play(sc, 110);
	assert_false(job_is_suspended(scene_job_of(sc, 1)));
	scene_free(sc);
}

static void plan_and_projection_place_a_job_after_a_resume(void **state)
{
	struct scene *sc = released_to_job_2();

	(void)state;
	scene_submit(sc, 4, 20);
	check_start(sc, 3, 60); /* the time of the resume of job 1 is not known */
	resume(sc);
	check_start(sc, 3, 150);
	scene_play(sc, 150);
	assert_int_equal(scene_job_of(sc, 3)->start_s, 150);
	scene_free(sc);
}

/* Job 1 has run for 10 of 100 s and is due to resume at first_s, job 2 for 20 of 60 s and at 40 s. */
static struct scene *two_resumes(int64_t first_s)
{
	struct scene *sc = one_job();

	release_until(sc, 1, first_s);
	scene_start(sc, scene_submit(sc, 4, 60), 0, 1, 4);
	scene_go(sc, 30);
	release_until(sc, 2, 40);
	check_state(sc);
	return sc;
}

/* Job 1 has 90 s left, job 2 has 40 s. The job that is due later resumes when the other one has ended. */
static void two_resumes_on_one_node_follow_each_other(void **state)
{
	struct scene *sc = two_resumes(60);

	(void)state;
	assert_int_equal(resume_of(sc, 2), 40);
	assert_int_equal(resume_of(sc, 1), 80);
	scene_free(sc);
	sc = two_resumes(35);
	assert_int_equal(resume_of(sc, 1), 35);
	assert_int_equal(resume_of(sc, 2), 125);
	scene_free(sc);
	sc = two_resumes(40); /* both are due at 40 s: the job with the lower ID is first */
	assert_int_equal(resume_of(sc, 1), 40);
	assert_int_equal(resume_of(sc, 2), 130);
	scene_free(sc);
}

static void the_next_resume_is_the_first_after_a_time(void **state)
{
	struct scene *sc = two_resumes(60);
	struct placement *placement = placement_new();

	(void)state;
	placement_begin(placement, scene_view(sc), sc->now_s);
	assert_int_equal(placement_next_resume(placement, 30)->job, 2);
	assert_int_equal(placement_next_resume(placement, 39)->begin_s, 40);
	assert_int_equal(placement_next_resume(placement, 40)->job, 1);
	assert_int_equal(placement_next_resume(placement, 79)->begin_s, 80);
	assert_null(placement_next_resume(placement, 80));
	assert_int_equal(placement_resume_s(placement, snapshot_find_job(scene_view(sc), 1)), 80);
	assert_true(placement_resume_s(placement, INDEX_NONE) == TIME_NEVER);
	placement_free(placement);
	scene_free(sc);
	sc = one_job(); /* a resume at an unknown time is not listed */
	release_until(sc, 1, 0);
	placement = placement_new();
	placement_begin(placement, scene_view(sc), sc->now_s);
	assert_null(placement_next_resume(placement, 10));
	placement_free(placement);
	assert_true(resume_of(sc, 1) == TIME_NEVER);
	scene_free(sc);
}

static void a_job_is_resumed_on_its_own_nodes(void **state)
{
	struct scene *sc = scene_new(2, 4);
	const struct job *job;

	(void)state;
	scene_submit(sc, 4, 100);
	scene_start(sc, 1, 0, 1, 4);
	release_until(sc, 1, 0);
	scene_submit(sc, 4, 50);
	scene_start(sc, 2, 0, 1, 4); /* node 1 stays free */
	resume(sc);
	assert_int_equal(scene_pass(sc), 0);
	scene_go(sc, 50);
	assert_int_equal(scene_pass(sc), 1);
	job = scene_job_of(sc, 1);
	assert_false(job_is_suspended(job));
	assert_int_equal(snapshot_runs(scene_view(sc))[job->run].node, 0);
	assert_int_equal(snapshot_nodes(scene_view(sc))[0].procs_busy, 4);
	check_state(sc);
	scene_free(sc);
}

static void memory_and_generic_resources_stay_with_a_released_job(void **state)
{
	struct scene *sc = scene_new(0, 0);
	const struct node *node;

	(void)state;
	scene_node(sc, (struct node_record){.name = "n001",
					    .procs = 4,
					    .mem_mb = 100,
					    .gres = "gpu:1",
					    .used = NODE_NOT_MEASURED});
	scene_add(sc, (struct scene_job){.procs = 1, .mem_mb = 80, .gres = "gpu:1"});
	scene_pass(sc);
	release_until(sc, 1, 0);
	node = snapshot_nodes(scene_view(sc));
	assert_int_equal(node->procs_busy, 0);
	assert_int_equal(node->mem_busy_mb, 80);
	assert_int_equal(node->gres_busy[0], 1);
	scene_add(sc, (struct scene_job){.procs = 1, .mem_mb = 30});
	scene_add(sc, (struct scene_job){.procs = 1, .gres = "gpu:1"});
	scene_add(sc, (struct scene_job){.procs = 4, .mem_mb = 5});
	check_start(sc, 2, TIME_NEVER);
	check_start(sc, 3, TIME_NEVER);
	check_start(sc, 4, 0);
	resume(sc);
	check_start(sc, 2, 100);
	check_start(sc, 3, 100);
	scene_free(sc);
}

static void check_node_kept(uint8_t access, uint8_t node_access)
{
	struct scene *sc = scene_new(1, 4);

	scene_node(sc, (struct node_record){.name = "n001", .procs = 4, .access = node_access});
	scene_add(sc, (struct scene_job){.procs = 2, .access = access});
	scene_pass(sc);
	release_until(sc, 1, 0);
	assert_true(job_is_suspended(scene_job_of(sc, 1)));
	assert_false(job_is_released(scene_job_of(sc, 1)));
	assert_true(scene_view(sc)->procs_busy > 0);
	resume(sc);
	assert_false(job_is_suspended(scene_job_of(sc, 1)));
	scene_free(sc);
}

/* No other job could use the processors, and no job would be charged for them. */
static void a_job_with_single_job_or_single_user_access_keeps_its_node(void **state)
{
	(void)state;
	check_node_kept(ACCESS_SINGLEJOB, ACCESS_UNSET);
	check_node_kept(ACCESS_SINGLEUSER, ACCESS_UNSET);
	check_node_kept(ACCESS_UNSET, ACCESS_SINGLEJOB);
	check_node_kept(ACCESS_UNSET, ACCESS_SINGLEUSER);
}

/* The time before the suspension is charged when the processors are released. */
static void usage_covers_the_time_with_processors_only(void **state)
{
	struct scene *sc = one_job();
	struct fs_world world;
	int64_t total;

	(void)state;
	scene_set(sc, "fspolicy", "dedicatedps");
	release_until(sc, 1, 0);
	scene_go(sc, 40);
	resume(sc);
	scene_pass(sc);
	assert_int_equal(job_held_s(scene_job_of(sc, 1), 70), 40);
	snapshot_fs_world(scene_view(sc), 70, &world);
	assert_int_equal(fs_job_usage(FS_DEDICATEDPS, scene_job_of(sc, 1), &world.machine, 70, 0, 1000),
			 30 * 4 * FS_UNIT);
	scene_go(sc, 70);
	scene_end(sc, 1);
	total = 0;
	for (int i = 0; i < FS_DEPTH_MAX; i++)
		total += scene_view(sc)->fs_window[i].total;
	assert_int_equal(total, 40 * 4 * FS_UNIT);
	scene_free(sc);
}

static void a_released_job_that_leaves_frees_only_what_it_holds(void **state)
{
	struct scene *sc = released_to_job_2();
	struct event ev = {.kind = EVENT_REQUEUE, .job = 1};

	(void)state;
	scene_apply(sc, &ev);
	scene_end(sc, 1);
	assert_int_equal(scene_view(sc)->procs_busy, 4);
	assert_int_equal(scene_job_of(sc, 1)->real, 0);
	check_state(sc);
	scene_end(sc, 2);
	scene_pass(sc);
	release_until(sc, 1, 0);
	scene_end(sc, 1);
	assert_int_equal(scene_view(sc)->procs_busy, 0);
	assert_int_equal(scene_view(sc)->released, 0);
	check_state(sc);
	scene_free(sc);
}

static void check_processors_kept(struct scene *sc)
{
	release_until(sc, 1, 0);
	assert_true(job_is_suspended(scene_job_of(sc, 1)));
	assert_false(job_is_released(scene_job_of(sc, 1)));
	assert_int_equal(scene_view(sc)->procs_busy, 4);
	check_state(sc);
	scene_free(sc);
}

/* Such a job runs until it has exited or its grace period is over. */
static void a_job_that_is_being_ended_keeps_its_processors(void **state)
{
	struct scene *sc = one_job();
	struct event requeue = {.kind = EVENT_REQUEUE, .job = 1};

	(void)state;
	scene_cancel(sc, 1);
	check_processors_kept(sc);
	sc = one_job();
	scene_apply(sc, &requeue);
	check_processors_kept(sc);
	sc = one_job();
	sc->now_s = 100; /* the job's limit; its end has not been reported yet */
	check_processors_kept(sc);
}

static void an_undone_release_awaits_processors_until_redone(void **state)
{
	struct scene *sc = one_job();
	uint64_t seq = release_until(sc, 1, 0), undo;

	(void)state;
	scene_submit(sc, 4, 50);
	scene_pass(sc);
	undo = scene_undo(sc, seq);
	assert_true(job_awaits_resume(scene_job_of(sc, 1)));
	scene_undo(sc, undo);
	assert_false(job_awaits_resume(scene_job_of(sc, 1)));
	assert_true(job_is_released(scene_job_of(sc, 1)));
	scene_undo(sc, scene_view(sc)->seq);
	scene_go(sc, 60);
	scene_pass(sc);
	assert_false(job_is_suspended(scene_job_of(sc, 1)));
	check_state(sc);
	scene_free(sc);
}

static void impossible_suspends_and_resumes_are_refused(void **state)
{
	struct scene *sc = released_to_job_2();
	struct event now = {.kind = EVENT_SUSPEND, .job = 1, .suspend.how = SUSPEND_RESUMED},
		     both = {.kind = EVENT_SUSPEND,
			     .job = 2,
			     .suspend = {.on = true, .how = SUSPEND_RELEASE | SUSPEND_KEEP}},
		     again = {.kind = EVENT_SUSPEND, .job = 1};
	struct err err;

	(void)state;
	assert_non_null(strstr(scene_try(sc, &now, &err), "is not waiting for its processors"));
	resume(sc);
	assert_non_null(
		strstr(scene_try(sc, &now, &err), "node n001 has 0 processors free, but the job needs 4"));
	assert_non_null(strstr(scene_try(sc, &again, &err), "as soon as its processors are free"));
	assert_non_null(strstr(scene_try(sc, &both, &err), "unknown way"));
	again.suspend.on = true;
	assert_string_equal(scene_try(sc, &again, &err), "");
	assert_false(job_awaits_resume(scene_job_of(sc, 1)));
	scene_free(sc);
}

static void ownersuspend_decides_unless_keep_or_release_is_given(void **state)
{
	struct scene *sc = one_job();
	struct event keep = {.kind = EVENT_SUSPEND, .job = 1, .suspend = {.on = true, .how = SUSPEND_KEEP}};

	(void)state;
	scene_set(sc, "ownersuspend", "release");
	scene_apply(sc, &keep);
	assert_false(job_is_released(scene_job_of(sc, 1)));
	resume(sc);
	suspend_until(sc, 0);
	assert_true(job_is_released(scene_job_of(sc, 1)));
	resume(sc);
	scene_pass(sc);
	scene_set(sc, "ownersuspend", "keep");
	suspend_until(sc, 0);
	assert_false(job_is_released(scene_job_of(sc, 1)));
	scene_free(sc);
}

static void a_paused_scheduler_resumes_nothing(void **state)
{
	struct scene *sc = one_job();
	struct event halt = {.kind = EVENT_HALT, .halt.on = true}, go = {.kind = EVENT_HALT};

	(void)state;
	release_until(sc, 1, 0);
	scene_apply(sc, &halt);
	resume(sc);
	assert_int_equal(scene_pass(sc), 0);
	assert_true(placement_resume_at(scene_view(sc), snapshot_find_job(scene_view(sc), 1), 10) ==
		    TIME_NEVER);
	scene_apply(sc, &go);
	assert_int_equal(scene_pass(sc), 1);
	assert_false(job_is_suspended(scene_job_of(sc, 1)));
	scene_free(sc);
}

/* The reservation of a waiting job is moved behind the resume. */
static void a_kept_reservation_is_moved_behind_a_resume(void **state)
{
	struct scene *sc = released_to_job_2();

	(void)state;
	scene_set(sc, "reservationpolicy", "highest");
	scene_submit(sc, 4, 50);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 3)->planned_s, 60);
	resume(sc);
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 3)->planned_s, 150);
	scene_free(sc);
}

static void the_explanation_of_a_released_job_names_its_processors(void **state)
{
	struct scene *sc = released_to_job_2();
	const struct reason none = {.gate = GATE_NONE, .until_s = 60};
	struct str text = {0};

	(void)state;
	explain_predicate(scene_view(sc), scene_job_of(sc, 1), &none, sc->now_s, &text);
	assert_non_null(strstr(str_text(&text), "its processors are released, and it runs again once"));
	resume(sc);
	str_clear(&text);
	explain_predicate(scene_view(sc), scene_job_of(sc, 1), &none, sc->now_s, &text);
	assert_non_null(strstr(str_text(&text),
			       "when the 4 of its processors that other jobs use are free, which is"));
	str_free(&text);
	scene_free(sc);
}

/* Usage is recorded by user. Its table grows during a suspend, which moves all other tables. */
static void released_jobs_are_unaffected_when_tables_move(void **state)
{
	struct scene *sc = scene_new(1, 64);

	(void)state;
	for (uint64_t id = 1; id <= 64; id++) {
		char user[16];

		snprintf(user, sizeof user, "u%d", (int)id);
		scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 1000, .user = user});
		scene_start(sc, id, 0, 1, 1);
	}
	scene_go(sc, 10);
	for (uint64_t id = 1; id <= 64; id++) {
		struct event ev = {.kind = EVENT_SUSPEND,
				   .job = id,
				   .until_s = 100 + (int64_t)id,
				   .suspend = {.on = true, .how = SUSPEND_RELEASE}};

		scene_apply(sc, &ev);
		assert_true(job_is_released(scene_job_of(sc, id)));
		assert_int_equal(scene_job_of(sc, id)->real & JOB_REAL_OWNER, 0);
		assert_int_equal(scene_job_of(sc, id)->resume_s, 100 + id);
	}
	scene_free(sc);
}

/* Otherwise the owner could resume a job that an administrator has suspended. */
static void an_administrator_takes_over_a_suspension_by_the_owner(void **state)
{
	struct scene *sc = one_job();
	const struct suspension_of {
		int64_t how;
		const char *why;
	} by[] = {{SUSPEND_BY_OWNER | SUSPEND_RELEASE, ""},
		  {SUSPEND_BY_OWNER, "job 1 is already suspended"},
		  {0, ""},
		  {0, "job 1 is already suspended"},
		  {SUSPEND_BY_OWNER, "job 1 is already suspended"}};
	uint64_t seq = 0; /* the last accepted suspension */

	(void)state;
	for (size_t i = 0; i < sizeof by / sizeof by[0]; i++) {
		struct event ev = {.kind = EVENT_SUSPEND,
				   .job = 1,
				   .until_s = by[i].how != 0 ? 500 : 0,
				   .suspend = {.on = true, .how = (uint8_t)by[i].how}};
		struct err err;

		assert_string_equal(scene_try(sc, &ev, &err), by[i].why);
		seq = by[i].why[0] == '\0' ? scene_view(sc)->seq : seq;
		assert_true(job_is_released(scene_job_of(sc, 1)));
	}
	assert_int_equal(scene_job_of(sc, 1)->real & JOB_REAL_OWNER, 0);
	assert_int_equal(scene_job_of(sc, 1)->resume_s, 0);
	scene_undo(sc, seq);
	assert_int_not_equal(scene_job_of(sc, 1)->real & JOB_REAL_OWNER, 0);
	assert_int_equal(scene_job_of(sc, 1)->resume_s, 500);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_spent_suspended_does_not_count_against_the_limit),
		cmocka_unit_test(a_temporary_suspension_ends_at_its_time),
		cmocka_unit_test(a_suspension_made_permanent_has_no_end),
		cmocka_unit_test(an_undone_suspend_resumes_the_job_and_an_undone_resume_suspends_it),
		cmocka_unit_test(a_requeued_job_starts_with_its_full_limit),
		cmocka_unit_test(jobs_behind_a_suspended_job_have_no_estimated_start),
		cmocka_unit_test(jobs_start_after_the_end_of_a_job_with_a_known_resume),
		cmocka_unit_test(a_kept_reservation_is_dropped_while_the_resume_is_unknown),
		cmocka_unit_test(a_suspended_job_keeps_its_own_nodes),
		cmocka_unit_test(a_limit_does_not_clear_while_the_resume_is_unknown),
		cmocka_unit_test(outstanding_processor_seconds_do_not_decrease),
		cmocka_unit_test(the_explanation_of_a_suspended_job_names_its_times),
		cmocka_unit_test(other_jobs_start_on_released_processors),
		cmocka_unit_test(a_resumed_job_waits_until_its_processors_are_free),
		cmocka_unit_test(an_early_resume_clears_the_time_of_the_resume),
		cmocka_unit_test(only_valid_flags_of_suspend_and_resume_are_accepted),
		cmocka_unit_test(a_resume_precedes_waiting_jobs),
		cmocka_unit_test(a_job_that_waits_for_a_resume_names_it_as_reason),
		cmocka_unit_test(processors_are_kept_free_for_a_resume_at_a_known_time),
		cmocka_unit_test(a_suspension_by_the_owner_keeps_no_processors_free),
		cmocka_unit_test(plan_and_projection_place_a_job_after_a_resume),
		cmocka_unit_test(two_resumes_on_one_node_follow_each_other),
		cmocka_unit_test(the_next_resume_is_the_first_after_a_time),
		cmocka_unit_test(a_job_is_resumed_on_its_own_nodes),
		cmocka_unit_test(memory_and_generic_resources_stay_with_a_released_job),
		cmocka_unit_test(a_job_with_single_job_or_single_user_access_keeps_its_node),
		cmocka_unit_test(usage_covers_the_time_with_processors_only),
		cmocka_unit_test(a_released_job_that_leaves_frees_only_what_it_holds),
		cmocka_unit_test(a_job_that_is_being_ended_keeps_its_processors),
		cmocka_unit_test(an_undone_release_awaits_processors_until_redone),
		cmocka_unit_test(released_jobs_are_unaffected_when_tables_move),
		cmocka_unit_test(an_administrator_takes_over_a_suspension_by_the_owner),
		cmocka_unit_test(impossible_suspends_and_resumes_are_refused),
		cmocka_unit_test(ownersuspend_decides_unless_keep_or_release_is_given),
		cmocka_unit_test(a_paused_scheduler_resumes_nothing),
		cmocka_unit_test(a_kept_reservation_is_moved_behind_a_resume),
		cmocka_unit_test(the_explanation_of_a_released_job_names_its_processors),
	};

	return cmocka_run_group_tests_name("suspend", tests, NULL, NULL);
}
