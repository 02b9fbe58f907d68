/* SPDX-License-Identifier: MIT */
/*
 * test_notify_cgroup.c - what does a program that runs as a user have of the scheduler, and how does it end?
 *
 * Only root can start programs as users. Real cgroups are used where the kernel allows it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <sys/resource.h>

#include "sched/rm/notify.h"
#include "sched/rm/orphans.h"
#include "tests/cgroup_folder.h"
#include "tests/shepherd_run.h"
#include "tests/warned.h"

static struct notify *begin(const char *parent, int64_t limit_ms)
{
	const struct notify_setup setup = {.runner = program,
					   .cgroup = parent,
					   .soft_files = 64,
					   .limit_ms = limit_ms,
					   .warn_apart_ms = NOTIFY_WARN_APART_MS,
					   .warn = take_warning};
	struct notify *n = notify_new(&setup, &err);

	if (n == NULL)
		fail_msg("%s", err.text);
	return n;
}

/* A script as nobody, in the jobs' folder. */
static void say(struct notify *n, const char *script)
{
	char text[1000];
	const char *argv[] = {NULL, NULL};

	warned[0] = '\0';
	snprintf(text, sizeof text, "#!/bin/sh\ncd %s\n%s\n", home, script);
	argv[0] = put_program("program", text);
	notify_send(n, &(struct notice){.user = "nobody",
					.about = "job 12",
					.argv = argv,
					.environment = no_words,
					.input = "Words.\n"});
}

/* Folders of programs in `parent`. */
static size_t folders_in(const char *parent)
{
	glob_t found = {0};
	char pattern[800];
	size_t count;

	snprintf(pattern, sizeof pattern, "%s/notify.*", parent);
	count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
	globfree(&found);
	return count;
}

static bool has_cgroups(void)
{
	if (cgroup[0] == '\0')
		printf("# no cgroup v2 can be made here\n");
	return cgroup[0] != '\0';
}

static void set_own_score(const char *score)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_true(write(fd, score, strlen(score)) > 0);
	close(fd);
}

static void it_has_nothing_of_the_scheduler(void **state)
{
	struct rlimit before[2], limit;
	struct notify *n;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before[0]), 0);
	assert_int_equal(getrlimit(RLIMIT_CORE, &before[1]), 0);
	limit = before[1];
	limit.rlim_cur = limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_CORE, &limit), 0);
	limit = before[0];
	limit.rlim_cur = 128;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	set_own_score("300");
	n = begin(NULL, NOTIFY_LIMIT_MS);
	say(n, "echo $(id -un) $(cat /proc/self/oom_score_adj) $(ulimit -Sn) $(ulimit -Sc) >has");
	WAIT_UNTIL(strchr(text_of(in_home("has")), '\n') != NULL);
	assert_string_equal(text_of(in_home("has")), "nobody 0 64 0\n");
	notify_free(n);
	set_own_score("0");
	setrlimit(RLIMIT_NOFILE, &before[0]);
	setrlimit(RLIMIT_CORE, &before[1]);
	assert_string_equal(warned, "");
}

static void what_it_may_use_is_bounded(void **state)
{
	char file[900], name[ORPHANS_FOLDER], mark[ORPHANS_TEXT];
	struct notify *n;

	(void)state;
	controllers = "cgroup.procs cgroup.kill memory.max memory.swap.max pids.max";
	n = begin(home, NOTIFY_LIMIT_MS);
	say(n, "echo begun >begun; while [ ! -e go ]; do sleep 0.01; done");
	WAIT_UNTIL(text_of(in_home("begun"))[0] != '\0');
	orphans_mark(getpid(), spool_pid_start(getpid()), mark);
	snprintf(name, sizeof name, "notify.%s.0", mark);
	snprintf(file, sizeof file, "%s/%s/memory.max", home, name);
	assert_string_equal(text_of(file), "268435456");
	snprintf(file, sizeof file, "%s/%s/pids.max", home, name);
	assert_string_equal(text_of(file), "64");
	snprintf(file, sizeof file, "%s/%s/cgroup.procs", home, name);
	assert_string_equal(text_of(file), "0");
	put_file(in_home("go"), "", 0600);
	WAIT_UNTIL(folders_in(home) == 0);
	notify_free(n);
	controllers = NULL;
	assert_string_equal(warned, "");
}

static void what_it_leaves_behind_may_go_on_until_the_limit(void **state)
{
	struct notify *n;

	(void)state;
	if (!has_cgroups())
		skip();
	n = begin(cgroup, NOTIFY_LIMIT_MS);
	say(n, "{ while [ ! -e go ]; do sleep 0.01; done; echo said >said; } & echo $$ >leader");
	WAIT_UNTIL(text_of(in_home("leader"))[0] != '\0' && !is_alive(pid_in("leader")));
	assert_int_equal(folders_in(cgroup), 1);
	put_file(in_home("go"), "", 0600);
	WAIT_UNTIL(folders_in(cgroup) == 0);
	assert_string_equal(text_of(in_home("said")), "said\n");
	notify_free(n);
	assert_string_equal(warned, "");
}

/* The number of what has left its session is in "left"; false: it had not come so far. */
static bool times_out(const char *script, const char *warning, int64_t limit_ms)
{
	struct notify *n = begin(cgroup, limit_ms);

	say(n, script);
	WAIT_UNTIL(was_warned(warning));
	WAIT_UNTIL(folders_in(cgroup) == 0);
	notify_free(n);
	return pid_in("left") > 1;
}

static void time_out(const char *script, const char *warning)
{
	if (!times_out(script, warning, 1000)) /* so slow a machine that a second was not enough to begin */
		assert_true(times_out(script, warning, 16000));
	assert_false(is_alive(pid_in("left")));
}

static void who_leaves_the_session_of_a_program_that_ended_is_killed_at_the_limit(void **state)
{
	(void)state;
	if (!has_cgroups())
		skip();
	time_out("setsid sh -c 'echo $$ >left; exec sleep 1000' &", "started for job 12 took longer");
}

static void who_leaves_the_session_of_a_program_that_is_killed_is_killed_with_it(void **state)
{
	(void)state;
	if (!has_cgroups())
		skip();
	time_out("setsid sh -c 'echo $$ >left; exec sleep 1000' & exec sleep 1000",
		 "s for job 12 and was killed");
}

static void at_the_end_of_the_scheduler_nothing_of_it_is_left(void **state)
{
	struct notify *n;

	(void)state;
	if (!has_cgroups())
		skip();
	n = begin(cgroup, NOTIFY_LIMIT_MS);
	say(n, "setsid sh -c 'echo $$ >left; exec sleep 1000' &");
	WAIT_UNTIL(pid_in("left") > 1);
	notify_free(n);
	WAIT_UNTIL(!is_alive(pid_in("left")));
	n = begin(cgroup, NOTIFY_LIMIT_MS); /* removes what was not gone in time */
	assert_int_equal(folders_in(cgroup), 0);
	notify_free(n);
}

static void it_runs_where_no_cgroup_can_be_had(void **state)
{
	struct notify *n;

	(void)state;
	n = begin("/nonexistent/cgroup", NOTIFY_LIMIT_MS);
	say(n, "echo said >said");
	WAIT_UNTIL(text_of(in_home("said"))[0] != '\0');
	notify_free(n);
	assert_string_equal(warned, "");
}

/* A process in a cgroup of this name. */
static pid_t live_in(const char *name)
{
	char file[400];
	pid_t pid = fork();

	snprintf(file, sizeof file, "%s/%s", cgroup, name);
	if (pid > 0)
		return pid;
	mkdir(file, 0755);
	snprintf(file, sizeof file, "%s/%s/cgroup.procs", cgroup, name);
	put_file(file, "0", 0600);
	put_file(in_home("lives"), "", 0600);
	pause();
	_exit(0);
}

static void remove_cgroup(const char *name, bool *was_there)
{
	char file[400];

	snprintf(file, sizeof file, "%s/%s", cgroup, name);
	*was_there = rmdir(file) == 0;
}

static void what_a_killed_scheduler_has_left_is_killed_and_removed(void **state)
{
	char living[ORPHANS_FOLDER], mark[ORPHANS_TEXT], folder_name[400];
	static const char *const others[] = {"notify.1.1.7x", "notify.01.1.7", "notify.1.1", "notify.1.1.7.7",
					     "job.1.1.1.1"};
	bool was_there;
	pid_t pid;

	(void)state;
	if (!has_cgroups())
		skip();
	orphans_mark(1, spool_pid_start(1), mark);
	snprintf(living, sizeof living, "notify.%s.7", mark);
	snprintf(folder_name, sizeof folder_name, "%s/%s", cgroup, living);
	assert_int_equal(mkdir(folder_name, 0755), 0);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		snprintf(folder_name, sizeof folder_name, "%s/%s", cgroup, others[i]);
		assert_int_equal(mkdir(folder_name, 0755), 0);
	}
	snprintf(folder_name, sizeof folder_name, "%s/notify.1.1.8", cgroup); /* empty, of one long dead */
	assert_int_equal(mkdir(folder_name, 0755), 0);
	pid = live_in("notify.1.1.9");
	WAIT_UNTIL(access(in_home("lives"), F_OK) == 0);
	notify_free(begin(cgroup, NOTIFY_LIMIT_MS));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	remove_cgroup("notify.1.1.8", &was_there);
	assert_false(was_there);
	remove_cgroup("notify.1.1.9", &was_there);
	assert_false(was_there);
	remove_cgroup(living, &was_there);
	assert_true(was_there);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		remove_cgroup(others[i], &was_there);
		assert_true(was_there);
	}
}

#define BY_NOBODY(test) cmocka_unit_test_setup_teardown(test, as_nobody, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BY_NOBODY(it_has_nothing_of_the_scheduler),
		BY_NOBODY(what_it_may_use_is_bounded),
		BY_NOBODY(what_it_leaves_behind_may_go_on_until_the_limit),
		BY_NOBODY(who_leaves_the_session_of_a_program_that_ended_is_killed_at_the_limit),
		BY_NOBODY(who_leaves_the_session_of_a_program_that_is_killed_is_killed_with_it),
		BY_NOBODY(at_the_end_of_the_scheduler_nothing_of_it_is_left),
		BY_NOBODY(it_runs_where_no_cgroup_can_be_had),
		BY_NOBODY(what_a_killed_scheduler_has_left_is_killed_and_removed),
	};
	int failed;

	make_cgroup();
	failed = run_shepherd_tests("notify_cgroup", tests, sizeof tests / sizeof tests[0]);
	if (cgroup[0] != '\0')
		rmdir(cgroup);
	return failed;
}
