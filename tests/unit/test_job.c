/* SPDX-License-Identifier: MIT */
/*
 * test_job.c - state transitions and queue time of jobs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/model/job.h"

static void job_is_submitted_started_and_ended(void **state)
{
	(void)state;
	assert_int_equal(job_next(JOB_NONE, JOB_SUBMIT), JOB_IDLE);
	assert_int_equal(job_next(JOB_IDLE, JOB_START), JOB_RUNNING);
	assert_int_equal(job_next(JOB_RUNNING, JOB_END), JOB_COMPLETED);
}

static void holds_and_priorities_leave_a_job_idle(void **state)
{
	(void)state;
	assert_int_equal(job_next(JOB_IDLE, JOB_HOLD), JOB_IDLE);
	assert_int_equal(job_next(JOB_IDLE, JOB_REWEIGH), JOB_IDLE);
}

static void a_cancelled_job_completes_at_once_or_when_it_has_ended(void **state)
{
	(void)state;
	assert_int_equal(job_next(JOB_IDLE, JOB_CANCEL), JOB_COMPLETED);
	assert_int_equal(job_next(JOB_RUNNING, JOB_CANCEL), JOB_RUNNING);
	assert_int_equal(job_next(JOB_IDLE, JOB_MODIFY), JOB_IDLE);
}

static void running_job_may_be_suspended_or_requeued(void **state)
{
	(void)state;
	assert_int_equal(job_next(JOB_RUNNING, JOB_SUSPEND), JOB_RUNNING);
	assert_int_equal(job_next(JOB_RUNNING, JOB_REQUEUE), JOB_RUNNING);
	assert_int_equal(job_next(JOB_IDLE, JOB_REQUEUE), JOB_STATE_COUNT);
	assert_int_equal(job_next(JOB_RUNNING, JOB_SIGNAL), JOB_RUNNING);
	assert_int_equal(job_next(JOB_IDLE, JOB_SIGNAL), JOB_STATE_COUNT);
}

static void other_transitions_are_not_allowed(void **state)
{
	unsigned allowed = 0;

	(void)state;
	for (enum job_state from = 0; from < JOB_STATE_COUNT; from++)
		for (enum job_action action = 0; action < JOB_ACTION_COUNT; action++)
			allowed += job_next(from, action) != JOB_STATE_COUNT;
	assert_int_equal(allowed, 11);
	assert_int_equal(job_next(JOB_RUNNING, JOB_START), JOB_STATE_COUNT);
	assert_int_equal(job_next(JOB_RUNNING, JOB_HOLD), JOB_STATE_COUNT);
	assert_int_equal(job_next(JOB_IDLE, JOB_END), JOB_STATE_COUNT);
	assert_int_equal(job_next(JOB_COMPLETED, JOB_SUBMIT), JOB_STATE_COUNT);
}

static void states_have_names(void **state)
{
	(void)state;
	assert_string_equal(job_state_name(JOB_IDLE), "Idle");
	assert_string_equal(job_state_name(JOB_RUNNING), "Running");
	for (enum job_state s = 0; s < JOB_STATE_COUNT; s++)
		assert_true(job_state_name(s)[0] != '\0');
}

static void hold_names_are_joined(void **state)
{
	(void)state;
	assert_string_equal(job_hold_names(0), "none");
	assert_string_equal(job_hold_names(JOB_HOLD_USER), "user");
	assert_string_equal(job_hold_names(JOB_HOLD_SYSTEM), "system");
	assert_string_equal(job_hold_names(JOB_HOLD_BATCH), "batch");
	assert_string_equal(job_hold_names(JOB_HOLD_USER | JOB_HOLD_BATCH), "user+batch");
	assert_string_equal(job_hold_names(JOB_HOLD_ALL), "user+system+batch");
}

static struct job idle_since(int64_t accrual_s)
{
	return (struct job){.state = JOB_IDLE, .accrual_s = accrual_s, .start_s = TIME_NONE};
}

static void P_50_queue_time_counts_from_the_accrual_start(void **state)
{
	struct job job = idle_since(1000);

	(void)state;
	assert_int_equal(job_queued_s(&job, 1000), 0);
	assert_int_equal(job_queued_s(&job, 1090), 90);
}

static void P_51_a_job_with_paused_accrual_has_no_queue_time(void **state)
{
	struct job job = idle_since(1000);

	(void)state;
	job.flags = JOB_ACCRUAL_PAUSED;
	assert_int_equal(job_queued_s(&job, 5000), 0);
}

static void queue_time_is_never_negative(void **state)
{
	struct job job = idle_since(1000);

	(void)state;
	assert_int_equal(job_queued_s(&job, 900), 0);
}

static void queue_time_ends_at_the_start(void **state)
{
	struct job job = idle_since(1000);

	(void)state;
	job.state = JOB_RUNNING;
	job.start_s = 1600;
	assert_int_equal(job_queued_s(&job, 1600), 600);
	assert_int_equal(job_queued_s(&job, 9999), 600);
}

static void total_processors_and_due_end(void **state)
{
	struct job job = {.tasks = 3, .task_procs = 4, .start_s = 100, .wall_limit_s = 3600};

	(void)state;
	assert_int_equal(job_procs(&job), 12);
	assert_int_equal(job_due_end_s(&job), 3700);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(job_is_submitted_started_and_ended),
		cmocka_unit_test(holds_and_priorities_leave_a_job_idle),
		cmocka_unit_test(a_cancelled_job_completes_at_once_or_when_it_has_ended),
		cmocka_unit_test(running_job_may_be_suspended_or_requeued),
		cmocka_unit_test(other_transitions_are_not_allowed),
		cmocka_unit_test(states_have_names),
		cmocka_unit_test(hold_names_are_joined),
		cmocka_unit_test(P_50_queue_time_counts_from_the_accrual_start),
		cmocka_unit_test(P_51_a_job_with_paused_accrual_has_no_queue_time),
		cmocka_unit_test(queue_time_is_never_negative),
		cmocka_unit_test(queue_time_ends_at_the_start),
		cmocka_unit_test(total_processors_and_due_end),
	};

	return cmocka_run_group_tests_name("job", tests, NULL, NULL);
}
