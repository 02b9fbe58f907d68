/* SPDX-License-Identifier: MIT */
/*
 * test_trace.c - order of jobs, and rejection of jobs larger than the machine
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/state/state.h"
#include "sched/trace/trace.h"

static void add(struct trace *t, int64_t number, int64_t submit_s, int32_t procs)
{
	trace_add(t, &(struct trace_job){.number = number, .submit_s = submit_s, .procs = procs});
}

static void jobs_are_sorted_by_submission_and_oversized_jobs_rejected(void **state)
{
	struct trace t = {.job = NULL};

	(void)state;
	add(&t, 1, 30, 1);
	add(&t, 2, 10, 9);
	add(&t, 3, 10, 8);
	add(&t, 4, 10, 2);
	trace_finish(&t, 8);
	assert_int_equal(t.count, 3);
	assert_int_equal(t.rejected, 1);
	assert_int_equal(t.job[0].number, 3);
	assert_int_equal(t.job[1].number, 4);
	assert_int_equal(t.job[2].number, 1);
	assert_int_equal(t.job[2].order, 0); /* position in the file without rejected jobs */
	trace_clear(&t);
	assert_null(t.job);
}

static void the_name_of_a_job_is_its_label_or_its_number(void **state)
{
	const struct job_record record = {.label = "SP02.2343.0"}, nameless = {.label = NULL};
	char buf[TRACE_NAME_TEXT];

	(void)state;
	assert_string_equal(trace_job_name(&(struct trace_job){.number = -7}, buf), "-7");
	assert_string_equal(trace_job_name(&(struct trace_job){.number = 3, .record = &record}, buf),
			    "SP02.2343.0");
	assert_string_equal(trace_job_name(&(struct trace_job){.number = 3, .record = &nameless}, buf), "3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jobs_are_sorted_by_submission_and_oversized_jobs_rejected),
		cmocka_unit_test(the_name_of_a_job_is_its_label_or_its_number),
	};

	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
