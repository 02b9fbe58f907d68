/* SPDX-License-Identifier: MIT */
/* test_gate.c - unit tests of the gates that block jobs, and of their reasons */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/pass/gate.h"
#include "sched/pass/queue.h"
#include "tests/scene.h"

static enum gate test_gate(const struct scene *sc, uint64_t job, enum gate gate, struct reason *out)
{
	struct queue q = {0};
	struct gate_context ctx;
	bool passes;

	queue_begin(&q, scene_view(sc), sc->now_s);
	ctx = queue_context(&q, scene_view(sc), sc->now_s);
	ctx.rank = -7;
	passes = gate_test(&ctx, scene_job_of(sc, job), gate, out);
	queue_clear(&q);
	return passes ? GATE_NONE : gate;
}

static enum gate first_gate(const struct scene *sc, uint64_t job, struct reason *out)
{
	struct queue q = {0};
	struct gate_context ctx;
	enum gate gate;

	queue_begin(&q, scene_view(sc), sc->now_s);
	ctx = queue_context(&q, scene_view(sc), sc->now_s);
	gate = gate_first_failing(&ctx, scene_job_of(sc, job), out);
	queue_clear(&q);
	return gate;
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

static void a_dependency_that_cannot_be_met_is_the_reason(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct reason r;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.array = 4}); /* job 4 */
	for (uint64_t job = 1; job <= 3; job++)
		scene_start(sc, job, 0, 1, 1);
	scene_add(sc, (struct scene_job){.depend = "afterok:1,after:2,afterany:3", .name = "last"});
	scene_add(sc, (struct scene_job){.depend = "afterok:4[2]"});
	assert_string_equal(snapshot_string(scene_view(sc), scene_job_of(sc, 8)->name), "last");
	assert_int_equal(test_gate(sc, 8, GATE_DEPENDENCY, &r), GATE_DEPENDENCY);
	assert_true(r.other == 1 && r.value == DEPEND_OK && r.limit == DEPEND_OPEN &&
		    r.asked == DEPEND_ON_JOB);
	assert_int_equal(r.second, INDEX_NONE);
	scene_end(sc, 1);
	assert_int_equal(test_gate(sc, 8, GATE_DEPENDENCY, &r), GATE_DEPENDENCY);
	assert_true(r.other == 3 && r.value == DEPEND_COMPLETE && r.limit == DEPEND_OPEN);
	scene_end(sc, 3);
	assert_int_equal(test_gate(sc, 8, GATE_DEPENDENCY, &r), GATE_NONE);
	assert_int_equal(r.other, 0);
	assert_int_equal(test_gate(sc, 9, GATE_DEPENDENCY, &r), GATE_DEPENDENCY);
	assert_true(r.other == 4 && r.asked == DEPEND_ON_TASK && r.second == 2);
	scene_add(sc, (struct scene_job){.depend = "afterany:2,afterok:9,afterok:2"});
	scene_end_with(sc, 2, 1);
	assert_int_equal(test_gate(sc, 10, GATE_DEPENDENCY, &r), GATE_DEPENDENCY);
	assert_true(r.other == 2 && r.value == DEPEND_OK && r.limit == DEPEND_NEVER);
	scene_free(sc);
}

static enum gate test_feasible(struct scene *sc, struct scene_job request)
{
	struct reason r;

	return test_gate(sc, scene_add(sc, request), GATE_FEASIBLE, &r);
}

/* Nodes of one partition with the same classes are identical only for jobs of that partition and these
 * classes. */
static void identical_nodes_still_restrict_partition_and_class(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_config(sc, "node DEFAULT { partition = day classes = \"fast slow\" }\n"
			 "partition night { xfactorweight = 2 }\nclass long { priority = 1 }\n");
	scene_node(sc, (struct node_record){.name = "a", .procs = 4});
	scene_node(sc, (struct node_record){.name = "b", .procs = 4});
	assert_false(scene_view(sc)->nodes_differ);
	assert_int_equal(test_feasible(sc, (struct scene_job){.procs = 8}), GATE_NONE);
	assert_int_equal(test_feasible(sc, (struct scene_job){.procs = 8, .partition = "day"}), GATE_NONE);
	assert_int_equal(test_feasible(sc, (struct scene_job){.procs = 1, .partition = "night"}),
			 GATE_FEASIBLE);
	assert_int_equal(test_feasible(sc, (struct scene_job){.procs = 8, .class_name = "fast"}), GATE_NONE);
	assert_int_equal(test_feasible(sc, (struct scene_job){.procs = 8, .class_name = "slow"}), GATE_NONE);
	assert_int_equal(test_feasible(sc, (struct scene_job){.procs = 1, .class_name = "long"}),
			 GATE_FEASIBLE);
	scene_free(sc);
}

static void each_hold_alone_blocks(void **state)
{
	static const uint8_t hold[] = {JOB_HOLD_USER, JOB_HOLD_SYSTEM, JOB_HOLD_BATCH};
	struct scene *sc = scene_new(1, 4);
	struct reason r;

	(void)state;
	for (size_t i = 0; i < sizeof hold / sizeof hold[0]; i++) {
		uint64_t job = scene_add(sc, (struct scene_job){.holds = hold[i]});

		assert_int_equal(test_gate(sc, job, GATE_HOLD, &r), GATE_HOLD);
		assert_int_equal(r.value, hold[i]);
	}
	scene_pass(sc);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_RUNNING), 0);
	scene_free(sc);
}

static void a_start_date_blocks_until_that_time(void **state)
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

static void tasks_larger_than_any_node_never_fit(void **state)
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

static void a_negative_priority_blocks_only_if_it_is_rejected(void **state)
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

/* Tests one gate with the state after a pass. */
static bool after_pass(struct scene *sc, uint64_t job, enum gate gate, struct reason *out)
{
	struct cycle_result result;

	cycle_run(sc->cycle, scene_view(sc), sc->now_s, true, &result);
	return cycle_gate(sc->cycle, state_find(sc->st, job), gate, out);
}

static void gates_of_a_pass_use_its_state(void **state)
{
	struct scene *sc = scene_new(2, 3);
	struct reason r;

	(void)state;
	scene_start(sc, scene_submit(sc, 2, 50), 0, 1, 2);
	scene_start(sc, scene_submit(sc, 1, 90), 1, 1, 1);
	scene_submit(sc, 5, 100); /* 3: reserved start at 50 */
	scene_submit(sc, 2, 100); /* 4: would delay job 3 */
	scene_submit(sc, 4, 100); /* 5: exceeds the free processors */
	assert_true(after_pass(sc, 4, GATE_RESOURCES, &r));
	assert_int_equal(r.value, 2);
	assert_int_equal(r.limit, 3);
	assert_false(after_pass(sc, 5, GATE_RESOURCES, &r));
	assert_int_equal(r.limit, 3);
	assert_false(after_pass(sc, 4, GATE_RESERVATIONS, &r));
	assert_int_equal(r.until_s, 50);
	assert_int_equal(r.limit, 0);
	assert_int_equal(r.other, 3);
	scene_set(sc, "backfillpolicy", "none");
	assert_false(after_pass(sc, 4, GATE_ORDER, &r));
	assert_int_equal(r.other, 3);
	assert_true(after_pass(sc, 3, GATE_ORDER, &r));
	scene_free(sc);
}

static void an_advance_reservation_blocks_jobs_that_would_overlap_it(void **state)
{
	struct scene *sc = scene_new(2, 3);
	struct event ev = {.kind = EVENT_RESERVE,
			   .who = "root",
			   .reserve = {.name = "maint", .text = "start=50 end=90 node=n001 node=n002"}};
	struct reason r;

	(void)state;
	scene_apply(sc, &ev);
	scene_submit(sc, 2, 100);
	scene_submit(sc, 2, 50); /* ends when the reservation begins */
	assert_false(after_pass(sc, 1, GATE_RESERVED, &r));
	assert_int_equal(r.value, 2);
	assert_int_equal(r.limit, 0);
	assert_int_equal(r.asked, 50);
	assert_int_equal(r.until_s, 90);
	assert_int_equal(r.other, ev.seq);
	assert_true(after_pass(sc, 2, GATE_RESERVED, &r));
	scene_free(sc);
}

static void free_processors_too_few_for_a_task_are_not_counted(void **state)
{
	struct scene *sc = scene_new(2, 3);
	struct reason r;

	(void)state;
	scene_start(sc, scene_submit(sc, 2, 50), 0, 1, 2);
	scene_start(sc, scene_submit(sc, 2, 90), 1, 1, 2);
	scene_add(sc, (struct scene_job){.procs = 2, .task_procs = 2});
	assert_false(after_pass(sc, 3, GATE_RESOURCES, &r)); /* two are free, but not on one node */
	assert_int_equal(r.limit, 0);
	assert_int_equal(r.lack, LACK_PROCS);
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

static void the_first_failing_gate_is_reported(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct reason r;

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 9, .holds = JOB_HOLD_USER, .not_before_s = 50});
	assert_int_equal(first_gate(sc, 1, &r), GATE_HOLD);
	scene_release(sc, 1, JOB_HOLD_USER);
	assert_int_equal(first_gate(sc, 1, &r), GATE_START_DATE);
	sc->now_s = 50;
	assert_int_equal(first_gate(sc, 1, &r), GATE_FEASIBLE);
	scene_submit(sc, 1, 100);
	assert_int_equal(first_gate(sc, 2, &r), GATE_NONE);
	assert_true(r.until_s == TIME_NEVER);
	scene_free(sc);
}

/* until_s alone does not distinguish them. */
static void a_retry_is_distinguished_from_a_defer(void **state)
{
	struct event ev = {
		.kind = EVENT_DEFER,
		.job = 1,
		.time_s = 10,
		.defer = {.until_s = 14, .reason = "out of memory", .failed_start = true, .retry = true}};
	struct scene *sc = scene_new(1, 1);
	struct reason r;

	(void)state;
	scene_submit(sc, 1, 100);
	scene_go(sc, 10);
	scene_start(sc, 1, 0, 1, 1);
	scene_apply(sc, &ev);
	assert_int_equal(test_gate(sc, 1, GATE_DEFER, &r), GATE_DEFER);
	assert_int_equal(r.other, 1);
	assert_int_equal(r.until_s, 14);
	scene_go(sc, 14);
	assert_int_equal(test_gate(sc, 1, GATE_DEFER, &r), GATE_NONE);
	assert_int_equal(r.other, 0); /* later gates read this member */
	scene_free(sc);
}

/* P-50, P-51: the gates in the table of maui-behaviour 2.2. */
static void each_policy_pauses_queue_time_at_its_gates(void **state)
{
	(void)state;
	for (int g = GATE_NONE; g < GATE_COUNT; g++)
		assert_false(gate_pauses((enum gate)g, ACCRUAL_ALWAYS));
	assert_true(gate_pauses(GATE_IDLE_LIMIT, ACCRUAL_QUEUE));
	assert_true(gate_pauses(GATE_ACTIVE_HARD, ACCRUAL_QUEUE));
	assert_true(gate_pauses(GATE_SYSTEM_LIMIT, ACCRUAL_QUEUE));
	assert_false(gate_pauses(GATE_ACTIVE_SOFT, ACCRUAL_QUEUE));
	assert_false(gate_pauses(GATE_HOLD, ACCRUAL_QUEUE));
	assert_false(gate_pauses(GATE_DEPENDENCY, ACCRUAL_QUEUE));
	assert_true(gate_pauses(GATE_HOLD, ACCRUAL_FULL));
	assert_true(gate_pauses(GATE_DEPENDENCY, ACCRUAL_FULL));
	assert_true(gate_pauses(GATE_FS_CAP, ACCRUAL_FULL));
	assert_true(gate_pauses(GATE_ACTIVE_HARD, ACCRUAL_FULL));
	assert_false(gate_pauses(GATE_START_DATE, ACCRUAL_FULL));
	assert_false(gate_pauses(GATE_ACTIVE_SOFT, ACCRUAL_FULL));
}

/* H-14: the outstanding processor-seconds of one user, up to the second at which the job fits the limit. */
static void a_limit_reports_usage_request_and_the_time_it_clears(void **state)
{
	struct scene *sc = scene_new(2, 8);
	struct reason r;

	(void)state;
	scene_config(sc, "user u1 { maxps = {\"72000,1080000\"} }\n");
	scene_start(sc, scene_submit(sc, 2, 53670), 0, 1, 2);
	scene_go(sc, 53670 - 34948);
	scene_submit(sc, 8, 3600);
	assert_int_equal(test_gate(sc, 2, GATE_ACTIVE_SOFT, &r), GATE_ACTIVE_SOFT);
	assert_int_equal(r.kind, LIMIT_PS);
	assert_int_equal(r.hard, 0);
	assert_int_equal(r.value, 69896);
	assert_int_equal(r.asked, 28800);
	assert_int_equal(r.value + r.asked, 98696);
	assert_int_equal(r.limit, 72000);
	assert_int_equal(r.until_s - sc->now_s, 13348);
	assert_int_equal(test_gate(sc, 2, GATE_ACTIVE_HARD, &r), GATE_NONE);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_held_job_is_blocked_by_its_holds),
		cmocka_unit_test(each_hold_alone_blocks),
		cmocka_unit_test(a_dependency_that_cannot_be_met_is_the_reason),
		cmocka_unit_test(identical_nodes_still_restrict_partition_and_class),
		cmocka_unit_test(a_start_date_blocks_until_that_time),
		cmocka_unit_test(a_job_too_big_for_the_machine_never_fits),
		cmocka_unit_test(tasks_larger_than_any_node_never_fit),
		cmocka_unit_test(a_negative_priority_blocks_only_if_it_is_rejected),
		cmocka_unit_test(gates_of_a_pass_use_its_state),
		cmocka_unit_test(an_advance_reservation_blocks_jobs_that_would_overlap_it),
		cmocka_unit_test(free_processors_too_few_for_a_task_are_not_counted),
		cmocka_unit_test(every_gate_has_a_row_and_a_name),
		cmocka_unit_test(the_first_failing_gate_is_reported),
		cmocka_unit_test(a_retry_is_distinguished_from_a_defer),
		cmocka_unit_test(each_policy_pauses_queue_time_at_its_gates),
		cmocka_unit_test(a_limit_reports_usage_request_and_the_time_it_clears),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
