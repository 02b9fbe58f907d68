/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_site.c - do the programs of the site run around a job, and can they refuse it?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/shepherd_run.h"

/* --- the site --------------------------------------------------------------------------------------- */

static void the_sites_programs_run_around_a_job(void **state)
{
	struct launch launch = launch_script("cat before\n");
	char text[2000];

	(void)state;
	snprintf(text, sizeof text,
		 "#!/bin/sh\necho $KAHU_JOBID $KAHU_USER $KAHU_UID $OURS >%s/before\nsleep 1000 &\n", home);
	launch.prolog = put_program("prolog", text);
	snprintf(text, sizeof text, "#!/bin/sh\ncat %s/out >%s/after\nexit 3\n", home, home);
	launch.epilog = put_program("epilog", text);
	run(&launch);
	assert_end(END_EXITED, 0);
	snprintf(text, sizeof text, "12 %s %u\n", launch.user, who);
	assert_string_equal(text_of(in_home("out")), text);
	assert_string_equal(text_of(in_home("after")), text);
}

static void a_prolog_can_refuse_a_job(void **state)
{
	struct launch launch = launch_script("true\n");
	char expected[1000];

	(void)state;
	launch.prolog = put_program("prolog", "#!/bin/sh\nexit 3\n");
	run(&launch);
	assert_int_equal(spool.ended.reason, END_PROLOG);
	assert_int_equal(spool.ended.status, SPOOL_NEVER_RAN);
	snprintf(expected, sizeof expected, "%s/prolog ended with status 3", programs.path);
	assert_string_equal(spool.ended.text, expected);
	assert_int_equal(access(in_home("out"), F_OK), -1);
	spool_remove(folder, 12, 1, NULL);
	launch.prolog = "/no/prolog";
	run(&launch);
	assert_string_equal(spool.ended.text, "/no/prolog could not be run: No such file or directory");
	assert_int_equal(spool.ended.reason, END_HOST_FAULT);
	assert_int_equal(spool.ended.status, SPOOL_NEVER_RAN);
	spool_remove(folder, 12, 1, NULL);
	launch.prolog = put_program("prolog", "#!/bin/sh\nexit 127\n");
	run(&launch);
	assert_int_equal(spool.ended.reason, END_PROLOG);
}

/* It waits for the prolog, and then there is no job. */
static void a_job_cancelled_before_its_start_never_runs(void **state)
{
	struct launch launch = launch_script("true\n");
	char text[2000];
	pid_t pid;

	(void)state;
	snprintf(text, sizeof text, "#!/bin/sh\ncd %s; echo >begun; while [ ! -e go ]; do sleep 0.01; done\n",
		 home);
	launch.prolog = put_program("prolog", text);
	pid = start(&launch);
	WAIT_UNTIL(access(in_home("begun"), F_OK) == 0);
	order(pid, SHEPHERD_CANCEL, 0);
	put_file(in_home("go"), "", 0644);
	finish(pid);
	assert_end(END_CANCELLED, 256 + SIGTERM);
	assert_int_equal(access(in_home("out"), F_OK), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		OURS(the_sites_programs_run_around_a_job),
		OURS(a_prolog_can_refuse_a_job),
		OURS(a_job_cancelled_before_its_start_never_runs),
		NOBODYS(the_sites_programs_run_around_a_job),
	};

	return run_shepherd_tests("shepherd_site", tests, sizeof tests / sizeof tests[0]);
}
