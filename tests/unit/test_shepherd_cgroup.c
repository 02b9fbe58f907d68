/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_cgroup.c - does a cgroup hold a job together, where one can be had?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>

#include "sched/rm/orphans.h"
#include "tests/shepherd_run.h"

/* --- cgroups ---------------------------------------------------------------------------------------- */

static char cgroup[200];

/* One below the root of whatever cgroup v2 there is. */
static bool make_cgroup(void)
{
	static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
	char file[300];

	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
		snprintf(file, sizeof file, "%s/cgroup.controllers", roots[i]);
		snprintf(cgroup, sizeof cgroup, "%s/kahu-test-%d", roots[i], (int)getpid());
		if (access(file, F_OK) == 0 && mkdir(cgroup, 0755) == 0)
			return true;
	}
	cgroup[0] = '\0';
	return false;
}

static struct launch launch_in_cgroup(const char *script)
{
	struct launch launch = launch_script(script);

	launch.cgroup = cgroup;
	return launch;
}

static void a_cgroup_holds_a_job_together(void **state)
{
	struct launch launch = launch_in_cgroup(stubborn);
	char own[400], name[ORPHANS_FOLDER];
	pid_t pid;

	(void)state;
	if (cgroup[0] == '\0')
		skip();
	launch.grace_s = 0;
	pid = start(&launch);
	orphans_folder(12, 1, pid, spool_pid_start(pid), name);
	snprintf(own, sizeof own, "%s/%s/cgroup.procs", cgroup, name);
	WAIT_UNTIL(count_pids(false) == 7);
	WAIT_UNTIL(judge(12) == SPOOL_ALIVE && spool.has_begun);
	assert_true(spool.begun.level >= HOLD_KILL_ONLY);
	assert_true(strlen(text_of(own)) > 0);
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 256 + 9);
	assert_int_equal(count_pids(true), 0);
	assert_int_equal(access(own, F_OK), -1);
}

static void a_cgroup_is_frozen_while_suspended(void **state)
{
	struct launch launch =
		launch_in_cgroup("trap 'exit 9' TERM\necho $$ >me\nwhile :; do sleep 0.01; done\n");
	char events[400], name[ORPHANS_FOLDER];
	pid_t pid;

	(void)state;
	if (cgroup[0] == '\0')
		skip();
	pid = start(&launch);
	orphans_folder(12, 1, pid, spool_pid_start(pid), name);
	snprintf(events, sizeof events, "%s/%s/cgroup.events", cgroup, name);
	WAIT_UNTIL(text_of(in_home("me"))[0] != '\0');
	order(pid, SHEPHERD_SUSPEND, 0);
	WAIT_UNTIL(has_line(text_of(events), "frozen 1"));
	assert_true(state_of(pid_in("me")) != 'T');
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 9);
}

static void a_cgroup_that_cannot_be_had_is_done_without(void **state)
{
	struct launch launch = launch_in_cgroup("exit 3\n");
	char left[800];
	glob_t found = {0};

	(void)state;
	launch.cgroup = "/nonexistent/cgroup";
	run(&launch);
	assert_end(END_EXITED, 3);
	assert_int_equal(spool.begun.level, HOLD_NONE);
	spool_remove(folder, 12, 1, NULL);
	launch.cgroup = home; /* a folder, but no cgroup */
	run(&launch);
	assert_end(END_EXITED, 3);
	assert_int_equal(spool.begun.level, HOLD_NONE);
	snprintf(left, sizeof left, "%s/job.12.1.*", home);
	assert_int_equal(glob(left, 0, NULL, &found), GLOB_NOMATCH);
	globfree(&found);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		OURS(a_cgroup_holds_a_job_together),
		OURS(a_cgroup_is_frozen_while_suspended),
		OURS(a_cgroup_that_cannot_be_had_is_done_without),
	};

	int failed;

	if (!make_cgroup())
		printf("# no cgroup v2 can be made here\n");
	failed = run_shepherd_tests("shepherd_cgroup", tests, sizeof tests / sizeof tests[0]);
	if (cgroup[0] != '\0')
		rmdir(cgroup);
	return failed;
}
