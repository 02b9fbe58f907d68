/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_job.c - are jobs held, released and cancelled, those that are meant and no others?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

static void holds_say_why_and_forget_it_when_released(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_add(sc, (struct scene_job){.label = "j"});
	said_done(sc, "hold j --reason 'until Monday'");
	assert_string_equal(snapshot_string(scene_view(sc), scene_job_of(sc, 1)->hold_reason),
			    "until Monday");
	said_done(sc, "release j");
	assert_int_equal(scene_job_of(sc, 1)->holds, 0);
	assert_int_equal(scene_job_of(sc, 1)->hold_reason, 0);
	scene_free(sc);
}

static void cancel_takes_waiting_jobs_at_once_and_marks_running_ones(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_add(sc, (struct scene_job){.user = "bob"});
	said_done(sc, "canceljob -w user=eva");
	assert_true(scene_job_of(sc, 1)->flags & JOB_CANCELLED);
	assert_int_equal(snapshot_find_job(scene_view(sc), 2), INDEX_NONE);
	assert_int_equal(scene_job_of(sc, 3)->state, JOB_IDLE);
	check_refused(sc, "cancel -w user=eva", CMD_REFUSED,
		      "none of the jobs that match 'user=eva' can take this");
	check_refused(sc, "cancel", CMD_USAGE,
		      "which job? name one, a range like 12-15, or -w 'user=eva state=idle'");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_say_why_and_forget_it_when_released),
		cmocka_unit_test(cancel_takes_waiting_jobs_at_once_and_marks_running_ones),
	};

	return cmocka_run_group_tests_name("cmd_job", tests, NULL, NULL);
}
