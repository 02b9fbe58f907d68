/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_tree.c - run time, process tree and cgroup of a job
 *
 * The test process acts as the shepherd, and its children as the job. To simulate a reused pid, a test writes
 * the pid of another process into the tree after the walk.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <glob.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/rm/orphans.h"
#include "sched/rm/shepherd_inside.h"
#include "tests/cgroup_folder.h"
#include "tests/shepherd_run.h"

/* --- run time and time limit -------------------------------------- */

#define THOUSAND_YEARS_S INT64_C(31622400000) /* of 366 days */

static void the_time_limit_counts_from_the_start(void **state)
{
	struct run_clock c;

	(void)state;
	clock_start(&c, 60, 5000);
	assert_int_equal(clock_ran_ms(&c, 5000), 0);
	assert_int_equal(clock_ran_ms(&c, 5250), 250);
	assert_int_equal(clock_moment(&c, 0), 65000);
	assert_int_equal(clock_moment(&c, 10), 55000); /* the time when 10 s are left */
	clock_set_limit(&c, 90);
	assert_int_equal(clock_moment(&c, 0), 95000);
}

static void the_run_time_stops_while_suspended(void **state)
{
	struct run_clock c;

	(void)state;
	clock_start(&c, 60, 5000);
	clock_stop(&c, 7000);
	assert_int_equal(clock_ran_ms(&c, 50000), 2000);
	assert_true(clock_moment(&c, 0) == INT64_MAX);
	clock_resume(&c, 100000);
	assert_int_equal(clock_ran_ms(&c, 101000), 3000);
	assert_int_equal(clock_moment(&c, 0), 158000);
	clock_stop(&c, 103000);
	clock_resume(&c, 104000);
	assert_int_equal(clock_ran_ms(&c, 104000), 5000);
	assert_int_equal(clock_moment(&c, 0), 159000);
}

static void times_are_at_most_a_thousand_years(void **state)
{
	(void)state;
	assert_int_equal(clock_ms(0), 0);
	assert_int_equal(clock_ms(30), 30000);
	assert_true(clock_ms(THOUSAND_YEARS_S - 1) == (THOUSAND_YEARS_S - 1) * 1000);
	assert_true(clock_ms(THOUSAND_YEARS_S + 1) == THOUSAND_YEARS_S * 1000);
	assert_true(clock_ms(INT64_MAX) == THOUSAND_YEARS_S * 1000);
}

static void the_clock_includes_time_in_system_sleep(void **state)
{
	struct timespec before, after;
	int64_t at_ms;

	(void)state;
	clock_gettime(CLOCK_BOOTTIME, &before);
	at_ms = now_ms();
	clock_gettime(CLOCK_BOOTTIME, &after);
	assert_true(at_ms >= before.tv_sec * 1000 + before.tv_nsec / 1000000);
	assert_true(at_ms <= after.tv_sec * 1000 + after.tv_nsec / 1000000);
}

/* --- process tree -------------------------------- */

static pid_t fork_sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	return pid;
}

static int signal_that_ended(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	return WTERMSIG(status);
}

static void a_signal_reaches_the_processes_found(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_sleeper();

	(void)state;
	tree_signal(&tree, SIGKILL);
	assert_int_equal(tree.count, 1);
	assert_int_equal(tree.pid[0], pid);
	assert_int_equal(tree.parent[0], getpid());
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	assert_false(tree_signal_one(&tree, 0, SIGKILL)); /* no process has the pid */
	tree_free(&tree);
}

/* The parent of this test is a process outside the tree. */
static void a_foreign_process_with_a_reused_pid_gets_no_signal(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_sleeper();

	(void)state;
	tree_find(&tree);
	assert_int_equal(tree.count, 1);
	tree.pid[0] = getppid();
	assert_false(tree_signal_one(&tree, 0, 0));
	tree.pid[0] = getpid();
	assert_false(tree_signal_one(&tree, 0, SIGKILL)); /* the shepherd is not part of the job */
	tree.pid[0] = pid;
	assert_true(tree_signal_one(&tree, 0, SIGKILL));
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	tree_free(&tree);
}

/* The parent of the process has ended since the walk, so its parent is now the shepherd or another subreaper.
 */
static void a_reparented_process_is_still_signalled(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_sleeper();

	(void)state;
	tree_find(&tree);
	tree.parent[0] = 1;
	assert_true(tree_signal_one(&tree, 0, SIGKILL));
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	tree_free(&tree);
}

static void without_a_descriptor_no_unchecked_signal_is_sent(void **state)
{
	struct rlimit before, none;
	struct tree tree = {.count = 0};
	pid_t pid = fork_sleeper();
	bool reached;

	(void)state;
	tree_find(&tree);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	reached = tree_signal_one(&tree, 0, SIGKILL); /* /proc cannot be read either, so no signal is sent */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_false(reached);
	assert_true(tree_signal_one(&tree, 0, SIGKILL));
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	tree_free(&tree);
}

/* --- threads ------------------------------------------------------------------------------------ */

static int ready_pipe[2]; /* a pipe by which a child reports that it is ready */

static void *fork_and_sleep(void *self)
{
	pid_t pid = fork();

	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pid > 0)
		(void)!write(ready_pipe[1], "", 1);
	for (;;)
		pause();
	return self;
}

/* Starts a process whose second thread has a child. */
static pid_t fork_with_thread(void)
{
	pid_t pid;
	char byte;

	assert_int_equal(pipe(ready_pipe), 0);
	pid = fork();
	if (pid == 0) {
		pthread_t thread;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (pthread_create(&thread, NULL, fork_and_sleep, NULL) != 0)
			_exit(1);
		pthread_join(thread, NULL);
		_exit(2);
	}
	assert_true(pid > 0);
	assert_int_equal(read(ready_pipe[0], &byte, 1), 1);
	close(ready_pipe[0]);
	close(ready_pipe[1]);
	return pid;
}

static void end_all(struct tree *tree, pid_t pid)
{
	tree_signal(tree, SIGKILL);
	assert_int_equal(signal_that_ended(pid), SIGKILL);
	while (waitpid(-1, NULL, WNOHANG) >= 0) /* orphans become children of this process */
		tree_signal(tree, SIGKILL);
	tree_free(tree);
	assert_int_equal(tree->count, 0);
	assert_null(tree->pid);
}

static void children_of_every_thread_are_found(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_with_thread();

	(void)state;
	tree_find(&tree);
	assert_int_equal(tree.count, 2);
	assert_int_equal(tree.pid[0], pid);
	assert_int_equal(tree.parent[0], getpid());
	assert_int_equal(tree.parent[1], pid);
	assert_int_equal(tree_living(&tree), 2);
	assert_int_equal(tree.count, 2); /* a new walk replaces the previous one */
	end_all(&tree, pid);
}

/* Checks that each thread of a process may use only this processor. Returns the number of threads. */
static int threads_bound_to(pid_t pid, size_t cpu)
{
	const struct dirent *entry;
	char task_path[64];
	int count = 0;
	DIR *threads;

	snprintf(task_path, sizeof task_path, "/proc/%d/task", (int)pid);
	threads = opendir(task_path);
	assert_non_null(threads);
	while ((entry = readdir(threads)) != NULL) {
		cpu_set_t set;

		if (entry->d_name[0] == '.')
			continue;
		assert_int_equal(sched_getaffinity((pid_t)strtol(entry->d_name, NULL, 10), sizeof set, &set),
				 0);
		assert_int_equal(CPU_COUNT(&set), 1);
		assert_true(CPU_ISSET(cpu, &set));
		count++;
	}
	closedir(threads);
	return count;
}

static void tree_bind_sets_the_affinity_of_every_thread(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_with_thread();
	char cpus[24];
	size_t last = CPU_SETSIZE - 1;
	cpu_set_t own, after;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof own, &own), 0);
	while (!CPU_ISSET(last, &own))
		last--;
	snprintf(cpus, sizeof cpus, "%zu", last);
	assert_false(tree_bind(&tree, "no processor"));
	assert_true(tree_bind(&tree, cpus));
	assert_int_equal(tree.count, 2);
	assert_int_equal(threads_bound_to(tree.pid[0], last), 2);
	assert_int_equal(threads_bound_to(tree.pid[1], last), 1);
	assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
	assert_true(CPU_EQUAL(&own, &after)); /* the affinity of the shepherd is unchanged */
	end_all(&tree, pid);
}

/* --- signals ------------------------------------------------------------------------------------- */

static void exit_with_signal(int number)
{
	_exit(number);
}

static pid_t fork_catcher(void)
{
	pid_t pid;
	char byte;

	assert_int_equal(pipe(ready_pipe), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGUSR1, exit_with_signal);
		(void)!write(ready_pipe[1], "", 1);
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	assert_int_equal(read(ready_pipe[0], &byte, 1), 1);
	close(ready_pipe[0]);
	close(ready_pipe[1]);
	return pid;
}

static void a_warning_reaches_only_a_process_that_catches_it(void **state)
{
	struct tree tree = {.count = 0};
	pid_t deaf = fork_sleeper(), pid = fork_catcher();
	int status;

	(void)state;
	tree_warn(&tree, SIGUSR2);
	tree_warn(&tree, SIGUSR1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), SIGUSR1);
	end_all(&tree, deaf);
}

static void all_processes_are_stopped_and_zombies_are_not_counted(void **state)
{
	struct tree tree = {.count = 0};
	pid_t pid = fork_with_thread(), dead = fork_sleeper();
	struct process p;
	siginfo_t info;
	int status;

	(void)state;
	kill(dead, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)dead, &info, WEXITED | WNOWAIT), 0);
	tree_signal(&tree, SIGSTOP);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(tree.count, 3);
	for (size_t i = 0; i < tree.count; i++) {
		do
			assert_true(process_read(tree.pid[i], &p));
		while (p.state !=
		       (tree.pid[i] == dead ? 'Z' : 'T')); /* the signal may not have been delivered yet */
		assert_int_equal(p.parent, tree.parent[i]);
		if (tree.pid[i] == pid)
			assert_int_equal(p.threads, 2);
	}
	assert_int_equal(tree_living(&tree), 2);
	assert_int_equal(waitpid(dead, &status, 0), dead);
	end_all(&tree, pid);
}

#define HELD_KB 32768

static void *hold_memory(void *self)
{
	volatile char *memory = malloc((size_t)HELD_KB << 10);

	(void)self;
	if (memory == NULL)
		_exit(1);
	for (size_t i = 0; i < (size_t)HELD_KB << 10; i += 1024)
		memory[i] = 1;
	for (;;)
		pause();
}

/* /proc/PID reports the memory of the first thread, which is zero after that thread has ended. */
static void memory_of_a_process_whose_first_thread_has_ended_is_counted(void **state)
{
	struct process p = {.rss_kb = 0};
	struct tree tree = {.count = 0};
	pid_t pid = fork();
	pthread_t thread;

	(void)state;
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pthread_create(&thread, NULL, hold_memory, NULL);
		pthread_exit(NULL);
	}
	for (int i = 0; i < 3000 && (p.state != 'Z' || p.rss_kb < HELD_KB); i++) {
		usleep(10000);
		assert_true(process_read(pid, &p));
	}
	assert_int_equal(p.state, 'Z');
	assert_true(p.rss_kb >= HELD_KB);
	assert_true(p.thread != pid);
	end_all(&tree, pid);
}

/* A job may start short-lived processes as fast as they are reaped; its limits must be checked in between. */
static void zombies_are_reaped_in_batches(void **state)
{
	struct shepherd s = {.leader = -1};
	unsigned calls = 1;
	siginfo_t last;
	pid_t pid = 0;

	(void)state;
	for (int i = 0; i < 600; i++) {
		pid = fork();
		if (pid == 0)
			_exit(0);
		assert_true(pid > 0);
		assert_int_equal(waitid(P_PID, (id_t)pid, &last, WEXITED | WNOWAIT), 0);
	}
	while (shepherd_reap(&s)) {
		assert_true(s.more_to_reap);
		calls++;
	}
	assert_false(s.more_to_reap);
	assert_in_range(calls, 3, 600);
}

static int run_shepherd_tree(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_reaches_the_processes_found),
		cmocka_unit_test(a_foreign_process_with_a_reused_pid_gets_no_signal),
		cmocka_unit_test(a_reparented_process_is_still_signalled),
		cmocka_unit_test(without_a_descriptor_no_unchecked_signal_is_sent),
		cmocka_unit_test(children_of_every_thread_are_found),
		cmocka_unit_test(tree_bind_sets_the_affinity_of_every_thread),
		cmocka_unit_test(a_warning_reaches_only_a_process_that_catches_it),
		cmocka_unit_test(all_processes_are_stopped_and_zombies_are_not_counted),
		cmocka_unit_test(memory_of_a_process_whose_first_thread_has_ended_is_counted),
		cmocka_unit_test(zombies_are_reaped_in_batches),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1); /* like the shepherd */
	return cmocka_run_group_tests_name("shepherd_tree", tests, NULL, NULL);
}

/*
 * Tests create real cgroups where the kernel permits it. The files written and read for controllers that this
 * host may lack are tested in an ordinary directory (cgroup_folder.h).
 */

/* --- cgroups ---------------------------------------------------------------------------------------- */

static struct launch launch_in_cgroup(const char *script)
{
	struct launch launch = launch_script(script);

	launch.cgroup = cgroup;
	return launch;
}

static void cancelling_kills_all_processes_in_the_cgroup(void **state)
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

static void a_suspended_job_is_frozen_by_its_cgroup(void **state)
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

static void a_job_runs_without_a_cgroup_that_cannot_be_made(void **state)
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
	launch.cgroup = home; /* a directory that is no cgroup */
	run(&launch);
	assert_end(END_EXITED, 3);
	assert_int_equal(spool.begun.level, HOLD_NONE);
	snprintf(left, sizeof left, "%s/job.12.1.*", home);
	assert_int_equal(glob(left, 0, NULL, &found), GLOB_NOMATCH);
	globfree(&found);
}

/* --- cgroup files in an ordinary directory
 * -------------------------------------------------------------------------- */

#define ALL_CONTROLLERS                                                                                      \
	"cgroup.procs cgroup.kill cgroup.freeze memory.max memory.swap.max memory.oom.group memory.events "  \
	"memory.current memory.peak cpu.stat cpuset.cpus pids.max"

static struct cgroup make_cgroup_with(const char *names, struct launch *launch)
{
	struct cgroup c;

	controllers = names;
	busy = 0;
	launch->cgroup = home;
	cgroup_make(&c, launch);
	return c;
}

static void remove_and_check(struct cgroup *c)
{
	cgroup_remove(c);
	controllers = NULL;
	assert_int_equal(c->level, HOLD_NONE);
	assert_int_equal(c->folder, -1);
	assert_int_equal(c->parent, -1);
}

static const char *file_of(const struct cgroup *c, const char *file)
{
	static char name[sizeof home + ORPHANS_FOLDER + 40];

	snprintf(name, sizeof name, "%s/%s/%s", home, c->name, file);
	return name;
}

static const char *written(const struct cgroup *c, const char *file)
{
	return text_of(file_of(c, file));
}

static void limits_are_written_to_the_cgroup(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c;

	(void)state;
	launch.mem_mb = 3;
	launch.processes = 40;
	launch.cpus = "1-2";
	c = make_cgroup_with(ALL_CONTROLLERS, &launch);
	assert_int_equal(c.level, HOLD_FULL);
	assert_true(c.bounds_processes);
	assert_string_equal(written(&c, "memory.max"), "3145728");
	assert_string_equal(written(&c, "memory.swap.max"), "0");
	assert_string_equal(written(&c, "memory.oom.group"), "1");
	assert_string_equal(written(&c, "pids.max"), "40");
	assert_string_equal(written(&c, "cpuset.cpus"), "1-2");
	cgroup_bind(&c, "5-6");
	assert_string_equal(written(&c, "cpuset.cpus"), "5-6");
	remove_and_check(&c);
}

static void resources_without_a_limit_are_not_limited(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c = make_cgroup_with(ALL_CONTROLLERS, &launch);

	(void)state;
	assert_int_equal(c.level, HOLD_FULL);
	assert_false(c.bounds_processes);
	assert_string_equal(written(&c, "memory.max"), "max");
	assert_string_equal(written(&c, "memory.swap.max"), "");
	assert_string_equal(written(&c, "memory.oom.group"), "1");
	assert_string_equal(written(&c, "pids.max"), "");
	assert_string_equal(written(&c, "cpuset.cpus"), "");
	remove_and_check(&c);
	launch.mem_mb = INT64_MAX;
	c = make_cgroup_with(ALL_CONTROLLERS, &launch);
	assert_string_equal(written(&c, "memory.max"), "9223372036854775807");
	remove_and_check(&c);
	launch.mem_mb = INT64_MAX >> 20;
	c = make_cgroup_with(ALL_CONTROLLERS, &launch);
	assert_string_equal(written(&c, "memory.max"), "9223372036853727232");
	remove_and_check(&c);
}

static void a_cgroup_without_controllers_still_kills_and_freezes(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct spool_usage usage = {.cpu_ms = 1, .mem_kb = 2, .mem_peak_kb = 3};
	struct spool_ended ended = {.user_ms = 4, .system_ms = 5};
	struct cgroup c;

	(void)state;
	launch.mem_mb = 3;
	launch.processes = 40;
	c = make_cgroup_with("cgroup.procs cgroup.kill cgroup.freeze", &launch);
	assert_int_equal(c.level, HOLD_KILL_ONLY);
	assert_false(c.bounds_processes);
	assert_true(cgroup_freeze(&c, true));
	assert_string_equal(written(&c, "cgroup.freeze"), "1");
	assert_true(cgroup_freeze(&c, false));
	assert_string_equal(written(&c, "cgroup.freeze"), "0");
	assert_true(cgroup_kill(&c));
	assert_string_equal(written(&c, "cgroup.kill"), "1");
	assert_false(cgroup_ran_out_of_memory(&c));
	cgroup_measure(&c, &usage);
	assert_int_equal(usage.cpu_ms, 1);
	assert_int_equal(usage.mem_kb, 2);
	assert_int_equal(usage.mem_peak_kb, 3);
	cgroup_measure_end(&c, &ended);
	assert_int_equal(ended.user_ms, 4);
	assert_int_equal(ended.system_ms, 5);
	remove_and_check(&c);
}

static void a_process_joins_unless_it_was_created_in_the_cgroup(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c = make_cgroup_with(ALL_CONTROLLERS, &launch);

	(void)state;
	c.born_in = true;
	assert_true(cgroup_join(&c));
	assert_string_equal(written(&c, "cgroup.procs"), "");
	c.born_in = false;
	assert_true(cgroup_join(&c));
	assert_string_equal(written(&c, "cgroup.procs"), "0");
	remove_file(c.folder, "cgroup.procs");
	assert_false(cgroup_join(&c));
	assert_int_equal(errno, ENOENT);
	remove_and_check(&c);
}

static void without_a_cgroup_all_operations_have_no_effect(void **state)
{
	struct spool_usage usage = {.cpu_ms = 1, .mem_kb = 2, .mem_peak_kb = 3};
	struct spool_ended ended = {.user_ms = 4, .system_ms = 5};
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c;

	(void)state;
	cgroup_make(&c, &launch);
	assert_int_equal(c.level, HOLD_NONE);
	assert_true(cgroup_join(&c));
	assert_false(cgroup_kill(&c));
	assert_false(cgroup_freeze(&c, true));
	assert_false(cgroup_ran_out_of_memory(&c));
	cgroup_measure(&c, &usage);
	assert_int_equal(usage.cpu_ms, 1);
	assert_int_equal(usage.mem_kb, 2);
	assert_int_equal(usage.mem_peak_kb, 3);
	cgroup_measure_end(&c, &ended);
	assert_int_equal(ended.user_ms, 4);
	assert_int_equal(ended.system_ms, 5);
	cgroup_remove(&c);
	assert_int_equal(c.folder, -1);
}

static void usage_is_read_from_the_cgroup(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct spool_usage usage = {.processes = 7};
	struct spool_ended ended = {.run_ms = 8};
	struct cgroup c = make_cgroup_with(ALL_CONTROLLERS, &launch);

	(void)state;
	put_file(file_of(&c, "cpu.stat"), "usage_usec 7500000\nuser_usec 5250000\nsystem_usec 2249000\n",
		 0600);
	put_file(file_of(&c, "memory.current"), "8192000\n", 0600);
	put_file(file_of(&c, "memory.peak"), "10240000\n", 0600);
	put_file(file_of(&c, "memory.events"), "low 0\noom 9\noom_kill_not 5\noom_kill 0\n", 0600);
	cgroup_measure(&c, &usage);
	assert_int_equal(usage.cpu_ms, 7500);
	assert_int_equal(usage.mem_kb, 8000);
	assert_int_equal(usage.mem_peak_kb, 10000);
	assert_int_equal(usage.processes, 7);
	cgroup_measure_end(&c, &ended);
	assert_int_equal(ended.user_ms, 5250);
	assert_int_equal(ended.system_ms, 2249);
	assert_int_equal(ended.run_ms, 8);
	assert_false(cgroup_ran_out_of_memory(&c));
	put_file(file_of(&c, "memory.events"), "low 0\noom_kill 1\n", 0600);
	assert_true(cgroup_ran_out_of_memory(&c));
	put_file(file_of(&c, "memory.current"), "0\n", 0600);
	cgroup_measure(&c, &usage);
	assert_int_equal(usage.mem_kb, 0);
	remove_and_check(&c);
}

/* Left by a shepherd with the same pid and start time that was killed. */
static void an_empty_directory_of_the_same_name_is_replaced(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	char name[ORPHANS_FOLDER];
	struct cgroup c;

	(void)state;
	orphans_folder(12, 1, getpid(), spool_pid_start(getpid()), name);
	assert_int_equal(mkdir(in_home(name), 0755), 0);
	c = make_cgroup_with(ALL_CONTROLLERS, &launch);
	assert_int_equal(c.level, HOLD_FULL);
	assert_string_equal(c.name, name);
	remove_and_check(&c);
}

static void a_directory_of_the_same_name_in_use_is_left_alone(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c = {.name = ""};

	(void)state;
	orphans_folder(12, 1, getpid(), spool_pid_start(getpid()), c.name);
	assert_int_equal(mkdir(in_home(c.name), 0755), 0);
	put_file(file_of(&c, "in use"), "by somebody", 0600);
	c = make_cgroup_with(ALL_CONTROLLERS, &launch);
	assert_int_equal(c.level, HOLD_NONE);
	controllers = NULL;
	orphans_folder(12, 1, getpid(), spool_pid_start(getpid()), c.name);
	assert_string_equal(written(&c, "in use"), "by somebody");
}

static void a_busy_cgroup_is_removed_when_it_becomes_empty(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c = make_cgroup_with(ALL_CONTROLLERS, &launch);
	char name[ORPHANS_FOLDER];

	(void)state;
	snprintf(name, sizeof name, "%s", c.name);
	busy = 3;
	remove_and_check(&c);
	assert_int_equal(busy, 0);
	assert_int_equal(access(in_home(name), F_OK), -1);
}

static int run_shepherd_cgroup(void)
{
	static const struct CMUnitTest tests[] = {
		OURS(cancelling_kills_all_processes_in_the_cgroup),
		OURS(a_suspended_job_is_frozen_by_its_cgroup),
		OURS(a_job_runs_without_a_cgroup_that_cannot_be_made),
		OURS(limits_are_written_to_the_cgroup),
		OURS(resources_without_a_limit_are_not_limited),
		OURS(a_cgroup_without_controllers_still_kills_and_freezes),
		OURS(a_process_joins_unless_it_was_created_in_the_cgroup),
		OURS(without_a_cgroup_all_operations_have_no_effect),
		OURS(usage_is_read_from_the_cgroup),
		OURS(an_empty_directory_of_the_same_name_is_replaced),
		OURS(a_directory_of_the_same_name_in_use_is_left_alone),
		OURS(a_busy_cgroup_is_removed_when_it_becomes_empty),
	};

	int failed;

	if (!make_cgroup())
		printf("# no cgroup v2 can be made here\n");
	failed = run_shepherd_tests("shepherd_cgroup", tests, sizeof tests / sizeof tests[0]);
	if (cgroup[0] != '\0')
		rmdir(cgroup);
	return failed;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_time_limit_counts_from_the_start),
		cmocka_unit_test(the_run_time_stops_while_suspended),
		cmocka_unit_test(times_are_at_most_a_thousand_years),
		cmocka_unit_test(the_clock_includes_time_in_system_sleep),
	};
	int failed = cmocka_run_group_tests_name("shepherd_clock", tests, NULL, NULL);

	failed += run_shepherd_cgroup();
	return failed + run_shepherd_tree(); /* the last, since it makes this process a subreaper */
}
