/* SPDX-License-Identifier: MIT */
/*
 * test_notify_cgroup.c - inherited limits, resource limits and termination of site programs that run as a
 * user
 *
 * Requires root, because only root can start programs as other users. Tests that need a cgroup v2 are
 * skipped where none can be created.
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

static struct notify *start_notify(const char *parent, int64_t limit_ms)
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

/* Sends a notice whose program is the script. It runs as nobody in the folder `home`. */
static void send_script(struct notify *n, const char *script)
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

/* Number of program cgroups in `parent`. */
static size_t count_folders(const char *parent)
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

static void set_own_oom_score(const char *score)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_true(write(fd, score, strlen(score)) > 0);
	close(fd);
}

static void a_program_inherits_no_limits_and_no_oom_score_of_the_scheduler(void **state)
{
	struct rlimit saved[2], limit;
	struct notify *n;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &saved[0]), 0);
	assert_int_equal(getrlimit(RLIMIT_CORE, &saved[1]), 0);
	limit = saved[1];
	limit.rlim_cur = limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_CORE, &limit), 0);
	limit = saved[0];
	limit.rlim_cur = 128;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	set_own_oom_score("300");
	n = start_notify(NULL, NOTIFY_LIMIT_MS);
	send_script(n, "echo $(id -un) $(cat /proc/self/oom_score_adj) $(ulimit -Sn) $(ulimit -Sc) >has");
	WAIT_UNTIL(strchr(text_of(in_home("has")), '\n') != NULL);
	assert_string_equal(text_of(in_home("has")), "nobody 0 64 0\n");
	notify_free(n);
	set_own_oom_score("0");
	setrlimit(RLIMIT_NOFILE, &saved[0]);
	setrlimit(RLIMIT_CORE, &saved[1]);
	assert_string_equal(warned, "");
}

static void a_program_has_limits_of_memory_and_processes(void **state)
{
	char file[900], name[ORPHANS_FOLDER], mark[ORPHANS_TEXT];
	struct notify *n;

	(void)state;
	controllers = "cgroup.procs cgroup.kill memory.max memory.swap.max pids.max";
	n = start_notify(home, NOTIFY_LIMIT_MS);
	send_script(n, "echo begun >begun; while [ ! -e go ]; do sleep 0.01; done");
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
	WAIT_UNTIL(count_folders(home) == 0);
	notify_free(n);
	controllers = NULL;
	assert_string_equal(warned, "");
}

static void background_processes_may_run_until_the_time_limit(void **state)
{
	struct notify *n;

	(void)state;
	if (!has_cgroups())
		skip();
	n = start_notify(cgroup, NOTIFY_LIMIT_MS);
	send_script(n, "{ while [ ! -e go ]; do sleep 0.01; done; echo said >said; } & echo $$ >leader");
	WAIT_UNTIL(text_of(in_home("leader"))[0] != '\0' && !is_alive(pid_in("leader")));
	assert_int_equal(count_folders(cgroup), 1);
	put_file(in_home("go"), "", 0600);
	WAIT_UNTIL(count_folders(cgroup) == 0);
	assert_string_equal(text_of(in_home("said")), "said\n");
	notify_free(n);
	assert_string_equal(warned, "");
}

/*
 * The script writes the pid of a process that leaves the session of its program to the file "left".
 * False: the time limit passed before the script wrote it.
 */
static bool times_out_after(const char *script, const char *warning, int64_t limit_ms)
{
	struct notify *n = start_notify(cgroup, limit_ms);

	send_script(n, script);
	WAIT_UNTIL(was_warned(warning));
	WAIT_UNTIL(count_folders(cgroup) == 0);
	notify_free(n);
	return pid_in("left") > 1;
}

static void check_killed(const char *script, const char *warning)
{
	if (!times_out_after(script, warning,
			     1000)) /* on a slow machine, one second can be too short to start the child */
		assert_true(times_out_after(script, warning, 16000));
	assert_false(is_alive(pid_in("left")));
}

static void daemons_of_an_ended_program_are_killed_at_the_time_limit(void **state)
{
	(void)state;
	if (!has_cgroups())
		skip();
	check_killed("setsid sh -c 'echo $$ >left; exec sleep 1000' &", "started for job 12 took longer");
}

static void daemons_of_a_killed_program_are_killed_with_it(void **state)
{
	(void)state;
	if (!has_cgroups())
		skip();
	check_killed("setsid sh -c 'echo $$ >left; exec sleep 1000' & exec sleep 1000",
		     "s for job 12 and was killed");
}

static void daemons_of_programs_are_killed_when_the_scheduler_exits(void **state)
{
	struct notify *n;

	(void)state;
	if (!has_cgroups())
		skip();
	n = start_notify(cgroup, NOTIFY_LIMIT_MS);
	send_script(n, "setsid sh -c 'echo $$ >left; exec sleep 1000' &");
	WAIT_UNTIL(pid_in("left") > 1);
	notify_free(n);
	WAIT_UNTIL(!is_alive(pid_in("left")));
	n = start_notify(cgroup,
			 NOTIFY_LIMIT_MS); /* removes cgroups that were still in use at notify_free() */
	assert_int_equal(count_folders(cgroup), 0);
	notify_free(n);
}

static void a_program_runs_also_where_no_cgroup_can_be_created(void **state)
{
	struct notify *n;

	(void)state;
	n = start_notify("/nonexistent/cgroup", NOTIFY_LIMIT_MS);
	send_script(n, "echo said >said");
	WAIT_UNTIL(text_of(in_home("said"))[0] != '\0');
	notify_free(n);
	assert_string_equal(warned, "");
}

/* Starts a process in a new cgroup with this name. */
static pid_t fork_into_cgroup(const char *name)
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

static void remove_cgroup(const char *name, bool *existed)
{
	char file[400];

	snprintf(file, sizeof file, "%s/%s", cgroup, name);
	*existed = rmdir(file) == 0;
}

static void processes_and_cgroups_of_a_killed_scheduler_are_removed(void **state)
{
	char cgroup_in_use[ORPHANS_FOLDER], mark[ORPHANS_TEXT], folder_name[400];
	static const char *const others[] = {"notify.1.1.7x", "notify.01.1.7", "notify.1.1", "notify.1.1.7.7",
					     "job.1.1.1.1"};
	bool existed;
	pid_t pid;

	(void)state;
	if (!has_cgroups())
		skip();
	orphans_mark(1, spool_pid_start(1), mark);
	snprintf(cgroup_in_use, sizeof cgroup_in_use, "notify.%s.7", mark);
	snprintf(folder_name, sizeof folder_name, "%s/%s", cgroup, cgroup_in_use);
	assert_int_equal(mkdir(folder_name, 0755), 0);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		snprintf(folder_name, sizeof folder_name, "%s/%s", cgroup, others[i]);
		assert_int_equal(mkdir(folder_name, 0755), 0);
	}
	snprintf(folder_name, sizeof folder_name, "%s/notify.1.1.8", cgroup); /* empty, of a dead scheduler */
	assert_int_equal(mkdir(folder_name, 0755), 0);
	pid = fork_into_cgroup("notify.1.1.9");
	WAIT_UNTIL(access(in_home("lives"), F_OK) == 0);
	notify_free(start_notify(cgroup, NOTIFY_LIMIT_MS));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	remove_cgroup("notify.1.1.8", &existed);
	assert_false(existed);
	remove_cgroup("notify.1.1.9", &existed);
	assert_false(existed);
	remove_cgroup(cgroup_in_use, &existed);
	assert_true(existed);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		remove_cgroup(others[i], &existed);
		assert_true(existed);
	}
}

#define AS_NOBODY(test) cmocka_unit_test_setup_teardown(test, as_nobody, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AS_NOBODY(a_program_inherits_no_limits_and_no_oom_score_of_the_scheduler),
		AS_NOBODY(a_program_has_limits_of_memory_and_processes),
		AS_NOBODY(background_processes_may_run_until_the_time_limit),
		AS_NOBODY(daemons_of_an_ended_program_are_killed_at_the_time_limit),
		AS_NOBODY(daemons_of_a_killed_program_are_killed_with_it),
		AS_NOBODY(daemons_of_programs_are_killed_when_the_scheduler_exits),
		AS_NOBODY(a_program_runs_also_where_no_cgroup_can_be_created),
		AS_NOBODY(processes_and_cgroups_of_a_killed_scheduler_are_removed),
	};
	int failed;

	make_cgroup();
	failed = run_shepherd_tests("notify_cgroup", tests, sizeof tests / sizeof tests[0]);
	if (cgroup[0] != '\0')
		rmdir(cgroup);
	return failed;
}
