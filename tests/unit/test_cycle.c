/* SPDX-License-Identifier: MIT */
/*
 * test_cycle.c - decisions of a pass besides starts, and the time of the next pass
 *
 * Random workloads are tested in tests/property/same.c, reservations.c and due.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/forecast/explain.h"
#include "sched/forecast/plan.h"
#include "sched/pass/enact.h"
#include "sched/placement/reservation.h"
#include "tests/scene.h"

static uint32_t count(const struct cycle_result *r, enum decision_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->decision_count; i++)
		n += r->decision[i].kind == kind;
	return n;
}

static const struct decision *find(const struct cycle_result *r, enum decision_kind kind, uint64_t job)
{
	for (uint32_t i = 0; i < r->decision_count; i++)
		if (r->decision[i].kind == kind && r->decision[i].job == job)
			return &r->decision[i];
	fail_msg("job %llu is not decided on", (unsigned long long)job);
	return NULL;
}

static struct cycle_result run_pass(struct scene *sc, bool with_reasons)
{
	struct cycle_result r;

	cycle_run(sc->cycle, scene_view(sc), sc->now_s, with_reasons, &r);
	return r;
}

static void an_empty_queue_decides_nothing(void **state)
{
	struct scene *sc = scene_new(2, 2);
	struct cycle_result r = run_pass(sc, true);

	(void)state;
	assert_int_equal(r.decision_count, 0);
	assert_true(r.next_due_s == TIME_NEVER);
	scene_free(sc);
}

static void a_pass_changes_nothing_by_itself(void **state)
{
	struct scene *sc = scene_new(2, 2);
	uint64_t before;

	(void)state;
	scene_submit(sc, 3, 100);
	scene_submit(sc, 3, 100);
	before = state_hash(scene_view(sc));
	assert_int_equal(run_pass(sc, true).decision_count, 2);
	assert_true(state_hash(scene_view(sc)) == before);
	scene_free(sc);
}

static void starts_come_first_then_plans_then_deltas(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct cycle_result r;

	(void)state;
	scene_submit(sc, 6, 100);
	scene_submit(sc, 10, 50);
	scene_submit(sc, 4, 100);
	r = run_pass(sc, false);
	assert_int_equal(r.decision_count, 4);
	assert_int_equal(r.decision[0].kind, DECIDE_START);
	assert_int_equal(r.decision[1].kind, DECIDE_START);
	assert_int_equal(r.decision[2].kind, DECIDE_PLAN);
	assert_int_equal(r.decision[3].kind, DECIDE_BYPASS);
	assert_int_equal(r.started, 2);
	assert_int_equal(r.backfilled, 1);
	assert_int_equal(r.runs[r.decision[1].first_run].node,
			 0); /* policy lastavailable: from the highest node */
	scene_free(sc);
}

static void each_backfilled_job_counts_one_bypass_for_each_job_ahead(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct cycle_result r;

	(void)state;
	scene_submit(sc, 6, 100);
	scene_submit(sc, 10, 50);
	scene_submit(sc, 1, 10);
	scene_submit(sc, 9, 50);
	scene_submit(sc, 1, 10);
	scene_submit(sc, 9, 50);
	r = run_pass(sc, false);
	assert_int_equal(r.backfilled, 2);
	assert_int_equal(find(&r, DECIDE_BYPASS, 2)->count, 2);
	assert_int_equal(find(&r, DECIDE_BYPASS, 4)->count, 1);
	assert_int_equal(count(&r, DECIDE_BYPASS), 2);
	scene_free(sc);
}

static void a_reservation_is_reported_when_it_is_made_or_dropped(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct cycle_result r;

	(void)state;
	scene_submit(sc, 10, 100);
	scene_submit(sc, 10, 50);
	r = run_pass(sc, false);
	assert_int_equal(find(&r, DECIDE_PLAN, 2)->planned_s, 100);
	scene_pass(sc);
	assert_int_equal(run_pass(sc, false).decision_count, 0);
	scene_hold(sc, 2, JOB_HOLD_USER);
	r = run_pass(sc, false);
	find(&r, DECIDE_UNPLAN, 2);
	assert_int_equal(r.decision_count, 1);
	scene_free(sc);
}

static void queue_time_stops_with_a_hold_and_counts_from_the_release(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct cycle_result r;

	(void)state;
	scene_set(sc, "jobprioaccrualpolicy", "fullpolicy");
	scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_submit(sc, 1, 100);
	scene_hold(sc, 2, JOB_HOLD_USER);
	r = run_pass(sc, false);
	find(&r, DECIDE_PAUSE, 2);
	scene_pass(sc);
	assert_int_equal(count((r = run_pass(sc, false), &r), DECIDE_PAUSE), 0);
	scene_go(sc, 60);
	assert_int_equal(job_queued_s(scene_job_of(sc, 2), 60), 0);
	scene_release(sc, 2, JOB_HOLD_USER);
	r = run_pass(sc, false);
	find(&r, DECIDE_ACCRUE, 2);
	scene_pass(sc);
	scene_go(sc, 75);
	assert_int_equal(job_queued_s(scene_job_of(sc, 2), 75), 15);
	scene_free(sc);
}

static void queue_time_resumes_under_another_policy(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct cycle_result r;

	(void)state;
	scene_set(sc, "jobprioaccrualpolicy", "fullpolicy");
	scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER});
	scene_pass(sc);
	assert_int_equal(scene_view(sc)->paused, 1);
	scene_set(sc, "jobprioaccrualpolicy", "always");
	r = run_pass(sc, false);
	find(&r, DECIDE_ACCRUE, 1);
	scene_free(sc);
}

static void an_end_followed_by_a_start_resumes_no_queue_time(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct cycle_result r;

	(void)state;
	scene_set(sc, "user[DEFAULT].maxjob", "1");
	for (int i = 0; i < 4; i++)
		scene_submit(sc, 1, 100);
	scene_pass(sc);
	scene_pass(sc);
	assert_int_equal(scene_view(sc)->paused, 3);
	scene_end(sc, 1);
	r = run_pass(sc, false);
	find(&r, DECIDE_START, 2);
	assert_int_equal(count(&r, DECIDE_ACCRUE), 0);
	scene_pass(sc);
	assert_int_equal(run_pass(sc, false).decision_count, 0);
	scene_free(sc);
}

static void an_end_without_a_start_resumes_queue_time(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct cycle_result r;

	(void)state;
	scene_set(sc, "user[DEFAULT].maxjob", "1");
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 100, .user = "other"});
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_pass(sc);
	assert_int_equal(scene_view(sc)->paused, 1);
	scene_end(sc, 1);
	r = run_pass(sc, false);
	find(&r, DECIDE_START, 2);
	find(&r, DECIDE_ACCRUE, 3);
	scene_free(sc);
}

/* The second job has the reservation, from 1000. The third has half its limit and a higher priority from 140,
 * with 4 points and 3 points above 100. Then it starts. */
static int64_t start_of_overtaking_job(const char *poll, int64_t first_due_s)
{
	struct scene *sc = scene_new(1, 4);
	int64_t started_s;

	scene_set(sc, "queuetimeweight", "0");
	scene_set(sc, "xfactorweight", "100");
	scene_set(sc, "rmpollinterval", poll);
	scene_submit(sc, 2, 1000);
	scene_submit(sc, 4, 4000);
	scene_pass(sc);
	scene_go(sc, 60);
	scene_submit(sc, 2, 2000);
	scene_pass(sc);
	assert_int_equal(sc->result.next_due_s, first_due_s);
	while (scene_job_of(sc, 3)->state != JOB_RUNNING) {
		assert_true(sc->result.next_due_s > sc->now_s && sc->result.next_due_s < 1000);
		scene_go(sc, sc->result.next_due_s);
		scene_pass(sc);
	}
	started_s = scene_job_of(sc, 3)->start_s;
	scene_free(sc);
	return started_s;
}

static void a_job_that_overtakes_another_is_due_at_the_next_poll(void **state)
{
	(void)state;
	assert_int_equal(start_of_overtaking_job("10", 120), 140);
	assert_int_equal(start_of_overtaking_job("60", 120), 180);
	assert_int_equal(start_of_overtaking_job("500", 500), 500);
}

/* The start in this pass puts the other job over a soft limit, and without backfill no job exceeds it. */
static void a_start_that_puts_a_job_over_a_soft_limit_gives_the_time_it_clears(void **state)
{
	struct scene *sc = scene_new(1, 8);

	(void)state;
	scene_config(sc, "backfillpolicy = none\nuser u1 { maxps = {\"4200,6600\"} }\n");
	scene_submit(sc, 3, 900);
	scene_submit(sc, 4, 600);
	scene_pass(sc);
	assert_int_equal(sc->result.started, 1);
	assert_int_equal(sc->result.known_due_s, 300); /* 3 * 600 + 4 * 600 are 4200 */
	scene_play(sc, 400);
	assert_int_equal(scene_job_of(sc, 2)->start_s, 300);
	scene_free(sc);
}

/* The first running job reduces the share of the capped user, so the pass that starts it requests the next
 * poll. */
static void a_share_is_polled_once_a_pass_has_started_a_job(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc,
		     "fspolicy = dedicatedps\nrmpollinterval = 30s\nuser capped { fstarget = \"60%\" }\n");
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 1000, .user = "capped"});
	scene_pass(sc);
	scene_go(sc, 1000);
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 100, .user = "capped"});
	scene_pass(sc);
	assert_int_equal(sc->result.share_due_s, TIME_NEVER);
	scene_submit(sc, 2, 10000);
	scene_pass(sc);
	assert_int_equal(sc->result.started, 1);
	assert_int_equal(sc->result.share_due_s, 1020);
	scene_play(sc, 1900);
	assert_int_equal(scene_job_of(sc, 2)->state, JOB_RUNNING);
	assert_int_equal(scene_job_of(sc, 2)->start_s, 1860); /* 2200 of 2000 + 2 * 834 are 60 % */
	scene_free(sc);
}

/* If its queue time counted, the priority of this job would become positive, and the limit, which is checked
 * next, would block it. */
static void a_negative_priority_does_not_resume_the_queue_time_of_a_job_over_a_limit(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "enablenegjobpriority = true\nrejectnegpriojobs = true\nsystemmaxprocperjob = 3\n"
			 "rmpollinterval = 30s\nxfactorweight = -1\n");
	scene_submit(sc, 4, 300); /* -1 after no time, 0 after 75 s */
	scene_pass(sc);
	for (int i = 0; i < 20; i++) {
		scene_go(sc, sc->now_s + 60);
		assert_int_equal(scene_pass(sc), 0);
		assert_int_equal(sc->result.next_due_s, TIME_NEVER);
	}
	assert_int_equal(job_queued_s(scene_job_of(sc, 1), sc->now_s), 0);
	scene_free(sc);
}

static void an_order_that_time_cannot_change_is_never_due(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_set(sc, "xfactorweight", "100");
	scene_set(sc, "rmpollinterval", "10");
	scene_submit(sc, 2, 1000);
	scene_submit(sc, 4, 2000);
	scene_submit(sc, 4, 2000); /* its priority grows as fast as that of the previous job */
	scene_submit(sc, 4, 9000); /* and that of this job more slowly             */
	scene_pass(sc);
	assert_int_equal(sc->result.next_due_s, 1000);
	scene_free(sc);
}

/* Of two ranks that differ by 1, the computed sums may be truncated to the same integer at some polls; then
 * the older job is first. */
static void an_order_that_rounding_may_change_is_due_at_the_next_poll(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "queuetimeweight = 6\nuserweight = 1\nrmpollinterval = 10s\n"
			 "user vip { priority = 7 }\n");
	scene_submit(sc, 4, 1000);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_go(sc, 60);
	scene_add(sc, (struct scene_job){.procs = 4, .wall_s = 100, .user = "vip"});
	scene_pass(sc);
	assert_int_equal(sc->result.next_due_s, 70);
	scene_free(sc);
}

/* Queue times that began at different times reach whole minutes at different times, so the older of two jobs
 * may lose its place until its own rank grows. */
static void an_order_that_moved_queue_times_may_change_is_due_at_the_next_poll(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "queuetimeweight = 1\nrmpollinterval = 10s\n");
	scene_submit(sc, 4, 1000);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_go(sc, 10);
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	assert_int_equal(sc->result.next_due_s, 1000);
	scene_go(sc, 40);
	scene_apply(sc, &(struct event){.kind = EVENT_ACCRUAL, .job = 2, .who = "sched"});
	scene_apply(sc, &(struct event){.kind = EVENT_ACCRUAL, .job = 2, .who = "sched", .accrual.on = true});
	scene_go(sc, 60);
	scene_pass(sc);
	assert_int_equal(sc->result.next_due_s, 70);
	scene_free(sc);
}

/* Both with ranks and, by default, in the order of submission. */
static void a_start_that_meets_a_dependency_requests_another_pass(void **state)
{
	static const char *const weight[] = {"0", "1"};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct scene *sc = scene_new(1, 4);

		scene_set(sc, "queuetimeweight", weight[i]);
		scene_submit(sc, 1, 50);
		scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 50, .depend = "after:1"});
		assert_int_equal(scene_pass(sc), 1);
		assert_int_equal(sc->result.next_due_s, sc->now_s);
		assert_int_equal(scene_pass(sc), 1);
		assert_int_equal(scene_job_of(sc, 2)->start_s, sc->now_s);
		scene_free(sc);
	}
}

/* A user with a limit of one job repeatedly starts and ends a short job while two large ones wait. */
static void queue_time_that_was_just_resumed_stays_paused_for_a_poll_interval(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct cycle_result r;

	(void)state;
	scene_set(sc, "user[DEFAULT].maxjob", "1");
	scene_set(sc, "rmpollinterval", "60");
	scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 1000, .user = "other"});
	scene_submit(sc, 4, 100);
	scene_submit(sc, 4, 100);
	for (int i = 0; i < 3; i++) {
		uint64_t job;

		scene_go(sc, 100 + 10 * i);
		job = scene_submit(sc, 1, 10);
		scene_pass(sc);
		scene_pass(sc);
		assert_int_equal(scene_view(sc)->paused, 2);
		scene_end(sc, job);
		scene_pass(sc);
		assert_int_equal(scene_view(sc)->paused, i == 0 ? 0 : 2);
	}
	r = run_pass(sc, false);
	assert_int_equal(r.next_due_s, 110 + 60);
	scene_go(sc, 110 + 60);
	r = run_pass(sc, false);
	find(&r, DECIDE_ACCRUE, 2);
	find(&r, DECIDE_ACCRUE, 3);
	scene_pass(sc);
	assert_int_equal(job_queued_s(scene_job_of(sc, 2), 180), 10);
	scene_free(sc);
}

static void a_job_larger_than_the_machine_pauses_queue_time_under_fullpolicy(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_submit(sc, 5, 100);
	scene_pass(sc);
	assert_int_equal(scene_view(sc)->paused, 0);
	scene_set(sc, "jobprioaccrualpolicy", "fullpolicy");
	scene_pass(sc);
	assert_int_equal(scene_view(sc)->paused, 1);
	scene_free(sc);
}

/* A small job is backfilled past 150 large ones. */
static void bypasses_without_a_weight_are_counted_for_the_first_hundred_jobs(void **state)
{
	static const struct {
		const char *weight;
		unsigned counted;
	} wanted[] = {{"0", 100}, {"1", 150}};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct scene *sc = scene_new(1, 4);
		struct cycle_result r;

		scene_set(sc, "bypassweight", wanted[i].weight);
		scene_submit(sc, 2, 100);
		for (int job = 0; job < 150; job++)
			scene_submit(sc, 4, 100);
		scene_pass(sc);
		scene_submit(sc, 1, 10);
		r = run_pass(sc, false);
		assert_int_equal(count(&r, DECIDE_BYPASS), wanted[i].counted);
		assert_int_equal(find(&r, DECIDE_BYPASS, 2)->count, 1);
		scene_free(sc);
	}
}

static void a_pause_of_many_jobs_is_one_event(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct enact enact = {.result = NULL};
	struct cycle_result r;
	struct event ev = {.who = "sched"};
	unsigned events = 0;

	(void)state;
	scene_set(sc, "user[DEFAULT].maxjob", "1");
	for (int i = 0; i < 1000; i++)
		scene_submit(sc, 1, 100);
	scene_pass(sc);
	r = run_pass(sc, false);
	assert_int_equal(count(&r, DECIDE_PAUSE), 999);
	enact.result = &r;
	for (; enact_next(&enact, &ev); events++)
		if (ev.kind == EVENT_ACCRUAL) {
			assert_false(ev.accrual.on);
			assert_int_equal(ev.accrual.more_count, 998);
			scene_apply(sc, &ev);
		}
	assert_int_equal(events, 1);
	assert_int_equal(scene_view(sc)->paused, 999);
	enact_clear(&enact);
	scene_free(sc);
}

/* --- time of the next pass ------------------------------------------------------------------------ */

static void the_next_start_date_is_due(void **state)
{
	static const char *const weight[] = {"0", "1"}; /* taken from unsorted and from sorted jobs */

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct scene *sc = scene_new(1, 2);

		scene_set(sc, "queuetimeweight", weight[i]);
		scene_add(sc, (struct scene_job){.not_before_s = 70});
		scene_add(sc, (struct scene_job){.not_before_s = 50});
		assert_int_equal(run_pass(sc, false).next_due_s, 50);
		sc->now_s = 50;
		assert_int_equal(run_pass(sc, false).next_due_s, 70);
		sc->now_s = 70;
		assert_true(run_pass(sc, false).next_due_s == TIME_NEVER);
		scene_free(sc);
	}
}

static void the_next_reserved_start_is_due(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_set(sc, "reservationdepth", "3");
	scene_submit(sc, 4, 100);
	scene_submit(sc, 4, 50);
	scene_submit(sc, 4, 50);
	assert_int_equal(run_pass(sc, false).next_due_s, 100);
	scene_free(sc);
}

static void held_jobs_are_never_due(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.holds = JOB_HOLD_SYSTEM, .not_before_s = 50});
	assert_true(run_pass(sc, false).next_due_s == TIME_NEVER);
	scene_free(sc);
}

/* --- reasons -------------------------------------------------------------------------------------- */

static const struct reason *reason_of(const struct scene *sc, const struct cycle_result *r, uint64_t job)
{
	return &r->reason[state_find(sc->st, job)];
}

static void every_waiting_job_has_a_reason(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct cycle_result r;

	(void)state;
	scene_submit(sc, 6, 100);
	scene_submit(sc, 10, 50);
	scene_submit(sc, 4, 101);
	scene_submit(sc, 5, 100);
	scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER});
	scene_submit(sc, 11, 10);
	r = run_pass(sc, true);
	assert_int_equal(reason_of(sc, &r, 1)->gate, GATE_NONE);
	assert_int_equal(reason_of(sc, &r, 2)->gate, GATE_RESOURCES);
	assert_int_equal(reason_of(sc, &r, 2)->limit, 4);
	assert_int_equal(reason_of(sc, &r, 3)->gate, GATE_RESERVATIONS);
	assert_int_equal(reason_of(sc, &r, 3)->other, 2);
	assert_int_equal(reason_of(sc, &r, 3)->until_s, 100);
	assert_int_equal(reason_of(sc, &r, 4)->gate, GATE_RESOURCES);
	assert_int_equal(reason_of(sc, &r, 5)->gate, GATE_HOLD);
	assert_int_equal(reason_of(sc, &r, 6)->gate, GATE_FEASIBLE);
	assert_int_equal(cycle_reservations(sc->cycle)->count, 1);
	assert_int_equal(cycle_queue(sc->cycle)->blocked_count, 2);
	scene_free(sc);
}

static void in_strict_order_the_first_job_is_the_reason(void **state)
{
	struct scene *sc = scene_new(5, 2);
	struct cycle_result r;
	struct reason row;

	(void)state;
	scene_set(sc, "backfillpolicy", "none");
	scene_submit(sc, 6, 100);
	scene_submit(sc, 10, 50);
	scene_submit(sc, 1, 10);
	r = run_pass(sc, true);
	assert_int_equal(reason_of(sc, &r, 3)->gate, GATE_ORDER);
	assert_int_equal(reason_of(sc, &r, 3)->other, 2);
	assert_true(cycle_gate(sc->cycle, state_find(sc->st, 3), GATE_RESOURCES, &row));
	assert_false(cycle_gate(sc->cycle, state_find(sc->st, 2), GATE_RESOURCES, &row));
	assert_true(cycle_gate(sc->cycle, state_find(sc->st, 2), GATE_ORDER, &row));
	scene_free(sc);
}

static void a_paused_scheduler_starts_nothing_and_says_so(void **state)
{
	struct scene *sc = scene_new(2, 2);
	struct event halt = {.kind = EVENT_HALT, .who = "ops", .halt = {.on = true}};
	struct cycle_result r;
	uint64_t fits, too_many;
	struct plan plan = {0};
	struct why why;

	(void)state;
	fits = scene_submit(sc, 3, 100);
	too_many = scene_submit(sc, 4, 100);
	scene_apply(sc, &halt);
	r = run_pass(sc, true);
	assert_int_equal(r.decision_count, 0);
	assert_int_equal(r.started, 0);
	assert_true(r.next_due_s == TIME_NEVER);
	explain_why(scene_view(sc), snapshot_find_job(scene_view(sc), fits), sc->now_s, &plan, &why);
	assert_int_equal(why.first, GATE_HALT);
	assert_int_equal(why.verdict, VERDICT_NOT_NOW);
	assert_true(why.check[GATE_RESOURCES].ok);
	assert_true(why.estimated_s == TIME_NEVER);
	explain_why(scene_view(sc), snapshot_find_job(scene_view(sc), too_many), sc->now_s, &plan, &why);
	assert_int_equal(why.first, GATE_RESOURCES);
	assert_false(why.check[GATE_HALT].ok);
	plan_clear(&plan);
	halt.halt.on = false;
	scene_apply(sc, &halt);
	r = run_pass(sc, true);
	assert_non_null(find(&r, DECIDE_START, fits));
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_paused_scheduler_starts_nothing_and_says_so),
		cmocka_unit_test(an_empty_queue_decides_nothing),
		cmocka_unit_test(a_pass_changes_nothing_by_itself),
		cmocka_unit_test(starts_come_first_then_plans_then_deltas),
		cmocka_unit_test(each_backfilled_job_counts_one_bypass_for_each_job_ahead),
		cmocka_unit_test(a_reservation_is_reported_when_it_is_made_or_dropped),
		cmocka_unit_test(queue_time_stops_with_a_hold_and_counts_from_the_release),
		cmocka_unit_test(queue_time_resumes_under_another_policy),
		cmocka_unit_test(an_end_followed_by_a_start_resumes_no_queue_time),
		cmocka_unit_test(an_end_without_a_start_resumes_queue_time),
		cmocka_unit_test(a_job_larger_than_the_machine_pauses_queue_time_under_fullpolicy),
		cmocka_unit_test(bypasses_without_a_weight_are_counted_for_the_first_hundred_jobs),
		cmocka_unit_test(a_pause_of_many_jobs_is_one_event),
		cmocka_unit_test(a_job_that_overtakes_another_is_due_at_the_next_poll),
		cmocka_unit_test(a_start_that_puts_a_job_over_a_soft_limit_gives_the_time_it_clears),
		cmocka_unit_test(a_share_is_polled_once_a_pass_has_started_a_job),
		cmocka_unit_test(a_negative_priority_does_not_resume_the_queue_time_of_a_job_over_a_limit),
		cmocka_unit_test(a_start_that_meets_a_dependency_requests_another_pass),
		cmocka_unit_test(an_order_that_time_cannot_change_is_never_due),
		cmocka_unit_test(an_order_that_rounding_may_change_is_due_at_the_next_poll),
		cmocka_unit_test(an_order_that_moved_queue_times_may_change_is_due_at_the_next_poll),
		cmocka_unit_test(queue_time_that_was_just_resumed_stays_paused_for_a_poll_interval),
		cmocka_unit_test(the_next_start_date_is_due),
		cmocka_unit_test(the_next_reserved_start_is_due),
		cmocka_unit_test(held_jobs_are_never_due),
		cmocka_unit_test(every_waiting_job_has_a_reason),
		cmocka_unit_test(in_strict_order_the_first_job_is_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
