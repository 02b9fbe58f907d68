/* SPDX-License-Identifier: MIT */
/*
 * test_queue.c - who stands where in the queue, and which gate says so?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/core/profile.h"
#include "sched/core/queue.h"
#include "sched/core/reserve.h"
#include "tests/scene.h"

static uint64_t id_at(const struct scene *sc, uint32_t slot)
{
	return snapshot_jobs(scene_view(sc))[slot].id;
}

static void the_queue_has_three_parts(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct queue q = {0};

	(void)state;
	scene_submit(sc, 4, 100);
	scene_pass(sc);
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER});
	queue_build(&q, scene_view(sc), sc->now_s);
	assert_int_equal(q.active_count, 1);
	assert_int_equal(q.idle_count, 1);
	assert_int_equal(q.blocked_count, 1);
	assert_int_equal(id_at(sc, q.active[0]), 1);
	assert_int_equal(id_at(sc, q.idle[0].slot), 2);
	assert_int_equal(id_at(sc, q.blocked[0]), 3);
	assert_int_equal(q.blocked_reason[0].gate, GATE_HOLD);
	queue_clear(&q);
	scene_free(sc);
}

static void the_idle_stand_by_rank_submission_and_id(void **state)
{
	static const uint64_t order[] = {3, 5, 2, 1, 4};
	struct scene *sc = scene_new(1, 4);
	struct queue q = {0};

	(void)state;
	sc->now_s = 30;
	scene_config(sc, "queuetimeweight = 0\nuserweight = 1\nuser top { priority = 9 }\nuser high { "
			 "priority = 5 }\n");
	scene_add(sc, (struct scene_job){.submit_s = 10});
	scene_add(sc, (struct scene_job){.submit_s = 20, .user = "high"});
	scene_add(sc, (struct scene_job){.submit_s = 20, .user = "top"});
	scene_add(sc, (struct scene_job){.submit_s = 10});
	scene_add(sc, (struct scene_job){.submit_s = 5, .user = "high"});
	queue_build(&q, scene_view(sc), sc->now_s);
	assert_int_equal(q.idle_count, 5);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(id_at(sc, q.idle[i].slot), order[i]);
	assert_int_equal(q.idle[0].rank, 9);
	queue_clear(&q);
	scene_free(sc);
}

static void an_operators_priority_stands_above_all(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct queue q = {0};

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	scene_priority(sc, 2, JOB_ADJUST_ABSOLUTE, 5);
	queue_build(&q, scene_view(sc), sc->now_s);
	assert_int_equal(id_at(sc, q.idle[0].slot), 2);
	assert_int_equal(q.idle[0].rank, 1000000005);
	queue_clear(&q);
	scene_free(sc);
}

/* --- gates ------------------------------------------------------------------------------------- */

static enum gate test_gate(const struct scene *sc, uint64_t job, enum gate gate, struct reason *out)
{
	struct gate_context ctx = {.s = scene_view(sc), .now_s = sc->now_s, .procs_free = -1, .rank = -7};

	return gate_test(&ctx, scene_job_of(sc, job), gate, out) ? GATE_NONE : gate;
}

static void a_held_job_is_blocked_by_its_holds(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct reason r;

	(void)state;
	scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER | JOB_HOLD_BATCH});
	assert_int_equal(test_gate(sc, 1, GATE_HOLD, &r), GATE_HOLD);
	assert_int_equal(r.value, JOB_HOLD_USER | JOB_HOLD_BATCH);
	assert_true(r.until_s == TIME_NEVER);
	scene_release(sc, 1, JOB_HOLD_ALL);
	assert_int_equal(test_gate(sc, 1, GATE_HOLD, &r), GATE_NONE);
	scene_free(sc);
}

static void a_start_date_opens_at_its_moment(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct reason r;

	(void)state;
	scene_add(sc, (struct scene_job){.not_before_s = 50});
	sc->now_s = 49;
	assert_int_equal(test_gate(sc, 1, GATE_START_DATE, &r), GATE_START_DATE);
	assert_int_equal(r.until_s, 50);
	sc->now_s = 50;
	assert_int_equal(test_gate(sc, 1, GATE_START_DATE, &r), GATE_NONE);
	scene_free(sc);
}

static void a_job_too_big_for_the_machine_never_fits(void **state)
{
	struct scene *sc = scene_new(2, 3);
	struct reason r;

	(void)state;
	scene_submit(sc, 7, 100);
	assert_int_equal(test_gate(sc, 1, GATE_FEASIBLE, &r), GATE_FEASIBLE);
	assert_int_equal(r.value, 7);
	assert_int_equal(r.limit, 6);
	scene_submit(sc, 6, 100);
	assert_int_equal(test_gate(sc, 2, GATE_FEASIBLE, &r), GATE_NONE);
	scene_free(sc);
}

static void tasks_that_no_node_holds_never_fit(void **state)
{
	struct scene *sc = scene_new(3, 3);
	struct reason r;

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 8, .task_procs = 2});
	assert_int_equal(test_gate(sc, 1, GATE_FEASIBLE, &r), GATE_FEASIBLE);
	assert_int_equal(r.limit, 6);
	scene_add(sc, (struct scene_job){.procs = 6, .task_procs = 2});
	assert_int_equal(test_gate(sc, 2, GATE_FEASIBLE, &r), GATE_NONE);
	scene_free(sc);
}

static void a_negative_rank_blocks_only_where_it_is_rejected(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct reason r;

	(void)state;
	scene_submit(sc, 1, 100);
	assert_int_equal(test_gate(sc, 1, GATE_NEGATIVE, &r), GATE_NONE);
	scene_set(sc, "rejectnegpriojobs", "true");
	assert_int_equal(test_gate(sc, 1, GATE_NEGATIVE, &r), GATE_NEGATIVE);
	assert_int_equal(r.value, -7);
	scene_free(sc);
}

static void the_rows_of_a_pass_read_its_state(void **state)
{
	struct scene *sc = scene_new(2, 3);
	struct profile *p = profile_new();
	struct reservations made = {0};
	uint32_t taken[2] = {1, 2};
	struct gate_context ctx;
	struct reason r;

	(void)state;
	scene_submit(sc, 2, 100);
	scene_add(sc, (struct scene_job){.procs = 2, .task_procs = 2});
	scene_add(sc, (struct scene_job){.procs = 4, .task_procs = 2});
	profile_reset(p, 0, 3);
	reservation_make(&made, p, (struct reservation){.job = 9, .procs = 2}, 40, 10);
	ctx = (struct gate_context){.s = scene_view(sc),
				    .procs_free = 3,
				    .taken = taken,
				    .profile = p,
				    .reservations = &made,
				    .strict_head = 2};
	assert_true(gate_test(&ctx, scene_job_of(sc, 1), GATE_RESOURCES, &r));
	assert_true(gate_test(&ctx, scene_job_of(sc, 2), GATE_RESOURCES, &r));
	assert_false(gate_test(&ctx, scene_job_of(sc, 3), GATE_RESOURCES, &r));
	assert_int_equal(r.limit, 3);
	taken[0] = 2;
	taken[1] = 2;
	assert_false(gate_test(&ctx, scene_job_of(sc, 2), GATE_RESOURCES,
			       &r)); /* three free, never two on a node */
	assert_int_equal(r.limit, 0);
	assert_false(gate_test(&ctx, scene_job_of(sc, 1), GATE_RESERVATIONS, &r));
	assert_int_equal(r.until_s, 40);
	assert_int_equal(r.limit, 1);
	assert_int_equal(r.other, 9);
	assert_false(gate_test(&ctx, scene_job_of(sc, 1), GATE_ORDER, &r));
	assert_int_equal(r.other, 2);
	assert_true(gate_test(&ctx, scene_job_of(sc, 2), GATE_ORDER, &r));
	reservations_free(&made);
	profile_free(p);
	scene_free(sc);
}

static void every_gate_has_a_row_and_a_name(void **state)
{
	(void)state;
	for (int g = GATE_NONE + 1; g < GATE_COUNT; g++) {
		assert_non_null(gate_rows[g].name);
		assert_non_null(gate_rows[g].test);
		assert_true(gate_rows[g].blocks != gate_rows[g].in_pass);
	}
}

static void the_first_gate_that_fails_is_named(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct gate_context ctx = {.s = scene_view(sc), .procs_free = -1};
	struct reason r;

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 9, .holds = JOB_HOLD_USER, .not_before_s = 50});
	assert_int_equal(gate_first_failing(&ctx, scene_job_of(sc, 1), false, &r), GATE_HOLD);
	scene_release(sc, 1, JOB_HOLD_USER);
	ctx.s = scene_view(sc);
	assert_int_equal(gate_first_failing(&ctx, scene_job_of(sc, 1), false, &r), GATE_START_DATE);
	ctx.now_s = 50;
	assert_int_equal(gate_first_failing(&ctx, scene_job_of(sc, 1), false, &r), GATE_FEASIBLE);
	scene_submit(sc, 1, 100);
	ctx.s = scene_view(sc);
	assert_int_equal(gate_first_failing(&ctx, scene_job_of(sc, 2), false, &r), GATE_NONE);
	assert_true(r.until_s == TIME_NEVER);
	scene_free(sc);
}

static void only_fullpolicy_stops_the_queue_time_of_the_held(void **state)
{
	static const struct {
		const char *policy;
		bool accrues;
	} by[] = {{"always", true}, {"queuepolicy", true}, {"fullpolicy", false}};
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER});
	scene_add(sc, (struct scene_job){.not_before_s = 50});
	for (int i = 0; i < 3; i++) {
		struct gate_context ctx = {.procs_free = -1};

		scene_set(sc, "jobprioaccrualpolicy", by[i].policy);
		ctx.s = scene_view(sc);
		assert_int_equal(gate_accrues(&ctx, scene_job_of(sc, 1)), by[i].accrues);
		assert_true(gate_accrues(&ctx, scene_job_of(sc, 2)));
	}
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_queue_has_three_parts),
		cmocka_unit_test(the_idle_stand_by_rank_submission_and_id),
		cmocka_unit_test(an_operators_priority_stands_above_all),
		cmocka_unit_test(a_held_job_is_blocked_by_its_holds),
		cmocka_unit_test(a_start_date_opens_at_its_moment),
		cmocka_unit_test(a_job_too_big_for_the_machine_never_fits),
		cmocka_unit_test(tasks_that_no_node_holds_never_fit),
		cmocka_unit_test(a_negative_rank_blocks_only_where_it_is_rejected),
		cmocka_unit_test(the_rows_of_a_pass_read_its_state),
		cmocka_unit_test(every_gate_has_a_row_and_a_name),
		cmocka_unit_test(the_first_gate_that_fails_is_named),
		cmocka_unit_test(only_fullpolicy_stops_the_queue_time_of_the_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
